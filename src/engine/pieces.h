/* SPDX-License-Identifier: MIT */
/*
 * PURE: which piece of the range comes next, and into what a failed one is split. Pieces are cut at
 * multiples of their size from the start of the drive, so that a piece of one sector is exactly a
 * sector. What failed comes back in pieces of a sixteenth, level by level, down to one sector: a
 * bad sector costs one failing request a level, not one for each of its neighbours.
 */
#ifndef ENGINE_PIECES_H
#define ENGINE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

enum {
	PIECES_SPLIT = 16,
	PIECES_LEVELS = 9, /* whole, and then 32 bits by 4 bits a level */
};

struct piece {
	uint64_t offset; /* bytes */
	uint32_t length; /* bytes */
	unsigned level;	 /* 0: never failed */
};

struct span {
	uint64_t offset;
	uint64_t end;
};

struct pieces {
	uint64_t next;	  /* everything from here on was not given out yet */
	uint64_t limit;	  /* nothing is given out from here on */
	unsigned deepest; /* the level whose pieces are single sectors */
	uint32_t size[PIECES_LEVELS];

	/*
	 * What failed and waits to be done again. The deepest level is always served first, so when
	 * a piece of level n is given out, no span of a deeper level is waiting: all spans of level
	 * n + 1 that are ever there together come from pieces that were in flight together, and no
	 * more than ENGINE_DEPTH_MAX are.
	 */
	struct span spans[PIECES_LEVELS][ENGINE_DEPTH_MAX];
	unsigned waiting[PIECES_LEVELS];
};

/* @chunk: bytes of a whole piece, a multiple of @sector. Nothing is given out before the limit is
 * raised. */
void pieces_init(struct pieces *pieces, uint64_t start, uint32_t chunk, uint32_t sector);

/* Back to @position, nothing waiting. */
void pieces_rewind(struct pieces *pieces, uint64_t position);

/* Returns false when there is nothing to give out. */
bool pieces_take(struct pieces *pieces, struct piece *ret_piece);

/* Takes a failed piece back, to be given out again in smaller ones. Returns false if it is a single
 * sector. */
bool pieces_split(struct pieces *pieces, const struct piece *piece);

/* The lowest position that was not given out or came back. */
uint64_t pieces_lowest(const struct pieces *pieces);

#endif

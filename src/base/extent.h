/* SPDX-License-Identifier: MIT */
/* A sorted, merged list of byte ranges, each with the error that made it: the map of bad places. */
#ifndef BASE_EXTENT_H
#define BASE_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

/* Ranges kept exactly; memory does not grow beyond this whatever a drive does. */
enum { EXTENTS_MAX = 16384 };

struct extent {
	uint64_t offset; /* bytes from the start of the drive */
	uint64_t length; /* bytes, never 0 */
	int code;	 /* errno of the failure, 0 where there was none (a mismatch) */
};

struct extent_map {
	struct extent *items; /* sorted by offset, not touching when codes are equal */
	unsigned count;
	unsigned capacity;
	bool coarse; /* the list was full: some ranges cover too much, or have a wrong code */
};

/*
 * Takes the memory for @capacity (1 .. EXTENTS_MAX) ranges; nothing is allocated later.
 * Returns 0; -ENOMEM. extent_map_done() accepts a map of zeros.
 */
int extent_map_init(struct extent_map *map, unsigned capacity);
void extent_map_done(struct extent_map *map);

/*
 * Adds [offset, offset + length). Touching or overlapping ranges of the same code become one; where
 * codes differ, the newer range takes the bytes they share. When the list is full the two
 * neighbours with the smallest gap are joined, under the code of the first, and @coarse is set: the
 * map then covers too much, never too little. @offset + @length must fit 64 bits.
 */
void extent_map_add(struct extent_map *map, uint64_t offset, uint64_t length, int code);

/*
 * Takes [offset, offset + length) out. What a full list cannot split stays in (too much, never too
 * little) and @coarse is set.
 */
void extent_map_remove(struct extent_map *map, uint64_t offset, uint64_t length);

/* Sum of all lengths, bytes. */
uint64_t extent_map_bytes(const struct extent_map *map);

/* Copies the content; @to was initialised with at least the capacity of @from. */
void extent_map_copy(struct extent_map *to, const struct extent_map *from);

#endif

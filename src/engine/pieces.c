/* SPDX-License-Identifier: MIT */
/* Cuts a range into pieces, and failed pieces into smaller ones. */
#include "engine/pieces.h"

#include <assert.h>

static uint32_t smaller(uint32_t size, uint32_t sector)
{
	uint32_t sectors = size / sector;

	return (sectors / PIECES_SPLIT + (sectors % PIECES_SPLIT != 0)) * sector;
}

void pieces_init(struct pieces *pieces, uint64_t start, uint32_t chunk, uint32_t sector)
{
	unsigned level = 0;

	assert(sector && chunk && chunk % sector == 0);
	*pieces = (struct pieces){ .next = start, .limit = start, .size[0] = chunk };
	while (pieces->size[level] > sector) {
		pieces->size[level + 1] = smaller(pieces->size[level], sector);
		level++;
	}
	pieces->deepest = level;
}

void pieces_rewind(struct pieces *pieces, uint64_t position)
{
	pieces->next = position;
	for (unsigned level = 0; level < PIECES_LEVELS; level++)
		pieces->waiting[level] = 0;
}

/* Takes a piece of at most @size bytes from the front of [*@from, @end). */
static struct piece cut(uint64_t *from, uint64_t end, uint32_t size, unsigned level)
{
	uint32_t length = size - (uint32_t)(*from % size);
	struct piece piece = { .offset = *from, .length = length, .level = level };

	if (length > end - *from)
		piece.length = (uint32_t)(end - *from);
	*from += piece.length;
	return piece;
}

bool pieces_take(struct pieces *pieces, struct piece *ret_piece)
{
	for (unsigned level = pieces->deepest; level > 0; level--) {
		unsigned *waiting = &pieces->waiting[level];
		struct span *last;

		if (!*waiting)
			continue;
		last = &pieces->spans[level][*waiting - 1];
		*ret_piece = cut(&last->offset, last->end, pieces->size[level], level);
		if (last->offset == last->end)
			--*waiting;
		return true;
	}
	if (pieces->next == pieces->limit)
		return false;
	*ret_piece = cut(&pieces->next, pieces->limit, pieces->size[0], 0);
	return true;
}

bool pieces_split(struct pieces *pieces, const struct piece *piece)
{
	unsigned level = piece->level + 1;

	if (level > pieces->deepest)
		return false;
	assert(pieces->waiting[level] < ENGINE_DEPTH_MAX);
	pieces->spans[level][pieces->waiting[level]++] =
		(struct span){ piece->offset, piece->offset + piece->length };
	return true;
}

uint64_t pieces_lowest(const struct pieces *pieces)
{
	uint64_t lowest = pieces->next;

	for (unsigned level = 1; level <= pieces->deepest; level++) {
		for (unsigned i = 0; i < pieces->waiting[level]; i++) {
			if (pieces->spans[level][i].offset < lowest)
				lowest = pieces->spans[level][i].offset;
		}
	}
	return lowest;
}

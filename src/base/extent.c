/* SPDX-License-Identifier: MIT */
/* The map of bad places: exact while it fits, too much and never too little when it does not. */
#include "base/extent.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An addition may split one range and put itself in between before the list is cut to capacity. */
enum { SPARE = 2 };

int extent_map_init(struct extent_map *map, unsigned capacity)
{
	struct extent *items;

	assert(capacity >= 1 && capacity <= EXTENTS_MAX);
	items = calloc(capacity + SPARE, sizeof(*items));
	if (!items)
		return -ENOMEM;
	*map = (struct extent_map){ .items = items, .capacity = capacity };
	return 0;
}

void extent_map_done(struct extent_map *map)
{
	free(map->items);
	*map = (struct extent_map){ 0 };
}

static uint64_t end_of(const struct extent *extent)
{
	return extent->offset + extent->length;
}

/* Index of the first range that ends behind @offset: the one that holds it, or the next. */
static unsigned find(const struct extent_map *map, uint64_t offset)
{
	unsigned low = 0, high = map->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (end_of(&map->items[middle]) > offset)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct extent_map *map, unsigned at, struct extent extent)
{
	struct extent *item = map->items + at;

	memmove(item + 1, item, (map->count - at) * sizeof(*item));
	*item = extent;
	map->count++;
}

static void drop(struct extent_map *map, unsigned first, unsigned behind)
{
	struct extent *items = map->items;

	memmove(items + first, items + behind, (map->count - behind) * sizeof(*items));
	map->count -= behind - first;
}

/* Makes one of a range and the next one, with the gap between them and the code of the first. */
static void join(struct extent_map *map, unsigned at)
{
	struct extent *item = map->items + at;

	item->length = end_of(item + 1) - item->offset;
	drop(map, at + 1, at + 2);
}

static void join_if_alike(struct extent_map *map, unsigned at)
{
	const struct extent *item = map->items + at;

	if (at + 1 < map->count && end_of(item) == item[1].offset && item->code == item[1].code)
		join(map, at);
}

static void join_nearest(struct extent_map *map)
{
	uint64_t smallest = UINT64_MAX;
	unsigned at = 0;

	for (unsigned i = 0; i + 1 < map->count; i++) {
		uint64_t gap = map->items[i + 1].offset - end_of(&map->items[i]);

		if (gap < smallest) {
			smallest = gap;
			at = i;
		}
	}
	join(map, at);
	join_if_alike(map, at);
	map->coarse = true;
}

/* Takes [offset, end) out exactly; the list grows by one if that is the middle of a range. */
static void cut(struct extent_map *map, uint64_t offset, uint64_t end)
{
	unsigned at = find(map, offset), behind;
	struct extent *item = map->items + at;

	if (at < map->count && item->offset < offset) {
		struct extent right = *item;

		item->length = offset - item->offset;
		insert(map, ++at, (struct extent){ offset, end_of(&right) - offset, right.code });
	}
	for (behind = at; behind < map->count && end_of(&map->items[behind]) <= end; behind++)
		;
	drop(map, at, behind);
	item = map->items + at;
	if (at < map->count && item->offset < end) {
		item->length = end_of(item) - end;
		item->offset = end;
	}
}

void extent_map_add(struct extent_map *map, uint64_t offset, uint64_t length, int code)
{
	unsigned at;

	assert(length <= UINT64_MAX - offset);
	if (!length)
		return;
	cut(map, offset, offset + length);
	at = find(map, offset);
	insert(map, at, (struct extent){ offset, length, code });
	join_if_alike(map, at);
	if (at)
		join_if_alike(map, at - 1);
	while (map->count > map->capacity)
		join_nearest(map);
}

void extent_map_remove(struct extent_map *map, uint64_t offset, uint64_t length)
{
	const struct extent *item = map->items + find(map, offset);
	uint64_t end = offset + length;

	assert(length <= UINT64_MAX - offset);
	if (!length)
		return;
	if (map->count == map->capacity && item < map->items + map->count &&
	    item->offset < offset && end_of(item) > end)
		map->coarse = true;
	else
		cut(map, offset, end);
}

uint64_t extent_map_bytes(const struct extent_map *map)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < map->count; i++)
		bytes += map->items[i].length;
	return bytes;
}

void extent_map_copy(struct extent_map *to, const struct extent_map *from)
{
	assert(from->count <= to->capacity);
	memcpy(to->items, from->items, from->count * sizeof(*to->items));
	to->count = from->count;
	to->coarse = from->coarse;
}

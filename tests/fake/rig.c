/* SPDX-License-Identifier: MIT */
/* The engine's words against the drive's bytes. */
#include "rig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RUBBISH = 0xEE, EXTENTS = 2048 };

uint8_t rig_byte(uint64_t position)
{
	return (uint8_t)((position * UINT64_C(0x9E3779B97F4A7C15) >> 56) | 1);
}

static int cheap_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	struct cheap_keystream *cheap = (struct cheap_keystream *)ks;
	uint8_t *bytes = buf;

	if (++cheap->fills == cheap->fail_at) {
		memset(buf, RUBBISH, length);
		return -EIO;
	}
	for (size_t i = 0; i < length; i++)
		bytes[i] = rig_byte(position + i);
	return 0;
}

static void cheap_free(struct keystream *ks)
{
	(void)ks;
}

static const struct keystream_ops cheap_ops = {
	.fill = cheap_fill,
	.free = cheap_free,
};

static void cheap_free_heap(struct keystream *ks)
{
	free(ks);
}

struct keystream *rig_keystream(unsigned fail_at)
{
	static const struct keystream_ops ops = { .fill = cheap_fill, .free = cheap_free_heap };
	struct cheap_keystream *cheap = malloc(sizeof(*cheap));

	assert_non_null(cheap);
	*cheap = (struct cheap_keystream){ .keystream = { &ops }, .fail_at = fail_at };
	return &cheap->keystream;
}

void rig_make(struct rig *rig, struct rig_shape shape)
{
	*rig = (struct rig){ .ks = { .keystream = { &cheap_ops } } };
	assert_int_equal(engine_new(shape.chunk, shape.depth, &rig->engine), 0);
	rig->fake = fake_new(shape.size, shape.align, engine_buffers(rig->engine));
	rig->params = (struct engine_params){
		.length = shape.size,
		.sector = shape.sector,
		.align = shape.align,
		.stop = &rig->fake->stop,
	};
	assert_int_equal(extent_map_init(&rig->bad, EXTENTS), 0);
	assert_int_equal(extent_map_init(&rig->wrong, EXTENTS), 0);
	rig->result = (struct engine_result){ .bad = &rig->bad, .wrong = &rig->wrong };
}

void rig_done(struct rig *rig)
{
	backend_free(&rig->fake->port.backend);
	engine_free(rig->engine);
	extent_map_done(&rig->bad);
	extent_map_done(&rig->wrong);
}

/* Whether @position is in the map; @at goes up through it with the positions. */
static bool in_map(const struct extent_map *map, unsigned *at, uint64_t position)
{
	while (*at < map->count && map->items[*at].offset + map->items[*at].length <= position)
		++*at;
	return *at < map->count && map->items[*at].offset <= position;
}

/* What is true of the drive after any writing run, whatever happened in it. */
static void check_written(const struct rig *rig)
{
	uint64_t start = rig->params.start, end = start + rig->params.length, written = 0;
	unsigned at = 0;

	for (uint64_t i = 0; i < rig->fake->size; i++) {
		uint8_t byte = rig->fake->disk[i];
		bool right = byte == rig_byte(i);

		if (!right && byte != FAKE_OLD)
			fail_msg("rubbish at %lu", (unsigned long)i);
		if (i < start || i >= end)
			continue;
		written += right;
		if (!right && i < rig->result.reached && !in_map(&rig->bad, &at, i))
			fail_msg("byte %lu is old, and nobody says so", (unsigned long)i);
	}
	assert_true(rig->progress.done <= written);
}

static void check_counters(const struct rig *rig)
{
	const struct engine_result *result = &rig->result;
	uint64_t start = rig->params.start, length = rig->params.length;
	uint64_t lost = extent_map_bytes(&rig->bad) + extent_map_bytes(&rig->wrong);

	assert_int_equal(rig->progress.bad, lost);
	assert_true(rig->progress.done + lost <= length);
	assert_true(rig->progress.done + lost >= result->reached - start);
	assert_in_range(result->reached, start, start + length);
	assert_false(rig->progress.flushing);
	assert_true(rig->progress.last_answer > 0);
	if (result->end == ENGINE_DONE) {
		assert_int_equal(result->reached, start + length);
		assert_int_equal(rig->progress.done + lost, length);
	}
	assert_int_equal(!result->code,
			 result->end == ENGINE_DONE || result->end == ENGINE_STOPPED);
	for (unsigned i = 0; i < rig->bad.count; i++)
		assert_true(rig->bad.items[i].code > 0);
}

static void run(struct rig *rig, enum engine_mode mode)
{
	struct extent_map *maps[] = { &rig->bad, &rig->wrong };

	for (unsigned i = 0; i < 2; i++)
		extent_map_remove(maps[i], 0, INT64_MAX);
	rig->progress = (struct engine_progress){ 0 };
	rig->params.mode = mode;
	engine_run(rig->engine, &rig->fake->port.backend, &rig->ks.keystream, &rig->params,
		   &rig->progress, &rig->result);
	if (rig->result.code == 0 || rig->fake->plan.reap_at == 0)
		assert_int_equal(rig->fake->port.in_flight, 0);
	check_counters(rig);
}

void rig_write(struct rig *rig)
{
	run(rig, ENGINE_WRITE);
	if (!rig->lies && !rig->result.flush_code)
		check_written(rig);
}

void rig_verify(struct rig *rig)
{
	run(rig, ENGINE_VERIFY);
}

void rig_read(struct rig *rig)
{
	unsigned fills = rig->ks.fills;

	run(rig, ENGINE_READ);
	assert_int_equal(rig->ks.fills, fills);
	assert_int_equal(rig->wrong.count, 0);
}

void assert_one_extent(const struct extent_map *map, uint64_t offset, uint64_t length, int code)
{
	assert_int_equal(map->count, 1);
	assert_int_equal(map->items[0].offset, offset);
	assert_int_equal(map->items[0].length, length);
	assert_int_equal(map->items[0].code, code);
}

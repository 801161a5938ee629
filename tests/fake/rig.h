/* SPDX-License-Identifier: MIT */
/* An engine, a drive in memory, and the question whether what the engine says of it is true. */
#ifndef FAKE_RIG_H
#define FAKE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend-fake.h"
#include "engine/engine.h"
#include "keystream/keystream.h"

/* A stream that is cheap and has no byte that the drive had before. */
struct cheap_keystream {
	struct keystream keystream;
	unsigned fills;
	unsigned fail_at; /* n-th fill fails and leaves rubbish; 0: never */
};

struct rig {
	struct engine *engine;
	struct fake *fake;
	struct cheap_keystream ks;
	struct engine_params params;
	struct engine_progress progress;
	struct engine_result result;
	struct extent_map bad, wrong;
	bool lies; /* the drive does: what the engine thinks cannot be true */
};

struct rig_shape {
	uint64_t size;
	uint32_t chunk;
	unsigned depth;
	uint32_t sector;
	uint32_t align;
};

/* One more of the same stream, to be freed; its n-th fill fails (0: none). */
struct keystream *rig_keystream(unsigned fail_at);

/* Prepares to write a whole drive. */
void rig_make(struct rig *rig, struct rig_shape shape);
void rig_done(struct rig *rig);

/* Runs the engine over the range, from counters at 0, and checks that it tells the truth. */
void rig_write(struct rig *rig);
void rig_verify(struct rig *rig);
void rig_read(struct rig *rig);

/* The byte at @position of the stream. */
uint8_t rig_byte(uint64_t position);

/* The map is exactly one extent. */
void assert_one_extent(const struct extent_map *map, uint64_t offset, uint64_t length, int code);

#endif

/* SPDX-License-Identifier: MIT */
/* The engine on a drive whose places fail: what is written, what is marked, what is counted. */
#include "rig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/pace.h"
#include "engine/pieces.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const uint64_t MIB = 1 << 20;

static const struct rig_shape plain = {
	.size = 1 << 20, .chunk = 64 * 1024, .depth = 8, .sector = 512, .align = 512
};

/* ---- no fault ---- */

static void write_and_verify(struct rig_shape shape)
{
	struct rig rig;

	rig_make(&rig, shape);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.done, shape.size);
	assert_int_equal(rig.progress.bad_count, 0);
	rig_verify(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.done, shape.size);
	rig_done(&rig);
}

static void every_size_is_written_to_the_last_byte_by_any_chunk_and_depth(void **state)
{
	static const uint64_t sizes[] = {
		1, 511, 512, 513, 4095, 4097, 1048575, 1048576, 10000123
	};
	static const uint32_t chunks[] = { 4096, 65536, 524288, 1536 };
	static const unsigned depths[] = { 1, 2, 8, 64 };
	static const uint32_t sectors[] = { 512, 4096 };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(sizes) * ARRAY_SIZE(sectors) * 16; i++) {
		struct rig_shape shape = {
			.chunk = chunks[i % 4],
			.depth = depths[i / 4 % 4],
			.sector = sectors[i / 16 % 2],
			.size = sizes[i / 32],
		};

		shape.align = shape.size % shape.sector ? 1 : shape.sector;
		if (shape.chunk % shape.sector == 0)
			write_and_verify(shape);
	}
}

static void a_range_in_the_middle_leaves_the_rest_alone(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	rig.params.start = 3 * 512;
	rig.params.length = 100 * 1024;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	for (uint64_t i = 0; i < plain.size; i++) {
		if (i < 1536 || i >= 1536 + 102400)
			assert_int_equal(rig.fake->disk[i], FAKE_OLD);
	}
	rig.params.length = 0;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	rig_done(&rig);
}

/* ---- bad places ---- */

static void one_bad_sector_costs_few_requests_and_only_itself(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_fail(rig.fake, 500 * 512, 512, FAKE_WRITES, EIO);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.bad, 500 * 512, 512, EIO);
	assert_int_equal(rig.progress.bad_count, 1);
	/* 16 chunks of 64K, then 16 pieces of 4K, then 8 sectors. */
	assert_int_equal(rig.fake->submits, 16 + 16 + 8);
	rig_done(&rig);
}

static void neighbouring_bad_sectors_are_one_range_with_their_errno(void **state)
{
	static const struct rig_shape shape = { 40 << 20, 512 * 1024, 8, 512, 512 };
	struct rig rig;

	(void)state;
	rig_make(&rig, shape);
	fake_fail(rig.fake, 40000 * 512, 8 * 512, FAKE_WRITES, ENODATA);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.bad, 40000 * 512, 8 * 512, ENODATA);
	assert_int_equal(rig.progress.done, shape.size - 4096);
	rig_done(&rig);
}

static void two_thousand_scattered_bad_sectors_are_listed_exactly_with_few_requests(void **state)
{
	static const struct rig_shape shapes[] = {
		{ 32 << 20, 512 * 1024, 8, 512, 512 },
		{ 32 << 20, 64 * 1024, 64, 512, 512 },
		{ 32 << 20, 4096, 1, 512, 512 },
	};

	(void)state;
	for (unsigned s = 0; s < ARRAY_SIZE(shapes); s++) {
		uint64_t chunks = shapes[s].size / shapes[s].chunk;
		struct rig rig;

		rig_make(&rig, shapes[s]);
		for (uint64_t i = 0; i < 2000; i++)
			fake_fail(rig.fake, (i * 32 + i % 7) * 512, 512, FAKE_WRITES, EIO);
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.bad.count, 2000);
		for (uint64_t i = 0; i < 2000; i++) {
			assert_int_equal(rig.bad.items[i].offset, (i * 32 + i % 7) * 512);
			assert_int_equal(rig.bad.items[i].length, 512);
		}
		assert_int_equal(rig.progress.bad_count, 2000);
		/* Each level costs at most a split for each bad sector. */
		assert_true(rig.fake->submits <= chunks + 2000 * 3 * PIECES_SPLIT);
		rig_done(&rig);
	}
}

static void a_drive_that_fails_everywhere_ends_with_everything_marked(void **state)
{
	static const int errors[] = { EIO, EAGAIN, EBUSY, ENOSPC, 9999 };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(errors); i++) {
		struct rig_shape shape = plain;
		struct rig rig;

		shape.align = 1;
		shape.size = 256 * 1024 + 77;
		rig_make(&rig, shape);
		fake_fail(rig.fake, 0, shape.size, FAKE_WRITES, errors[i]);
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_one_extent(&rig.bad, 0, shape.size, errors[i]);
		assert_int_equal(rig.progress.bad_count, 513);
		rig_done(&rig);
	}
}

static void a_place_that_fails_once_is_written_by_smaller_pieces(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_add(rig.fake, (struct fake_fault){ .length = MIB,
						.ops = FAKE_WRITES,
						.kind = FAKE_FAIL,
						.value = EIO,
						.times = 1 });
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.bad, 0);
	rig_done(&rig);
}

static void unreadable_and_different_sectors_are_told_apart(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_add(rig.fake, (struct fake_fault){ 70 * 512, 512, FAKE_WRITES, FAKE_DROP, 0, 0, 0 });
	rig.lies = true;
	rig_write(&rig);
	rig.fake->fault_count = 0;
	fake_fail(rig.fake, 200 * 512, 1024, FAKE_READS, EILSEQ);
	rig.fake->disk[MIB - 1] ^= 1;
	rig_verify(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.bad, 200 * 512, 1024, EILSEQ);
	/* The whole request that touched sector 70 was dropped. */
	assert_int_equal(rig.wrong.count, 2);
	assert_int_equal(rig.wrong.items[0].offset, 0);
	assert_int_equal(rig.wrong.items[1].offset, MIB - 512);
	assert_int_equal(rig.wrong.items[1].length, 512);
	assert_int_equal(rig.wrong.items[1].code, 0);
	rig_done(&rig);
}

static void reading_alone_looks_at_nothing_but_marks_what_is_unreadable(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_fail(rig.fake, 10240, 512, FAKE_READS, EIO);
	rig_read(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.done, plain.size - 512);
	assert_one_extent(&rig.bad, 10240, 512, EIO);
	for (uint64_t i = 0; i < plain.size; i++)
		assert_int_equal(rig.fake->disk[i], FAKE_OLD);
	rig_done(&rig);
}

static void sectors_are_the_drives_also_in_a_range_that_starts_within_one(void **state)
{
	struct rig_shape shape = plain;
	struct rig rig;

	(void)state;
	shape.align = 1;
	rig_make(&rig, shape);
	rig.params.start = 100;
	rig.params.length = MIB - 300;
	fake_fail(rig.fake, 1536, 512, FAKE_WRITES, EIO);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.bad, 1536, 512, EIO);
	rig_verify(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.wrong, 1536, 512, 0);
	rig_done(&rig);
}

/* ---- short and repeated ---- */

static void short_counts_lose_nothing(void **state)
{
	static const struct fake_fault faults[] = {
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_SHORT, 512, 0, 0 },
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_HALF, 512, 0, 0 },
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_SHORT, 1, ENGINE_RETRIES_MAX, 0 },
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_SHORT, 700, ENGINE_RETRIES_MAX, 0 },
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_HALF, 1, ENGINE_RETRIES_MAX, 0 },
		{ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_ZERO, 0, ENGINE_RETRIES_MAX, 0 },
	};
	static const uint32_t aligns[] = { 1, 512 };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(faults) * 2; i++) {
		struct rig_shape shape = plain;
		struct rig rig;

		shape.align = aligns[i % 2];
		rig_make(&rig, shape);
		fake_add(rig.fake, faults[i / 2]);
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.progress.done, MIB);
		rig.fake->fault_count = 0;
		fake_add(rig.fake, faults[i / 2]);
		rig_verify(&rig);
		assert_int_equal(rig.progress.done, MIB);
		rig_done(&rig);
	}
}

static void no_progress_for_ever_is_a_bad_place_of_a_drive_that_has_its_size(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_add(rig.fake,
		 (struct fake_fault){ 1024, 512, FAKE_WRITES | FAKE_READS, FAKE_ZERO, 0, 0, 0 });
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_one_extent(&rig.bad, 1024, 512, EIO);
	rig_verify(&rig);
	assert_one_extent(&rig.bad, 1024, 512, EIO);
	assert_int_equal(rig.wrong.count, 0);
	rig_done(&rig);
}

static void a_request_that_is_not_the_drives_fault_is_made_again(void **state)
{
	static const int errors[] = { EAGAIN, EINTR, ECANCELED, EBUSY };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(errors) * ENGINE_RETRIES_MAX; i++) {
		unsigned times = i / ARRAY_SIZE(errors) + 1;
		struct rig rig;

		rig_make(&rig, plain);
		fake_add(rig.fake, (struct fake_fault){ 5 * 65536, 512, FAKE_WRITES, FAKE_FAIL,
							errors[i % ARRAY_SIZE(errors)], times, 0 });
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.progress.bad, 0);
		assert_int_equal(rig.fake->submits, 16 + times);
		rig_done(&rig);
	}
}

static void progress_starts_the_count_of_retries_anew(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	for (unsigned i = 0; i < 3; i++)
		fake_add(rig.fake, (struct fake_fault){ .length = plain.chunk,
							.ops = FAKE_WRITES,
							.kind = i == 1 ? FAKE_HALF : FAKE_FAIL,
							.value = i == 1 ? 512 : EAGAIN,
							.times = i == 1 ? 1 : ENGINE_RETRIES_MAX });
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.bad, 0);
	assert_int_equal(rig.fake->submits, 16 + 2 * ENGINE_RETRIES_MAX + 1);
	rig_done(&rig);
}

static void large_requests_that_never_get_through_are_made_smaller(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	fake_add(rig.fake, (struct fake_fault){ 0, MIB, FAKE_WRITES | FAKE_READS, FAKE_FAIL, EAGAIN,
						0, .harmless = 4096 });
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.progress.bad, 0);
	rig_verify(&rig);
	assert_int_equal(rig.progress.done, MIB);
	rig_done(&rig);
}

/* ---- pace ---- */

static void pace_follows_the_rate_and_forgets_long_pauses(void **state)
{
	const uint64_t s = 1000000000, t = 1000 * s;
	struct pace pace = { .rate = 1000000, .due = t };

	(void)state;
	assert_int_equal(pace_wait(&pace, t), 0);
	pace_count(&pace, t, 500000);
	assert_int_equal(pace_wait(&pace, t), s / 2);
	assert_int_equal(pace_wait(&pace, t + s / 2), 0);
	/* Ten seconds late: a tenth of a second is caught up. */
	pace_count(&pace, t + 10 * s, 500000);
	assert_int_equal(pace_wait(&pace, t + 10 * s), s / 2 - s / 10);
	pace = (struct pace){ 0 };
	pace_count(&pace, t, UINT32_MAX);
	assert_int_equal(pace_wait(&pace, t), 0);
}

static void a_limited_rate_writes_everything(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	rig.params.rate_limit = 64 * MIB;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	rig_done(&rig);
}

static void a_stop_is_seen_while_the_rate_limit_waits_with_nothing_in_flight(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	rig.params.rate_limit = 1;
	rig.fake->plan.idle_stop = 3;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_STOPPED);
	assert_int_equal(rig.result.reached, plain.chunk);
	assert_int_equal(rig.fake->submits, 1);
	rig_done(&rig);
}

/* ---- pieces ---- */

static void the_worst_order_of_failures_stays_within_the_list(void **state)
{
	struct piece flying[ENGINE_DEPTH_MAX];
	struct pieces pieces;
	unsigned n = 0, seed = 1;

	(void)state;
	/* Asserts inside; a depth's worth of pieces always out, failing in any order. */
	pieces_init(&pieces, 0, 512 * 1024, 512);
	pieces.limit = 64 * MIB;
	for (;;) {
		while (n < ENGINE_DEPTH_MAX && pieces_take(&pieces, &flying[n]))
			n++;
		if (!n)
			break;
		seed = seed * 1103515245 + 12345;
		unsigned i = seed / 65536 % n;

		if (!pieces_split(&pieces, &flying[i]))
			assert_int_equal(flying[i].length, 512);
		flying[i] = flying[--n];
	}
	assert_int_equal(pieces_lowest(&pieces), 64 * MIB);
}

static void pieces_have_levels_for_any_chunk(void **state)
{
	struct pieces pieces;

	(void)state;
	pieces_init(&pieces, 0, UINT32_MAX, 1);
	assert_int_equal(pieces.deepest, PIECES_LEVELS - 1);
	pieces_init(&pieces, 0, 512, 512);
	assert_int_equal(pieces.deepest, 0);
	pieces_init(&pieces, 0, 512 * 1024, 512);
	assert_int_equal(pieces.deepest, 3);
	assert_int_equal(pieces.size[1], 32 * 1024);
	assert_int_equal(pieces.size[2], 2048);
	assert_int_equal(pieces.size[3], 512);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size_is_written_to_the_last_byte_by_any_chunk_and_depth),
		cmocka_unit_test(a_range_in_the_middle_leaves_the_rest_alone),
		cmocka_unit_test(one_bad_sector_costs_few_requests_and_only_itself),
		cmocka_unit_test(neighbouring_bad_sectors_are_one_range_with_their_errno),
		cmocka_unit_test(
			two_thousand_scattered_bad_sectors_are_listed_exactly_with_few_requests),
		cmocka_unit_test(a_drive_that_fails_everywhere_ends_with_everything_marked),
		cmocka_unit_test(a_place_that_fails_once_is_written_by_smaller_pieces),
		cmocka_unit_test(unreadable_and_different_sectors_are_told_apart),
		cmocka_unit_test(reading_alone_looks_at_nothing_but_marks_what_is_unreadable),
		cmocka_unit_test(sectors_are_the_drives_also_in_a_range_that_starts_within_one),
		cmocka_unit_test(short_counts_lose_nothing),
		cmocka_unit_test(no_progress_for_ever_is_a_bad_place_of_a_drive_that_has_its_size),
		cmocka_unit_test(a_request_that_is_not_the_drives_fault_is_made_again),
		cmocka_unit_test(progress_starts_the_count_of_retries_anew),
		cmocka_unit_test(large_requests_that_never_get_through_are_made_smaller),
		cmocka_unit_test(pace_follows_the_rate_and_forgets_long_pauses),
		cmocka_unit_test(a_limited_rate_writes_everything),
		cmocka_unit_test(a_stop_is_seen_while_the_rate_limit_waits_with_nothing_in_flight),
		cmocka_unit_test(the_worst_order_of_failures_stays_within_the_list),
		cmocka_unit_test(pieces_have_levels_for_any_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

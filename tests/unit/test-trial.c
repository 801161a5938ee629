/* SPDX-License-Identifier: MIT */
/* Where a trial goes, what its figures mean, and that it touches nothing else. */
#include "job/trial.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIB	      (UINT64_C(1) << 20)

enum { IMAGE = 1 << 20, OLD = 0x5a };

/* ---- places ---- */

static void places_are_where_they_should_be(void **state)
{
	static const struct {
		uint64_t size;
		uint32_t align, sector;
		struct trial_range wanted[TRIAL_PLACES];
	} rows[] = {
		{ 1, 4096, 4096, { { 0, 1 } } },
		{ 2, 4096, 4096, { { 0, 2 } } },
		{ 3, 4096, 4096, { { 0, 1 }, { 1, 1 }, { 2, 1 } } },
		{ 511, 4096, 4096, { { 0, 170 }, { 170, 170 }, { 341, 170 } } },
		{ 512, 512, 512, { { 0, 512 } } },
		{ 512, 512, 4096, { { 0, 512 } } },
		{ 1024, 512, 512, { { 0, 1024 } } },
		{ 1536, 512, 4096, { { 0, 512 }, { 512, 512 }, { 1024, 512 } } },
		{ 4096, 4096, 4096, { { 0, 4096 } } },
		{ 5 * 4096 + 7, 4096, 4096, { { 0, 4096 }, { 8192, 4096 }, { 16384, 4096 } } },
		{ 768 * MIB,
		  512,
		  4096,
		  { { 0, 256 * MIB }, { 256 * MIB, 256 * MIB }, { 512 * MIB, 256 * MIB } } },
		{ UINT64_C(4000787030016),
		  512,
		  4096,
		  { { 0, 256 * MIB },
		    { UINT64_C(2000259297280), 256 * MIB },
		    { UINT64_C(4000518594560), 256 * MIB } } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trial_range got[TRIAL_PLACES];

		trial_ranges(rows[i].size, rows[i].align, rows[i].sector, got);
		for (unsigned k = 0; k < TRIAL_PLACES; k++) {
			if (got[k].offset != rows[i].wanted[k].offset ||
			    got[k].length != rows[i].wanted[k].length)
				fail_msg("row %zu place %u: %llu + %llu", i, k,
					 (unsigned long long)got[k].offset,
					 (unsigned long long)got[k].length);
		}
	}
}

/* Whatever the size: in order, apart, within, whole units, and something at the start. */
static void places_never_overlap_or_leave_the_drive(void **state)
{
	static const uint32_t units[][2] = { { 512, 512 }, { 512, 4096 }, { 4096, 4096 } };
	static const uint64_t far[] = { 0, 3 * 256 * MIB - 4096, UINT64_C(26) << 40,
					INT64_MAX - 20000 };

	(void)state;
	for (unsigned u = 0; u < ARRAY_SIZE(units); u++)
		for (unsigned f = 0; f < ARRAY_SIZE(far); f++)
			for (uint64_t n = 1; n < 20000; n++) {
				struct trial_range r[TRIAL_PLACES];
				uint64_t size = far[f] + n, end = 0;
				uint32_t unit = size >= units[u][0] ? units[u][0] : 1;

				trial_ranges(size, units[u][0], units[u][1], r);
				assert_true(r[TRIAL_START].offset == 0 && r[TRIAL_START].length);
				for (unsigned k = 0; k < TRIAL_PLACES; k++) {
					if (!r[k].length)
						continue;
					assert_true(r[k].offset >= end);
					assert_true(r[k].length <= TRIAL_BYTES);
					assert_int_equal(r[k].offset % unit, 0);
					assert_int_equal(r[k].length % unit, 0);
					end = r[k].offset + r[k].length;
				}
				assert_true(end <= size);
			}
}

/* ---- figures ---- */

static void a_pass_takes_a_third_at_each_rate(void **state)
{
	static const struct {
		struct trial_figure figures[TRIAL_PLACES];
		uint64_t size, limit, seconds;
	} rows[] = {
		{ { { 0 } }, 1000, 0, 0 },			   /* nothing measured */
		{ { { .bytes = 10 }, { .ns = 10 } }, 1000, 0, 0 }, /* nor here */
		{ { { .bytes = 100, .ns = NS_PER_S } }, 1000, 0, 10 },
		{ { { .bytes = 100, .ns = NS_PER_S }, { .bytes = 50, .ns = NS_PER_S } },
		  1000,
		  0,
		  15 },
		{ { { .bytes = 100, .ns = NS_PER_S },
		    { .bytes = 50, .ns = NS_PER_S },
		    { .bytes = 25, .ns = NS_PER_S } },
		  3000,
		  0,
		  70 },
		/* what is faster than the limit goes at the limit */
		{ { { .bytes = 100, .ns = NS_PER_S },
		    { .bytes = 50, .ns = NS_PER_S },
		    { .bytes = 25, .ns = NS_PER_S } },
		  3000,
		  50,
		  80 },
		{ { { .bytes = 1, .ns = UINT64_MAX } }, UINT64_MAX, 1, INT64_MAX / NS_PER_S },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal((trial_pass_ns(rows[i].figures, rows[i].size, rows[i].limit) +
				  NS_PER_S / 1000) /
					 NS_PER_S,
				 rows[i].seconds);
}

static void the_outlook_is_for_both_passes(void **state)
{
	static const struct {
		uint64_t read, write; /* bytes a second; 0: not measured */
		uint64_t seconds;
		bool one_core, cpu_limits;
	} rows[] = {
		/* one thread makes 40 bytes a second, all make 100 */
		{ 0, 0, 0, false, false },     { 0, 50, 0, false, false },
		{ 25, 0, 80, true, false },    { 50, 0, 40, false, false },
		{ 200, 0, 20, false, true },   { 50, 25, 60, true, false },
		{ 200, 25, 50, true, false },  { 200, 50, 30, false, false },
		{ 200, 200, 20, false, true }, { 50, 200, 30, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trial_result result = {
			.read[TRIAL_START] = { .bytes = rows[i].read, .ns = NS_PER_S },
			.write[TRIAL_START] = { .bytes = rows[i].write, .ns = NS_PER_S },
		};
		struct trial_outlook outlook = trial_outlook(&result, 1000, 40, 100);

		assert_int_equal(outlook.wipe_ns / NS_PER_S, rows[i].seconds);
		assert_int_equal(outlook.measured, rows[i].write > 0);
		assert_int_equal(outlook.one_core, rows[i].one_core);
		assert_int_equal(outlook.cpu_limits, rows[i].cpu_limits);
	}
}

static void a_drive_that_waited_was_not_the_limit(void **state)
{
	struct trial_result result = { 0 };

	(void)state;
	for (unsigned i = 0; i < TRIAL_PLACES; i++) {
		result.read[i] = (struct trial_figure){ .bytes = 90, .ns = NS_PER_S };
		result.write[i] = result.read[i];
	}
	/* It took less than all cores can make, and more than one. */
	assert_false(trial_outlook(&result, 1000, 40, 100).cpu_limits);
	result.write[TRIAL_START].pacer = PACED_BY_CPU;
	assert_false(trial_outlook(&result, 1000, 40, 100).cpu_limits);
	result.write[TRIAL_END].pacer = PACED_BY_CPU;
	assert_true(trial_outlook(&result, 1000, 40, 100).cpu_limits);
	/* One core would have been enough: something else kept it busy. */
	assert_false(trial_outlook(&result, 1000, 95, 100).cpu_limits);
}

static void the_worst_place_is_the_status(void **state)
{
	static const struct {
		struct trial_result result;
		enum exit_status wanted;
	} rows[] = {
		{ { .code = 0 }, STATUS_OK },
		{ { .code = ENOMEM, .stopped = true }, STATUS_SYSTEM },
		{ { .stopped = true }, STATUS_STOPPED },
		{ { .read[TRIAL_END].bad_bytes = 512 }, STATUS_IMPERFECT },
		{ { .write[TRIAL_START].code = EIO }, STATUS_IMPERFECT }, /* the flush */
		{ { .read[TRIAL_START].bad_bytes = 512, .read[TRIAL_MIDDLE].end = ENGINE_GONE },
		  STATUS_STOPPED },
		{ { .write[TRIAL_MIDDLE].end = ENGINE_DENIED }, STATUS_STOPPED },
		{ { .read[TRIAL_MIDDLE].end = ENGINE_FAILED, .write[0].end = ENGINE_GONE },
		  STATUS_SYSTEM },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(trial_status(&rows[i].result), rows[i].wanted);
}

/* ---- runs on an image file ---- */

struct image {
	char path[64];
	uint8_t before[IMAGE], after[IMAGE];
};

static int make_image(void **state)
{
	struct image *image = calloc(1, sizeof(*image));
	int fd;

	(void)snprintf(image->path, sizeof(image->path), "/tmp/stormwipe-trial.XXXXXX");
	fd = mkstemp(image->path);
	memset(image->before, OLD, IMAGE);
	if (fd < 0 || write(fd, image->before, IMAGE) != IMAGE || close(fd))
		return -1;
	*state = image;
	return 0;
}

static int drop_image(void **state)
{
	struct image *image = *state;

	(void)unlink(image->path);
	free(image);
	return 0;
}

static void run_trial(struct image *image, enum claim_mode mode, enum io_choice io,
		      const struct keystream_kind *keystream, bool stop, struct trial *trial)
{
	struct drive_facts facts;
	struct claim claim;
	FILE *file;

	assert_int_equal(scan_path(&system_roots_real, image->path, &facts), 0);
	assert_int_equal(claim_drive(&system_roots_real, &facts, mode, &claim), 0);
	*trial = (struct trial){
		.claim = &claim, .keystream = keystream, .io = io, .threads = 2, .stop = stop
	};
	trial_run(trial);
	trial->claim = NULL;
	claim_release(&claim);
	file = fopen(image->path, "r");
	assert_non_null(file);
	assert_int_equal(fread(image->after, 1, IMAGE, file), IMAGE);
	assert_int_equal(fclose(file), 0);
}

static void assert_whole(const struct trial_figure *figure, const struct trial_range *range)
{
	assert_true(figure->started);
	assert_int_equal(figure->end, ENGINE_DONE);
	assert_int_equal(figure->code, 0);
	assert_int_equal(figure->bytes, range->length);
	assert_int_equal(figure->bad_bytes, 0);
	assert_true(figure->ns > 0);
}

static void reading_reads_all_places_and_writes_nothing(void **state)
{
	struct image *image = *state;
	struct trial trial;

	for (enum io_choice io = IO_AUTO; io <= IO_SYNC; io += IO_SYNC) {
		run_trial(image, CLAIM_READ, io, NULL, false, &trial);
		assert_int_equal(trial.result.code, 0);
		assert_false(trial.result.wrote || trial.result.stopped);
		assert_non_null(trial.result.backend);
		for (unsigned i = 0; i < TRIAL_PLACES; i++) {
			assert_whole(&trial.result.read[i], &trial.result.ranges[i]);
			assert_false(trial.result.write[i].started);
		}
		assert_memory_equal(image->before, image->after, IMAGE);
	}
}

static void writing_writes_its_places_and_nothing_else(void **state)
{
	struct image *image = *state;
	struct trial trial;
	uint64_t changed = 0;

	run_trial(image, CLAIM_WIPE, IO_AUTO, keystream_choose(NULL), false, &trial);
	assert_int_equal(trial.result.code, 0);
	assert_true(trial.result.wrote);
	for (unsigned i = 0; i < TRIAL_PLACES; i++) {
		const struct trial_range *range = &trial.result.ranges[i];

		assert_whole(&trial.result.write[i], range);
		assert_whole(&trial.result.read[i], range);
		for (uint64_t at = range->offset; at < range->offset + range->length; at++) {
			changed += image->after[at] != OLD;
			image->after[at] = OLD;
		}
	}
	assert_true(changed > IMAGE - IMAGE / 50); /* random bytes: one of 256 is the old one */
	assert_memory_equal(image->before, image->after, IMAGE);
}

static void a_stop_before_the_start_touches_nothing(void **state)
{
	struct image *image = *state;
	struct trial trial;

	run_trial(image, CLAIM_WIPE, IO_AUTO, keystream_choose(NULL), true, &trial);
	assert_true(trial.result.stopped);
	assert_int_equal(trial.result.code, 0);
	assert_int_equal(trial.result.write[TRIAL_START].end, ENGINE_STOPPED);
	assert_int_equal(trial.result.write[TRIAL_START].bytes, 0);
	assert_false(trial.result.write[TRIAL_MIDDLE].started);
	assert_false(trial.result.read[TRIAL_START].started);
	assert_memory_equal(image->before, image->after, IMAGE);
}

static int no_keystream(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	(void)key, (void)ret_ks;
	return -ENOTSUP;
}

static void without_its_keystream_it_writes_nothing(void **state)
{
	static const struct keystream_kind broken = { CIPHER_AES, "AES", "broken", no_keystream };
	struct image *image = *state;
	struct trial trial;

	run_trial(image, CLAIM_WIPE, IO_AUTO, &broken, false, &trial);
	assert_int_equal(trial.result.code, ENOTSUP);
	assert_false(trial.result.wrote || trial.result.read[TRIAL_START].started);
	assert_memory_equal(image->before, image->after, IMAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_where_they_should_be),
		cmocka_unit_test(places_never_overlap_or_leave_the_drive),
		cmocka_unit_test(a_pass_takes_a_third_at_each_rate),
		cmocka_unit_test(the_outlook_is_for_both_passes),
		cmocka_unit_test(a_drive_that_waited_was_not_the_limit),
		cmocka_unit_test(the_worst_place_is_the_status),
		cmocka_unit_test_setup_teardown(reading_reads_all_places_and_writes_nothing,
						make_image, drop_image),
		cmocka_unit_test_setup_teardown(writing_writes_its_places_and_nothing_else,
						make_image, drop_image),
		cmocka_unit_test_setup_teardown(a_stop_before_the_start_touches_nothing, make_image,
						drop_image),
		cmocka_unit_test_setup_teardown(without_its_keystream_it_writes_nothing, make_image,
						drop_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

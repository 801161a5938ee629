/* SPDX-License-Identifier: MIT */
/* The engine when the n-th call fails, for n = 1, 2, 3 ... until a run gets through; and flushes.
 */
#include "rig.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { SIZE = 128 * 1024 };

static const struct rig_shape plain = {
	.size = SIZE, .chunk = 8 * 1024, .depth = 4, .sector = 512, .align = 512
};

/* Bad sectors on the way, so that the n-th call is also one of a retry. */
static void make_with_bad_sectors(struct rig *rig)
{
	rig_make(rig, plain);
	for (uint64_t i = 0; i < 3; i++)
		fake_fail(rig->fake, (i * 75 + 5) * 512, 512, FAKE_WRITES | FAKE_READS, EIO);
}

/* ---- the n-th answer ---- */

static void the_nth_answer_with_an_error_ends_or_does_not_end_the_run(void **state)
{
	static const struct {
		int error;
		enum engine_end end;
	} cases[] = {
		{ EIO, ENGINE_DONE },	   { EAGAIN, ENGINE_DONE },  { EINTR, ENGINE_DONE },
		{ ENOSPC, ENGINE_DONE },   { ENODEV, ENGINE_GONE },  { ENXIO, ENGINE_GONE },
		{ EROFS, ENGINE_DENIED },  { EPERM, ENGINE_DENIED }, { EINVAL, ENGINE_FAILED },
		{ ENOMEM, ENGINE_FAILED },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(cases) * 2; i++) {
		bool fired = true;

		for (unsigned n = 1; fired; n++) {
			struct rig rig;

			make_with_bad_sectors(&rig);
			rig.fake->plan.fail_at = n;
			rig.fake->plan.code = cases[i / 2].error;
			if (i % 2)
				rig_verify(&rig);
			else
				rig_write(&rig);
			fired = rig.fake->completions >= n;
			assert_int_equal(rig.result.end, fired ? cases[i / 2].end : ENGINE_DONE);
			if (rig.result.end != ENGINE_DONE)
				assert_int_equal(rig.result.code, cases[i / 2].error);
			else if (!(i % 2) && cases[i / 2].error != EIO)
				assert_in_range(rig.progress.bad_count, 3, 4);
			rig_done(&rig);
		}
	}
}

static void the_nth_submission_that_is_not_taken_loses_nothing(void **state)
{
	static const struct {
		int error;
		enum engine_end end;
	} cases[] = {
		{ EAGAIN, ENGINE_DONE },
		{ EBUSY, ENGINE_DONE },
		{ EIO, ENGINE_DONE },
		{ ENOMEM, ENGINE_FAILED },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		bool fired = true;

		for (unsigned n = 1; fired; n++) {
			struct rig rig;

			make_with_bad_sectors(&rig);
			rig.fake->plan.refuse_at = n;
			rig.fake->plan.code = cases[i].error;
			rig_write(&rig);
			fired = rig.fake->submits >= n;
			assert_int_equal(rig.result.end, fired ? cases[i].end : ENGINE_DONE);
			rig_done(&rig);
		}
	}
}

static void a_backend_that_fails_at_the_nth_reap_fails_the_run(void **state)
{
	bool fired = true;

	(void)state;
	for (unsigned n = 1; fired; n++) {
		struct rig rig;

		make_with_bad_sectors(&rig);
		rig.fake->plan.reap_at = n;
		rig.fake->plan.code = EBADF;
		rig_write(&rig);
		fired = rig.fake->reaps >= n;
		assert_int_equal(rig.result.end, fired ? ENGINE_FAILED : ENGINE_DONE);
		assert_int_equal(rig.result.code, fired ? EBADF : 0);
		rig_done(&rig);
	}
}

static void a_cipher_that_fails_at_the_nth_fill_writes_no_rubbish(void **state)
{
	(void)state;
	for (unsigned mode = 0; mode < 2; mode++) {
		bool fired = true;

		for (unsigned n = 1; fired; n++) {
			struct rig rig;

			make_with_bad_sectors(&rig);
			rig.ks.fail_at = n;
			if (mode)
				rig_verify(&rig);
			else
				rig_write(&rig);
			fired = rig.ks.fills >= n;
			assert_int_equal(rig.result.end, fired ? ENGINE_FAILED : ENGINE_DONE);
			assert_int_equal(rig.result.code, fired ? EIO : 0);
			rig_done(&rig);
		}
	}
}

/* ---- the drive changes ---- */

/* The @n-th time it is asked it is another drive. */
struct exchange {
	unsigned asked, n;
};

static int still_same(void *arg)
{
	struct exchange *exchange = arg;

	return ++exchange->asked == exchange->n ? -ESTALE : 0;
}

/* The size is what it was: only whoever knows the drive can tell. Without errors nobody asks. */
static void a_drive_that_was_exchanged_ends_the_run_at_the_next_error(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		struct exchange exchange = { .n = n };
		struct rig rig;

		make_with_bad_sectors(&rig);
		rig.params.still_same = still_same;
		rig.params.arg = &exchange;
		rig_write(&rig);
		assert_int_equal(rig.result.end, n ? ENGINE_GONE : ENGINE_DONE);
		assert_int_equal(rig.result.code, n ? ESTALE : 0);
		assert_true(exchange.asked >= (n ? n : 1));
		rig_done(&rig);
	}
}

static void a_drive_that_shrinks_or_vanishes_or_turns_read_only_ends_the_run(void **state)
{
	static const struct {
		struct fake_plan plan;
		enum engine_end end;
	} cases[] = {
		{ { .shrink_at = 1, .shrink_to = SIZE / 2 }, ENGINE_GONE },
		{ { .shrink_at = 1, .shrink_to = SIZE - 100 }, ENGINE_GONE },
		{ { .vanish_at = 1 }, ENGINE_GONE },
		{ { .readonly_at = 1 }, ENGINE_DENIED },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		bool ended = true;

		for (unsigned n = 0; ended; n++) {
			struct rig rig;

			make_with_bad_sectors(&rig);
			rig.fake->plan = cases[i].plan;
			rig.fake->plan.shrink_at += rig.fake->plan.shrink_at ? n : 0;
			rig.fake->plan.vanish_at += rig.fake->plan.vanish_at ? n : 0;
			rig.fake->plan.readonly_at += rig.fake->plan.readonly_at ? n : 0;
			rig_write(&rig);
			ended = rig.result.end != ENGINE_DONE;
			assert_true(!ended || rig.result.end == cases[i].end);
			/* All submissions are made before one gets through. */
			assert_true(ended || rig.fake->submits >= n);
			rig_done(&rig);
		}
	}
}

static void reading_past_the_new_end_is_a_drive_that_shrank(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	rig_write(&rig);
	rig.fake->size_now = SIZE - 4096 - 100;
	rig_verify(&rig);
	assert_int_equal(rig.result.end, ENGINE_GONE);
	assert_int_equal(rig.result.reached, SIZE - 4096 - 512);
	assert_int_equal(rig.wrong.count, 0);
	rig_done(&rig);
}

static void a_drive_without_a_size_is_gone_whatever_it_answers(void **state)
{
	static const int errors[] = { EIO, ENOSPC, ETIMEDOUT };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(errors); i++) {
		struct rig rig;

		rig_make(&rig, plain);
		rig.fake->plan.no_size = true;
		fake_fail(rig.fake, SIZE / 2, SIZE / 2, FAKE_WRITES, errors[i]);
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_GONE);
		assert_int_equal(rig.result.code, errors[i]);
		assert_int_equal(rig.result.reached, SIZE / 2);
		assert_int_equal(rig.bad.count, 0);
		rig_done(&rig);
	}
}

/* ---- stop ---- */

static void a_stop_at_the_nth_request_is_resumed_where_it_says(void **state)
{
	bool stopped = true;

	(void)state;
	for (unsigned n = 1; stopped; n++) {
		struct rig rig;
		uint64_t first;

		rig_make(&rig, plain);
		rig.fake->plan.stop_at = n;
		rig_write(&rig);
		stopped = rig.result.end == ENGINE_STOPPED;
		assert_true(stopped || rig.result.end == ENGINE_DONE);
		/* The n-th goes out, none after it; all of them are counted. */
		first = rig.result.reached;
		assert_int_equal(first, n < 16 ? n * plain.chunk : SIZE);
		rig.fake->stop = false;
		rig.params.start = first;
		rig.params.length = SIZE - first;
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		rig.params.start = 0;
		rig.params.length = SIZE;
		rig_verify(&rig);
		assert_int_equal(rig.progress.done, SIZE);
		rig_done(&rig);
	}
}

static void a_stop_before_the_start_touches_nothing(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	rig.fake->stop = true;
	rig.params.start = 4096;
	rig.params.length = 8192;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_STOPPED);
	assert_int_equal(rig.result.reached, 4096);
	assert_int_equal(rig.fake->submits, 0);
	rig_done(&rig);
}

static void a_time_that_is_up_is_a_stop(void **state)
{
	static const struct {
		uint64_t until;
		enum engine_end end;
		uint64_t reached;
	} rows[] = { { 1, ENGINE_STOPPED, 4096 }, { UINT64_MAX, ENGINE_DONE, 4096 + 8192 } };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig rig;

		rig_make(&rig, plain);
		rig.params.until = rows[i].until;
		rig.params.start = 4096;
		rig.params.length = 8192;
		rig_read(&rig);
		assert_int_equal(rig.result.end, rows[i].end);
		assert_int_equal(rig.result.code, 0);
		assert_int_equal(rig.result.reached, rows[i].reached);
		rig_done(&rig);
	}
}

static void a_piece_that_waits_to_be_redone_is_not_reached(void **state)
{
	struct rig rig;

	(void)state;
	rig_make(&rig, plain);
	/* The first chunk fails as the last of the first four; the stop comes with the fourth. */
	fake_fail(rig.fake, 0, 512, FAKE_WRITES, EIO);
	rig.fake->plan.stop_at = 4;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_STOPPED);
	assert_int_equal(rig.result.reached, 0);
	assert_int_equal(rig.progress.done, 3 * plain.chunk);
	rig_done(&rig);
}

/* ---- flushes ---- */

static void make_cached(struct rig *rig)
{
	struct rig_shape shape = plain;

	shape.align = 1;
	shape.size = SIZE + 123;
	rig_make(rig, shape);
	fake_set_cached(rig->fake);
	rig->params.flush_every = 25 * 1024; /* four chunks */
}

static void everything_counted_is_flushed_at_the_end(void **state)
{
	struct rig rig;

	(void)state;
	make_cached(&rig);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.flush_code, 0);
	assert_int_equal(rig.progress.bad, 0);
	assert_int_equal(rig.fake->flushes, 5);
	rig_done(&rig);
}

static void the_nth_flush_that_loses_everything_is_made_good(void **state)
{
	bool fired = true;

	(void)state;
	for (unsigned n = 1; fired; n++) {
		struct rig rig;

		make_cached(&rig);
		rig.fake->plan =
			(struct fake_plan){ .flush_at = n, .code = EIO, .flush_loses = true };
		rig_write(&rig);
		fired = rig.fake->flushes >= n;
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.result.flush_code, 0);
		assert_int_equal(rig.progress.bad, 0);
		rig_done(&rig);
	}
}

static void a_flush_that_works_after_some_tries_lets_the_loss_be_found(void **state)
{
	struct rig rig;

	(void)state;
	make_cached(&rig);
	rig.fake->plan = (struct fake_plan){ .flush_at = 2,
					     .flush_until = 1 + ENGINE_RETRIES_MAX,
					     .code = EIO,
					     .flush_loses = true };
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.flush_code, 0);
	assert_int_equal(rig.progress.bad, 0);
	rig_done(&rig);
}

static void sectors_that_do_not_survive_a_flush_are_found(void **state)
{
	struct rig rig;

	(void)state;
	make_cached(&rig);
	fake_fail_flush(rig.fake, 25 * 512, 512, EIO);
	fake_fail_flush(rig.fake, 256 * 512, 512, ENOSPC);
	fake_fail(rig.fake, 225 * 512, 512, FAKE_WRITES, EIO);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.flush_code, 0);
	assert_int_equal(rig.bad.count, 3);
	assert_int_equal(rig.bad.items[0].offset, 25 * 512);
	assert_int_equal(rig.bad.items[0].code, EIO);
	assert_int_equal(rig.bad.items[1].offset, 225 * 512);
	assert_int_equal(rig.bad.items[2].offset, 256 * 512);
	assert_int_equal(rig.bad.items[2].code, ENOSPC);
	assert_int_equal(rig.progress.bad_count, 3);
	assert_int_equal(rig.progress.bad, 2 * 512 + 123);
	rig_done(&rig);
}

static void flushing_that_never_works_again_is_told(void **state)
{
	struct rig rig;

	(void)state;
	make_cached(&rig);
	rig.fake->plan =
		(struct fake_plan){ .flush_at = 2, .code = ETIMEDOUT, .flush_until = UINT_MAX };
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.flush_code, ETIMEDOUT);
	assert_true(rig.fake->flushes <= 1 + 4 * (1 + ENGINE_RETRIES_MAX));
	rig_done(&rig);
}

static void a_flush_that_says_gone_or_denied_ends_with_the_window_uncounted(void **state)
{
	static const struct {
		int error;
		enum engine_end end;
	} cases[] = {
		{ ENODEV, ENGINE_GONE },
		{ EROFS, ENGINE_DENIED },
		{ EINVAL, ENGINE_FAILED },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig rig;

		make_cached(&rig);
		rig.fake->plan = (struct fake_plan){ .flush_at = 2,
						     .code = cases[i].error,
						     .flush_until = UINT_MAX,
						     .flush_loses = true };
		rig_write(&rig);
		assert_int_equal(rig.result.end, cases[i].end);
		assert_int_equal(rig.result.reached, 4 * plain.chunk);
		assert_int_equal(rig.progress.done, 4 * plain.chunk);
		rig_done(&rig);
	}
}

static void what_a_stop_cannot_flush_is_not_counted(void **state)
{
	for (unsigned loses = 0; loses < 2; loses++) {
		struct rig rig;

		(void)state;
		make_cached(&rig);
		rig.fake->plan.stop_at = 6;
		rig.fake->plan.flush_at = loses ? 2 : 0;
		rig.fake->plan.flush_loses = true;
		rig.fake->plan.code = EIO;
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_STOPPED);
		assert_int_equal(rig.result.reached, (loses ? 4 : 6) * plain.chunk);
		assert_int_equal(rig.progress.done, (loses ? 4 : 6) * plain.chunk);
		rig_done(&rig);
	}
}

static void the_nth_answer_that_fails_does_not_spoil_what_flushes_say(void **state)
{
	static const int errors[] = { EIO, EAGAIN, ENODEV, EROFS };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(errors); i++) {
		bool fired = true;

		for (unsigned n = 1; fired; n++) {
			struct rig rig;

			make_cached(&rig);
			fake_fail_flush(rig.fake, 175 * 512, 512, EIO);
			rig.fake->plan.fail_at = n;
			rig.fake->plan.code = errors[i];
			rig_write(&rig);
			fired = rig.fake->completions >= n;
			assert_true(fired || rig.result.end == ENGINE_DONE);
			rig_done(&rig);
		}
	}
}

/* ---- everything at once ---- */

static unsigned dice(unsigned *seed, unsigned sides)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed / 65536 % sides;
}

static void any_mixture_of_faults_ends_with_the_truth(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= 400; i++) {
		unsigned seed = i;
		struct rig rig;

		if (dice(&seed, 2))
			make_cached(&rig);
		else
			rig_make(&rig, plain);
		for (unsigned f = dice(&seed, 12); f > 0; f--) {
			static const int errors[] = { EIO, EAGAIN, EINTR, ENODATA, ENOSPC };
			static const enum fake_kind kinds[] = { FAKE_FAIL, FAKE_ZERO, FAKE_SHORT,
								FAKE_HALF };
			enum fake_kind kind = kinds[dice(&seed, 4)];

			fake_add(rig.fake,
				 (struct fake_fault){
					 .offset = dice(&seed, 256) * 512,
					 .length = 1 + dice(&seed, 4096),
					 .ops = 1 + dice(&seed, 3),
					 .kind = kind,
					 .value = kind == FAKE_FAIL ? errors[dice(&seed, 5)]
								    : 1 + (int)dice(&seed, 5000),
					 .times = dice(&seed, 30),
				 });
		}
		fake_add_flush(rig.fake, (struct fake_fault){ .offset = dice(&seed, 256) * 512,
							      .length = 1 + dice(&seed, 2048),
							      .value = EIO,
							      .times = dice(&seed, 3) });
		rig.fake->plan.stop_at = dice(&seed, 4) ? 0 : 1 + dice(&seed, 60);
		rig.fake->plan.flush_at = dice(&seed, 8);
		rig.fake->plan.flush_loses = true;
		rig.fake->plan.code = EIO;
		rig_write(&rig);
		assert_true(rig.result.end == ENGINE_DONE || rig.result.end == ENGINE_STOPPED);
		rig_verify(&rig);
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nth_answer_with_an_error_ends_or_does_not_end_the_run),
		cmocka_unit_test(the_nth_submission_that_is_not_taken_loses_nothing),
		cmocka_unit_test(a_backend_that_fails_at_the_nth_reap_fails_the_run),
		cmocka_unit_test(a_cipher_that_fails_at_the_nth_fill_writes_no_rubbish),
		cmocka_unit_test(a_drive_that_was_exchanged_ends_the_run_at_the_next_error),
		cmocka_unit_test(a_drive_that_shrinks_or_vanishes_or_turns_read_only_ends_the_run),
		cmocka_unit_test(reading_past_the_new_end_is_a_drive_that_shrank),
		cmocka_unit_test(a_drive_without_a_size_is_gone_whatever_it_answers),
		cmocka_unit_test(a_stop_at_the_nth_request_is_resumed_where_it_says),
		cmocka_unit_test(a_stop_before_the_start_touches_nothing),
		cmocka_unit_test(a_time_that_is_up_is_a_stop),
		cmocka_unit_test(a_piece_that_waits_to_be_redone_is_not_reached),
		cmocka_unit_test(everything_counted_is_flushed_at_the_end),
		cmocka_unit_test(the_nth_flush_that_loses_everything_is_made_good),
		cmocka_unit_test(a_flush_that_works_after_some_tries_lets_the_loss_be_found),
		cmocka_unit_test(sectors_that_do_not_survive_a_flush_are_found),
		cmocka_unit_test(flushing_that_never_works_again_is_told),
		cmocka_unit_test(a_flush_that_says_gone_or_denied_ends_with_the_window_uncounted),
		cmocka_unit_test(what_a_stop_cannot_flush_is_not_counted),
		cmocka_unit_test(the_nth_answer_that_fails_does_not_spoil_what_flushes_say),
		cmocka_unit_test(any_mixture_of_faults_ends_with_the_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

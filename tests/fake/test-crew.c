/* SPDX-License-Identifier: MIT */
/* Several threads on one drive: hired when it waits and only then, and the outcome is the same. */
#include "rig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/hunger.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct rig_shape shape = {
	.size = 8 << 20, .chunk = 8 * 1024, .depth = 8, .sector = 512, .align = 512
};

/* What helpers need, and what goes wrong with it. */
struct office {
	struct engine_help help;
	struct rig *rig;
	atomic_int spare;
	int backend_error, keystream_error;
	unsigned fail_at; /* a helper's n-th fill fails */
	atomic_uint asked;
};

static int open_port(void *arg, const struct io_buffers *buffers, struct backend **ret_backend)
{
	struct office *office = arg;

	if (office->backend_error)
		return -office->backend_error;
	*ret_backend = fake_port_new(office->rig->fake, buffers);
	return 0;
}

static int make_keystream(void *arg, struct keystream **ret_ks)
{
	struct office *office = arg;

	atomic_fetch_add(&office->asked, 1);
	if (office->keystream_error)
		return -office->keystream_error;
	*ret_ks = rig_keystream(office->fail_at);
	return 0;
}

/* A rig with a fast drive, that may hire up to @threads - 1, and waits until @wait_for work. */
static void open_office(struct office *office, struct rig *rig, unsigned threads, unsigned wait_for)
{
	rig_make(rig, shape);
	rig->fake->fast = true;
	rig->fake->wait_for = wait_for;
	rig->fake->patience_at = HUNGER_LOOKS * (wait_for ? wait_for : 1) + 1;
	*office = (struct office){ .rig = rig };
	office->help = (struct engine_help){ .threads_max = threads,
					     .open_backend = open_port,
					     .make_keystream = make_keystream,
					     .arg = office };
	rig->params.help = &office->help;
}

static void begin_again(struct rig *rig)
{
	rig->fake->busy = rig->fake->ports = 0;
	rig->fake->port.reaps = 0;
}

static void a_fast_drive_gets_help_and_every_byte(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	for (unsigned threads = 2; threads <= 4; threads++) {
		open_office(&office, &rig, threads, threads - 1);
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.progress.done, shape.size);
		assert_int_equal(rig.result.threads, threads);
		assert_int_equal(rig.fake->ports, threads - 1);
		begin_again(&rig);
		rig_verify(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.progress.done, shape.size);
		assert_int_equal(rig.result.threads, threads);
		rig_done(&rig);
	}
}

static void a_drive_with_a_full_queue_gets_none(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 4, 0);
	rig.fake->fast = false;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.threads, 1);
	rig_verify(&rig);
	assert_int_equal(rig.result.threads, 1);
	assert_int_equal(office.asked, 0);
	rig_done(&rig);
}

static void a_limited_rate_gets_none(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 4, 0);
	rig.params.rate_limit = UINT64_C(1) << 40;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.threads, 1);
	assert_int_equal(office.asked, 0);
	rig_done(&rig);
}

static void one_thread_is_one_thread(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 1, 0);
	rig_write(&rig);
	assert_int_equal(rig.result.threads, 1);
	assert_int_equal(office.asked, 0);
	rig_done(&rig);
}

static void helpers_take_spare_cores_and_give_them_back(void **state)
{
	static const struct {
		int spare;
		unsigned threads;
	} rows[] = { { 3, 3 }, { 2, 2 }, { 1, 1 }, { 0, 1 }, { -3, 1 } };
	struct office office;
	struct rig rig;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_office(&office, &rig, 8, rows[i].threads - 1);
		office.spare = rows[i].spare;
		office.help.spare_cores = &office.spare;
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.result.threads, rows[i].threads);
		assert_int_equal(office.spare, rows[i].spare);
		rig_done(&rig);
	}
}

static void a_thread_that_waits_for_its_drive_takes_no_core(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 8, 0);
	rig.fake->fast = false;
	rig.fake->watched = &office.spare;
	office.spare = 2;
	office.help.spare_cores = &office.spare;
	rig_write(&rig);
	assert_int_equal(rig.fake->watched_min, 2);
	assert_int_equal(office.spare, 2);
	rig_done(&rig);
}

static void a_helper_that_gets_no_ring_or_no_keystream_goes_home(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		open_office(&office, &rig, 3, 0);
		office.backend_error = i ? 0 : ENOMEM;
		office.keystream_error = i ? ENOTSUP : 0;
		rig_write(&rig);
		assert_int_equal(rig.result.end, ENGINE_DONE);
		assert_int_equal(rig.progress.done, shape.size);
		assert_int_equal(rig.result.threads, 1);
		/* They are not asked again and again. */
		assert_int_equal(office.asked, 2);
		rig_done(&rig);
	}
}

static void bad_sectors_are_marked_whoever_finds_them(void **state)
{
	enum { BAD = 200 };
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 4, 3);
	for (unsigned i = 0; i < BAD; i++)
		fake_fail(rig.fake, (uint64_t)i * (shape.size / BAD / 512) * 512, 512, FAKE_WRITES,
			  EIO);
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.threads, 4);
	assert_int_equal(rig.bad.count, BAD);
	for (unsigned i = 0; i < BAD; i++) {
		assert_int_equal(rig.bad.items[i].offset,
				 (uint64_t)i * (shape.size / BAD / 512) * 512);
		assert_int_equal(rig.bad.items[i].length, 512);
	}
	assert_int_equal(rig.progress.bad_count, BAD);
	rig_done(&rig);
}

static void a_different_byte_is_found_by_any_thread(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 3, 2);
	rig_write(&rig);
	for (uint64_t at = 0; at < shape.size; at += 1 << 20)
		rig.fake->disk[at] ^= 1;
	begin_again(&rig);
	rig_verify(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.wrong.count, shape.size >> 20);
	assert_int_equal(extent_map_bytes(&rig.wrong), 512 * (shape.size >> 20));
	rig_done(&rig);
}

static void what_ends_a_run_ends_it_for_all(void **state)
{
	enum { AT = 500, REAP = 60 }; /* everybody is at work by then, and half is left */
	static const struct {
		struct fake_plan plan;
		enum engine_end end;
		int code;
	} rows[] = {
		{ { .stop_at = AT }, ENGINE_STOPPED, 0 },
		{ { .vanish_at = AT }, ENGINE_GONE, ENODEV },
		{ { .readonly_at = AT }, ENGINE_DENIED, EROFS },
		{ { .reap_at = REAP, .code = EBADF }, ENGINE_FAILED, EBADF },
		{ { .refuse_at = AT, .code = EINVAL }, ENGINE_FAILED, EINVAL },
	};
	struct office office;
	struct rig rig;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_office(&office, &rig, 4, 3);
		rig.fake->plan = rows[i].plan;
		rig_write(&rig);
		assert_int_equal(rig.result.end, rows[i].end);
		assert_int_equal(rig.result.code, rows[i].code);
		assert_true(rig.progress.done < shape.size);
		rig_done(&rig);
	}
}

static void a_helper_whose_cipher_fails_ends_the_run(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 2, 1);
	office.fail_at = 3;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_FAILED);
	assert_int_equal(rig.result.code, EIO);
	rig_done(&rig);
}

static void buffered_writing_is_done_alone(void **state)
{
	struct office office;
	struct rig rig;

	(void)state;
	open_office(&office, &rig, 4, 0);
	rig.params.flush_every = 1 << 20;
	rig_write(&rig);
	assert_int_equal(rig.result.end, ENGINE_DONE);
	assert_int_equal(rig.result.threads, 1);
	assert_int_equal(office.asked, 0);
	rig_done(&rig);
}

static void hunger_is_an_empty_queue_nearly_always(void **state)
{
	static const struct {
		unsigned low, high; /* looks of each kind */
		bool hungry;
	} rows[] = {
		{ HUNGER_LOOKS, 0, true },
		{ HUNGER_HUNGRY, HUNGER_LOOKS - HUNGER_HUNGRY, true },
		{ HUNGER_HUNGRY - 1, HUNGER_LOOKS - HUNGER_HUNGRY + 1, false },
		{ 0, HUNGER_LOOKS, false },
	};
	struct hunger hunger = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool hungry = false;

		for (unsigned n = 0; n < rows[i].high; n++)
			hungry |= hunger_look(&hunger, 2);
		for (unsigned n = 0; n < rows[i].low; n++)
			hungry |= hunger_look(&hunger, n % 2);
		assert_int_equal(hungry, rows[i].hungry);
		assert_int_equal(hunger.looks, 0);
	}
}

static void the_pace_is_set_by_who_is_waited_for(void **state)
{
	static const struct {
		uint64_t looks, low;
		bool limited;
		enum engine_pacer pacer;
		const char *word;
	} rows[] = {
		{ 0, 0, false, PACED_UNKNOWN, NULL },
		{ HUNGER_LOOKS - 1, HUNGER_LOOKS - 1, false, PACED_UNKNOWN, NULL },
		{ 100, 0, false, PACED_BY_DRIVE, "drive" },
		{ 100, 50, false, PACED_BY_DRIVE, "drive" },
		{ 100, 51, false, PACED_BY_CPU, "cpu" },
		{ 100, 51, true, PACED_BY_LIMIT, "rate_limit" },
		{ 100, 50, true, PACED_BY_DRIVE, "drive" },
	};
	struct office office;
	struct rig rig;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum engine_pacer pacer = engine_pacer(rows[i].looks, rows[i].low, rows[i].limited);

		assert_int_equal(pacer, rows[i].pacer);
		if (rows[i].word)
			assert_string_equal(engine_pacer_word(pacer), rows[i].word);
		else
			assert_null(engine_pacer_word(pacer));
	}
	for (unsigned fast = 0; fast < 2; fast++) {
		open_office(&office, &rig, 1, 0);
		rig.fake->fast = fast;
		rig_write(&rig);
		assert_int_equal(engine_pacer(rig.progress.looks, rig.progress.low, false),
				 fast ? PACED_BY_CPU : PACED_BY_DRIVE);
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fast_drive_gets_help_and_every_byte),
		cmocka_unit_test(a_drive_with_a_full_queue_gets_none),
		cmocka_unit_test(a_limited_rate_gets_none),
		cmocka_unit_test(one_thread_is_one_thread),
		cmocka_unit_test(helpers_take_spare_cores_and_give_them_back),
		cmocka_unit_test(a_thread_that_waits_for_its_drive_takes_no_core),
		cmocka_unit_test(a_helper_that_gets_no_ring_or_no_keystream_goes_home),
		cmocka_unit_test(bad_sectors_are_marked_whoever_finds_them),
		cmocka_unit_test(a_different_byte_is_found_by_any_thread),
		cmocka_unit_test(what_ends_a_run_ends_it_for_all),
		cmocka_unit_test(a_helper_whose_cipher_fails_ends_the_run),
		cmocka_unit_test(buffered_writing_is_done_alone),
		cmocka_unit_test(the_pace_is_set_by_who_is_waited_for),
		cmocka_unit_test(hunger_is_an_empty_queue_nearly_always),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

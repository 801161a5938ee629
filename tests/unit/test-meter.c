/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "ui/meter.h"

#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)

/* A plan of a write and a verify pass over @bytes; @pass of them has @done good bytes after @ns. */
static struct job_snapshot moment(uint64_t bytes, unsigned pass, uint64_t done, uint64_t job_ns,
				  uint64_t pass_ns)
{
	return (struct job_snapshot){
		.name = "sdb",
		.phase = pass ? JOB_VERIFYING : JOB_WRITING,
		.pass = pass,
		.pass_done = done,
		.pass_bytes = bytes,
		.work_done = pass * bytes + done,
		.work_bytes = 2 * bytes,
		.pass_ns = pass_ns,
		.job_ns = job_ns,
		.passes_left = !pass,
	};
}

static void nothing_done_yet_is_zero_and_no_estimate(void **state)
{
	struct job_snapshot s = moment(TIB, 0, 0, 0, 0);
	struct meter meter;
	struct meter_reading r;

	(void)state;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.rate, 0);
	assert_int_equal(r.mean_rate, 0);
	assert_int_equal(r.pass_percent, 0);
	assert_int_equal(r.percent, 0);
	assert_false(r.eta_known);
}

static void the_estimate_is_for_all_passes(void **state)
{
	struct meter meter;
	struct meter_reading r;

	(void)state;
	meter_init(&meter);
	for (uint64_t s = 0; s <= 10; s++) {
		struct job_snapshot now =
			moment(1000 * MIB, 0, s * 10 * MIB, s * NS_PER_S, s * NS_PER_S);

		meter_read(&meter, &now, &r);
	}
	assert_int_equal(r.rate, 10 * MIB);
	assert_int_equal(r.mean_rate, 10 * MIB);
	assert_int_equal(r.pass_percent, 10);
	assert_int_equal(r.percent, 5);
	assert_true(r.eta_known);
	assert_int_equal(r.eta_s, 190);
}

static void the_present_rate_follows_the_window_and_the_mean_does_not(void **state)
{
	struct meter meter;
	struct meter_reading r;
	uint64_t done = 0;

	(void)state;
	meter_init(&meter);
	for (uint64_t tick = 0; tick <= 100; tick++) {
		uint64_t ns = tick * 200 * NS_PER_MS;
		struct job_snapshot now = moment(TIB, 0, done, ns, ns);

		meter_read(&meter, &now, &r);
		done += tick < 50 ? 20 * MIB : 2 * MIB;
	}
	assert_int_equal(r.rate, 10 * MIB);
	assert_int_equal(r.mean_rate, 55 * MIB);
}

static void a_pass_that_just_began_takes_the_pace_of_the_one_before(void **state)
{
	struct meter meter;
	struct meter_reading r;
	struct job_snapshot s = moment(1000 * MIB, 0, 1000 * MIB, 100 * NS_PER_S, 100 * NS_PER_S);

	(void)state;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.eta_s, 100);
	s = moment(1000 * MIB, 1, 0, 100 * NS_PER_S, 0);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.rate, 0);
	assert_int_equal(r.mean_rate, 0);
	assert_int_equal(r.pass_percent, 0);
	assert_true(r.eta_known);
	assert_int_equal(r.eta_s, 100);
	s = moment(1000 * MIB, 1, 800 * MIB, 110 * NS_PER_S, 10 * NS_PER_S);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.mean_rate, 80 * MIB);
	assert_int_equal(r.eta_s, 3);
}

static void nothing_goes_backwards_within_a_pass(void **state)
{
	struct meter meter;
	struct meter_reading r;
	struct job_snapshot s = moment(100, 0, 60, NS_PER_S, NS_PER_S);

	(void)state;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.pass_percent, 60);
	s = moment(100, 0, 40, 2 * NS_PER_S, 2 * NS_PER_S);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.pass_done, 60);
	assert_int_equal(r.pass_percent, 60);
	assert_int_equal(r.percent, 30);
	assert_int_equal(r.rate, 30);
	s = moment(100, 1, 10, 3 * NS_PER_S, NS_PER_S);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.pass_percent, 10);
	assert_int_equal(r.percent, 55);
}

static void never_more_than_all_of_it(void **state)
{
	struct meter meter;
	struct meter_reading r;
	struct job_snapshot s = moment(100, 1, 250, NS_PER_S, NS_PER_S);

	(void)state;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.pass_done, 100);
	assert_int_equal(r.pass_percent, 100);
	assert_int_equal(r.percent, 99);
}

static void a_hundred_only_when_finished_and_every_byte_good(void **state)
{
	static const struct {
		enum job_phase phase;
		uint64_t done, bad, bad_count;
		unsigned pass_percent, percent;
	} cases[] = {
		{ JOB_FINISHED, 1000, 0, 0, 100, 100 }, { JOB_VERIFYING, 1000, 0, 0, 100, 99 },
		{ JOB_FINISHED, 999, 1, 1, 99, 99 },	{ JOB_FINISHED, 1000, 1, 0, 100, 99 },
		{ JOB_FINISHED, 1000, 0, 1, 100, 99 },	{ JOB_FINISHED, 310, 0, 0, 31, 65 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct job_snapshot s = moment(1000, 1, cases[i].done, NS_PER_S, NS_PER_S);
		struct meter meter;
		struct meter_reading r;

		s.phase = cases[i].phase;
		s.work_bad = cases[i].bad;
		s.bad_count = cases[i].bad_count;
		meter_init(&meter);
		meter_read(&meter, &s, &r);
		assert_int_equal(r.pass_percent, cases[i].pass_percent);
		assert_int_equal(r.percent, cases[i].percent);
	}
}

static void given_up_bytes_are_no_work_left(void **state)
{
	struct job_snapshot s = moment(1000, 1, 500, 10 * NS_PER_S, 10 * NS_PER_S);
	struct meter meter;
	struct meter_reading r;

	(void)state;
	s.pass_bad = 400;
	s.work_bad = 400;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.mean_rate, 50);
	assert_true(r.eta_known);
	assert_int_equal(r.eta_s, 2);
}

static void finished_leaves_nothing_to_wait_for(void **state)
{
	struct job_snapshot s = moment(4096, 1, 4096, 0, 0);
	struct meter meter;
	struct meter_reading r;

	(void)state;
	s.phase = JOB_FINISHED;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.percent, 100);
	assert_int_equal(r.rate, 0);
	assert_true(r.eta_known);
	assert_int_equal(r.eta_s, 0);
}

static void extreme_numbers_stay_in_range(void **state)
{
	static const struct job_snapshot cases[] = {
		{ .name = "x" },
		{ .name = "x", .pass_done = 1, .work_done = 1, .job_ns = 1, .pass_ns = 1 },
		{ .name = "x",
		  .phase = JOB_WRITING,
		  .pass_done = UINT64_MAX / 2,
		  .pass_bytes = UINT64_MAX / 2,
		  .work_done = UINT64_MAX / 2,
		  .work_bytes = UINT64_MAX - 1,
		  .job_ns = 1,
		  .pass_ns = 1 },
		{ .name = "x",
		  .phase = JOB_WRITING,
		  .pass_done = UINT64_MAX / 2 - 1,
		  .pass_bytes = UINT64_MAX / 2,
		  .pass_bad = UINT64_MAX,
		  .work_done = 1,
		  .work_bad = UINT64_MAX,
		  .work_bytes = UINT64_MAX,
		  .job_ns = UINT64_MAX,
		  .pass_ns = UINT64_MAX },
		{ .name = "x",
		  .phase = JOB_WRITING,
		  .pass_done = 1,
		  .pass_bytes = UINT64_MAX / 2,
		  .work_done = 1,
		  .work_bytes = UINT64_MAX - 1,
		  .job_ns = 5,
		  .pass_ns = NS_PER_S * 9999 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct meter meter;
		struct meter_reading r;

		meter_init(&meter);
		meter_read(&meter, &cases[i], &r);
		meter_read(&meter, &cases[i], &r);
		assert_true(r.rate <= INT64_MAX && r.mean_rate <= INT64_MAX &&
			    r.eta_s <= INT64_MAX);
		assert_true(r.pass_percent <= 100 && r.percent <= 99);
		assert_true(r.pass_done <= cases[i].pass_bytes);
	}
}

static void percentages_of_huge_drives_are_exact(void **state)
{
	struct job_snapshot s =
		moment(INT64_MAX / 2, 0, INT64_MAX / 2 / 100 * 42, NS_PER_S, NS_PER_S);
	struct meter meter;
	struct meter_reading r;

	(void)state;
	meter_init(&meter);
	meter_read(&meter, &s, &r);
	assert_int_equal(r.pass_percent, 42);
	assert_int_equal(r.percent, 21);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_done_yet_is_zero_and_no_estimate),
		cmocka_unit_test(the_estimate_is_for_all_passes),
		cmocka_unit_test(the_present_rate_follows_the_window_and_the_mean_does_not),
		cmocka_unit_test(a_pass_that_just_began_takes_the_pace_of_the_one_before),
		cmocka_unit_test(nothing_goes_backwards_within_a_pass),
		cmocka_unit_test(never_more_than_all_of_it),
		cmocka_unit_test(a_hundred_only_when_finished_and_every_byte_good),
		cmocka_unit_test(given_up_bytes_are_no_work_left),
		cmocka_unit_test(finished_leaves_nothing_to_wait_for),
		cmocka_unit_test(extreme_numbers_stay_in_range),
		cmocka_unit_test(percentages_of_huge_drives_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

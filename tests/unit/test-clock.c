/* SPDX-License-Identifier: MIT */
/* Times as text: every zone with its offset, and no zone at all. */
#include "base/clock.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* 2026-11-30 21:45:00 and 2026-07-01 12:00:00 UTC */
enum { WINTER = 1796075100, SUMMER = 1782907200 };

/* Rules in POSIX notation, so that the test needs no zone files; west of Greenwich is positive. */
static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3";
static const char st_johns[] = "NST3:30NDT,M3.2.0,M11.1.0";

static void check_local(const char *zone, time_t when, const char *text)
{
	char buf[CLOCK_TEXT_MAX];

	if (zone)
		assert_int_equal(setenv("TZ", zone, 1), 0);
	else
		assert_int_equal(unsetenv("TZ"), 0);
	tzset();
	assert_ptr_equal(clock_local(buf, when), buf);
	assert_string_equal(buf, text);
}

static void local_time_carries_its_offset(void **state)
{
	(void)state;
	check_local("UTC0", WINTER, "2026-11-30T21:45:00+00:00");
	check_local(berlin, WINTER, "2026-11-30T22:45:00+01:00");
	check_local(berlin, SUMMER, "2026-07-01T14:00:00+02:00");
	check_local(st_johns, WINTER, "2026-11-30T18:15:00-03:30");
	check_local(st_johns, SUMMER, "2026-07-01T09:30:00-02:30");
	check_local("<+0545>-5:45", WINTER, "2026-12-01T03:30:00+05:45");
	check_local("<-0030>0:30", WINTER, "2026-11-30T21:15:00-00:30");
	check_local("<+14>-14", WINTER, "2026-12-01T11:45:00+14:00");
	check_local("<-12>12", WINTER, "2026-11-30T09:45:00-12:00");
}

/* The hour that comes twice: same wall clock, different offset. */
static void the_repeated_hour_of_autumn_is_told_apart(void **state)
{
	const time_t before = 1792888200; /* 2026-10-25 00:30:00 UTC */

	(void)state;
	check_local(berlin, before, "2026-10-25T02:30:00+02:00");
	check_local(berlin, before + 3600, "2026-10-25T02:30:00+01:00");
}

static void an_offset_with_seconds_still_names_the_same_moment(void **state)
{
	(void)state;
	/* Berlin's own time before 1893, as its zone file has it: 53 min 28 s east. */
	check_local("LMT-0:53:28", WINTER, "2026-11-30T22:38:00+00:53");
	check_local("XXX0:53:28", WINTER, "2026-11-30T20:52:00-00:53");
}

static void without_a_usable_zone_it_is_utc(void **state)
{
	(void)state;
	check_local("", WINTER, "2026-11-30T21:45:00+00:00");
	check_local(":/nosuch/zone", WINTER, "2026-11-30T21:45:00+00:00");
	check_local("Nowhere/At All", WINTER, "2026-11-30T21:45:00+00:00");
	check_local("!\xff\n", WINTER, "2026-11-30T21:45:00+00:00");
}

static void zone_files_are_used_where_there_are_any(void **state)
{
	static const struct {
		const char *zone, *text;
	} rows[] = {
		{ "America/St_Johns", "2026-11-30T18:15:00-03:30" },
		{ "Asia/Kathmandu", "2026-12-01T03:30:00+05:45" },
	};
	bool found = false;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tm tm;
		time_t when = WINTER;

		assert_int_equal(setenv("TZ", rows[i].zone, 1), 0);
		tzset();
		/* glibc takes a name without a file for UTC. */
		if (!localtime_r(&when, &tm)->tm_gmtoff)
			continue;
		found = true;
		check_local(rows[i].zone, when, rows[i].text);
	}
	if (!found) {
		print_message("# skipped: no zone files here\n");
		skip();
	}
}

static void utc_does_not_depend_on_the_zone(void **state)
{
	static const char *const zones[] = { "UTC0", berlin, st_johns, "" };
	char buf[CLOCK_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		assert_int_equal(setenv("TZ", zones[i], 1), 0);
		tzset();
		assert_string_equal(clock_utc(buf, WINTER), "2026-11-30T21:45:00Z");
		assert_string_equal(clock_compact(buf, WINTER), "20261130T214500Z");
		assert_string_equal(clock_utc(buf, 0), "1970-01-01T00:00:00Z");
		assert_string_equal(clock_compact(buf, -1), "19691231T235959Z");
		/* behind the last second of 32 bits */
		assert_string_equal(clock_utc(buf, (time_t)INT32_MAX + 1), "2038-01-19T03:14:08Z");
	}
}

static void a_date_that_cannot_be_written_is_unknown(void **state)
{
	const time_t extremes[] = { (time_t)INT64_MAX, (time_t)INT64_MIN };
	char buf[CLOCK_TEXT_MAX];

	(void)state;
	if (sizeof(time_t) < sizeof(int64_t))
		skip();
	for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++) {
		assert_string_equal(clock_utc(buf, extremes[i]), "unknown");
		assert_string_equal(clock_compact(buf, extremes[i]), "unknown");
		assert_string_equal(clock_local(buf, extremes[i]), "unknown");
	}
	/* The longest that can be written. */
	check_local("<+2359>-23:59", (time_t)67767976233446399, "2147483647-12-31T23:58:59+23:59");
}

static void a_calendar_before_this_version_is_not_plausible(void **state)
{
	(void)state;
	assert_true(clock_plausible(RELEASE_TIME));
	assert_true(clock_plausible((time_t)RELEASE_TIME + 1));
	assert_false(clock_plausible(RELEASE_TIME - 1));
	assert_false(clock_plausible(0));
	assert_false(clock_plausible(-1));
}

static void monotonic_time_never_goes_back(void **state)
{
	uint64_t last = clock_monotonic_ns();

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t now = clock_monotonic_ns();

		assert_true(now >= last);
		last = now;
	}
}

static void monotonic_time_is_the_kernels_in_nanoseconds(void **state)
{
	struct timespec before, after;
	uint64_t between;

	(void)state;
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &before), 0);
	between = clock_monotonic_ns();
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &after), 0);
	assert_true(between >= (uint64_t)before.tv_sec * NS_PER_S + (uint64_t)before.tv_nsec);
	assert_true(between <= (uint64_t)after.tv_sec * NS_PER_S + (uint64_t)after.tv_nsec);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_time_carries_its_offset),
		cmocka_unit_test(the_repeated_hour_of_autumn_is_told_apart),
		cmocka_unit_test(an_offset_with_seconds_still_names_the_same_moment),
		cmocka_unit_test(without_a_usable_zone_it_is_utc),
		cmocka_unit_test(zone_files_are_used_where_there_are_any),
		cmocka_unit_test(utc_does_not_depend_on_the_zone),
		cmocka_unit_test(a_date_that_cannot_be_written_is_unknown),
		cmocka_unit_test(a_calendar_before_this_version_is_not_plausible),
		cmocka_unit_test(monotonic_time_never_goes_back),
		cmocka_unit_test(monotonic_time_is_the_kernels_in_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What people read: exact digits, also where rounding carries into the next unit. */
#include "base/fmt.h"

#include "base/clock.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)
#define TIB (KIB * GIB)

struct row {
	uint64_t number;
	const char *text;
};

static void check(char *(*fmt)(char *, uint64_t), const struct row *rows, size_t count)
{
	char buf[FMT_MAX];

	for (size_t i = 0; i < count; i++) {
		memset(buf, '#', sizeof(buf));
		assert_ptr_equal(fmt(buf, rows[i].number), buf);
		assert_string_equal(buf, rows[i].text);
	}
}

#define CHECK(fmt, rows) check(fmt, rows, sizeof(rows) / sizeof((rows)[0]))

static void bytes_have_three_digits(void **state)
{
	static const struct row rows[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 512, "512 B" },
		{ 1023, "1023 B" },
		{ KIB, "1.00 KiB" },
		{ KIB + 5, "1.00 KiB" }, /* 1.0049 */
		{ KIB + 6, "1.01 KiB" }, /* 1.0059 */
		{ 1536, "1.50 KiB" },
		{ 178 * MIB, "178 MiB" },
		{ 524288000, "500 MiB" },
		{ 240057409536, "224 GiB" },
		{ 4000787030016, "3.64 TiB" },
		{ 1352914698240, "1.23 TiB" },
		{ TIB * KIB, "1.00 PiB" },
		{ GIB * GIB, "1.00 EiB" },
		{ UINT64_MAX, "16.0 EiB" },
	};

	(void)state;
	CHECK(fmt_bytes, rows);
}

static void rounding_carries_into_the_next_digit_or_unit(void **state)
{
	static const struct row rows[] = {
		{ 10229, "9.99 KiB" },	/* 9.9893 */
		{ 10234, "9.99 KiB" },	/* 9.9941 */
		{ 10235, "10.0 KiB" },	/* 9.9951 */
		{ 102348, "99.9 KiB" }, /* 99.9492 */
		{ 102349, "100 KiB" },	/* 99.9502 */
		{ 999 * KIB + 511, "999 KiB" },
		{ 999 * KIB + 512, "1000 KiB" },
		{ 1023 * KIB + 511, "1023 KiB" },
		{ 1023 * KIB + 512, "1.00 MiB" },
		{ 1048474, "1.00 MiB" }, /* 1023.9 KiB */
		{ MIB - 1, "1.00 MiB" },
		{ MIB, "1.00 MiB" },
		{ GIB - 1, "1.00 GiB" },
		{ GIB * GIB - 1, "1.00 EiB" },
	};

	(void)state;
	CHECK(fmt_bytes, rows);
}

static void tight_bytes_have_no_space_and_fit_seven_columns(void **state)
{
	static const struct row rows[] = {
		{ 0, "0B" },
		{ 1023 * KIB, "1023KiB" },
		{ 178 * MIB, "178MiB" },
		{ 1352914698240, "1.23TiB" },
		{ UINT64_MAX, "16.0EiB" },
	};
	char buf[FMT_MAX];

	(void)state;
	CHECK(fmt_bytes_tight, rows);
	for (unsigned bit = 0; bit < 64; bit++)
		for (uint64_t around = 0; around < 3; around++)
			assert_true(strlen(fmt_bytes_tight(buf, (UINT64_C(1) << bit) - 1 +
									around)) <= 7);
}

static void si_bytes_are_as_printed_on_drives(void **state)
{
	static const struct row rows[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 999, "999 B" },
		{ 1000, "1.0 kB" },
		{ 9949, "9.9 kB" },
		{ 9950, "10 kB" },
		{ 524288000, "524 MB" },
		{ 240057409536, "240 GB" },
		{ 64000000000, "64 GB" },
		{ 1000204886016, "1.0 TB" },
		{ 4000787030016, "4.0 TB" },
		{ 999499999999, "999 GB" },
		{ 999500000000, "1.0 TB" },
		{ UINT64_MAX, "18 EB" },
	};

	(void)state;
	CHECK(fmt_bytes_si, rows);
}

static void groups_are_three_digits(void **state)
{
	static const struct row rows[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 999999, "999,999" },
		{ 1000000, "1,000,000" },
		{ 4000787030016, "4,000,787,030,016" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};

	(void)state;
	CHECK(fmt_grouped, rows);
}

static void a_rate_is_bytes_over_time(void **state)
{
	static const struct {
		uint64_t bytes, ns;
		const char *text;
	} rows[] = {
		{ 1, 0, "-" },
		{ 0, 0, "-" },
		{ 0, 1, "0 B/s" },
		{ 178 * MIB, NS_PER_S, "178 MiB/s" },
		{ 89 * MIB, NS_PER_S / 2, "178 MiB/s" },
		{ 1, 2 * NS_PER_S, "1 B/s" }, /* a half is rounded up */
		{ 1, 3 * NS_PER_S, "0 B/s" },
		{ 4000787030016, 47280 * NS_PER_S, "80.7 MiB/s" },
		{ 1, 1, "954 MiB/s" }, /* 10^9 bytes a second */
		{ 18, 1, "16.8 GiB/s" },
		{ UINT64_MAX, 1, "16.0 EiB/s" }, /* more than 64 bits hold */
		{ UINT64_MAX, NS_PER_S, "16.0 EiB/s" },
		{ UINT64_MAX, UINT64_MAX, "954 MiB/s" },
		{ 0, UINT64_MAX, "0 B/s" },
		{ UINT64_MAX / 2, UINT64_MAX, "477 MiB/s" },
	};
	char buf[FMT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(fmt_rate(buf, rows[i].bytes, rows[i].ns), rows[i].text);
}

static void a_clock_time_has_as_many_hours_as_it_needs(void **state)
{
	static const struct row rows[] = {
		{ 0, "0:00:00" },
		{ 7, "0:00:07" },
		{ 59, "0:00:59" },
		{ 60, "0:01:00" },
		{ 3599, "0:59:59" },
		{ 3600, "1:00:00" },
		{ 47280, "13:08:00" },
		{ 442800, "123:00:00" },
		{ UINT64_MAX, "5124095576030431:00:15" },
	};

	(void)state;
	CHECK(fmt_hms, rows);
}

static void a_duration_is_rounded_to_what_is_shown(void **state)
{
	static const struct row rows[] = {
		{ 0, "0.0 s" },
		{ 49999999, "0.0 s" },
		{ 50000000, "0.1 s" },
		{ 400 * NS_PER_MS, "0.4 s" },
		{ 7300 * NS_PER_MS, "7.3 s" },
		{ 9949 * NS_PER_MS, "9.9 s" },
		{ 9950 * NS_PER_MS, "10 s" },
		{ 42 * NS_PER_S, "42 s" },
		{ 59499 * NS_PER_MS, "59 s" },
		{ 59500 * NS_PER_MS, "1 min 00 s" },
		{ 185 * NS_PER_S, "3 min 05 s" },
		{ 3599499 * NS_PER_MS, "59 min 59 s" },
		{ 3599500 * NS_PER_MS, "1 h 00 min" },
		{ 3600 * NS_PER_S, "1 h 00 min" },
		{ 47280 * NS_PER_S, "13 h 08 min" },
		{ 47309 * NS_PER_S, "13 h 08 min" },
		{ 47310 * NS_PER_S, "13 h 09 min" },
		{ UINT64_MAX, "5124095 h 35 min" },
	};

	(void)state;
	CHECK(fmt_duration, rows);
}

static void no_locale_changes_a_digit(void **state)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "ar_EG.UTF-8",
					       "fa_IR.UTF-8", "hi_IN.UTF-8" };
	char buf[FMT_MAX];
	unsigned found = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++) {
		if (!setlocale(LC_ALL, locales[i]))
			continue;
		found++;
		assert_string_equal(fmt_bytes(buf, 4000787030016), "3.64 TiB");
		assert_string_equal(fmt_bytes_si(buf, 4000787030016), "4.0 TB");
		assert_string_equal(fmt_grouped(buf, 4000787030016), "4,000,787,030,016");
		assert_string_equal(fmt_duration(buf, 7300 * NS_PER_MS), "7.3 s");
	}
	setlocale(LC_ALL, "C");
	if (!found) {
		print_message("# skipped: none of these locales is installed\n");
		skip();
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_three_digits),
		cmocka_unit_test(rounding_carries_into_the_next_digit_or_unit),
		cmocka_unit_test(tight_bytes_have_no_space_and_fit_seven_columns),
		cmocka_unit_test(si_bytes_are_as_printed_on_drives),
		cmocka_unit_test(groups_are_three_digits),
		cmocka_unit_test(a_rate_is_bytes_over_time),
		cmocka_unit_test(a_clock_time_has_as_many_hours_as_it_needs),
		cmocka_unit_test(a_duration_is_rounded_to_what_is_shown),
		cmocka_unit_test(no_locale_changes_a_digit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

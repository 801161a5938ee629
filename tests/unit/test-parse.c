/* SPDX-License-Identifier: MIT */
/* Numbers and sizes as people and the kernel write them. */
#include "base/parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What an output holds that was not written. */
#define UNTOUCHED UINT64_C(0x5ca1ab1e)

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)

struct row {
	const char *text;
	uint64_t number;
	int result;
};

static void check(int (*parse)(const char *, uint64_t *), const struct row *row)
{
	uint64_t number = UNTOUCHED, wanted = row->result ? UNTOUCHED : row->number;
	int r = parse(row->text, &number);

	if (r != row->result || number != wanted)
		fail_msg("\"%s\": returned %d and %llu", row->text ? row->text : "(null)", r,
			 (unsigned long long)number);
}

static void a_number_is_digits_and_nothing_else(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 },
		{ "7", 7, 0 },
		{ "0009", 9, 0 },
		{ "18446744073709551615", UINT64_MAX, 0 },
		{ "018446744073709551615", UINT64_MAX, 0 },
		{ "18446744073709551616", 0, -ERANGE },
		{ "18446744073709551620", 0, -ERANGE },
		{ "99999999999999999999999999", 0, -ERANGE },
		{ NULL, 0, -EINVAL },
		{ "", 0, -EINVAL },
		{ " 1", 0, -EINVAL },
		{ "1 ", 0, -EINVAL },
		{ "1\n", 0, -EINVAL },
		{ "-1", 0, -EINVAL },
		{ "+1", 0, -EINVAL },
		{ "0x10", 0, -EINVAL },
		{ "1.0", 0, -EINVAL },
		{ "1,000", 0, -EINVAL },
		{ "1K", 0, -EINVAL },
		{ "99999999999999999999999999x", 0, -EINVAL },
		{ "\xd9\xa1", 0, -EINVAL }, /* an Arabic one */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(parse_u64, &rows[i]);
}

static void a_size_has_a_unit_in_any_case(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 },
		{ "512", 512, 0 },
		{ "512B", 512, 0 },
		{ "512b", 512, 0 },
		{ "1K", KIB, 0 },
		{ "1k", KIB, 0 },
		{ "1KiB", KIB, 0 },
		{ "1KIB", KIB, 0 },
		{ "1kib", KIB, 0 },
		{ "1kB", 1000, 0 },
		{ "1KB", 1000, 0 },
		{ "1kb", 1000, 0 },
		{ "3M", 3 * MIB, 0 },
		{ "3MB", 3000000, 0 },
		{ "2G", 2 * GIB, 0 },
		{ "2gib", 2 * GIB, 0 },
		{ "2GB", 2000000000, 0 },
		{ "5T", 5 * KIB * GIB, 0 },
		{ "4TB", 4000000000000, 0 },
		{ "1P", MIB * GIB, 0 },
		{ "1PiB", MIB * GIB, 0 },
		{ "1PB", 1000000000000000, 0 },
		{ "1E", GIB * GIB, 0 },
		{ "15EiB", 15 * GIB * GIB, 0 },
		{ "18EB", UINT64_C(18000000000000000000), 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(parse_size, &rows[i]);
}

static void a_fraction_is_exact_or_an_error(void **state)
{
	static const struct row rows[] = {
		{ "1.5GiB", GIB + GIB / 2, 0 },
		{ "0.5K", 512, 0 },
		{ "1.0", 1, 0 },
		{ "1.000B", 1, 0 },
		{ "2.500kB", 2500, 0 },
		{ "0.001kB", 1, 0 },
		{ "0.0009765625K", 1, 0 },
		{ "4.000787030016TB", 4000787030016, 0 },
		{ "1.00000000000000000000000000K", KIB, 0 },
		/* 2^-60 of an EiB */
		{ "0.000000000000000000867361737988403547205962240695953369140625E", 1, 0 },
		{ "0.000000000000000000867361737988403547205962240695953369140626E", 0, -EINVAL },
		{ "15.999999999999999999132638262011596452794037759304046630859375E", UINT64_MAX,
		  0 },
		{ "0.9999999999999999999999999999999999999999999999999999E", 0, -EINVAL },
		{ "1.0000000000000000000001K", 0, -EINVAL },
		{ "0.1K", 0, -EINVAL },
		{ "0.5", 0, -EINVAL },
		{ "0.5B", 0, -EINVAL },
		{ "0.0001kB", 0, -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(parse_size, &rows[i]);
}

static void a_size_beyond_64_bits_is_out_of_range(void **state)
{
	static const struct row rows[] = {
		{ "18446744073709551615", UINT64_MAX, 0 },
		{ "18446744073709551616", 0, -ERANGE },
		{ "16E", 0, -ERANGE },
		{ "16.0EiB", 0, -ERANGE },
		{ "18.446744073709551616EB", 0, -ERANGE },
		{ "18.446744073709551615EB", UINT64_MAX, 0 },
		{ "18014398509481984K", 0, -ERANGE },
		{ "18014398509481983K", UINT64_MAX - 1023, 0 },
		{ "99999999999999999999999999", 0, -ERANGE },
		{ "99999999999999999999999999E", 0, -ERANGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(parse_size, &rows[i]);
}

static void anything_else_is_no_size(void **state)
{
	static const char *const texts[] = {
		NULL,
		"",
		" ",
		" 1",
		"1 ",
		"1 K",
		"-1",
		"+1",
		"0x10",
		"1,5G",
		"1.5,G",
		"1.",
		"1.G",
		".5G",
		"G",
		"KiB",
		"1Ki",
		"1KK",
		"1KiBs",
		"1Kb/s",
		"1Z",
		"1Y",
		"1BK",
		"1iB",
		"1e3",
		"1.2.3",
		"1..5K",
		"1.-5K",
		"1_000",
		"1'000",
		"1\n",
		"nan",
		"inf",
		"1\xc4\xb1" /* a Turkish i without its dot */,
		"99999999999999999999999999x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check(parse_size, &(struct row){ texts[i], 0, -EINVAL });
}

static void hexadecimal_digits_are_bytes(void **state)
{
	static const struct {
		const char *text;
		uint8_t bytes[3];
		int result;
	} rows[] = {
		{ "000000", { 0, 0, 0 }, 0 },
		{ "0123fF", { 0x01, 0x23, 0xff }, 0 },
		{ "abCDe9", { 0xab, 0xcd, 0xe9 }, 0 },
		{ NULL, { 0 }, -EINVAL },
		{ "", { 0 }, -EINVAL },
		{ "00000", { 0 }, -EINVAL },
		{ "0000000", { 0 }, -EINVAL },
		{ "00000000", { 0 }, -EINVAL },
		{ "00000g", { 0 }, -EINVAL },
		{ "00000/", { 0 }, -EINVAL },
		{ "00000:", { 0 }, -EINVAL },
		{ "00000@", { 0 }, -EINVAL },
		{ "00000`", { 0 }, -EINVAL },
		{ "0x0000", { 0 }, -EINVAL },
		{ "00 000", { 0 }, -EINVAL },
		{ " 00000", { 0 }, -EINVAL },
		{ "000000\n", { 0 }, -EINVAL },
		{ "-00000", { 0 }, -EINVAL },
	};
	static const uint8_t untouched[] = { 0xa5, 0xa5, 0xa5 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t bytes[] = { 0xa5, 0xa5, 0xa5 };

		assert_int_equal(parse_hex(rows[i].text, bytes, sizeof(bytes)), rows[i].result);
		assert_memory_equal(bytes, rows[i].result ? untouched : rows[i].bytes,
				    sizeof(bytes));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_digits_and_nothing_else),
		cmocka_unit_test(a_size_has_a_unit_in_any_case),
		cmocka_unit_test(a_fraction_is_exact_or_an_error),
		cmocka_unit_test(a_size_beyond_64_bits_is_out_of_range),
		cmocka_unit_test(anything_else_is_no_size),
		cmocka_unit_test(hexadecimal_digits_are_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

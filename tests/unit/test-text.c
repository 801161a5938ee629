/* SPDX-License-Identifier: MIT */
/* Whatever a drive calls itself, it reaches a terminal, a record and a file name harmlessly. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64 };

static void clean_text_stays_and_the_rest_is_spelled_out(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{ "", "" },
		{ "WDC WD40EFRX-68N32N0", "WDC WD40EFRX-68N32N0" },
		{ "   WD-WCC7K0ABCDEF  ", "WD-WCC7K0ABCDEF" },
		{ "    ", "" },
		{ "a  b", "a  b" },
		{ "\tx", "\\x09x" },
		{ "a\nb\r", "a\\x0ab\\x0d" },
		{ "\x1b[31mred", "\\x1b[31mred" },
		{ "\x7f", "\\x7f" },
		{ "\x01\x1f ~", "\\x01\\x1f ~" },
		/* characters of two, three and four bytes, the first and the last of each */
		{ "M\xc3\xbcller", "M\xc3\xbcller" },
		{ "\xc2\xa0|\xdf\xbf", "\xc2\xa0|\xdf\xbf" },
		{ "\xe0\xa0\x80|\xef\xbf\xbf", "\xe0\xa0\x80|\xef\xbf\xbf" },
		{ "\xed\x9f\xbf|\xee\x80\x80", "\xed\x9f\xbf|\xee\x80\x80" },
		{ "\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf" },
		/* C1 controls, also the one that works like ESC [ */
		{ "\xc2\x80", "\\xc2\\x80" },
		{ "\xc2\x9b", "\\xc2\\x9b" },
		{ "\xc2\x9f", "\\xc2\\x9f" },
		/* longer than needed, surrogates, beyond the last code point, not UTF-8 at all */
		{ "\xc0\x80", "\\xc0\\x80" },
		{ "\xc1\xbf", "\\xc1\\xbf" },
		{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
		{ "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xed\xbf\xbf", "\\xed\\xbf\\xbf" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\x80", "\\x80" },
		/* broken off */
		{ "a\xc3", "a\\xc3" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xe2\x82x", "\\xe2\\x82x" },
		{ "\xf0\x9f\x92", "\\xf0\\x9f\\x92" },
		{ "\xc3\xc3\xbc", "\\xc3\xc3\xbc" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[ROOM];

		memset(buf, '#', sizeof(buf));
		assert_ptr_equal(text_clean(buf, sizeof(buf), rows[i].from), buf);
		assert_string_equal(buf, rows[i].to);
	}
}

static void what_does_not_fit_is_cut_between_characters(void **state)
{
	static const struct {
		size_t size;
		const char *from, *to;
	} rows[] = {
		{ 1, "abc", "" },
		{ 3, "abc", "ab" },
		{ 4, "abc", "abc" },
		{ 4, "ab\xc3\xbc", "ab" },
		{ 5, "ab\xc3\xbc", "ab\xc3\xbc" },
		{ 4, "\xf0\x9f\x92\xa9", "" },
		{ 5, "\xf0\x9f\x92\xa9", "\xf0\x9f\x92\xa9" },
		{ 5, "a\x01z", "a" },
		{ 6, "a\x01z", "a\\x01" },
		/* nothing shorter slips in behind a character that did not fit */
		{ 4,
		  "ab\xe2\x82\xac"
		  "c",
		  "ab" },
		{ 4, "ab cd", "ab" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* Exactly as large as announced, for the address sanitizer. */
		char *buf = malloc(rows[i].size);

		assert_non_null(buf);
		assert_string_equal(text_clean(buf, rows[i].size, rows[i].from), rows[i].to);
		free(buf);
	}
}

/* An independent judge: the characters by the table of well-formed sequences in Unicode 15, 3-7. */
static bool well_formed(const unsigned char *s)
{
	static const struct {
		unsigned char low, high, second_low, second_high, length;
	} rows[] = {
		{ 0x20, 0x7e, 0, 0, 1 },       { 0xc2, 0xc2, 0xa0, 0xbf, 2 },
		{ 0xc3, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	while (*s) {
		size_t i = 0, k;

		while (i < sizeof(rows) / sizeof(rows[0]) &&
		       (*s < rows[i].low || *s > rows[i].high))
			i++;
		if (i == sizeof(rows) / sizeof(rows[0]))
			return false;
		if (rows[i].length > 1 && (s[1] < rows[i].second_low || s[1] > rows[i].second_high))
			return false;
		for (k = 2; k < rows[i].length; k++)
			if (s[k] < 0x80 || s[k] > 0xbf)
				return false;
		s += rows[i].length;
	}
	return true;
}

static void random_bytes_come_out_well_formed_and_stay_so(void **state)
{
	/* Bytes that decide something are more frequent than chance would make them. */
	static const unsigned char special[] = { 0x1b, 0x7f, 0x80, 0x9b, 0xa0, 0xbf, 0xc2, 0xc3,
						 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0x90, 0x8f, ' ' };

	(void)state;
	srand(20261130);
	for (unsigned round = 0; round < 200000; round++) {
		char from[12], once[ROOM], twice[ROOM];
		size_t length = (size_t)rand() % sizeof(from);

		for (size_t i = 0; i < length; i++)
			from[i] = (char)(rand() % 4 ? special[(size_t)rand() % sizeof(special)]
						    : rand() % 255 + 1);
		from[length] = '\0';
		text_clean(once, 1 + (size_t)rand() % sizeof(once), from);
		if (!well_formed((const unsigned char *)once))
			fail_msg("round %u", round);
		assert_string_equal(text_clean(twice, sizeof(twice), once), once);
	}
}

static void columns_are_characters(void **state)
{
	(void)state;
	assert_int_equal(text_columns(""), 0);
	assert_int_equal(text_columns("abc"), 3);
	assert_int_equal(text_columns("M\xc3\xbcller"), 6);
	assert_int_equal(text_columns("\xe2\x82\xac\xf0\x9f\x92\xa9"), 2);
}

static void a_slug_is_a_safe_part_of_a_file_name(void **state)
{
	static const struct {
		size_t size;
		const char *from, *to;
	} rows[] = {
		{ ROOM, "WD-WCC7K0ABCDEF", "WD-WCC7K0ABCDEF" },
		{ ROOM, "a.b_c+d=e-f", "a.b_c+d=e-f" },
		{ ROOM, "0123456789", "0123456789" },
		{ ROOM, "", "unknown" },
		{ ROOM, "../../etc/passwd", "_._.._etc_passwd" },
		{ ROOM, ".", "_" },
		{ ROOM, "..", "_." },
		{ ROOM, ".hidden", "_hidden" },
		{ ROOM, "-rf", "_rf" },
		{ ROOM, "a-.b", "a-.b" },
		{ ROOM, "/", "_" },
		{ ROOM, " \t\n", "_" },
		{ ROOM, "SanDisk  Cruzer:1", "SanDisk_Cruzer_1" },
		{ ROOM, "a/_b", "a__b" },
		{ ROOM, "M\xc3\xbcller", "M_ller" },
		{ ROOM,
		  "\xff\xfe"
		  "1",
		  "_1" },
		{ 1, "abc", "" },
		{ 3, "abc", "ab" },
		{ 4, "", "unk" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *buf = malloc(rows[i].size);

		assert_non_null(buf);
		assert_ptr_equal(text_slug(buf, rows[i].size, rows[i].from), buf);
		assert_string_equal(buf, rows[i].to);
		free(buf);
	}
}

static void printing_says_whether_it_fitted(void **state)
{
	char buf[5];

	(void)state;
	assert_true(text_print(buf, sizeof(buf), "%s%d", "ab", 12));
	assert_string_equal(buf, "ab12");
	assert_false(text_print(buf, sizeof(buf), "%s", "abcde"));
	assert_string_equal(buf, "abcd");
	assert_true(text_print(buf, sizeof(buf), "%s", ""));
	assert_string_equal(buf, "");
}

static void what_is_appended_is_cut_and_that_is_said(void **state)
{
	char text[8] = "";

	(void)state;
	assert_true(text_append(text, sizeof(text), "%s", "abc"));
	assert_true(text_append(text, sizeof(text), "%d", 1234));
	assert_string_equal(text, "abc1234");
	assert_false(text_append(text, sizeof(text), "x"));
	assert_string_equal(text, "abc1234");
	assert_true(text_starts_with(text, "abc") && text_starts_with(text, ""));
	assert_false(text_starts_with(text, "abd") || text_starts_with("ab", "abc"));
	assert_true(text_is_one_of("b", (const char *const[]){ "a", "b", NULL }));
	assert_false(text_is_one_of("c", (const char *const[]){ "a", "b", NULL }));
	assert_false(text_is_one_of("", (const char *const[]){ NULL }));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_appended_is_cut_and_that_is_said),
		cmocka_unit_test(clean_text_stays_and_the_rest_is_spelled_out),
		cmocka_unit_test(what_does_not_fit_is_cut_between_characters),
		cmocka_unit_test(random_bytes_come_out_well_formed_and_stay_so),
		cmocka_unit_test(columns_are_characters),
		cmocka_unit_test(a_slug_is_a_safe_part_of_a_file_name),
		cmocka_unit_test(printing_says_whether_it_fitted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

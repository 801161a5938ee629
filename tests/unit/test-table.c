/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "ui/table.h"

static const struct table_column columns[] = { { "NAME", false },
					       { "SIZE", true },
					       { "NOTE", false } };

static char *text_of(unsigned count, const char *const rows[][3])
{
	struct table *table;
	char *text;

	assert_int_equal(table_new(columns, 3, &table), 0);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(table_add(table, rows[i]), 0);
	assert_int_equal(table_text(table, &text), 0);
	table_free(table);
	return text;
}

static void columns_are_as_wide_as_they_need_to_be(void **state)
{
	static const char *const rows[][3] = { { "a", "1 B", "first" },
					       { "longer", "1000 MiB", "" },
					       { "", "-", "last" } };
	char *text = text_of(3, rows);

	(void)state;
	assert_string_equal(text, "NAME        SIZE  NOTE\n"
				  "a            1 B  first\n"
				  "longer  1000 MiB\n"
				  "               -  last\n");
	free(text);
}

/* Neither a terminal's width nor the environment's changes a table. */
static void nothing_is_cut(void **state)
{
	char wide[301];
	const char *rows[1][3] = { { "x", "1", wide } };
	char *text;

	(void)state;
	memset(wide, 'w', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	assert_int_equal(setenv("COLUMNS", "20", 1), 0);
	text = text_of(1, rows);
	assert_non_null(strstr(text, wide));
	free(text);
}

/* In the locale "C", as everywhere here: characters count, not bytes. */
static void characters_stay_what_they_are(void **state)
{
	static const char *const rows[][3] = { { "B\303\274ro", "1 B", "\342\202\254 or what?" },
					       { "\\x01\\", "\302\265", "x" },
					       { "plain", "22 B", "?\360\237\222\276?" } };
	char *text = text_of(3, rows);

	(void)state;
	assert_string_equal(text, "NAME   SIZE  NOTE\n"
				  "B\303\274ro    1 B  \342\202\254 or what?\n"
				  "\\x01\\     \302\265  x\n"
				  "plain  22 B  ?\360\237\222\276?\n");
	free(text);
}

static void without_rows_there_is_the_heading(void **state)
{
	char *text = text_of(0, NULL);

	(void)state;
	assert_string_equal(text, "NAME  SIZE  NOTE\n");
	free(text);
}

static void the_heading_can_be_left_out(void **state)
{
	static const char *const row[3] = { "a", "1 B", "note" };

	(void)state;
	for (unsigned rows = 0; rows < 2; rows++) {
		struct table *table;
		char *text;

		assert_int_equal(table_new(columns, 3, &table), 0);
		table_hide_heading(table);
		if (rows)
			assert_int_equal(table_add(table, row), 0);
		assert_int_equal(table_text(table, &text), 0);
		assert_string_equal(text, rows ? "a  1 B  note\n" : "");
		table_free(table);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_they_need_to_be),
		cmocka_unit_test(nothing_is_cut),
		cmocka_unit_test(characters_stay_what_they_are),
		cmocka_unit_test(without_rows_there_is_the_heading),
		cmocka_unit_test(the_heading_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

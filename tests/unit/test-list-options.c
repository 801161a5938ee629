/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cli/list-options.h"
#include "words.h"

static int parse(const char *line, struct list_options *options, char error[OPTIONS_ERROR_MAX])
{
	static char *argv[WORDS_MAX_COUNT + 1];
	int argc = split_words(line, argv);

	memset(options, 0xff, sizeof(*options));
	*error = '\0';
	return list_options_parse(argc, argv, options, error);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *error;
	} rows[] = {
		{ "list ''", "the name of a drive is empty" },
		{ "list --al", "unknown option --al" },
		{ "list --out SIZE", "unknown option --out" },
		{ "list -a", "unknown option -a" },
		{ "list --output", "option --output needs a value (COLUMNS)" },
		{ "list --all=1", "option --all takes no value" },
		{ "list --json --output SIZE", "--output is for tables: --json prints everything" },
		{ "list --json --noheadings", "--noheadings is for tables, not for --json" },
	};
	struct list_options options;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse(rows[i].line, &options, error), -EINVAL);
		assert_string_equal(error, rows[i].error);
	}
}

/* The whole sentence fits. */
static void whoever_names_no_column_is_told_all(void **state)
{
	struct list_options options;
	char error[OPTIONS_ERROR_MAX], wanted[OPTIONS_ERROR_MAX], names[LIST_NAMES_MAX];

	(void)state;
	list_columns_names(names);
	assert_int_equal(parse("list --output SIZE,colour,USE", &options, error), -EINVAL);
	strcat(strcpy(wanted, "--output: no column \"colour\". There are "), names);
	assert_string_equal(error, wanted);
	assert_int_equal(parse("list --output "
			       "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff",
			       &options, error),
			 -EINVAL);
	strcat(strcpy(wanted, "--output: no column \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd\". "
			      "There are "),
	       names);
	assert_string_equal(error, wanted);
}

static void what_is_asked_for_is_noted(void **state)
{
	struct list_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("list", &o, error), 0);
	assert_false(o.all || o.json || o.noheadings || o.help);
	assert_int_equal(o.target_count, 0);
	assert_int_equal(o.columns.count, 9);

	assert_int_equal(parse("list a --all b --json", &o, error), 0);
	assert_true(o.all && o.json && !o.noheadings);
	assert_int_equal(o.target_count, 2);
	assert_string_equal(o.targets[1], "b");

	assert_int_equal(parse("list --noheadings --output=wwn,Size -- --all", &o, error), 0);
	assert_true(o.noheadings && !o.all);
	assert_int_equal(o.columns.count, 2);
	assert_string_equal(o.columns.items[0]->name, "WWN");
	assert_string_equal(o.targets[0], "--all");

	/* The last one counts. */
	assert_int_equal(parse("list --output nothing --output ro --help", &o, error), 0);
	assert_true(o.help);
	assert_int_equal(o.columns.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(whoever_names_no_column_is_told_all),
		cmocka_unit_test(what_is_asked_for_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cli/bench-options.h"
#include "words.h"

static int parse(const char *line, struct bench_options *options, char error[OPTIONS_ERROR_MAX])
{
	static char *argv[WORDS_MAX_COUNT + 1];
	int argc = split_words(line, argv);

	memset(options, 0xff, sizeof(*options));
	*error = '\0';
	return bench_options_parse(argc, argv, options, error);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *error;
	} rows[] = {
		{ "bench --write", "--write needs a drive" },
		{ "bench --write a b", "--write takes one drive at a time" },
		{ "bench --expect size=1 a", "--expect goes with --write" },
		{ "bench --expect size=1", "--expect goes with --write" },
		{ "bench ''", "the name of a drive is empty" },
		{ "bench --write --expect colour=1 a",
		  "--expect does not take \"colour=1\" (KEY=VALUE)" },
		{ "bench --io fast", "--io does not take \"fast\" (auto|uring|sync)" },
		{ "bench --dry-run a", "unknown option --dry-run" },
	};
	struct bench_options options;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse(rows[i].line, &options, error), -EINVAL);
		assert_string_equal(error, rows[i].error);
	}
}

static void what_is_asked_for_is_noted(void **state)
{
	struct bench_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("bench", &o, error), 0);
	assert_false(o.write || o.yes || o.json || o.help);
	assert_int_equal(o.target_count, 0);
	assert_int_equal(o.io, IO_AUTO);
	assert_int_equal(o.level, CONSOLE_NORMAL);

	assert_int_equal(parse("bench a --yes b --json -q", &o, error), 0);
	assert_true(o.yes && o.json && !o.write);
	assert_int_equal(o.level, CONSOLE_QUIET);
	assert_int_equal(o.target_count, 2);
	assert_string_equal(o.targets[1], "b");

	assert_int_equal(
		parse("bench --write --expect serial=A --expect size=1M --io sync a", &o, error),
		0);
	assert_true(o.write && !o.yes);
	assert_int_equal(o.io, IO_SYNC);
	assert_int_equal(o.policy.expect_count, 2);
	assert_string_equal(o.policy.expect[0].text, "A");
	assert_int_equal(o.policy.expect[1].number, 1 << 20);
	assert_int_equal(parse("bench --write --help", &o, error), 0);
	assert_true(o.help);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(what_is_asked_for_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

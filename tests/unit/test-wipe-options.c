/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cli/wipe-options.h"
#include "words.h"

static int parse(const char *line, struct wipe_options *options, char error[OPTIONS_ERROR_MAX])
{
	static char *argv[WORDS_MAX_COUNT + 1];
	int argc = split_words(line, argv);

	memset(options, 0xff, sizeof(*options));
	*error = '\0';
	return wipe_options_parse(argc, argv, options, error);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *error;
	} rows[] = {
		{ "wipe", "no drive named" },
		{ "wipe --", "no drive named" },
		{ "wipe ''", "the name of a drive is empty" },
		{ "wipe --frobnicate x", "unknown option --frobnicate" },
		{ "wipe --frobnicate=3 x", "unknown option --frobnicate" },
		{ "wipe -x x", "unknown option -x" },
		{ "wipe --ye x", "unknown option --ye" }, /* no abbreviations */
		{ "wipe --dry x", "unknown option --dry" },
		{ "wipe --verif none x", "unknown option --verif" },
		{ "wipe x --y", "unknown option --y" },
		{ "wipe --yes=no x", "option --yes takes no value" },
		{ "wipe x --verify", "option --verify needs a value (full|none)" },
		{ "wipe --verify half x", "--verify does not take \"half\" (full|none)" },
		{ "wipe --verify= x", "--verify does not take \"\" (full|none)" },
		{ "wipe --io fast x", "--io does not take \"fast\" (auto|uring|sync)" },
		{ "wipe --progress plain", "no drive named" },
		{ "wipe --limit-rate 0 x", "--limit-rate does not take \"0\" (RATE)" },
		{ "wipe --limit-rate 1,5M x", "--limit-rate does not take \"1,5M\" (RATE)" },
		{ "wipe --cipher aes x",
		  "--cipher does not take \"aes\" (auto|aes-256-ctr|chacha20)" },
		{ "wipe --threads 0 x", "--threads does not take \"0\" (N)" },
		{ "wipe --threads 9 x", "--threads does not take \"9\" (N)" },
		{ "wipe --threads -1 x", "--threads does not take \"-1\" (N)" },
		{ "wipe --threads 2x x", "--threads does not take \"2x\" (N)" },
		{ "wipe --limit-rate -1 x", "--limit-rate does not take \"-1\" (RATE)" },
		{ "wipe --expect serial x", "--expect does not take \"serial\" (KEY=VALUE)" },
		{ "wipe --expect serial= x", "--expect does not take \"serial=\" (KEY=VALUE)" },
		{ "wipe --expect =5 x", "--expect does not take \"=5\" (KEY=VALUE)" },
		{ "wipe --expect model=5 x", "--expect does not take \"model=5\" (KEY=VALUE)" },
		{ "wipe --expect size=big x", "--expect does not take \"size=big\" (KEY=VALUE)" },
		{ "wipe --expect diskseq=-1 x",
		  "--expect does not take \"diskseq=-1\" (KEY=VALUE)" },
		{ "wipe --record-dir '' x", "--record-dir does not take \"\" (DIR)" },
		{ "wipe --record-dir d --no-record x",
		  "--record-dir and --no-record contradict each other" },
		{ "wipe --keep-key --no-record x",
		  "--keep-key keeps the key in the record, and --no-record leaves it out" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wipe_options o;
		char error[OPTIONS_ERROR_MAX];

		assert_int_equal(parse(rows[i].line, &o, error), -EINVAL);
		assert_string_equal(error, rows[i].error);
	}
}

static void defaults_are_the_safe_ones(void **state)
{
	struct wipe_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("wipe /dev/x", &o, error), 0);
	assert_false(o.yes);
	assert_false(o.dry_run);
	assert_false(o.keep_key);
	assert_false(o.no_record);
	assert_null(o.record_dir);
	assert_int_equal(o.verify, VERIFY_FULL);
	assert_int_equal(o.io, IO_AUTO);
	assert_int_equal(o.progress, PROGRESS_AUTO);
	assert_int_equal(o.level, CONSOLE_NORMAL);
	assert_int_equal(o.rate_limit, 0);
	assert_int_equal(o.policy.expect_count, 0);
	assert_int_equal(o.target_count, 1);
	assert_string_equal(o.targets[0], "/dev/x");
}

static void options_and_targets_mix(void **state)
{
	struct wipe_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("wipe a --yes b -n --verify=none -- --yes", &o, error), 0);
	assert_true(o.yes);
	assert_true(o.dry_run);
	assert_int_equal(o.verify, VERIFY_NONE);
	assert_int_equal(o.target_count, 3);
	assert_string_equal(o.targets[2], "--yes");
	assert_int_equal(parse("wipe --limit-rate 1.5M --io sync -v a", &o, error), 0);
	assert_int_equal(o.rate_limit, 3 << 19);
	assert_int_equal(o.io, IO_SYNC);
	assert_int_equal(o.level, CONSOLE_VERBOSE);
	assert_int_equal(parse("wipe --record-dir --yes a", &o, error), 0);
	assert_string_equal(o.record_dir, "--yes"); /* a value, as getopt has it */
	assert_false(o.yes);
}

static void expectations_are_collected(void **state)
{
	struct wipe_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("wipe --expect serial=A=B --expect size=1.5G --expect diskseq=7 "
			       "--expect wwn=0x5 a",
			       &o, error),
			 0);
	assert_int_equal(o.policy.expect_count, 4);
	assert_int_equal(o.policy.expect[0].key, EXPECT_SERIAL);
	assert_string_equal(o.policy.expect[0].text, "A=B");
	assert_int_equal(o.policy.expect[1].number, UINT64_C(3) << 29);
	assert_int_equal(o.policy.expect[2].number, 7);
	assert_string_equal(o.policy.expect[3].text, "0x5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(defaults_are_the_safe_ones),
		cmocka_unit_test(options_and_targets_mix),
		cmocka_unit_test(expectations_are_collected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "words.h"

enum { OPT_COLOUR = OPTION_LONG, OPT_NAME, OPT_PLAIN, OPT_CANVAS, OPT_FORCE = 'f' };

struct paint {
	int colour;
	const char *name;
	bool plain, force, help;
};

static const struct option_word colours[] = { { "red", 7 }, { "green", 0 }, { 0 } };

static const struct option_row rows[] = {
	{ 0, NULL, NULL, "How" },
	{ OPT_FORCE, "force", NULL, "whatever happens" },
	{ OPT_COLOUR, "colour", "red|green", "which one" },
	{ 0, NULL, NULL, "What" },
	{ OPT_NAME, "name", "NAME", "one line\nand another" },
	{ OPT_CANVAS, "canvas", "long|longer|the-widest-of", "where it goes\nand dries" },
	{ OPT_PLAIN, "plain", NULL, "without" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

static int apply(void *options, int id, const char *argument)
{
	struct paint *p = options;
	int r = 0;

	switch (id) {
	case OPT_COLOUR:
		r = option_word(colours, argument, &p->colour);
		break;
	case OPT_NAME:
		p->name = argument;
		break;
	case OPT_PLAIN:
		p->plain = true;
		break;
	case OPT_FORCE:
		p->force = true;
		break;
	case OPTION_HELP:
		p->help = true;
		break;
	}
	return r;
}

static const struct option_table table = {
	.usage = "Usage: paint\n",
	.ending = "The end\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(*rows),
	.apply = apply,
};

/* What was parsed is in paint and words. */
static char *words[WORDS_MAX_COUNT + 1];
static struct paint paint;
static int parse(const char *line, char error[OPTIONS_ERROR_MAX])
{
	paint = (struct paint){ .colour = -1 };
	*error = '\0';
	return options_parse(&table, split_words(line, words), words, &paint, error);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *error;
	} cases[] = {
		{ "paint --frobnicate x", "unknown option --frobnicate" },
		{ "paint --frobnicate=3", "unknown option --frobnicate" },
		{ "paint -x", "unknown option -x" },
		{ "paint -fx", "unknown option -x" },
		{ "paint --col red", "unknown option --col" }, /* no abbreviations */
		{ "paint --colour red --fo", "unknown option --fo" },
		{ "paint x --c", "unknown option --c" },
		{ "paint --=red", "unknown option --" },
		{ "paint --force=yes", "option --force=yes takes no value" },
		{ "paint --plain=yes", "option --plain takes no value" },
		{ "paint --plain=", "option --plain takes no value" },
		{ "paint x --colour", "option --colour needs a value (red|green)" },
		{ "paint --name", "option --name needs a value (NAME)" },
		{ "paint --colour blue", "--colour does not take \"blue\" (red|green)" },
		{ "paint --colour=blue", "--colour does not take \"blue\" (red|green)" },
		{ "paint --colour= x", "--colour does not take \"\" (red|green)" },
		{ "paint --colour '' x", "--colour does not take \"\" (red|green)" },
		{ "paint --colour Red", "--colour does not take \"Red\" (red|green)" },
		{ "paint --colour re", "--colour does not take \"re\" (red|green)" },
		{ "paint --help --frob", "unknown option --frob" },
		{ "paint --name --name --frob", "unknown option --frob" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char error[OPTIONS_ERROR_MAX];

		assert_int_equal(parse(cases[i].line, error), -EINVAL);
		assert_string_equal(error, cases[i].error);
	}
}

static void options_and_operands_mix(void **state)
{
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("paint", error), 1);
	assert_false(paint.force);
	assert_int_equal(parse("paint --", error), 2);
	assert_int_equal(parse("paint a -f --colour red b --name=x -- --plain", error), 6);
	assert_true(paint.force);
	assert_int_equal(paint.colour, 7);
	assert_string_equal(paint.name, "x");
	assert_false(paint.plain);
	assert_string_equal(words[6], "a");
	assert_string_equal(words[7], "b");
	assert_string_equal(words[8], "--plain");
	assert_int_equal(parse("paint - ''", error), 1);
	assert_string_equal(words[1], "-");
	assert_int_equal(parse("paint -fh", error), 2);
	assert_true(paint.force);
	assert_true(paint.help);
	assert_int_equal(parse("paint --colour red --colour=green", error), 4);
	assert_int_equal(paint.colour, 0);
}

static void a_value_may_look_like_an_option(void **state)
{
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("paint --name --frob", error), 3);
	assert_string_equal(paint.name, "--frob");
	assert_int_equal(parse("paint --name -- --plain", error), 4);
	assert_string_equal(paint.name, "--");
	assert_true(paint.plain);
	assert_int_equal(parse("paint --name=--plain=1", error), 2);
	assert_string_equal(paint.name, "--plain=1");
}

static void words_are_whole(void **state)
{
	int value = 3;

	(void)state;
	assert_int_equal(option_word(colours, "green", &value), 0);
	assert_int_equal(value, 0);
	value = 3;
	assert_int_equal(option_word(colours, "gree", &value), -EINVAL);
	assert_int_equal(option_word(colours, "greens", &value), -EINVAL);
	assert_int_equal(option_word(colours, "", &value), -EINVAL);
	assert_int_equal(value, 3);
}

/* What options_help() prints, into @buf. */
static void help_text(char *buf, size_t size)
{
	int before = dup(STDOUT_FILENO);
	FILE *file = tmpfile();
	size_t length;

	assert_true(before >= 0 && file);
	assert_int_equal(fflush(stdout), 0);
	assert_int_equal(dup2(fileno(file), STDOUT_FILENO), STDOUT_FILENO);
	options_help(&table);
	(void)fflush(stdout);
	(void)dup2(before, STDOUT_FILENO);
	(void)close(before);
	rewind(file);
	length = fread(buf, 1, size - 1, file);
	buf[length] = '\0';
	(void)fclose(file);
}

static void help_is_the_table(void **state)
{
	char text[2048];

	(void)state;
	help_text(text, sizeof(text));
	assert_string_equal(text, "Usage: paint\n"
				  "\nHow:\n"
				  "  -f, --force                   whatever happens\n"
				  "      --colour red|green        which one\n"
				  "\nWhat:\n"
				  "      --name NAME               one line\n"
				  "                                and another\n"
				  "      --canvas long|longer|the-widest-of\n"
				  "                                where it goes\n"
				  "                                and dries\n"
				  "      --plain                   without\n"
				  "  -h, --help                    this text\n"
				  "\nThe end\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(options_and_operands_mix),
		cmocka_unit_test(a_value_may_look_like_an_option),
		cmocka_unit_test(words_are_whole),
		cmocka_unit_test(help_is_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

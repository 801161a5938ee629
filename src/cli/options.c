/* SPDX-License-Identifier: MIT */
/* Reads command lines and prints --help by a table of options. */
#include "cli/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { HELP_WIDTH = 80, HELP_COLUMN = 32 };

static bool has_short(const struct option_row *row)
{
	return row->id < OPTION_LONG;
}

static const struct option_row *row_by_name(const struct option_table *table, const char *name,
					    size_t length)
{
	for (unsigned i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (row->name && strlen(row->name) == length && !memcmp(row->name, name, length))
			return row;
	}
	return NULL;
}

static const struct option_row *row_by_id(const struct option_table *table, int id)
{
	for (unsigned i = 0; i < table->count; i++)
		if (table->rows[i].name && table->rows[i].id == id)
			return &table->rows[i];
	return NULL;
}

int option_word(const struct option_word *words, const char *text, int *ret_value)
{
	for (; words->text; words++) {
		if (!strcmp(words->text, text)) {
			*ret_value = words->value;
			return 0;
		}
	}
	return -EINVAL;
}

/* getopt_long takes "--ver" for "--verbose"; for a program that destroys data that is a trap. */
static int refuse_abbreviations(const struct option_table *table, int argc, char **argv,
				char error[OPTIONS_ERROR_MAX])
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const char *arg = argv[i];
		const struct option_row *row;

		if (!strncmp(arg, "--", 2)) {
			row = row_by_name(table, arg + 2, strcspn(arg + 2, "="));
			if (!row) {
				(void)text_print(error, OPTIONS_ERROR_MAX, "unknown option %.*s",
						 (int)strcspn(arg, "="), arg);
				return -EINVAL;
			}
			if (row->argument && !strchr(arg, '='))
				i++;
		}
	}
	return 0;
}

struct getopt_tables {
	struct option longs[OPTIONS_ROWS_MAX + 1];
	char shorts[OPTIONS_ROWS_MAX + 2];
};

static void make_tables(const struct option_table *table, struct getopt_tables *ret)
{
	size_t n = 0, s = 0;

	assert(table->count <= OPTIONS_ROWS_MAX);
	ret->shorts[s++] = ':'; /* a missing argument is reported as ':' */
	for (unsigned i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!row->name)
			continue;
		assert(!has_short(row) || !row->argument);
		ret->longs[n++] = (struct option){ row->name, !!row->argument, NULL, row->id };
		if (has_short(row))
			ret->shorts[s++] = (char)row->id;
	}
	ret->longs[n] = (struct option){ 0 };
	ret->shorts[s] = '\0';
}

/* What getopt_long did not like, as a sentence. */
static void say_mistake(const struct option_table *table, int c, char **argv,
			char error[OPTIONS_ERROR_MAX])
{
	const struct option_row *row = row_by_id(table, optopt);

	if (c == ':')
		(void)text_print(error, OPTIONS_ERROR_MAX, "option --%s needs a value (%s)",
				 row->name, row->argument);
	else if (row && !has_short(row))
		(void)text_print(error, OPTIONS_ERROR_MAX, "option --%s takes no value", row->name);
	else if (row || !optopt)
		(void)text_print(error, OPTIONS_ERROR_MAX, "option %s takes no value",
				 argv[optind - 1]);
	else
		(void)text_print(error, OPTIONS_ERROR_MAX, "unknown option -%c", optopt);
}

int options_parse(const struct option_table *table, int argc, char **argv, void *options,
		  char error[OPTIONS_ERROR_MAX])
{
	struct getopt_tables tables;
	int c;

	if (refuse_abbreviations(table, argc, argv, error))
		return -EINVAL;
	make_tables(table, &tables);
	optind = 0; /* start anew, also in tests that parse several times */
	opterr = 0;
	while ((c = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
		if (c == '?' || c == ':') {
			say_mistake(table, c, argv, error);
			return -EINVAL;
		}
		if (table->apply(options, c, optarg)) {
			const struct option_row *row = row_by_id(table, c);

			(void)text_print(error, OPTIONS_ERROR_MAX, "--%s does not take \"%s\" (%s)",
					 row->name, optarg, row->argument);
			return -EINVAL;
		}
	}
	return optind;
}

static void help_row(const struct option_row *row)
{
	char left[HELP_WIDTH], letter[8] = "   ";
	const char *line = row->help, *end;

	if (has_short(row))
		(void)text_print(letter, sizeof(letter), "-%c,", row->id);
	(void)text_print(left, sizeof(left), "  %s --%s%s%s", letter, row->name,
			 row->argument ? " " : "", row->argument ? row->argument : "");
	if (strlen(left) > HELP_COLUMN - 2) {
		printf("%s\n", left);
		left[0] = '\0';
	}
	for (; line; line = end ? end + 1 : NULL, left[0] = '\0') {
		end = strchr(line, '\n');
		printf("%-*s%.*s\n", HELP_COLUMN, left, end ? (int)(end - line) : (int)strlen(line),
		       line);
	}
}

void options_help(const struct option_table *table)
{
	fputs(table->usage, stdout);
	for (unsigned i = 0; i < table->count; i++) {
		if (table->rows[i].name)
			help_row(&table->rows[i]);
		else
			printf("\n%s:\n", table->rows[i].help);
	}
	printf("\n%s", table->ending);
}

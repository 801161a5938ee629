/* SPDX-License-Identifier: MIT */
/* One table says what the options of `wipe` are; the rest of this file reads it. */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

enum option_id {
	OPT_YES = 256, /* above every short option's letter */
	OPT_EXPECT,
	OPT_VERIFY,
	OPT_KEEP_KEY,
	OPT_PROGRESS,
	OPT_JSON,
	OPT_RECORD_DIR,
	OPT_NO_RECORD,
	OPT_IO,
	OPT_LIMIT_RATE,
	OPT_DRY_RUN = 'n',
	OPT_QUIET = 'q',
	OPT_VERBOSE = 'v',
	OPT_HELP = 'h',
};

struct option_row {
	int id;		  /* also the short option where it is a letter */
	const char *name; /* NULL: a heading for --help */
	const char *argument;
	const char *help; /* at most 46 columns a line */
};

static const struct option_row rows[] = {
	{ 0, NULL, NULL, "What to do" },
	{ OPT_DRY_RUN, "dry-run", NULL, "show the drive and the plan, touch nothing" },
	{ OPT_VERIFY, "verify", "full|none", "read everything back afterwards (full)" },
	{ OPT_KEEP_KEY, "keep-key", NULL, "keep the key in the record, as a proof" },
	{ 0, NULL, NULL, "Safety" },
	{ OPT_YES, "yes", NULL, "do not ask (for scripts; see --expect)" },
	{ OPT_EXPECT, "expect", "KEY=VALUE",
	  "refuse unless serial=, wwn=, size= or\n"
	  "diskseq= of the drive is this value" },
	{ 0, NULL, NULL, "What is shown and kept" },
	{ OPT_PROGRESS, "progress", "HOW", "auto, bar, plain, json or none (auto)" },
	{ OPT_JSON, "json", NULL, "print the records on standard output" },
	{ OPT_RECORD_DIR, "record-dir", "DIR", "folder for the records" },
	{ OPT_NO_RECORD, "no-record", NULL, "keep no record" },
	{ OPT_QUIET, "quiet", NULL, "errors only" },
	{ OPT_VERBOSE, "verbose", NULL, "more about how it is done" },
	{ 0, NULL, NULL, "Expert" },
	{ OPT_IO, "io", "auto|uring|sync", "how the drive is reached (auto)" },
	{ OPT_LIMIT_RATE, "limit-rate", "RATE", "at most so many bytes a second (50M, 1G)" },
	{ OPT_HELP, "help", NULL, "this text" },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

struct word {
	const char *text;
	int value;
};

static const struct word verify_words[] = { { "full", VERIFY_FULL },
					    { "none", VERIFY_NONE },
					    { 0 } };
static const struct word io_words[] = {
	{ "auto", IO_AUTO }, { "uring", IO_URING }, { "sync", IO_SYNC }, { 0 }
};
static const struct word progress_words[] = {
	{ "auto", PROGRESS_AUTO }, { "bar", PROGRESS_BAR },   { "plain", PROGRESS_PLAIN },
	{ "json", PROGRESS_JSON }, { "none", PROGRESS_NONE }, { 0 }
};
static const struct word expect_words[] = { { "serial", EXPECT_SERIAL },
					    { "wwn", EXPECT_WWN },
					    { "size", EXPECT_SIZE },
					    { "diskseq", EXPECT_DISKSEQ },
					    { 0 } };

static bool has_short(const struct option_row *row)
{
	return row->id < OPT_YES;
}

static const struct option_row *row_by_name(const char *name, size_t length)
{
	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].name && strlen(rows[i].name) == length &&
		    !memcmp(rows[i].name, name, length))
			return &rows[i];
	return NULL;
}

static const struct option_row *row_by_id(int id)
{
	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].name && rows[i].id == id)
			return &rows[i];
	return NULL;
}

static int word_value(const struct word *words, const char *text, int *ret_value)
{
	for (; words->text; words++) {
		if (!strcmp(words->text, text)) {
			*ret_value = words->value;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_expect(const char *argument, struct gate_policy *policy)
{
	struct expectation *expect = &policy->expect[policy->expect_count];
	const char *equals = strchr(argument, '=');
	char key[16];
	int value, r = 0;

	if (!equals || !equals[1] || policy->expect_count == EXPECT_MAX ||
	    !text_print(key, sizeof(key), "%.*s", (int)(equals - argument), argument) ||
	    word_value(expect_words, key, &value))
		return -EINVAL;
	*expect = (struct expectation){ .key = (enum expect_key)value, .text = equals + 1 };
	if (value == EXPECT_SIZE)
		r = parse_size(equals + 1, &expect->number);
	else if (value == EXPECT_DISKSEQ)
		r = parse_u64(equals + 1, &expect->number);
	if (!r)
		policy->expect_count++;
	return r;
}

/* Returns 0; -EINVAL if the argument is not one the option takes. */
static int apply(struct wipe_options *o, int id, const char *argument)
{
	int value = 0, r = 0;

	switch (id) {
	case OPT_DRY_RUN:
		o->dry_run = true;
		break;
	case OPT_VERIFY:
		r = word_value(verify_words, argument, &value);
		o->verify = (enum verify_choice)value;
		break;
	case OPT_KEEP_KEY:
		o->keep_key = true;
		break;
	case OPT_YES:
		o->yes = true;
		break;
	case OPT_EXPECT:
		r = parse_expect(argument, &o->policy);
		break;
	case OPT_PROGRESS:
		r = word_value(progress_words, argument, &value);
		o->progress = (enum progress_style)value;
		break;
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_RECORD_DIR:
		o->record_dir = argument;
		r = *argument ? 0 : -EINVAL;
		break;
	case OPT_NO_RECORD:
		o->no_record = true;
		break;
	case OPT_QUIET:
		o->level = CONSOLE_QUIET;
		break;
	case OPT_VERBOSE:
		o->level = CONSOLE_VERBOSE;
		break;
	case OPT_IO:
		r = word_value(io_words, argument, &value);
		o->io = (enum io_choice)value;
		break;
	case OPT_LIMIT_RATE:
		r = parse_size(argument, &o->rate_limit);
		if (!r && !o->rate_limit)
			r = -EINVAL;
		break;
	case OPT_HELP:
		o->help = true;
		break;
	}
	return r;
}

/* getopt_long takes "--ver" for "--verbose"; for a program that destroys data that is a trap. */
static int refuse_abbreviations(int argc, char **argv, char error[OPTIONS_ERROR_MAX])
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const char *arg = argv[i];
		const struct option_row *row;

		if (!strncmp(arg, "--", 2)) {
			row = row_by_name(arg + 2, strcspn(arg + 2, "="));
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

static void make_tables(struct option longs[ROWS + 1], char shorts[ROWS * 2 + 2])
{
	size_t n = 0, s = 0;

	shorts[s++] = ':'; /* a missing argument is reported as ':' */
	for (unsigned i = 0; i < ROWS; i++) {
		if (!rows[i].name)
			continue;
		longs[n++] = (struct option){ rows[i].name, !!rows[i].argument, NULL, rows[i].id };
		if (has_short(&rows[i]))
			shorts[s++] = (char)rows[i].id;
	}
	longs[n] = (struct option){ 0 };
	shorts[s] = '\0';
}

/* What getopt_long did not like, as a sentence. */
static void say_mistake(int c, char **argv, char error[OPTIONS_ERROR_MAX])
{
	const struct option_row *row = row_by_id(optopt);

	if (c == ':')
		(void)text_print(error, OPTIONS_ERROR_MAX, "option --%s needs a value (%s)",
				 row->name, row->argument);
	else if (row && optopt >= OPT_YES)
		(void)text_print(error, OPTIONS_ERROR_MAX, "option --%s takes no value", row->name);
	else if (row || !optopt)
		(void)text_print(error, OPTIONS_ERROR_MAX, "option %s takes no value",
				 argv[optind - 1]);
	else
		(void)text_print(error, OPTIONS_ERROR_MAX, "unknown option -%c", optopt);
}

static int check_combination(const struct wipe_options *o, char error[OPTIONS_ERROR_MAX])
{
	const char *mistake = NULL;

	if (!o->target_count)
		mistake = "no drive named";
	else if (o->target_count > TARGETS_MAX)
		mistake = "too many drives at once";
	else if (o->record_dir && o->no_record)
		mistake = "--record-dir and --no-record contradict each other";
	else if (o->keep_key && o->no_record && !o->json)
		mistake = "--keep-key keeps the key in the record, and --no-record leaves it out";
	for (unsigned i = 0; !mistake && i < o->target_count; i++)
		if (!*o->targets[i])
			mistake = "the name of a drive is empty";
	if (mistake)
		(void)text_print(error, OPTIONS_ERROR_MAX, "%s", mistake);
	return mistake ? -EINVAL : 0;
}

int options_parse(int argc, char **argv, struct wipe_options *ret, char error[OPTIONS_ERROR_MAX])
{
	struct wipe_options o = { .verify = VERIFY_FULL, .level = CONSOLE_NORMAL };
	struct option longs[ROWS + 1];
	char shorts[ROWS * 2 + 2];
	int c;

	if (refuse_abbreviations(argc, argv, error))
		return -EINVAL;
	make_tables(longs, shorts);
	optind = 0; /* start anew, also in tests that parse several times */
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == '?' || c == ':') {
			say_mistake(c, argv, error);
			return -EINVAL;
		}
		if (apply(&o, c, optarg)) {
			const struct option_row *row = row_by_id(c);

			(void)text_print(error, OPTIONS_ERROR_MAX, "--%s does not take \"%s\" (%s)",
					 row->name, optarg, row->argument);
			return -EINVAL;
		}
	}
	o.targets = argv + optind;
	o.target_count = (unsigned)(argc - optind);
	if (!o.help && check_combination(&o, error))
		return -EINVAL;
	*ret = o;
	return 0;
}

static void help_row(const struct option_row *row)
{
	char left[40], letter[8] = "   ";
	const char *line = row->help, *end;

	if (has_short(row))
		(void)text_print(letter, sizeof(letter), "-%c,", row->id);
	(void)text_print(left, sizeof(left), "  %s --%s%s%s", letter, row->name,
			 row->argument ? " " : "", row->argument ? row->argument : "");
	for (; line; line = end ? end + 1 : NULL, left[0] = '\0') {
		end = strchr(line, '\n');
		printf("%-31s %.*s\n", left, end ? (int)(end - line) : (int)strlen(line), line);
	}
}

void options_help(void)
{
	printf("Usage: stormwipe wipe [OPTION]... TARGET...\n"
	       "Fill each TARGET (a drive, a partition or a disk image) with random data and\n"
	       "read everything back. What is on it is destroyed. It asks first.\n");
	for (unsigned i = 0; i < ROWS; i++) {
		if (rows[i].name)
			help_row(&rows[i]);
		else
			printf("\n%s:\n", rows[i].help);
	}
	printf("\nExit status: 0 wiped as asked, 1 some sectors could not be written or verified,\n"
	       "2 wrong command line, 3 refused, 4 stopped before the end, 5 the system failed.\n"
	       "The whole story: man stormwipe\n");
}

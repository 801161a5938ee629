/* SPDX-License-Identifier: MIT */
/* The options of `wipe`: the table, what each means, and which contradict each other. A new one is
 * an id, a row and a case. */
#include "cli/wipe-options.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "cli/cipher.h"
#include "cli/values.h"
#include "engine/engine.h"

enum option_id {
	OPT_ALL = OPTION_LONG,
	OPT_EXCLUDE,
	OPT_YES,
	OPT_EXPECT,
	OPT_VERIFY,
	OPT_KEEP_KEY,
	OPT_PROGRESS,
	OPT_JSON,
	OPT_RECORD_DIR,
	OPT_NO_RECORD,
	OPT_IO,
	OPT_LIMIT_RATE,
	OPT_CIPHER,
	OPT_THREADS,
	OPT_DRY_RUN = 'n',
	OPT_QUIET = 'q',
	OPT_VERBOSE = 'v',
};

static const struct option_row rows[] = {
	{ 0, NULL, NULL, "What to do" },
	{ OPT_DRY_RUN, "dry-run", NULL, "show the drive and the plan, touch nothing" },
	{ OPT_ALL, "all", NULL, "every drive that may be wiped (see list)" },
	{ OPT_EXCLUDE, "exclude", "PATTERN",
	  "but not these: names, by-id names, serial\n"
	  "numbers or models, also with * and ?" },
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
	{ OPT_CIPHER, "cipher", "auto|aes-256-ctr|chacha20", "what makes the data (auto)" },
	{ OPT_THREADS, "threads", "N", "1 to 8 threads a drive at most, or auto (auto)" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

static const struct option_word verify_words[] = { { "full", VERIFY_FULL },
						   { "none", VERIFY_NONE },
						   { 0 } };
static const struct option_word progress_words[] = {
	{ "auto", PROGRESS_AUTO }, { "bar", PROGRESS_BAR },   { "plain", PROGRESS_PLAIN },
	{ "json", PROGRESS_JSON }, { "none", PROGRESS_NONE }, { 0 }
};

static int parse_rate(const char *argument, uint64_t *ret_rate)
{
	int r = parse_size(argument, ret_rate);

	return r || *ret_rate ? r : -EINVAL;
}

static int parse_threads(const char *argument, unsigned *ret_threads)
{
	uint64_t number = 0;

	if (strcmp(argument, "auto") &&
	    (parse_u64(argument, &number) || !number || number > ENGINE_THREADS_MAX))
		return -EINVAL;
	*ret_threads = (unsigned)number;
	return 0;
}

static int add_exclude(struct wipe_options *o, const char *pattern)
{
	if (!*pattern || o->exclude_count == EXCLUDES_MAX)
		return -EINVAL;
	o->excludes[o->exclude_count++] = pattern;
	return 0;
}

/* What an option without a value switches on; NULL for the others. */
static bool *switch_of(struct wipe_options *o, int id)
{
	switch (id) {
	case OPT_DRY_RUN:
		return &o->dry_run;
	case OPT_ALL:
		return &o->all;
	case OPT_KEEP_KEY:
		return &o->keep_key;
	case OPT_YES:
		return &o->yes;
	case OPT_JSON:
		return &o->json;
	case OPT_NO_RECORD:
		return &o->no_record;
	case OPTION_HELP:
		return &o->help;
	default:
		return NULL;
	}
}

/* Returns 0; -EINVAL if the argument is not one the option takes. */
static int apply(void *options, int id, const char *argument)
{
	struct wipe_options *o = options;
	bool *on = switch_of(o, id);
	int value = 0, r = 0;

	if (on)
		*on = true;

	switch (id) {
	case OPT_VERIFY:
		r = option_word(verify_words, argument, &value);
		o->verify = (enum verify_choice)value;
		break;
	case OPT_EXCLUDE:
		r = add_exclude(o, argument);
		break;
	case OPT_EXPECT:
		r = value_expect(argument, &o->policy);
		break;
	case OPT_PROGRESS:
		r = option_word(progress_words, argument, &value);
		o->progress = (enum progress_style)value;
		break;
	case OPT_RECORD_DIR:
		o->record_dir = argument;
		r = *argument ? 0 : -EINVAL;
		break;
	case OPT_QUIET:
	case OPT_VERBOSE:
		o->level = id == OPT_QUIET ? CONSOLE_QUIET : CONSOLE_VERBOSE;
		break;
	case OPT_IO:
		r = value_io(argument, &o->io);
		break;
	case OPT_LIMIT_RATE:
		r = parse_rate(argument, &o->rate_limit);
		break;
	case OPT_CIPHER:
		r = cipher_parse(argument, &o->cipher);
		break;
	case OPT_THREADS:
		r = parse_threads(argument, &o->threads);
		break;
	}
	return r;
}

static int check_combination(const struct wipe_options *o, char error[OPTIONS_ERROR_MAX])
{
	const char *mistake = NULL;

	if (o->all && o->target_count)
		mistake = "--all and the names of drives contradict each other";
	else if (o->exclude_count && !o->all)
		mistake = "--exclude goes with --all";
	else if (!o->all && !o->target_count)
		mistake = "no drive named";
	else if (o->target_count > TARGETS_MAX)
		mistake = "too many drives at once";
	else if (o->record_dir && o->no_record)
		mistake = "--record-dir and --no-record contradict each other";
	else if (o->keep_key && o->no_record && !o->json)
		mistake = "--keep-key keeps the key in the record, and --no-record leaves it out";
	if (!mistake)
		mistake = value_names_mistake(o->targets, o->target_count);
	if (mistake)
		(void)text_print(error, OPTIONS_ERROR_MAX, "%s", mistake);
	return mistake ? -EINVAL : 0;
}

static const struct option_table table = {
	.usage = "Usage: stormwipe wipe [OPTION]... TARGET...\n"
		 "       stormwipe wipe [OPTION]... --all [--exclude PATTERN]...\n"
		 "Fill each TARGET (a drive, a partition or a disk image) with random data and\n"
		 "read everything back. What is on it is destroyed. It asks first.\n",
	.ending =
		"Exit status: 0 wiped as asked, 1 some sectors could not be written or verified,\n"
		"2 wrong command line, 3 refused, 4 stopped before the end, 5 the system failed.\n"
		"The whole story: man stormwipe\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(*rows),
	.apply = apply,
};

int wipe_options_parse(int argc, char **argv, struct wipe_options *ret,
		       char error[OPTIONS_ERROR_MAX])
{
	struct wipe_options o = { .verify = VERIFY_FULL, .level = CONSOLE_NORMAL };
	int first = options_parse(&table, argc, argv, &o, error);

	if (first < 0)
		return first;
	o.targets = argv + first;
	o.target_count = (unsigned)(argc - first);
	if (!o.help && check_combination(&o, error))
		return -EINVAL;
	*ret = o;
	return 0;
}

void wipe_options_help(void)
{
	options_help(&table);
}

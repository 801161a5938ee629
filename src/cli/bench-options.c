/* SPDX-License-Identifier: MIT */
/* The options of `bench`: the table, what each means, and which contradict each other. */
#include "cli/bench-options.h"

#include <errno.h>

#include "base/text.h"
#include "cli/values.h"

enum option_id {
	OPT_WRITE = OPTION_LONG,
	OPT_YES,
	OPT_EXPECT,
	OPT_JSON,
	OPT_IO,
	OPT_QUIET = 'q',
};

static const struct option_row rows[] = {
	{ 0, NULL, NULL, "What to do" },
	{ OPT_WRITE, "write", NULL,
	  "also overwrite these places with random data:\n"
	  "destroys what is there, and asks first" },
	{ 0, NULL, NULL, "Safety, for --write" },
	{ OPT_YES, "yes", NULL, "do not ask (for scripts; see --expect)" },
	{ OPT_EXPECT, "expect", "KEY=VALUE",
	  "refuse unless serial=, wwn=, size= or\n"
	  "diskseq= of the drive is this value" },
	{ 0, NULL, NULL, "What is shown" },
	{ OPT_JSON, "json", NULL, "the figures as JSON on standard output" },
	{ OPT_QUIET, "quiet", NULL, "errors and figures only" },
	{ 0, NULL, NULL, "Expert" },
	{ OPT_IO, "io", "auto|uring|sync", "how the drive is reached (auto)" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

static int apply(void *options, int id, const char *argument)
{
	struct bench_options *o = options;

	switch (id) {
	case OPT_WRITE:
		o->write = true;
		break;
	case OPT_YES:
		o->yes = true;
		break;
	case OPT_EXPECT:
		return value_expect(argument, &o->policy);
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_QUIET:
		o->level = CONSOLE_QUIET;
		break;
	case OPT_IO:
		return value_io(argument, &o->io);
	case OPTION_HELP:
		o->help = true;
		break;
	}
	return 0;
}

/* Reading asks nothing of a drive, so an expectation would be a promise that nobody keeps. */
static int check_combination(const struct bench_options *o, char error[OPTIONS_ERROR_MAX])
{
	const char *mistake = NULL;

	if (o->write && !o->target_count)
		mistake = "--write needs a drive";
	else if (o->write && o->target_count > 1)
		mistake = "--write takes one drive at a time";
	else if (o->policy.expect_count && !o->write)
		mistake = "--expect goes with --write";
	else if (o->target_count > TARGETS_MAX)
		mistake = "too many drives at once";
	if (!mistake)
		mistake = value_names_mistake(o->targets, o->target_count);
	if (mistake)
		(void)text_print(error, OPTIONS_ERROR_MAX, "%s", mistake);
	return mistake ? -EINVAL : 0;
}

static const struct option_table table = {
	.usage = "Usage: stormwipe bench [OPTION]... [TARGET]...\n"
		 "Without a TARGET: how fast this machine makes random data, by each cipher, and\n"
		 "which one `wipe` would use. With one (a drive, a partition or a disk image):\n"
		 "how fast it reads at its start, middle and end. Reading changes nothing.\n",
	.ending = "Exit status: 0 measured, 1 some sectors could not be read or written, 2 wrong\n"
		  "command line, 3 refused, 4 stopped before the end, 5 the system failed.\n"
		  "The whole story: man stormwipe\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(*rows),
	.apply = apply,
};

int bench_options_parse(int argc, char **argv, struct bench_options *ret,
			char error[OPTIONS_ERROR_MAX])
{
	struct bench_options o = { .level = CONSOLE_NORMAL };
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

void bench_options_help(void)
{
	options_help(&table);
}

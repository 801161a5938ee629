/* SPDX-License-Identifier: MIT */
/* Finds the subcommand; answers --help and --version. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct command {
	const char *name;
	struct cli_result (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "list", cmd_list, "drives, what is on them, who uses them, which can be wiped" },
	{ "wipe", cmd_wipe, "fill drives with random data, read everything back" },
	{ "stream", cmd_stream, "the random stream on standard output, for pipes" },
	{ "bench", cmd_bench, "how fast this machine makes random data, how fast a drive is" },
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

static void print_help(void)
{
	printf("stormwipe: wipe whole drives with random data, fast, and prove it.\n\n"
	       "Usage: stormwipe COMMAND [OPTION]... [TARGET]...\n\nCommands:\n");
	for (unsigned i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	printf("\nExamples:\n"
	       "  stormwipe list                       which drives there are; changes nothing\n"
	       "  stormwipe wipe --dry-run /dev/sdb    what would be destroyed, and how\n"
	       "  stormwipe wipe /dev/sdb              asks first, then wipes and verifies\n"
	       "  stormwipe wipe --yes --expect serial=WD-WCC7K0ABCDEF \\\n"
	       "                 /dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF\n\n"
	       "stormwipe COMMAND --help tells its options; the manual: man stormwipe\n");
}

static struct cli_result usage_error(const char *what, const char *word)
{
	char clean[128];

	fprintf(stderr, "stormwipe: %s%s. See stormwipe --help.\n", what,
		text_clean(clean, sizeof(clean), word));
	return (struct cli_result){ .status = STATUS_USAGE };
}

struct cli_result cli_run(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		print_help();
	else if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		printf("stormwipe %s\n", STORMWIPE_VERSION);
	else if (argc < 2)
		return usage_error("no command given", "");
	else if (word[0] == '-')
		return usage_error("unknown option ", word);
	else {
		for (unsigned i = 0; i < COMMANDS; i++)
			if (!strcmp(word, commands[i].name))
				return commands[i].run(argc - 1, argv + 1);
		return usage_error("unknown command ", word);
	}
	return (struct cli_result){ .status = STATUS_OK };
}

/* SPDX-License-Identifier: MIT */
/* The options of `list`: the table, what each means, and which contradict each other. */
#include "cli/list-options.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/values.h"

enum option_id {
	OPT_ALL = OPTION_LONG,
	OPT_JSON,
	OPT_OUTPUT,
	OPT_NOHEADINGS,
};

/* Of a name that is no column's, for the sentence about it. */
enum { WRONG_SHOWN = 40 };

static const struct option_row rows[] = {
	{ OPT_ALL, "all", NULL,
	  "also loop, ram, zram and optical devices, and\n"
	  "what is built on drives (device-mapper, RAID)" },
	{ OPT_OUTPUT, "output", "COLUMNS", "these columns, with commas between them" },
	{ OPT_NOHEADINGS, "noheadings", NULL, "no line of headings" },
	{ OPT_JSON, "json", NULL, "all that is known, as JSON" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

static int apply(void *options, int id, const char *argument)
{
	struct list_options *o = options;

	switch (id) {
	case OPT_ALL:
		o->all = true;
		break;
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_OUTPUT:
		o->output = argument;
		break;
	case OPT_NOHEADINGS:
		o->noheadings = true;
		break;
	case OPTION_HELP:
		o->help = true;
		break;
	}
	return 0;
}

static int read_columns(struct list_options *o, char error[OPTIONS_ERROR_MAX])
{
	char names[LIST_NAMES_MAX];
	const char *wrong;
	size_t length;
	int r;

	list_columns_default(&o->columns);
	if (!o->output)
		return 0;
	r = list_columns_parse(o->output, &o->columns, &wrong);
	length = r ? strcspn(wrong, ",") : 0;
	if (r == -E2BIG)
		(void)text_print(error, OPTIONS_ERROR_MAX, "--output: too many columns");
	else if (r)
		(void)text_print(error, OPTIONS_ERROR_MAX,
				 "--output: no column \"%.*s\". There are %s",
				 (int)(length < WRONG_SHOWN ? length : WRONG_SHOWN), wrong,
				 list_columns_names(names));
	return r ? -EINVAL : 0;
}

/* An option without effect would be a promise that nobody keeps. */
static int check_combination(const struct list_options *o, char error[OPTIONS_ERROR_MAX])
{
	const char *mistake = NULL;

	if (o->json && o->output)
		mistake = "--output is for tables: --json prints everything";
	else if (o->json && o->noheadings)
		mistake = "--noheadings is for tables, not for --json";
	else if (o->target_count > TARGETS_MAX)
		mistake = "too many drives at once";
	if (!mistake)
		mistake = value_names_mistake(o->targets, o->target_count);
	if (mistake)
		(void)text_print(error, OPTIONS_ERROR_MAX, "%s", mistake);
	return mistake ? -EINVAL : 0;
}

static const struct option_table table = {
	.usage = "Usage: stormwipe list [OPTION]... [DRIVE]...\n"
		 "The drives of this machine, what is on them, who uses them, and whether `wipe`\n"
		 "would accept them; or only those DRIVEs (partitions and disk images, too).\n"
		 "Changes nothing. Root sees more.\n\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(*rows),
	.apply = apply,
	.ending =
		"Columns, the first nine by default:\n"
		"  DEVICE SIZE MODEL SERIAL BUS MEDIA WIPE USE ON-IT REASON NOTES TWINS NAME\n"
		"  PATH BY-ID VENDOR FIRMWARE WWN PORT BRIDGE TYPE SIZE-BYTES SECTORS RO ROTA\n"
		"  REMOVABLE DISKSEQ DEVNO BACKING\n\n"
		"Exit status: 0 listed, 2 wrong command line, 5 the system failed or there is no\n"
		"such DRIVE. The whole story: man stormwipe\n",
};

int list_options_parse(int argc, char **argv, struct list_options *ret,
		       char error[OPTIONS_ERROR_MAX])
{
	struct list_options o = { 0 };
	int first = options_parse(&table, argc, argv, &o, error);

	if (first < 0)
		return first;
	o.targets = argv + first;
	o.target_count = (unsigned)(argc - first);
	if (read_columns(&o, error) || (!o.help && check_combination(&o, error)))
		return -EINVAL;
	*ret = o;
	return 0;
}

void list_options_help(void)
{
	options_help(&table);
}

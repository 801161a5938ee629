/* SPDX-License-Identifier: MIT */
/* The command line of `stormwipe list`. */
#ifndef CLI_LIST_OPTIONS_H
#define CLI_LIST_OPTIONS_H

#include "cli/list-columns.h"
#include "cli/options.h"

struct list_options {
	struct list_columns columns;
	bool json;
	bool noheadings;
	bool all;
	bool help;
	const char *output;    /* what --output said, into argv; NULL: nothing */
	char **targets;	       /* into argv */
	unsigned target_count; /* 0: all drives */
};

/*
 * Parses argv[1] .. of `list` and checks that the options go together. Opens nothing.
 * Returns 0; -EINVAL with one sentence about the first mistake in @error.
 */
int list_options_parse(int argc, char **argv, struct list_options *ret_options,
		       char error[OPTIONS_ERROR_MAX]);

/* Prints `list --help` to standard output. */
void list_options_help(void);

#endif

/* SPDX-License-Identifier: MIT */
/* PURE: the columns of `list`: their names, and what stands in them. */
#ifndef CLI_LIST_COLUMNS_H
#define CLI_LIST_COLUMNS_H

#include "cli/list-words.h"

enum { LIST_COLUMNS_MAX = 64, LIST_NAMES_MAX = 320 };

struct list_column {
	const char *name;    /* as --output takes it, in capitals */
	const char *heading; /* what stands above it; NULL: its name */
	bool right;	     /* numbers stand at the right */
	size_t text;	     /* offset in struct drive_facts of the text that stands in it … */
	void (*make)(char buf[LIST_TEXT_MAX], const struct list_row *row); /* … unless this says */
};

struct list_columns {
	const struct list_column *items[LIST_COLUMNS_MAX];
	unsigned count;
};

/* Those that are shown if nothing else is asked for. */
void list_columns_default(struct list_columns *ret_columns);

/*
 * Names with commas between them, in capitals or not, in the order in which they are wanted.
 * Returns 0; -EINVAL with the place of the first that is none in @ret_wrong; -E2BIG.
 */
int list_columns_parse(const char *text, struct list_columns *ret_columns, const char **ret_wrong);

/* The names of all, with spaces between them. Returns @buf. */
char *list_columns_names(char buf[LIST_NAMES_MAX]);

/* What stands in a column, "-" if nothing is known; clean text. Returns @buf. */
char *list_cell(char buf[LIST_TEXT_MAX], const struct list_column *column,
		const struct list_row *row);

#endif

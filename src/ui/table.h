/* SPDX-License-Identifier: MIT */
/* Tables as lsblk prints them: columns as wide as they need to be, no frames, no colour. */
#ifndef UI_TABLE_H
#define UI_TABLE_H

#include <stdbool.h>

struct table;

struct table_column {
	const char *name; /* in capitals */
	bool right;	  /* numbers stand at the right */
};

/* Makes a table without rows. Returns 0; -ENOMEM. */
int table_new(const struct table_column *columns, unsigned count, struct table **ret_table);

/* Adds a row; @cells: one text for each column, copied; plain ASCII, for there is no locale here.
 * Returns 0; -ENOMEM. */
int table_add(struct table *table, const char *const *cells);

/* The table with its heading, a newline at the end of each line. The same whatever it is printed
 * to. The caller frees it with free(). Returns 0; -ENOMEM. */
int table_text(struct table *table, char **ret_text);

/* Accepts NULL. */
void table_free(struct table *table);

#endif

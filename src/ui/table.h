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

/* Leaves the heading out, and makes no room for it. */
void table_hide_heading(struct table *table);

/* Adds a row; @cells: one text for each column, copied; clean UTF-8 (see text_clean()). Returns 0;
 * -ENOMEM. */
int table_add(struct table *table, const char *const *cells);

/* The table, a newline at the end of each line; without rows its heading alone. The same whatever
 * it is printed to. To be called once. The caller frees the text with free(). Returns 0; -ENOMEM.
 */
int table_text(struct table *table, char **ret_text);

/* Accepts NULL. */
void table_free(struct table *table);

#endif

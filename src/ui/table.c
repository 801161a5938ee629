/* SPDX-License-Identifier: MIT */
/* Tables. The only file that knows libsmartcols, whose calls return -errno. */
#include "ui/table.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

struct table {
	struct libscols_table *cols;
	unsigned columns;
};

int table_new(const struct table_column *columns, unsigned count, struct table **ret_table)
{
	struct table *table = calloc(1, sizeof(*table));
	bool made = table && (table->cols = scols_new_table());

	if (made) {
		table->columns = count;
		/* As wide as needed: neither cut at the terminal's edge nor stretched to it. */
		made = !scols_table_set_termforce(table->cols, SCOLS_TERMFORCE_NEVER) &&
		       !scols_table_set_column_separator(table->cols, "  ");
	}
	for (unsigned i = 0; made && i < count; i++)
		made = scols_table_new_column(table->cols, columns[i].name, 0,
					      columns[i].right ? SCOLS_FL_RIGHT : 0);
	if (!made) {
		table_free(table);
		return -ENOMEM;
	}
	*ret_table = table;
	return 0;
}

int table_add(struct table *table, const char *const *cells)
{
	struct libscols_line *line = scols_table_new_line(table->cols, NULL);
	int r = line ? 0 : -ENOMEM;

	for (unsigned i = 0; !r && i < table->columns; i++)
		r = scols_line_set_data(line, i, cells[i]);
	return r;
}

/* Takes away the spaces before each end of line, which stand for empty cells. */
static void trim_lines(char *text)
{
	char *to = text, *last = text; /* behind the last character that stays */

	for (const char *from = text; *from; from++) {
		if (*from == '\n')
			to = last;
		*to++ = *from;
		if (*from != ' ')
			last = to;
	}
	*last = '\0';
}

int table_text(struct table *table, char **ret_text)
{
	char *text, *lines;

	if (scols_print_table_to_string(table->cols, &text))
		return -ENOMEM;
	trim_lines(text);
	/* The last line comes without its end. */
	lines = realloc(text, strlen(text) + 2);
	if (!lines) {
		free(text);
		return -ENOMEM;
	}
	memcpy(lines + strlen(lines), "\n", 2);
	*ret_text = lines;
	return 0;
}

void table_free(struct table *table)
{
	if (table && table->cols)
		scols_unref_table(table->cols);
	free(table);
}

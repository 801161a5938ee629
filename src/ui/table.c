/* SPDX-License-Identifier: MIT */
/*
 * Tables. The only file that knows libsmartcols, whose calls return -errno.
 *
 * libsmartcols asks the locale what a character is, and there is none here: of text that is not
 * ASCII it would print the bytes' numbers. So it is given STAND_IN for each such character, and the
 * characters are put back into what it made, in the order in which they came.
 */
#include "ui/table.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

enum { STAND_IN = '?', ASCII_END = 0x80 };

struct table {
	struct libscols_table *cols;
	unsigned columns;
	bool heading;
	char *strange; /* the characters that STAND_IN stands for */
	size_t strange_length;
};

int table_new(const struct table_column *columns, unsigned count, struct table **ret_table)
{
	struct table *table = calloc(1, sizeof(*table));
	bool made = table && (table->cols = scols_new_table());

	if (made) {
		table->columns = count;
		table->heading = true;
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

void table_hide_heading(struct table *table)
{
	table->heading = false;
	(void)scols_table_enable_noheadings(table->cols, 1);
	/* Else columns would be as wide as what is not there. */
	for (unsigned i = 0; i < table->columns; i++)
		(void)scols_cell_set_data(
			scols_column_get_header(scols_table_get_column(table->cols, i)), "");
}

static bool is_ascii(char c)
{
	return (unsigned char)c < ASCII_END;
}

/* Of what STAND_IN stands for. It is one of these itself, as is what libsmartcols would escape. */
static bool is_strange(char c)
{
	return !is_ascii(c) || c == STAND_IN || c == '\\';
}

/* Bytes of the character at @text, as UTF-8 has them. */
static size_t character_bytes(const char *text)
{
	size_t n = 1;

	if (!is_ascii(*text))
		while (((unsigned char)text[n] & 0xc0) == 0x80)
			n++;
	return n;
}

/* Sets @plain, which has room for @cell, to the text with its strange characters noted. */
static int make_plain(struct table *table, const char *cell, char *plain)
{
	char *strange = realloc(table->strange, table->strange_length + strlen(cell) + 1);

	if (!strange)
		return -ENOMEM;
	table->strange = strange;
	for (size_t n; *cell; cell += n) {
		n = character_bytes(cell);
		*plain++ = is_strange(*cell) ? STAND_IN : *cell;
		if (!is_strange(*cell))
			continue;
		memcpy(strange + table->strange_length, cell, n);
		table->strange_length += n;
	}
	*plain = '\0';
	strange[table->strange_length] = '\0';
	return 0;
}

static int add_cell(struct table *table, struct libscols_line *line, unsigned i, const char *cell)
{
	_cleanup_free_ char *plain = malloc(strlen(cell) + 1);
	int r = plain ? make_plain(table, cell, plain) : -ENOMEM;

	return r ? r : scols_line_set_data(line, i, plain);
}

int table_add(struct table *table, const char *const *cells)
{
	struct libscols_line *line = scols_table_new_line(table->cols, NULL);
	int r = line ? 0 : -ENOMEM;

	for (unsigned i = 0; !r && i < table->columns; i++)
		r = add_cell(table, line, i, cells[i]);
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

/* Copies @text to @to with the strange characters in their places, and ends the last line. */
static void put_back(const struct table *table, const char *text, char *to)
{
	const char *strange = table->strange;

	for (; *text; text++) {
		size_t n;

		if (*text != STAND_IN) {
			*to++ = *text;
			continue;
		}
		n = character_bytes(strange);
		memcpy(to, strange, n);
		to += n;
		strange += n;
	}
	memcpy(to, "\n", 2);
}

/* libsmartcols prints nothing of a table without rows. */
static int print_heading(struct table *table, char **ret_text)
{
	char *end;

	if (!scols_table_new_line(table->cols, NULL) ||
	    scols_print_table_to_string(table->cols, ret_text))
		return -ENOMEM;
	end = strchr(*ret_text, '\n');
	if (end)
		*end = '\0';
	return 0;
}

int table_text(struct table *table, char **ret_text)
{
	bool rows = scols_table_get_nlines(table->cols) > 0;
	_cleanup_free_ char *text = NULL;
	int r;

	if (!rows && !table->heading) {
		*ret_text = calloc(1, 1);
		return *ret_text ? 0 : -ENOMEM;
	}
	r = rows ? scols_print_table_to_string(table->cols, &text) : print_heading(table, &text);
	if (r)
		return -ENOMEM;
	trim_lines(text);
	/* The last line comes without its end. */
	*ret_text = malloc(strlen(text) + table->strange_length + 2);
	if (!*ret_text)
		return -ENOMEM;
	put_back(table, text, *ret_text);
	return 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	if (table->cols)
		scols_unref_table(table->cols);
	free(table->strange);
	free(table);
}

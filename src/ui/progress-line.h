/* SPDX-License-Identifier: MIT */
/* PURE: one drive's line of the progress bar, for a given width. Private to ui/progress*.c. */
#ifndef UI_PROGRESS_LINE_H
#define UI_PROGRESS_LINE_H

#include "ui/progress-style.h"

/* Wider terminals get lines of this width. A column takes at most four bytes. */
enum { LINE_COLUMNS_MAX = 400, LINE_BYTES_MAX = LINE_COLUMNS_MAX * 4 };

/* Columns that clean @text takes, at most: what may be two columns wide counts as two. */
unsigned line_columns(const char *text);

/* The column that names get when the longest of all drives takes @longest. */
unsigned line_name_columns(unsigned longest, unsigned columns);

/*
 * Never wider than @columns - 1; richer the more room there is. @name_columns: from
 * line_name_columns(). No line end.
 */
void line_make(char line[LINE_BYTES_MAX], const struct view *view, unsigned columns,
	       unsigned name_columns);

#endif

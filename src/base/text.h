/* SPDX-License-Identifier: MIT */
/* Strings from drives and file names, made safe for a terminal, for JSON and for a file name. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies @src to @dst (at most @size bytes with the terminating zero) so that it is valid UTF-8
 * without control characters (C0, DEL, C1): each byte that is not part of such text becomes \xNN.
 * Leading and trailing spaces go. What does not fit is cut between characters. Returns @dst.
 */
char *text_clean(char *dst, size_t size, const char *src);

/* Number of characters (code points) of valid UTF-8 @text: its width on a terminal, roughly. */
size_t text_columns(const char *text);

/*
 * Copies @src to @dst as a part of a file name: letters, digits, '.', '_', '+', '=' and '-' stay, a
 * run of anything else becomes one '_', a leading '.' or '-' becomes '_'. Empty gives "unknown".
 */
char *text_slug(char *dst, size_t size, const char *src);

/* Whether @text begins with @start. */
bool text_starts_with(const char *text, const char *start);

/* Whether @text is one of @list, which ends with NULL. */
bool text_is_one_of(const char *text, const char *const *list);

/* snprintf that says whether everything fitted. */
bool text_print(char *dst, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same behind the text that is in @dst already; what does not fit is cut. */
bool text_append(char *dst, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

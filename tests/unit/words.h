/* SPDX-License-Identifier: MIT */
/* A command line in a string, for the tests of options. */
#ifndef UNIT_WORDS_H
#define UNIT_WORDS_H

enum { WORDS_MAX_COUNT = 12 };

/* Splits @line at spaces into @argv, ended by NULL; '' is an empty word. The words live until the
 * next call. Returns their number. */
int split_words(const char *line, char *argv[WORDS_MAX_COUNT + 1]);

#endif

/* SPDX-License-Identifier: MIT */
/* A command line in a string. */
#include "words.h"

#include <stddef.h>
#include <string.h>

int split_words(const char *line, char *argv[WORDS_MAX_COUNT + 1])
{
	static char copy[512], empty[1];
	int argc = 0;

	(void)strncpy(copy, line, sizeof(copy) - 1);
	for (char *word = strtok(copy, " "); word && argc < WORDS_MAX_COUNT;
	     word = strtok(NULL, " "))
		argv[argc++] = strcmp(word, "''") ? word : empty;
	argv[argc] = NULL;
	return argc;
}

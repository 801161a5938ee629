/* SPDX-License-Identifier: MIT */
/* What the command lines of all subcommands share: a table says what the options are, and parsing,
 * the sentences about mistakes and --help are made from it. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

enum {
	OPTIONS_ERROR_MAX = 512,
	OPTIONS_ROWS_MAX = 48,
	OPTION_LONG = 256, /* the first id of options without a letter */
	OPTION_HELP = 'h', /* every table has it */
};

struct option_row {
	int id;		  /* the letter of the short option; from OPTION_LONG on there is none */
	const char *name; /* NULL: a heading for --help, which is in @help */
	const char *argument; /* NULL: takes none. Options with a letter take none */
	const char *help;     /* at most 48 columns a line */
};

struct option_table {
	const char *usage;  /* what --help says before the options, with its last newline */
	const char *ending; /* and after them */
	const struct option_row *rows;
	unsigned count;
	/*
	 * Notes one option in @options, the struct of the subcommand. @argument points into argv,
	 * NULL where the option takes none. Returns 0; an error if the argument is not one it
	 * takes.
	 */
	int (*apply)(void *options, int id, const char *argument);
};

/* A list of words that an option takes ends with a row without text. */
struct option_word {
	const char *text;
	int value;
};

/* Returns 0; -EINVAL if @text is none of @words. */
int option_word(const struct option_word *words, const char *text, int *ret_value);

/*
 * Parses argv[1] .. (argv[0] is the subcommand's name) and moves the operands behind the options.
 * Names cannot be abbreviated; "--" ends the options. Opens nothing. Returns the index of the first
 * operand, argc without any; -EINVAL with one sentence about the first mistake in @error, without a
 * full stop.
 */
int options_parse(const struct option_table *table, int argc, char **argv, void *options,
		  char error[OPTIONS_ERROR_MAX]);

/* Prints --help, at most 80 columns wide, to standard output. */
void options_help(const struct option_table *table);

#endif

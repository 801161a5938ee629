/* SPDX-License-Identifier: MIT */
/* The command line of `stormwipe stream`. */
#ifndef CLI_STREAM_OPTIONS_H
#define CLI_STREAM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"

struct stream_options {
	uint64_t seek;	      /* position of the first byte */
	uint64_t bytes;	      /* only where @bounded */
	bool bounded;	      /* --bytes was given; otherwise to the end of the stream, 2^64 */
	const char *key_file; /* NULL: a new random key; "-": standard input */
	const char *cipher;   /* CIPHER_...; NULL: the one that suits this CPU */
	bool to_terminal;
	bool help;
};

/*
 * Parses argv[1] .. of `stream` and checks that the bytes asked for exist. Opens nothing.
 * Returns 0; -EINVAL with one sentence about the first mistake in @error.
 */
int stream_options_parse(int argc, char **argv, struct stream_options *ret_options,
			 char error[OPTIONS_ERROR_MAX]);

/* Prints `stream --help` to standard output. */
void stream_options_help(void);

#endif

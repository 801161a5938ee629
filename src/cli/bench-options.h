/* SPDX-License-Identifier: MIT */
/* The command line of `stormwipe bench`. */
#ifndef CLI_BENCH_OPTIONS_H
#define CLI_BENCH_OPTIONS_H

#include "cli/options.h"
#include "device/gate.h"
#include "engine/backend.h"
#include "ui/console.h"

struct bench_options {
	struct gate_policy policy; /* what --expect said */
	bool write;
	bool yes;
	bool json;
	bool help;
	enum io_choice io;
	enum console_level level;
	char **targets;	       /* into argv */
	unsigned target_count; /* 0: the ciphers */
};

/*
 * Parses argv[1] .. of `bench` and checks that the options go together. Opens nothing.
 * Returns 0; -EINVAL with one sentence about the first mistake in @error.
 */
int bench_options_parse(int argc, char **argv, struct bench_options *ret_options,
			char error[OPTIONS_ERROR_MAX]);

/* Prints `bench --help` to standard output. */
void bench_options_help(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The command line of `stormwipe wipe`: one table, from which parsing and --help are made. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "device/gate.h"
#include "engine/backend.h"
#include "job/plan.h"
#include "ui/console.h"
#include "ui/progress.h"

struct wipe_options {
	struct gate_policy policy; /* what --expect said */
	bool yes;
	bool dry_run;
	bool json;
	bool keep_key;
	bool no_record;
	bool help;
	enum verify_choice verify;
	enum progress_style progress;
	enum io_choice io;
	enum console_level level;
	uint64_t rate_limit;	/* bytes a second, 0: none */
	const char *record_dir; /* NULL: the default folder */
	char **targets;		/* into argv */
	unsigned target_count;
};

enum { OPTIONS_ERROR_MAX = 256, TARGETS_MAX = 256 };

/*
 * Parses argv[1] .. of `wipe`. Option names cannot be abbreviated; "--" ends them. Opens nothing.
 * Returns 0; -EINVAL with one sentence about the first mistake in @error.
 */
int options_parse(int argc, char **argv, struct wipe_options *ret_options,
		  char error[OPTIONS_ERROR_MAX]);

/* Prints `wipe --help`, at most 80 columns wide, to standard output. */
void options_help(void);

#endif

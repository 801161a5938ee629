/* SPDX-License-Identifier: MIT */
/* The command line of `stormwipe wipe`. */
#ifndef CLI_WIPE_OPTIONS_H
#define CLI_WIPE_OPTIONS_H

#include "cli/options.h"
#include "device/gate.h"
#include "engine/backend.h"
#include "job/plan.h"
#include "ui/console.h"
#include "ui/progress.h"

enum { EXCLUDES_MAX = 64 };

struct wipe_options {
	struct gate_policy policy; /* what --expect said */
	bool all;
	const char *excludes[EXCLUDES_MAX]; /* patterns; into argv */
	unsigned exclude_count;
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
	const char *cipher;	/* NULL: chosen */
	unsigned threads;	/* for each drive at most; 0: as many as cores are free */
	const char *record_dir; /* NULL: the default folder */
	char **targets;		/* into argv */
	unsigned target_count;
};

/*
 * Parses argv[1] .. of `wipe` and checks that the options go together. Opens nothing.
 * Returns 0; -EINVAL with one sentence about the first mistake in @error.
 */
int wipe_options_parse(int argc, char **argv, struct wipe_options *ret_options,
		       char error[OPTIONS_ERROR_MAX]);

/* Prints `wipe --help` to standard output. */
void wipe_options_help(void);

#endif

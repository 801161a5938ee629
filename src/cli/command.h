/* SPDX-License-Identifier: MIT */
/* The subcommands: one function each, one cmd-*.c each. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

#include "job/result.h"

struct cli_result {
	enum exit_status status;
	bool left_behind; /* threads still hang in a drive: end the process without tidying up */
};

/* argv[0] is the subcommand's name. */
struct cli_result cmd_bench(int argc, char **argv);
struct cli_result cmd_list(int argc, char **argv);
struct cli_result cmd_wipe(int argc, char **argv);
struct cli_result cmd_stream(int argc, char **argv);

#endif

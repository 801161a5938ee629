/* SPDX-License-Identifier: MIT */
/* The command line in, the exit status out. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/command.h"

struct cli_result cli_run(int argc, char **argv);

#endif

/* SPDX-License-Identifier: MIT */
/* Prepares the process, calls cli, maps its result to the exit status. */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/io.h"
#include "cli/cli.h"

int main(int argc, char **argv)
{
	const struct rlimit no_core = { 0, 0 };
	struct rlimit files;
	struct cli_result result;

	if (io_guard_standard_fds())
		return STATUS_SYSTEM;
	/* The cipher's state holds keys: no core dumps. */
	(void)setrlimit(RLIMIT_CORE, &no_core);
	/* Some descriptors for each of perhaps hundreds of drives. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	result = cli_run(argc, argv);
	/* Output that was asked for and could not be written is a failure of its own. */
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "stormwipe: cannot write to standard output.\n");
		if (result.status < STATUS_SYSTEM)
			result.status = STATUS_SYSTEM;
	}
	if (result.left_behind)
		_exit((int)result.status);
	return (int)result.status;
}

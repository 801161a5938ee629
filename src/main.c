/* SPDX-License-Identifier: MIT */
/* Prepares the process, calls cli, maps its result to the exit status. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/io.h"
#include "cli/cli.h"

int main(int argc, char **argv)
{
	const struct rlimit no_core = { 0, 0 };
	struct rlimit files;
	struct cli_result result;
	int error;

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
	error = fflush(stdout) ? errno : 0;
	if (error || ferror(stdout)) {
		/* An error of an earlier moment has lost its reason. */
		fprintf(stderr, "stormwipe: cannot write to standard output%s%s.\n",
			error ? ": " : "", error ? strerror(error) : "");
		if (result.status < STATUS_SYSTEM)
			result.status = STATUS_SYSTEM;
	}
	if (result.left_behind)
		_exit((int)result.status);
	return (int)result.status;
}

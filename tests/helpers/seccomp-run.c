/* SPDX-License-Identifier: MIT */
/*
 * seccomp-run SYSCALL ERRNO COMMAND...: runs a command for which one system call fails with one
 * error, as container profiles do it. Also without root.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct name {
	const char *text;
	int value;
} calls[] = { { "io_uring_setup", SYS_io_uring_setup },
	      { "io_uring_enter", SYS_io_uring_enter },
	      { "io_uring_register", SYS_io_uring_register },
	      { "getrandom", SYS_getrandom },
	      { "fdatasync", SYS_fdatasync },
	      { NULL, 0 } },
  errors[] = { { "EPERM", EPERM },   { "ENOSYS", ENOSYS }, { "EINVAL", EINVAL },
	       { "ENOMEM", ENOMEM }, { "EIO", EIO },	   { NULL, 0 } };

static int value_of(const struct name *names, const char *text)
{
	for (; names->text; names++)
		if (!strcmp(names->text, text))
			return names->value;
	fprintf(stderr, "seccomp-run: unknown word %s\n", text);
	exit(99);
}

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(*code), .filter = code };

	if (argc < 4)
		return 99;
	code[1].k = (unsigned)value_of(calls, argv[1]);
	code[2].k |= (unsigned)value_of(errors, argv[2]);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("seccomp-run");
		return 77;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 99;
}

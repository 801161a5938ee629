/* SPDX-License-Identifier: MIT */
/* Loop devices by ioctl, so that the tests need no other program for them. */
#include "loop-device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Other tests take loop devices at the same time: the free one can be gone. */
enum { ATTACH_TRIES = 100 };

/* Tests make no more than these. */
enum { PARTITIONS_MAX = 2 };

void need_loop_devices(void)
{
	if (!geteuid() && !access("/dev/loop-control", R_OK | W_OK))
		return;
	print_message("# skipped: needs root and loop devices\n");
	skip();
}

static int free_number(void)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);

	if (control >= 0)
		(void)close(control);
	return number;
}

/* Returns 0; -errno. */
static int attach_once(struct loop_device *loop, const struct loop_config *config)
{
	int error;

	(void)snprintf(loop->node, sizeof(loop->node), "/dev/loop%d", free_number());
	loop->fd = open(loop->node, O_RDWR | O_CLOEXEC);
	if (loop->fd < 0)
		return -errno;
	if (!ioctl(loop->fd, LOOP_CONFIGURE, config))
		return 0;
	error = errno;
	(void)close(loop->fd);
	loop->fd = -1;
	return -error;
}

static bool attach(struct loop_device *loop, const char *path, unsigned sector, bool read_only)
{
	int backing = open(path, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	struct loop_config config = {
		.fd = (unsigned)backing,
		.block_size = sector,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR | (read_only ? LO_FLAGS_READ_ONLY : 0),
	};
	int r = -EBUSY;

	if (backing < 0)
		return false;
	for (int i = 0; r == -EBUSY && i < ATTACH_TRIES; i++)
		r = attach_once(loop, &config);
	(void)close(backing);
	return !r;
}

bool loop_new(struct loop_device *loop, uint64_t size, unsigned sector, bool read_only)
{
	bool made;
	int fd;

	*loop = (struct loop_device){ .fd = -1, .image = "/tmp/stormwipe-loop-XXXXXX" };
	fd = mkostemp(loop->image, O_CLOEXEC);
	if (fd < 0)
		return false;
	made = !ftruncate(fd, (off_t)size) && attach(loop, loop->image, sector, read_only);
	(void)close(fd);
	if (!made)
		loop_free(loop);
	return made;
}

bool loop_on(struct loop_device *loop, const char *path)
{
	*loop = (struct loop_device){ .fd = -1 };
	return attach(loop, path, 0, false);
}

static bool partition_ioctl(const struct loop_device *loop, int op, int number, uint64_t start,
			    uint64_t size)
{
	struct blkpg_partition partition = {
		.start = (long long)start,
		.length = (long long)size,
		.pno = number,
	};
	struct blkpg_ioctl_arg arg = {
		.op = op,
		.datalen = sizeof(partition),
		.data = &partition,
	};

	return !ioctl(loop->fd, BLKPG, &arg);
}

/* The kernel keeps such a partition when the device is detached; one can be left from a test that
 * died. */
bool loop_add_partition(const struct loop_device *loop, int number, uint64_t start, uint64_t size)
{
	(void)partition_ioctl(loop, BLKPG_DEL_PARTITION, number, 0, 0);
	return partition_ioctl(loop, BLKPG_ADD_PARTITION, number, start, size);
}

void loop_free(struct loop_device *loop)
{
	if (loop->fd >= 0) {
		for (int i = 1; i <= PARTITIONS_MAX; i++)
			(void)partition_ioctl(loop, BLKPG_DEL_PARTITION, i, 0, 0);
		(void)close(loop->fd);
	}
	if (*loop->image)
		(void)unlink(loop->image);
	*loop = (struct loop_device){ .fd = -1 };
}

int run_program(const char *const argv[])
{
	static const char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	(void)putenv((char *)(uintptr_t)path);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, *argv, &actions, NULL, (char *const *)(uintptr_t)argv, environ))
		status = 127;
	else if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		status = -1;
	else
		status = WEXITSTATUS(status);
	(void)posix_spawn_file_actions_destroy(&actions);
	return status;
}

/* SPDX-License-Identifier: MIT */
/* Loop devices and what is behind them: the kernel lists neither as a holder. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/sysfs.h"
#include "device/tables-inside.h"

/* By name, which can lead elsewhere in this namespace, or nowhere. */
static void look_by_path(struct loop_device *loop)
{
	struct stat st;

	if (stat(loop->path, &st))
		return;
	if (S_ISBLK(st.st_mode)) {
		loop->block = st.st_rdev;
	} else {
		loop->device = st.st_dev;
		loop->inode = st.st_ino;
	}
}

/*
 * The kernel's own word, where the node may be opened. What it says second of a file is nothing, or
 * the number of its file system once more; of a device it is the device.
 */
static bool look_by_node(const struct system_roots *roots, struct loop_device *loop)
{
	_cleanup_close_ int fd = -EBADF;
	struct loop_info64 info;
	char path[PATH_MAX];

	if (!text_print(path, sizeof(path), "%s/%s", roots->dev, sysfs_name(loop->folder)))
		return false;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info))
		return false;
	if (info.lo_rdevice && info.lo_rdevice != info.lo_device) {
		loop->block = (dev_t)info.lo_rdevice;
	} else {
		loop->device = (dev_t)info.lo_device;
		loop->inode = info.lo_inode;
	}
	return true;
}

static int add_loop(struct tables *t, const char *name)
{
	struct loop_device loop = { 0 }, *loops;
	char path[PATH_MAX];

	if (!text_print(path, sizeof(path), "%s/block/%s", t->roots->sys, name) ||
	    sysfs_raw(path, "loop/backing_file", loop.path, sizeof(loop.path)) <= 0 ||
	    !realpath(path, loop.folder))
		return 0;
	if (!look_by_node(t->roots, &loop))
		look_by_path(&loop);
	loops = realloc(t->loops, (t->loop_count + 1) * sizeof(*loops));
	if (!loops)
		return -ENOMEM;
	t->loops = loops;
	loops[t->loop_count++] = loop;
	return 0;
}

int tables_read_loops(struct tables *t)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	int r = 0;

	if (text_print(path, sizeof(path), "%s/block", t->roots->sys))
		dir = opendir(path);
	while (!r && dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "loop", strlen("loop")))
			r = add_loop(t, entry->d_name);
	return r;
}

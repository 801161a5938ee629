/* SPDX-License-Identifier: MIT */
/* The choice of a backend, and what all backends need to know of a descriptor. */
#include "engine/backend.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int backend_open(enum io_choice choice, int fd, const struct io_buffers *buffers,
		 struct backend **ret_backend, int *ret_why_not)
{
	int why_not = 0, r = -ENOSYS;

	if (choice != IO_SYNC) {
		r = backend_uring_new(fd, buffers, 0, ret_backend);
		why_not = -r;
	}
	if (r && choice != IO_URING)
		r = backend_sync_new(fd, buffers, ret_backend);
	if (r)
		return r;
	if (ret_why_not)
		*ret_why_not = why_not;
	return 0;
}

void backend_free(struct backend *b)
{
	if (b)
		b->ops->free(b);
}

int backend_fd_size(int fd, uint64_t *ret_size)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISREG(st.st_mode)) {
		*ret_size = (uint64_t)st.st_size;
		return 0;
	}
	if (ioctl(fd, BLKGETSIZE64, ret_size) < 0)
		return -errno;
	return 0;
}

int backend_fd_flush(int fd)
{
	int r;

	do
		r = fdatasync(fd);
	while (r && errno == EINTR);
	return r ? -errno : 0;
}

/* SPDX-License-Identifier: MIT */
/* Small files whole, folders, and the three descriptors that every program starts with. */
#include "base/io.h"

#include "base/cleanup.h"
#include "base/secret.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* ".", 16 hexadecimal digits, ".tmp" */
	TEMPORARY_SUFFIX = 21,
	TEMPORARY_BASE_MAX = NAME_MAX - TEMPORARY_SUFFIX,
};

ssize_t io_read_all(int fd, void *buf, size_t size)
{
	char *to = buf;
	size_t used = 0;

	while (used < size) {
		ssize_t got = read(fd, to + used, size - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		used += (size_t)got;
	}
	return (ssize_t)used;
}

ssize_t io_read_text(int dirfd, const char *path, char *buf, size_t size)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t used;

	assert(size > 0);
	if (fd < 0)
		return -errno;
	used = io_read_all(fd, buf, size - 1);
	if (used < 0)
		return used;
	if (used && buf[used - 1] == '\n')
		used--;
	buf[used] = '\0';
	return used;
}

/* Somebody else may have made the descriptor non-blocking: it is shared with other programs. */
static int wait_writable(int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };

	return poll(&wanted, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int io_write_all(int fd, const void *data, size_t length)
{
	const char *from = data;
	int r = 0;

	while (!r && length) {
		ssize_t done = write(fd, from, length);

		if (done > 0) {
			from += done;
			length -= (size_t)done;
		} else if (done < 0 && errno == EAGAIN) {
			r = wait_writable(fd);
		} else if (!done || errno != EINTR) {
			r = done ? -errno : -EIO;
		}
	}
	return r;
}

static int write_new_file(int dirfd, const char *name, const void *data, size_t length)
{
	_cleanup_close_ int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return -errno;
	r = io_write_all(fd, data, length);
	if (!r && fsync(fd))
		r = -errno;
	/* Some file systems report a failed write no earlier than here. */
	if (close(TAKE_FD(fd)) && !r)
		r = -errno;
	if (r)
		(void)unlinkat(dirfd, name, 0);
	return r;
}

int io_replace_file(int dirfd, const char *name, const void *data, size_t length)
{
	char temporary[NAME_MAX + 1];
	uint64_t random;
	int r;

	assert(!strchr(name, '/'));
	/* So many random bits never meet a name that is in use; O_EXCL would say so. */
	r = secret_random(&random, sizeof(random));
	if (r)
		return r;
	(void)text_print(temporary, sizeof(temporary), "%.*s.%016" PRIx64 ".tmp",
			 TEMPORARY_BASE_MAX, name, random);
	r = write_new_file(dirfd, temporary, data, length);
	if (r)
		return r;
	if (renameat(dirfd, temporary, dirfd, name)) {
		r = -errno;
		(void)unlinkat(dirfd, temporary, 0);
		return r;
	}
	/* EINVAL: this file system has no fsync for folders. */
	return fsync(dirfd) && errno != EINVAL ? -errno : 0;
}

static int make_folders(const char *path)
{
	char part[PATH_MAX];

	if (!text_print(part, sizeof(part), "%s", path))
		return -ENAMETOOLONG;
	for (char *end = part; *end;) {
		char cut;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		cut = *end;
		*end = '\0';
		if (mkdir(part, 0700) && errno != EEXIST)
			return -errno;
		*end = cut;
	}
	return 0;
}

int io_open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (fd >= 0 || errno != ENOENT)
		return fd >= 0 ? fd : -errno;
	r = make_folders(path);
	if (r)
		return r;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : -errno;
}

int io_guard_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* The lowest free number is given out, and all below this one are taken. */
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return -errno;
	}
	return 0;
}

bool io_writable(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

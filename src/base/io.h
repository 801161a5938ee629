/* SPDX-License-Identifier: MIT */
/* Whole-file reads and writes for small files (sysfs attributes, records); never for drives. */
#ifndef BASE_IO_H
#define BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads until the end or until @buf, of @size bytes, is full, whatever number of calls that takes.
 * Leaves no copy anywhere else. Returns the number of bytes; -errno. */
ssize_t io_read_all(int fd, void *buf, size_t size);

/*
 * Reads at most @size - 1 bytes of the file @path into @buf, ends it with a zero and drops one
 * trailing newline. Relative to directory @dirfd (or AT_FDCWD). Returns the length; -errno, then
 * @buf is not to be used.
 */
ssize_t io_read_text(int dirfd, const char *path, char *buf, size_t size);

/* Writes all of @data, whatever number of calls that takes, and waits where a non-blocking
 * descriptor is full. Returns 0; -errno. */
int io_write_all(int fd, const void *data, size_t length);

/*
 * Replaces the file @name in directory @dirfd with @data so that a reader, or the machine after a
 * power cut, sees the old content or the new, never a mixture: temporary file, fsync, rename, fsync
 * of the folder. Mode 0600; @name without a slash. Returns 0; -errno, then the old file is
 * untouched and no temporary one is left (or, if the last fsync failed, the new one is there but
 * may not stay).
 */
int io_replace_file(int dirfd, const char *name, const void *data, size_t length);

/* mkdir -p with mode 0700 for what is new, then opens the folder. Returns a descriptor; -errno. */
int io_open_folder(const char *path);

/*
 * Opens /dev/null on each of descriptors 0, 1, 2 that is closed, in the wrong direction, so that no
 * drive is ever opened as "standard output" and output that was wanted is noticed as lost (EBADF).
 * Returns 0; -errno.
 */
int io_guard_standard_fds(void);

/* Whether @fd is open for writing. A standard one that was closed is open for reading only (see
 * io_guard_standard_fds()). */
bool io_writable(int fd);

#endif

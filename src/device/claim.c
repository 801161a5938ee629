/* SPDX-License-Identifier: MIT */
/* Taking a drive for oneself, and giving it back. */
#include "device/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/reservation.h"
#include "device/sysfs.h"

/* Direct reads of a file go in blocks of this size; no drive below it has larger ones. */
enum { FILE_DIRECT_BLOCK = 4096 };

/* What the cache drops whole; more than a page is no harm. */
enum { CACHE_BLOCK = 64 * 1024 };

static bool is_file(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_FILE;
}

/*
 * O_NONBLOCK, for what may have taken the drive's place since: a FIFO would wait for ever. For a
 * file O_EXCL without O_CREAT has no meaning.
 */
static int open_drive(const struct drive_facts *seen, enum claim_mode mode)
{
	int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int fd;

	flags |= mode == CLAIM_WIPE ? O_RDWR : O_RDONLY;
	if (!is_file(seen) && mode != CLAIM_READ)
		flags |= O_EXCL;
	fd = open(seen->path, flags);
	return fd >= 0 ? fd : -errno;
}

/* Whether the direct reads that O_DIRECT promises work: file systems accept the flag and refuse the
 * read. */
static bool direct_works(const struct claim *claim)
{
	size_t block = is_file(&claim->facts) ? FILE_DIRECT_BLOCK : claim->facts.logical;
	_cleanup_free_ void *buf = NULL;

	if (claim->facts.size < block)
		return false;
	if (posix_memalign(&buf, block, block))
		return false;
	return pread(claim->fd, buf, block, 0) >= 0 || errno != EINVAL;
}

/* From here on the descriptor is blocking: io_uring gives EAGAIN for others. */
static int settle_flags(struct claim *claim)
{
	int r = claim_set_direct(claim, true);

	if (r == -EINVAL || (!r && !direct_works(claim)))
		r = claim_set_direct(claim, false);
	return r;
}

int claim_drive(const struct system_roots *roots, const struct drive_facts *seen,
		enum claim_mode mode, struct claim *ret_claim)
{
	/* A file's users lock it this way: virtual machines their running images, for example. */
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	_cleanup_close_ int fd = open_drive(seen, mode);
	struct claim claim = { .fd = fd, .mode = mode, .facts = *seen };
	int r;

	if (fd < 0)
		return fd;
	r = scan_descriptor(roots, fd, &claim.facts);
	if (r)
		return r;
	/* udev leaves a disk alone that is locked so, and another wipe sees that this one is at it.
	 */
	if (mode == CLAIM_WIPE && flock(fd, LOCK_EX | LOCK_NB))
		return -errno;
	if (mode == CLAIM_WIPE && claim.facts.kind == DRIVE_FILE && fcntl(fd, F_OFD_SETLK, &whole))
		return errno == EACCES ? -EWOULDBLOCK : -errno;
	if (mode != CLAIM_READ)
		claim.facts.reserved = reservation_held(fd, &claim.facts);
	r = settle_flags(&claim);
	if (r)
		return r;
	*ret_claim = claim;
	(void)TAKE_FD(fd);
	return 0;
}

int claim_twin(struct claim *claim, const char *node)
{
	_cleanup_close_ int fd = -EBADF;
	uint64_t size;

	if (claim->twin_count == TWINS_MAX)
		return -ENOSPC;
	fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, BLKGETSIZE64, &size))
		return -errno;
	if (size != claim->facts.size && claim->facts.kind == DRIVE_DISK)
		return -ESTALE;
	if (claim->mode == CLAIM_WIPE && flock(fd, LOCK_EX | LOCK_NB))
		return -errno;
	if (claim->mode == CLAIM_WIPE)
		claim->twins[claim->twin_count++] = TAKE_FD(fd);
	return 0;
}

static int same_file(const struct claim *claim)
{
	struct stat st;

	if (fstat(claim->fd, &st))
		return -errno;
	return (uint64_t)st.st_size == claim->facts.size ? 0 : -ESTALE;
}

int claim_still_same(const struct claim *claim)
{
	uint64_t size, diskseq;

	if (is_file(&claim->facts))
		return same_file(claim);
	if (ioctl(claim->fd, BLKGETSIZE64, &size) || !size)
		return -ENODEV;
	if (size != claim->facts.size)
		return -ESTALE;
	/* Kernels before 5.15 do not count disks. */
	if (claim->facts.diskseq && !ioctl(claim->fd, BLKGETDISKSEQ, &diskseq) &&
	    diskseq != claim->facts.diskseq)
		return -ESTALE;
	return 0;
}

int claim_recheck(const struct system_roots *roots, const struct claim *claim)
{
	_cleanup_free_ struct drive_facts *now = malloc(sizeof(*now));
	int r = claim_still_same(claim);

	if (r || is_file(&claim->facts))
		return r;
	if (!now)
		return -ENOMEM;
	*now = claim->facts;
	return scan_descriptor(roots, claim->fd, now);
}

/*
 * Writes out what is still to be written, and forgets the rest. BLKFLSBUF does both, but not for
 * everybody; the other way leaves pages that somebody has mapped.
 */
static void drop_node_cache(const char *node, dev_t number)
{
	_cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != number)
		return;
	if (ioctl(fd, BLKFLSBUF, 0)) {
		(void)fsync(fd);
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	}
}

static void drop_folder_cache(const struct system_roots *roots, const char *folder)
{
	char node[PATH_MAX];

	if (text_print(node, sizeof(node), "%s/%s", roots->dev, sysfs_name(folder)))
		drop_node_cache(node, sysfs_devno(folder));
}

static void delete_partition(int fd, uint64_t number)
{
	struct blkpg_partition partition = { .pno = (int)number };
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_DEL_PARTITION,
		.datalen = sizeof(partition),
		.data = &partition,
	};

	(void)ioctl(fd, BLKPG, &arg);
}

/* Returns how many partitions the kernel has; takes them away first, as far as it lets, if @delete.
 */
static unsigned count_partitions(const struct system_roots *roots, const struct claim *claim,
				 bool delete)
{
	char disk[PATH_MAX], folder[PATH_MAX];
	_cleanup_closedir_ DIR *dir = NULL;
	unsigned count = 0;

	if (!sysfs_folder(roots, claim->facts.rdev, disk))
		dir = opendir(disk);
	while (dir && sysfs_next_partition(dir, disk, folder)) {
		if (delete)
			delete_partition(claim->fd, sysfs_number(folder, "partition"));
		count += sysfs_has(folder, "partition");
	}
	return count;
}

/* Each partition has a page cache of its own, of which the whole drive's knows nothing. */
unsigned claim_drop_partitions(const struct system_roots *roots, const struct claim *claim)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char folder[PATH_MAX], disk[PATH_MAX];

	if (is_file(&claim->facts) || sysfs_folder(roots, claim->facts.rdev, folder))
		return 0;
	sysfs_disk_folder(folder, disk);
	drop_folder_cache(roots, disk);
	if (claim->facts.kind != DRIVE_DISK)
		return 0;
	dir = opendir(disk);
	while (dir && sysfs_next_partition(dir, disk, folder))
		drop_folder_cache(roots, folder);
	return count_partitions(roots, claim, true);
}

int claim_set_direct(struct claim *claim, bool direct)
{
	int flags = fcntl(claim->fd, F_GETFL);

	if (flags < 0)
		return -errno;
	flags &= ~(O_NONBLOCK | O_DIRECT);
	if (fcntl(claim->fd, F_SETFL, flags | (direct ? O_DIRECT : 0)))
		return -errno;
	claim->direct = direct;
	return 0;
}

/* Pages that lie only partly in the range would stay. */
int claim_drop_cache(const struct claim *claim, uint64_t offset, uint64_t length)
{
	uint64_t start = offset - offset % CACHE_BLOCK;
	uint64_t size = length + (offset - start);

	if (!is_file(&claim->facts) && claim->mode == CLAIM_WIPE &&
	    ioctl(claim->fd, BLKFLSBUF, 0) && errno != EACCES && errno != EPERM)
		return -errno;
	if (size % CACHE_BLOCK)
		size += CACHE_BLOCK - size % CACHE_BLOCK;
	return -posix_fadvise(claim->fd, (off_t)start, (off_t)size, POSIX_FADV_DONTNEED);
}

enum reread_result claim_reread_table(const struct system_roots *roots, const struct claim *claim)
{
	int error;

	if (claim->facts.kind != DRIVE_DISK)
		return REREAD_NOT_NEEDED;
	if (!ioctl(claim->fd, BLKRRPART, 0))
		return REREAD_DONE;
	error = errno;
	if (!count_partitions(roots, claim, false))
		return error == EBUSY ? REREAD_BUSY : REREAD_NOT_NEEDED;
	return count_partitions(roots, claim, true) ? REREAD_BUSY : REREAD_DONE;
}

void claim_release(struct claim *claim)
{
	while (claim->twin_count)
		(void)close(claim->twins[--claim->twin_count]);
	if (claim->fd >= 0)
		(void)close(claim->fd);
	claim->fd = -EBADF;
	claim->direct = false;
}

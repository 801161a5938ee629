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
#include <unistd.h>

#include "base/cleanup.h"
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
	r = settle_flags(&claim);
	if (r)
		return r;
	*ret_claim = claim;
	(void)TAKE_FD(fd);
	return 0;
}

int claim_twin(struct claim *claim, const char *node)
{
	(void)claim;
	(void)node;
	return 0;
}

int claim_recheck(const struct system_roots *roots, const struct claim *claim)
{
	struct drive_facts now = claim->facts;

	return scan_descriptor(roots, claim->fd, &now);
}

unsigned claim_drop_partitions(const struct system_roots *roots, const struct claim *claim)
{
	(void)roots;
	(void)claim;
	return 0;
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
	if (claim->fd >= 0)
		(void)close(claim->fd);
	claim->fd = -EBADF;
	claim->direct = false;
}

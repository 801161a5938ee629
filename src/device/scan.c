/* SPDX-License-Identifier: MIT */
/* What a name or a descriptor stands for. */
#include "device/scan.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/text.h"
#include "device/identify.h"
#include "device/sysfs.h"

/* Block sizes of files outside of this are not about the drive below, but about the file system. */
enum { FILE_BLOCK_MIN = 512, FILE_BLOCK_MAX = 4096 };

const struct system_roots system_roots_real = { .sys = "/sys", .proc = "/proc", .dev = "/dev" };

static enum drive_kind kind_of_mode(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFBLK:
		return DRIVE_DISK;
	case S_IFREG:
		return DRIVE_FILE;
	case S_IFDIR:
		return DRIVE_DIRECTORY;
	case S_IFIFO:
		return DRIVE_FIFO;
	case S_IFSOCK:
		return DRIVE_SOCKET;
	default:
		return DRIVE_CHAR;
	}
}

static uint32_t file_block(const struct stat *st)
{
	uint64_t size = (uint64_t)st->st_blksize;
	bool sane = size >= FILE_BLOCK_MIN && size <= FILE_BLOCK_MAX && !(size & (size - 1));

	return sane ? (uint32_t)size : FILE_BLOCK_MAX;
}

static void scan_file(const struct stat *st, struct drive_facts *facts)
{
	facts->file_dev = st->st_dev;
	facts->file_ino = st->st_ino;
	facts->size = (uint64_t)st->st_size;
	facts->logical = 1;
	facts->physical = file_block(st);
	(void)text_print(facts->bus, sizeof(facts->bus), "file");
}

static void scan_stat(const struct system_roots *roots, const char *path, const struct stat *st,
		      struct drive_facts *ret_facts)
{
	const char *last = sysfs_name(path);

	*ret_facts = (struct drive_facts){
		.kind = kind_of_mode(st->st_mode),
		.rotational = UNKNOWN,
		.removable = UNKNOWN,
	};
	(void)text_print(ret_facts->path, sizeof(ret_facts->path), "%s", path);
	text_clean(ret_facts->name, sizeof(ret_facts->name), *last ? last : path);
	if (S_ISBLK(st->st_mode))
		identify_block(roots, st->st_rdev, ret_facts);
	else if (S_ISREG(st->st_mode))
		scan_file(st, ret_facts);
}

int scan_path(const struct system_roots *roots, const char *path, struct drive_facts *ret_facts)
{
	struct stat st;

	if (strlen(path) >= sizeof(ret_facts->path))
		return -ENAMETOOLONG;
	if (stat(path, &st))
		return -errno;
	scan_stat(roots, path, &st, ret_facts);
	return 0;
}

/* The descriptor's own word counts more than what sysfs says of the number. */
static int scan_ioctls(int fd, struct drive_facts *facts)
{
	unsigned physical;
	unsigned short rotational;
	uint64_t size, diskseq;
	int logical, read_only;

	if (ioctl(fd, BLKGETSIZE64, &size) || ioctl(fd, BLKSSZGET, &logical) ||
	    ioctl(fd, BLKPBSZGET, &physical) || ioctl(fd, BLKROGET, &read_only))
		return -errno;
	facts->size = size;
	facts->logical = (uint32_t)logical;
	facts->physical = physical;
	facts->read_only |= read_only != 0;
	if (!ioctl(fd, BLKGETDISKSEQ, &diskseq))
		facts->diskseq = diskseq;
	if (!facts->sysfs_seen && !ioctl(fd, BLKROTATIONAL, &rotational))
		facts->rotational = rotational ? YES : NO;
	return 0;
}

static bool is_block(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_DISK || facts->kind == DRIVE_PARTITION ||
	       facts->kind == DRIVE_OPTICAL;
}

static bool same_node(const struct drive_facts *seen, const struct stat *st)
{
	if (S_ISBLK(st->st_mode))
		return is_block(seen) && seen->rdev == st->st_rdev;
	return S_ISREG(st->st_mode) && seen->kind == DRIVE_FILE && seen->file_dev == st->st_dev &&
	       seen->file_ino == st->st_ino;
}

static bool texts_differ(const char *a, const char *b)
{
	return *a && *b && strcmp(a, b);
}

static bool numbers_differ(uint64_t a, uint64_t b)
{
	return a && b && a != b;
}

/* A number can have passed to another drive. What is unknown on one side proves nothing. */
static bool same_drive(const struct drive_facts *seen, const struct drive_facts *now)
{
	if (seen->sysfs_seen && now->sysfs_seen && seen->kind != now->kind)
		return false;
	return !numbers_differ(seen->diskseq, now->diskseq) &&
	       !numbers_differ(seen->size, now->size) && !texts_differ(seen->serial, now->serial) &&
	       !texts_differ(seen->wwn, now->wwn);
}

int scan_descriptor(const struct system_roots *roots, int fd, struct drive_facts *facts)
{
	struct drive_facts now;
	struct stat st;
	int r = 0;

	if (fstat(fd, &st))
		return -errno;
	if (!same_node(facts, &st))
		return -ESTALE;
	scan_stat(roots, facts->path, &st, &now);
	if (S_ISBLK(st.st_mode))
		r = scan_ioctls(fd, &now);
	else
		image_look(fd, &now.image);
	if (r)
		return r;
	if (!same_drive(facts, &now))
		return -ESTALE;
	*facts = now;
	return 0;
}

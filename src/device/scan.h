/* SPDX-License-Identifier: MIT */
/* A name -> facts, without opening the drive: stat, sysfs, udev's database where there is one. */
#ifndef DEVICE_SCAN_H
#define DEVICE_SCAN_H

#include <linux/fs.h>

#include "device/facts.h"

/* Headers older than kernel 5.15 do not have it. */
#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t)
#endif

/* Where the system's trees are; tests give their own. */
struct system_roots {
	const char *sys;  /* "/sys" */
	const char *proc; /* "/proc" */
	const char *dev;  /* "/dev" */
};

extern const struct system_roots system_roots_real;

/*
 * Identifies what @path names (links are followed). Never opens it, so a FIFO or a tape cannot
 * block. What sysfs does not tell stays unknown, which is no error. Returns 0; -ENOENT and the like
 * if nothing is there; -ENAMETOOLONG.
 */
int scan_path(const struct system_roots *roots, const char *path, struct drive_facts *ret_facts);

/*
 * The facts again through an open descriptor (fstat and block ioctls: size, sector sizes,
 * read-only, diskseq), sysfs only for what the descriptor cannot tell. @facts must come from
 * scan_path(); its path stays. Returns 0; -ESTALE if the descriptor is not what scan_path() saw
 * (another device number, inode or kind; or another diskseq, size, serial or WWN where both are
 * known): then nothing may be written; -errno.
 */
int scan_descriptor(const struct system_roots *roots, int fd, struct drive_facts *facts);

#endif

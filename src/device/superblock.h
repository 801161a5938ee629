/* SPDX-License-Identifier: MIT */
/* PURE: how old a file system is, by what its superblock says. */
#ifndef DEVICE_SUPERBLOCK_H
#define DEVICE_SUPERBLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Where the superblock of ext2, ext3 and ext4 lies in its file system, and its length. */
enum { SUPERBLOCK_EXT_OFFSET = 1024, SUPERBLOCK_EXT_BYTES = 1024 };

struct superblock_ages {
	time_t made; /* 0: it does not say, or says a time that cannot be */
	time_t used; /* last mounted or written, whichever is later; likewise */
};

/*
 * Reads the times of an ext2/3/4 superblock (struct ext4_super_block of the kernel). @bytes may be
 * anything: what is not one has no ages, nor has what lies in the future of @now.
 */
struct superblock_ages superblock_ext_ages(const uint8_t *bytes, size_t length, time_t now);

#endif

/* SPDX-License-Identifier: MIT */
/* What is on a drive: partition table and signatures, by libblkid. Reads only. */
#ifndef DEVICE_PROBE_H
#define DEVICE_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "device/facts.h"

enum { PROBE_MAX = 64 };

struct signature {
	unsigned partition; /* 0: the whole drive; else the partition's number */
	uint64_t start;	    /* bytes from the beginning of what was probed; 0 for the whole drive */
	uint64_t size;	    /* bytes of that partition; 0 for the whole drive */
	/* "ext4", "linux_raid_member", "crypto_LUKS"; "" partition without signature; several at
	 * one place: "ext4+btrfs" */
	char type[64];
	char label[64];		 /* cleaned; "" if none */
	char uuid[64];		 /* of the file system, RAID array, volume group …; "" if none */
	char partition_uuid[64]; /* of the partition table's entry; "" if none */
	time_t made; /* when the file system was made, where the superblock tells (ext2/3/4); else 0
		      */
	time_t used; /* when it was last mounted or written, likewise */
};

struct contents {
	char table[16]; /* "gpt", "dos", "" */
	struct signature items[PROBE_MAX];
	unsigned count;
	bool truncated; /* more than PROBE_MAX */
	bool readable;	/* false: could not be looked at; nothing above means anything */
};

/* Looks at an open descriptor without moving its offset for others. Never fails: see readable. */
void probe_contents(int fd, uint64_t size, struct contents *ret_contents);

/*
 * The same for a drive that is not held: opens its node for reading, not exclusively, so that
 * nobody is disturbed; it must still be what @facts say. What cannot be opened is not readable.
 */
void probe_drive(const struct drive_facts *facts, struct contents *ret_contents);

#endif

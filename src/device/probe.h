/* SPDX-License-Identifier: MIT */
/* What is on a drive: partition table and signatures, by libblkid. Reads only. */
#ifndef DEVICE_PROBE_H
#define DEVICE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROBE_MAX = 64 };

struct signature {
	unsigned partition; /* 0: the whole drive; else the partition's number */
	uint64_t size;	    /* bytes of that partition; 0 for the whole drive */
	char type[32]; /* "ext4", "linux_raid_member", "crypto_LUKS"; "" partition without signature
			*/
	char label[64]; /* cleaned; "" if none */
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

#endif

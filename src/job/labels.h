/* SPDX-License-Identifier: MIT */
/*
 * PURE: the places of a drive by which it is recognised. They are written first, so that a wipe
 * that was broken off leaves no partition table, file system, RAID array or pool that something
 * would bring back to life.
 */
#ifndef JOB_LABELS_H
#define JOB_LABELS_H

#include "device/probe.h"

enum {
	LABELS_MAX = 4 * (PROBE_MAX + 1),
	LABELS_DRIVE_MIN = 16 << 20, /* smaller drives are over before anybody could break off */
};

struct label_range {
	uint64_t offset, length; /* bytes, multiples of the alignment */
};

struct labels {
	struct label_range items[LABELS_MAX]; /* sorted, none touches another */
	unsigned count;
};

/*
 * Both ends of the first @size bytes of a drive and of each partition that was found (@contents;
 * NULL: not looked at), and where btrfs keeps its mirrors; about 5 % of the drive at most. @align:
 * bytes, a power of two.
 */
void labels_find(uint64_t size, uint32_t align, const struct contents *contents,
		 struct labels *ret_labels);

#endif

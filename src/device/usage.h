/* SPDX-License-Identifier: MIT */
/*
 * Who uses a drive: mounts, swap, device-mapper, md, loop devices, on the drive itself, on its
 * partitions and on everything built on top of them. Reads /proc and sysfs; opens no drive.
 */
#ifndef DEVICE_USAGE_H
#define DEVICE_USAGE_H

#include "device/facts.h"
#include "device/scan.h"

enum { USAGE_MAX = 64, USAGE_CHAIN_MAX = 320, USAGE_DEPTH_MAX = 16 };

enum use_kind {
	USE_MOUNT,  /* what: mount point */
	USE_SWAP,   /* what: path as /proc/swaps has it */
	USE_HOLDER, /* what: name of the dm or md device that holds it, with nothing mounted on top
		     */
	USE_LOOP,   /* what: the loop device whose backing file this is */
};

struct use {
	enum use_kind kind;
	char chain[USAGE_CHAIN_MAX]; /* from the drive up: "sdb2 -> md127 -> dm-3 (vg-home)"; "sdb"
					alone if direct */
	char what[512];		     /* cleaned text */
};

struct usage {
	struct use items[USAGE_MAX];
	unsigned count;
	bool truncated;
	bool mounts_known;  /* false: mountinfo could not be read */
	bool swaps_known;   /* /proc/swaps could not be read (a kernel without swap counts as known)
			     */
	bool holders_known; /* sysfs could not be read; always true for regular files */
};

/* Fills @ret_usage for a drive that scan_path() described. Returns 0; -ENOMEM. */
int usage_collect(const struct system_roots *roots, const struct drive_facts *facts,
		  struct usage *ret_usage);

#endif

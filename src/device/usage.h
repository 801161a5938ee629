/* SPDX-License-Identifier: MIT */
/*
 * Who uses a drive: mounts, swap, device-mapper, md, bcache, loop devices, processes, on the drive
 * itself, on its partitions and on everything built on top of them. Looks at tables and sysfs;
 * opens no drive.
 */
#ifndef DEVICE_USAGE_H
#define DEVICE_USAGE_H

#include "device/facts.h"
#include "device/tables.h"

enum { USAGE_MAX = 64, USAGE_CHAIN_MAX = 320, USAGE_DEPTH_MAX = 16, USAGE_COMMAND_MAX = 32 };

enum use_kind {
	USE_MOUNT,  /* what: mount point */
	USE_SWAP,   /* what: path as /proc/swaps has it */
	USE_HOLDER, /* what: what is built on it, with nothing mounted on top: "md127", "dm-3
		       \"vg-home\"" */
	USE_LOOP,   /* what: name of the loop device whose backing file this is or lies on it */
	USE_FILE_SYSTEM, /* what: its type ("ext4"). It is active, but no mount table that we may
			    read names it: it was unmounted lazily and is busy, or is mounted out of
			    our sight */
	USE_HIBERNATION, /* what: "". The kernel is set to hibernate to it */
	USE_WRITER,	 /* what: "". A process has it open for writing */
	USE_READER, /* what: "". A process has it open for reading only, which disturbs nobody */
};

struct use {
	enum use_kind kind;
	bool system; /* the running system stands on it: /, /boot, /usr, /var, a live medium … */
	/* A process: the opener; who keeps a file system busy; who sees a mount that we do not. 0:
	 * none is known. */
	pid_t pid;
	char command[USAGE_COMMAND_MAX]; /* its name, cleaned; "" if pid is 0 */
	/* From the drive up, cleaned: "sdb -> sdb2 -> md127 -> dm-3 \"vg-home\""; "sdb" alone if
	 * direct. For a partition it begins with the partition, unless the whole drive is what is
	 * used. */
	char chain[USAGE_CHAIN_MAX];
	char what[512]; /* cleaned text */
};

struct usage {
	struct use items[USAGE_MAX]; /* those of the system first */
	unsigned count;
	bool truncated;
	bool mounts_known;     /* false: our own mount table could not be read */
	bool namespaces_known; /* false: there are processes whose mount table we may not read */
	bool swaps_known;   /* /proc/swaps could not be read (a kernel without swap counts as known)
			     */
	bool holders_known; /* sysfs could not be read; always true for regular files */
	bool openers_known; /* false: there are processes whose open files we may not see */
};

/* Whether the tables could be read that everything else hangs on. */
static inline bool usage_tables_known(const struct usage *usage)
{
	return usage->mounts_known && usage->swaps_known && usage->holders_known;
}

/* PURE: whether a drive with this usage is below the device @name ("dm-3"), on the way to any of
 * its users. */
bool usage_leads_through(const struct usage *usage, const char *name);

/* Fills @ret_usage for a drive that scan_path() described. Returns 0; -ENOMEM. */
int usage_collect(const struct tables *tables, const struct drive_facts *facts,
		  struct usage *ret_usage);

#endif

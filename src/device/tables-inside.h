/* SPDX-License-Identifier: MIT */
/* What is in the tables. Private to this folder. */
#ifndef DEVICE_TABLES_INSIDE_H
#define DEVICE_TABLES_INSIDE_H

#include <libmount/libmount.h>

#include "device/tables.h"

/* More open files than this are not looked at; then it is unknown who has a drive open. */
enum { TABLES_OPEN_MAX = 1 << 20, TABLES_VIEWS_MAX = 4096 };

/* The mount table of one mount namespace. */
struct mount_view {
	struct libmnt_table *mounts;
	ino_t id;  /* of the namespace; 0 unknown */
	pid_t pid; /* a process that sees it; 0: we do */
	bool ours; /* our own, or that of the first process: the system's */
};

/* Something that a process has open, works in or runs: a device by its number, a file by where it
 * lies. */
struct open_thing {
	pid_t pid;
	int fd;	      /* -1: its folder, its root or its program */
	mode_t kind;  /* S_IFBLK, S_IFCHR; S_IFREG for all else */
	dev_t device; /* of S_IFBLK and S_IFCHR: the number; else that of the file system it lies on
		       */
	ino_t inode;  /* of all else */
};

struct loop_device {
	char folder[PATH_MAX]; /* in sysfs, links resolved */
	char path[PATH_MAX];   /* of what is behind it, as the kernel says it */
	dev_t block;	       /* the block device behind it; 0: it is a file */
	dev_t device;	       /* the file: its file system's number and its inode; 0 if unknown */
	ino_t inode;
};

struct tables {
	const struct system_roots *roots; /* the caller's */
	struct mount_view *views;	  /* our own first */
	unsigned view_count;
	struct libmnt_table *swaps; /* NULL: could not be read */
	struct open_thing *open;
	unsigned open_count;
	struct loop_device *loops;
	unsigned loop_count;
	dev_t resume; /* where the kernel would hibernate to; 0: nowhere */
	bool mounts_known, swaps_known, namespaces_known, openers_known;
	/* / is an overlay over something that is out of sight: so a squashfs may be what is below
	 * it. */
	bool root_hidden;
};

/* The steps of tables_read(), each in a file of its own. All return 0; -ENOMEM. */
int tables_read_mounts(struct tables *tables);
int tables_read_processes(struct tables *tables);
int tables_read_loops(struct tables *tables);

/* Adds the mount table in @path, NULL table if it cannot be read. Returns 0; -ENOMEM; -errno of
 * reading. */
int tables_add_view(struct tables *tables, const char *path, const struct mount_view *view);

/* The mount that @path, absolute, lies in: the last of those with the longest target. NULL: none.
 */
struct libmnt_fs *tables_mount_of(const struct mount_view *view, const char *path);

/*
 * Calls @each for each folder that an overlay @fs is made of, until it returns true; paths as
 * mounted, escapes removed. Returns whether it did. False for what is no overlay.
 */
bool tables_overlay_any(struct libmnt_fs *fs, bool (*each)(const char *path, void *arg), void *arg);

#endif

/* SPDX-License-Identifier: MIT */
/* Finding out who uses a drive, up through everything that is built on it. */
#include "device/usage.h"

#include <errno.h>
#include <libmount/libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/sysfs.h"
#include "device/tables-inside.h"

struct collector {
	const struct tables *tables;
	const struct system_roots *roots; /* of the tables */
	struct usage *usage;
};

/* Something that can be mounted, swapped to or put behind a loop device. */
struct medium {
	bool file;
	dev_t dev;	    /* its number; for a file that of the file system it is on */
	ino_t ino;	    /* of a file */
	const char *name;   /* the kernel's, for devices */
	const char *folder; /* in sysfs, for devices; NULL if there is none */
	const char *chain;  /* the way to it from the drive */
	unsigned depth;
};

static void add_use(struct usage *usage, enum use_kind kind, const char *chain, const char *what)
{
	struct use *use;

	if (usage->count == USAGE_MAX) {
		usage->truncated = true;
		return;
	}
	use = &usage->items[usage->count++];
	use->kind = kind;
	text_clean(use->chain, sizeof(use->chain), chain);
	text_clean(use->what, sizeof(use->what), what);
}

/*
 * Whether @path leads to @medium. Where the name leads nowhere, as it does in a container that has
 * not the host's /dev, the name itself has to do.
 */
static bool leads_to(const char *path, const struct medium *medium)
{
	struct stat st;

	if (!path)
		return false;
	if (stat(path, &st))
		return !medium->file && !strncmp(path, "/dev/", 5) &&
		       !strcmp(path + 5, medium->name);
	if (medium->file)
		return S_ISREG(st.st_mode) && st.st_dev == medium->dev && st.st_ino == medium->ino;
	return S_ISBLK(st.st_mode) && st.st_rdev == medium->dev;
}

/* File systems with numbers of their own, such as btrfs, tell only by their source what they are
 * on. */
static bool is_mount_of(const struct collector *c, struct libmnt_fs *fs,
			const struct medium *medium)
{
	const char *source = mnt_fs_get_source(fs);
	dev_t dev = mnt_fs_get_devno(fs);
	size_t length = strlen(c->roots->dev);

	if (major(dev))
		return !medium->file && dev == medium->dev;
	return source && !strncmp(source, c->roots->dev, length) && source[length] == '/' &&
	       leads_to(source, medium);
}

static void add_mounts(struct collector *c, const struct medium *medium)
{
	struct libmnt_iter *iter = c->tables->mounts ? mnt_new_iter(MNT_ITER_FORWARD) : NULL;
	struct libmnt_fs *fs;

	while (iter && !mnt_table_next_fs(c->tables->mounts, iter, &fs))
		if (is_mount_of(c, fs, medium))
			add_use(c->usage, USE_MOUNT, medium->chain, mnt_fs_get_target(fs));
	mnt_free_iter(iter);
}

static void add_swaps(struct collector *c, const struct medium *medium)
{
	struct libmnt_iter *iter = c->tables->swaps ? mnt_new_iter(MNT_ITER_FORWARD) : NULL;
	struct libmnt_fs *fs;

	while (iter && !mnt_table_next_fs(c->tables->swaps, iter, &fs))
		if (leads_to(mnt_fs_get_source(fs), medium))
			add_use(c->usage, USE_SWAP, medium->chain, mnt_fs_get_source(fs));
	mnt_free_iter(iter);
}

static void walk_medium(struct collector *c, const struct medium *medium);

static void walk_partitions(struct collector *c, const char *disk, const char *below,
			    unsigned depth)
{
	_cleanup_closedir_ DIR *dir = opendir(disk);
	char folder[PATH_MAX], chain[USAGE_CHAIN_MAX];

	while (dir && sysfs_next_partition(dir, disk, folder)) {
		const char *name = sysfs_name(folder);

		(void)text_print(chain, sizeof(chain), "%s%s", below, name);
		walk_medium(c, &(struct medium){ .dev = sysfs_devno(folder),
						 .name = name,
						 .folder = folder,
						 .chain = chain,
						 .depth = depth });
	}
}

/* "dm-3 (vg-home)", or the kernel's name where it is the only one. */
static void make_label(char *buf, size_t size, const char *folder)
{
	char dm[FACTS_TEXT_MAX];

	if (sysfs_text(folder, "dm/name", dm, sizeof(dm)))
		(void)text_print(buf, size, "%s (%s)", sysfs_name(folder), dm);
	else
		(void)text_print(buf, size, "%s", sysfs_name(folder));
}

/* Goes on to the device in @folder, which is built on @medium. If nobody uses that, it is the user.
 */
static void walk_up(struct collector *c, const struct medium *medium, enum use_kind kind,
		    const char *folder)
{
	char label[FACTS_TEXT_MAX], below[USAGE_CHAIN_MAX], chain[USAGE_CHAIN_MAX];
	unsigned before = c->usage->count;

	make_label(label, sizeof(label), folder);
	(void)text_print(below, sizeof(below), "%s -> ", medium->chain);
	(void)text_print(chain, sizeof(chain), "%s%s", below, label);
	if (medium->depth < USAGE_DEPTH_MAX) {
		walk_medium(c, &(struct medium){ .dev = sysfs_devno(folder),
						 .name = sysfs_name(folder),
						 .folder = folder,
						 .chain = chain,
						 .depth = medium->depth + 1 });
		walk_partitions(c, folder, below, medium->depth + 1);
	} else {
		c->usage->truncated = true;
	}
	if (c->usage->count == before)
		add_use(c->usage, kind, medium->chain, label);
}

static void walk_holders(struct collector *c, const struct medium *medium)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX], folder[PATH_MAX];
	const struct dirent *entry;

	if (text_print(path, sizeof(path), "%s/holders", medium->folder))
		dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' &&
		    text_print(path, sizeof(path), "%s/holders/%s", medium->folder,
			       entry->d_name) &&
		    realpath(path, folder))
			walk_up(c, medium, USE_HOLDER, folder);
}

/* The kernel lists no loop device as a holder, and does not take the medium for itself. */
static void walk_loops(struct collector *c, const struct medium *medium)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX], folder[PATH_MAX], backing[PATH_MAX];
	const struct dirent *entry;

	if (text_print(path, sizeof(path), "%s/block", c->roots->sys))
		dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "loop", strlen("loop")) &&
		    text_print(path, sizeof(path), "%s/block/%s", c->roots->sys, entry->d_name) &&
		    sysfs_raw(path, "loop/backing_file", backing, sizeof(backing)) > 0 &&
		    leads_to(backing, medium) && realpath(path, folder))
			walk_up(c, medium, USE_LOOP, folder);
}

static void walk_medium(struct collector *c, const struct medium *medium)
{
	/* Enough is known; and what is built in many ways on itself must not take for ever. */
	if (c->usage->truncated)
		return;
	add_mounts(c, medium);
	add_swaps(c, medium);
	if (medium->folder)
		walk_holders(c, medium);
	walk_loops(c, medium);
}

/* The drive itself and its partitions; for a partition also who uses the whole disk, which includes
 * it. */
static void walk_block(struct collector *c, const struct drive_facts *facts)
{
	char folder[PATH_MAX], disk[PATH_MAX];
	bool known = !sysfs_folder(c->roots, facts->rdev, folder);

	c->usage->holders_known = known;
	walk_medium(c, &(struct medium){ .dev = facts->rdev,
					 .name = known ? sysfs_name(folder) : facts->name,
					 .folder = known ? folder : NULL,
					 .chain = facts->name });
	if (!known)
		return;
	sysfs_disk_folder(folder, disk);
	if (strcmp(folder, disk))
		walk_medium(c, &(struct medium){ .dev = sysfs_devno(disk),
						 .name = sysfs_name(disk),
						 .folder = disk,
						 .chain = sysfs_name(disk) });
	else
		walk_partitions(c, disk, "", 0);
}

static void walk_file(struct collector *c, const struct drive_facts *facts)
{
	walk_medium(c, &(struct medium){ .file = true,
					 .dev = facts->file_dev,
					 .ino = facts->file_ino,
					 .chain = facts->name });
}

/* Whether the way to a use goes through the disk @name or a partition of it ("loop5p1", not
 * "loop51"). */
static bool goes_through(const struct use *use, const char *name)
{
	size_t length = strlen(name);

	if (use->kind == USE_LOOP && !strcmp(use->what, name))
		return true;
	for (const char *p = use->chain; (p = strstr(p, name)); p += length)
		if (p[length] < '0' || p[length] > '9')
			return true;
	return false;
}

static int walk_drive(struct collector *c, const struct drive_facts *facts, unsigned depth);

/*
 * What lies below a loop device has other users, too: a mount of it, another loop device over the
 * same file. They would lose what this one writes. The way through this loop device itself is known
 * already.
 */
static int walk_below(struct collector *c, const struct drive_facts *facts, unsigned depth)
{
	_cleanup_free_ struct usage *found = calloc(1, sizeof(*found));
	_cleanup_free_ struct drive_facts *below = calloc(1, sizeof(*below));
	struct collector down = { .tables = c->tables, .roots = c->roots, .usage = found };
	int r;

	if (!found || !below)
		return -ENOMEM;
	/* A backing file that was deleted, or lies where we cannot look, has no name to look for.
	 */
	if (scan_path(c->roots, facts->backing, below))
		return 0;
	r = walk_drive(&down, below, depth + 1);
	for (unsigned i = 0; !r && i < found->count; i++)
		if (!goes_through(&found->items[i], facts->disk))
			add_use(c->usage, found->items[i].kind, found->items[i].chain,
				found->items[i].what);
	return r;
}

static int walk_drive(struct collector *c, const struct drive_facts *facts, unsigned depth)
{
	if (facts->kind == DRIVE_FILE)
		walk_file(c, facts);
	else if (facts->rdev)
		walk_block(c, facts);
	return *facts->backing && depth < USAGE_DEPTH_MAX ? walk_below(c, facts, depth) : 0;
}

int usage_collect(const struct tables *tables, const struct drive_facts *facts,
		  struct usage *ret_usage)
{
	struct usage usage = { .holders_known = true,
			       .mounts_known = tables->mounts_known,
			       .swaps_known = tables->swaps_known };
	struct collector c = { .tables = tables, .roots = tables->roots, .usage = &usage };
	int r = walk_drive(&c, facts, 0);

	if (r)
		return r;
	*ret_usage = usage;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Finding out who uses a drive, up through everything that is built on it. */
#include "device/usage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/sysfs.h"
#include "device/usage-inside.h"

static bool same_use(const struct use *a, const struct use *b)
{
	bool process = a->kind == USE_WRITER || a->kind == USE_READER;

	return a->kind == b->kind && !strcmp(a->chain, b->chain) && !strcmp(a->what, b->what) &&
	       (!process || a->pid == b->pid);
}

void usage_add(struct collector *c, const struct use *use, const char *chain, const char *what)
{
	struct usage *usage = c->usage;
	struct use *next;

	if (usage->count == USAGE_MAX) {
		usage->truncated = true;
		return;
	}
	next = &usage->items[usage->count];
	*next = *use;
	text_clean(next->chain, sizeof(next->chain), chain);
	text_clean(next->what, sizeof(next->what), what);
	/* Seen in several namespaces, it is one mount all the same. */
	for (unsigned i = 0; i < usage->count; i++)
		if (same_use(&usage->items[i], next))
			return;
	usage->count++;
}

static void add_use(struct collector *c, enum use_kind kind, const char *chain, const char *what)
{
	usage_add(c, &(struct use){ .kind = kind }, chain, what);
}

bool usage_leads_to(const char *path, const struct medium *medium)
{
	struct stat st;

	if (!path)
		return false;
	if (stat(path, &st))
		return !medium->file && !strncmp(path, "/dev/", strlen("/dev/")) &&
		       !strcmp(path + strlen("/dev/"), medium->name);
	if (medium->file)
		return S_ISREG(st.st_mode) && st.st_dev == medium->dev && st.st_ino == medium->ino;
	return S_ISBLK(st.st_mode) && st.st_rdev == medium->dev;
}

static void add_swaps(struct collector *c, const struct medium *medium)
{
	struct libmnt_iter *iter = c->tables->swaps ? mnt_new_iter(MNT_ITER_FORWARD) : NULL;
	struct libmnt_fs *fs;

	while (iter && !mnt_table_next_fs(c->tables->swaps, iter, &fs))
		if (usage_leads_to(mnt_fs_get_source(fs), medium))
			add_use(c, USE_SWAP, medium->chain, mnt_fs_get_source(fs));
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

		(void)text_print(chain, sizeof(chain), "%s" ARROW "%s", below, name);
		walk_medium(c, &(struct medium){ .dev = sysfs_devno(folder),
						 .name = name,
						 .folder = folder,
						 .chain = chain,
						 .depth = depth });
	}
}

/* 'dm-3 "vg-home"', or the kernel's name where it is the only one. */
static void make_label(char *buf, size_t size, const char *folder)
{
	char dm[FACTS_TEXT_MAX];

	if (sysfs_text(folder, "dm/name", dm, sizeof(dm)))
		(void)text_print(buf, size, "%s \"%s\"", sysfs_name(folder), dm);
	else
		(void)text_print(buf, size, "%s", sysfs_name(folder));
}

/* Who only reads is in nobody's way: what he reads is in use all the same, or not. */
static unsigned count_users(const struct usage *usage)
{
	unsigned users = 0;

	for (unsigned i = 0; i < usage->count; i++)
		users += usage->items[i].kind != USE_READER;
	return users;
}

/* Goes on to the device in @folder, which is built on @medium. If nobody uses that, it is the user.
 */
static void walk_up(struct collector *c, const struct medium *medium, enum use_kind kind,
		    const char *folder)
{
	char label[FACTS_TEXT_MAX], chain[USAGE_CHAIN_MAX];
	unsigned before = count_users(c->usage);

	make_label(label, sizeof(label), folder);
	(void)text_print(chain, sizeof(chain), "%s" ARROW "%s", medium->chain, label);
	if (medium->depth < USAGE_DEPTH_MAX) {
		walk_medium(c, &(struct medium){ .dev = sysfs_devno(folder),
						 .name = sysfs_name(folder),
						 .folder = folder,
						 .chain = chain,
						 .depth = medium->depth + 1 });
		walk_partitions(c, folder, chain, medium->depth + 1);
	} else {
		c->usage->truncated = true;
	}
	if (count_users(c->usage) == before)
		add_use(c, kind, medium->chain, kind == USE_LOOP ? sysfs_name(folder) : label);
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

/*
 * A bcache has its drives' caches in a set; the kernel lists holders for the drives, but none for
 * the caches. Each link "bdev0" leads to the bcache folder of a drive that the set caches.
 */
static void walk_cache_set(struct collector *c, const struct medium *medium)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX], folder[PATH_MAX];
	const struct dirent *entry;

	if (text_print(path, sizeof(path), "%s/bcache/set", medium->folder))
		dir = opendir(path);
	if (dir && sysfs_has(medium->folder, "bcache/dev"))
		return;
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "bdev", strlen("bdev")) &&
		    text_print(path, sizeof(path), "%s/bcache/set/%s/dev", medium->folder,
			       entry->d_name) &&
		    realpath(path, folder))
			walk_up(c, medium, USE_HOLDER, folder);
}

/* Whether a loop device lies on the medium, or on a file of a file system of it. */
static bool is_below(const struct collector *c, const struct medium *medium,
		     const struct loop_device *loop)
{
	if (medium->file)
		return loop->inode ? loop->device == medium->dev && loop->inode == medium->ino
				   : usage_leads_to(loop->path, medium);
	if (loop->block)
		return loop->block == medium->dev;
	if (loop->inode)
		return loop->device == medium->dev || usage_holds_path(c, medium, loop->path);
	return usage_leads_to(loop->path, medium);
}

/* The kernel lists no loop device as a holder, and does not take the medium for itself. */
static void walk_loops(struct collector *c, const struct medium *medium)
{
	for (unsigned i = 0; i < c->tables->loop_count; i++)
		if (is_below(c, medium, &c->tables->loops[i]))
			walk_up(c, medium, USE_LOOP, c->tables->loops[i].folder);
}

static bool has_swap(const struct usage *usage, const char *chain)
{
	for (unsigned i = 0; i < usage->count; i++)
		if (usage->items[i].kind == USE_SWAP && !strcmp(usage->items[i].chain, chain))
			return true;
	return false;
}

/* What is swapped to is in use anyway; this is about a place that waits for the next hibernation.
 */
static void add_hibernation(struct collector *c, const struct medium *medium)
{
	if (!medium->file && c->tables->resume && c->tables->resume == medium->dev &&
	    !has_swap(c->usage, medium->chain))
		add_use(c, USE_HIBERNATION, medium->chain, "");
}

static void walk_medium(struct collector *c, const struct medium *medium)
{
	/* Enough is known; and what is built in many ways on itself must not take for ever. */
	if (c->usage->truncated)
		return;
	usage_mounts(c, medium);
	add_swaps(c, medium);
	add_hibernation(c, medium);
	if (medium->folder) {
		walk_holders(c, medium);
		walk_cache_set(c, medium);
	}
	walk_loops(c, medium);
	usage_openers(c, medium);
}

/* The drive itself and its partitions; for a partition also who uses the whole disk, which includes
 * it. */
static void walk_block(struct collector *c, const struct drive_facts *facts)
{
	char folder[PATH_MAX], disk[PATH_MAX];
	bool known = !sysfs_folder(c->tables->roots, facts->rdev, folder);

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
		walk_partitions(c, disk, facts->name, 0);
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
	struct collector down = { .tables = c->tables, .usage = found };
	int r;

	if (!found || !below)
		return -ENOMEM;
	/* A backing file that was deleted, or lies where we cannot look, has no name to look for.
	 */
	if (scan_path(c->tables->roots, facts->backing, below))
		return 0;
	r = walk_drive(&down, below, depth + 1);
	for (unsigned i = 0; !r && i < found->count; i++)
		if (!goes_through(&found->items[i], facts->disk))
			usage_add(c, &found->items[i], found->items[i].chain, found->items[i].what);
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

/* Whether @label, up to its end or the next link, is of the device @name: "dm-3" or 'dm-3
 * "vg-home"'. */
static bool is_label_of(const char *label, const char *name)
{
	size_t length = strlen(name);

	return length && !strncmp(label, name, length) && (!label[length] || label[length] == ' ');
}

bool usage_leads_through(const struct usage *usage, const char *name)
{
	for (unsigned i = 0; i < usage->count; i++) {
		const struct use *use = &usage->items[i];

		if ((use->kind == USE_HOLDER || use->kind == USE_LOOP) &&
		    is_label_of(use->what, name))
			return true;
		for (const char *p = use->chain; (p = strstr(p, ARROW));)
			if (is_label_of(p += strlen(ARROW), name))
				return true;
	}
	return false;
}

/* Those of the system first; the order of the others stays. */
static void sort_uses(struct usage *usage)
{
	unsigned next = 0;

	for (unsigned i = 0; i < usage->count; i++) {
		struct use use = usage->items[i];

		if (!use.system)
			continue;
		memmove(&usage->items[next + 1], &usage->items[next], (i - next) * sizeof(use));
		usage->items[next++] = use;
	}
}

int usage_collect(const struct tables *tables, const struct drive_facts *facts,
		  struct usage *ret_usage)
{
	struct collector c = { .tables = tables, .usage = ret_usage };
	int r;

	*ret_usage = (struct usage){ .holders_known = true,
				     .mounts_known = tables->mounts_known,
				     .namespaces_known = tables->namespaces_known,
				     .swaps_known = tables->swaps_known,
				     .openers_known = tables->openers_known };
	r = walk_drive(&c, facts, 0);
	sort_uses(ret_usage);
	return r;
}

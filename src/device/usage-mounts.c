/* SPDX-License-Identifier: MIT */
/* Who uses a drive by way of a file system. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/sysfs.h"
#include "device/usage-inside.h"

/* What the members of a btrfs of several devices have in common: its folder in sysfs, "" if it is
 * none. */
static void find_pool(const struct collector *c, const struct medium *medium,
		      char ret_folder[PATH_MAX])
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX], member[NAME_MAX + 16];

	*ret_folder = '\0';
	if (medium->name && text_print(path, sizeof(path), "%s/fs/btrfs", c->tables->roots->sys))
		dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    !text_print(member, sizeof(member), "devices/%s", medium->name) ||
		    !text_print(ret_folder, PATH_MAX, "%s/%s", path, entry->d_name))
			continue;
		if (sysfs_has(ret_folder, member))
			return;
	}
	*ret_folder = '\0';
}

/* The name in sysfs of what @source ("/dev/sdb2") leads to, or would lead to. */
static void node_name(const struct collector *c, const char *source, char buf[NAME_MAX + 1])
{
	char folder[PATH_MAX];
	struct stat st;

	if (!stat(source, &st) && S_ISBLK(st.st_mode) &&
	    !sysfs_folder(c->tables->roots, st.st_rdev, folder))
		source = folder;
	(void)text_print(buf, NAME_MAX + 1, "%s", sysfs_name(source));
}

static bool is_member(const struct collector *c, const char *pool, const char *source)
{
	char name[NAME_MAX + 1], member[NAME_MAX + 16];

	if (!*pool)
		return false;
	node_name(c, source, name);
	return text_print(member, sizeof(member), "devices/%s", name) && sysfs_has(pool, member);
}

/* File systems with numbers of their own, such as btrfs, tell only by their source what they are
 * on. */
static bool is_mount_of(const struct collector *c, struct libmnt_fs *fs,
			const struct medium *medium, const char *pool)
{
	const char *source = mnt_fs_get_source(fs), *dev = c->tables->roots->dev;
	dev_t number = mnt_fs_get_devno(fs);
	size_t length = strlen(dev);

	if (major(number))
		return !medium->file && number == medium->dev;
	return source && !strncmp(source, dev, length) && source[length] == '/' &&
	       (usage_leads_to(source, medium) || is_member(c, pool, source));
}

bool usage_system_place(const char *target)
{
	static const char *const places[] = {
		"/",	      "/boot",	"/boot/efi",  "/boot/firmware", "/efi",	    "/esp",
		"/usr",	      "/var",	"/var/lib",   "/var/log",	"/etc",	    "/nix",
		"/nix/store", "/cdrom", "/isodevice", "/rofs",		"/sysroot", NULL
	};
	static const char *const below[] = { "/usr/",		"/run/live/",	   "/lib/live/",
					     "/usr/lib/live/",	"/run/initramfs/", "/run/archiso/",
					     "/run/rootfsbase", "/run/overlayfs",  "/run/miso/" };

	if (text_is_one_of(target, places))
		return true;
	for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++)
		if (text_starts_with(target, below[i]))
			return true;
	return false;
}

static bool is_squashed(struct libmnt_fs *fs)
{
	const char *type = mnt_fs_get_fstype(fs);

	return type && (!strcmp(type, "squashfs") || !strcmp(type, "erofs"));
}

static void add_mount(struct collector *c, const struct medium *medium,
		      const struct mount_view *view, struct libmnt_fs *fs)
{
	const char *target = mnt_fs_get_target(fs);
	struct use use = { .kind = USE_MOUNT };

	if (!target)
		return;
	use.system = view->ours &&
		     (usage_system_place(target) || (c->tables->root_hidden && is_squashed(fs)));
	/* What we see ourselves needs no witness. */
	if (view->pid) {
		use.pid = view->pid;
		usage_command(c, view->pid, use.command);
	}
	usage_add(c, &use, medium->chain, target);
}

/* A look for the folders of an overlay on a medium, in one namespace. */
struct overlay_look {
	const struct collector *c;
	const struct medium *medium;
	const struct mount_view *view;
	const char *pool;
};

static bool lies_on_medium(const char *path, void *arg)
{
	const struct overlay_look *look = arg;
	struct libmnt_fs *fs = tables_mount_of(look->view, path);

	return fs && is_mount_of(look->c, fs, look->medium, look->pool);
}

/* Returns whether the medium is mounted in this namespace. */
static bool add_view(struct collector *c, const struct medium *medium,
		     const struct mount_view *view, const char *pool)
{
	struct overlay_look look = { .c = c, .medium = medium, .view = view, .pool = pool };
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	bool found = false;

	while (iter && !mnt_table_next_fs(view->mounts, iter, &fs)) {
		bool direct = is_mount_of(c, fs, medium, pool);

		if (direct || tables_overlay_any(fs, lies_on_medium, &look))
			add_mount(c, medium, view, fs);
		found |= direct;
	}
	mnt_free_iter(iter);
	return found;
}

/* The type of the file system that the kernel still keeps on the medium; false if it knows of none.
 */
static bool active_type(const struct collector *c, const struct medium *medium,
			char type[NAME_MAX + 1])
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];

	if (medium->name && text_print(path, sizeof(path), "%s/fs", c->tables->roots->sys))
		dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		char name[NAME_MAX * 2 + 2];

		if (*entry->d_name != '.' &&
		    text_print(name, sizeof(name), "%s/%s", entry->d_name, medium->name) &&
		    sysfs_has(path, name)) {
			(void)text_print(type, NAME_MAX + 1, "%s", entry->d_name);
			return true;
		}
	}
	return false;
}

/* Somebody who works in the file system on the medium; 0: nobody that we may see. */
static pid_t find_worker(const struct collector *c, const struct medium *medium)
{
	for (unsigned i = 0; i < c->tables->open_count; i++) {
		const struct open_thing *open = &c->tables->open[i];

		if (open->kind == S_IFREG && open->device == medium->dev)
			return open->pid;
	}
	return 0;
}

static void add_active(struct collector *c, const struct medium *medium, const char *pool)
{
	struct use use = { .kind = USE_FILE_SYSTEM, .pid = find_worker(c, medium) };
	char type[NAME_MAX + 1] = "";

	if (*pool)
		(void)text_print(type, sizeof(type), "btrfs");
	else if (!active_type(c, medium, type) && !use.pid)
		return;
	if (use.pid)
		usage_command(c, use.pid, use.command);
	usage_add(c, &use, medium->chain, *type ? type : "type unknown");
}

void usage_mounts(struct collector *c, const struct medium *medium)
{
	char pool[PATH_MAX];
	bool found = false;

	if (medium->file)
		return;
	find_pool(c, medium, pool);
	for (unsigned i = 0; i < c->tables->view_count; i++)
		found |= add_view(c, medium, &c->tables->views[i], pool);
	if (!found)
		add_active(c, medium, pool);
}

bool usage_holds_path(const struct collector *c, const struct medium *medium, const char *path)
{
	struct libmnt_fs *fs;
	char pool[PATH_MAX];

	if (medium->file || !c->tables->view_count || *path != '/')
		return false;
	fs = tables_mount_of(&c->tables->views[0], path);
	/* By number that is known already; this is for file systems with numbers of their own. */
	if (!fs || major(mnt_fs_get_devno(fs)))
		return false;
	find_pool(c, medium, pool);
	return is_mount_of(c, fs, medium, pool);
}

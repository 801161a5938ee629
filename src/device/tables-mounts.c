/* SPDX-License-Identifier: MIT */
/* Mount tables, and what lies where in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/tables-inside.h"

int tables_add_view(struct tables *t, const char *path, const struct mount_view *view)
{
	struct mount_view *views;

	if (t->view_count == TABLES_VIEWS_MAX)
		return -ENOSPC;
	views = realloc(t->views, (t->view_count + 1) * sizeof(*views));
	if (!views)
		return -ENOMEM;
	t->views = views;
	views[t->view_count] = *view;
	errno = 0;
	views[t->view_count].mounts = mnt_new_table_from_file(path);
	if (!views[t->view_count].mounts)
		return errno ? -errno : -ENOENT;
	t->view_count++;
	return 0;
}

struct libmnt_fs *tables_mount_of(const struct mount_view *view, const char *path)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs, *found = NULL;
	size_t longest = 0;

	while (iter && !mnt_table_next_fs(view->mounts, iter, &fs)) {
		const char *target = mnt_fs_get_target(fs);
		size_t length = target ? strlen(target) : 0;
		bool root = length == 1;

		if (!length || length < longest || strncmp(path, target, length) ||
		    (!root && path[length] && path[length] != '/'))
			continue;
		longest = length;
		found = fs;
	}
	mnt_free_iter(iter);
	return found;
}

/* Takes the next folder of a list with ':' between them, where "\\:" is no end. Returns false after
 * the last. */
static bool next_folder(const char **list, char folder[PATH_MAX])
{
	size_t n = 0;

	if (!**list)
		return false;
	for (; **list && **list != ':'; (*list)++) {
		if (**list == '\\' && (*list)[1])
			(*list)++;
		if (n + 1 < PATH_MAX)
			folder[n++] = **list;
	}
	folder[n] = '\0';
	*list += **list == ':';
	return true;
}

bool tables_overlay_any(struct libmnt_fs *fs, bool (*each)(const char *path, void *arg), void *arg)
{
	static const char *const options[] = { "lowerdir", "upperdir", "workdir" };
	const char *type = mnt_fs_get_fstype(fs), *all = mnt_fs_get_fs_options(fs);

	if (!type || !all ||
	    (strcmp(type, "overlay") && strcmp(type, "overlayfs") && strcmp(type, "aufs")))
		return false;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		char list[2 * PATH_MAX], folder[PATH_MAX];
		const char *next = list;
		char *value;
		size_t length;

		if (mnt_optstr_get_option(all, options[i], &value, &length))
			continue;
		(void)text_print(list, sizeof(list), "%.*s", (int)length, value);
		while (next_folder(&next, folder))
			if (*folder == '/' && each(folder, arg))
				return true;
	}
	return false;
}

struct lower {
	const struct mount_view *view;
	struct libmnt_fs *overlay;
};

static bool lies_elsewhere(const char *path, void *arg)
{
	const struct lower *lower = arg;
	struct libmnt_fs *fs = tables_mount_of(lower->view, path);

	return fs && fs != lower->overlay;
}

/* The folders of a live system's root were named before it became the root. */
static void note_root(struct tables *t)
{
	struct lower lower = { .view = &t->views[0] };
	const char *type;

	lower.overlay = tables_mount_of(lower.view, "/");
	type = lower.overlay ? mnt_fs_get_fstype(lower.overlay) : NULL;
	t->root_hidden = type && (!strcmp(type, "overlay") || !strcmp(type, "aufs")) &&
			 !tables_overlay_any(lower.overlay, lies_elsewhere, &lower);
}

/* A list without a single mount is what a chroot shows, not what the system does. */
int tables_read_mounts(struct tables *t)
{
	char path[PATH_MAX];
	int r;

	if (!text_print(path, sizeof(path), "%s/self/mountinfo", t->roots->proc))
		return -ENAMETOOLONG;
	r = tables_add_view(t, path, &(struct mount_view){ .ours = true });
	if (r == -ENOMEM)
		return r;
	t->mounts_known = !r && !mnt_table_is_empty(t->views[0].mounts);
	if (t->mounts_known)
		note_root(t);
	return 0;
}

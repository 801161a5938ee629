/* SPDX-License-Identifier: MIT */
/* Reading what the kernel says of who uses what. */
#include "device/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "device/tables-inside.h"

/* A list without a single mount is what a chroot shows, not what the system does. */
static int read_mounts(struct tables *t)
{
	char path[PATH_MAX];

	if (!text_print(path, sizeof(path), "%s/self/mountinfo", t->roots->proc))
		return -ENAMETOOLONG;
	errno = 0;
	t->mounts = mnt_new_table_from_file(path);
	if (!t->mounts && errno == ENOMEM)
		return -ENOMEM;
	t->mounts_known = t->mounts && !mnt_table_is_empty(t->mounts);
	return 0;
}

/* Where there is /proc but not this file in it, the kernel was built without swap. */
static int read_swaps(struct tables *t)
{
	char path[PATH_MAX];
	int r;

	if (!text_print(path, sizeof(path), "%s/swaps", t->roots->proc))
		return -ENAMETOOLONG;
	t->swaps = mnt_new_table();
	if (!t->swaps)
		return -ENOMEM;
	r = mnt_table_parse_swaps(t->swaps, path);
	if (r == -ENOMEM)
		return r;
	t->swaps_known = !r || (access(path, F_OK) && errno == ENOENT && t->mounts_known);
	return 0;
}

int tables_read(const struct system_roots *roots, struct tables **ret_tables)
{
	struct tables *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return -ENOMEM;
	t->roots = roots;
	r = read_mounts(t);
	if (!r)
		r = read_swaps(t);
	if (r) {
		tables_free(t);
		return r;
	}
	*ret_tables = t;
	return 0;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	mnt_unref_table(t->mounts);
	mnt_unref_table(t->swaps);
	free(t);
}

/* SPDX-License-Identifier: MIT */
/* Reading what the kernel says of who uses what; swap and hibernation. */
#include "device/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "device/sysfs.h"
#include "device/tables-inside.h"

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

/* "8:2", or "0:0" for nowhere. */
static void read_resume(struct tables *t)
{
	char folder[PATH_MAX];

	if (text_print(folder, sizeof(folder), "%s/power", t->roots->sys))
		t->resume = sysfs_number_pair(folder, "resume");
}

int tables_read(const struct system_roots *roots, struct tables **ret_tables)
{
	struct tables *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return -ENOMEM;
	t->roots = roots;
	r = tables_read_mounts(t);
	if (!r)
		r = tables_read_processes(t);
	if (!r)
		r = read_swaps(t);
	if (!r)
		r = tables_read_loops(t);
	if (r) {
		tables_free(t);
		return r;
	}
	read_resume(t);
	*ret_tables = t;
	return 0;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < t->view_count; i++)
		mnt_unref_table(t->views[i].mounts);
	mnt_unref_table(t->swaps);
	free(t->views);
	free(t->open);
	free(t->loops);
	free(t);
}

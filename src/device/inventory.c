/* SPDX-License-Identifier: MIT */
/* The machine's block devices, and what they mean for each other. */
#include "device/inventory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/identify.h"
#include "device/same.h"
#include "device/sysfs.h"

enum { INVENTORY_STEP = 16 };

/* Nodes that wait for something to be put behind them stand there by the dozen. */
static bool is_spare_node(const char *folder, const char *name)
{
	if (!strncmp(name, "loop", strlen("loop")))
		return !sysfs_has(folder, "loop/backing_file");
	return (!strncmp(name, "nbd", strlen("nbd")) || !strncmp(name, "zram", strlen("zram"))) &&
	       !sysfs_bytes(folder, "size");
}

static int make_room(struct inventory *inventory)
{
	struct drive_facts *drives;

	if (inventory->count % INVENTORY_STEP)
		return 0;
	drives = realloc(inventory->drives, (inventory->count + INVENTORY_STEP) * sizeof(*drives));
	if (!drives)
		return -ENOMEM;
	inventory->drives = drives;
	return 0;
}

static int add_drive(const struct system_roots *roots, const char *name,
		     struct inventory *inventory)
{
	char folder[PATH_MAX];
	struct drive_facts *facts;
	dev_t number = 0;
	int r = make_room(inventory);

	if (r)
		return r;
	if (text_print(folder, sizeof(folder), "%s/block/%s", roots->sys, name) &&
	    !is_spare_node(folder, name))
		number = sysfs_devno(folder);
	if (!number)
		return 0;
	facts = &inventory->drives[inventory->count];
	*facts = (struct drive_facts){ .rotational = UNKNOWN, .removable = UNKNOWN };
	identify_block(roots, number, facts);
	(void)text_print(facts->path, sizeof(facts->path), "%s", facts->node);
	inventory->count += *facts->node != '\0';
	return 0;
}

static size_t letters(const char *text)
{
	size_t n = 0;

	while (isalpha((unsigned char)text[n]))
		n++;
	return n;
}

/* As people count: sda, sdb, sdz, sdaa; nvme1n1, nvme10n1. */
static int compare_names(const char *a, const char *b)
{
	size_t la = letters(a), lb = letters(b);

	if (la != lb && !a[la] && !b[lb] && !strncmp(a, b, 2))
		return la < lb ? -1 : 1;
	return strverscmp(a, b);
}

static int compare_drives(const void *a, const void *b)
{
	const struct drive_facts *x = a, *y = b;

	return compare_names(x->name, y->name);
}

static int read_drives(const struct system_roots *roots, struct inventory *inventory)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	int r = 0;

	if (text_print(path, sizeof(path), "%s/block", roots->sys))
		dir = opendir(path);
	inventory->sysfs_seen = dir;
	while (!r && dir && (entry = readdir(dir)))
		if (*entry->d_name != '.')
			r = add_drive(roots, entry->d_name, inventory);
	if (inventory->count)
		qsort(inventory->drives, inventory->count, sizeof(*inventory->drives),
		      compare_drives);
	return r;
}

static int read_usages(const struct tables *tables, struct inventory *inventory)
{
	int r = 0;

	inventory->usages = calloc(inventory->count + 1, sizeof(*inventory->usages));
	if (!inventory->usages)
		return -ENOMEM;
	for (unsigned i = 0; !r && i < inventory->count; i++)
		r = usage_collect(tables, &inventory->drives[i], &inventory->usages[i]);
	return r;
}

int inventory_read(const struct system_roots *roots, const struct tables *tables,
		   struct inventory *ret_inventory)
{
	struct inventory inventory = { 0 };
	int r = read_drives(roots, &inventory);

	if (!r)
		r = read_usages(tables, &inventory);
	if (r) {
		inventory_done(&inventory);
		return r;
	}
	*ret_inventory = inventory;
	return 0;
}

void inventory_done(struct inventory *inventory)
{
	free(inventory->drives);
	free(inventory->usages);
	*inventory = (struct inventory){ 0 };
}

static bool has_system(const struct usage *usage)
{
	for (unsigned i = 0; i < usage->count; i++)
		if (usage->items[i].system)
			return true;
	return false;
}

static void add_twin(const struct inventory *inventory, unsigned i, struct surroundings *around)
{
	if (around->twin_count == TWINS_MAX)
		return;
	(void)text_print(around->twins[around->twin_count], sizeof(around->twins[0]), "%s",
			 inventory->drives[i].node);
	around->twin_usage[around->twin_count++] = &inventory->usages[i];
}

/* The whole drive that @facts are of, where it is listed. */
static const struct drive_facts *whole_drive(const struct inventory *inventory,
					     const struct drive_facts *facts)
{
	for (unsigned i = 0; i < inventory->count; i++)
		if (facts->disk_rdev && facts->disk_rdev == inventory->drives[i].rdev)
			return &inventory->drives[i];
	return facts;
}

void inventory_around(const struct inventory *inventory, const struct drive_facts *facts,
		      struct surroundings *ret_surroundings)
{
	const struct drive_facts *whole = whole_drive(inventory, facts);
	struct surroundings around = { 0 };

	for (unsigned i = 0; i < inventory->count; i++) {
		const struct drive_facts *other = &inventory->drives[i];
		bool itself = whole == other;
		enum sameness how = itself ? SAME_NODE : facts_same(whole, other);
		bool same = how == SAME_WWN || how == SAME_SERIAL;

		if (has_system(&inventory->usages[i])) {
			around.system_bytes = other->size > around.system_bytes
						      ? other->size
						      : around.system_bytes;
			around.beside_system |= itself && facts->kind == DRIVE_PARTITION;
		}
		if (same && facts->kind != DRIVE_PARTITION)
			add_twin(inventory, i, &around);
		else if (!same && !itself && *facts->serial &&
			 !strcmp(facts->serial, other->serial))
			around.serial_shared = true;
	}
	*ret_surroundings = around;
}

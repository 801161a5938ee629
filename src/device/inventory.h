/* SPDX-License-Identifier: MIT */
/* All block devices of the machine, and what they mean for one of them. */
#ifndef DEVICE_INVENTORY_H
#define DEVICE_INVENTORY_H

#include "device/facts.h"
#include "device/tables.h"
#include "device/usage.h"

struct inventory {
	struct drive_facts *drives; /* whole devices of every kind, sorted by name as people count
				       (sda, sdb, sdaa) */
	struct usage *usages;	    /* of each */
	unsigned count;
	bool sysfs_seen; /* false: there is no /sys/block to list */
};

/*
 * Lists /sys/block without opening anything. facts.path is the by-kernel-name node. Returns 0;
 * -ENOMEM. The caller calls inventory_done(), also on an emptied struct.
 */
int inventory_read(const struct system_roots *roots, const struct tables *tables,
		   struct inventory *ret_inventory);
void inventory_done(struct inventory *inventory);

enum { TWINS_MAX = 8 };

/* What the rest of the machine means for one drive. */
struct surroundings {
	/* Nodes ("/dev/sdc") of other devices that are the same medium: another port, multipath
	 * without device-mapper; and the usage of each, the inventory's. */
	char twins[TWINS_MAX][FACTS_TEXT_MAX];
	const struct usage *twin_usage[TWINS_MAX];
	unsigned twin_count;
	bool serial_shared;    /* another medium says the same serial number */
	bool beside_system;    /* a partition of a drive that the system runs from */
	uint64_t system_bytes; /* size of the largest drive the system runs from; 0 unknown */
};

/* PURE. @facts may be one of the inventory's, or a partition or file, which has no twins. */
void inventory_around(const struct inventory *inventory, const struct drive_facts *facts,
		      struct surroundings *ret_surroundings);

#endif

/* SPDX-License-Identifier: MIT */
/* Hard disk, SSD, flash, or something that only looks like a drive. */
#include "device/medium.h"

#include <string.h>

#include "base/text.h"

/* By the bus: what a virtual device is made of nobody knows, and some are no drives. */
static const struct {
	const char *bus;
	enum medium medium;
} by_bus[] = {
	{ "loop", MEDIUM_MEMORY },     { "zram", MEDIUM_MEMORY },
	{ "RAM", MEDIUM_MEMORY },      { "virtio", MEDIUM_VIRTUAL },
	{ "Xen", MEDIUM_VIRTUAL },     { "NBD", MEDIUM_VIRTUAL },
	{ "RBD", MEDIUM_VIRTUAL },     { "null_blk", MEDIUM_VIRTUAL },
	{ "RAID", MEDIUM_VIRTUAL },    { "device mapper", MEDIUM_VIRTUAL },
	{ "bcache", MEDIUM_VIRTUAL },  { "MMC", MEDIUM_FLASH },
	{ "DRBD", MEDIUM_VIRTUAL },    { "ZFS volume", MEDIUM_VIRTUAL },
	{ "virtual", MEDIUM_VIRTUAL },
};

enum medium facts_medium(const struct drive_facts *facts)
{
	if (facts->kind == DRIVE_FILE)
		return MEDIUM_FILE;
	if (facts->kind == DRIVE_OPTICAL)
		return MEDIUM_OPTICAL;
	if (facts->volume)
		return MEDIUM_VIRTUAL;
	for (size_t i = 0; i < sizeof(by_bus) / sizeof(*by_bus); i++)
		if (!strcmp(facts->bus, by_bus[i].bus))
			return by_bus[i].medium;
	/* Without sysfs a virtual device cannot be told from a drive, and the kernel calls all such
	 * SSDs. */
	if (!*facts->bus)
		return MEDIUM_UNKNOWN;
	/* Sticks that do not tell rotate by default, but are removable. */
	if (!strcmp(facts->bus, "USB") && facts->removable == YES)
		return MEDIUM_FLASH;
	if (facts->rotational == YES)
		return MEDIUM_HARD_DISK;
	if (!strcmp(facts->bus, "USB") && !*facts->bridge)
		return MEDIUM_FLASH;
	return facts->rotational == NO ? MEDIUM_SSD : MEDIUM_UNKNOWN;
}

const char *medium_word(enum medium medium)
{
	switch (medium) {
	case MEDIUM_HARD_DISK:
		return "hard disk";
	case MEDIUM_SSD:
		return "SSD";
	case MEDIUM_FLASH:
		return "flash";
	case MEDIUM_VIRTUAL:
		return "virtual";
	case MEDIUM_OPTICAL:
		return "optical";
	case MEDIUM_MEMORY:
		return "memory";
	case MEDIUM_FILE:
		return "image file";
	case MEDIUM_UNKNOWN:
		break;
	}
	return "device";
}

bool facts_flash(const struct drive_facts *facts)
{
	/* What is far away, or not behind one of these, may be made of anything. */
	static const char *const buses[] = { "NVMe", "SATA", "SCSI", "SAS", "USB", "MMC", NULL };
	enum medium medium = facts_medium(facts);

	return facts->rotational == NO && (medium == MEDIUM_SSD || medium == MEDIUM_FLASH) &&
	       text_is_one_of(facts->bus, buses);
}

/* eMMC has areas beside the drive itself: "mmcblk0boot0", "mmcblk0rpmb". */
static bool is_side_area(const struct drive_facts *facts)
{
	return !strcmp(facts->bus, "MMC") &&
	       (strstr(facts->name, "boot") || strstr(facts->name, "rpmb"));
}

bool facts_listed(const struct drive_facts *facts)
{
	static const char *const built[] = { "device mapper", "RAID",	    "bcache",
					     "DRBD",	      "ZFS volume", "virtual",
					     "floppy",	      "MTD",	    NULL };

	if (facts->kind != DRIVE_DISK || facts->hidden || facts_medium(facts) == MEDIUM_MEMORY ||
	    is_side_area(facts) || text_is_one_of(facts->bus, built))
		return false;
	return facts->size || strcmp(facts->bus, "NBD");
}

/* SPDX-License-Identifier: MIT */
/* PURE: what kind of thing a drive is, judged by its facts. */
#ifndef DEVICE_MEDIUM_H
#define DEVICE_MEDIUM_H

#include "device/facts.h"

enum medium {
	MEDIUM_UNKNOWN,	  /* a drive that does not tell */
	MEDIUM_HARD_DISK, /* it rotates */
	MEDIUM_SSD,
	MEDIUM_FLASH,	/* USB sticks, memory cards, eMMC */
	MEDIUM_VIRTUAL, /* virtio, Xen, a RAID controller's volume, device-mapper, md, null_blk … */
	MEDIUM_OPTICAL,
	MEDIUM_MEMORY, /* loop, ram, zram and the like: not a drive of its own */
	MEDIUM_FILE,   /* an image */
};

enum medium facts_medium(const struct drive_facts *facts);

/* "hard disk", "SSD", "flash", "virtual", "optical", "memory", "image file"; "device" if unknown.
 * Constant. */
const char *medium_word(enum medium medium);

/* Whether it keeps spare cells that an overwrite does not reach. */
bool facts_flash(const struct drive_facts *facts);

/*
 * Whether it is what people call a drive, and so belongs into a list of drives: not loop, ram,
 * zram, optical, floppy, mtdblock, nbd without a server, eMMC boot areas, nor what is built on
 * drives (dm, md, bcache).
 */
bool facts_listed(const struct drive_facts *facts);

#endif

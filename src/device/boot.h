/* SPDX-License-Identifier: MIT */
/*
 * What this machine was booted from, as far as it can be told when nothing of it is mounted any
 * more: a live system that was copied into memory leaves its stick free.
 */
#ifndef DEVICE_BOOT_H
#define DEVICE_BOOT_H

#include "device/probe.h"
#include "device/scan.h"

enum { BOOT_NAMES_MAX = 8, BOOT_NAME_MAX = 64 };

struct boot {
	bool live; /* a live system, says the kernel's command line */
	char names[BOOT_NAMES_MAX][BOOT_NAME_MAX]; /* labels and UUIDs of what it was loaded from */
	unsigned count;
};

/* Reads the kernel's command line and what systemd-boot left for us. What is missing is unknown. */
void boot_read(const struct system_roots *roots, struct boot *ret_boot);

/*
 * PURE: what a kernel command line says (the keys of Debian's live-boot, casper, dracut, archiso).
 * Labels there may have \x20 for a space.
 */
void boot_parse(const char *cmdline, struct boot *ret_boot);

/*
 * PURE: whether a drive with these contents may be what the machine was booted from: it carries a
 * name that the kernel was given, or, in a live system, an ISO 9660 file system as live images are
 * copied to sticks.
 */
bool boot_medium(const struct boot *boot, const struct contents *contents);

#endif

/* SPDX-License-Identifier: MIT */
/* How a drive is attached: bus, port, USB bridge, RAID controller. Private to this folder. */
#ifndef DEVICE_IDENTIFY_BUS_H
#define DEVICE_IDENTIFY_BUS_H

#include "device/facts.h"
#include "device/scan.h"

/* Fills bus from the name and the way to the device @disk (a folder in sysfs); may reset
 * rotational. */
void identify_bus(const char *disk, struct drive_facts *facts);

/* Fills bridge for a drive behind USB, and its serial number where the drive says none. Names are
 * known by then. */
void identify_bridge(const char *disk, struct drive_facts *facts);

/* Fills port: the link in by-path, else made from the way to the device. */
void identify_port(const struct system_roots *roots, const char *disk, struct drive_facts *facts);

/* PURE: whether vendor, model and kernel name are those of a RAID controller's logical volume. */
bool identify_volume(const char *vendor, const char *model, const char *name);

/*
 * PURE: some bridges swap the letters of each pair ("DW CDW01" is WDC WD10). Puts the text right in
 * place if it begins with a known maker only then. Returns whether it did.
 */
bool identify_unswap(char *model);

/* PURE: swaps the letters of each pair; a last odd one stays. */
void identify_swap_pairs(char *text);

#endif

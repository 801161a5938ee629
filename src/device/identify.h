/* SPDX-License-Identifier: MIT */
/* The number of a block device -> facts, from sysfs and udev's database. Private to this folder. */
#ifndef DEVICE_IDENTIFY_H
#define DEVICE_IDENTIFY_H

#include "device/facts.h"
#include "device/scan.h"

/*
 * Fills @facts, which the caller has emptied, with what is known without opening the drive. Without
 * sysfs that is its number alone, and it is taken for a whole disk.
 */
void identify_block(const struct system_roots *roots, dev_t number, struct drive_facts *facts);

#endif

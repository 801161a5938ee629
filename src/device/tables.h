/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says at one moment of who uses what: the mount tables, swap areas, loop devices,
 * open files. Read once, then looked at for each drive: with forty drives /proc is not read forty
 * times.
 */
#ifndef DEVICE_TABLES_H
#define DEVICE_TABLES_H

#include "device/scan.h"

struct tables;

/*
 * Reads everything that this user may see under @roots. What cannot be read is unknown, which is no
 * error: struct usage says it. Returns 0; -ENOMEM; -ENAMETOOLONG. tables_free() takes NULL.
 */
int tables_read(const struct system_roots *roots, struct tables **ret_tables);
void tables_free(struct tables *tables);

#endif

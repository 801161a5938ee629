/* SPDX-License-Identifier: MIT */
/* What is in the tables. Private to this folder. */
#ifndef DEVICE_TABLES_INSIDE_H
#define DEVICE_TABLES_INSIDE_H

#include <libmount/libmount.h>

#include "device/tables.h"

struct tables {
	const struct system_roots *roots;    /* the caller's */
	struct libmnt_table *mounts, *swaps; /* NULL: could not be read */
	bool mounts_known, swaps_known;
};

#endif

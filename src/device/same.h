/* SPDX-License-Identifier: MIT */
/* PURE: which two of the things that can be named are the same medium, and which serial numbers
 * tell drives apart. */
#ifndef DEVICE_SAME_H
#define DEVICE_SAME_H

#include "device/facts.h"

enum sameness {
	SAME_NOT,
	SAME_NODE,   /* the same device number, or the same file */
	SAME_PART,   /* a drive and its partition, or partitions that share bytes */
	SAME_STACK,  /* one is a loop device on top of the other */
	SAME_WWN,    /* two devices, one World Wide Name: two ways to one drive */
	SAME_SERIAL, /* two devices that agree in model, size and serial number */
};

/* Whether @a and @b are the same medium, wholly or in part, and how one can tell. */
enum sameness facts_same(const struct drive_facts *a, const struct drive_facts *b);

/*
 * Whether a serial number can tell a drive from others: at least four characters, and not one of
 * those that makers of bridges and cheap drives give to all ("0123456789AB", "000000000000",
 * "DEADBEEF…").
 */
bool serial_usable(const char *serial);

/* A World Wide Name is written in several ways: "0x5001…", "naa.5001…", "5001…". Returns where its
 * number begins. */
const char *wwn_digits(const char *wwn);

/* Whether a World Wide Name can tell a drive from others: not zeros or ones alone, or a maker's
 * number with zeros. */
bool wwn_usable(const char *wwn);

#endif

/* SPDX-License-Identifier: MIT */
/* One medium or two, judged by facts alone. */
#include "device/same.h"

#include <string.h>

/* Whether two partitions of one disk share bytes, as extended and logical ones do. */
static bool ranges_meet(const struct drive_facts *a, const struct drive_facts *b)
{
	const struct drive_facts *first = a->start <= b->start ? a : b;
	const struct drive_facts *second = first == a ? b : a;

	return second->start - first->start < first->size;
}

static bool is_block(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_DISK || facts->kind == DRIVE_PARTITION ||
	       facts->kind == DRIVE_OPTICAL;
}

enum sameness facts_same(const struct drive_facts *a, const struct drive_facts *b)
{
	if (a->kind == DRIVE_FILE && b->kind == DRIVE_FILE)
		return a->file_dev == b->file_dev && a->file_ino == b->file_ino ? SAME_NODE
										: SAME_NOT;
	if (!is_block(a) || !is_block(b) || a->disk_rdev != b->disk_rdev)
		return SAME_NOT;
	if (a->rdev == b->rdev)
		return SAME_NODE;
	if (a->kind != DRIVE_PARTITION || b->kind != DRIVE_PARTITION || ranges_meet(a, b))
		return SAME_PART;
	return SAME_NOT;
}

bool serial_usable(const char *serial)
{
	return strlen(serial) >= 4;
}

bool wwn_usable(const char *wwn)
{
	return *wwn;
}

/* SPDX-License-Identifier: MIT */
/* One medium or two, judged by facts alone. */
#include "device/same.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { SERIAL_MIN = 4 };

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

static enum sameness same_disk(const struct drive_facts *a, const struct drive_facts *b)
{
	if (a->rdev == b->rdev)
		return SAME_NODE;
	if (a->kind != DRIVE_PARTITION || b->kind != DRIVE_PARTITION || ranges_meet(a, b))
		return SAME_PART;
	return SAME_NOT;
}

static bool is_file(const struct drive_facts *facts, dev_t dev, ino_t ino)
{
	return ino && facts->kind == DRIVE_FILE && facts->file_dev == dev && facts->file_ino == ino;
}

/* Whether @top is a loop device on @base, or on the same thing as @base is. */
static bool lies_on(const struct drive_facts *top, const struct drive_facts *base)
{
	if (top->backing_rdev)
		return (is_block(base) && (top->backing_rdev == base->rdev ||
					   top->backing_rdev == base->disk_rdev)) ||
		       top->backing_rdev == base->backing_rdev;
	return is_file(base, top->backing_dev, top->backing_ino) ||
	       (top->backing_ino && top->backing_dev == base->backing_dev &&
		top->backing_ino == base->backing_ino);
}

const char *wwn_digits(const char *wwn)
{
	static const char *const prefixes[] = { "0x", "naa.", "eui.", "nvme." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncasecmp(wwn, prefixes[i], strlen(prefixes[i])))
			return wwn + strlen(prefixes[i]);
	return wwn;
}

static bool all_one_character(const char *text)
{
	return *text && strspn(text, (char[]){ *text, '\0' }) == strlen(text);
}

static bool same_text(const char *a, const char *b)
{
	return *a && !strcmp(a, b);
}

static bool differ(const char *a, const char *b, bool (*usable)(const char *))
{
	return usable(a) && usable(b) && strcasecmp(a, b);
}

/*
 * Namespaces of one NVMe controller have its serial number between them. The kernel counts them
 * within their drive, whichever controller they are seen by: "nvme0n1" and "nvme1n1" can be one.
 */
static bool are_namespaces(const struct drive_facts *a, const struct drive_facts *b)
{
	const char *x = strrchr(a->disk, 'n'), *y = strrchr(b->disk, 'n');

	return text_starts_with(a->bus, "NVMe") && text_starts_with(b->bus, "NVMe") && x && y &&
	       strcmp(x, y);
}

/*
 * Bridges of one make give all their drives one number, and so do makers of sticks; the slots of a
 * card reader share one. No drive is on two USB devices at a time.
 */
static bool are_usb_devices(const struct drive_facts *a, const struct drive_facts *b)
{
	return (a->bridge_serial && b->bridge_serial) ||
	       (!strcmp(a->bus, "USB") && !strcmp(b->bus, "USB"));
}

/* Two whole devices that are two ways to one drive, or partitions at the same place of such. */
static enum sameness two_ways(const struct drive_facts *a, const struct drive_facts *b)
{
	if (a->kind != b->kind || a->size != b->size || !a->size || a->start != b->start)
		return SAME_NOT;
	if (differ(a->serial, b->serial, serial_usable) ||
	    differ(wwn_digits(a->wwn), wwn_digits(b->wwn), wwn_usable))
		return SAME_NOT;
	if (wwn_usable(a->wwn) && !strcasecmp(wwn_digits(a->wwn), wwn_digits(b->wwn)))
		return SAME_WWN;
	if (are_usb_devices(a, b) || are_namespaces(a, b))
		return SAME_NOT;
	if (serial_usable(a->serial) && same_text(a->serial, b->serial) &&
	    !strcmp(a->model, b->model))
		return SAME_SERIAL;
	return SAME_NOT;
}

enum sameness facts_same(const struct drive_facts *a, const struct drive_facts *b)
{
	if (a->kind == DRIVE_FILE && b->kind == DRIVE_FILE)
		return a->file_dev == b->file_dev && a->file_ino == b->file_ino ? SAME_NODE
										: SAME_NOT;
	if (is_block(a) && is_block(b) && a->disk_rdev == b->disk_rdev)
		return same_disk(a, b);
	if (lies_on(a, b) || lies_on(b, a))
		return SAME_STACK;
	if (is_block(a) && is_block(b))
		return two_ways(a, b);
	return SAME_NOT;
}

/* "0123456789", "123456789012", "ABCDEF": whoever typed it was thinking of nothing. */
static bool is_run(const char *text)
{
	for (; text[0] && text[1]; text++) {
		bool wraps = (text[0] == '9' && text[1] == '0') ||
			     ((text[0] == '9' || text[0] == '0') &&
			      toupper((unsigned char)text[1]) == 'A');

		if (text[1] != text[0] + 1 && !wraps)
			return false;
	}
	return true;
}

bool serial_usable(const char *serial)
{
	static const char *const dummies[] = { "DEADBEEF",     "NONE",	 "UNKNOWN", "DEFAULT",
					       "TO BE FILLED", "SERIAL", "INVALID", "N/A",
					       "(null)",       "NOT " };

	serial += strspn(serial, " ");
	for (size_t i = 0; i < sizeof(dummies) / sizeof(*dummies); i++)
		if (!strncasecmp(serial, dummies[i], strlen(dummies[i])))
			return false;
	return strlen(serial) >= SERIAL_MIN && !all_one_character(serial) && !is_run(serial);
}

bool wwn_usable(const char *wwn)
{
	const char *digits = wwn_digits(wwn);
	size_t zeros = 0;

	for (const char *p = digits; *p; p++)
		zeros += *p == '0';
	/* All zeros, all ones, or a company's number with zeros behind it: a field nobody filled
	 * in. */
	return *digits && !all_one_character(digits) && zeros + SERIAL_MIN < strlen(digits);
}

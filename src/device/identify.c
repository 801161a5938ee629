/* SPDX-License-Identifier: MIT */
/* Who a drive is: the names and properties that the kernel and udev know it by. */
#include "device/identify.h"

#include <libudev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/identify-bus.h"
#include "device/sysfs.h"

/* A SCSI device type (SPC): CD, DVD, Blu-ray. */
enum { SCSI_TYPE_OPTICAL = 5 };

/* The unit serial number page (SPC) has a header of this length. */
enum { VPD_HEADER = 4 };

static void identify_numbers(const char *folder, const char *disk, struct drive_facts *facts)
{
	char zoned[32];

	facts->size = sysfs_bytes(folder, "size");
	if (facts->kind == DRIVE_PARTITION)
		facts->start = sysfs_bytes(folder, "start");
	facts->read_only = sysfs_flag(folder, "ro") == YES || sysfs_flag(disk, "ro") == YES;
	facts->logical = (uint32_t)sysfs_number(disk, "queue/logical_block_size");
	facts->physical = (uint32_t)sysfs_number(disk, "queue/physical_block_size");
	facts->rotational = sysfs_flag(disk, "queue/rotational");
	facts->zoned =
		sysfs_text(disk, "queue/zoned", zoned, sizeof(zoned)) && strcmp(zoned, "none");
	facts->hidden = sysfs_flag(disk, "hidden") == YES;
	facts->removable = sysfs_flag(disk, "removable");
	facts->diskseq = sysfs_number(disk, "diskseq");
}

/* The first of some attributes that says something. */
static void first_text(const char *disk, const char *const attributes[], char *buf, size_t size)
{
	for (; *attributes; attributes++)
		if (sysfs_text(disk, *attributes, buf, size))
			return;
}

/* SCSI's page of the unit serial number: the drive's own word. */
static bool vpd_serial(const char *disk, struct drive_facts *facts)
{
	char page[FACTS_TEXT_MAX];
	ssize_t length = sysfs_raw(disk, "device/vpd_pg80", page, sizeof(page));

	return length > VPD_HEADER &&
	       *text_clean(facts->serial, sizeof(facts->serial), page + VPD_HEADER);
}

/* Some bridges turn each two letters of what the drive says round: then the serial number, too. */
static void put_right(struct drive_facts *facts)
{
	char serial[FACTS_TEXT_MAX];

	if (!identify_unswap(facts->model))
		return;
	(void)text_print(serial, sizeof(serial), "%s", facts->serial);
	identify_swap_pairs(serial);
	text_clean(facts->serial, sizeof(facts->serial), serial);
}

static void identify_names(const char *disk, struct drive_facts *facts)
{
	static const char *const model[] = { "device/model", "device/name", NULL };
	static const char *const serial[] = { "device/serial", "serial", NULL };
	static const char *const firmware[] = { "device/firmware_rev", "device/rev", "device/fwrev",
						NULL };
	static const char *const wwn[] = { "wwid", "device/wwid", NULL };

	first_text(disk, model, facts->model, sizeof(facts->model));
	first_text(disk, firmware, facts->firmware, sizeof(facts->firmware));
	first_text(disk, wwn, facts->wwn, sizeof(facts->wwn));
	/* What SCSI makes of a drive that has no WWN is its name and serial number once more. */
	if (text_starts_with(facts->wwn, "t10."))
		*facts->wwn = '\0';
	/* The kernel's SCSI layer for SATA puts its own word here; PCI and virtio a number. */
	(void)sysfs_text(disk, "device/vendor", facts->vendor, sizeof(facts->vendor));
	if (!strcmp(facts->vendor, "ATA") || text_starts_with(facts->vendor, "0x"))
		*facts->vendor = '\0';
	if (!vpd_serial(disk, facts))
		first_text(disk, serial, facts->serial, sizeof(facts->serial));
	put_right(facts);
	identify_bridge(disk, facts);
	facts->volume = identify_volume(facts->vendor, facts->model, facts->disk);
}

/* udev writes what would trouble a shell as \xNN. Returns @text, decoded in place. */
static char *udev_decode(char *text)
{
	char *out = text;

	for (const char *in = text; *in; out++) {
		char digits[3] = { 0 }, *end;

		if (in[0] == '\\' && in[1] == 'x' && in[2] && in[3]) {
			memcpy(digits, in + 2, 2);
			*out = (char)strtoul(digits, &end, 16);
			in += 4;
		} else {
			*out = *in++;
		}
	}
	*out = '\0';
	return text;
}

/*
 * Takes udev's text where there is none, or where it goes on after what there is: SCSI's fields for
 * model and firmware are too short for those of SATA drives.
 */
static void udev_text(struct udev_device *device, const char *property, char *buf, size_t size)
{
	const char *value = udev_device_get_property_value(device, property);
	char raw[FACTS_TEXT_MAX], clean[FACTS_TEXT_MAX];

	if (!value || !text_print(raw, sizeof(raw), "%s", value))
		return;
	text_clean(clean, sizeof(clean), udev_decode(raw));
	if (text_starts_with(clean, buf))
		(void)text_print(buf, size, "%s", clean);
}

static void udev_first_text(struct udev_device *device, const char *const properties[], char *buf,
			    size_t size)
{
	for (; !*buf && *properties; properties++)
		udev_text(device, *properties, buf, size);
}

static void udev_bus(struct udev_device *device, struct drive_facts *facts)
{
	static const struct {
		const char *id, *bus;
	} buses[] = { { "ata", "SATA" }, { "usb", "USB" }, { "scsi", "SCSI" }, { "nvme", "NVMe" } };
	const char *id = udev_device_get_property_value(device, "ID_BUS");

	for (size_t i = 0; id && !*facts->bus && i < sizeof(buses) / sizeof(*buses); i++)
		if (!strcmp(id, buses[i].id))
			(void)text_print(facts->bus, sizeof(facts->bus), "%s", buses[i].bus);
}

/* udev's database fills the gaps; nobody needs a daemon for it, and without one it is empty. */
static void identify_udev(struct drive_facts *facts)
{
	static const char *const serial[] = { "ID_SCSI_SERIAL", "ID_SERIAL_SHORT", NULL };
	static const char *const wwn[] = { "ID_WWN_WITH_EXTENSION", "ID_WWN", NULL };
	struct udev *udev = udev_new();
	struct udev_device *device;

	device = udev ? udev_device_new_from_devnum(udev, 'b', facts->disk_rdev) : NULL;
	if (device) {
		udev_first_text(device, serial, facts->serial, sizeof(facts->serial));
		udev_first_text(device, wwn, facts->wwn, sizeof(facts->wwn));
		udev_text(device, "ID_MODEL_ENC", facts->model, sizeof(facts->model));
		if (!*facts->model)
			udev_text(device, "ID_MODEL", facts->model, sizeof(facts->model));
		udev_text(device, "ID_REVISION", facts->firmware, sizeof(facts->firmware));
		udev_bus(device, facts);
		if (!*facts->port)
			udev_text(device, "ID_PATH", facts->port, sizeof(facts->port));
		udev_device_unref(device);
	}
	if (udev)
		udev_unref(udev);
}

/* How much a by-id name tells a person: 0 model and serial number, 1 something, 2 a number. */
static unsigned by_id_rank(const char *name)
{
	static const struct {
		const char *start;
		unsigned rank;
	} ranks[] = {
		{ "nvme-eui.", 2 }, { "nvme-nvme.", 2 }, { "nvme-uuid.", 2 }, { "scsi-3", 2 },
		{ "scsi-2", 2 },    { "wwn-", 2 },	 { "dm-uuid-", 2 },   { "md-uuid-", 2 },
		{ "lvm-pv-", 2 },   { "ata-", 0 },	 { "nvme-", 0 },      { "usb-", 0 },
		{ "scsi-", 0 },	    { "virtio-", 0 },	 { "mmc-", 0 },	      { "dm-name-", 0 },
		{ "md-name-", 0 },
	};

	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
		if (text_starts_with(name, ranks[i].start))
			return ranks[i].rank;
	return 1;
}

static bool by_id_better(const char *name, const char *than)
{
	unsigned a = by_id_rank(name), b = by_id_rank(than);

	return !*than || a < b || (a == b && strcmp(name, than) < 0);
}

static void identify_by_id(const struct system_roots *roots, struct drive_facts *facts)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char folder[PATH_MAX], best[NAME_MAX + 1] = "";
	const struct dirent *entry;
	struct stat st;

	(void)text_print(folder, sizeof(folder), "%s/disk/by-id", roots->dev);
	dir = opendir(folder);
	while (dir && (entry = readdir(dir)))
		if (!fstatat(dirfd(dir), entry->d_name, &st, 0) && S_ISBLK(st.st_mode) &&
		    st.st_rdev == facts->rdev && by_id_better(entry->d_name, best))
			(void)text_print(best, sizeof(best), "%s", entry->d_name);
	if (*best)
		(void)text_print(facts->by_id, sizeof(facts->by_id), "%s/%s", folder, best);
}

/* The kernel writes '!' for the '/' of a node in a folder of its own ("cciss!c0d0"). */
static void identify_node(const struct system_roots *roots, const char *folder,
			  struct drive_facts *facts)
{
	char name[NAME_MAX + 1];

	(void)text_print(name, sizeof(name), "%s", sysfs_name(folder));
	for (char *c = name; (c = strchr(c, '!')); c++)
		*c = '/';
	text_clean(facts->name, sizeof(facts->name), name);
	(void)text_print(facts->node, sizeof(facts->node), "%s/%s", roots->dev, name);
}

static bool is_optical(const char *disk)
{
	return text_starts_with(sysfs_name(disk), "sr") ||
	       sysfs_number(disk, "device/type") == SCSI_TYPE_OPTICAL;
}

/* What lies below a loop device. Where its name leads nowhere from here, only the name is known. */
static void identify_backing(const char *disk, struct drive_facts *facts)
{
	struct stat st;

	if (!sysfs_text(disk, "loop/backing_file", facts->backing, sizeof(facts->backing)))
		return;
	facts->cached = !sysfs_number(disk, "loop/dio");
	if (stat(facts->backing, &st))
		return;
	if (S_ISBLK(st.st_mode)) {
		facts->backing_rdev = st.st_rdev;
	} else {
		facts->backing_dev = st.st_dev;
		facts->backing_ino = st.st_ino;
	}
}

void identify_block(const struct system_roots *roots, dev_t number, struct drive_facts *facts)
{
	char folder[PATH_MAX], disk[PATH_MAX];

	facts->kind = DRIVE_DISK;
	facts->rdev = facts->disk_rdev = number;
	identify_by_id(roots, facts);
	if (sysfs_folder(roots, number, folder))
		return;
	facts->sysfs_seen = true;
	sysfs_disk_folder(folder, disk);
	if (strcmp(folder, disk)) {
		facts->kind = DRIVE_PARTITION;
		facts->disk_rdev = sysfs_devno(disk);
	} else if (is_optical(disk)) {
		facts->kind = DRIVE_OPTICAL;
	}
	identify_node(roots, folder, facts);
	(void)text_print(facts->disk, sizeof(facts->disk), "%s", sysfs_name(disk));
	identify_numbers(folder, disk, facts);
	identify_bus(disk, facts);
	identify_names(disk, facts);
	identify_port(roots, disk, facts);
	identify_backing(disk, facts);
	if (!strcmp(roots->sys, "/sys"))
		identify_udev(facts);
}

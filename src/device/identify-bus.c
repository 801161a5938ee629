/* SPDX-License-Identifier: MIT */
/* How a drive is attached. */
#include "device/identify-bus.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/sysfs.h"

/* Digits after "ST" or "CT" that make a model of it. */
enum { MODEL_DIGITS_MIN = 3 };

/* By the kernel's name, for devices that have a driver of their own. */
static const struct {
	const char *name, *bus;
	bool media_unknown; /* what the kernel says of rotation is a default, not knowledge */
} bus_of_name[] = {
	{ "nvme", "NVMe", false },     { "mmcblk", "MMC", false },
	{ "loop", "loop", true },      { "zram", "zram", true },
	{ "ram", "RAM", true },	       { "dm-", "device mapper", false },
	{ "md", "RAID", false },       { "vd", "virtio", true },
	{ "xvd", "Xen", true },	       { "nbd", "NBD", true },
	{ "rbd", "RBD", true },	       { "nullb", "null_blk", true },
	{ "bcache", "bcache", false }, { "pmem", "NVDIMM", false },
	{ "mtdblock", "MTD", true },   { "fd", "floppy", true },
	{ "drbd", "DRBD", true },      { "zd", "ZFS volume", true },
};

/* By the way to the device, for those that the SCSI layer drives, and for those that no hardware
 * stands behind, whatever their driver is; the first that fits. */
static const struct {
	const char *part, *bus;
	bool media_unknown;
} bus_of_path[] = {
	{ "/usb", "USB", false },	  { "/ata", "SATA", false },
	{ "/session", "iSCSI", false },	  { "/rport-", "FC", false },
	{ "/end_device-", "SAS", false }, { "/sas_", "SAS", false },
	{ "/host", "SCSI", false },	  { "/virtual/", "virtual", true },
};

/* NVMe drives can be far away: then their controller says how they are reached. */
static void identify_fabric(const char *disk, struct drive_facts *facts)
{
	static const struct {
		const char *transport, *bus;
	} fabrics[] = { { "tcp", "NVMe/TCP" }, { "rdma", "NVMe/RDMA" }, { "fc", "NVMe/FC" } };
	char transport[32];

	if (!sysfs_text(disk, "device/transport", transport, sizeof(transport)))
		return;
	for (size_t i = 0; i < sizeof(fabrics) / sizeof(*fabrics); i++)
		if (!strcmp(transport, fabrics[i].transport))
			(void)text_print(facts->bus, sizeof(facts->bus), "%s", fabrics[i].bus);
}

void identify_bus(const char *disk, struct drive_facts *facts)
{
	const char *devices = strstr(disk, "/devices/");

	for (size_t i = 0; i < sizeof(bus_of_name) / sizeof(*bus_of_name); i++) {
		if (!text_starts_with(facts->disk, bus_of_name[i].name))
			continue;
		(void)text_print(facts->bus, sizeof(facts->bus), "%s", bus_of_name[i].bus);
		if (bus_of_name[i].media_unknown)
			facts->rotational = UNKNOWN;
		identify_fabric(disk, facts);
		return;
	}
	for (size_t i = 0; devices && i < sizeof(bus_of_path) / sizeof(*bus_of_path); i++) {
		if (strstr(devices, bus_of_path[i].part)) {
			(void)text_print(facts->bus, sizeof(facts->bus), "%s", bus_of_path[i].bus);
			if (bus_of_path[i].media_unknown)
				facts->rotational = UNKNOWN;
			return;
		}
	}
}

/* The folder of the USB device on the way to @disk. */
static bool usb_folder(const char *disk, char ret_folder[PATH_MAX])
{
	char *slash;

	(void)text_print(ret_folder, PATH_MAX, "%s", disk);
	while ((slash = strrchr(ret_folder, '/')) && slash != ret_folder) {
		*slash = '\0';
		if (sysfs_has(ret_folder, "idVendor"))
			return true;
	}
	return false;
}

static void add_word(char *text, size_t size, const char *word)
{
	if (*word)
		(void)text_append(text, size, "%s%s", *text ? " " : "", word);
}

/* "JMicron JMS567 (152d:0578)", as much of it as the device says. */
static void name_bridge(const char *folder, struct drive_facts *facts)
{
	char maker[64], product[64], vendor_id[8], product_id[8], ids[24];

	(void)sysfs_text(folder, "manufacturer", maker, sizeof(maker));
	(void)sysfs_text(folder, "product", product, sizeof(product));
	(void)sysfs_text(folder, "idVendor", vendor_id, sizeof(vendor_id));
	(void)sysfs_text(folder, "idProduct", product_id, sizeof(product_id));
	*facts->bridge = '\0';
	add_word(facts->bridge, sizeof(facts->bridge), maker);
	add_word(facts->bridge, sizeof(facts->bridge), product);
	(void)text_print(ids, sizeof(ids), "(%s:%s)", vendor_id, product_id);
	add_word(facts->bridge, sizeof(facts->bridge), ids);
}

/*
 * A stick is its own bridge: its serial number, model and flash are one thing. Something is taken
 * for a box with a drive in it where the drive has a name of its own and says that it rotates or is
 * an SSD: sticks say they rotate, too, but are removable.
 */
static bool is_box(const struct drive_facts *facts)
{
	return facts->removable == NO;
}

void identify_bridge(const char *disk, struct drive_facts *facts)
{
	char folder[PATH_MAX], serial[FACTS_TEXT_MAX];

	if (strcmp(facts->bus, "USB") || !usb_folder(disk, folder))
		return;
	(void)sysfs_text(folder, "serial", serial, sizeof(serial));
	/* Where the drive behind it says none, the bridge's own stands in; some put it into the
	 * drive's page. */
	if (!*facts->serial)
		(void)text_print(facts->serial, sizeof(facts->serial), "%s", serial);
	if (!is_box(facts))
		return;
	name_bridge(folder, facts);
	facts->bridge_serial = *serial && !strcmp(serial, facts->serial);
}

/* The one name in DEV/disk/by-path that leads to the device @number. */
static bool port_by_link(const struct system_roots *roots, dev_t number, char *buf, size_t size)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char folder[PATH_MAX];
	struct stat st;

	if (text_print(folder, sizeof(folder), "%s/disk/by-path", roots->dev))
		dir = opendir(folder);
	while (dir && (entry = readdir(dir)))
		if (!fstatat(dirfd(dir), entry->d_name, &st, 0) && S_ISBLK(st.st_mode) &&
		    st.st_rdev == number)
			return *text_clean(buf, size, entry->d_name);
	return false;
}

/* "0000:00:1f.2" */
static bool is_pci_address(const char *part)
{
	return !fnmatch("[0-9a-f]*:[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f].[0-7]", part, 0);
}

/* The parts of the way that say where something is plugged in, in the style of by-path names. */
static const char *port_part(const char *part)
{
	if (is_pci_address(part))
		return "pci-";
	if (text_starts_with(part, "ata") || !fnmatch("[0-9]*-[0-9]*:[0-9]*.[0-9]*", part, 0) ||
	    !fnmatch("phy-*", part, 0) || !fnmatch("nvme[0-9]*", part, 0))
		return "";
	if (!fnmatch("[0-9]*:[0-9]*:[0-9]*:[0-9]*", part, 0))
		return "scsi-";
	return NULL;
}

/* The last PCI address, and what stands behind it. */
static void port_by_way(const char *disk, char *buf, size_t size)
{
	const char *devices = strstr(disk, "/devices/");
	char way[PATH_MAX], *rest = way, *part;

	*buf = '\0';
	if (!devices || strstr(devices, "/virtual/"))
		return;
	(void)text_print(way, sizeof(way), "%s", devices + strlen("/devices/"));
	while ((part = strsep(&rest, "/")) && rest) {
		const char *prefix = port_part(part);

		if (!prefix)
			continue;
		if (is_pci_address(part))
			*buf = '\0';
		(void)text_append(buf, size, "%s%s%s", *buf ? "-" : "", prefix, part);
	}
}

void identify_port(const struct system_roots *roots, const char *disk, struct drive_facts *facts)
{
	char raw[FACTS_TEXT_MAX];

	if (port_by_link(roots, facts->disk_rdev, facts->port, sizeof(facts->port)))
		return;
	port_by_way(disk, raw, sizeof(raw));
	text_clean(facts->port, sizeof(facts->port), raw);
}

bool identify_volume(const char *vendor, const char *model, const char *name)
{
	static const struct {
		const char *vendor, *model; /* patterns */
	} volumes[] = {
		{ "HP*", "LOGICAL VOLUME*" },
		{ "DELL*", "PERC*" },
		{ "DELL*", "*Virtual Disk*" },
		{ "LSI*", "MR*" },
		{ "LSI*", "*MegaRAID*" },
		{ "AVAGO*", "*" },
		{ "BROADCOM*", "*" },
		{ "Adaptec*", "*" },
		{ "ASR*", "*" },
		{ "Areca*", "*" },
		{ "AMCC*", "*" },
		{ "3ware*", "*" },
		{ "Intel*", "RMS*" },
		{ "Intel*", "RS[23]*" },
		{ "IBM*", "*ServeRAID*" },
		{ "LENOVO*", "*RAID*" },
		{ "Lenovo*", "*RAID*" },
		{ "CISCO*", "*RAID*" },
		{ "FTS*", "*" },
		{ "SMC*", "*" },
		{ "PMC*", "*" },
		{ "MSCC*", "*" },
		{ "Promise*", "*" },
		{ "*", "*LOGICAL VOLUME*" },
		{ "*", "MegaRAID*" },
		{ "*", "*RAID [015]*" },
	};

	if (text_starts_with(name, "cciss!") || text_starts_with(name, "ida!"))
		return true;
	for (size_t i = 0; i < sizeof(volumes) / sizeof(*volumes); i++)
		if (!fnmatch(volumes[i].vendor, vendor, FNM_CASEFOLD) &&
		    !fnmatch(volumes[i].model, model, FNM_CASEFOLD))
			return true;
	return false;
}

/*
 * Two letters alone are in many words: a number has to follow, as "ST" and "CT" have it. Three
 * digits, because "TS512GSSD370S" of another maker, turned round, begins with "ST15G".
 */
static bool is_numbered(const char *model)
{
	for (unsigned i = 0; i < MODEL_DIGITS_MIN; i++)
		if (!isdigit((unsigned char)model[i]))
			return false;
	return true;
}

static bool known_maker(const char *model)
{
	static const char *const makers[] = { "WDC ",	  "WD ",     "ST",	"SAMSUNG",
					      "TOSHIBA",  "HITACHI", "Hitachi", "HGST",
					      "MAXTOR",	  "Maxtor",  "FUJITSU", "INTEL",
					      "KINGSTON", "Crucial", "CT" };

	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
		size_t length = strlen(makers[i]);

		if (text_starts_with(model, makers[i]) &&
		    (length > 2 || is_numbered(model + length)))
			return true;
	}
	return false;
}

void identify_swap_pairs(char *text)
{
	for (; text[0] && text[1]; text += 2) {
		char first = text[0];

		text[0] = text[1];
		text[1] = first;
	}
}

bool identify_unswap(char *model)
{
	char swapped[FACTS_TEXT_MAX];

	(void)text_print(swapped, sizeof(swapped), "%s", model);
	identify_swap_pairs(swapped);
	if (known_maker(model) || !known_maker(swapped))
		return false;
	text_clean(model, FACTS_TEXT_MAX, swapped);
	return true;
}

/* SPDX-License-Identifier: MIT */
/* Facts from a sysfs of our own, from files of every kind, and, as root, from real loop devices. */
#include "device/same.h"
#include "device/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/identify.h"
#include "fake-tree.h"
#include "loop-device.h"

#define SATA	 "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sdb"
#define NVME	 "pci0000:00/0000:00:1d.0/0000:3d:00.0/nvme/nvme0/nvme0n1"
#define USB_PORT "pci0000:00/0000:00:14.0/usb2/2-1"
#define USB	 USB_PORT "/2-1:1.0/host4/target4:0:0/4:0:0:0/block/sdc"

static struct drive_facts identify(const struct fake_tree *tree, unsigned ma, unsigned mi)
{
	struct drive_facts facts = { .rotational = UNKNOWN, .removable = UNKNOWN };

	identify_block(&tree->roots, makedev(ma, mi), &facts);
	return facts;
}

static void a_sata_disk_is_known_without_udev(void **state)
{
	static const char vpd80[] = "\0\x80\0\x14     WD-WCC7K0ABCDEF";
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, SATA, "8:16", 0);
	fake_attribute(tree, SATA, "size", "7814037168");
	fake_attribute(tree, SATA, "queue/logical_block_size", "512");
	fake_attribute(tree, SATA, "queue/physical_block_size", "4096");
	fake_attribute(tree, SATA, "queue/rotational", "1");
	fake_attribute(tree, SATA, "queue/zoned", "none");
	fake_attribute(tree, SATA, "hidden", "0");
	fake_attribute(tree, SATA, "removable", "0");
	fake_attribute(tree, SATA, "diskseq", "9");
	fake_attribute(tree, SATA, "device/vendor", "ATA     ");
	fake_attribute(tree, SATA, "device/model", "WDC WD40EFRX-68N");
	fake_attribute(tree, SATA, "device/rev", "0A82");
	fake_attribute(tree, SATA, "device/type", "0");
	fake_attribute(tree, SATA, "device/wwid", "naa.50014ee2b5c6d7e8");
	fake_bytes(tree, "sys/devices/" SATA "/device/vpd_pg80", vpd80, sizeof(vpd80) - 1);
	facts = identify(tree, 8, 16);
	assert_true(facts.sysfs_seen);
	assert_int_equal(facts.kind, DRIVE_DISK);
	assert_true(facts.rdev == makedev(8, 16) && facts.disk_rdev == makedev(8, 16));
	assert_string_equal(facts.name, "sdb");
	assert_string_equal(facts.disk, "sdb");
	assert_string_equal(facts.node + strlen(tree->dev), "/sdb");
	assert_string_equal(facts.by_id, "");
	assert_string_equal(facts.bus, "SATA");
	assert_string_equal(facts.vendor, "");
	assert_string_equal(facts.model, "WDC WD40EFRX-68N");
	assert_string_equal(facts.serial, "WD-WCC7K0ABCDEF");
	assert_string_equal(facts.firmware, "0A82");
	assert_string_equal(facts.wwn, "naa.50014ee2b5c6d7e8");
	assert_true(facts.size == UINT64_C(4000787030016) && facts.start == 0);
	assert_int_equal(facts.logical, 512);
	assert_int_equal(facts.physical, 4096);
	assert_int_equal(facts.rotational, YES);
	assert_int_equal(facts.removable, NO);
	assert_false(facts.read_only || facts.zoned || facts.hidden);
	assert_int_equal(facts.diskseq, 9);
}

static void a_partition_has_its_disks_identity(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, SATA, "8:16", 0);
	fake_attribute(tree, SATA, "device/serial", "SER1");
	fake_attribute(tree, SATA, "queue/logical_block_size", "4096");
	fake_attribute(tree, SATA, "diskseq", "3");
	fake_attribute(tree, SATA, "ro", "1");
	fake_device(tree, SATA "/sdb2", "8:18", 2);
	fake_attribute(tree, SATA "/sdb2", "start", "4096");
	fake_attribute(tree, SATA "/sdb2", "size", "8388608");
	facts = identify(tree, 8, 18);
	assert_int_equal(facts.kind, DRIVE_PARTITION);
	assert_string_equal(facts.name, "sdb2");
	assert_string_equal(facts.disk, "sdb");
	assert_true(facts.rdev == makedev(8, 18) && facts.disk_rdev == makedev(8, 16));
	assert_string_equal(facts.serial, "SER1");
	assert_int_equal(facts.start, 4096 * 512);
	assert_true(facts.size == UINT64_C(8388608) * 512);
	assert_int_equal(facts.logical, 4096);
	assert_int_equal(facts.diskseq, 3);
	assert_true(facts.read_only);
}

static void an_nvme_drive_is_known(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, NVME, "259:0", 0);
	fake_attribute(tree, NVME, "wwid", "eui.0025385b01234567");
	fake_attribute(tree, NVME, "hidden", "1");
	fake_attribute(tree, NVME, "queue/rotational", "0");
	fake_attribute(tree, NVME, "queue/zoned", "host-managed");
	fake_attribute(tree, NVME, "device/model", "Samsung SSD 980 PRO 1TB                 ");
	fake_attribute(tree, NVME, "device/serial", "S5GXNX0T123456      ");
	fake_attribute(tree, NVME, "device/firmware_rev", "5B2QGXA7");
	facts = identify(tree, 259, 0);
	assert_string_equal(facts.bus, "NVMe");
	assert_string_equal(facts.model, "Samsung SSD 980 PRO 1TB");
	assert_string_equal(facts.serial, "S5GXNX0T123456");
	assert_string_equal(facts.firmware, "5B2QGXA7");
	assert_string_equal(facts.wwn, "eui.0025385b01234567");
	assert_int_equal(facts.rotational, NO);
	assert_true(facts.hidden && facts.zoned);
	assert_int_equal(facts.removable, UNKNOWN);
}

static void a_usb_stick_has_at_least_its_bridges_serial(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, USB, "8:32", 0);
	fake_attribute(tree, USB_PORT, "idVendor", "0781");
	fake_attribute(tree, USB_PORT, "serial", "4C530001");
	fake_attribute(tree, USB, "removable", "1");
	fake_attribute(tree, USB, "device/vendor", "SanDisk ");
	fake_attribute(tree, USB, "device/model", "Cruzer\x1b[31m");
	fake_attribute(tree, USB, "device/wwid", "t10.SanDisk Cruzer 4C530001");
	facts = identify(tree, 8, 32);
	assert_string_equal(facts.bus, "USB");
	assert_string_equal(facts.serial, "4C530001");
	assert_string_equal(facts.vendor, "SanDisk");
	assert_string_equal(facts.model, "Cruzer\\x1b[31m");
	assert_string_equal(facts.wwn, "");
	assert_int_equal(facts.removable, YES);
	fake_attribute(tree, USB, "device/serial", "DRIVE");
	assert_string_equal(identify(tree, 8, 32).serial, "DRIVE");
}

/* The spaces before a serial number are turned round with it. */
static void what_a_bridge_turned_round_is_put_right(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, USB, "8:32", 0);
	fake_attribute(tree, USB, "device/model", "DW CDW01ZEXE0-A0");
	fake_attribute(tree, USB, "device/serial", "    W -DCW7C0KBADCFE");
	facts = identify(tree, 8, 32);
	assert_string_equal(facts.model, "WDC WD10EZEX-00A");
	assert_string_equal(facts.serial, "WD-WCC7K0ABCDEF");
}

static void buses_and_media_follow_from_name_and_path(void **state)
{
	static const struct {
		const char *path, *bus;
		enum tristate rotational;
	} rows[] = {
		{ "virtual/block/loop3", "loop", UNKNOWN },
		{ "virtual/block/zram0", "zram", UNKNOWN },
		{ "virtual/block/ram1", "RAM", UNKNOWN },
		{ "virtual/block/dm-2", "device mapper", NO },
		{ "virtual/block/md127", "RAID", NO },
		{ "virtual/block/zd16", "ZFS volume", UNKNOWN },
		{ "virtual/block/drbd0", "DRBD", UNKNOWN },
		{ "virtual/block/ublkb0", "virtual", UNKNOWN },
		{ "virtual/nvme-subsystem/nvme-subsys0/nvme1n1", "NVMe", NO },
		{ "pci0000:00/virtio1/block/vda", "virtio", UNKNOWN },
		{ "pci0000:00/virtio1/host2/target2:0:0/2:0:0:0/block/sda", "SCSI", NO },
		{ "platform/mmc0/mmc0:0001/block/mmcblk0", "MMC", NO },
		{ "pci0000:00/something/block/xyz", "", NO },
	};
	struct fake_tree *tree = *state;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts;
		char number[16];

		(void)snprintf(number, sizeof(number), "240:%u", i);
		fake_device(tree, rows[i].path, number, 0);
		fake_attribute(tree, rows[i].path, "queue/rotational", "0");
		facts = identify(tree, 240, i);
		assert_string_equal(facts.bus, rows[i].bus);
		assert_int_equal(facts.rotational, rows[i].rotational);
		assert_int_equal(facts.kind, DRIVE_DISK);
	}
}

static void optical_drives_are_told_by_name_or_type(void **state)
{
	struct fake_tree *tree = *state;

	fake_device(tree, "pci/host0/block/sr0", "11:0", 0);
	fake_device(tree, "pci/host0/block/sdx", "8:80", 0);
	fake_attribute(tree, "pci/host0/block/sdx", "device/type", "5");
	assert_int_equal(identify(tree, 11, 0).kind, DRIVE_OPTICAL);
	assert_int_equal(identify(tree, 8, 80).kind, DRIVE_OPTICAL);
}

static void odd_attributes_are_unknown_not_wrong(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_device(tree, "pci/block/cciss!c0d0", "104:0", 0);
	fake_attribute(tree, "pci/block/cciss!c0d0", "size", "36028797018963968");
	fake_attribute(tree, "pci/block/cciss!c0d0", "diskseq", "-1");
	fake_bytes(tree, "sys/devices/pci/block/cciss!c0d0/device/vpd_pg80", "\0\x80\0\0", 4);
	facts = identify(tree, 104, 0);
	assert_int_equal(facts.size, 0);
	assert_int_equal(facts.diskseq, 0);
	assert_string_equal(facts.serial, "");
	assert_string_equal(facts.name, "cciss/c0d0");
	assert_string_equal(facts.node + strlen(tree->dev), "/cciss/c0d0");
}

static void without_sysfs_only_the_number_is_known(void **state)
{
	struct drive_facts facts = identify(*state, 8, 16);

	assert_false(facts.sysfs_seen);
	assert_int_equal(facts.kind, DRIVE_DISK);
	assert_true(facts.rdev == makedev(8, 16) && facts.disk_rdev == makedev(8, 16));
	assert_int_equal(facts.size, 0);
	assert_int_equal(facts.logical, 0);
	assert_string_equal(facts.bus, "");
}

static void the_most_telling_by_id_name_is_taken(void **state)
{
	static const struct {
		const char *added, *best;
	} rows[] = {
		{ "wwn-0x50014ee2b5c6d7e8", "wwn-0x50014ee2b5c6d7e8" },
		{ "scsi-350014ee2b5c6d7e8", "scsi-350014ee2b5c6d7e8" },
		{ "lvm-pv-uuid-abc", "lvm-pv-uuid-abc" },
		{ "other-thing", "other-thing" },
		{ "ata-WDC_WD40_WD-WCC7K0AB_1", "ata-WDC_WD40_WD-WCC7K0AB_1" },
		{ "ata-WDC_WD40_WD-WCC7K0AB", "ata-WDC_WD40_WD-WCC7K0AB" },
		{ "nvme-eui.0025385b01234567", "ata-WDC_WD40_WD-WCC7K0AB" },
	};
	struct fake_tree *tree = *state;
	char name[PATH_MAX];

	fake_folder(tree, "dev");
	if (mknod(fake_path(tree, "dev/sdb"), S_IFBLK | 0600, makedev(240, 200)) ||
	    mknod(fake_path(tree, "dev/sdc"), S_IFBLK | 0600, makedev(240, 201))) {
		print_message("# skipped: may not make device nodes\n");
		skip();
	}
	fake_link(tree, "dev/disk/by-id/ata-AAA_OTHER", "dev/sdc");
	fake_link(tree, "dev/disk/by-id/ata-AAA_DANGLING", "dev/sdd");
	assert_string_equal(identify(tree, 240, 200).by_id, "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts;

		(void)snprintf(name, sizeof(name), "dev/disk/by-id/%s", rows[i].added);
		fake_link(tree, name, "dev/sdb");
		facts = identify(tree, 240, 200);
		assert_string_equal(strrchr(facts.by_id, '/') + 1, rows[i].best);
	}
}

static void a_regular_file_is_an_image(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts, through_link;
	struct stat st;

	fake_file(tree, "img/disk\x01.img", "abc");
	assert_int_equal(truncate(fake_path(tree, "img/disk\x01.img"), INT64_C(5) << 30 | 3), 0);
	assert_int_equal(stat(tree->path, &st), 0);
	assert_int_equal(scan_path(&tree->roots, tree->path, &facts), 0);
	assert_string_equal(facts.path, tree->path);
	assert_string_equal(facts.name, "disk\\x01.img");
	assert_string_equal(facts.bus, "file");
	assert_string_equal(facts.node, "");
	assert_string_equal(facts.disk, "");
	assert_int_equal(facts.kind, DRIVE_FILE);
	assert_true(facts.size == (UINT64_C(5) << 30 | 3));
	assert_int_equal(facts.logical, 1);
	assert_true(facts.physical >= 512 && facts.physical <= 4096);
	assert_true(facts.file_dev == st.st_dev && facts.file_ino == st.st_ino);
	assert_int_equal(facts.rotational, UNKNOWN);
	fake_link(tree, "link", "img/disk\x01.img");
	assert_int_equal(scan_path(&tree->roots, fake_path(tree, "link"), &through_link), 0);
	assert_string_equal(through_link.name, "link");
	assert_true(facts_same(&facts, &through_link));
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	(void)close(fd);
}

static void what_is_no_drive_is_told_apart_without_opening_it(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts;

	fake_folder(tree, "folder");
	assert_int_equal(scan_path(&tree->roots, tree->path, &facts), 0);
	assert_int_equal(facts.kind, DRIVE_DIRECTORY);
	assert_int_equal(mkfifo(fake_path(tree, "fifo"), 0600), 0);
	assert_int_equal(scan_path(&tree->roots, tree->path, &facts), 0);
	assert_int_equal(facts.kind, DRIVE_FIFO);
	make_socket(fake_path(tree, "socket"));
	assert_int_equal(scan_path(&tree->roots, tree->path, &facts), 0);
	assert_int_equal(facts.kind, DRIVE_SOCKET);
	assert_int_equal(scan_path(&tree->roots, "/dev/null", &facts), 0);
	assert_int_equal(facts.kind, DRIVE_CHAR);
	assert_int_equal(scan_path(&tree->roots, "/", &facts), 0);
	assert_string_equal(facts.name, "/");
}

static void what_is_not_there_is_an_error_and_changes_nothing(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts = { .size = 77 };
	char longest[PATH_MAX + 1];

	memset(longest, 'a', PATH_MAX);
	longest[PATH_MAX] = '\0';
	assert_int_equal(scan_path(&tree->roots, fake_path(tree, "none"), &facts), -ENOENT);
	assert_int_equal(scan_path(&tree->roots, longest, &facts), -ENAMETOOLONG);
	assert_int_equal(scan_path(&tree->roots, "", &facts), -ENOENT);
	assert_int_equal(access(fake_path(tree, "none"), F_OK), -1);
	assert_int_equal(facts.size, 77);
}

static int descriptor_of(struct fake_tree *tree, const char *name, struct drive_facts *facts)
{
	int fd = open(fake_path(tree, name), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int r;

	assert_true(fd >= 0);
	r = scan_descriptor(&tree->roots, fd, facts);
	(void)close(fd);
	return r;
}

static void a_descriptor_must_be_what_was_seen(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts facts, before;

	fake_file(tree, "a", "0123456789");
	fake_file(tree, "b", "0123456789");
	assert_int_equal(mkfifo(fake_path(tree, "fifo"), 0600), 0);
	assert_int_equal(scan_path(&tree->roots, fake_path(tree, "a"), &facts), 0);
	before = facts;
	assert_int_equal(descriptor_of(tree, "a", &facts), 0);
	assert_memory_equal(&facts, &before, sizeof(facts));
	assert_int_equal(descriptor_of(tree, "b", &facts), -ESTALE);
	assert_int_equal(descriptor_of(tree, "fifo", &facts), -ESTALE);
	assert_int_equal(truncate(fake_path(tree, "a"), 11), 0);
	assert_int_equal(descriptor_of(tree, "a", &facts), -ESTALE);
	assert_memory_equal(&facts, &before, sizeof(facts));
	facts.kind = DRIVE_DISK;
	assert_int_equal(descriptor_of(tree, "a", &facts), -ESTALE);
}

static void a_drive_overlaps_itself_and_its_partitions(void **state)
{
	const struct drive_facts disk = { .kind = DRIVE_DISK, .rdev = 16, .disk_rdev = 16 },
				 other = { .kind = DRIVE_DISK, .rdev = 32, .disk_rdev = 32 },
				 one = { .kind = DRIVE_PARTITION,
					 .rdev = 17,
					 .disk_rdev = 16,
					 .start = 1000,
					 .size = 1000 },
				 two = { .kind = DRIVE_PARTITION,
					 .rdev = 18,
					 .disk_rdev = 16,
					 .start = 2000,
					 .size = UINT64_MAX },
				 inner = { .kind = DRIVE_PARTITION,
					   .rdev = 19,
					   .disk_rdev = 16,
					   .start = 1999,
					   .size = 1 },
				 file = { .kind = DRIVE_FILE, .file_dev = 16, .file_ino = 1 },
				 file2 = { .kind = DRIVE_FILE, .file_dev = 16, .file_ino = 2 },
				 file3 = { .kind = DRIVE_FILE, .file_dev = 17, .file_ino = 1 },
				 folder = { .kind = DRIVE_DIRECTORY };
	const struct {
		const struct drive_facts *a, *b;
		bool overlap;
	} rows[] = {
		{ &disk, &disk, true },	     { &disk, &other, false }, { &disk, &one, true },
		{ &other, &one, false },     { &one, &one, true },     { &one, &two, false },
		{ &one, &inner, true },	     { &inner, &two, false },  { &file, &file, true },
		{ &file, &file2, false },    { &file, &file3, false }, { &file, &disk, false },
		{ &folder, &folder, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if ((facts_same(rows[i].a, rows[i].b) != SAME_NOT) != rows[i].overlap ||
		    (facts_same(rows[i].b, rows[i].a) != SAME_NOT) != rows[i].overlap)
			fail_msg("row %zu", i);
}

static void scan_loop(const struct system_roots *roots, const char *node, struct drive_facts *seen,
		      struct drive_facts *opened)
{
	int fd = open(node, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(scan_path(roots, node, seen), 0);
	*opened = *seen;
	assert_int_equal(scan_descriptor(roots, fd, opened), 0);
	(void)close(fd);
}

static void a_loop_device_says_the_same_by_name_and_by_descriptor(void **state)
{
	struct drive_facts seen, opened;
	struct loop_device loop;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 << 20, 4096, true));
	scan_loop(&system_roots_real, loop.node, &seen, &opened);
	assert_string_equal(seen.node, loop.node);
	assert_string_equal(seen.bus, "loop");
	assert_string_equal(seen.backing, loop.image);
	assert_int_equal(seen.size, 8 << 20);
	assert_int_equal(seen.logical, 4096);
	assert_true(seen.read_only && seen.sysfs_seen);
	assert_memory_equal(&seen, &opened, sizeof(seen));
	loop_free(&loop);
}

/* 0: older kernels and emulators of other machines do not know the question. */
static uint64_t asked_diskseq(int fd)
{
	uint64_t diskseq = 0;

	return ioctl(fd, BLKGETDISKSEQ, &diskseq) ? 0 : diskseq;
}

static void without_sysfs_the_descriptor_tells_the_numbers(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen, opened;
	struct loop_device loop;

	need_loop_devices();
	assert_true(loop_new(&loop, 8 << 20, 4096, true));
	scan_loop(&tree->roots, loop.node, &seen, &opened);
	assert_false(seen.sysfs_seen);
	assert_int_equal(seen.size, 0);
	assert_int_equal(seen.logical, 0);
	assert_string_equal(seen.name, strrchr(loop.node, '/') + 1);
	assert_int_equal(opened.size, 8 << 20);
	assert_int_equal(opened.logical, 4096);
	assert_true(opened.read_only);
	assert_true(opened.diskseq == asked_diskseq(loop.fd));
	loop_free(&loop);
}

/* The same node and number, but another device: only diskseq, size or identity tell. */
static void a_successor_under_the_same_number_is_stale(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts opened, changed;
	struct loop_device loop;
	int fd;

	need_loop_devices();
	assert_true(loop_new(&loop, 8 << 20, 512, false));
	scan_loop(&system_roots_real, loop.node, &opened, &opened);
	fd = open(loop.node, O_RDONLY | O_CLOEXEC);
	changed = opened;
	changed.diskseq--;
	assert_int_equal(scan_descriptor(&system_roots_real, fd, &changed), -ESTALE);
	changed = opened;
	changed.size -= 512;
	assert_int_equal(scan_descriptor(&system_roots_real, fd, &changed), -ESTALE);
	changed = opened;
	changed.kind = DRIVE_PARTITION;
	assert_int_equal(scan_descriptor(&system_roots_real, fd, &changed), -ESTALE);
	changed = opened;
	changed.rdev++;
	assert_int_equal(scan_descriptor(&system_roots_real, fd, &changed), -ESTALE);
	changed = opened;
	changed.size = changed.diskseq = 0;
	(void)snprintf(changed.serial, sizeof(changed.serial), "UNKNOWN HERE");
	assert_int_equal(scan_descriptor(&tree->roots, fd, &changed), 0);
	assert_true(changed.size == opened.size && changed.diskseq == asked_diskseq(fd));
	(void)close(fd);
	loop_free(&loop);
}

static void a_partition_of_a_loop_device_is_one(void **state)
{
	struct drive_facts disk, part;
	struct loop_device loop;
	char node[80];

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 64 << 20, 512, false));
	assert_true(loop_add_partition(&loop, 1, 1 << 20, 32 << 20));
	(void)snprintf(node, sizeof(node), "%sp1", loop.node);
	assert_int_equal(scan_path(&system_roots_real, loop.node, &disk), 0);
	assert_int_equal(scan_path(&system_roots_real, node, &part), 0);
	assert_int_equal(part.kind, DRIVE_PARTITION);
	assert_string_equal(part.disk, disk.name);
	assert_int_equal(part.start, 1 << 20);
	assert_int_equal(part.size, 32 << 20);
	assert_true(part.disk_rdev == disk.rdev && part.diskseq == disk.diskseq);
	assert_true(facts_same(&disk, &part));
	loop_free(&loop);
}

/* udev's database as its daemon writes it, where only this process sees it. */
static bool write_database(dev_t number)
{
	char name[80];
	FILE *file;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL))
		return false;
	(void)mkdir("/run/udev", 0755);
	(void)mkdir("/run/udev/data", 0755);
	(void)snprintf(name, sizeof(name), "/run/udev/data/b%u:%u", major(number), minor(number));
	file = fopen(name, "w");
	if (!file)
		return false;
	(void)fputs("I:1\n"
		    "E:ID_BUS=ata\n"
		    "E:ID_SERIAL_SHORT=WD-WCC7K0ABCDEF\n"
		    "E:ID_WWN=0x50014ee2b5c6d7e8\n"
		    "E:ID_MODEL_ENC=WDC\\x20WD40\\x1b\\x20\\x20\n"
		    "E:ID_MODEL=WDC_WD40\n"
		    "E:ID_REVISION=82.00A82\n",
		    file);
	return !fclose(file);
}

static void udevs_database_fills_the_gaps(void **state)
{
	struct loop_device loop;
	struct drive_facts facts;
	bool written;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 << 20, 512, false));
	assert_int_equal(scan_path(&system_roots_real, loop.node, &facts), 0);
	written = write_database(facts.rdev);
	assert_int_equal(scan_path(&system_roots_real, loop.node, &facts), 0);
	(void)umount2("/run", MNT_DETACH);
	loop_free(&loop);
	if (!written) {
		print_message("# skipped: may not mount\n");
		skip();
	}
	assert_string_equal(facts.serial, "WD-WCC7K0ABCDEF");
	assert_string_equal(facts.wwn, "0x50014ee2b5c6d7e8");
	assert_string_equal(facts.model, "WDC WD40\\x1b");
	assert_string_equal(facts.firmware, "82.00A82");
	assert_string_equal(facts.bus, "loop");
}

#define TREE_TEST(function)                                                                        \
	cmocka_unit_test_setup_teardown(function, fake_tree_setup, fake_tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_sata_disk_is_known_without_udev),
		TREE_TEST(a_partition_has_its_disks_identity),
		TREE_TEST(an_nvme_drive_is_known),
		TREE_TEST(a_usb_stick_has_at_least_its_bridges_serial),
		TREE_TEST(what_a_bridge_turned_round_is_put_right),
		TREE_TEST(buses_and_media_follow_from_name_and_path),
		TREE_TEST(optical_drives_are_told_by_name_or_type),
		TREE_TEST(odd_attributes_are_unknown_not_wrong),
		TREE_TEST(without_sysfs_only_the_number_is_known),
		TREE_TEST(the_most_telling_by_id_name_is_taken),
		TREE_TEST(a_regular_file_is_an_image),
		TREE_TEST(what_is_no_drive_is_told_apart_without_opening_it),
		TREE_TEST(what_is_not_there_is_an_error_and_changes_nothing),
		TREE_TEST(a_descriptor_must_be_what_was_seen),
		cmocka_unit_test(a_drive_overlaps_itself_and_its_partitions),
		cmocka_unit_test(a_loop_device_says_the_same_by_name_and_by_descriptor),
		TREE_TEST(without_sysfs_the_descriptor_tells_the_numbers),
		TREE_TEST(a_successor_under_the_same_number_is_stale),
		cmocka_unit_test(a_partition_of_a_loop_device_is_one),
		cmocka_unit_test(udevs_database_fills_the_gaps),
	};

	return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}

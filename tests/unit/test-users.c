/* SPDX-License-Identifier: MIT */
/*
 * Users of a drive that are seldom thought of, a row for each situation: other namespaces,
 * overlays, live systems, file systems without a mount, btrfs of several drives, caches,
 * hibernation, processes. On a /proc and /sys of our own.
 */
#include "device/usage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/identify.h"
#include "device/usage-inside.h"
#include "fake-tree.h"

/* Names that no machine that runs this has a device for. */
#define DISK  "pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sdzzz"
#define PART1 DISK "/sdzzz1"
#define PART2 DISK "/sdzzz2"
#define LOOP  "virtual/block/loop905"

#define ROOT	   "20 1 254:0 / / rw,relatime - ext4 /dev/root rw\n"
#define SWAPS_HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
#define OURS	   "proc/self/mountinfo"

enum { FILES_MAX = 8, USES_MAX = 4 };

struct row {
	const char *what;
	struct {
		const char *name, *text;
	} files[FILES_MAX];
	struct {
		enum use_kind kind;
		const char *chain, *what, *command;
		pid_t pid;
		bool system;
	} uses[USES_MAX]; /* ends with chain NULL */
};

static const struct row rows[] = {
	{ .what = "nobody", .files = { { OURS, ROOT } } },
	{ .what = "the system's root",
	  .files = { { OURS, "20 1 240:2 / / rw - ext4 /dev/sdzzz2 rw\n"
			     "21 20 240:1 / /boot/efi rw - vfat /dev/sdzzz1 rw\n"
			     "22 20 240:1 / /media/efi rw - vfat /dev/sdzzz1 rw\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/boot/efi", "", 0, true },
		    { USE_MOUNT, "sdzzz -> sdzzz2", "/", "", 0, true },
		    { USE_MOUNT, "sdzzz -> sdzzz1", "/media/efi", "", 0, false } } },
	{ .what = "another mount namespace",
	  .files = { { OURS, ROOT },
		     { "proc/self/ns/mnt", "a" },
		     { "proc/77/ns/mnt", "b" },
		     { "proc/77/comm", "dockerd\n" },
		     { "proc/77/mountinfo", "30 20 240:1 / /data rw - ext4 /dev/sdzzz1 rw\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/data", "dockerd", 77, false } } },
	{ .what = "the root of a container in another namespace is not the system's",
	  .files = { { OURS, ROOT },
		     { "proc/self/ns/mnt", "a" },
		     { "proc/77/ns/mnt", "b" },
		     { "proc/77/mountinfo", "30 20 240:1 / / rw - ext4 /dev/sdzzz1 rw\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/", "", 77, false } } },
	{ .what = "but that of the first process is",
	  .files = { { OURS, ROOT },
		     { "proc/self/ns/mnt", "a" },
		     { "proc/1/ns/mnt", "b" },
		     { "proc/1/comm", "init\n" },
		     { "proc/1/mountinfo", "30 20 240:1 / / rw - ext4 /dev/sdzzz1 rw\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/", "init", 1, true } } },
	{ .what = "one mount in two namespaces is one",
	  .files = { { OURS, ROOT "30 20 240:1 / /data rw - ext4 /dev/sdzzz1 rw\n" },
		     { "proc/self/ns/mnt", "a" },
		     { "proc/77/ns/mnt", "b" },
		     { "proc/77/mountinfo", "30 20 240:1 / /data rw - ext4 /dev/sdzzz1 rw\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/data", "", 0, false } } },
	{ .what = "a file system that is active without a mount",
	  .files = { { OURS, ROOT }, { "sys/fs/ext4/sdzzz1/lifetime", "0" } },
	  .uses = { { USE_FILE_SYSTEM, "sdzzz -> sdzzz1", "ext4", "", 0, false } } },
	{ .what = "and one with a mount",
	  .files = { { OURS, ROOT "30 20 240:1 / /data rw - xfs /dev/sdzzz1 rw\n" },
		     { "sys/fs/xfs/sdzzz1/log", "0" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/data", "", 0, false } } },
	{ .what = "the second member of a btrfs",
	  .files = { { OURS, ROOT "30 20 0:44 / /pool rw - btrfs /dev/sdyyy rw\n" },
		     { "sys/fs/btrfs/1234/devices/sdyyy", "" },
		     { "sys/fs/btrfs/1234/devices/sdzzz1", "" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/pool", "", 0, false } } },
	{ .what = "a member of a btrfs that nobody sees mounted",
	  .files = { { OURS, ROOT },
		     { "sys/fs/btrfs/1234/devices/sdyyy", "" },
		     { "sys/fs/btrfs/1234/devices/sdzzz1", "" } },
	  .uses = { { USE_FILE_SYSTEM, "sdzzz -> sdzzz1", "btrfs", "", 0, false } } },
	{ .what = "an overlay",
	  .files = { { OURS,
		       ROOT "30 20 240:1 / /low rw - ext4 /dev/sdzzz1 rw\n"
			    "31 20 0:50 / /merged rw - overlay overlay "
			    "rw,lowerdir=/other:/low/a\\134:b,upperdir=/up,workdir=/work\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/low", "", 0, false },
		    { USE_MOUNT, "sdzzz -> sdzzz1", "/merged", "", 0, false } } },
	{ .what = "an overlay of something else below that name",
	  .files = { { OURS, ROOT
		       "30 20 240:1 / /low rw - ext4 /dev/sdzzz1 rw\n"
		       "31 20 0:49 / /low/tmp rw - tmpfs tmpfs rw\n"
		       "32 20 0:50 / /merged rw - overlay overlay rw,lowerdir=/low/tmp/x\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/low", "", 0, false } } },
	{ .what = "a live medium below a squashfs below an overlay",
	  .files = { { OURS, "20 1 0:30 / / rw - overlay overlay "
			     "rw,lowerdir=/run/live/rootfs,upperdir=/o/rw\n"
			     "21 20 240:1 / /run/live/medium ro - iso9660 /dev/sdzzz1 ro\n"
			     "22 20 7:5 / /run/live/rootfs ro - squashfs /dev/loop905 ro\n" },
		     { "sys/devices/" LOOP "/loop/backing_file", "/dev/sdzzz1\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/run/live/medium", "", 0, true },
		    { USE_MOUNT, "sdzzz -> sdzzz1 -> loop905", "/", "", 0, true },
		    { USE_MOUNT, "sdzzz -> sdzzz1 -> loop905", "/run/live/rootfs", "", 0,
		      true } } },
	{ .what = "a live system whose lower folders are out of sight",
	  .files = { { OURS, "20 1 0:30 / / rw - overlay overlay rw,lowerdir=/gone,upperdir=/cow\n"
			     "22 20 7:5 / /mnt/image ro - squashfs /dev/loop905 ro\n" },
		     { "sys/devices/" LOOP "/loop/backing_file", "/dev/sdzzz1\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1 -> loop905", "/mnt/image", "", 0, true } } },
	{ .what = "a loop device on a file of a file system with a number of its own",
	  .files = { { OURS, ROOT "30 20 0:44 / /pool rw - btrfs /dev/sdzzz1 rw\n" },
		     { "sys/fs/btrfs/1234/devices/sdzzz1", "" },
		     { "sys/devices/" LOOP "/loop/backing_file", "/proc/version\n" } },
	  .uses = { { USE_MOUNT, "sdzzz -> sdzzz1", "/pool", "", 0, false } } },
	{ .what = "hibernation",
	  .files = { { OURS, ROOT }, { "sys/power/resume", "240:1\n" } },
	  .uses = { { USE_HIBERNATION, "sdzzz -> sdzzz1", "", "", 0, false } } },
	{ .what = "hibernation to what is swap anyway",
	  .files = { { OURS, ROOT },
		     { "sys/power/resume", "240:1\n" },
		     { "proc/swaps", SWAPS_HEAD "/dev/sdzzz1 partition\t8388604\t0\t-2\n" } },
	  .uses = { { USE_SWAP, "sdzzz -> sdzzz1", "/dev/sdzzz1", "", 0, false } } },
	{ .what = "no hibernation", .files = { { OURS, ROOT }, { "sys/power/resume", "0:0\n" } } },
};

static int setup_disk(void **state)
{
	struct fake_tree *tree;
	int r = fake_tree_setup(state);

	tree = *state;
	fake_device(tree, DISK, "240:0", 0);
	fake_device(tree, PART1, "240:1", 1);
	fake_device(tree, PART2, "240:2", 2);
	fake_device(tree, LOOP, "7:5", 0);
	fake_file(tree, OURS, ROOT);
	fake_file(tree, "proc/swaps", SWAPS_HEAD);
	tree->roots.dev = "/dev";
	return r;
}

static struct usage collect(struct fake_tree *tree, unsigned mi)
{
	struct drive_facts facts = { .rotational = UNKNOWN };
	struct tables *tables;
	struct usage usage;

	identify_block(&tree->roots, makedev(240, mi), &facts);
	assert_int_equal(tables_read(&tree->roots, &tables), 0);
	assert_int_equal(usage_collect(tables, &facts, &usage), 0);
	tables_free(tables);
	return usage;
}

static void check_row(const struct row *row)
{
	struct fake_tree *tree;
	struct usage usage;
	void *state = NULL;
	unsigned n = 0;

	assert_int_equal(setup_disk(&state), 0);
	tree = state;
	for (unsigned i = 0; i < FILES_MAX && row->files[i].name; i++)
		fake_file(tree, row->files[i].name, row->files[i].text);
	usage = collect(tree, 0);
	for (; n < USES_MAX && row->uses[n].chain; n++) {
		const struct use *use = &usage.items[n];

		if (n >= usage.count || use->kind != row->uses[n].kind ||
		    strcmp(use->chain, row->uses[n].chain) ||
		    strcmp(use->what, row->uses[n].what) || use->pid != row->uses[n].pid ||
		    strcmp(use->command, row->uses[n].command) ||
		    use->system != row->uses[n].system)
			fail_msg("%s: use %u of %u: kind %d, %s, %s, %d %s, system %d", row->what,
				 n, usage.count, (int)use->kind, use->chain, use->what,
				 (int)use->pid, use->command, use->system);
	}
	if (usage.count != n)
		fail_msg("%s: %u uses, the last: %s %s", row->what, usage.count,
			 usage.items[usage.count - 1].chain, usage.items[usage.count - 1].what);
	(void)fake_tree_teardown(&state);
}

static void every_situation_is_seen_and_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
}

/* The set has the cache and the drive that it caches; only the latter has a holder. */
static void a_cache_is_used_by_what_it_caches(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, "virtual/block/bcache0", "252:0", 0);
	fake_folder(tree, "sys/devices/" DISK "/bcache");
	fake_file(tree, "sys/fs/bcache/5678/x", "");
	fake_file(tree, "sys/devices/backing/bcache/x", "");
	fake_link(tree, "sys/devices/" DISK "/bcache/set", "sys/fs/bcache/5678");
	fake_link(tree, "sys/fs/bcache/5678/bdev0", "sys/devices/backing/bcache");
	fake_link(tree, "sys/devices/backing/bcache/dev", "sys/devices/virtual/block/bcache0");
	usage = collect(tree, 0);
	assert_int_equal(usage.count, 1);
	assert_int_equal(usage.items[0].kind, USE_HOLDER);
	assert_string_equal(usage.items[0].chain, "sdzzz");
	assert_string_equal(usage.items[0].what, "bcache0");
}

static void make_opener(struct fake_tree *tree, int pid, int fd, mode_t kind, dev_t number,
			const char *flags)
{
	char name[64], node[64], text[64];

	(void)snprintf(name, sizeof(name), "proc/%d/comm", pid);
	fake_file(tree, name, "qemu\n");
	(void)snprintf(name, sizeof(name), "proc/%d/fdinfo/%d", pid, fd);
	(void)snprintf(text, sizeof(text), "pos:\t0\nflags:\t%s\n", flags);
	fake_file(tree, name, text);
	(void)snprintf(node, sizeof(node), "node-%d-%d", pid, fd);
	assert_int_equal(mknod(fake_path(tree, node), kind | 0600, number), 0);
	(void)snprintf(name, sizeof(name), "proc/%d/fd/x", pid);
	fake_file(tree, name, "");
	(void)snprintf(name, sizeof(name), "proc/%d/fd/%d", pid, fd);
	fake_link(tree, name, node);
}

static void processes_are_named_and_writers_told_from_readers(void **state)
{
	static const struct {
		mode_t kind;
		unsigned major, minor;
		const char *flags;
		enum use_kind use;
		const char *chain;
	} openers[] = {
		{ S_IFBLK, 240, 0, "0100002", USE_WRITER, "sdzzz" },
		{ S_IFBLK, 240, 0, "0100000", USE_READER, "sdzzz" },
		{ S_IFBLK, 240, 1, "0100001", USE_WRITER, "sdzzz -> sdzzz1" },
		{ S_IFCHR, 21, 7, "02", USE_WRITER, "sdzzz" },
	};

	(void)state;
	if (geteuid())
		skip();
	for (size_t i = 0; i < sizeof(openers) / sizeof(*openers); i++) {
		void *own = NULL;
		struct fake_tree *fresh;
		struct usage usage;

		assert_int_equal(setup_disk(&own), 0);
		fresh = own;
		fake_file(fresh, "sys/devices/" DISK "/device/scsi_generic/sg7/dev", "21:7\n");
		make_opener(fresh, 900001, 3, openers[i].kind,
			    makedev(openers[i].major, openers[i].minor), openers[i].flags);
		make_opener(fresh, 900002, 3, S_IFBLK, makedev(241, 0), "02");
		usage = collect(fresh, 0);
		assert_int_equal(usage.count, 1);
		assert_int_equal(usage.items[0].kind, openers[i].use);
		assert_string_equal(usage.items[0].chain, openers[i].chain);
		assert_string_equal(usage.items[0].command, "qemu");
		assert_int_equal(usage.items[0].pid, 900001);
		(void)fake_tree_teardown(&own);
	}
}

/* It has the node open twice, once for writing. */
static void one_process_is_one_use(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	if (geteuid())
		skip();
	make_opener(tree, 900001, 3, S_IFBLK, makedev(240, 0), "0");
	make_opener(tree, 900001, 4, S_IFBLK, makedev(240, 0), "02");
	usage = collect(tree, 0);
	assert_int_equal(usage.count, 1);
	assert_int_equal(usage.items[0].kind, USE_WRITER);
	assert_true(usage.openers_known && usage.namespaces_known);
}

/* The kernel does not keep a drive from being opened below a loop device: only this refusal does.
 */
static void who_reads_what_is_built_on_it_does_not_hide_it(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	if (geteuid())
		skip();
	fake_attribute(tree, LOOP, "loop/backing_file", "/dev/sdzzz1");
	make_opener(tree, 900001, 3, S_IFBLK, makedev(7, 5), "0");
	usage = collect(tree, 0);
	assert_int_equal(usage.count, 2);
	assert_int_equal(usage.items[0].kind, USE_READER);
	assert_int_equal(usage.items[1].kind, USE_LOOP);
	assert_string_equal(usage.items[1].chain, "sdzzz -> sdzzz1");
}

static void many_readers_do_not_hide_a_mount(void **state)
{
	struct fake_tree *tree = *state;
	unsigned readers = 0, mounts = 0;
	struct usage usage;

	if (geteuid())
		skip();
	for (int i = 0; i < 2 * USAGE_MAX; i++)
		make_opener(tree, 900001 + i, 3, S_IFBLK, makedev(240, 0), "0");
	fake_file(tree, OURS, ROOT "30 20 240:2 / /data rw - ext4 /dev/sdzzz2 rw\n");
	usage = collect(tree, 0);
	for (unsigned i = 0; i < usage.count; i++) {
		readers += usage.items[i].kind == USE_READER;
		mounts += usage.items[i].kind == USE_MOUNT;
	}
	assert_false(usage.truncated);
	assert_int_equal(mounts, 1);
	assert_int_equal(readers, usage.count - 1);
	assert_true(readers > 0);
}

static void what_is_built_on_a_drive_is_on_the_way_to_its_users(void **state)
{
	static const struct usage usage = {
		.count = 3,
		.items = { { .kind = USE_MOUNT,
			     .chain = "sdb -> sdb1 -> md127 -> dm-3 \"vg-home\"",
			     .what = "/home" },
			   { .kind = USE_HOLDER, .chain = "sdb -> sdb2", .what = "dm-1 \"x\"" },
			   { .kind = USE_LOOP, .chain = "sdb", .what = "loop10" } }
	};
	static const struct {
		const char *name;
		bool through;
	} names[] = {
		{ "sdb1", true },   { "md127", true },	{ "dm-3", true },   { "dm-1", true },
		{ "loop10", true }, { "sdb", false },	{ "loop1", false }, { "dm-", false },
		{ "md12", false },  { "/home", false }, { "", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (usage_leads_through(&usage, names[i].name) != names[i].through)
			fail_msg("%s", names[i].name);
}

static void places_of_the_system(void **state)
{
	static const struct {
		const char *target;
		bool system;
	} places[] = {
		{ "/", true },
		{ "/boot", true },
		{ "/boot/efi", true },
		{ "/efi", true },
		{ "/usr", true },
		{ "/usr/local", true },
		{ "/var", true },
		{ "/var/log", true },
		{ "/run/live/medium", true },
		{ "/lib/live/mount/medium", true },
		{ "/run/archiso/bootmnt", true },
		{ "/cdrom", true },
		{ "/home", false },
		{ "/media/photos", false },
		{ "/mnt", false },
		{ "/bootleg", false },
		{ "/varied", false },
		{ "/var/www", false },
		{ "/usrdata", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (usage_system_place(places[i].target) != places[i].system)
			fail_msg("%s", places[i].target);
}

#define DISK_TEST(name) cmocka_unit_test_setup_teardown(name, setup_disk, fake_tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_situation_is_seen_and_named),
		DISK_TEST(a_cache_is_used_by_what_it_caches),
		cmocka_unit_test(processes_are_named_and_writers_told_from_readers),
		DISK_TEST(one_process_is_one_use),
		DISK_TEST(who_reads_what_is_built_on_it_does_not_hide_it),
		DISK_TEST(many_readers_do_not_hide_a_mount),
		cmocka_unit_test(what_is_built_on_a_drive_is_on_the_way_to_its_users),
		cmocka_unit_test(places_of_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

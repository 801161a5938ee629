/* SPDX-License-Identifier: MIT */
/* Who uses a drive: on a /proc and /sys of our own, and, as root, with real mounts and swap. */
#include "device/usage.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/identify.h"
#include "fake-tree.h"
#include "loop-device.h"

/* A name that no machine that runs this has a device for. */
#define DISK	"pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sdzzz"
#define PART1	DISK "/sdzzz1"
#define PART2	DISK "/sdzzz2"
#define MD	"virtual/block/md127"
#define DM3	"virtual/block/dm-3"
#define LOOP(n) "virtual/block/loop" n

#define ROOT_MOUNT "20 1 254:0 / / rw,relatime - ext4 /dev/root rw\n"
#define SWAPS_HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

/* A free disk with two partitions, and a system that runs from somewhere else. */
static int setup_disk(void **state)
{
	struct fake_tree *tree;
	int r = fake_tree_setup(state);

	tree = *state;
	fake_device(tree, DISK, "240:0", 0);
	fake_device(tree, PART1, "240:1", 1);
	fake_device(tree, PART2, "240:2", 2);
	fake_file(tree, "proc/self/mountinfo", ROOT_MOUNT);
	fake_file(tree, "proc/swaps", SWAPS_HEAD);
	return r;
}

static int collect_from(const struct system_roots *roots, const struct drive_facts *facts,
			struct usage *usage)
{
	struct tables *tables;
	int r = tables_read(roots, &tables);

	assert_int_equal(r, 0);
	r = usage_collect(tables, facts, usage);
	tables_free(tables);
	return r;
}

static struct usage collect(const struct fake_tree *tree, unsigned mi)
{
	struct drive_facts facts = { .rotational = UNKNOWN };
	struct usage usage;

	identify_block(&tree->roots, makedev(240, mi), &facts);
	assert_int_equal(collect_from(&tree->roots, &facts, &usage), 0);
	return usage;
}

static struct usage collect_file(struct fake_tree *tree, const char *name)
{
	struct drive_facts facts;
	struct usage usage;

	assert_int_equal(scan_path(&tree->roots, fake_path(tree, name), &facts), 0);
	assert_int_equal(collect_from(&tree->roots, &facts, &usage), 0);
	return usage;
}

static void assert_use(const struct usage *usage, unsigned i, enum use_kind kind, const char *chain,
		       const char *what)
{
	assert_true(i < usage->count);
	assert_int_equal(usage->items[i].kind, kind);
	assert_string_equal(usage->items[i].chain, chain);
	assert_string_equal(usage->items[i].what, what);
}

static void assert_one_use(const struct usage *usage, enum use_kind kind, const char *chain,
			   const char *what)
{
	assert_int_equal(usage->count, 1);
	assert_use(usage, 0, kind, chain, what);
}

static void a_free_disk_is_free_and_that_is_known(void **state)
{
	struct usage usage = collect(*state, 0);

	assert_int_equal(usage.count, 0);
	assert_true(usage.mounts_known && usage.swaps_known && usage.holders_known);
	assert_false(usage.truncated);
}

static void a_mounted_partition_is_use_of_the_disk(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/self/mountinfo",
		  ROOT_MOUNT "30 20 240:2 / /media/my\\040photos rw - ext4 /dev/sdzzz2 rw\n"
			     "31 20 240:2 /sub /srv/bind rw - ext4 /dev/sdzzz2 rw\n"
			     "32 20 240:9 / /other rw - ext4 /dev/other rw\n");
	usage = collect(tree, 0);
	assert_int_equal(usage.count, 2);
	assert_use(&usage, 0, USE_MOUNT, "sdzzz -> sdzzz2", "/media/my photos");
	assert_use(&usage, 1, USE_MOUNT, "sdzzz -> sdzzz2", "/srv/bind");
	usage = collect(tree, 2);
	assert_int_equal(usage.count, 2);
	usage = collect(tree, 1);
	assert_int_equal(usage.count, 0);
}

static void a_partition_is_used_through_its_disk(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/self/mountinfo", ROOT_MOUNT "30 20 240:0 / /a rw - xfs /dev/x rw\n");
	usage = collect(tree, 1);
	assert_one_use(&usage, USE_MOUNT, "sdzzz", "/a");
}

static void a_mount_point_is_clean_text(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/self/mountinfo",
		  ROOT_MOUNT "30 20 240:0 / /a\\012\033[2Jb rw - xfs /dev/x rw\n");
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_MOUNT, "sdzzz", "/a\\x0a\\x1b[2Jb");
}

static void a_file_system_with_a_number_of_its_own_is_found_by_its_source(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/self/mountinfo",
		  ROOT_MOUNT "30 20 0:44 /@ /pool rw - btrfs /dev/sdzzz2 rw\n"
			     "31 20 0:45 / /tmpfs rw - tmpfs sdzzz2 rw\n"
			     "32 20 0:46 / /net rw - nfs /srv/sdzzz2 rw\n");
	tree->roots.dev = "/dev";
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_MOUNT, "sdzzz -> sdzzz2", "/pool");
}

static void active_swap_is_a_use(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/swaps",
		  SWAPS_HEAD "/dev/sdzzz1                             partition\t8388604\t0\t-2\n");
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_SWAP, "sdzzz -> sdzzz1", "/dev/sdzzz1");
}

static void a_swap_file_is_a_use_of_that_file(void **state)
{
	struct fake_tree *tree = *state;
	char line[PATH_MAX * 2];
	struct usage usage;

	fake_file(tree, "image", "0123");
	fake_file(tree, "image2", "0123");
	(void)snprintf(line, sizeof(line), SWAPS_HEAD "%s file\t8388604\t0\t-2\n",
		       fake_path(tree, "image"));
	fake_file(tree, "proc/swaps", line);
	usage = collect_file(tree, "image");
	assert_one_use(&usage, USE_SWAP, "image", fake_path(tree, "image"));
	usage = collect_file(tree, "image2");
	assert_int_equal(usage.count, 0);
	assert_true(usage.holders_known);
}

static void a_holder_with_nothing_on_it_is_the_user(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, DM3, "253:3", 0);
	fake_attribute(tree, DM3, "dm/name", "vg-home");
	fake_holder(tree, PART2, DM3);
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_HOLDER, "sdzzz -> sdzzz2", "dm-3 \"vg-home\"");
	usage = collect(tree, 2);
	assert_one_use(&usage, USE_HOLDER, "sdzzz2", "dm-3 \"vg-home\"");
	usage = collect(tree, 1);
	assert_int_equal(usage.count, 0);
}

static void the_chain_goes_up_to_the_mount(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, MD, "9:127", 0);
	fake_device(tree, DM3, "253:3", 0);
	fake_attribute(tree, DM3, "dm/name", "vg-home");
	fake_holder(tree, PART2, MD);
	fake_holder(tree, MD, DM3);
	fake_file(tree, "proc/self/mountinfo",
		  ROOT_MOUNT "30 20 253:3 / /home rw - ext4 /dev/mapper/vg-home rw\n");
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_MOUNT, "sdzzz -> sdzzz2 -> md127 -> dm-3 \"vg-home\"", "/home");
}

static void partitions_of_an_array_are_looked_at(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, MD, "9:127", 0);
	fake_device(tree, MD "/md127p1", "259:5", 1);
	fake_holder(tree, DISK, MD);
	fake_file(tree, "proc/self/mountinfo", ROOT_MOUNT "30 20 259:5 / /r rw - ext4 /dev/x rw\n");
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_MOUNT, "sdzzz -> md127 -> md127p1", "/r");
	usage = collect(tree, 1);
	assert_one_use(&usage, USE_MOUNT, "sdzzz -> md127 -> md127p1", "/r");
}

static void a_loop_device_on_a_partition_is_a_use(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, LOOP("1"), "7:1", 0);
	fake_device(tree, LOOP("2"), "7:2", 0);
	fake_attribute(tree, LOOP("2"), "loop/backing_file", "/dev/sdzzz1");
	usage = collect(tree, 0);
	assert_one_use(&usage, USE_LOOP, "sdzzz -> sdzzz1", "loop2");
	usage = collect(tree, 2);
	assert_int_equal(usage.count, 0);
}

static void loop_devices_are_followed_from_a_file_to_the_mount(void **state)
{
	struct fake_tree *tree = *state;
	char image[PATH_MAX];
	struct usage usage;

	fake_file(tree, "image", "0123");
	(void)snprintf(image, sizeof(image), "%s", fake_path(tree, "image"));
	fake_device(tree, LOOP("903"), "240:103", 0);
	fake_device(tree, LOOP("904"), "240:104", 0);
	fake_attribute(tree, LOOP("903"), "loop/backing_file", image);
	usage = collect_file(tree, "image");
	assert_one_use(&usage, USE_LOOP, "image", "loop903");
	fake_attribute(tree, LOOP("904"), "loop/backing_file", "/dev/loop903");
	fake_file(tree, "proc/self/mountinfo",
		  ROOT_MOUNT "30 20 240:104 / /m rw - ext4 /dev/x rw\n");
	usage = collect_file(tree, "image");
	assert_one_use(&usage, USE_MOUNT, "image -> loop903 -> loop904", "/m");
}

static void devices_built_on_themselves_end(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_device(tree, DM3, "253:3", 0);
	fake_device(tree, MD, "9:127", 0);
	fake_holder(tree, DISK, DM3);
	fake_holder(tree, DM3, DM3);
	fake_holder(tree, DM3, MD);
	fake_holder(tree, MD, DM3);
	usage = collect(tree, 0);
	assert_true(usage.truncated);
	assert_true(usage.count >= 1 && usage.count <= USAGE_MAX);
}

static void more_uses_than_fit_are_cut_and_that_is_said(void **state)
{
	struct fake_tree *tree = *state;
	char text[USAGE_MAX * 100] = ROOT_MOUNT;
	struct usage usage;

	for (unsigned i = 0; i <= USAGE_MAX; i++) {
		size_t length = strlen(text);

		if (i == USAGE_MAX) {
			fake_file(tree, "proc/self/mountinfo", text);
			usage = collect(tree, 0);
			assert_int_equal(usage.count, USAGE_MAX);
			assert_false(usage.truncated);
		}
		(void)snprintf(text + length, sizeof(text) - length,
			       "%u 20 240:1 / /m/%u rw - ext4 /dev/x rw\n", 30 + i, i);
	}
	fake_file(tree, "proc/self/mountinfo", text);
	usage = collect(tree, 0);
	assert_int_equal(usage.count, USAGE_MAX);
	assert_true(usage.truncated);
	assert_use(&usage, USAGE_MAX - 1, USE_MOUNT, "sdzzz -> sdzzz1", "/m/63");
}

static void what_cannot_be_read_is_unknown(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	assert_int_equal(unlink(fake_path(tree, "proc/swaps")), 0);
	usage = collect(tree, 0);
	assert_true(usage.mounts_known && usage.swaps_known && usage.holders_known);
	fake_file(tree, "proc/self/mountinfo", "");
	usage = collect(tree, 0);
	assert_false(usage.mounts_known || usage.swaps_known);
	assert_int_equal(unlink(fake_path(tree, "proc/self/mountinfo")), 0);
	tree->roots.sys = fake_path(tree, "nothing-here");
	usage = collect(tree, 0);
	assert_false(usage.mounts_known || usage.swaps_known || usage.holders_known);
	assert_int_equal(usage.count, 0);
}

static void without_sysfs_a_mount_of_the_drive_itself_is_found(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage;

	fake_file(tree, "proc/self/mountinfo", ROOT_MOUNT "30 20 240:2 / /m rw - ext4 /dev/x rw\n");
	tree->roots.sys = fake_path(tree, "nothing-here");
	usage = collect(tree, 2);
	assert_int_equal(usage.count, 1);
	assert_string_equal(usage.items[0].what, "/m");
	assert_false(usage.holders_known);
}

static void what_is_no_drive_has_no_uses(void **state)
{
	struct fake_tree *tree = *state;
	struct usage usage = collect_file(tree, "proc");

	assert_int_equal(usage.count, 0);
	assert_true(usage.holders_known);
}

/* Mounts are made where nobody else sees them, and go with the process. */
static void need_private_mounts(void)
{
	need_loop_devices();
	if (!unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return;
	print_message("# skipped: may not mount\n");
	skip();
}

static void make_ext4(const char *node)
{
	if (run_program((const char *const[]){ "mkfs.ext4", "-qF", node, NULL }) == 127) {
		print_message("# skipped: no mkfs.ext4\n");
		skip();
	}
}

static struct usage collect_real(const char *path)
{
	struct drive_facts facts;
	struct usage usage;

	assert_int_equal(scan_path(&system_roots_real, path, &facts), 0);
	assert_int_equal(collect_from(&system_roots_real, &facts, &usage), 0);
	return usage;
}

static const char *last(const char *path)
{
	return strrchr(path, '/') + 1;
}

static void real_mounts_of_a_partition_and_of_a_loop_on_it_are_found(void **state)
{
	struct loop_device disk, inner;
	struct fake_tree *tree = *state;
	struct usage usage, by_image;
	char node[80], chain[200];

	need_private_mounts();
	assert_true(loop_new(&disk, 64 << 20, 512, false));
	assert_true(loop_add_partition(&disk, 1, 1 << 20, 32 << 20));
	(void)snprintf(node, sizeof(node), "%sp1", disk.node);
	usage = collect_real(disk.node);
	assert_int_equal(usage.count, 0);
	assert_true(usage.mounts_known && usage.swaps_known && usage.holders_known);
	make_ext4(node);
	fake_folder(tree, "mnt");

	assert_int_equal(mount(node, fake_path(tree, "mnt"), "ext4", 0, NULL), 0);
	usage = collect_real(disk.node);
	assert_int_equal(umount(fake_path(tree, "mnt")), 0);
	(void)snprintf(chain, sizeof(chain), "%s -> %s", last(disk.node), last(node));
	assert_one_use(&usage, USE_MOUNT, chain, fake_path(tree, "mnt"));

	assert_true(loop_on(&inner, node));
	usage = collect_real(node);
	assert_one_use(&usage, USE_LOOP, last(node), last(inner.node));
	assert_int_equal(mount(inner.node, fake_path(tree, "mnt"), "ext4", 0, NULL), 0);
	usage = collect_real(disk.node);
	by_image = collect_real(disk.image);
	assert_int_equal(umount(fake_path(tree, "mnt")), 0);
	(void)snprintf(chain, sizeof(chain), "%s -> %s -> %s", last(disk.node), last(node),
		       last(inner.node));
	assert_one_use(&usage, USE_MOUNT, chain, fake_path(tree, "mnt"));
	(void)snprintf(chain, sizeof(chain), "%s -> %s -> %s -> %s", last(disk.image),
		       last(disk.node), last(node), last(inner.node));
	assert_one_use(&by_image, USE_MOUNT, chain, fake_path(tree, "mnt"));
	loop_free(&inner);
	loop_free(&disk);
}

static void real_swap_is_found(void **state)
{
	struct loop_device loop;
	struct usage usage;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 << 20, 512, false));
	if (run_program((const char *const[]){ "mkswap", loop.node, NULL }) ||
	    swapon(loop.node, 0)) {
		loop_free(&loop);
		print_message("# skipped: may not swap, or no mkswap\n");
		skip();
	}
	usage = collect_real(loop.node);
	assert_int_equal(swapoff(loop.node), 0);
	assert_one_use(&usage, USE_SWAP, last(loop.node), loop.node);
	loop_free(&loop);
}

#define DISK_TEST(function)                                                                        \
	cmocka_unit_test_setup_teardown(function, setup_disk, fake_tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(a_free_disk_is_free_and_that_is_known),
		DISK_TEST(a_mounted_partition_is_use_of_the_disk),
		DISK_TEST(a_partition_is_used_through_its_disk),
		DISK_TEST(a_mount_point_is_clean_text),
		DISK_TEST(a_file_system_with_a_number_of_its_own_is_found_by_its_source),
		DISK_TEST(active_swap_is_a_use),
		DISK_TEST(a_swap_file_is_a_use_of_that_file),
		DISK_TEST(a_holder_with_nothing_on_it_is_the_user),
		DISK_TEST(the_chain_goes_up_to_the_mount),
		DISK_TEST(partitions_of_an_array_are_looked_at),
		DISK_TEST(a_loop_device_on_a_partition_is_a_use),
		DISK_TEST(loop_devices_are_followed_from_a_file_to_the_mount),
		DISK_TEST(devices_built_on_themselves_end),
		DISK_TEST(more_uses_than_fit_are_cut_and_that_is_said),
		DISK_TEST(what_cannot_be_read_is_unknown),
		DISK_TEST(without_sysfs_a_mount_of_the_drive_itself_is_found),
		DISK_TEST(what_is_no_drive_has_no_uses),
		DISK_TEST(real_mounts_of_a_partition_and_of_a_loop_on_it_are_found),
		DISK_TEST(real_swap_is_found),
	};

	return cmocka_run_group_tests_name("usage", tests, NULL, NULL);
}

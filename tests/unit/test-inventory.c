/* SPDX-License-Identifier: MIT */
/* All drives of a machine, on a /sys of our own, and what they mean for one of them. */
#include "device/inventory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "device/identify.h"
#include "fake-tree.h"

#define BLOCK(name) "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/" name
#define ROOT_MOUNT  "20 1 240:1 / / rw,relatime - ext4 /dev/root rw\n"

static void make_drive(struct fake_tree *tree, const char *name, const char *number,
		       const char *sectors, const char *serial)
{
	char path[256];

	(void)snprintf(path, sizeof(path), BLOCK("%s"), name);
	fake_device(tree, path, number, 0);
	fake_attribute(tree, path, "size", sectors);
	fake_attribute(tree, path, "device/model", "Model");
	if (serial)
		fake_attribute(tree, path, "device/serial", serial);
}

static struct tables *read_inventory(struct fake_tree *tree, struct inventory *inventory)
{
	struct tables *tables;

	assert_int_equal(tables_read(&tree->roots, &tables), 0);
	assert_int_equal(inventory_read(&tree->roots, tables, inventory), 0);
	return tables;
}

static void drives_are_sorted_as_people_count_and_spare_nodes_left_out(void **state)
{
	static const char *const sorted[] = { "loop1", "nvme1n1", "nvme10n1", "sda",
					      "sdb",   "sdz",	  "sdaa" };
	struct fake_tree *tree = *state;
	struct inventory inventory;
	struct tables *tables;

	make_drive(tree, "sdaa", "240:16", "100", NULL);
	make_drive(tree, "sdb", "240:32", "100", NULL);
	make_drive(tree, "nvme10n1", "240:48", "100", NULL);
	make_drive(tree, "sda", "240:64", "100", NULL);
	make_drive(tree, "nvme1n1", "240:80", "100", NULL);
	make_drive(tree, "sdz", "240:96", "0", NULL);
	make_drive(tree, "loop0", "240:112", "0", NULL);
	make_drive(tree, "loop1", "240:128", "0", NULL);
	fake_attribute(tree, BLOCK("loop1"), "loop/backing_file", "/nowhere");
	tables = read_inventory(tree, &inventory);
	assert_true(inventory.sysfs_seen);
	assert_int_equal(inventory.count, sizeof(sorted) / sizeof(*sorted));
	for (unsigned i = 0; i < inventory.count; i++) {
		assert_string_equal(inventory.drives[i].name, sorted[i]);
		assert_string_equal(inventory.drives[i].path, inventory.drives[i].node);
	}
	inventory_done(&inventory);
	tables_free(tables);
}

static void without_sys_there_is_nothing_to_list(void **state)
{
	struct fake_tree *tree = *state;
	struct inventory inventory;
	struct tables *tables = read_inventory(tree, &inventory);

	assert_false(inventory.sysfs_seen);
	assert_int_equal(inventory.count, 0);
	inventory_done(&inventory);
	tables_free(tables);
}

static struct surroundings around(struct fake_tree *tree, const struct inventory *inventory,
				  unsigned mi)
{
	struct drive_facts facts = { .rotational = UNKNOWN };
	struct surroundings surroundings;

	identify_block(&tree->roots, makedev(240, mi), &facts);
	inventory_around(inventory, &facts, &surroundings);
	return surroundings;
}

static void others_are_twins_or_share_a_serial_or_run_the_system(void **state)
{
	struct fake_tree *tree = *state;
	struct inventory inventory;
	struct surroundings s;
	struct tables *tables;

	make_drive(tree, "sda", "240:0", "1000", "SYSTEM-1");
	fake_device(tree, BLOCK("sda/sda1"), "240:1", 1);
	fake_device(tree, BLOCK("sda/sda2"), "240:2", 2);
	make_drive(tree, "sdb", "240:16", "4000", "TWO-PORTS");
	make_drive(tree, "sdc", "240:32", "4000", "TWO-PORTS");
	make_drive(tree, "sdd", "240:48", "500", "TWO-PORTS");
	make_drive(tree, "sde", "240:64", "500", "ALONE-1");
	make_drive(tree, "sdf", "240:80", "600", "TWO-WAYS");
	fake_device(tree, BLOCK("sdf/sdf1"), "240:81", 1);
	make_drive(tree, "sdg", "240:96", "600", "TWO-WAYS");
	fake_file(tree, "proc/self/mountinfo", ROOT_MOUNT);
	tables = read_inventory(tree, &inventory);

	s = around(tree, &inventory, 16);
	assert_int_equal(s.twin_count, 1);
	assert_non_null(strstr(s.twins[0], "/sdc"));
	assert_ptr_equal(s.twin_usage[0], &inventory.usages[2]);
	assert_true(s.serial_shared); /* by sdd, which is of another size */
	assert_int_equal(s.system_bytes, 1000 * 512);
	assert_false(s.beside_system);

	s = around(tree, &inventory, 48);
	assert_int_equal(s.twin_count, 0);
	assert_true(s.serial_shared);

	s = around(tree, &inventory, 64);
	assert_int_equal(s.twin_count, 0);
	assert_false(s.serial_shared);

	/* A partition has no twins; its drive's serial number is shared all the same, or not. */
	s = around(tree, &inventory, 81);
	assert_int_equal(s.twin_count, 0);
	assert_false(s.serial_shared);

	s = around(tree, &inventory, 2);
	assert_true(s.beside_system);
	s = around(tree, &inventory, 0);
	assert_false(s.beside_system);
	inventory_done(&inventory);
	tables_free(tables);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, fake_tree_setup, fake_tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(drives_are_sorted_as_people_count_and_spare_nodes_left_out),
		TREE_TEST(without_sys_there_is_nothing_to_list),
		TREE_TEST(others_are_twins_or_share_a_serial_or_run_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

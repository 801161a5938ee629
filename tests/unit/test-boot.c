/* SPDX-License-Identifier: MIT */
/* What a machine was booted from, by its kernel's command line and by what is on a drive. */
#include "device/boot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake-tree.h"

static void a_command_line_names_the_medium(void **state)
{
	static const struct {
		const char *cmdline, *name; /* NULL: none */
		bool live;
	} rows[] = {
		{ "", NULL, false },
		{ "BOOT_IMAGE=/vmlinuz root=UUID=1234-abcd ro quiet", "1234-abcd", false },
		{ "root=/dev/sda1", "/dev/sda1", false },
		{ "boot=live components quiet", NULL, true },
		{ "boot=live live-media=/dev/disk/by-label/DEBIAN", "DEBIAN", true },
		{ "boot=casper toram", NULL, true },
		{ "root=live:CDLABEL=Fedora\\x20Live rd.live.image\n", "Fedora Live", true },
		{ "root=live:UUID=2024-01-01", "2024-01-01", true },
		{ "archisobasedir=arch archisolabel=ARCH_202601", "ARCH_202601", true },
		{ "archisodevice=/dev/disk/by-uuid/2026-01", "2026-01", true },
		{ "root=", NULL, false },
		{ "rootflags=LABEL=x notroot=LABEL=y", NULL, false },
		{ "root=LABEL=a\\x1bb\\xzz", "a\\x1bb\\xzz", false }, /* cleaned; no escape */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct boot boot;

		boot_parse(rows[i].cmdline, &boot);
		if (boot.live != rows[i].live || boot.count != (rows[i].name != NULL) ||
		    (boot.count && strcmp(boot.names[0], rows[i].name)))
			fail_msg("%s: %u, %s", rows[i].cmdline, boot.count, boot.names[0]);
	}
}

static void many_and_long_names_are_bounded(void **state)
{
	char cmdline[8192] = "";
	struct boot boot;

	(void)state;
	for (int i = 0; i < 100; i++)
		(void)snprintf(cmdline + strlen(cmdline), sizeof(cmdline) - strlen(cmdline),
			       "root=LABEL=%064d ", i);
	boot_parse(cmdline, &boot);
	assert_int_equal(boot.count, BOOT_NAMES_MAX);
	assert_int_equal(strlen(boot.names[0]), BOOT_NAME_MAX - 1);
}

static void a_drive_with_that_name_is_the_medium(void **state)
{
	static const struct {
		struct boot boot;
		struct signature signature;
		bool medium;
	} rows[] = {
		{ { .count = 1, .names = { "LIVE" } }, { .label = "LIVE" }, true },
		{ { .count = 1, .names = { "live" } }, { .label = "LIVE" }, true },
		{ { .count = 1, .names = { "LIVE" } }, { .label = "LIVE2" }, false },
		{ { .count = 2, .names = { "X", "1234-AB" } }, { .uuid = "1234-ab" }, true },
		{ { .count = 1, .names = { "aa-bb" } }, { .partition_uuid = "AA-BB" }, true },
		{ { .count = 1, .names = { "" } }, { .label = "" }, false },
		{ { .live = true }, { .type = "iso9660" }, true },
		{ { .live = false }, { .type = "iso9660" }, false },
		{ { .live = true }, { .type = "ext4" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct contents contents = { .count = 2, .items = { { 0 }, rows[i].signature } };

		if (boot_medium(&rows[i].boot, &contents) != rows[i].medium)
			fail_msg("row %zu", i);
	}
}

#define LOADER "sys/firmware/efi/efivars/LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

static void what_the_boot_loader_left_counts_and_an_installed_root_does_not(void **state)
{
	static const char variable[] = "\6\0\0\0A\0B\0-\0001\0\0";
	struct fake_tree *tree = *state;
	struct boot boot;

	boot_read(&tree->roots, &boot);
	assert_int_equal(boot.count, 0);
	fake_file(tree, "proc/cmdline", "root=UUID=1234 ro\n");
	fake_bytes(tree, LOADER, variable, sizeof(variable) - 1);
	boot_read(&tree->roots, &boot);
	assert_int_equal(boot.count, 1);
	assert_string_equal(boot.names[0], "AB-1");
	fake_file(tree, "proc/cmdline", "root=live:LABEL=STICK\n");
	boot_read(&tree->roots, &boot);
	assert_int_equal(boot.count, 2);
	assert_true(boot.live);
	assert_string_equal(boot.names[0], "STICK");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_line_names_the_medium),
		cmocka_unit_test(many_and_long_names_are_bounded),
		cmocka_unit_test(a_drive_with_that_name_is_the_medium),
		cmocka_unit_test_setup_teardown(
			what_the_boot_loader_left_counts_and_an_installed_root_does_not,
			fake_tree_setup, fake_tree_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

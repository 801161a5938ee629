/* SPDX-License-Identifier: MIT */
/* What is recognised on images: made here byte by byte, or by the stock programs where they are. */
#include "device/probe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake-tree.h"
#include "loop-device.h"

#define MIB (UINT64_C(1) << 20)
enum { SECTOR = 512, IMAGE_MIB = 128 };

static int new_image(struct fake_tree *tree)
{
	int fd = open(fake_path(tree, "image"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)(IMAGE_MIB * MIB)), 0);
	return fd;
}

static void put(int fd, uint64_t offset, const void *data, size_t size)
{
	assert_int_equal(pwrite(fd, data, size, (off_t)offset), size);
}

/* A swap area's header as mkswap makes it, for pages of 4096 bytes. */
static void put_swap(int fd, uint64_t offset, const char *label)
{
	static const uint32_t version = 1, last_page = 100;

	put(fd, offset + 1024, &version, sizeof(version));
	put(fd, offset + 1028, &last_page, sizeof(last_page));
	put(fd, offset + 1052, label, strlen(label));
	put(fd, offset + 4086, "SWAPSPACE2", 10);
}

/* An entry of a DOS table. */
static void put_dos(int fd, unsigned number, unsigned type, uint32_t start, uint32_t sectors)
{
	uint8_t entry[16] = { [4] = (uint8_t)type };

	memcpy(entry + 8, &start, sizeof(start));
	memcpy(entry + 12, &sectors, sizeof(sectors));
	put(fd, 446 + 16 * (number - 1), entry, sizeof(entry));
	put(fd, 510, "\x55\xaa", 2);
}

static uint32_t crc32(const uint8_t *data, size_t size)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* A GPT with @count partitions of one MiB each, from the second MiB on. */
static void put_gpt(int fd, unsigned count)
{
	enum { ENTRIES = 128, ENTRY = 128 };
	static const uint8_t linux_data[16] = { 0xaf, 0x3d, 0xc6, 0x0f, 0x83, 0x84, 0x72, 0x47,
						0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4 };
	static uint8_t entries[ENTRIES * ENTRY];
	const uint64_t last = IMAGE_MIB * MIB / SECTOR - 1;
	uint8_t header[SECTOR] = "EFI PART";
	uint64_t n[6] = { 1, last, 34, last - 33 };
	uint32_t crc, word[3] = { 0x10000, 92, 0 }, tail[3] = { ENTRIES, ENTRY };

	memset(entries, 0, sizeof(entries));
	for (unsigned i = 0; i < count; i++) {
		uint64_t range[2] = { (i + 1) * MIB / SECTOR, (i + 2) * MIB / SECTOR - 1 };

		memcpy(entries + i * ENTRY, linux_data, 16);
		memset(entries + i * ENTRY + 16, (int)i + 1, 16);
		memcpy(entries + i * ENTRY + 32, range, sizeof(range));
	}
	tail[2] = crc32(entries, sizeof(entries));
	memcpy(header + 8, word, sizeof(word));
	memcpy(header + 24, n, 32);
	memset(header + 56, 7, 16);
	n[0] = 2;
	memcpy(header + 72, n, 8);
	memcpy(header + 80, tail, sizeof(tail));
	crc = crc32(header, 92);
	memcpy(header + 16, &crc, sizeof(crc));
	put_dos(fd, 1, 0xee, 1, (uint32_t)last);
	put(fd, SECTOR, header, sizeof(header));
	put(fd, 2 * SECTOR, entries, sizeof(entries));
}

static void assert_signature(const struct contents *contents, unsigned i, unsigned partition,
			     uint64_t size, const char *type, const char *label)
{
	assert_true(i < contents->count);
	assert_int_equal(contents->items[i].partition, partition);
	assert_int_equal(contents->items[i].size, size);
	assert_string_equal(contents->items[i].type, type);
	assert_string_equal(contents->items[i].label, label);
}

static struct contents probe(int fd)
{
	struct contents contents;

	probe_contents(fd, IMAGE_MIB * MIB, &contents);
	(void)close(fd);
	return contents;
}

static void nothing_is_found_on_zeros(void **state)
{
	struct contents contents = probe(new_image(*state));

	assert_true(contents.readable);
	assert_int_equal(contents.count, 0);
	assert_string_equal(contents.table, "");
	assert_false(contents.truncated);
}

static void a_signature_on_the_whole_drive_is_found(void **state)
{
	int fd = new_image(*state);
	struct contents contents;

	put_swap(fd, 0, "my\tswap");
	contents = probe(fd);
	assert_true(contents.readable);
	assert_int_equal(contents.count, 1);
	assert_signature(&contents, 0, 0, 0, "swap", "my\\x09swap");
	assert_string_equal(contents.table, "");
}

static void partitions_of_a_dos_table_are_looked_into(void **state)
{
	int fd = new_image(*state);
	struct contents contents;

	put_dos(fd, 1, 0x82, 2048, 4096);
	put_dos(fd, 3, 0x83, 8192, 8192);
	put_dos(fd, 4, 0x83, UINT32_C(4000000000), 5);
	put_swap(fd, MIB, "one");
	contents = probe(fd);
	assert_string_equal(contents.table, "dos");
	assert_int_equal(contents.count, 3);
	assert_signature(&contents, 0, 1, 2 * MIB, "swap", "one");
	assert_signature(&contents, 1, 3, 4 * MIB, "", "");
	assert_signature(&contents, 2, 4, 5 * SECTOR, "", "");
}

static void an_extended_partition_is_only_a_box(void **state)
{
	int fd = new_image(*state);
	struct contents contents;

	put_dos(fd, 1, 0x05, 2048, 40960);
	put(fd, MIB + 446, "\0\0\0\0\x83\0\0\0\0\x08\0\0\0\x08\0\0", 16);
	put(fd, MIB + 510, "\x55\xaa", 2);
	contents = probe(fd);
	assert_int_equal(contents.count, 1);
	assert_signature(&contents, 0, 5, MIB, "", "");
}

static void partitions_of_a_gpt_are_found(void **state)
{
	int fd = new_image(*state);
	struct contents contents;

	put_gpt(fd, 3);
	put_swap(fd, 2 * MIB, "");
	contents = probe(fd);
	assert_string_equal(contents.table, "gpt");
	assert_int_equal(contents.count, 3);
	assert_signature(&contents, 0, 1, MIB, "", "");
	assert_signature(&contents, 1, 2, MIB, "swap", "");
	assert_signature(&contents, 2, 3, MIB, "", "");
}

static void more_partitions_than_fit_are_cut_and_that_is_said(void **state)
{
	int fd = new_image(*state);
	struct contents contents;

	put_gpt(fd, PROBE_MAX + 1);
	contents = probe(fd);
	assert_true(contents.truncated);
	assert_int_equal(contents.count, PROBE_MAX);
}

static void a_file_system_by_the_stock_program_is_found(void **state)
{
	struct fake_tree *tree = *state;
	int fd = new_image(tree);
	struct contents contents;

	if (run_program((const char *const[]){ "mkfs.ext4", "-qF", "-L", "backup",
					       fake_path(tree, "image"), NULL })) {
		print_message("# skipped: no mkfs.ext4\n");
		skip();
	}
	contents = probe(fd);
	assert_int_equal(contents.count, 1);
	assert_signature(&contents, 0, 0, 0, "ext4", "backup");
}

static void two_signatures_at_once_are_both_named(void **state)
{
	struct fake_tree *tree = *state;
	int fd = new_image(tree);
	struct contents contents;

	if (run_program(
		    (const char *const[]){ "mkfs.ext4", "-qF", fake_path(tree, "image"), NULL })) {
		print_message("# skipped: no mkfs.ext4\n");
		skip();
	}
	put(fd, 32768 + 1, "CD001", 5);
	put(fd, 0x10040, "_BHRfS_M", 8);
	put(fd, 4086, "SWAPSPACE2", 10);
	contents = probe(fd);
	assert_true(contents.readable);
	assert_int_equal(contents.count, 1);
	assert_signature(&contents, 0, 0, 0, "ext4+btrfs", "");
}

static void the_descriptor_is_given_back_as_it_was(void **state)
{
	struct fake_tree *tree = *state;
	struct contents contents;
	int fd = new_image(tree), flags;

	put_gpt(fd, 1);
	put_swap(fd, MIB, "x");
	(void)fcntl(fd, F_SETFL, O_DIRECT);
	flags = fcntl(fd, F_GETFL);
	assert_int_equal(lseek(fd, 12345, SEEK_SET), 12345);
	probe_contents(fd, IMAGE_MIB * MIB, &contents);
	assert_int_equal(contents.count, 1);
	assert_string_equal(contents.items[0].type, "swap");
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 12345);
	assert_int_equal(fcntl(fd, F_GETFL), flags);
	(void)close(fd);
}

static void what_cannot_be_looked_at_is_not_readable(void **state)
{
	struct contents contents = { .readable = true };
	struct fake_tree *tree = *state;
	int fd = new_image(tree);

	probe_contents(fd, 0, &contents);
	assert_false(contents.readable);
	contents.readable = true;
	probe_contents(-1, MIB, &contents);
	assert_false(contents.readable);
	(void)close(fd);
	fd = open(fake_path(tree, "image"), O_WRONLY | O_CLOEXEC);
	contents.readable = true;
	probe_contents(fd, IMAGE_MIB * MIB, &contents);
	assert_false(contents.readable);
	(void)close(fd);
}

#define TREE_TEST(function)                                                                        \
	cmocka_unit_test_setup_teardown(function, fake_tree_setup, fake_tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(nothing_is_found_on_zeros),
		TREE_TEST(a_signature_on_the_whole_drive_is_found),
		TREE_TEST(partitions_of_a_dos_table_are_looked_into),
		TREE_TEST(an_extended_partition_is_only_a_box),
		TREE_TEST(partitions_of_a_gpt_are_found),
		TREE_TEST(more_partitions_than_fit_are_cut_and_that_is_said),
		TREE_TEST(a_file_system_by_the_stock_program_is_found),
		TREE_TEST(two_signatures_at_once_are_both_named),
		TREE_TEST(the_descriptor_is_given_back_as_it_was),
		TREE_TEST(what_cannot_be_looked_at_is_not_readable),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}

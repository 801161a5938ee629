/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/list-words.h"

#define KNOWN                                                                                      \
	.mounts_known = true, .namespaces_known = true, .swaps_known = true,                       \
	.holders_known = true, .openers_known = true

static const struct usage nobody = { KNOWN };

static char buf[LIST_TEXT_MAX];

static void what_is_on_it_is_short(void **state)
{
	static const struct {
		struct contents contents;
		const char *words;
	} rows[] = {
		{ { .readable = true }, "nothing recognised" },
		{ { .readable = true, .table = "gpt" }, "gpt: no partitions" },
		{ { .readable = true,
		    .items = { { .type = "vfat", .label = "PHOTOS" } },
		    .count = 1 },
		  "vfat \"PHOTOS\"" },
		{ { .readable = true,
		    .table = "gpt",
		    .items = { { .partition = 1, .type = "vfat", .label = "ESP" },
			       { .partition = 2, .type = "ext4", .label = "root" },
			       { .partition = 3, .type = "swap" } },
		    .count = 3 },
		  "gpt: vfat \"ESP\", ext4 \"root\", swap" },
		{ { .readable = true,
		    .table = "dos",
		    .items = { { .type = "iso9660", .label = "LIVE" },
			       { .partition = 1 },
			       { .partition = 2, .type = "vfat" },
			       { .partition = 5 } },
		    .count = 4 },
		  "iso9660 \"LIVE\"; dos: vfat, 2 unknown" },
		{ { .readable = true, .table = "dos", .items = { { .partition = 1 } }, .count = 1 },
		  "dos: 1 unknown" },
		{ { .readable = true,
		    .table = "gpt",
		    .items = { { .partition = 1, .type = "xfs" },
			       { .partition = 2, .type = "swap" },
			       { .partition = 3, .type = "btrfs" },
			       { .partition = 4, .type = "linux_raid_member" },
			       { .partition = 5, .type = "crypto_LUKS" },
			       { .partition = 6, .type = "zfs_member" } },
		    .count = 6,
		    .truncated = true },
		  "gpt: xfs, swap, btrfs, linux_raid_member, +2, and more" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct list_row row = { .usage = &nobody, .contents = rows[i].contents };

		assert_string_equal(list_words_contents(buf, &row), rows[i].words);
	}
}

static void what_was_not_read_is_not_called_empty(void **state)
{
	const struct list_row refused = { .usage = &nobody, .error = EACCES };
	const struct list_row untried = { .usage = &nobody };

	(void)state;
	assert_string_equal(list_words_contents(buf, &refused), "not readable");
	assert_string_equal(list_words_contents(buf, &untried), "-");
}

#define MOUNT(where)                                                                               \
	{                                                                                          \
		.kind = USE_MOUNT, .chain = "sdb -> sdb1", .what = where                           \
	}
#define SYSTEM_MOUNT(where)                                                                        \
	{                                                                                          \
		.kind = USE_MOUNT, .system = true, .chain = "sda -> sda1", .what = where           \
	}

static void users_are_named(void **state)
{
	static const struct {
		struct usage usage;
		const char *words;
	} rows[] = {
		{ { KNOWN }, "free" },
		{ { KNOWN, .items = { MOUNT("/media/photos") }, .count = 1 },
		  "mounted: /media/photos" },
		{ { KNOWN,
		    .items = { SYSTEM_MOUNT("/"),
			       SYSTEM_MOUNT("/boot/efi"),
			       { .kind = USE_SWAP, .system = true, .what = "/dev/sda3" } },
		    .count = 3 },
		  "system drive: /, /boot/efi, swap" },
		{ { KNOWN,
		    .items = { SYSTEM_MOUNT("/"),
			       MOUNT("/srv"),
			       { .kind = USE_READER, .pid = 7, .command = "dd" } },
		    .count = 3 },
		  "system drive: /, +1" },
		{ { KNOWN,
		    .items = { MOUNT("/a"),
			       MOUNT("/b"),
			       MOUNT("/c"),
			       MOUNT("/d"),
			       { .kind = USE_HOLDER, .what = "md0" } },
		    .count = 5 },
		  "mounted: /a, /b, /c, +2" },
		{ { KNOWN, .items = { MOUNT("/a") }, .count = 1, .truncated = true },
		  "mounted: /a, and more" },
		{ { KNOWN,
		    .items = { { .kind = USE_MOUNT, .what = "/a", .pid = 12, .command = "sh" } },
		    .count = 1 },
		  "mounted: /a by sh (12)" },
		{ { KNOWN, .items = { { .kind = USE_SWAP, .what = "/dev/sdb2" } }, .count = 1 },
		  "swap: /dev/sdb2" },
		{ { KNOWN, .items = { { .kind = USE_HOLDER, .what = "md127" } }, .count = 1 },
		  "held by md127 (RAID)" },
		{ { KNOWN, .items = { { .kind = USE_HOLDER, .what = "dm-3 \"vg-home\"" } },
		    .count = 1 },
		  "held by dm-3 \"vg-home\"" },
		{ { KNOWN, .items = { { .kind = USE_HOLDER, .what = "dm-3" } }, .count = 1 },
		  "held by dm-3 (device mapper)" },
		{ { KNOWN, .items = { { .kind = USE_HOLDER, .what = "bcache0" } }, .count = 1 },
		  "held by bcache0" },
		{ { KNOWN, .items = { { .kind = USE_LOOP, .what = "loop0" } }, .count = 1 },
		  "behind loop0" },
		{ { KNOWN,
		    .items = { { .kind = USE_FILE_SYSTEM,
				 .what = "ext4",
				 .pid = 9,
				 .command = "vi" } },
		    .count = 1 },
		  "active: ext4 by vi (9)" },
		{ { KNOWN, .items = { { .kind = USE_HIBERNATION } }, .count = 1 }, "hibernation" },
		{ { KNOWN, .items = { { .kind = USE_WRITER, .pid = 1234, .command = "dd" } },
		    .count = 1 },
		  "open: dd (1234)" },
		{ { KNOWN, .items = { { .kind = USE_WRITER, .pid = 5 }, { .kind = USE_WRITER } },
		    .count = 2 },
		  "open: process (5), somebody" },
		{ { KNOWN, .items = { { .kind = USE_READER, .pid = 3, .command = "pv" } },
		    .count = 1 },
		  "read by pv (3)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct list_row row = { .usage = &rows[i].usage };

		assert_string_equal(list_words_use(buf, &row), rows[i].words);
	}
}

static void what_nobody_could_look_up_is_not_called_free(void **state)
{
	static const struct {
		bool mounts, namespaces, swaps, holders, openers;
		const char *words;
	} rows[] = {
		{ true, true, true, true, true, "free" },
		{ true, false, true, true, true, "free?" },
		{ true, true, true, true, false, "free?" },
		{ false, true, true, true, true, "unknown" },
		{ true, true, false, true, true, "unknown" },
		{ true, true, true, false, true, "unknown" },
		{ false, false, false, false, false, "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct usage usage = { .mounts_known = rows[i].mounts,
					     .namespaces_known = rows[i].namespaces,
					     .swaps_known = rows[i].swaps,
					     .holders_known = rows[i].holders,
					     .openers_known = rows[i].openers };
		const struct list_row row = { .usage = &usage };

		assert_string_equal(list_words_use(buf, &row), rows[i].words);
	}
}

/* A drive that nobody uses can be refused for what it is. */
static void a_refusal_takes_the_place_of_free(void **state)
{
	static const struct usage read = { KNOWN, .items = { { .kind = USE_READER } }, .count = 1 };
	static const struct {
		const char *sentence, *words;
	} rows[] = {
		{ "is write-protected (a switch). Nothing was written.",
		  "write-protected (a switch)" },
		{ "has size 0: no medium, or its size is unknown. Nothing was written.",
		  "has size 0" },
		{ "is the same drive as /dev/sd.c: held", "the same drive as /dev/sd.c" },
		{ "is an optical drive, not something stormwipe wipes.",
		  "an optical drive, not something stormwipe wipes" },
		{ "is", "is" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char sentence[128], *sentences[] = { strcpy(sentence, rows[i].sentence) };
		struct list_row row = { .usage = &nobody,
					.gate = { .count = 1, .refusals = 1 },
					.sentences = sentences };

		assert_string_equal(list_words_use(buf, &row), rows[i].words);
		row.usage = &read;
		assert_string_equal(list_words_use(buf, &row), rows[i].words);
	}
}

static void what_was_not_seen_is_said_once(void **state)
{
	static const struct usage no_processes = { .mounts_known = true,
						   .swaps_known = true,
						   .holders_known = true };
	static const struct usage no_openers = { .mounts_known = true,
						 .namespaces_known = true,
						 .swaps_known = true,
						 .holders_known = true };
	static const struct usage no_tables = { 0 };
	static const struct {
		const struct usage *usage;
		int errors[3];
		bool root;
		const char *words;
	} cases[] = {
		{ &nobody, { 0 }, false, "" },
		{ &nobody,
		  { 0, EACCES, EPERM },
		  false,
		  "not seen: what is on /dev/sdb, /dev/sdc. Root sees more." },
		{ &nobody,
		  { EIO, 0, ESTALE },
		  true,
		  "not seen: what is on /dev/sda (Input/output error), /dev/sdc (it changed just "
		  "now)." },
		{ &nobody,
		  { 0, 0, EPERM },
		  true,
		  "not seen: what is on /dev/sdc (Operation not permitted)." },
		{ &no_processes,
		  { EACCES },
		  false,
		  "not seen: what is on /dev/sda; what other processes have open or mounted. Root "
		  "sees more." },
		{ &no_openers, { 0 }, true, "not seen: what other processes have open." },
		{ &no_tables,
		  { 0 },
		  true,
		  "not seen: who uses them, for /proc or /sys is missing here." },
	};
	static const char *const nodes[] = { "/dev/sda", "/dev/sdb", "/dev/sdc" };
	struct list_row *rows = calloc(3, sizeof(*rows));

	(void)state;
	assert_non_null(rows);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (unsigned k = 0; k < 3; k++) {
			strcpy(rows[k].facts.node, nodes[k]);
			rows[k].error = cases[i].errors[k];
			rows[k].usage = cases[i].usage;
		}
		assert_string_equal(list_words_unseen(buf, rows, 3, cases[i].root), cases[i].words);
	}
	assert_string_equal(list_words_unseen(buf, NULL, 0, false), "");
	free(rows);
}

static void of_many_that_were_not_read_some_are_named(void **state)
{
	struct list_row *rows = calloc(6, sizeof(*rows));

	(void)state;
	assert_non_null(rows);
	for (unsigned i = 0; i < 6; i++) {
		rows[i].usage = &nobody;
		rows[i].error = EACCES;
		strcpy(rows[i].facts.path, "a\n");
	}
	assert_string_equal(
		list_words_unseen(buf, rows, 6, false),
		"not seen: what is on a\\x0a, a\\x0a, a\\x0a, a\\x0a and 2 more. Root sees more.");
	free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_on_it_is_short),
		cmocka_unit_test(what_was_not_read_is_not_called_empty),
		cmocka_unit_test(users_are_named),
		cmocka_unit_test(what_nobody_could_look_up_is_not_called_free),
		cmocka_unit_test(a_refusal_takes_the_place_of_free),
		cmocka_unit_test(what_was_not_seen_is_said_once),
		cmocka_unit_test(of_many_that_were_not_read_some_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The gate: every code, the order of the findings, and what an expectation compares. */
#include "device/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Ends a list of codes. */
enum { END = -1, FOUND_MAX = 8 };

/* A SATA hard disk that nobody uses and nothing is wrong with. */
static struct drive_facts good_facts(void)
{
	return (struct drive_facts){
		.kind = DRIVE_DISK,
		.bus = "SATA",
		.serial = "WD-WCC7K0ABCDEF",
		.wwn = "naa.50014ee2b5c6d7e8",
		.rotational = YES,
		.sysfs_seen = true,
		.size = 4000787030016,
		.logical = 512,
		.physical = 4096,
		.diskseq = 7,
	};
}

static struct usage good_usage(void)
{
	return (struct usage){ .mounts_known = true, .swaps_known = true, .holders_known = true };
}

static void assert_findings(const char *what, const struct drive_facts *facts,
			    const struct usage *usage, const struct gate_policy *policy,
			    const int *codes)
{
	struct gate_result result;
	unsigned count = 0, refusals = 0;

	gate_check(&(struct gate_view){ .facts = facts, .usage = usage }, policy, &result);
	for (; codes[count] != END; count++) {
		refusals += codes[count] < GATE_REFUSALS_END;
		if (count < result.count &&
		    result.items[count].code != (enum gate_code)codes[count])
			fail_msg("%s: finding %u is %d", what, count,
				 (int)result.items[count].code);
	}
	if (result.count != count || result.refusals != refusals)
		fail_msg("%s: %u findings, %u refusals", what, result.count, result.refusals);
}

static void the_drive_itself_decides(void **state)
{
	static const struct {
		const char *what;
		int codes[FOUND_MAX];
		enum drive_kind kind;
		const char *bus;
		uint32_t logical;
		bool flash, empty, no_sysfs, read_only, zoned, hidden;
		struct image_facts image;
		bool cached;
	} rows[] = {
		{ .what = "a free disk", .codes = { END } },
		{ .what = "a partition", .kind = DRIVE_PARTITION, .codes = { END } },
		{ .what = "a file",
		  .kind = DRIVE_FILE,
		  .bus = "file",
		  .codes = { GATE_NOTE_FILE, END } },
		{ .what = "a loop device without direct I/O",
		  .bus = "loop",
		  .cached = true,
		  .codes = { GATE_NOTE_CACHED, END } },
		{ .what = "a file on btrfs",
		  .kind = DRIVE_FILE,
		  .bus = "file",
		  .image = { .relocates = true },
		  .codes = { GATE_NOTE_RELOCATES, GATE_NOTE_FILE, END } },
		{ .what = "a file with a reflink",
		  .kind = DRIVE_FILE,
		  .bus = "file",
		  .image = { .shared = true },
		  .codes = { GATE_NOTE_SHARED, GATE_NOTE_FILE, END } },
		{ .what = "a sparse file",
		  .kind = DRIVE_FILE,
		  .bus = "file",
		  .image = { .unfilled = 4096 },
		  .codes = { GATE_NOTE_HOLES, GATE_NOTE_FILE, END } },
		{ .what = "a directory",
		  .kind = DRIVE_DIRECTORY,
		  .codes = { GATE_NOT_A_DRIVE, END } },
		{ .what = "a FIFO", .kind = DRIVE_FIFO, .codes = { GATE_NOT_A_DRIVE, END } },
		{ .what = "a tape", .kind = DRIVE_CHAR, .codes = { GATE_NOT_A_DRIVE, END } },
		{ .what = "a socket", .kind = DRIVE_SOCKET, .codes = { GATE_NOT_A_DRIVE, END } },
		{ .what = "a DVD", .kind = DRIVE_OPTICAL, .codes = { GATE_OPTICAL, END } },
		{ .what = "no medium", .empty = true, .codes = { GATE_EMPTY, END } },
		{ .what = "an empty file",
		  .kind = DRIVE_FILE,
		  .empty = true,
		  .no_sysfs = true,
		  .logical = 1,
		  .codes = { GATE_EMPTY, GATE_NOTE_FILE, END } },
		{ .what = "size not asked yet", .empty = true, .no_sysfs = true, .codes = { END } },
		{ .what = "size 0 by the descriptor",
		  .empty = true,
		  .no_sysfs = true,
		  .logical = 512,
		  .codes = { GATE_EMPTY, END } },
		{ .what = "read-only", .read_only = true, .codes = { GATE_READ_ONLY, END } },
		{ .what = "zoned", .zoned = true, .codes = { GATE_ZONED, END } },
		{ .what = "hidden", .hidden = true, .codes = { GATE_HIDDEN, END } },
		{ .what = "NVMe", .bus = "NVMe", .flash = true, .codes = { GATE_NOTE_FLASH, END } },
		{ .what = "SATA SSD", .flash = true, .codes = { GATE_NOTE_FLASH, END } },
		{ .what = "USB, unknown", .bus = "USB", .codes = { END } },
		{ .what = "a loop device", .bus = "loop", .flash = true, .codes = { END } },
		{ .what = "an empty DVD, read-only",
		  .kind = DRIVE_OPTICAL,
		  .empty = true,
		  .read_only = true,
		  .codes = { GATE_OPTICAL, GATE_EMPTY, GATE_READ_ONLY, END } },
		{ .what = "refusals before notes",
		  .bus = "NVMe",
		  .flash = true,
		  .hidden = true,
		  .codes = { GATE_HIDDEN, GATE_NOTE_FLASH, END } },
	};
	static const struct gate_policy policy = { .person = false };
	struct usage usage = good_usage();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts = good_facts();

		facts.kind = rows[i].kind;
		if (rows[i].bus)
			(void)snprintf(facts.bus, sizeof(facts.bus), "%s", rows[i].bus);
		if (rows[i].empty)
			facts.size = 0;
		facts.sysfs_seen = !rows[i].no_sysfs;
		if (rows[i].no_sysfs)
			facts.logical = rows[i].logical;
		facts.rotational = rows[i].flash ? NO : UNKNOWN;
		facts.read_only = rows[i].read_only;
		facts.zoned = rows[i].zoned;
		facts.hidden = rows[i].hidden;
		facts.image = rows[i].image;
		facts.cached = rows[i].cached;
		assert_findings(rows[i].what, &facts, &usage, &policy, rows[i].codes);
	}
}

static void every_use_is_a_refusal_and_is_named(void **state)
{
	static const struct {
		enum use_kind kind;
		enum gate_code code;
	} rows[] = {
		{ USE_MOUNT, GATE_USED },
		{ USE_SWAP, GATE_USED },
		{ USE_HOLDER, GATE_USED },
		{ USE_LOOP, GATE_USED },
	};
	enum { ROWS = sizeof(rows) / sizeof(*rows) };
	static const struct gate_policy policy = { .person = true };
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct gate_result result;

	(void)state;
	for (size_t i = 0; i < ROWS; i++)
		usage.items[usage.count++].kind = rows[i].kind;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policy, &result);
	assert_int_equal(result.count, ROWS);
	assert_int_equal(result.refusals, ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		assert_int_equal(result.items[i].code, rows[i].code);
		assert_ptr_equal(result.items[i].use, &usage.items[i]);
		assert_null(result.items[i].expect);
	}
}

static void a_full_list_of_everything_fits(void **state)
{
	struct drive_facts facts = good_facts();
	struct usage usage = { .count = USAGE_MAX, .truncated = true };
	struct gate_policy policy = { .expect_count = EXPECT_MAX };
	struct gate_result result;

	(void)state;
	facts.kind = DRIVE_OPTICAL;
	facts.size = 0;
	facts.rotational = NO;
	facts.read_only = facts.zoned = facts.hidden = true;
	for (unsigned i = 0; i < EXPECT_MAX; i++)
		policy.expect[i] = (struct expectation){ .key = i % 4, .text = "x", .number = 1 };
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policy, &result);
	assert_int_equal(result.refusals, 4 + 5 + USAGE_MAX);
	assert_int_equal(result.count, result.refusals + 2);
}

static void unknown_usage_needs_a_person_or_an_exact_name(void **state)
{
	static const struct {
		const char *what;
		bool mounts, swaps, holders, person, expect;
		int codes[FOUND_MAX];
	} rows[] = {
		{ "all known", true, true, true, false, false, { END } },
		{ "no mounts", false, true, true, false, false, { GATE_UNCHECKED, END } },
		{ "no swaps", true, false, true, false, false, { GATE_UNCHECKED, END } },
		{ "no holders", true, true, false, false, false, { GATE_UNCHECKED, END } },
		{ "a person", false, true, true, true, false, { GATE_NOTE_UNCHECKED, END } },
		{ "expected", true, true, false, false, true, { GATE_NOTE_UNCHECKED, END } },
		{ "both", false, false, false, true, true, { GATE_NOTE_UNCHECKED, END } },
	};
	struct drive_facts facts = good_facts();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct usage usage = { .mounts_known = rows[i].mounts,
				       .swaps_known = rows[i].swaps,
				       .holders_known = rows[i].holders };
		struct gate_policy policy = { .person = rows[i].person,
					      .expect_count = rows[i].expect,
					      .expect = {
						      { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 } } };

		assert_findings(rows[i].what, &facts, &usage, &policy, rows[i].codes);
	}
}

static void an_expectation_compares_what_it_names(void **state)
{
	static const struct {
		struct expectation expect;
		bool met;
	} rows[] = {
		{ { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 }, true },
		{ { EXPECT_SERIAL, "  WD-WCC7K0ABCDEF ", 0 }, true },
		{ { EXPECT_SERIAL, "wd-wcc7k0abcdef", 0 }, false },
		{ { EXPECT_SERIAL, "WD-WCC7K0ABCDE", 0 }, false },
		{ { EXPECT_SERIAL, "WD-WCC7K0ABCDEFG", 0 }, false },
		{ { EXPECT_SERIAL, "", 0 }, false },
		{ { EXPECT_WWN, "naa.50014ee2b5c6d7e8", 0 }, true },
		{ { EXPECT_WWN, "0x50014EE2B5C6D7E8", 0 }, true },
		{ { EXPECT_WWN, " 50014ee2b5c6d7e8 ", 0 }, true },
		{ { EXPECT_WWN, "eui.50014ee2b5c6d7e8", 0 }, true },
		{ { EXPECT_WWN, "50014ee2b5c6d7e9", 0 }, false },
		{ { EXPECT_WWN, "0x", 0 }, false },
		{ { EXPECT_WWN, "", 0 }, false },
		{ { EXPECT_SIZE, "", 4000787030016 }, true },
		{ { EXPECT_SIZE, "", 4000787030015 }, false },
		{ { EXPECT_DISKSEQ, "", 7 }, true },
		{ { EXPECT_DISKSEQ, "", 8 }, false },
	};
	struct drive_facts facts = good_facts();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (gate_expectation_met(&facts, &rows[i].expect) != rows[i].met)
			fail_msg("row %zu", i);
}

static void what_is_unknown_meets_no_expectation(void **state)
{
	static const struct expectation rows[] = {
		{ EXPECT_SERIAL, "", 0 },
		{ EXPECT_WWN, "", 0 },
		{ EXPECT_SIZE, "", 0 },
		{ EXPECT_DISKSEQ, "", 0 },
	};
	struct drive_facts facts = { .kind = DRIVE_DISK, .sysfs_seen = true };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_false(gate_expectation_met(&facts, &rows[i]));
	assert_false(
		gate_expectation_met(&facts, &(struct expectation){ .key = EXPECT_DISKSEQ + 1 }));
}

static void without_sysfs_numbers_are_judged_by_the_descriptor(void **state)
{
	static const struct expectation size = { EXPECT_SIZE, "", 5 },
					seq = { EXPECT_DISKSEQ, "", 5 };
	struct drive_facts facts = { .kind = DRIVE_DISK };

	(void)state;
	assert_true(gate_expectation_met(&facts, &size));
	assert_true(gate_expectation_met(&facts, &seq));
	facts.logical = 512;
	assert_false(gate_expectation_met(&facts, &size));
	assert_false(gate_expectation_met(&facts, &seq));
}

/* Values of one key are alternatives, keys add up; the first of a key that is not met is the one
 * shown. */
static void values_are_alternatives_and_keys_add_up(void **state)
{
	struct gate_policy policy = {
		.expect = { { EXPECT_SERIAL, "OTHER", 0 },
			    { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 },
			    { EXPECT_SIZE, "1T", 1000 },
			    { EXPECT_SIZE, "2T", 2000 } },
		.expect_count = 2,
	};
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct gate_result result;

	(void)state;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policy, &result);
	assert_int_equal(result.refusals, 0);
	policy.expect_count = 4;
	facts.zoned = true;
	usage.count = 1;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policy, &result);
	assert_int_equal(result.refusals, 3);
	assert_int_equal(result.items[0].code, GATE_UNEXPECTED);
	assert_ptr_equal(result.items[0].expect, &policy.expect[2]);
	assert_null(result.items[0].use);
	policy.expect_count = 1;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policy, &result);
	assert_ptr_equal(result.items[0].expect, &policy.expect[0]);
}

static void reading_needs_a_drive_that_is_not_empty(void **state)
{
	static const struct {
		enum drive_kind kind;
		uint64_t size;
		bool sysfs_seen;
		int code;
	} rows[] = {
		{ DRIVE_DISK, 512, true, END },
		{ DRIVE_PARTITION, 512, true, END },
		{ DRIVE_OPTICAL, 2048, true, END },
		{ DRIVE_FILE, 1, false, END },
		{ DRIVE_DISK, 0, true, GATE_EMPTY },
		{ DRIVE_DISK, 0, false, END }, /* the descriptor will tell */
		{ DRIVE_FILE, 0, false, GATE_EMPTY },
		{ DRIVE_DIRECTORY, 0, false, GATE_NOT_A_DRIVE },
		{ DRIVE_FIFO, 0, false, GATE_NOT_A_DRIVE },
		{ DRIVE_CHAR, 0, false, GATE_NOT_A_DRIVE },
		{ DRIVE_SOCKET, 0, false, GATE_NOT_A_DRIVE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		/* What is in the way of a wipe is in nobody's way here. */
		struct drive_facts facts = { .kind = rows[i].kind,
					     .size = rows[i].size,
					     .sysfs_seen = rows[i].sysfs_seen,
					     .read_only = true,
					     .zoned = true,
					     .hidden = true };
		struct gate_result result;

		gate_check_reading(&facts, &result);
		assert_int_equal(result.count, rows[i].code != END);
		assert_int_equal(result.refusals, result.count);
		if (result.count)
			assert_int_equal(result.items[0].code, rows[i].code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_drive_itself_decides),
		cmocka_unit_test(every_use_is_a_refusal_and_is_named),
		cmocka_unit_test(a_full_list_of_everything_fits),
		cmocka_unit_test(unknown_usage_needs_a_person_or_an_exact_name),
		cmocka_unit_test(an_expectation_compares_what_it_names),
		cmocka_unit_test(what_is_unknown_meets_no_expectation),
		cmocka_unit_test(without_sysfs_numbers_are_judged_by_the_descriptor),
		cmocka_unit_test(values_are_alternatives_and_keys_add_up),
		cmocka_unit_test(reading_needs_a_drive_that_is_not_empty),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}

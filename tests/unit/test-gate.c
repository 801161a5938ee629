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
	return (struct usage){ .mounts_known = true,
			       .namespaces_known = true,
			       .swaps_known = true,
			       .holders_known = true,
			       .openers_known = true };
}

static void assert_view_findings(const char *what, const struct gate_view *view,
				 const struct gate_policy *policy, const int *codes)
{
	struct gate_result result;
	unsigned count = 0, refusals = 0;

	gate_check(view, policy, &result);
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

static void assert_findings(const char *what, const struct drive_facts *facts,
			    const struct usage *usage, const struct gate_policy *policy,
			    const int *codes)
{
	assert_view_findings(what, &(struct gate_view){ .facts = facts, .usage = usage }, policy,
			     codes);
}

static void the_drive_itself_decides(void **state)
{
	static const struct {
		const char *what;
		int codes[FOUND_MAX];
		enum drive_kind kind;
		const char *bus;
		uint32_t logical;
		bool flash, empty, no_sysfs, read_only, zoned, hidden, reserved;
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
		{ .what = "reserved", .reserved = true, .codes = { GATE_RESERVED, END } },
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
		facts.reserved = rows[i].reserved;
		facts.image = rows[i].image;
		facts.cached = rows[i].cached;
		assert_findings(rows[i].what, &facts, &usage, &policy, rows[i].codes);
	}
}

static void every_use_but_a_reader_is_a_refusal_and_is_named(void **state)
{
	static const struct {
		enum use_kind kind;
		enum gate_code code;
	} rows[] = {
		{ USE_MOUNT, GATE_USED },	{ USE_SWAP, GATE_USED },
		{ USE_HOLDER, GATE_USED },	{ USE_LOOP, GATE_USED },
		{ USE_FILE_SYSTEM, GATE_USED }, { USE_HIBERNATION, GATE_USED },
		{ USE_WRITER, GATE_USED },	{ USE_READER, GATE_NOTE_READER },
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
	assert_int_equal(result.refusals, ROWS - 1);
	for (size_t i = 0; i < ROWS; i++) {
		assert_int_equal(result.items[i].code, rows[i].code);
		assert_ptr_equal(result.items[i].use, &usage.items[i]);
		assert_null(result.items[i].expect);
	}
}

/* Whatever the policy: somebody to ask, the drive expected exactly, both. */
static void the_drive_of_the_system_is_refused_always(void **state)
{
	static const struct gate_policy policies[] = {
		{ .person = false },
		{ .person = true },
		{ .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 }, { EXPECT_DISKSEQ, "7", 7 } },
		  .expect_count = 2 },
		{ .person = true,
		  .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 } },
		  .expect_count = 1 },
	};
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct gate_result result;

	(void)state;
	usage.items[0] = (struct use){ .kind = USE_MOUNT, .system = true, .what = "/" };
	usage.items[1] = (struct use){ .kind = USE_MOUNT, .system = true, .what = "/boot" };
	usage.items[2] = (struct use){ .kind = USE_SWAP };
	usage.count = 3;
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage }, &policies[i],
			   &result);
		assert_int_equal(result.refusals, 2);
		assert_int_equal(result.items[0].code, GATE_SYSTEM);
		assert_ptr_equal(result.items[0].use, &usage.items[0]);
		assert_int_equal(result.items[0].uses, 2);
		assert_int_equal(result.items[1].code, GATE_USED);
		assert_ptr_equal(result.items[1].use, &usage.items[2]);
	}
}

static void a_partition_beside_the_system_is_refused_always(void **state)
{
	static const struct gate_policy policy = { .person = true };
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct surroundings around = { .beside_system = true };
	struct gate_result result;

	(void)state;
	facts.kind = DRIVE_PARTITION;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage, .surroundings = &around },
		   &policy, &result);
	assert_int_equal(result.refusals, 1);
	assert_int_equal(result.items[0].code, GATE_BESIDE);
}

static void what_uses_another_name_of_the_drive_uses_the_drive(void **state)
{
	static const struct gate_policy policy = { .person = true };
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage(), mounted = good_usage(), system = good_usage(),
		     read = good_usage();
	struct surroundings around = { .twins = { "/dev/sdc", "/dev/sdd", "/dev/sde", "/dev/sdf" },
				       .twin_usage = { &mounted, &system, &read, NULL },
				       .twin_count = 4 };
	struct gate_result result;

	(void)state;
	mounted.items[0].kind = mounted.items[1].kind = USE_MOUNT;
	mounted.count = 2;
	system.items[0] = (struct use){ .kind = USE_MOUNT, .system = true };
	system.count = 1;
	read.items[0].kind = USE_READER;
	read.count = 1;
	gate_check(&(struct gate_view){ .facts = &facts, .usage = &usage, .surroundings = &around },
		   &policy, &result);
	assert_int_equal(result.refusals, 2);
	assert_int_equal(result.items[0].code, GATE_SYSTEM);
	assert_string_equal(result.items[0].twin, "/dev/sdd");
	assert_int_equal(result.items[1].code, GATE_USED);
	assert_string_equal(result.items[1].twin, "/dev/sdc");
	assert_ptr_equal(result.items[1].use, &mounted.items[0]);
	assert_int_equal(result.count, 2 + 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(result.items[2 + i].code, GATE_NOTE_TWIN);
		assert_string_equal(result.items[2 + i].twin, around.twins[i]);
	}
}

enum { MADE_NOW = 1700000000, YEAR = 31556952 };

static void what_is_on_it_is_a_note_and_a_refusal_where_others_may_use_it(void **state)
{
	static const struct {
		const char *type;
		int noticed, refused; /* END: nothing */
	} rows[] = {
		{ "ext4", END, END },
		{ "crypto_LUKS", GATE_NOTE_LUKS, END },
		{ "linux_raid_member", GATE_NOTE_MEMBER, END },
		{ "isw_raid_member", GATE_NOTE_MEMBER, END },
		{ "ddf_raid_member", GATE_NOTE_MEMBER, END },
		{ "LVM2_member", GATE_NOTE_MEMBER, END },
		{ "zfs_member", GATE_NOTE_MEMBER, END },
		{ "bcache", GATE_NOTE_MEMBER, END },
		{ "VMFS_volume_member", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "gfs2", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "ext4+gfs2", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "gfs2+ext4", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "ext4+gfs22", END, END },
		{ "bcachefs", END, END },
		{ "ocfs2", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "ceph_bluestore", GATE_NOTE_CLUSTER, GATE_CLUSTER },
		{ "drbd", GATE_NOTE_CLUSTER, GATE_CLUSTER },
	};
	struct gate_policy policies[] = {
		{ .person = true },
		{ .expect = { { EXPECT_WWN, "naa.50014ee2b5c6d7e8", 0 } }, .expect_count = 1 },
		{ .person = false },
		{ .expect = { { EXPECT_SIZE, "", 4000787030016 } }, .expect_count = 1 },
	};
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct gate_result result;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct contents contents = { .readable = true, .count = 2, .table = "gpt" };
		struct gate_view view = {
			.facts = &facts, .usage = &usage, .contents = &contents, .now = MADE_NOW
		};

		contents.items[0].partition = 1;
		contents.items[1].partition = 2;
		(void)snprintf(contents.items[1].type, sizeof(contents.items[1].type), "%s",
			       rows[i].type);
		for (size_t p = 0; p < sizeof(policies) / sizeof(*policies); p++) {
			bool refused = p >= 2 && rows[i].refused != END;

			gate_check(&view, &policies[p], &result);
			assert_int_equal(result.refusals, refused);
			assert_int_equal(result.count, refused + (rows[i].noticed != END));
			if (refused)
				assert_int_equal(result.items[0].code, rows[i].refused);
			if (rows[i].noticed == END)
				continue;
			assert_int_equal(result.items[refused].code, rows[i].noticed);
			assert_ptr_equal(result.items[refused].signature, &contents.items[1]);
		}
	}
}

static void old_file_systems_are_a_note(void **state)
{
	static const struct {
		time_t made;
		unsigned years;
	} rows[] = {
		{ 0, 0 },
		{ MADE_NOW, 0 },
		{ MADE_NOW + YEAR, 0 },
		{ MADE_NOW - 5L * YEAR + 1, 0 },
		{ MADE_NOW - 5L * YEAR, 5 },
		{ MADE_NOW - 12L * YEAR, 12 },
		{ -1, 0 },
	};
	static const struct gate_policy policy = { .person = true };
	struct drive_facts facts = good_facts();
	struct usage usage = good_usage();
	struct gate_result result;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct contents contents = {
			.readable = true,
			.count = 3,
			.items = { { .made = MADE_NOW - 10 }, { .made = rows[i].made }, { 0 } }
		};

		gate_check(&(struct gate_view){ .facts = &facts,
						.usage = &usage,
						.contents = &contents,
						.now = MADE_NOW },
			   &policy, &result);
		if (result.count != (rows[i].years > 0) ||
		    (result.count && (result.items[0].code != GATE_NOTE_OLD ||
				      result.items[0].years != rows[i].years)))
			fail_msg("row %zu", i);
	}
}

/* A row for each thing that the machine around a drive, or the drive's looks, can tell. */
static void what_should_be_known_before_is_a_note(void **state)
{
	static const struct {
		const char *what;
		const char *serial, *bridge;
		bool volume, serial_shared, unseen, foreign, live;
		uint64_t system_bytes;
		int codes[FOUND_MAX];
	} rows[] = {
		{ .what = "nothing", .serial = "WD-WCC7K0ABCDEF", .codes = { END } },
		{ .what = "no serial number", .serial = "", .codes = { END } },
		{ .what = "a dummy", .serial = "000000000000", .codes = { GATE_NOTE_SERIAL, END } },
		{ .what = "a serial that another drive has",
		  .serial = "WD-WCC7K0ABCDEF",
		  .serial_shared = true,
		  .codes = { GATE_NOTE_SERIAL, END } },
		{ .what = "larger than the system's",
		  .serial = "WD-WCC7K0ABCDEF",
		  .system_bytes = 4000787030015,
		  .codes = { GATE_NOTE_LARGER, END } },
		{ .what = "as large as the system's",
		  .serial = "WD-WCC7K0ABCDEF",
		  .system_bytes = 4000787030016,
		  .codes = { END } },
		{ .what = "a bridge",
		  .serial = "WD-WCC7K0ABCDEF",
		  .bridge = "x",
		  .codes = { GATE_NOTE_BRIDGE, END } },
		{ .what = "a RAID controller's volume",
		  .serial = "WD-WCC7K0ABCDEF",
		  .volume = true,
		  .codes = { GATE_NOTE_VOLUME, END } },
		{ .what = "processes out of sight",
		  .serial = "WD-WCC7K0ABCDEF",
		  .unseen = true,
		  .codes = { GATE_NOTE_UNSEEN, END } },
		{ .what = "mounts out of sight",
		  .serial = "WD-WCC7K0ABCDEF",
		  .foreign = true,
		  .codes = { GATE_NOTE_UNSEEN, END } },
		{ .what = "a live stick",
		  .serial = "WD-WCC7K0ABCDEF",
		  .live = true,
		  .codes = { GATE_NOTE_BOOT, END } },
	};
	static const struct gate_policy policy = { .person = true };
	static const struct contents iso = { .readable = true,
					     .count = 1,
					     .items = { { .type = "iso9660" } } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts = good_facts();
		struct usage usage = good_usage();
		struct surroundings around = { .serial_shared = rows[i].serial_shared,
					       .system_bytes = rows[i].system_bytes };
		struct boot boot = { .live = rows[i].live };
		struct gate_view view = { .facts = &facts,
					  .usage = &usage,
					  .contents = &iso,
					  .surroundings = &around,
					  .boot = &boot };

		(void)snprintf(facts.serial, sizeof(facts.serial), "%s", rows[i].serial);
		if (rows[i].bridge)
			(void)snprintf(facts.bridge, sizeof(facts.bridge), "%s", rows[i].bridge);
		facts.volume = rows[i].volume;
		usage.openers_known = !rows[i].unseen;
		usage.namespaces_known = !rows[i].foreign;
		assert_view_findings(rows[i].what, &view, &policy, rows[i].codes);
	}
}

/* Without somebody to ask, a serial number has to name one drive alone. */
static void a_serial_number_that_names_no_drive_is_not_enough(void **state)
{
	static const struct {
		const char *what, *serial;
		bool shared;
		struct gate_policy policy;
		unsigned refusals;
	} rows[] = {
		{ "its own",
		  "WD-WCC7K0ABCDEF",
		  false,
		  { .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 } }, .expect_count = 1 },
		  0 },
		{ "shared",
		  "WD-WCC7K0ABCDEF",
		  true,
		  { .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 } }, .expect_count = 1 },
		  1 },
		{ "shared, and the WWN as well",
		  "WD-WCC7K0ABCDEF",
		  true,
		  { .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 },
				{ EXPECT_WWN, "50014ee2b5c6d7e8", 0 } },
		    .expect_count = 2 },
		  0 },
		{ "shared, and the size as well",
		  "WD-WCC7K0ABCDEF",
		  true,
		  { .expect = { { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 },
				{ EXPECT_SIZE, "", 4000787030016 } },
		    .expect_count = 2 },
		  1 },
		{ "a dummy",
		  "000000000000",
		  false,
		  { .expect = { { EXPECT_SERIAL, "000000000000", 0 } }, .expect_count = 1 },
		  1 },
		{ "a dummy, but a person is asked",
		  "000000000000",
		  false,
		  { .person = true,
		    .expect = { { EXPECT_SERIAL, "000000000000", 0 } },
		    .expect_count = 1 },
		  0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts = good_facts();
		struct usage usage = good_usage();
		struct surroundings around = { .serial_shared = rows[i].shared };
		struct gate_result result;

		(void)snprintf(facts.serial, sizeof(facts.serial), "%s", rows[i].serial);
		gate_check(&(struct gate_view){ .facts = &facts,
						.usage = &usage,
						.surroundings = &around },
			   &rows[i].policy, &result);
		if (result.refusals != rows[i].refusals ||
		    (result.refusals && result.items[0].code != GATE_UNNAMED))
			fail_msg("%s", rows[i].what);
	}
}

static void only_what_tells_drives_apart_names_one(void **state)
{
	static const struct {
		struct expectation expect;
		bool names;
	} rows[] = {
		{ { EXPECT_SERIAL, "WD-WCC7K0ABCDEF", 0 }, true },
		{ { EXPECT_SERIAL, "OTHER", 0 }, false },
		{ { EXPECT_WWN, "50014ee2b5c6d7e8", 0 }, true },
		{ { EXPECT_DISKSEQ, "7", 7 }, true },
		{ { EXPECT_SIZE, "", 4000787030016 }, false },
	};
	struct drive_facts facts = good_facts();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct gate_policy policy = { .expect = { rows[i].expect }, .expect_count = 1 };

		assert_int_equal(gate_names(&policy, &facts), rows[i].names);
	}
	assert_false(gate_names(&(struct gate_policy){ 0 }, &facts));
}

/* Nothing is asserted about the number but that it has room: the gate itself asserts that. */
static void a_full_list_of_everything_fits(void **state)
{
	struct drive_facts facts = good_facts();
	struct usage usage = { .count = USAGE_MAX, .truncated = true };
	struct usage twin = { .count = USAGE_MAX };
	struct surroundings around = { .twin_count = TWINS_MAX,
				       .serial_shared = true,
				       .system_bytes = 1 };
	struct contents contents = { .count = PROBE_MAX };
	struct boot boot = { .live = true };
	struct gate_policy policy = { .expect_count = EXPECT_MAX };
	struct gate_view view = { .facts = &facts,
				  .usage = &usage,
				  .contents = &contents,
				  .surroundings = &around,
				  .boot = &boot,
				  .now = MADE_NOW };
	struct gate_result result;

	(void)state;
	facts.kind = DRIVE_OPTICAL;
	facts.size = 0;
	facts.rotational = NO;
	facts.read_only = facts.zoned = facts.hidden = facts.volume = facts.cached = true;
	facts.bridge[0] = 'x';
	usage.items[0].system = twin.items[0].system = true;
	for (unsigned i = 0; i < TWINS_MAX; i++)
		around.twin_usage[i] = &twin;
	for (unsigned i = 0; i < PROBE_MAX; i++) {
		static const char *const types[] = { "gfs2", "zfs_member", "crypto_LUKS",
						     "iso9660" };

		(void)snprintf(contents.items[i].type, sizeof(contents.items[i].type), "%s",
			       types[i % 4]);
		contents.items[i].made = 1;
	}
	for (unsigned i = 0; i < EXPECT_MAX; i++)
		policy.expect[i] = (struct expectation){ .key = i % 4, .text = "x", .number = 1 };
	gate_check(&view, &policy, &result);
	/* expectations, the system here and by each twin, the drive, uses here and one a twin,
	 * unchecked */
	assert_int_equal(result.refusals, 4 + 1 + TWINS_MAX + 5 + USAGE_MAX - 1 + TWINS_MAX + 0);
	assert_true(result.count <= GATE_MAX);
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
				       .namespaces_known = true,
				       .swaps_known = rows[i].swaps,
				       .holders_known = rows[i].holders,
				       .openers_known = true };
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
		cmocka_unit_test(every_use_but_a_reader_is_a_refusal_and_is_named),
		cmocka_unit_test(the_drive_of_the_system_is_refused_always),
		cmocka_unit_test(a_partition_beside_the_system_is_refused_always),
		cmocka_unit_test(what_uses_another_name_of_the_drive_uses_the_drive),
		cmocka_unit_test(what_is_on_it_is_a_note_and_a_refusal_where_others_may_use_it),
		cmocka_unit_test(old_file_systems_are_a_note),
		cmocka_unit_test(what_should_be_known_before_is_a_note),
		cmocka_unit_test(a_serial_number_that_names_no_drive_is_not_enough),
		cmocka_unit_test(only_what_tells_drives_apart_names_one),
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

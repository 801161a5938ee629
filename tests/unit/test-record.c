/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "report/record.h"

#define DRIVE_BYTES UINT64_C(4000787030016)
#define MIB	    (UINT64_C(1) << 20)

/* 2026-11-30T21:45:00Z */
enum { START = 1796075100, HOUR = 3600 };

static uint8_t key[KEYSTREAM_KEY_BYTES];

static const struct drive_facts facts = {
	.path = "/dev/sdb",
	.node = "/dev/sdb",
	.name = "sdb",
	.disk = "sdb",
	.by_id = "/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF",
	.model = "WDC WD40EFRX-68N32N0",
	.serial = "WD-WCC7K0ABCDEF",
	.firmware = "82.00A82",
	.wwn = "0x50014ee2b5c6d7e8",
	.bus = "SATA",
	.kind = DRIVE_DISK,
	.rdev = 0x810, /* makedev(8, 16) */
	.rotational = YES,
	.removable = NO,
	.size = DRIVE_BYTES,
	.logical = 512,
	.physical = 4096,
	.diskseq = 9,
};

/* ---- what a test starts from ---- */

static void fill_pass(struct job_result *r, unsigned i, uint64_t done)
{
	struct pass_result *pass = &r->passes[i];

	pass->started = pass->finished = true;
	pass->done = done;
	pass->reached = r->plan.passes[i].bytes;
	pass->ns = 20000 * NS_PER_S;
	pass->flushed = r->plan.passes[i].kind == PASS_WRITE;
	pass->flush_ns = pass->flushed ? 1500 * NS_PER_MS : 0;
	pass->cache_dropped = !pass->flushed;
	assert_int_equal(extent_map_init(&pass->bad, 16), 0);
	assert_int_equal(extent_map_init(&pass->wrong, 16), 0);
}

/* A run without a fault: written and read back. */
static void perfect(struct job_result *r)
{
	*r = (struct job_result){
		.cipher = "aes-256-ctr",
		.keystream = "openssl",
		.backend = "io_uring",
		.direct = true,
		.start = START,
		.end = START + 11 * HOUR,
		.ns = 40000 * NS_PER_S + 123456789,
		.wrote = true,
	};
	r->plan = (struct plan){
		.passes = { { PASS_WRITE, 0, DRIVE_BYTES }, { PASS_VERIFY, 0, DRIVE_BYTES } },
		.count = 2,
		.keys = 1,
		.bytes = 2 * DRIVE_BYTES,
		.align = 512,
		.sector = 4096,
		.direct_bytes = DRIVE_BYTES,
	};
	fill_pass(r, 0, DRIVE_BYTES);
	fill_pass(r, 1, DRIVE_BYTES);
	r->passes[0].threads = 2;
	r->passes[0].pacer = PACED_BY_CPU;
}

static void done_with(struct job_result *r)
{
	for (unsigned i = 0; i < r->plan.count; i++) {
		extent_map_done(&r->passes[i].bad);
		extent_map_done(&r->passes[i].wrong);
	}
}

static struct record_input input(const struct job_result *result, enum verdict verdict)
{
	return (struct record_input){
		.status = RECORD_FINISHED,
		.facts = &facts,
		.result = result,
		.verdict = verdict,
	};
}

/* ---- looking into a record ---- */

static json_t *build(const struct record_input *in)
{
	json_error_t error;
	json_t *record;
	char *text;

	assert_int_equal(record_build(in, false, &text), 0);
	assert_int_equal(text[strlen(text) - 1], '\n');
	record = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(record);
	record_text_free(text);
	return record;
}

/* "passes.0.io.direct" */
static const json_t *at(const json_t *value, const char *path)
{
	char name[64];

	while (*path) {
		size_t length = strcspn(path, ".");

		assert_true(length < sizeof(name));
		memcpy(name, path, length);
		name[length] = '\0';
		path += length + (path[length] == '.');
		value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
					     : json_object_get(value, name);
		assert_non_null(value);
	}
	return value;
}

static const char *text_at(const json_t *record, const char *path)
{
	const json_t *value = at(record, path);

	assert_true(json_is_string(value) || json_is_null(value));
	return json_is_string(value) ? json_string_value(value) : "null";
}

static json_int_t number_at(const json_t *record, const char *path)
{
	assert_true(json_is_integer(at(record, path)));
	return json_integer_value(at(record, path));
}

static double real_at(const json_t *record, const char *path)
{
	assert_true(json_is_real(at(record, path)));
	return json_real_value(at(record, path));
}

static void assert_null_at(const json_t *record, const char *path)
{
	assert_true(json_is_null(at(record, path)));
}

static void assert_bool_at(const json_t *record, const char *path, bool value)
{
	assert_true(json_is_boolean(at(record, path)));
	assert_int_equal(json_is_true(at(record, path)), value);
}

/* ---- tests ---- */

static void a_verified_drive_says_so(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	perfect(&result);
	in = input(&result, VERDICT_VERIFIED);
	r = build(&in);
	assert_int_equal(number_at(r, "record_version"), 1);
	assert_string_equal(text_at(r, "tool.name"), "stormwipe");
	assert_string_equal(text_at(r, "tool.version"), STORMWIPE_VERSION);
	assert_string_equal(text_at(r, "status"), "finished");
	assert_string_equal(text_at(r, "verdict"), "verified");
	assert_int_equal(number_at(r, "exit_status"), 0);
	assert_null_at(r, "reason");
	assert_string_equal(text_at(r, "sanitization.level"), "Clear");
	assert_null_at(r, "sanitization_note");
	assert_bool_at(r, "wrote", true);
	assert_int_equal(number_at(r, "old_data_bytes"), 0);
	assert_string_equal(text_at(r, "start_utc"), "2026-11-30T21:45:00Z");
	assert_string_equal(text_at(r, "end_utc"), "2026-12-01T08:45:00Z");
	assert_float_equal(real_at(r, "duration_s"), 40000.123, 1e-9);
	assert_bool_at(r, "verification.complete", true);
	assert_int_equal(number_at(r, "verification.bytes_read"), DRIVE_BYTES);
	assert_int_equal(number_at(r, "verification.bytes_equal"), DRIVE_BYTES);
	assert_int_equal(json_array_size(at(r, "verification.mismatching_ranges")), 0);
	json_decref(r);
	done_with(&result);
}

static void the_drive_is_identified(void **state)
{
	struct record_input in = input(NULL, VERDICT_NONE);
	json_t *r;

	(void)state;
	in.status = RECORD_PLANNED;
	r = build(&in);
	assert_string_equal(text_at(r, "drive.path"), "/dev/sdb");
	assert_string_equal(text_at(r, "drive.by_id"), facts.by_id);
	assert_string_equal(text_at(r, "drive.kind"), "disk");
	assert_string_equal(text_at(r, "drive.model"), "WDC WD40EFRX-68N32N0");
	assert_string_equal(text_at(r, "drive.serial"), "WD-WCC7K0ABCDEF");
	assert_string_equal(text_at(r, "drive.wwn"), "0x50014ee2b5c6d7e8");
	assert_string_equal(text_at(r, "drive.firmware"), "82.00A82");
	assert_string_equal(text_at(r, "drive.bus"), "SATA");
	assert_string_equal(text_at(r, "drive.medium"), "hard disk");
	assert_string_equal(text_at(r, "drive.device_number"), "8:16");
	assert_bool_at(r, "drive.rotational", true);
	assert_bool_at(r, "drive.removable", false);
	assert_int_equal(number_at(r, "drive.size_bytes"), DRIVE_BYTES);
	assert_int_equal(number_at(r, "drive.logical_sector_bytes"), 512);
	assert_int_equal(number_at(r, "drive.physical_sector_bytes"), 4096);
	assert_int_equal(number_at(r, "drive.diskseq"), 9);
	assert_null_at(r, "drive.vendor");
	assert_null_at(r, "drive.backing_file");
	assert_null_at(r, "drive.partition_start_bytes");
	json_decref(r);
}

static void what_is_not_known_is_null(void **state)
{
	static const struct drive_facts nothing = { .kind = DRIVE_DISK,
						    .rotational = UNKNOWN,
						    .removable = UNKNOWN };
	struct record_input in = { .status = RECORD_PLANNED, .facts = &nothing };
	json_t *r = build(&in), *drive = json_object_get(r, "drive"), *value;
	const char *name;

	(void)state;
	json_object_foreach(drive, name, value)
	{
		if (strcmp(name, "kind") && strcmp(name, "medium") && !json_is_boolean(value))
			assert_true(json_is_null(value));
	}
	assert_string_equal(text_at(r, "drive.medium"), "device");
	assert_bool_at(r, "drive.raid_volume", false);
	assert_null_at(r, "plan");
	assert_null_at(r, "contents_before");
	assert_null_at(r, "verification");
	assert_null_at(r, "start");
	assert_null_at(r, "duration_s");
	assert_null_at(r, "old_data_bytes");
	assert_int_equal(json_array_size(at(r, "passes")), 0);
	json_decref(r);
}

static void each_pass_tells_how_it_went(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	perfect(&result);
	result.backend = "sync";
	result.why_not_uring = EPERM;
	in = input(&result, VERDICT_VERIFIED);
	r = build(&in);
	assert_int_equal(json_array_size(at(r, "passes")), 2);
	assert_string_equal(text_at(r, "passes.0.kind"), "write");
	assert_string_equal(text_at(r, "passes.0.state"), "done");
	assert_string_equal(text_at(r, "passes.0.cipher"), "aes-256-ctr");
	assert_string_equal(text_at(r, "passes.0.keystream"), "openssl");
	assert_string_equal(text_at(r, "passes.0.io.backend"), "sync");
	assert_string_equal(text_at(r, "passes.0.io.io_uring_error"), "EPERM");
	assert_bool_at(r, "passes.0.io.direct", true);
	assert_null_at(r, "passes.0.io.cache_dropped");
	assert_int_equal(number_at(r, "passes.0.bytes"), DRIVE_BYTES);
	assert_int_equal(number_at(r, "passes.0.bytes_done"), DRIVE_BYTES);
	assert_int_equal(number_at(r, "passes.0.bytes_reached"), DRIVE_BYTES);
	assert_float_equal(real_at(r, "passes.0.duration_s"), 20000, 1e-9);
	assert_int_equal(number_at(r, "passes.0.bytes_per_s"), DRIVE_BYTES / 20000);
	assert_int_equal(number_at(r, "passes.0.threads"), 2);
	assert_string_equal(text_at(r, "passes.0.paced_by"), "cpu");
	assert_null_at(r, "passes.1.paced_by");
	assert_bool_at(r, "passes.0.flush.done", true);
	assert_float_equal(real_at(r, "passes.0.flush.duration_s"), 1.5, 1e-9);
	assert_null_at(r, "passes.0.flush.error");
	assert_null_at(r, "passes.0.key");
	assert_int_equal(number_at(r, "passes.0.key_number"), 1);
	assert_string_equal(text_at(r, "passes.1.kind"), "verify");
	assert_bool_at(r, "passes.1.io.cache_dropped", true);
	assert_null_at(r, "passes.1.flush");
	assert_int_equal(number_at(r, "plan.bytes"), 2 * DRIVE_BYTES);
	assert_string_equal(text_at(r, "plan.passes.1.kind"), "verify");
	json_decref(r);
	done_with(&result);
}

static void bad_ranges_are_listed_with_their_errors(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	perfect(&result);
	extent_map_add(&result.passes[0].bad, 19433472000, 512, EIO);
	extent_map_add(&result.passes[0].bad, 29433472000, 1024, ENODATA);
	result.passes[0].done -= 1536;
	extent_map_add(&result.passes[1].bad, 8192, 4096, EIO);
	extent_map_add(&result.passes[1].wrong, 65536, 4096, 0);
	result.passes[1].done -= 8192;
	in = input(&result, VERDICT_UNWRITTEN);
	r = build(&in);
	assert_int_equal(number_at(r, "exit_status"), 1);
	assert_string_equal(text_at(r, "verdict"), "unwritten");
	assert_null_at(r, "sanitization");
	assert_int_equal(number_at(r, "passes.0.bad_bytes"), 1536);
	assert_int_equal(json_array_size(at(r, "passes.0.bad_ranges")), 2);
	assert_int_equal(number_at(r, "passes.0.bad_ranges.0.offset"), 19433472000);
	assert_int_equal(number_at(r, "passes.0.bad_ranges.0.length"), 512);
	assert_string_equal(text_at(r, "passes.0.bad_ranges.0.error"), "EIO");
	assert_int_equal(number_at(r, "passes.0.bad_ranges.0.error_code"), 5);
	assert_string_equal(text_at(r, "passes.0.bad_ranges.1.error"), "ENODATA");
	assert_bool_at(r, "passes.0.bad_ranges_coarse", false);
	assert_int_equal(number_at(r, "verification.bytes_unreadable"), 4096);
	assert_int_equal(number_at(r, "verification.mismatching_bytes"), 4096);
	assert_int_equal(number_at(r, "verification.bytes_read"), DRIVE_BYTES - 4096);
	assert_int_equal(number_at(r, "verification.mismatching_ranges.0.offset"), 65536);
	assert_int_equal(json_object_size(at(r, "verification.mismatching_ranges.0")), 2);
	json_decref(r);
	done_with(&result);
}

static void status_and_verdict_have_their_words(void **state)
{
	static const struct {
		enum record_status status;
		enum verdict verdict;
		const char *status_word, *verdict_word;
		int exit_status; /* -1: null */
		bool sanitized;
	} cases[] = {
		{ RECORD_PLANNED, VERDICT_NONE, "planned", "null", -1, false },
		{ RECORD_RUNNING, VERDICT_NONE, "running", "null", -1, false },
		{ RECORD_FINISHED, VERDICT_VERIFIED, "finished", "verified", 0, true },
		{ RECORD_FINISHED, VERDICT_WRITTEN, "finished", "written", 0, true },
		{ RECORD_FINISHED, VERDICT_UNWRITTEN, "finished", "unwritten", 1, false },
		{ RECORD_FINISHED, VERDICT_UNVERIFIED, "finished", "unverified", 1, false },
		{ RECORD_FINISHED, VERDICT_INTERRUPTED, "interrupted", "interrupted", 4, false },
		{ RECORD_FINISHED, VERDICT_GONE, "finished", "gone", 4, false },
		{ RECORD_FINISHED, VERDICT_FAILED, "finished", "failed", 5, false },
		{ RECORD_REFUSED, VERDICT_REFUSED, "refused", "refused", 3, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record_input in = input(NULL, cases[i].verdict);
		json_t *r;

		in.status = cases[i].status;
		r = build(&in);
		assert_string_equal(text_at(r, "status"), cases[i].status_word);
		assert_string_equal(text_at(r, "verdict"), cases[i].verdict_word);
		if (cases[i].exit_status < 0)
			assert_null_at(r, "exit_status");
		else
			assert_int_equal(number_at(r, "exit_status"), cases[i].exit_status);
		assert_int_equal(json_is_object(at(r, "sanitization")), cases[i].sanitized);
		json_decref(r);
	}
}

static void only_a_whole_drive_is_sanitized(void **state)
{
	static const struct {
		enum drive_kind kind;
		const char *backing;
		enum tristate rotational;
		bool sanitized;
		const char *note;
	} cases[] = {
		{ DRIVE_DISK, "", YES, true, "null" },
		{ DRIVE_DISK, "", UNKNOWN, true, "null" },
		{ DRIVE_DISK, "", NO, true, "Flash memory" },
		{ DRIVE_DISK, "/home/a.img", NO, false, "The content of a file" },
		{ DRIVE_FILE, "", UNKNOWN, false, "The content of a file" },
		{ DRIVE_PARTITION, "", YES, false, "Only this partition" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct drive_facts other = facts;
		struct record_input in = input(NULL, VERDICT_VERIFIED);
		json_t *r;

		other.kind = cases[i].kind;
		other.rotational = cases[i].rotational;
		(void)text_print(other.backing, sizeof(other.backing), "%s", cases[i].backing);
		in.facts = &other;
		r = build(&in);
		assert_int_equal(json_is_object(at(r, "sanitization")), cases[i].sanitized);
		assert_memory_equal(text_at(r, "sanitization_note"), cases[i].note,
				    strlen(cases[i].note));
		json_decref(r);
	}
}

static void a_running_record_says_how_far(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	perfect(&result);
	result.end = 0;
	result.passes[0].finished = result.passes[0].flushed = false;
	result.passes[0].done = 1000 * MIB;
	result.passes[0].reached = 0;
	result.passes[1].started = result.passes[1].finished = false;
	result.passes[1].done = result.passes[1].ns = 0;
	in = input(&result, VERDICT_NONE);
	in.status = RECORD_RUNNING;
	r = build(&in);
	assert_string_equal(text_at(r, "passes.0.state"), "running");
	assert_string_equal(text_at(r, "passes.1.state"), "waiting");
	assert_null_at(r, "passes.1.bytes_per_s");
	assert_string_equal(text_at(r, "verification.state"), "waiting");
	assert_null_at(r, "end");
	assert_null_at(r, "end_utc");
	assert_int_equal(number_at(r, "passes.0.bytes_done"), 1000 * MIB);
	assert_int_equal(number_at(r, "old_data_bytes"), DRIVE_BYTES);
	json_decref(r);
	done_with(&result);
}

static void how_a_pass_ended_early_is_told(void **state)
{
	static const struct {
		enum engine_end end;
		bool abandoned;
		int code;
		const char *word, *error;
	} cases[] = {
		{ ENGINE_STOPPED, false, 0, "stopped", "null" },
		{ ENGINE_GONE, false, ENODEV, "gone", "ENODEV" },
		{ ENGINE_DENIED, false, EROFS, "denied", "EROFS" },
		{ ENGINE_FAILED, false, EINVAL, "failed", "EINVAL" },
		{ ENGINE_FAILED, false, 4095, "failed", "null" },
		{ ENGINE_DONE, true, 0, "unfinished", "null" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct job_result result;
		struct record_input in;
		json_t *r;

		perfect(&result);
		result.passes[0].finished = false;
		result.passes[0].end = cases[i].end;
		result.passes[0].code = cases[i].code;
		result.abandoned = cases[i].abandoned;
		in = input(&result, VERDICT_INTERRUPTED);
		r = build(&in);
		assert_string_equal(text_at(r, "passes.0.state"), cases[i].word);
		assert_string_equal(text_at(r, "passes.0.error"), cases[i].error);
		if (cases[i].code)
			assert_int_equal(number_at(r, "passes.0.error_code"), cases[i].code);
		assert_bool_at(r, "abandoned", cases[i].abandoned);
		json_decref(r);
		done_with(&result);
	}
}

static void a_key_is_there_only_if_it_was_given(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	for (unsigned i = 0; i < KEYSTREAM_KEY_BYTES; i++)
		key[i] = (uint8_t)(i * 8 + 7);
	perfect(&result);
	in = input(&result, VERDICT_VERIFIED);
	in.keys[0] = key;
	r = build(&in);
	assert_string_equal(text_at(r, "passes.0.key"),
			    "070f171f272f373f474f575f676f777f878f979fa7afb7bfc7cfd7dfe7eff7ff");
	assert_string_equal(text_at(r, "passes.1.key"), text_at(r, "passes.0.key"));
	json_decref(r);
	done_with(&result);
}

static void contents_before_are_listed(void **state)
{
	static const struct contents contents = {
		.table = "gpt",
		.items = { { .partition = 1,
			     .size = 1000 * MIB,
			     .type = "ext4",
			     .label = "backup" },
			   { .partition = 2, .size = 2000 * MIB } },
		.count = 2,
		.readable = true,
	};
	static const struct contents unreadable;
	struct record_input in = input(NULL, VERDICT_NONE);
	json_t *r;

	(void)state;
	in.status = RECORD_PLANNED;
	in.contents = &contents;
	r = build(&in);
	assert_string_equal(text_at(r, "contents_before.partition_table"), "gpt");
	assert_int_equal(json_array_size(at(r, "contents_before.signatures")), 2);
	assert_int_equal(number_at(r, "contents_before.signatures.0.partition"), 1);
	assert_string_equal(text_at(r, "contents_before.signatures.0.type"), "ext4");
	assert_string_equal(text_at(r, "contents_before.signatures.0.label"), "backup");
	assert_null_at(r, "contents_before.signatures.1.type");
	assert_bool_at(r, "contents_before.truncated", false);
	json_decref(r);
	in.contents = &unreadable;
	r = build(&in);
	assert_null_at(r, "contents_before");
	json_decref(r);
}

static void any_bytes_in_a_path_make_valid_json(void **state)
{
	struct drive_facts other = facts;
	struct record_input in = input(NULL, VERDICT_REFUSED);
	json_t *r;

	(void)state;
	(void)text_print(other.path, sizeof(other.path), "%s", "./a\"b\\c\xff\x01\n\xc3\xa4.img");
	memset(other.backing, '\xfe', sizeof(other.backing) - 1);
	in.facts = &other;
	in.status = RECORD_REFUSED;
	in.reason = "tab\there \xc3";
	r = build(&in);
	assert_string_equal(text_at(r, "drive.path"), "./a\"b\\c\\xff\\x01\\x0a\xc3\xa4.img");
	assert_int_equal(strlen(text_at(r, "drive.backing_file")), 4 * (PATH_MAX - 1));
	assert_string_equal(text_at(r, "reason"), "tab\\x09here \\xc3");
	json_decref(r);
}

static void numbers_beyond_json_are_the_greatest_there_is(void **state)
{
	struct drive_facts other = facts;
	struct record_input in = input(NULL, VERDICT_NONE);
	json_t *r;

	(void)state;
	in.status = RECORD_PLANNED;
	other.size = UINT64_MAX;
	in.facts = &other;
	r = build(&in);
	assert_int_equal(number_at(r, "drive.size_bytes"), INT64_MAX);
	json_decref(r);
}

static void a_run_of_no_time_has_no_rate(void **state)
{
	struct job_result result;
	struct record_input in;
	json_t *r;

	(void)state;
	perfect(&result);
	result.ns = result.passes[0].ns = 0;
	result.passes[1].ns = 1;
	in = input(&result, VERDICT_VERIFIED);
	r = build(&in);
	assert_null_at(r, "passes.0.bytes_per_s");
	assert_int_equal(number_at(r, "passes.1.bytes_per_s"), INT64_MAX);
	assert_float_equal(real_at(r, "duration_s"), 0, 0);
	json_decref(r);
	done_with(&result);
}

/* One line, in any locale: where there is a decimal comma to be had, it does not get in. */
static void compact_is_one_line_with_points(void **state)
{
	static const char *const locales[] = { "C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8" };
	struct job_result result;
	struct record_input in;

	(void)state;
	perfect(&result);
	in = input(&result, VERDICT_VERIFIED);
	for (size_t i = 0; i < sizeof(locales) / sizeof(*locales); i++) {
		char *text;

		if (!setlocale(LC_ALL, locales[i]))
			continue;
		assert_int_equal(record_build(&in, true, &text), 0);
		assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
		assert_non_null(strstr(text, "\"duration_s\":40000.123,"));
		record_text_free(text);
	}
	(void)setlocale(LC_ALL, "C");
	done_with(&result);
}

/* ---- without memory ---- */

static unsigned allocations, allocation_that_fails;

static void *limited_malloc(size_t size)
{
	return ++allocations == allocation_that_fails ? NULL : malloc(size);
}

static void without_memory_there_is_no_record_at_all(void **state)
{
	struct job_result result;
	struct record_input in;
	char *text = NULL;
	int r;

	(void)state;
	perfect(&result);
	extent_map_add(&result.passes[0].bad, 0, 4096, EIO);
	in = input(&result, VERDICT_UNWRITTEN);
	json_set_alloc_funcs(limited_malloc, free);
	do {
		allocations = 0;
		allocation_that_fails++;
		r = record_build(&in, false, &text);
		if (r) {
			assert_int_equal(r, -ENOMEM);
			assert_null(text);
		}
	} while (allocations >= allocation_that_fails);
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(r, 0);
	assert_true(allocation_that_fails > 100);
	record_text_free(text);
	record_text_free(NULL);
	done_with(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verified_drive_says_so),
		cmocka_unit_test(the_drive_is_identified),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(each_pass_tells_how_it_went),
		cmocka_unit_test(bad_ranges_are_listed_with_their_errors),
		cmocka_unit_test(status_and_verdict_have_their_words),
		cmocka_unit_test(only_a_whole_drive_is_sanitized),
		cmocka_unit_test(a_running_record_says_how_far),
		cmocka_unit_test(how_a_pass_ended_early_is_told),
		cmocka_unit_test(a_key_is_there_only_if_it_was_given),
		cmocka_unit_test(contents_before_are_listed),
		cmocka_unit_test(any_bytes_in_a_path_make_valid_json),
		cmocka_unit_test(numbers_beyond_json_are_the_greatest_there_is),
		cmocka_unit_test(a_run_of_no_time_has_no_rate),
		cmocka_unit_test(compact_is_one_line_with_points),
		cmocka_unit_test(without_memory_there_is_no_record_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

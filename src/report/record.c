/* SPDX-License-Identifier: MIT */
/* Builds the record; every field of it is described in docs/record.md. */
#include "report/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/secret.h"
#include "base/text.h"
#include "job/outcome.h"
#include "report/values.h"

enum { RECORD_VERSION = 1, HEX_MAX = 2 * KEYSTREAM_KEY_BYTES + 1 };

/* ---- values ---- */

static json_t *time_local(time_t when)
{
	char text[CLOCK_TEXT_MAX];

	return when ? json_string(clock_local(text, when)) : json_null();
}

static json_t *time_utc(time_t when)
{
	char text[CLOCK_TEXT_MAX];

	return when ? json_string(clock_utc(text, when)) : json_null();
}

/* ---- words ---- */

static const char *status_word(const struct record_input *in)
{
	switch (in->status) {
	case RECORD_PLANNED:
		break;
	case RECORD_RUNNING:
		return "running";
	case RECORD_FINISHED:
		return in->verdict == VERDICT_INTERRUPTED ? "interrupted" : "finished";
	case RECORD_REFUSED:
		return "refused";
	}
	return "planned";
}

static const char *verdict_word(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_NONE:
		break;
	case VERDICT_VERIFIED:
		return "verified";
	case VERDICT_WRITTEN:
		return "written";
	case VERDICT_UNWRITTEN:
		return "unwritten";
	case VERDICT_UNVERIFIED:
		return "unverified";
	case VERDICT_INTERRUPTED:
		return "interrupted";
	case VERDICT_GONE:
		return "gone";
	case VERDICT_FAILED:
		return "failed";
	case VERDICT_REFUSED:
		return "refused";
	}
	return NULL;
}

static const char *pass_state_word(const struct job_result *result, const struct pass_result *pass)
{
	if (!pass || !pass->started)
		return "waiting";
	switch (pass->end) {
	case ENGINE_DONE:
		break;
	case ENGINE_STOPPED:
		return "stopped";
	case ENGINE_GONE:
		return "gone";
	case ENGINE_DENIED:
		return "denied";
	case ENGINE_FAILED:
		return "failed";
	}
	if (pass->finished)
		return "done";
	return result->end ? "unfinished" : "running";
}

/* ---- the parts: NULL without memory, which makes NULL of all that holds it ---- */

static json_t *host_object(time_t when)
{
	struct utsname host = { 0 };

	(void)uname(&host);
	return json_pack("{s:o, s:o, s:o, s:b}", "name", text_or_null(host.nodename), "kernel",
			 text_or_null(host.release), "machine", text_or_null(host.machine),
			 "clock_set", clock_plausible(when));
}

static const char *pass_kind_word(const struct pass *pass)
{
	return pass->kind == PASS_WRITE ? "write" : "verify";
}

static json_t *plan_object(const struct plan *plan)
{
	json_t *passes;

	if (!plan)
		return json_null();
	passes = json_array();
	for (unsigned i = 0; i < plan->count; i++)
		append(&passes, json_pack("{s:s, s:o}", "kind", pass_kind_word(&plan->passes[i]),
					  "bytes", number(plan->passes[i].bytes)));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "passes", passes, "bytes",
			 number(plan->bytes), "align_bytes", number(plan->align), "sector_bytes",
			 number(plan->sector), "direct_bytes", number(plan->direct_bytes));
}

static json_t *range_object(const struct extent *range)
{
	if (!range->code) /* a mismatch */
		return json_pack("{s:o, s:o}", "offset", number(range->offset), "length",
				 number(range->length));
	return json_pack("{s:o, s:o, s:o, s:o}", "offset", number(range->offset), "length",
			 number(range->length), "error", error_name(range->code), "error_code",
			 error_code(range->code));
}

static json_t *ranges_array(const struct extent_map *map)
{
	json_t *ranges = json_array();

	for (unsigned i = 0; i < map->count; i++)
		append(&ranges, range_object(&map->items[i]));
	return ranges;
}

static json_t *key_text(const uint8_t *key)
{
	char hex[HEX_MAX];
	json_t *text;

	if (!key)
		return json_null();
	for (unsigned i = 0; i < KEYSTREAM_KEY_BYTES; i++)
		(void)text_print(hex + 2 * (size_t)i, 3, "%02x", key[i]);
	text = json_string(hex);
	secret_wipe(hex, sizeof(hex));
	return text;
}

static json_t *io_object(const struct job_result *result, const struct pass *plan,
			 const struct pass_result *pass)
{
	return json_pack("{s:o, s:b, s:o, s:o}", "backend", text_or_null(result->backend), "direct",
			 result->direct, "cache_dropped",
			 plan->kind == PASS_VERIFY ? json_boolean(pass->cache_dropped)
						   : json_null(),
			 "io_uring_error", error_name(result->why_not_uring));
}

/* What a pass that writes has more than one that reads. */
static json_t *flush_object(const struct pass *plan, const struct pass_result *pass)
{
	if (plan->kind != PASS_WRITE)
		return json_null();
	return json_pack("{s:b, s:o, s:o, s:o}", "done", pass->flushed, "duration_s",
			 seconds(pass->flush_ns), "error", error_name(pass->flush_code),
			 "error_code", error_code(pass->flush_code));
}

static json_t *pass_object(const struct record_input *in, unsigned i)
{
	const struct job_result *result = in->result;
	const struct pass *plan = &result->plan.passes[i];
	const struct pass_result *pass = &result->passes[i];

	return json_pack(
		"{s:s, s:s, s:o, s:o, s:i, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o, "
		"s:o,"
		" s:b}",
		"kind", pass_kind_word(plan), "state", pass_state_word(result, pass), "cipher",
		text_or_null(result->cipher), "keystream", text_or_null(result->keystream),
		"threads", (int)pass->threads, "paced_by",
		text_or_null(engine_pacer_word(pass->pacer)), "key_number", (int)plan->key + 1,
		"key", key_text(in->keys[plan->key]), "io", io_object(result, plan, pass), "bytes",
		number(plan->bytes), "bytes_done", number(pass->done), "bytes_reached",
		number(pass->reached), "duration_s", seconds(pass->ns), "bytes_per_s",
		rate(pass->done, pass->ns), "flush", flush_object(plan, pass), "error",
		error_name(pass->code), "error_code", error_code(pass->code), "bad_bytes",
		number(extent_map_bytes(&pass->bad)), "bad_ranges", ranges_array(&pass->bad),
		"bad_ranges_coarse", pass->bad.coarse);
}

static json_t *passes_array(const struct record_input *in)
{
	json_t *passes = json_array();

	for (unsigned i = 0; in->result && i < in->result->plan.count; i++)
		append(&passes, pass_object(in, i));
	return passes;
}

/* The last verify pass: what it found is what the drive holds. */
static json_t *verification_object(const struct job_result *result)
{
	const struct pass_result *pass = NULL;
	uint64_t wrong;

	for (unsigned i = 0; result && i < result->plan.count; i++)
		if (result->plan.passes[i].kind == PASS_VERIFY)
			pass = &result->passes[i];
	if (!pass)
		return json_null();
	wrong = extent_map_bytes(&pass->wrong);
	return json_pack(
		"{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:b}", "state", pass_state_word(result, pass),
		"complete", pass->finished, "bytes_read", number(pass->done + wrong), "bytes_equal",
		number(pass->done), "bytes_unreadable", number(extent_map_bytes(&pass->bad)),
		"mismatching_bytes", number(wrong), "mismatching_ranges",
		ranges_array(&pass->wrong), "mismatching_ranges_coarse", pass->wrong.coarse);
}

static bool whole_drive(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_DISK && !*facts->backing;
}

static json_t *sanitization_object(const struct record_input *in)
{
	bool complete = in->verdict == VERDICT_VERIFIED || in->verdict == VERDICT_WRITTEN;

	if (!complete || !whole_drive(in->facts))
		return json_null();
	return json_pack("{s:s, s:s, s:s}", "level", "Clear", "standard", "NIST SP 800-88",
			 "technique", "overwrite with random data");
}

/* What an overwrite did not do; said also where it went well. */
static json_t *sanitization_note(const struct drive_facts *facts)
{
	if (facts->kind == DRIVE_PARTITION)
		return json_string(
			"Only this partition was the target; the rest of its drive is as it was.");
	if (facts->kind != DRIVE_FILE && facts->kind != DRIVE_DISK)
		return json_null();
	if (!whole_drive(facts))
		return json_string(
			"The content of a file was the target; the drives that hold it may have "
			"copies of what it held before.");
	if (facts->volume)
		return json_string("A logical volume of a RAID controller: the drives behind it, "
				   "spares and cache are not covered.");
	if (facts->rotational == NO)
		return json_string(
			"Flash memory: an overwrite does not reach spare and retired cells.");
	return json_null();
}

static json_t *exit_status(enum verdict verdict)
{
	return verdict == VERDICT_NONE ? json_null() : json_integer(outcome_status(verdict));
}

static json_t *record_object(const struct record_input *in, time_t now)
{
	static const struct job_result nothing_done;
	const struct job_result *result = in->result ? in->result : &nothing_done;
	bool ran = in->result;

	return json_pack(
		"{s:i, s:{s:s, s:s}, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:b, "
		"s:o,"
		" s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"record_version", RECORD_VERSION, "tool", "name", "stormwipe", "version",
		STORMWIPE_VERSION, "host", host_object(now), "recorded", time_local(now),
		"recorded_utc", time_utc(now), "status", status_word(in), "verdict",
		text_or_null(verdict_word(in->verdict)), "exit_status", exit_status(in->verdict),
		"reason", text_or_null(in->reason), "sanitization", sanitization_object(in),
		"sanitization_note", sanitization_note(in->facts), "wrote", result->wrote,
		"old_data_bytes", ran ? number(outcome_old_bytes(result)) : json_null(),
		"abandoned", result->abandoned, "error", error_name(result->system_code),
		"error_code", error_code(result->system_code), "start", time_local(result->start),
		"start_utc", time_utc(result->start), "end", time_local(result->end), "end_utc",
		time_utc(result->end), "duration_s",
		result->start ? seconds(result->ns) : json_null(), "drive", drive_object(in->facts),
		"contents_before", contents_object(in->contents), "plan",
		plan_object(ran ? &result->plan : in->plan), "passes", passes_array(in),
		"verification", verification_object(in->result));
}

/* ---- the text ---- */

/* Jansson frees its copies of the keys without wiping them. */
static void wipe_keys(json_t *record)
{
	json_t *passes = json_object_get(record, "passes"), *pass;
	size_t i;

	json_array_foreach(passes, i, pass)
	{
		json_t *key = json_object_get(pass, "key");

		if (json_is_string(key))
			secret_wipe((void *)(uintptr_t)json_string_value(key),
				    json_string_length(key));
	}
}

/* Into memory of the right size at once: a buffer that grows leaves pieces of keys behind. */
static int dump(const json_t *record, bool compact, char **ret_text)
{
	size_t flags = JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(REAL_DIGITS) |
		       (compact ? JSON_COMPACT : JSON_INDENT(2));
	size_t length = json_dumpb(record, NULL, 0, flags);
	char *text;

	if (!length)
		return -ENOMEM;
	text = malloc(length + 2);
	if (!text)
		return -ENOMEM;
	if (json_dumpb(record, text, length, flags) != length) {
		secret_wipe(text, length);
		free(text);
		return -ENOMEM;
	}
	memcpy(text + length, "\n", 2);
	*ret_text = text;
	return 0;
}

int record_build(const struct record_input *input, bool compact, char **ret_text)
{
	json_t *record = record_object(input, time(NULL));
	int r = record ? dump(record, compact, ret_text) : -ENOMEM;

	wipe_keys(record);
	json_decref(record);
	return r;
}

void record_text_free(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	free(text);
}

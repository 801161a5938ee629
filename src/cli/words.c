/* SPDX-License-Identifier: MIT */
/* The sentences about what became of a drive. */
#include "cli/words-inside.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"
#include "job/outcome.h"

static const struct pass_result *find_pass(const struct job_result *result, enum pass_kind kind)
{
	for (unsigned i = 0; i < result->plan.count; i++)
		if (result->plan.passes[i].kind == kind && result->passes[i].started)
			return &result->passes[i];
	return NULL;
}

static uint64_t pass_bytes(const struct job_result *result, enum pass_kind kind)
{
	for (unsigned i = 0; i < result->plan.count; i++)
		if (result->plan.passes[i].kind == kind)
			return result->plan.passes[i].bytes;
	return 0;
}

/* The second line of every verdict: how fast, and in full how many bytes were good. */
static void add_rates(char buf[WORDS_MAX], const struct job_result *result)
{
	const struct pass_result *write = find_pass(result, PASS_WRITE);
	const struct pass_result *verify = find_pass(result, PASS_VERIFY);
	char bytes[FMT_MAX], took[FMT_MAX], rate[FMT_MAX];

	add(buf, "\n%s bytes written", fmt_grouped(bytes, write ? write->done : 0));
	if (verify)
		add(buf, ", %s verified", fmt_grouped(bytes, verify->done));
	add(buf, " in %s", fmt_duration(took, result->ns));
	if (write)
		add(buf, " (write %s", fmt_rate(rate, write->done, write->ns));
	if (verify)
		add(buf, ", verify %s", fmt_rate(rate, verify->done, verify->ns));
	add(buf, "%s", write ? ")" : "");
}

static void add_unwritten(char buf[WORDS_MAX], const struct job_result *result)
{
	const struct pass_result *write = find_pass(result, PASS_WRITE);
	uint64_t left = pass_bytes(result, PASS_WRITE) - write->done;
	char bytes[FMT_MAX], first[FMT_MAX];

	add(buf, "NOT completely wiped: ");
	if (left && write->bad.count)
		add(buf,
		    "%s bytes could not be written (%s) and may hold old data, first at byte %s",
		    fmt_grouped(bytes, left), strerror(write->bad.items[0].code),
		    fmt_grouped(first, write->bad.items[0].offset));
	if (!write->flushed)
		add(buf,
		    "%sthe drive failed to flush its cache (%s), so nobody knows what was kept",
		    left ? "; " : "", strerror(write->flush_code));
}

static void add_unverified(char buf[WORDS_MAX], const struct job_result *result)
{
	const struct pass_result *verify = find_pass(result, PASS_VERIFY);
	uint64_t wrong = extent_map_bytes(&verify->wrong), bad = extent_map_bytes(&verify->bad);
	char bytes[FMT_MAX], first[FMT_MAX];

	add(buf, "NOT verified: ");
	if (wrong)
		add(buf,
		    "%s bytes read back different from what was written and may be old data, "
		    "first at byte %s",
		    fmt_grouped(bytes, wrong), fmt_grouped(first, verify->wrong.items[0].offset));
	if (bad)
		add(buf, "%s%s bytes could not be read back (%s), first at byte %s",
		    wrong ? "; " : "", fmt_grouped(bytes, bad), strerror(verify->bad.items[0].code),
		    fmt_grouped(first, verify->bad.items[0].offset));
	if (wrong)
		add(buf,
		    ". Something else wrote to it meanwhile (another program, the cache of an old "
		    "partition), or it does not keep what it is given");
}

/* A pass that did not come to its end: how far it came, and what that means for the old data. */
static void add_partial(char buf[WORDS_MAX], const struct job_result *result)
{
	const struct pass_result *verify = find_pass(result, PASS_VERIFY);
	uint64_t total = pass_bytes(result, PASS_WRITE), old = outcome_old_bytes(result);
	char left[FMT_MAX], done[FMT_MAX];

	if (!result->wrote)
		add(buf, "nothing was written");
	else if (old)
		add(buf, "it is PARTLY WIPED: %s of %s bytes may still hold old data",
		    fmt_grouped(left, old), fmt_grouped(done, total));
	else
		add(buf, "everything was written, but only %s bytes of it verified",
		    fmt_grouped(done, verify ? verify->done : 0));
}

static int end_code(const struct job_result *result)
{
	int code = result->system_code;

	for (unsigned i = 0; i < result->plan.count; i++)
		if (result->passes[i].code)
			code = result->passes[i].code;
	return code;
}

/* Where the file system keeps old blocks, a replaced file is not more than that. */
static void add_elsewhere(char buf[WORDS_MAX], const struct drive_facts *facts)
{
	if (facts->image.relocates || facts->image.shared)
		add(buf, "; what it held before may still be on the drive below");
}

static void add_gone(char buf[WORDS_MAX], int code)
{
	if (code == ESTALE)
		add(buf, "STOPPED: it is another drive now, or changed its size; ");
	else if (code == EPERM || code == EROFS || code == EACCES)
		add(buf, "STOPPED: the drive turned read-only; ");
	else
		add(buf, "STOPPED: the drive went away (%s); ", strerror(code));
}

char *words_verdict(char buf[WORDS_MAX], const struct drive_facts *facts,
		    const struct job_result *result, enum verdict verdict)
{
	bool file = facts->kind == DRIVE_FILE;

	*buf = '\0';
	switch (verdict) {
	case VERDICT_VERIFIED:
		add(buf, file ? "file content replaced and verified" : "wiped and verified");
		add_elsewhere(buf, facts);
		break;
	case VERDICT_WRITTEN:
		add(buf, file ? "file content replaced, not verified" : "wiped, not verified");
		add_elsewhere(buf, facts);
		break;
	case VERDICT_UNWRITTEN:
		add_unwritten(buf, result);
		break;
	case VERDICT_UNVERIFIED:
		add_unverified(buf, result);
		break;
	case VERDICT_INTERRUPTED:
		add(buf, result->abandoned ? "left while it had not answered yet; "
					   : "stopped on request; ");
		add_partial(buf, result);
		break;
	case VERDICT_GONE:
		add_gone(buf, end_code(result));
		add_partial(buf, result);
		break;
	default:
		add(buf, "FAILED: %s%s; ",
		    !result->wrote && result->why_not_uring ? "io_uring cannot be used here: " : "",
		    strerror(end_code(result)));
		add_partial(buf, result);
	}
	if (result->wrote)
		add_rates(buf, result);
	return buf;
}

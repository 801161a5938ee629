/* SPDX-License-Identifier: MIT */
/* The sentences people read. */
#include "cli/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"
#include "job/outcome.h"

/* Appends to a buffer of WORDS_MAX; what does not fit is cut. */
static void add(char buf[WORDS_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char buf[WORDS_MAX], const char *format, ...)
{
	size_t length = strlen(buf);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(buf + length, WORDS_MAX - length, format, args);
	va_end(args);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* "sdb2 -> dm-3 (vg-home)", the last link being what is mounted, or nothing for the drive itself.
 */
static void add_use(char buf[WORDS_MAX], const struct drive_facts *facts, const struct use *use)
{
	bool direct = !strstr(use->chain, "->");

	switch (use->kind) {
	case USE_MOUNT:
		add(buf, "in use: %s is mounted on %s. ", use->chain, use->what);
		if (direct)
			add(buf, "Unmount it first (umount %s).", use->what);
		else
			add(buf, "Take it out of use first.");
		break;
	case USE_SWAP:
		add(buf, "in use: %s is active swap. Switch it off first (swapoff %s).", use->chain,
		    use->what);
		break;
	case USE_HOLDER:
		add(buf, "in use: %s is held by %s. Take it out of use first.", use->chain,
		    use->what);
		break;
	case USE_LOOP:
		add(buf,
		    "in use: %s is behind the loop device %s. Detach it first (losetup -d "
		    "/dev/%s).",
		    direct && facts->kind == DRIVE_FILE ? "it" : use->chain, use->what, use->what);
		break;
	default:
		break;
	}
}

static void add_unexpected(char buf[WORDS_MAX], const struct drive_facts *facts,
			   const struct expectation *expect)
{
	char number[FMT_MAX];

	switch (expect->key) {
	case EXPECT_SERIAL:
		add(buf, "expected serial %s, this drive says %s.", expect->text,
		    *facts->serial ? facts->serial : "nothing");
		break;
	case EXPECT_WWN:
		add(buf, "expected WWN %s, this drive says %s.", expect->text,
		    *facts->wwn ? facts->wwn : "nothing");
		break;
	case EXPECT_SIZE:
		add(buf, "expected a size of %s, this drive has %s bytes.", expect->text,
		    fmt_grouped(number, facts->size));
		break;
	case EXPECT_DISKSEQ:
		add(buf, "expected diskseq %s, this drive has %llu.", expect->text,
		    (unsigned long long)facts->diskseq);
		break;
	}
	add(buf, " Nothing was written.");
}

static const char *what_it_is(enum drive_kind kind)
{
	switch (kind) {
	case DRIVE_DIRECTORY:
		return "is a directory";
	case DRIVE_FIFO:
		return "is a pipe (FIFO)";
	case DRIVE_SOCKET:
		return "is a socket";
	case DRIVE_CHAR:
		return "is a character device";
	default:
		return "is something else";
	}
}

/* What does not keep a drive from being wiped, but should be known before. */
static void add_note(char buf[WORDS_MAX], const struct drive_facts *facts, enum gate_code code)
{
	char number[FMT_MAX];

	switch (code) {
	case GATE_NOTE_UNCHECKED:
		add(buf, "/proc or /sys is missing here: who uses it could not be looked up");
		break;
	case GATE_NOTE_FLASH:
		add(buf, "flash memory keeps spare cells that no overwrite reaches");
		break;
	case GATE_NOTE_CACHED:
		add(buf, "a loop device without direct I/O: what is read back may come from memory "
			 "(losetup --direct-io=on)");
		break;
	case GATE_NOTE_RELOCATES:
		add(buf,
		    "its file system never overwrites in place: what it held before stays on the "
		    "drive below");
		break;
	case GATE_NOTE_SHARED:
		add(buf,
		    "other files or snapshots share its blocks (reflink): they keep what it held");
		break;
	case GATE_NOTE_HOLES:
		add(buf, "a sparse file: filling it takes up to %s more room",
		    fmt_bytes(number, facts->image.unfilled));
		break;
	case GATE_NOTE_FILE:
		add(buf, "a file: copies, snapshots and earlier blocks elsewhere are not reached");
		break;
	default:
		break;
	}
}

char *words_finding(char buf[WORDS_MAX], const struct drive_facts *facts,
		    const struct gate_finding *finding)
{
	*buf = '\0';
	switch (finding->code) {
	case GATE_NOT_A_DRIVE:
		add(buf, "%s, not a drive. Name a drive, a partition or an image file.",
		    what_it_is(facts->kind));
		break;
	case GATE_OPTICAL:
		add(buf, "is an optical drive, not something stormwipe wipes.");
		break;
	case GATE_EMPTY:
		add(buf, facts->kind == DRIVE_FILE ? "is an empty file: there is nothing to do."
						   : "has size 0: no medium, or its size is "
						     "unknown. Nothing was written.");
		break;
	case GATE_READ_ONLY:
		add(buf, "is write-protected (a switch, a flag or the drive itself). Nothing was "
			 "written.");
		break;
	case GATE_ZONED:
		add(buf, "is a zoned drive (host-managed SMR or ZNS), which cannot be overwritten "
			 "like others. Nothing was written.");
		break;
	case GATE_HIDDEN:
		add(buf, "is one path of a multipath drive. Name the drive itself.");
		break;
	case GATE_USED:
		add_use(buf, facts, finding->use);
		break;
	case GATE_UNEXPECTED:
		add_unexpected(buf, facts, finding->expect);
		break;
	case GATE_UNCHECKED:
		add(buf, "cannot tell whether it is in use, because /proc or /sys is missing here. "
			 "Name it exactly with --expect. Nothing was written.");
		break;
	default:
		add_note(buf, facts, finding->code);
	}
	return buf;
}

char *words_claim(char buf[WORDS_MAX], int error)
{
	*buf = '\0';
	switch (error) {
	case EACCES:
		add(buf, "cannot open it: permission denied. Run as root, or with access to it.");
		break;
	case EPERM:
		add(buf, "cannot open it: not permitted (an immutable file, or missing rights).");
		break;
	case EROFS:
		add(buf,
		    "is write-protected: it cannot be opened for writing. Nothing was written.");
		break;
	case EBUSY:
		add(buf, "in use: somebody else holds it exclusively. Take it out of use first.");
		break;
	case EWOULDBLOCK:
		add(buf, "in use: another program has locked it (flock). Wait for it, or end it.");
		break;
	case ESTALE:
		add(buf, "is not the drive any more that was found under this name. Nothing was "
			 "written.");
		break;
	case ETXTBSY:
		add(buf, "in use: it is being run as a program, or used as swap.");
		break;
	default:
		add(buf, "cannot open it: %s.", strerror(error));
	}
	return buf;
}

char *words_medium(char buf[WORDS_MAX], const struct drive_facts *facts)
{
	const char *medium = facts->rotational == YES  ? "hard disk"
			     : facts->rotational == NO ? "SSD"
						       : "device";

	*buf = '\0';
	if (facts->kind == DRIVE_FILE) {
		add(buf, "image file");
		return buf;
	}
	if (!strcmp(facts->bus, "USB") && facts->rotational != YES)
		medium = "flash drive";
	add(buf, "%s%s%s", facts->bus, *facts->bus ? " " : "", medium);
	if (facts->kind == DRIVE_PARTITION)
		add(buf, ", a partition of %s", facts->disk);
	return buf;
}

/* "sdb1", "nvme0n1p1"; for an image just "1". */
static void add_partition_name(char buf[WORDS_MAX], const struct drive_facts *facts,
			       unsigned number)
{
	size_t length = strlen(facts->name);
	bool digit = length && facts->name[length - 1] >= '0' && facts->name[length - 1] <= '9';

	if (facts->kind == DRIVE_FILE)
		add(buf, "%u", number);
	else
		add(buf, "%s%s%u", facts->name, digit ? "p" : "", number);
}

char *words_contents(char buf[WORDS_MAX], const struct drive_facts *facts,
		     const struct contents *contents)
{
	unsigned partitions = 0, shown = 0;

	*buf = '\0';
	if (!contents->readable) {
		add(buf, "could not be looked at");
		return buf;
	}
	for (unsigned i = 0; i < contents->count; i++)
		partitions += contents->items[i].partition > 0;
	if (*contents->table)
		add(buf, "%s, %u%s partition%s", contents->table, partitions,
		    contents->truncated ? " or more" : "", plural(partitions));
	for (unsigned i = 0; i < contents->count; i++) {
		const struct signature *s = &contents->items[i];

		add(buf, "%s", !*buf ? "" : shown++ ? ", " : ": ");
		if (s->partition)
			add_partition_name(buf, facts, s->partition);
		add(buf, "%s%s", s->partition ? " " : "", *s->type ? s->type : "unknown");
		if (*s->label)
			add(buf, " \"%s\"", s->label);
	}
	if (!*buf)
		add(buf, "nothing recognised");
	return buf;
}

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
		add(buf, "STOPPED: the drive changed its size; ");
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

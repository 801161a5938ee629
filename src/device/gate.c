/* SPDX-License-Identifier: MIT */
/* The decision whether a drive may be written. */
#include "device/gate.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static void find(struct gate_result *result, enum gate_code code, const struct use *use,
		 const struct expectation *expect)
{
	assert(result->count < GATE_MAX);
	result->items[result->count++] =
		(struct gate_finding){ .code = code, .use = use, .expect = expect };
	result->refusals += code < GATE_REFUSALS_END;
}

/*
 * Without sysfs, size, sector sizes and diskseq are known only from the descriptor, which always
 * tells the logical sector size: 0 means that it was not asked yet.
 */
static bool size_is_final(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_FILE || facts->sysfs_seen || facts->logical;
}

/* A text without the spaces around it. */
struct span {
	const char *start;
	size_t length;
};

static struct span trim(const char *text)
{
	struct span span = { .start = text + strspn(text, " ") };

	span.length = strlen(span.start);
	while (span.length && span.start[span.length - 1] == ' ')
		span.length--;
	return span;
}

/* One number is written in several ways: 0x5001…, naa.5001…, wwn without anything. */
static struct span trim_wwn(const char *text)
{
	static const char *const prefixes[] = { "0x", "naa.", "eui." };
	struct span span = trim(text);

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t length = strlen(prefixes[i]);

		if (span.length >= length && !strncasecmp(span.start, prefixes[i], length))
			return (struct span){ span.start + length, span.length - length };
	}
	return span;
}

/* What is empty is unknown, and equals nothing. */
static bool spans_equal(struct span a, struct span b,
			int (*compare)(const char *, const char *, size_t))
{
	return a.length && a.length == b.length && !compare(a.start, b.start, a.length);
}

bool gate_expectation_met(const struct drive_facts *facts, const struct expectation *expect)
{
	switch (expect->key) {
	case EXPECT_SERIAL:
		return spans_equal(trim(facts->serial), trim(expect->text), strncmp);
	case EXPECT_WWN:
		return spans_equal(trim_wwn(facts->wwn), trim_wwn(expect->text), strncasecmp);
	case EXPECT_SIZE:
		return !size_is_final(facts) || (facts->size && facts->size == expect->number);
	case EXPECT_DISKSEQ:
		return !size_is_final(facts) ||
		       (facts->diskseq && facts->diskseq == expect->number);
	}
	return false;
}

/* The first expectation with @key, if there is one and the drive meets none with it. */
static const struct expectation *unmet(const struct drive_facts *facts,
				       const struct gate_policy *policy, enum expect_key key)
{
	const struct expectation *first = NULL;

	for (unsigned i = 0; i < policy->expect_count; i++) {
		const struct expectation *expect = &policy->expect[i];

		if (expect->key != key)
			continue;
		if (gate_expectation_met(facts, expect))
			return NULL;
		if (!first)
			first = expect;
	}
	return first;
}

static void check_expectations(const struct drive_facts *facts, const struct gate_policy *policy,
			       struct gate_result *result)
{
	for (unsigned key = EXPECT_SERIAL; key <= EXPECT_DISKSEQ; key++) {
		const struct expectation *expect = unmet(facts, policy, (enum expect_key)key);

		if (expect)
			find(result, GATE_UNEXPECTED, NULL, expect);
	}
}

static void check_drive(const struct drive_facts *facts, struct gate_result *result)
{
	if (facts->kind == DRIVE_OPTICAL)
		find(result, GATE_OPTICAL, NULL, NULL);
	if (!facts->size && size_is_final(facts))
		find(result, GATE_EMPTY, NULL, NULL);
	if (facts->read_only)
		find(result, GATE_READ_ONLY, NULL, NULL);
	if (facts->zoned)
		find(result, GATE_ZONED, NULL, NULL);
	if (facts->hidden)
		find(result, GATE_HIDDEN, NULL, NULL);
}

static void check_uses(const struct usage *usage, struct gate_result *result)
{
	for (unsigned i = 0; i < usage->count; i++)
		if (usage->items[i].kind != USE_READER)
			find(result, GATE_USED, &usage->items[i], NULL);
}

/* Whoever named the drive exactly, or will be shown what is unknown, may rely on the exclusive
 * open. */
static void check_unknown(const struct usage *usage, const struct gate_policy *policy,
			  struct gate_result *result)
{
	if (usage->mounts_known && usage->swaps_known && usage->holders_known)
		return;
	find(result, policy->person || policy->expect_count ? GATE_NOTE_UNCHECKED : GATE_UNCHECKED,
	     NULL, NULL);
}

/* Flash behind a bus that drives have; of what a virtual device is made, nobody knows. */
static bool is_flash(const struct drive_facts *facts)
{
	static const char *const buses[] = { "NVMe", "SATA", "SCSI", "USB", "MMC" };

	for (size_t i = 0; i < sizeof(buses) / sizeof(*buses); i++)
		if (!strcmp(facts->bus, buses[i]))
			return facts->rotational == NO;
	return false;
}

static bool is_drive(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_DISK || facts->kind == DRIVE_PARTITION ||
	       facts->kind == DRIVE_FILE || facts->kind == DRIVE_OPTICAL;
}

static void note_file(const struct image_facts *image, struct gate_result *result)
{
	if (image->relocates)
		find(result, GATE_NOTE_RELOCATES, NULL, NULL);
	if (image->shared)
		find(result, GATE_NOTE_SHARED, NULL, NULL);
	if (image->unfilled)
		find(result, GATE_NOTE_HOLES, NULL, NULL);
	find(result, GATE_NOTE_FILE, NULL, NULL);
}

void gate_check(const struct gate_view *view, const struct gate_policy *policy,
		struct gate_result *ret_result)
{
	const struct drive_facts *facts = view->facts;
	const struct usage *usage = view->usage;

	*ret_result = (struct gate_result){ 0 };
	if (!is_drive(facts)) {
		find(ret_result, GATE_NOT_A_DRIVE, NULL, NULL);
		return;
	}
	/* Another drive than the expected one: whatever else is wrong with it is not the point. */
	check_expectations(facts, policy, ret_result);
	check_drive(facts, ret_result);
	check_uses(usage, ret_result);
	check_unknown(usage, policy, ret_result);
	if (is_flash(facts))
		find(ret_result, GATE_NOTE_FLASH, NULL, NULL);
	if (facts->cached)
		find(ret_result, GATE_NOTE_CACHED, NULL, NULL);
	if (facts->kind == DRIVE_FILE)
		note_file(&facts->image, ret_result);
}

void gate_check_reading(const struct drive_facts *facts, struct gate_result *ret_result)
{
	*ret_result = (struct gate_result){ 0 };
	if (!is_drive(facts))
		find(ret_result, GATE_NOT_A_DRIVE, NULL, NULL);
	else if (!facts->size && size_is_final(facts))
		find(ret_result, GATE_EMPTY, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The decision whether a drive may be written. */
#include "device/gate.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "device/medium.h"
#include "device/same.h"

/* One drive on its way through the gate. */
struct check {
	const struct gate_view *view;
	const struct gate_policy *policy;
	struct gate_result *result;
};

static void find(struct check *c, const struct gate_finding *finding)
{
	assert(c->result->count < GATE_MAX);
	c->result->items[c->result->count++] = *finding;
	c->result->refusals += finding->code < GATE_REFUSALS_END;
}

static void find_code(struct check *c, enum gate_code code)
{
	find(c, &(struct gate_finding){ .code = code });
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

static struct span trim_wwn(const char *text)
{
	struct span span = trim(text);
	const char *digits = wwn_digits(span.start);

	return (struct span){ digits, span.length - (size_t)(digits - span.start) };
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

bool gate_names(const struct gate_policy *policy, const struct drive_facts *facts)
{
	for (unsigned i = 0; i < policy->expect_count; i++)
		if (policy->expect[i].key != EXPECT_SIZE &&
		    gate_expectation_met(facts, &policy->expect[i]))
			return true;
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

static bool expects(const struct gate_policy *policy, enum expect_key key)
{
	for (unsigned i = 0; i < policy->expect_count; i++)
		if (policy->expect[i].key == key)
			return true;
	return false;
}

/* Whether the command line says which drive it means, and not just how it is called today. */
static bool named_exactly(const struct gate_policy *policy)
{
	return expects(policy, EXPECT_SERIAL) || expects(policy, EXPECT_WWN) ||
	       expects(policy, EXPECT_DISKSEQ);
}

/* A serial number that is no drive's own, or that a second drive says as well, names none. */
static bool serial_tells(const struct gate_view *view)
{
	return serial_usable(view->facts->serial) &&
	       !(view->surroundings && view->surroundings->serial_shared);
}

static void check_expectations(struct check *c)
{
	const struct drive_facts *facts = c->view->facts;

	for (unsigned key = EXPECT_SERIAL; key <= EXPECT_DISKSEQ; key++) {
		const struct expectation *expect = unmet(facts, c->policy, (enum expect_key)key);

		if (expect)
			find(c,
			     &(struct gate_finding){ .code = GATE_UNEXPECTED, .expect = expect });
	}
	if (!c->policy->person && *facts->serial && expects(c->policy, EXPECT_SERIAL) &&
	    !expects(c->policy, EXPECT_WWN) && !expects(c->policy, EXPECT_DISKSEQ) &&
	    !serial_tells(c->view) && !unmet(facts, c->policy, EXPECT_SERIAL))
		find_code(c, GATE_UNNAMED);
}

static void check_drive(struct check *c)
{
	const struct drive_facts *facts = c->view->facts;

	if (facts->kind == DRIVE_OPTICAL)
		find_code(c, GATE_OPTICAL);
	if (!facts->size && size_is_final(facts))
		find_code(c, GATE_EMPTY);
	if (facts->read_only)
		find_code(c, GATE_READ_ONLY);
	if (facts->zoned)
		find_code(c, GATE_ZONED);
	if (facts->hidden)
		find_code(c, GATE_HIDDEN);
	if (facts->reserved)
		find_code(c, GATE_RESERVED);
}

/* Those of the running system are one refusal, which no option lifts. */
static void check_system(struct check *c, const struct usage *usage, const char *twin)
{
	struct gate_finding finding = { .code = GATE_SYSTEM, .twin = twin };

	for (unsigned i = 0; i < usage->count; i++) {
		if (!usage->items[i].system)
			continue;
		if (!finding.uses++)
			finding.use = &usage->items[i];
	}
	if (finding.uses)
		find(c, &finding);
}

/* @twin: whose usage it is, if it is another name of the drive; of that one use says enough. */
static void check_uses(struct check *c, const struct usage *usage, const char *twin)
{
	for (unsigned i = 0; i < usage->count; i++) {
		const struct use *use = &usage->items[i];

		if (use->system || use->kind == USE_READER)
			continue;
		find(c, &(struct gate_finding){ .code = GATE_USED, .use = use, .twin = twin });
		if (twin)
			return;
	}
}

static void check_twins(struct check *c,
			void (*check)(struct check *, const struct usage *, const char *))
{
	const struct surroundings *around = c->view->surroundings;

	for (unsigned i = 0; around && i < around->twin_count; i++)
		if (around->twin_usage[i])
			check(c, around->twin_usage[i], around->twins[i]);
}

typedef bool signature_test(const struct signature *signature);

/* Where several signatures lie at one place, the type is all of theirs: "ext4+LVM2_member". */
static bool has_type(const char *types, const char *type)
{
	size_t length = strlen(type);

	for (const char *p = types; (p = strstr(p, type)); p += length)
		if ((p == types || p[-1] == '+') && (!p[length] || p[length] == '+'))
			return true;
	return false;
}

static bool is_one_of(const char *type, const char *const *types)
{
	for (; *types; types++)
		if (has_type(type, *types))
			return true;
	return false;
}

/* What several hosts use at once: that nobody uses it here means nothing. */
static bool is_cluster(const struct signature *s)
{
	static const char *const types[] = {
		"VMFS_volume_member", "VMFS", "gfs", "gfs2", "ocfs", "ocfs2",
		"ceph_bluestore",     "drbd", NULL
	};

	return is_one_of(s->type, types);
}

static bool is_member(const struct signature *s)
{
	static const char *const types[] = { "LVM2_member", "LVM1_member", "zfs_member", "bcache",
					     "stratis",	    "vdo",	   NULL };

	return strstr(s->type, "_raid_member") || is_one_of(s->type, types);
}

static bool is_luks(const struct signature *s)
{
	return has_type(s->type, "crypto_LUKS");
}

/* The first of them is enough: the question shows all that is on the drive. */
static void check_signatures(struct check *c, signature_test *test, enum gate_code code)
{
	const struct contents *contents = c->view->contents;

	for (unsigned i = 0; contents && i < contents->count; i++) {
		if (!test(&contents->items[i]))
			continue;
		find(c, &(struct gate_finding){ .code = code, .signature = &contents->items[i] });
		return;
	}
}

static bool usage_known(const struct usage *usage)
{
	return usage_tables_known(usage) && !usage->truncated;
}

/* Whoever named the drive exactly, or will be shown what is unknown, may rely on the exclusive
 * open. */
static bool may_rely(const struct gate_policy *policy)
{
	return policy->person || policy->expect_count;
}

static void check_refusals(struct check *c)
{
	const struct usage *usage = c->view->usage;

	/* Another drive than the expected one: whatever else is wrong with it is not the point. */
	check_expectations(c);
	check_system(c, usage, NULL);
	check_twins(c, check_system);
	/* The system may need it at its next start, although nothing uses it now. */
	if (!c->result->refusals && c->view->surroundings && c->view->surroundings->beside_system)
		find_code(c, GATE_BESIDE);
	check_drive(c);
	check_uses(c, usage, NULL);
	check_twins(c, check_uses);
	if (!c->policy->person && !named_exactly(c->policy))
		check_signatures(c, is_cluster, GATE_CLUSTER);
	if (!usage_known(usage) && !may_rely(c->policy))
		find_code(c, GATE_UNCHECKED);
}

/* How old the oldest file system is, in whole years; 0 if none tells. */
static unsigned oldest_years(const struct contents *contents, time_t now)
{
	const time_t year = 31556952;
	time_t oldest = now;

	for (unsigned i = 0; i < contents->count; i++)
		if (contents->items[i].made > 0 && contents->items[i].made < oldest)
			oldest = contents->items[i].made;
	return (unsigned)((now - oldest) / year);
}

static void note_usage(struct check *c)
{
	const struct usage *usage = c->view->usage;

	if (!usage_known(usage) && may_rely(c->policy))
		find_code(c, GATE_NOTE_UNCHECKED);
	else if (usage_known(usage) && !(usage->openers_known && usage->namespaces_known))
		find_code(c, GATE_NOTE_UNSEEN);
	for (unsigned i = 0; i < usage->count; i++)
		if (usage->items[i].kind == USE_READER)
			find(c, &(struct gate_finding){ .code = GATE_NOTE_READER,
							.use = &usage->items[i] });
}

static void note_contents(struct check *c)
{
	const struct contents *contents = c->view->contents;
	unsigned years = contents ? oldest_years(contents, c->view->now) : 0;

	check_signatures(c, is_cluster, GATE_NOTE_CLUSTER);
	check_signatures(c, is_member, GATE_NOTE_MEMBER);
	check_signatures(c, is_luks, GATE_NOTE_LUKS);
	if (contents && c->view->boot && boot_medium(c->view->boot, contents))
		find_code(c, GATE_NOTE_BOOT);
	if (years >= GATE_OLD_YEARS)
		find(c, &(struct gate_finding){ .code = GATE_NOTE_OLD, .years = years });
}

static void note_surroundings(struct check *c)
{
	const struct surroundings *around = c->view->surroundings;
	const struct drive_facts *facts = c->view->facts;

	if (!around)
		return;
	for (unsigned i = 0; i < around->twin_count; i++)
		find(c, &(struct gate_finding){ .code = GATE_NOTE_TWIN, .twin = around->twins[i] });
	if (*facts->serial && !serial_tells(c->view))
		find_code(c, GATE_NOTE_SERIAL);
	if (around->system_bytes && facts->size > around->system_bytes && facts_listed(facts))
		find_code(c, GATE_NOTE_LARGER);
}

static void note_drive(struct check *c)
{
	const struct drive_facts *facts = c->view->facts;

	if (*facts->bridge)
		find_code(c, GATE_NOTE_BRIDGE);
	if (facts->volume)
		find_code(c, GATE_NOTE_VOLUME);
	if (facts_flash(facts))
		find_code(c, GATE_NOTE_FLASH);
	if (facts->cached)
		find_code(c, GATE_NOTE_CACHED);
}

static void note_file(struct check *c)
{
	const struct image_facts *image = &c->view->facts->image;

	if (image->relocates)
		find_code(c, GATE_NOTE_RELOCATES);
	if (image->shared)
		find_code(c, GATE_NOTE_SHARED);
	if (image->unfilled)
		find_code(c, GATE_NOTE_HOLES);
	find_code(c, GATE_NOTE_FILE);
}

static bool is_drive(const struct drive_facts *facts)
{
	return facts->kind == DRIVE_DISK || facts->kind == DRIVE_PARTITION ||
	       facts->kind == DRIVE_FILE || facts->kind == DRIVE_OPTICAL;
}

void gate_check(const struct gate_view *view, const struct gate_policy *policy,
		struct gate_result *ret_result)
{
	struct check c = { .view = view, .policy = policy, .result = ret_result };

	ret_result->count = ret_result->refusals = 0;
	if (!is_drive(view->facts)) {
		find_code(&c, GATE_NOT_A_DRIVE);
		return;
	}
	check_refusals(&c);
	note_usage(&c);
	note_contents(&c);
	note_surroundings(&c);
	note_drive(&c);
	if (view->facts->kind == DRIVE_FILE)
		note_file(&c);
}

void gate_check_reading(const struct drive_facts *facts, struct gate_result *ret_result)
{
	struct check c = { .result = ret_result };

	ret_result->count = ret_result->refusals = 0;
	if (!is_drive(facts))
		find_code(&c, GATE_NOT_A_DRIVE);
	else if (!facts->size && size_is_final(facts))
		find_code(&c, GATE_EMPTY);
}

/* SPDX-License-Identifier: MIT */
/* From names to claimed drives. */
#include "cli/target.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/words.h"
#include "device/same.h"
#include "job/outcome.h"

void target_refuse(struct target *t, const struct console *console, enum verdict verdict,
		   const char *sentence)
{
	t->verdict = verdict;
	t->status = outcome_status(verdict);
	(void)text_print(t->reason, sizeof(t->reason), "%s", sentence);
	console_error(console, "%s: %s", t->facts.path, sentence);
	claim_release(&t->claim);
}

static void refuse_all(struct target *targets, unsigned count, const struct console *console,
		       const char *sentence)
{
	for (unsigned i = 0; i < count; i++)
		if (!target_out(&targets[i]))
			target_refuse(&targets[i], console, VERDICT_REFUSED, sentence);
}

static void identify(struct target *t, const char *path, const struct console *console)
{
	char sentence[WORDS_MAX];
	int r = scan_path(&system_roots_real, path, &t->facts);

	if (!r)
		return;
	(void)text_print(t->facts.path, sizeof(t->facts.path), "%s", path);
	(void)text_print(sentence, sizeof(sentence), "%s.",
			 r == -ENOENT ? "there is no such drive or file" : strerror(-r));
	target_refuse(t, console, VERDICT_FAILED, sentence);
}

static int check_gate(struct target *t, const struct way_in *way)
{
	int r;

	if (way->mode == CLAIM_READ) {
		gate_check_reading(&t->facts, &t->gate);
		return 0;
	}
	struct tables *tables;
	r = tables_read(&system_roots_real, &tables);
	if (r)
		return r;
	r = usage_collect(tables, &t->facts, &t->usage);
	tables_free(tables);
	if (!r)
		gate_check(&(struct gate_view){ .facts = &t->facts, .usage = &t->usage },
			   way->policy, &t->gate);
	return r;
}

/* One line says the first reason; a drive can be in use in many ways. */
static void pass_gate(struct target *t, const struct way_in *way, const struct console *console)
{
	char sentence[WORDS_MAX];
	size_t length;
	int r = check_gate(t, way);

	if (r) {
		target_refuse(t, console, VERDICT_FAILED, strerror(-r));
		return;
	}
	if (!t->gate.refusals)
		return;
	words_finding(sentence, &t->facts, &t->gate.items[0]);
	length = strlen(sentence);
	if (t->gate.refusals > 1)
		(void)text_print(sentence + length, sizeof(sentence) - length,
				 " (and %u more reason%s)", t->gate.refusals - 1,
				 t->gate.refusals > 2 ? "s" : "");
	target_refuse(t, console, VERDICT_REFUSED, sentence);
}

/* An --expect that holds for no drive at all means that the command line speaks of another machine.
 */
static void check_expectations(struct target *targets, const struct way_in *way,
			       const struct console *console)
{
	const struct gate_policy *policy = way->policy;
	bool met = true, unexpected = false;

	for (unsigned e = 0; e < policy->expect_count; e++) {
		bool found = false;

		for (unsigned i = 0; i < way->count; i++)
			found |= gate_expectation_met(&targets[i].facts, &policy->expect[e]);
		met &= found;
	}
	for (unsigned i = 0; i < way->count; i++)
		unexpected |= targets[i].gate.refusals &&
			      targets[i].gate.items[0].code == GATE_UNEXPECTED;
	if (!met || unexpected)
		refuse_all(targets, way->count, console,
			   "left alone, because not every --expect was met. Nothing was written.");
}

static void check_overlap(struct target *targets, unsigned count, const struct console *console)
{
	char sentence[WORDS_MAX];

	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = i + 1; k < count; k++) {
			if (!facts_same(&targets[i].facts, &targets[k].facts))
				continue;
			(void)text_print(
				sentence, sizeof(sentence),
				"%s and %s are the same drive, wholly or in part. Name it once. "
				"Nothing was written.",
				targets[i].facts.path, targets[k].facts.path);
			refuse_all(targets, count, console, sentence);
			return;
		}
	}
}

void targets_identify(struct target *targets, const struct way_in *way,
		      const struct console *console)
{
	for (unsigned i = 0; i < way->count; i++) {
		targets[i].claim.fd = -EBADF;
		identify(&targets[i], way->names[i], console);
	}
	if (way->mode != CLAIM_READ)
		check_overlap(targets, way->count, console);
	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			pass_gate(&targets[i], way, console);
	check_expectations(targets, way, console);
}

/* What a failed claim means: a refusal, unless the drive or the system failed. */
static enum verdict claim_verdict(int error)
{
	switch (error) {
	case EBUSY:
	case EWOULDBLOCK:
	case EACCES:
	case EPERM:
	case EROFS:
	case ESTALE:
	case ETXTBSY:
		return VERDICT_REFUSED;
	default:
		return VERDICT_FAILED;
	}
}

static void claim_one(struct target *t, const struct way_in *way, const struct console *console)
{
	char sentence[WORDS_MAX];
	int r = claim_drive(&system_roots_real, &t->facts, way->mode, &t->claim);

	if (r) {
		target_refuse(t, console, claim_verdict(-r), words_claim(sentence, -r));
		return;
	}
	t->facts = t->claim.facts;
	pass_gate(t, way, console);
	if (target_out(t) || way->mode == CLAIM_READ)
		return;
	probe_contents(t->claim.fd, t->facts.size, &t->contents);
	plan_make(&t->facts, way->verify, &t->plan);
	t->likely_rate = plan_typical_rate(&t->facts);
	if (way->rate_limit && way->rate_limit < t->likely_rate)
		t->likely_rate = way->rate_limit;
}

void targets_claim(struct target *targets, const struct way_in *way, const struct console *console)
{
	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			claim_one(&targets[i], way, console);
	check_expectations(targets, way, console);
}

void targets_done(struct target *targets, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		claim_release(&targets[i].claim);
		job_free(targets[i].job);
		job_result_done(&targets[i].result);
	}
}

/* SPDX-License-Identifier: MIT */
/* From names to claimed drives. */
#include "cli/target.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/words.h"
#include "device/same.h"
#include "job/outcome.h"

static void take_out(struct target *t, enum verdict verdict, const char *sentence)
{
	t->verdict = verdict;
	t->status = outcome_status(verdict);
	(void)text_print(t->reason, sizeof(t->reason), "%s", sentence);
	claim_release(&t->claim);
}

void target_refuse(struct target *t, const struct console *console, enum verdict verdict,
		   const char *sentence)
{
	take_out(t, verdict, sentence);
	console_error(console, "%s: %s", t->facts.path, sentence);
}

/* One question, one answer: the sentence stands once, whatever the number of drives. */
static void refuse_all(struct target *targets, unsigned count, const struct console *console,
		       const char *sentence)
{
	console_error(console, "%s", sentence);
	for (unsigned i = 0; i < count; i++)
		if (!target_out(&targets[i]))
			take_out(&targets[i], VERDICT_REFUSED, sentence);
}

static void identify(struct target *t, const char *path, const struct way_in *way,
		     const struct console *console)
{
	char sentence[WORDS_MAX];
	int r = scan_path(&system_roots_real, path, &t->facts);

	if (!r) {
		inventory_around(&way->machine->inventory, &t->facts, &t->around);
		return;
	}
	(void)text_print(t->facts.path, sizeof(t->facts.path), "%s", path);
	target_refuse(t, console, VERDICT_FAILED, words_scan(sentence, -r));
}

static void check_gate(struct target *t, const struct way_in *way, const struct contents *contents)
{
	const struct gate_view view = { .facts = &t->facts,
					.usage = &t->usage,
					.contents = contents,
					.surroundings = &t->around,
					.boot = &way->machine->boot,
					.now = way->now };

	gate_check(&view, way->policy, &t->gate);
}

/* One line says the first reason; a drive can be in use in many ways. */
static void say_refusal(struct target *t, const struct console *console)
{
	char sentence[WORDS_MAX];

	words_finding(sentence, &t->facts, &t->gate.items[0]);
	if (t->gate.refusals > 1)
		(void)text_append(sentence, sizeof(sentence), " (and %u more reason%s)",
				  t->gate.refusals - 1, t->gate.refusals > 2 ? "s" : "");
	target_refuse(t, console, VERDICT_REFUSED, sentence);
}

/* Who uses it at the moment of @tables. To read, nobody is asked. */
static void collect(struct target *t, const struct way_in *way, const struct tables *tables,
		    const struct console *console)
{
	int r = way->mode == CLAIM_READ ? 0 : usage_collect(tables, &t->facts, &t->usage);

	if (r)
		target_refuse(t, console, VERDICT_FAILED, strerror(-r));
}

/* @contents: NULL before the drive is ours. */
static void pass_gate(struct target *t, const struct way_in *way, const struct contents *contents,
		      const struct console *console)
{
	if (way->mode == CLAIM_READ)
		gate_check_reading(&t->facts, &t->gate);
	else
		check_gate(t, way, contents);
	if (t->gate.refusals)
		say_refusal(t, console);
}

/* An --expect that holds for no drive at all means that the command line speaks of another machine.
 */
static void check_expectations(struct target *targets, const struct way_in *way,
			       const struct console *console)
{
	const struct gate_policy *policy = way->policy;
	bool met = true, unexpected = false, left = false;

	for (unsigned e = 0; e < policy->expect_count; e++) {
		bool found = false;

		for (unsigned i = 0; i < way->count; i++)
			found |= gate_expectation_met(&targets[i].facts, &policy->expect[e]);
		met &= found;
	}
	for (unsigned i = 0; i < way->count; i++) {
		unexpected |= targets[i].gate.refusals &&
			      targets[i].gate.items[0].code == GATE_UNEXPECTED;
		left |= !target_out(&targets[i]);
	}
	for (unsigned i = 0; left && (!met || unexpected) && i < way->count; i++)
		if (!target_out(&targets[i]))
			target_refuse(&targets[i], console, VERDICT_REFUSED,
				      "left alone, because not every --expect was met. Nothing was "
				      "written.");
}

static void say_same(char sentence[WORDS_MAX], const struct drive_facts *a,
		     const struct drive_facts *b, enum sameness how)
{
	static const char *const ways[] = {
		[SAME_NODE] = "are the same drive",
		[SAME_PART] = "are the same drive, wholly or in part",
		[SAME_STACK] = "are the same drive: one lies on the other, or both on the same",
		[SAME_WWN] = "are the same drive: they have one World Wide Name",
		[SAME_SERIAL] = "are the same drive: they agree in model, size and serial number",
	};

	(void)text_print(sentence, WORDS_MAX, "%s and %s %s. Name it once. Nothing was written.",
			 a->path, b->path, ways[how]);
}

/* Files have names of people's choice, which mean nothing here. */
static bool is_built_on(const struct target *top, const struct target *base)
{
	return top->facts.rdev && usage_leads_through(&base->usage, top->facts.name);
}

/* How two targets are one medium: by what they are, or because one is built on the other. */
static enum sameness sameness_of(const struct target *a, const struct target *b)
{
	return is_built_on(a, b) || is_built_on(b, a) ? SAME_STACK
						      : facts_same(&a->facts, &b->facts);
}

/* Two names of one medium: which of them is meant, and whether that was seen, only a person knows.
 */
static void check_sameness(struct target *targets, unsigned count, const struct console *console)
{
	char sentence[WORDS_MAX];

	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = i + 1; k < count; k++) {
			enum sameness how = sameness_of(&targets[i], &targets[k]);

			if (how == SAME_NOT || target_out(&targets[i]) || target_out(&targets[k]))
				continue;
			say_same(sentence, &targets[i].facts, &targets[k].facts, how);
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
		identify(&targets[i], way->names[i], way, console);
	}
	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			collect(&targets[i], way, way->machine->tables, console);
	if (way->mode != CLAIM_READ)
		check_sameness(targets, way->count, console);
	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			pass_gate(&targets[i], way, NULL, console);
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

/* Whoever came in by another name of the drive would write to what is being wiped. */
static void claim_twins(struct target *t, const struct console *console)
{
	char sentence[WORDS_MAX], why[WORDS_MAX];

	for (unsigned i = 0; i < t->around.twin_count; i++) {
		int r = claim_twin(&t->claim, t->around.twins[i]);

		if (!r)
			continue;
		(void)text_print(sentence, sizeof(sentence),
				 "%s is another way to the same drive, and cannot be held: %s",
				 t->around.twins[i], words_claim(why, -r));
		target_refuse(t, console, claim_verdict(-r), sentence);
		return;
	}
}

/* The kernel says only that it is taken. What is on it tells most people by whom: a pool of ZFS,
 * say. */
static void refuse_claim(struct target *t, int error, const struct console *console)
{
	char sentence[WORDS_MAX], contents[WORDS_MAX];

	words_claim(sentence, error);
	if (error == EBUSY) {
		probe_drive(&t->facts, &t->contents);
		if (t->contents.count)
			(void)text_append(sentence, sizeof(sentence), " (On it: %s.)",
					  words_contents(contents, &t->facts, &t->contents));
	}
	target_refuse(t, console, claim_verdict(error), sentence);
}

static void claim_one(struct target *t, const struct way_in *way, const struct console *console)
{
	int r = claim_drive(&system_roots_real, &t->facts, way->mode, &t->claim);

	if (r) {
		refuse_claim(t, -r, console);
		return;
	}
	t->facts = t->claim.facts;
	if (way->mode != CLAIM_READ)
		claim_twins(t, console);
}

static void look(struct target *t, const struct way_in *way, const struct tables *tables,
		 const struct console *console)
{
	if (way->mode != CLAIM_READ)
		probe_contents(t->claim.fd, t->facts.size, &t->contents);
	collect(t, way, tables, console);
	if (!target_out(t))
		pass_gate(t, way, &t->contents, console);
	if (target_out(t) || way->mode == CLAIM_READ)
		return;
	plan_make(&t->facts, way->verify, &t->plan);
	t->likely_rate = plan_typical_rate(&t->facts);
	if (way->rate_limit && way->rate_limit < t->likely_rate)
		t->likely_rate = way->rate_limit;
}

int targets_claim(struct target *targets, const struct way_in *way, const struct console *console)
{
	struct tables *tables = NULL;
	int r = 0;

	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			claim_one(&targets[i], way, console);
	/* From here on nobody can come in any more: who uses them is asked once again. */
	if (way->mode != CLAIM_READ)
		r = tables_read(&system_roots_real, &tables);
	if (r)
		return r;
	for (unsigned i = 0; i < way->count; i++)
		if (!target_out(&targets[i]))
			look(&targets[i], way, tables, console);
	tables_free(tables);
	check_expectations(targets, way, console);
	return 0;
}

void targets_done(struct target *targets, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		claim_release(&targets[i].claim);
		job_free(targets[i].job);
		job_result_done(&targets[i].result);
	}
}

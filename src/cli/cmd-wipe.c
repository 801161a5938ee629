/* SPDX-License-Identifier: MIT */
/*
 * stormwipe wipe: the main job, in this order: identify, gate, claim, gate again, show, ask, write,
 * flush, verify, verdict, record, re-read the partition table. Each drive goes its own way; the
 * worst decides.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/cleanup.h"
#include "base/cpu.h"
#include "base/text.h"
#include "cli/cipher.h"
#include "cli/command.h"
#include "cli/question.h"
#include "cli/select.h"
#include "cli/target.h"
#include "cli/watch.h"
#include "cli/wipe-options.h"
#include "cli/words.h"
#include "job/outcome.h"
#include "keystream/keystream.h"
#include "report/record.h"
#include "report/store.h"

struct wipe {
	struct wipe_options options;
	struct console console;
	struct machine machine;
	struct selection selection; /* with --all */
	struct target *targets;
	unsigned count;
	struct store store;
	struct cipher_search search;
	const struct keystream_kind *keystream;
	time_t now;
	bool record_failed;
	atomic_int spare_cores;
};

/* ---- records ---- */

static void record_input(struct wipe *w, struct target *t, struct record_input *in)
{
	*in = (struct record_input){
		.status = t->verdict == VERDICT_REFUSED ? RECORD_REFUSED
			  : t->verdict != VERDICT_NONE	? RECORD_FINISHED
			  : t->job			? RECORD_RUNNING
							: RECORD_PLANNED,
		.facts = &t->facts,
		.contents = t->plan.count ? &t->contents : NULL,
		.result = t->job ? &t->result : NULL,
		.plan = t->plan.count ? &t->plan : NULL,
		.verdict = t->verdict,
		.reason = *t->reason ? t->reason : NULL,
	};
	for (unsigned k = 0; w->options.keep_key && t->job && k < t->plan.keys; k++)
		in->keys[k] = job_key(t->job, k);
}

static int write_record(struct wipe *w, struct target *t)
{
	struct record_input in;
	char *text = NULL;
	int r;

	if (!*t->record.name)
		return 0;
	record_input(w, t, &in);
	r = record_build(&in, false, &text);
	if (!r)
		r = store_write(&w->store, &t->record, text);
	record_text_free(text);
	return r;
}

/* Called while jobs run and when they have settled. */
static void keep_record(struct target *t, void *arg)
{
	struct wipe *w = arg;
	int r;

	job_copy_result(t->job, &t->result);
	if (t->settled)
		t->verdict = outcome_verdict(&t->result);
	r = write_record(w, t);
	if (r && t->settled) {
		console_error(&w->console, "%s: cannot write the record %s: %s.", t->facts.path,
			      t->record.path, strerror(-r));
		w->record_failed = true;
	}
}

/* The folder that was chosen, or the one of this user. Returns 0; -ENAMETOOLONG; -ENOENT without a
 * home. */
static int choose_folder(const struct wipe_options *o, char folder[PATH_MAX])
{
	const char *home = getenv("HOME"), *state = getenv("XDG_STATE_HOME");
	bool fits;

	if (o->record_dir)
		fits = text_print(folder, PATH_MAX, "%s", o->record_dir);
	else if (!geteuid())
		fits = text_print(folder, PATH_MAX, "/var/lib/stormwipe");
	else if (state && *state == '/')
		fits = text_print(folder, PATH_MAX, "%s/stormwipe", state);
	else if (home && *home)
		fits = text_print(folder, PATH_MAX, "%s/.local/state/stormwipe", home);
	else
		return -ENOENT;
	return fits ? 0 : -ENAMETOOLONG;
}

static int open_store(struct wipe *w)
{
	char folder[PATH_MAX] = "";
	int r = choose_folder(&w->options, folder);
	const char *where = r == -ENOENT ? "the home folder, for HOME is not set" : folder;

	if (!r)
		r = store_open(folder, &w->store);
	if (r)
		console_error(
			&w->console,
			"cannot keep records in %s: %s. Choose a folder with --record-dir, or "
			"--no-record. Nothing was written.",
			where, strerror(-r));
	return r;
}

/* ---- the way in ---- */

static unsigned still_in(const struct wipe *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->count; i++)
		n += !target_out(&w->targets[i]);
	return n;
}

static void show_each(struct wipe *w, FILE *out)
{
	for (unsigned i = 0; i < w->count; i++)
		if (!target_out(&w->targets[i]))
			question_show(&w->targets[i], w->keystream, out);
}

/* Before the question several are a table: people compare rows, and do not read pages. */
static int show(struct wipe *w)
{
	if (still_in(w) > 1)
		return question_show_table(w->targets, w->count, w->keystream, stderr);
	show_each(w, stderr);
	return 0;
}

static void decline(struct wipe *w, struct target *t)
{
	target_refuse(t, &w->console, VERDICT_REFUSED,
		      "not confirmed, so it was left alone. Nothing was written.");
}

static void ask(struct wipe *w)
{
	bool all = !w->options.all || question_ask_count(still_in(w));

	for (unsigned i = 0; i < w->count; i++) {
		struct target *t = &w->targets[i];

		if (!target_out(t) && (!all || !question_ask(t, "Everything on")))
			decline(w, t);
	}
}

/* The kernel's name of a drive can be another drive's after the next start: which one was it now?
 */
static void say_better_names(struct wipe *w)
{
	for (unsigned i = 0; i < w->count; i++) {
		const struct drive_facts *f = &w->targets[i].facts;

		if (target_out(&w->targets[i]) || !*f->node || strcmp(f->path, f->node) ||
		    (!*f->by_id && !*f->serial))
			continue;
		if (*f->by_id)
			console_say(&w->console, "%s: this is %s now. In scripts name it so%s%s.",
				    f->path, f->by_id, *f->serial ? ", with --expect serial=" : "",
				    f->serial);
		else
			console_say(&w->console,
				    "%s: its name can be another drive's tomorrow. In scripts add "
				    "--expect serial=%s.",
				    f->path, f->serial);
	}
}

static void make_way(struct wipe *w, struct way_in *way)
{
	const struct wipe_options *o = &w->options;

	*way = (struct way_in){ .names = o->all ? w->selection.names : o->targets,
				.count = w->count,
				.machine = &w->machine,
				.policy = &o->policy,
				.now = w->now,
				.mode = o->dry_run ? CLAIM_LOOK : CLAIM_WIPE,
				.verify = o->verify,
				.rate_limit = o->rate_limit };
}

/* Everything up to the point where drives may be written; what is still in may be. */
static enum exit_status go_in(struct wipe *w)
{
	const struct wipe_options *o = &w->options;
	struct way_in way;

	make_way(w, &way);
	targets_identify(w->targets, &way, &w->console);
	if (still_in(w) && !o->dry_run && !o->yes && !question_possible()) {
		console_error(&w->console,
			      "no terminal to ask on, and --yes not given. Nothing was written.");
		return STATUS_REFUSED;
	}
	if (still_in(w) && !o->dry_run && !o->no_record && open_store(w))
		return STATUS_SYSTEM;
	if (targets_claim(w->targets, &way, &w->console))
		return STATUS_SYSTEM;
	w->keystream = cipher_end(&w->search, &w->console);
	if (!w->keystream)
		return STATUS_SYSTEM;
	if (o->yes)
		say_better_names(w);
	if (o->dry_run || !still_in(w))
		return STATUS_OK;
	if ((w->console.level > CONSOLE_QUIET || !o->yes) && show(w))
		return STATUS_SYSTEM;
	if (!o->yes)
		ask(w);
	return STATUS_OK;
}

/* ---- the run ---- */

/* For each drive at most. */
static unsigned threads_max(const struct wipe *w)
{
	unsigned threads = w->options.threads ? w->options.threads : cpu_count();

	return threads < ENGINE_THREADS_MAX ? threads : ENGINE_THREADS_MAX;
}

static int prepare(struct wipe *w, struct target *t)
{
	const struct job_options options = { .keystream = w->keystream,
					     .contents = &t->contents,
					     .verify = w->options.verify,
					     .io = w->options.io,
					     .rate_limit = w->options.rate_limit,
					     .threads = threads_max(w),
					     .spare_cores =
						     w->options.threads ? NULL : &w->spare_cores };
	int r = job_result_init(&t->result);

	if (!r)
		r = job_new(&t->claim, &options, &t->job);
	if (!r && !w->options.no_record)
		r = store_create(&w->store, &t->facts, w->now, &t->record);
	if (r)
		return r;
	job_copy_result(t->job, &t->result);
	return write_record(w, t);
}

static void start(struct wipe *w, struct target *t, int news_fd)
{
	char sentence[WORDS_MAX];
	int r = prepare(w, t);

	if (!r)
		r = job_start(t->job, news_fd);
	if (!r)
		return;
	(void)text_print(sentence, sizeof(sentence), "cannot begin: %s. Nothing was written.",
			 strerror(-r));
	if (*t->record.name)
		store_remove(&w->store, &t->record);
	t->record.name[0] = '\0';
	job_free(t->job);
	t->job = NULL;
	target_refuse(t, &w->console, VERDICT_FAILED, sentence);
}

/* Starts every drive that is still in and watches to the end. Returns false if some were left
 * behind. */
static bool run(struct wipe *w, int *ret_error)
{
	_cleanup_close_ int news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct watch watch = { .targets = w->targets,
			       .count = w->count,
			       .news_fd = news_fd,
			       .console = &w->console,
			       .record = keep_record,
			       .arg = w };
	bool all_ended;

	*ret_error = news_fd < 0 ? -errno
				 : progress_new(&w->console, w->options.progress, w->count,
						&watch.progress);
	if (*ret_error)
		return true;
	watch_block_signals();
	for (unsigned i = 0; i < w->count; i++)
		if (!target_out(&w->targets[i]))
			start(w, &w->targets[i], news_fd);
	all_ended = watch_jobs(&watch);
	progress_free(watch.progress);
	if (!all_ended)
		(void)TAKE_FD(news_fd); /* a thread may still write to it */
	return all_ended;
}

/* ---- the end ---- */

static void settle_left_behind(struct wipe *w)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct target *t = &w->targets[i];

		if (!t->job || t->settled)
			continue;
		job_copy_result(t->job, &t->result);
		if (job_state(t->job) == JOB_RUNNING) {
			t->result.abandoned = true;
			t->result.end = time(NULL);
		}
		t->verdict = outcome_verdict(&t->result);
		if (write_record(w, t))
			w->record_failed = true;
	}
}

/* With --verbose: how each pass was done, and what kept it from being faster. */
static void say_passes(struct wipe *w, struct target *t)
{
	static const char *const pacers[] = {
		[PACED_UNKNOWN] = "",
		[PACED_BY_DRIVE] = "; the drive set the pace",
		[PACED_BY_CPU] = "; the CPU set the pace",
		[PACED_BY_LIMIT] = "; --limit-rate set the pace",
	};

	for (unsigned i = 0; i < t->plan.count && t->result.passes[i].threads; i++) {
		const struct pass_result *pass = &t->result.passes[i];

		console_detail(&w->console, "%s: %s by %s in %u thread%s%s.", t->facts.path,
			       t->plan.passes[i].kind == PASS_WRITE ? "written" : "verified",
			       t->result.backend, pass->threads, pass->threads == 1 ? "" : "s",
			       pacers[pass->pacer]);
	}
}

static void say_verdict(struct wipe *w, struct target *t)
{
	char words[WORDS_MAX], *line, *next;

	if (!t->job)
		return;
	t->status = outcome_status(t->verdict);
	words_verdict(words, &t->facts, &t->result, t->verdict);
	for (line = words; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line != words)
			console_say(&w->console, "  %s", line);
		else if (t->status == STATUS_OK)
			console_say(&w->console, "%s: %s", t->facts.path, line);
		else
			console_error(&w->console, "%s: %s", t->facts.path, line);
	}
	if (*t->record.name)
		console_say(&w->console, "  record: %s", t->record.path);
	say_passes(w, t);
	if (t->result.partitions_kept)
		console_detail(
			&w->console,
			"%s: %u partition%s stayed in the kernel's list, because somebody has "
			"them open; what was cached of them was written out before.",
			t->facts.path, t->result.partitions_kept,
			t->result.partitions_kept == 1 ? "" : "s");
	if (t->result.why_not_uring)
		console_detail(&w->console,
			       "%s: io_uring cannot be used here (%s); plain calls did the same.",
			       t->facts.path, strerror(t->result.why_not_uring));
	if (t->result.reread == REREAD_BUSY)
		console_say(&w->console,
			    "  The kernel still lists its old partitions, because something "
			    "holds one. They go when it lets go.");
}

static void print_json(struct wipe *w)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct record_input in;
		char *text = NULL;

		record_input(w, &w->targets[i], &in);
		if (!record_build(&in, true, &text))
			fputs(text, stdout);
		else
			w->record_failed = true;
		record_text_free(text);
	}
}

static enum exit_status worst_status(const struct wipe *w)
{
	enum exit_status worst = w->record_failed ? STATUS_SYSTEM : STATUS_OK;

	for (unsigned i = 0; i < w->count; i++)
		if (w->targets[i].status > worst)
			worst = w->targets[i].status;
	return worst;
}

static struct cli_result wipe_targets(struct wipe *w)
{
	struct cli_result result = { .status = go_in(w) };
	int r = 0;

	if (result.status != STATUS_OK)
		return result;
	if (w->options.dry_run) {
		if (!w->options.json)
			show_each(w, stdout);
	} else if (still_in(w)) {
		result.left_behind = !run(w, &r);
		if (r) {
			console_error(&w->console, "cannot begin: %s. Nothing was written.",
				      strerror(-r));
			return (struct cli_result){ .status = STATUS_SYSTEM };
		}
		if (result.left_behind)
			settle_left_behind(w);
		for (unsigned i = 0; i < w->count; i++) {
			if (w->targets[i].job && !result.left_behind)
				job_copy_result(w->targets[i].job, &w->targets[i].result);
			say_verdict(w, &w->targets[i]);
		}
	}
	if (w->options.json)
		print_json(w);
	result.status = worst_status(w);
	return result;
}

/* ---- which drives ---- */

/* A drive that nobody will be asked about must have been meant: its name alone does not say so. */
static bool all_are_named(struct wipe *w)
{
	const struct gate_policy *policy = &w->options.policy;
	const struct inventory *inventory = &w->machine.inventory;
	bool all = true;

	for (unsigned i = 0; i < inventory->count; i++) {
		const struct drive_facts *f = &inventory->drives[i];
		bool chosen = false;

		for (unsigned k = 0; k < w->selection.count; k++)
			chosen |= w->selection.names[k] == f->path;
		if (!chosen || gate_names(policy, f))
			continue;
		console_error(&w->console,
			      "%s: --all with --yes needs an --expect (serial=, wwn= or diskseq=) "
			      "for each "
			      "drive, and none names this one. Nothing was written.",
			      f->path);
		all = false;
	}
	return all;
}

static enum exit_status choose(struct wipe *w)
{
	const struct wipe_options *o = &w->options;
	int r = machine_read(&system_roots_real, &w->machine);

	if (!r && !o->all) {
		w->count = o->target_count;
	} else if (!r && !w->machine.inventory.sysfs_seen) {
		console_error(&w->console,
			      "cannot list the drives, because /sys is missing here. Name them. "
			      "Nothing was written.");
		return STATUS_SYSTEM;
	} else if (!r) {
		r = select_all(&w->machine, o->excludes, o->exclude_count, w->now, &w->console,
			       &w->selection);
		w->count = w->selection.count;
	}
	if (r == -EINVAL)
		return STATUS_USAGE;
	if (!r && !w->count) {
		console_error(&w->console, "there is no drive left to wipe. Nothing was written.");
		return STATUS_REFUSED;
	}
	if (!r && o->all && o->yes && !all_are_named(w))
		return STATUS_REFUSED;
	if (!r && !(w->targets = calloc(w->count, sizeof(*w->targets))))
		r = -ENOMEM;
	if (r)
		console_error(&w->console, "cannot look at the machine: %s. Nothing was written.",
			      strerror(-r));
	return r ? STATUS_SYSTEM : STATUS_OK;
}

/* --quiet means no progress either, and whoever reads JSON lines wants nothing but them and errors.
 */
static void settle_level(struct wipe *w)
{
	struct wipe_options *o = &w->options;

	if (o->level == CONSOLE_QUIET && o->progress == PROGRESS_AUTO)
		o->progress = PROGRESS_NONE;
	if (o->level == CONSOLE_NORMAL && o->progress == PROGRESS_JSON)
		o->level = CONSOLE_QUIET;
	w->console.level = o->level;
}

struct cli_result cmd_wipe(int argc, char **argv)
{
	struct cli_result result = { .status = STATUS_SYSTEM };
	char error[OPTIONS_ERROR_MAX];
	struct wipe w = { .store.dirfd = -EBADF, .now = time(NULL) };

	console_init(&w.console, STDERR_FILENO, getenv("TERM"), "stormwipe");
	if (wipe_options_parse(argc, argv, &w.options, error)) {
		console_error(&w.console, "%s. See stormwipe wipe --help.", error);
		return (struct cli_result){ .status = STATUS_USAGE };
	}
	if (w.options.help) {
		wipe_options_help();
		return (struct cli_result){ .status = STATUS_OK };
	}
	settle_level(&w);
	w.options.policy.person = !w.options.yes;
	atomic_init(&w.spare_cores, (int)cpu_count());
	watch_ignore_signals();
	cipher_begin(&w.search, w.options.cipher);
	result.status = choose(&w);
	if (result.status == STATUS_OK)
		result = wipe_targets(&w);
	cipher_wait(&w.search);
	if (result.left_behind)
		return result;
	if (w.targets)
		targets_done(w.targets, w.count);
	selection_done(&w.selection);
	machine_done(&w.machine);
	store_close(&w.store);
	free(w.targets);
	return result;
}

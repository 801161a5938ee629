/* SPDX-License-Identifier: MIT */
/*
 * stormwipe bench: how fast this machine makes random data, and how fast drives are at three
 * places. Reading asks nobody and changes nothing; --write goes the way of `wipe`: identify, gate,
 * claim, gate again, show, ask.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/fmt.h"
#include "base/io.h"
#include "base/text.h"
#include "cli/aside.h"
#include "cli/bench-options.h"
#include "cli/bench-words.h"
#include "cli/cipher.h"
#include "cli/command.h"
#include "cli/paragraph.h"
#include "cli/question.h"
#include "cli/target.h"
#include "cli/watch.h"
#include "report/bench.h"
#include "ui/table.h"

enum {
	CIPHERS_MAX = 16,
	CIPHER_COLUMNS = 6,
	BRIEFLY_MS = 20,	/* for each cipher, where drives are what is asked for */
	CIPHER_MS = 300,	/* for each, and again for all threads at once */
	PATIENCE_MS = 500,	/* after a signal, for a drive that is only read */
	SMALL_BYTES = 16 << 20, /* a place of less says little */
};

/* Not on the stack, for a thread that is left behind goes on using it. */
struct bench {
	struct bench_options options;
	struct console console;

	struct bench_cipher ciphers[CIPHERS_MAX];
	unsigned cipher_count;
	atomic_bool ciphers_stop;
	const struct keystream_kind *chosen;
	struct bench_rates rates;

	struct machine machine; /* what the targets' gates look at */
	struct target *targets;
	struct bench_drive *drives;   /* one for each target */
	struct trial_result *results; /* likewise */
	unsigned count;
	struct trial trial; /* of the present one */
};

/* ---- ciphers ---- */

/* In a thread of its own. */
static void measure_ciphers(void *arg)
{
	struct bench *b = arg;
	const uint64_t ns = (b->count ? BRIEFLY_MS : CIPHER_MS) * NS_PER_MS;

	for (unsigned i = 0; keystream_kinds[i].make && !atomic_load(&b->ciphers_stop); i++) {
		struct bench_cipher *c = &b->ciphers[i];

		assert(i < CIPHERS_MAX);
		c->kind = &keystream_kinds[i];
		c->one = keystream_rate_together(c->kind, 1, ns);
		if (c->one && b->rates.threads > 1)
			c->together = keystream_rate_together(c->kind, b->rates.threads, ns);
		b->cipher_count = i + 1;
	}
}

/* By the rule of `wipe`, from better measurements. Returns 0; -errno, which was said. */
static int choose(struct bench *b)
{
	uint64_t rates[CIPHERS_MAX] = { 0 };
	struct cipher_search search = { 0 };

	for (unsigned i = 0; i < b->cipher_count; i++)
		rates[i] = b->ciphers[i].one;
	b->chosen = keystream_pick(NULL, cpu_has_aes(), rates);
	for (unsigned i = 0; i < b->cipher_count; i++) {
		const struct bench_cipher *c = &b->ciphers[i];

		if (c->kind != b->chosen)
			continue;
		b->rates.one = c->one;
		b->rates.all = c->together > c->one ? c->together : c->one;
	}
	search.kind = b->chosen;
	search.error = b->chosen ? keystream_self_test(b->chosen) : -ENOTSUP;
	(void)cipher_end(&search, &b->console);
	return search.error;
}

static int add_cipher(struct table *table, const struct bench *b, const struct bench_cipher *c)
{
	char one[FMT_MAX] = "-", together[FMT_MAX] = "-", enough[WORDS_MAX];
	const char *cells[CIPHER_COLUMNS] = { c->kind->title, c->kind->name, one };
	unsigned n = 3;

	if (b->rates.threads > 1)
		cells[n++] = together;
	cells[n++] = enough;
	cells[n] = c->kind == b->chosen ? "wipe" : "";
	if (c->one)
		bench_words_enough(enough, c->one);
	else
		(void)text_print(enough, sizeof(enough), "%s", bench_words_missing(c->kind));
	if (c->one)
		fmt_rate(one, c->one, NS_PER_S);
	if (c->together)
		fmt_rate(together, c->together, NS_PER_S);
	return table_add(table, cells);
}

static int new_cipher_table(const struct bench *b, struct table **ret_table)
{
	char all[32];
	struct table_column columns[CIPHER_COLUMNS] = { { "CIPHER", false },
							{ "MADE BY", false },
							{ "1 THREAD", true } };
	unsigned n = 3;

	(void)text_print(all, sizeof(all), "%u THREADS", b->rates.threads);
	if (b->rates.threads > 1)
		columns[n++] = (struct table_column){ all, true };
	columns[n++] = (struct table_column){ "ENOUGH FOR", false };
	columns[n++] = (struct table_column){ "USED BY", false };
	return table_new(columns, n, ret_table);
}

static int print_ciphers(const struct bench *b)
{
	_cleanup_free_ char *text = NULL;
	char words[WORDS_MAX];
	struct table *table;
	int r = new_cipher_table(b, &table);

	if (r)
		return r;
	for (unsigned i = 0; !r && i < b->cipher_count; i++)
		r = add_cipher(table, b, &b->ciphers[i]);
	if (!r)
		r = table_text(table, &text);
	table_free(table);
	if (r)
		return r;
	printf("%s\n", text);
	paragraph(stdout, "", 0, bench_words_chosen(words, b->chosen, &b->rates));
	return 0;
}

/* ---- drives: the way in ---- */

static unsigned still_in(const struct bench *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->count; i++)
		n += !target_out(&b->targets[i]);
	return n;
}

static void ask(const struct bench *b, struct target *t)
{
	struct trial_range ranges[TRIAL_PLACES];
	char words[WORDS_MAX];

	if (target_out(t))
		return;
	trial_ranges(t->facts.size, t->plan.align, t->plan.sector, ranges);
	if (b->console.level > CONSOLE_QUIET || !b->options.yes) {
		question_show_drive(t, stderr);
		paragraph(stderr, "  plan", PARAGRAPH_LABEL, bench_words_plan(words, ranges));
	}
	if (!b->options.yes && !question_ask(t, "What is at these places of"))
		target_refuse(t, &b->console, VERDICT_REFUSED,
			      "not confirmed, so it was left alone. Nothing was written.");
}

/* Returns STATUS_OK when the targets that are still in may be read, or written with --write. */
static enum exit_status go_in(struct bench *b)
{
	const struct bench_options *o = &b->options;
	const struct way_in way = { .names = o->targets,
				    .count = o->target_count,
				    .machine = &b->machine,
				    .policy = &o->policy,
				    .now = time(NULL),
				    .mode = o->write ? CLAIM_WIPE : CLAIM_READ,
				    .verify = VERIFY_NONE };

	/* Who only reads asks nobody. */
	if (o->write && machine_read(&system_roots_real, &b->machine)) {
		console_error(&b->console, "no memory.");
		return STATUS_SYSTEM;
	}
	targets_identify(b->targets, &way, &b->console);
	if (still_in(b) && o->write && !o->yes && !question_possible()) {
		console_error(&b->console,
			      "no terminal to ask on, and --yes not given. Nothing was written.");
		return STATUS_REFUSED;
	}
	if (targets_claim(b->targets, &way, &b->console))
		return STATUS_SYSTEM;
	for (unsigned i = 0; o->write && i < b->count; i++)
		ask(b, &b->targets[i]);
	return STATUS_OK;
}

/* ---- drives: the run ---- */

static void run_trial(void *arg)
{
	struct trial *trial = arg;

	if (trial->keystream)
		(void)claim_drop_partitions(&system_roots_real, trial->claim);
	trial_run(trial);
	if (trial->result.wrote)
		(void)claim_reread_table(&system_roots_real, trial->claim);
}

/* Returns false if the bench has come to its end by a signal; *ret_left: and the thread goes on. */
static bool try_drive(struct bench *b, unsigned i, bool *ret_left)
{
	struct target *t = &b->targets[i];
	struct aside aside = { .work = run_trial,
			       .arg = &b->trial,
			       .stop = &b->trial.stop,
			       .patience_ms = b->options.write ? 0 : PATIENCE_MS };
	enum aside_end end = ASIDE_ENDED;
	int r;

	b->trial = (struct trial){ .claim = &t->claim,
				   .keystream = b->options.write ? b->chosen : NULL,
				   .threads = b->rates.threads,
				   .io = b->options.io };
	if (b->console.terminal)
		console_say(&b->console, "Measuring %s: some seconds.", t->facts.name);
	r = aside_run(&aside, &end);
	*ret_left = end == ASIDE_LEFT;
	if (end != ASIDE_ENDED) {
		console_error(&b->console, "%s: stopped. %s", t->facts.path,
			      b->options.write ? "Parts of it may be overwritten already."
					       : "Nothing was written to it.");
		return false;
	}
	if (r)
		b->trial.result.code = -r;
	b->results[i] = b->trial.result;
	b->drives[i].result = &b->results[i];
	b->drives[i].outlook =
		trial_outlook(&b->results[i], t->facts.size, b->rates.one, b->rates.all);
	t->status = trial_status(&b->results[i]);
	claim_release(&t->claim);
	return true;
}

/* ---- drives: what came out ---- */

static int add_place(struct table *table, const struct trial_result *result, unsigned place,
		     const char *name)
{
	const struct trial_figure *read = &result->read[place], *write = &result->write[place];
	char at[FMT_MAX], read_rate[FMT_MAX] = "-", write_rate[FMT_MAX] = "-";
	const char *cells[] = { name, fmt_bytes(at, result->ranges[place].offset), read_rate,
				write_rate };

	if (read->bytes)
		fmt_rate(read_rate, read->bytes, read->ns);
	if (write->bytes)
		fmt_rate(write_rate, write->bytes, write->ns);
	return table_add(table, cells);
}

static const char *const place_names[TRIAL_PLACES] = { "start", "middle", "end" };

static int print_places(const struct bench *b, const struct trial_result *result)
{
	static const struct table_column columns[] = {
		{ "PLACE", false }, { "AT", true }, { "READ", true }, { "WRITE", true }
	};
	_cleanup_free_ char *text = NULL;
	struct table *table;
	int r = table_new(columns, b->options.write ? 4 : 3, &table);

	if (r)
		return r;
	for (unsigned i = 0; !r && i < TRIAL_PLACES; i++)
		if (result->ranges[i].length)
			r = add_place(table, result, i, place_names[i]);
	if (!r)
		r = table_text(table, &text);
	table_free(table);
	if (!r)
		printf("%s\n", text);
	return r;
}

static void print_head(const struct drive_facts *f)
{
	char path[WORDS_MAX], medium[WORDS_MAX], size[FMT_MAX];

	printf("%s: %s%s%s%s%s, %s\n", text_clean(path, sizeof(path), f->path), f->vendor,
	       *f->vendor ? " " : "", f->model, *f->model ? ", " : "", words_medium(medium, f),
	       fmt_bytes_si(size, f->size));
}

/* Whatever makes the figures other than those of the medium. */
static void print_notes(const struct drive_facts *f, const struct trial_result *result)
{
	const char *memory = NULL;

	if (!result->direct)
		memory = "It was not reached by direct I/O: memory may have answered.";
	else if (f->cached)
		memory = "A loop device without direct I/O: memory may have answered.";
	else if (f->kind == DRIVE_FILE)
		memory = "It is a file: memory may have answered instead of the drive below.";
	if (memory)
		paragraph(stdout, "", 0, memory);
	if (result->ranges[TRIAL_START].length < SMALL_BYTES)
		paragraph(stdout, "", 0, "It is so small that the rates say little.");
}

static void say_faults(const struct bench *b, const struct target *t,
		       const struct trial_result *result)
{
	char words[WORDS_MAX];

	for (unsigned i = 0; i < 2 * TRIAL_PLACES; i++) {
		bool write = i < TRIAL_PLACES;
		unsigned place = i % TRIAL_PLACES;

		bench_words_fault(words, write ? &result->write[place] : &result->read[place],
				  write, place_names[place]);
		if (*words)
			console_error(&b->console, "%s: %s", t->facts.path, words);
	}
	if (result->code)
		console_error(&b->console, "%s: cannot begin: %s.", t->facts.path,
			      strerror(result->code));
}

static int print_drive(const struct bench *b, unsigned i)
{
	const struct bench_drive *d = &b->drives[i];
	char words[WORDS_MAX];
	int r;

	say_faults(b, &b->targets[i], d->result);
	if (d->result->code || b->options.json)
		return 0;
	print_head(&b->targets[i].facts);
	r = print_places(b, d->result);
	if (r)
		return r;
	if (d->outlook.wipe_ns)
		paragraph(stdout, "", 0, bench_words_outlook(words, &d->outlook, &b->rates));
	print_notes(&b->targets[i].facts, d->result);
	if (i + 1 < b->count)
		printf("\n");
	return fflush(stdout) ? -EIO : 0;
}

/* ---- all of it ---- */

static int print_json(struct bench *b)
{
	struct bench_input in = {
		.cpus = cpu_count(),
		.threads = b->rates.threads,
		.ciphers = b->ciphers,
		.cipher_count = b->cipher_count,
		.chosen = b->chosen,
		.drives = b->drives,
		.drive_count = b->count,
	};
	_cleanup_free_ char *text = NULL;
	int r;

	if (b->chosen)
		in.why = bench_words_why(b->chosen, b->ciphers, b->cipher_count);
	for (unsigned i = 0; i < b->count; i++) {
		b->drives[i].facts = &b->targets[i].facts;
		b->drives[i].status = b->targets[i].status;
		b->drives[i].reason = b->targets[i].reason;
	}
	r = bench_build(&in, &text);
	if (!r)
		fputs(text, stdout);
	return r;
}

/* Runs in this order: ciphers, then each drive. *ret_left: a thread goes on. */
static enum exit_status measure(struct bench *b, bool *ret_left)
{
	struct aside ciphers = { .work = measure_ciphers, .arg = b, .stop = &b->ciphers_stop };
	enum aside_end end = ASIDE_ENDED;
	int r = aside_run(&ciphers, &end);

	*ret_left = end == ASIDE_LEFT;
	if (end != ASIDE_ENDED) {
		console_error(&b->console, "stopped. Nothing was written to any drive.");
		return STATUS_STOPPED;
	}
	if (!r)
		r = choose(b);
	if (!r && !b->count && !b->options.json)
		r = print_ciphers(b);
	for (unsigned i = 0; !r && i < b->count; i++) {
		if (target_out(&b->targets[i]))
			continue;
		if (!try_drive(b, i, ret_left))
			return STATUS_STOPPED;
		r = print_drive(b, i);
	}
	return r ? STATUS_SYSTEM : STATUS_OK;
}

static struct cli_result bench_run(struct bench *b)
{
	struct cli_result result = { .status = b->count ? go_in(b) : STATUS_OK };

	if (result.status == STATUS_OK && (!b->count || still_in(b)))
		result.status = measure(b, &result.left_behind);
	if (result.left_behind)
		return result;
	if (result.status == STATUS_OK && b->options.json && print_json(b))
		result.status = STATUS_SYSTEM;
	for (unsigned i = 0; i < b->count; i++)
		if (b->targets[i].status > result.status)
			result.status = b->targets[i].status;
	return result;
}

static struct bench *bench_new(const struct bench_options *options, const struct console *console)
{
	struct bench *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->options = *options;
	b->options.policy.person = options->write && !options->yes;
	b->console = *console;
	b->console.level = options->level;
	b->rates.threads = cpu_count() < ENGINE_THREADS_MAX ? cpu_count() : ENGINE_THREADS_MAX;
	b->count = options->target_count;
	b->targets = calloc(b->count + 1, sizeof(*b->targets));
	b->drives = calloc(b->count + 1, sizeof(*b->drives));
	b->results = calloc(b->count + 1, sizeof(*b->results));
	for (unsigned i = 0; b->targets && i < b->count; i++)
		b->targets[i].claim.fd = -EBADF;
	return b;
}

static void bench_free(struct bench *b)
{
	if (b->targets)
		targets_done(b->targets, b->count);
	machine_done(&b->machine);
	free(b->targets);
	free(b->drives);
	free(b->results);
	free(b);
}

struct cli_result cmd_bench(int argc, char **argv)
{
	struct cli_result result = { .status = STATUS_SYSTEM };
	char error[OPTIONS_ERROR_MAX];
	struct bench_options options;
	struct console console;
	struct bench *b;

	console_init(&console, STDERR_FILENO, getenv("TERM"), "stormwipe");
	if (bench_options_parse(argc, argv, &options, error)) {
		console_error(&console, "%s. See stormwipe bench --help.", error);
		return (struct cli_result){ .status = STATUS_USAGE };
	}
	if (options.help) {
		bench_options_help();
		return (struct cli_result){ .status = STATUS_OK };
	}
	/* Better than after it was measured, or overwritten. */
	if (!io_writable(STDOUT_FILENO)) {
		console_error(
			&console,
			"standard output is closed. Send the figures to a terminal, a pipe or "
			"a file. Nothing was written.");
		return result;
	}
	b = bench_new(&options, &console);
	if (!b)
		return result;
	if (b->targets && b->drives && b->results) {
		watch_ignore_signals();
		result = bench_run(b);
	}
	if (!result.left_behind)
		bench_free(b);
	return result;
}

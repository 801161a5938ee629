/* SPDX-License-Identifier: MIT */
/* Reads a drive at three places, or writes it there and reads it then, and takes the time. */
#include "job/trial.h"

#include <errno.h>

#include "base/clock.h"
#include "base/secret.h"
#include "job/plan.h"

/* Only the first bad place and the sum are told. */
enum { BAD_MAX = 256 };

struct run {
	struct trial *trial;
	struct plan plan;
	struct engine *engine;
	struct backend *backend;
	uint8_t *key;	      /* secret memory; for the threads that come later */
	struct keystream *ks; /* NULL: only read */
	struct engine_help help;
	struct extent_map bad;
};

/* ---- further threads, as a wipe has them where a drive is faster than one core ---- */

static int help_backend(void *arg, const struct io_buffers *buffers, struct backend **ret_backend)
{
	const struct trial *trial = ((struct run *)arg)->trial;

	return backend_open(trial->io, trial->claim->fd, buffers, ret_backend, NULL);
}

static int help_keystream(void *arg, struct keystream **ret_ks)
{
	const struct run *run = arg;

	return run->trial->keystream->make(run->key, ret_ks);
}

/* ---- a place ---- */

static bool stop_wanted(const struct run *run)
{
	return atomic_load(&run->trial->stop);
}

static struct engine_params range_params(const struct run *run, enum engine_mode mode,
					 const struct trial_range *range)
{
	bool direct = run->trial->claim->direct;

	return (struct engine_params){
		.mode = mode,
		.start = range->offset,
		.length = range->length,
		.sector = run->plan.sector,
		.align = direct ? run->plan.align : 1,
		.flush_every = direct ? 0 : ENGINE_FLUSH_BYTES,
		.until = clock_monotonic_ns() + TRIAL_MS * NS_PER_MS,
		.help = mode == ENGINE_WRITE ? &run->help : NULL,
		.stop = &run->trial->stop,
	};
}

static void note_bad(const struct extent_map *bad, struct trial_figure *figure)
{
	if (!bad->count)
		return;
	figure->bad_first = bad->items[0].offset;
	figure->bad_code = bad->items[0].code;
}

/* What the drive took is not on it before it was flushed: that belongs to the time. */
static void settle(struct run *run, enum engine_mode mode, const struct engine_result *ended,
		   struct trial_figure *figure)
{
	bool stopped = stop_wanted(run);
	int r = 0;

	figure->end = ended->end;
	figure->code = ended->code;
	if (mode == ENGINE_WRITE && ended->end != ENGINE_GONE && !stopped)
		r = engine_flush(run->backend, &(struct engine_progress){ 0 });
	if (!figure->code)
		figure->code = r ? -r : ended->flush_code;
	/* Without the flag it was the time, which is how a place ends on a slow drive. */
	if (figure->end == ENGINE_STOPPED && !stopped)
		figure->end = ENGINE_DONE;
}

/* Returns whether it makes sense to go on. */
static bool measure(struct run *run, enum engine_mode mode, const struct trial_range *range,
		    struct trial_figure *figure)
{
	struct engine_progress progress = { 0 };
	struct engine_result result = { .bad = &run->bad };
	struct engine_params params;
	uint64_t begin;

	/* A drive that is in use has its readers' pages in the cache, and those answer as well. */
	if (mode == ENGINE_READ)
		(void)claim_drop_cache(run->trial->claim, range->offset, range->length);
	else
		run->trial->result.wrote = true;
	extent_map_remove(&run->bad, 0, INT64_MAX);
	figure->started = true;
	begin = clock_monotonic_ns();
	params = range_params(run, mode, range);
	engine_run(run->engine, run->backend, run->ks, &params, &progress, &result);
	settle(run, mode, &result, figure);
	figure->ns = clock_monotonic_ns() - begin;
	figure->pacer = engine_pacer(progress.looks, progress.low, false);
	figure->bytes = progress.done;
	figure->bad_bytes = progress.bad;
	note_bad(&run->bad, figure);
	return figure->end == ENGINE_DONE;
}

static bool measure_places(struct run *run, enum engine_mode mode,
			   struct trial_figure figures[TRIAL_PLACES])
{
	struct trial_result *result = &run->trial->result;
	bool going = true;

	for (unsigned i = 0; going && i < TRIAL_PLACES; i++)
		if (result->ranges[i].length)
			going = measure(run, mode, &result->ranges[i], &figures[i]);
	return going;
}

static int make_keystream(struct run *run)
{
	int r;

	run->key = secret_new(KEYSTREAM_KEY_BYTES);
	r = run->key ? secret_random(run->key, KEYSTREAM_KEY_BYTES) : -ENOMEM;
	return r ? r : help_keystream(run, &run->ks);
}

/* Everything a run takes; done() gives it back, whatever became of it. */
static int prepare(struct run *run)
{
	struct trial *trial = run->trial;
	int r = extent_map_init(&run->bad, BAD_MAX);

	if (!r && trial->keystream)
		r = make_keystream(run);
	if (!r)
		r = engine_new(0, 0, &run->engine);
	if (!r)
		r = backend_open(trial->io, trial->claim->fd, engine_buffers(run->engine),
				 &run->backend, NULL);
	return r;
}

static void done(struct run *run)
{
	backend_free(run->backend);
	engine_free(run->engine);
	keystream_free(run->ks);
	secret_free(run->key, KEYSTREAM_KEY_BYTES);
	extent_map_done(&run->bad);
}

void trial_run(struct trial *trial)
{
	const struct drive_facts *facts = &trial->claim->facts;
	struct run run = { .trial = trial };
	int r;

	run.help = (struct engine_help){ .threads_max = trial->threads,
					 .open_backend = help_backend,
					 .make_keystream = help_keystream,
					 .arg = &run };
	trial->result = (struct trial_result){ .direct = trial->claim->direct };
	plan_make(facts, VERIFY_NONE, &run.plan);
	trial_ranges(facts->size, run.plan.align, run.plan.sector, trial->result.ranges);
	r = prepare(&run);
	trial->result.code = -r;
	if (!r) {
		trial->result.backend = run.backend->ops->name;
		if (!run.ks || measure_places(&run, ENGINE_WRITE, trial->result.write))
			(void)measure_places(&run, ENGINE_READ, trial->result.read);
	}
	done(&run);
	trial->result.stopped = stop_wanted(&run);
}

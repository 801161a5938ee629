/* SPDX-License-Identifier: MIT */
/* A drive's thread: runs the passes of its plan one after the other and keeps the result. */
#include "job/job.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/secret.h"
#include "base/text.h"
#include "job/labels.h"

enum { STACK_BYTES = 256 * 1024, LABELS_BAD_MAX = 64 };

struct job {
	struct claim claim;
	struct job_options options;
	char name[FACTS_TEXT_MAX];
	uint8_t (*keys)[KEYSTREAM_KEY_BYTES]; /* secret memory, plan.keys of them */
	struct engine *engine;
	struct labels labels; /* written first */
	struct engine_help help;
	pthread_t thread;
	bool started;
	int news_fd;
	sem_t may_close;
	atomic_bool stop;

	/* What other threads look at while the job runs. */
	_Atomic int state;
	_Atomic uint64_t start_ns, pass_start_ns;
	_Atomic unsigned pass; /* passes below are ended: their results do not change any more */
	unsigned threads;      /* the most that worked on a leg of this pass; the job's thread */
	_Atomic uint64_t past_done, past_bad, past_bad_count;
	struct engine_progress progress; /* of the present pass */

	pthread_mutex_t lock; /* protects result, except the maps of passes that are not ended */
	struct job_result result;
};

int job_result_init(struct job_result *result)
{
	*result = (struct job_result){ 0 };
	for (unsigned i = 0; i < PLAN_PASSES_MAX; i++) {
		struct pass_result *pass = &result->passes[i];

		if (extent_map_init(&pass->bad, EXTENTS_MAX) ||
		    extent_map_init(&pass->wrong, EXTENTS_MAX)) {
			job_result_done(result);
			return -ENOMEM;
		}
	}
	return 0;
}

void job_result_done(struct job_result *result)
{
	for (unsigned i = 0; i < PLAN_PASSES_MAX; i++) {
		extent_map_done(&result->passes[i].bad);
		extent_map_done(&result->passes[i].wrong);
	}
}

static int job_make_keys(struct job *job)
{
	size_t size = job->result.plan.keys * sizeof(*job->keys);

	job->keys = secret_new(size);
	return job->keys ? secret_random(job->keys, size) : -ENOMEM;
}

static int help_backend(void *arg, const struct io_buffers *buffers, struct backend **ret_backend)
{
	const struct job *job = arg;

	return backend_open(job->options.io, job->claim.fd, buffers, ret_backend, NULL);
}

/* Of the present pass: helpers come and go within it. */
static int help_keystream(void *arg, struct keystream **ret_ks)
{
	struct job *job = arg;
	unsigned key = job->result.plan.passes[job->pass].key;

	return job->options.keystream->make(job->keys[key], ret_ks);
}

int job_new(struct claim *claim, const struct job_options *options, struct job **ret_job)
{
	struct job *job = calloc(1, sizeof(*job));
	int r;

	if (!job)
		return -ENOMEM;
	job->claim.fd = -EBADF;
	job->options = *options;
	atomic_init(&job->state, JOB_ENDED);
	(void)pthread_mutex_init(&job->lock, NULL);
	(void)sem_init(&job->may_close, 0, 0);
	(void)text_print(job->name, sizeof(job->name), "%s", claim->facts.name);
	r = job_result_init(&job->result);
	if (!r) {
		plan_make(&claim->facts, options->verify, &job->result.plan);
		r = job_make_keys(job);
	}
	if (!r)
		r = engine_new(0, 0, &job->engine);
	if (r) {
		job_free(job);
		return r;
	}
	job->help = (struct engine_help){ .threads_max = options->threads,
					  .spare_cores = options->spare_cores,
					  .open_backend = help_backend,
					  .make_keystream = help_keystream,
					  .arg = job };
	labels_find(job->result.plan.passes[0].bytes, job->result.plan.align, options->contents,
		    &job->labels);
	job->result.cipher = options->keystream->cipher;
	job->result.keystream = options->keystream->name;
	job->start_ns = clock_monotonic_ns();
	job->result.start = time(NULL);
	job->claim = *claim;
	claim->fd = -EBADF;
	*ret_job = job;
	return 0;
}

/* For the engine, which has seen an error: any of its threads. */
static int job_still_same(void *arg)
{
	const struct job *job = arg;

	return claim_still_same(&job->claim);
}

/*
 * The places by which the drive is recognised, so that a wipe that is broken off leaves none. The
 * sweep writes the same bytes there once more and counts them: whatever fails here, it finds again.
 */
static void job_write_labels(struct job *job, struct backend *backend, struct keystream *ks)
{
	const struct plan *plan = &job->result.plan;
	bool direct = job->result.direct && plan->direct_bytes;
	uint64_t end = direct ? plan->direct_bytes : plan->passes[job->pass].bytes;
	struct engine_progress progress = { 0 };
	struct extent_map bad, wrong;
	struct engine_result result = { .bad = &bad, .wrong = &wrong };
	struct engine_params params = { .mode = ENGINE_WRITE,
					.sector = plan->sector,
					.align = direct ? plan->align : 1,
					.flush_every = direct ? 0 : ENGINE_FLUSH_BYTES,
					.rate_limit = job->options.rate_limit,
					.still_same = job_still_same,
					.arg = job,
					.stop = &job->stop };

	if (claim_set_direct(&job->claim, direct) || extent_map_init(&bad, LABELS_BAD_MAX))
		return;
	if (extent_map_init(&wrong, LABELS_BAD_MAX)) {
		extent_map_done(&bad);
		return;
	}
	for (unsigned i = 0; i < job->labels.count && !atomic_load(&job->stop); i++) {
		const struct label_range *range = &job->labels.items[i];

		if (range->offset >= end)
			break;
		params.start = range->offset;
		params.length =
			range->length < end - range->offset ? range->length : end - range->offset;
		engine_run(job->engine, backend, ks, &params, &progress, &result);
		atomic_store(&job->progress.last_answer, clock_monotonic_ns());
	}
	extent_map_done(&bad);
	extent_map_done(&wrong);
	(void)engine_flush(backend, &progress);
}

/* A range of a pass that is done in one way: direct, or through the page cache. */
static void job_run_leg(struct job *job, struct backend *backend, struct keystream *ks, bool direct,
			uint64_t start, uint64_t length, struct engine_result *result)
{
	const struct plan *plan = &job->result.plan;
	const struct pass *pass = &plan->passes[job->pass];
	struct pass_result *out = &job->result.passes[job->pass];
	struct engine_params params = {
		.mode = pass->kind == PASS_WRITE ? ENGINE_WRITE : ENGINE_VERIFY,
		.start = start,
		.length = length,
		.sector = plan->sector,
		.align = direct ? plan->align : 1,
		.flush_every = direct ? 0 : ENGINE_FLUSH_BYTES,
		.rate_limit = job->options.rate_limit,
		.help = &job->help,
		.still_same = job_still_same,
		.arg = job,
		.stop = &job->stop,
	};
	int r = job->claim.direct == direct ? 0 : claim_set_direct(&job->claim, direct);

	if (r) {
		*result = (struct engine_result){ .end = ENGINE_FAILED,
						  .code = -r,
						  .reached = start };
		return;
	}
	/* What is read back must come from the medium, not from what the kernel remembers of it. */
	if (pass->kind == PASS_VERIFY)
		out->cache_dropped = !claim_drop_cache(&job->claim, start, length);
	*result = (struct engine_result){ .bad = &out->bad, .wrong = &out->wrong };
	engine_run(job->engine, backend, ks, &params, &job->progress, result);
	if (result->threads > job->threads)
		job->threads = result->threads;
}

/*
 * Direct I/O as far as whole blocks go, then the tail of a drive whose size is no multiple of them.
 * The tail's own flushes would swallow the error of a loss in the first leg, so that is flushed
 * before.
 */
static void job_run_legs(struct job *job, struct backend *backend, struct keystream *ks,
			 struct engine_result *result)
{
	const struct pass *pass = &job->result.plan.passes[job->pass];
	uint64_t direct = job->result.direct ? job->result.plan.direct_bytes : 0;
	int r = 0;

	if (direct)
		job_run_leg(job, backend, ks, true, 0, direct, result);
	if (direct == pass->bytes || (direct && result->end != ENGINE_DONE))
		return;
	if (direct && pass->kind == PASS_WRITE)
		r = engine_flush(backend, &job->progress);
	job_run_leg(job, backend, ks, false, direct, pass->bytes - direct, result);
	if (r)
		result->flush_code = -r;
}

/* Also after a stop: what was written so far shall be there. A drive that is gone has nothing to
 * flush. */
static void job_flush(struct job *job, struct backend *backend, struct pass_result *out,
		      const struct engine_result *ended)
{
	uint64_t begin = clock_monotonic_ns();
	int r;

	if (ended->end == ENGINE_GONE)
		return;
	r = engine_flush(backend, &job->progress);
	out->flush_ns = clock_monotonic_ns() - begin;
	out->flush_code = r ? -r : ended->flush_code;
	out->flushed = !out->flush_code;
}

static void job_reset_progress(struct job *job)
{
	atomic_store(&job->progress.done, 0);
	atomic_store(&job->progress.bad, 0);
	atomic_store(&job->progress.bad_count, 0);
	atomic_store(&job->progress.looks, 0);
	atomic_store(&job->progress.low, 0);
	atomic_store(&job->progress.last_answer, clock_monotonic_ns());
}

static enum engine_pacer present_pacer(const struct job *job)
{
	return engine_pacer(job->progress.looks, job->progress.low, job->options.rate_limit > 0);
}

/* What a failed flush leaves in doubt is not shown as done. */
static uint64_t pass_good(const struct pass_result *pass)
{
	return pass->flush_code ? 0 : pass->done;
}

/* Publishes the result of the present pass; from here on its maps are constant. */
static void job_end_pass(struct job *job, const struct pass_result *ended)
{
	pthread_mutex_lock(&job->lock);
	job->result.passes[job->pass] = *ended;
	job->past_done += pass_good(ended);
	job->past_bad += job->progress.bad + ended->done - pass_good(ended);
	job->past_bad_count += job->progress.bad_count;
	job->pass++;
	job_reset_progress(job);
	pthread_mutex_unlock(&job->lock);
}

static void job_begin_pass(struct job *job)
{
	pthread_mutex_lock(&job->lock);
	job->result.passes[job->pass].started = true;
	job->pass_start_ns = clock_monotonic_ns();
	job_reset_progress(job);
	pthread_mutex_unlock(&job->lock);
}

/* A drive of another size than the plan's is another drive, or has places that nobody wrote. */
static void note_exchange(const struct job *job, struct engine_result *result)
{
	int r = result->end == ENGINE_DONE ? claim_still_same(&job->claim) : 0;

	if (r) {
		result->end = ENGINE_GONE;
		result->code = -r;
	}
}

/* Before a pass it must still be the drive that was shown: only then a byte is written, or counted
 * as read. */
static bool job_recheck(struct job *job, struct engine_result *result)
{
	int r = claim_recheck(&system_roots_real, &job->claim);

	if (r)
		*result = (struct engine_result){ .end = r == -ENOMEM ? ENGINE_FAILED : ENGINE_GONE,
						  .code = -r };
	return !r;
}

static void job_work(struct job *job, struct backend *backend, struct keystream *ks,
		     struct engine_result *result)
{
	if (!job_recheck(job, result))
		return;
	if (job->result.plan.passes[job->pass].kind == PASS_WRITE) {
		pthread_mutex_lock(&job->lock);
		job->result.wrote = true;
		pthread_mutex_unlock(&job->lock);
		if (!job->pass)
			job_write_labels(job, backend, ks);
	}
	job_run_legs(job, backend, ks, result);
}

/* Returns 0 when the pass was worked through, so that the next one may follow. */
static int job_run_pass(struct job *job, struct backend *backend)
{
	const struct pass *pass = &job->result.plan.passes[job->pass];
	struct engine_result result = { 0 };
	struct keystream *ks = NULL;
	struct pass_result out;
	int r;

	r = job->options.keystream->make(job->keys[pass->key], &ks);
	if (r)
		return r;
	job->threads = 0;
	job_begin_pass(job);
	job_work(job, backend, ks, &result);
	keystream_free(ks);
	out = job->result.passes[job->pass];
	if (pass->kind == PASS_WRITE)
		job_flush(job, backend, &out, &result);
	note_exchange(job, &result);
	out.end = result.end;
	out.code = result.code;
	out.finished = result.end == ENGINE_DONE;
	out.reached = result.reached;
	out.threads = job->threads;
	out.pacer = present_pacer(job);
	out.done = job->progress.done;
	out.ns = clock_monotonic_ns() - job->pass_start_ns;
	job_end_pass(job, &out);
	return out.finished ? 0 : -ECANCELED;
}

static int job_open_backend(struct job *job, struct backend **ret_backend)
{
	struct backend *backend = NULL;
	int why_not = 0;
	int r = backend_open(job->options.io, job->claim.fd, engine_buffers(job->engine), &backend,
			     &why_not);

	pthread_mutex_lock(&job->lock);
	job->result.backend = r ? NULL : backend->ops->name;
	job->result.why_not_uring = why_not;
	pthread_mutex_unlock(&job->lock);
	if (!r)
		*ret_backend = backend;
	return r;
}

static void job_run_passes(struct job *job)
{
	struct backend *backend = NULL;
	unsigned kept = claim_drop_partitions(&system_roots_real, &job->claim);
	int r = job_open_backend(job, &backend);

	pthread_mutex_lock(&job->lock);
	job->result.partitions_kept = kept;
	pthread_mutex_unlock(&job->lock);
	for (unsigned i = 0; !r && i < job->result.plan.count; i++)
		r = job_run_pass(job, backend);
	backend_free(backend);
	pthread_mutex_lock(&job->lock);
	if (r && r != -ECANCELED)
		job->result.system_code = -r;
	job->result.end = time(NULL);
	job->result.ns = clock_monotonic_ns() - job->start_ns;
	pthread_mutex_unlock(&job->lock);
}

static void job_enter(struct job *job, enum job_state state)
{
	int news_fd = job->news_fd;

	atomic_store(&job->state, state);
	(void)eventfd_write(news_fd, 1);
}

static void *job_thread(void *arg)
{
	struct job *job = arg;
	enum reread_result reread;

	job_run_passes(job);
	job_enter(job, JOB_SETTLED);
	while (sem_wait(&job->may_close) && errno == EINTR)
		;
	/* Also if nothing was written: the partitions were taken away before. */
	reread = claim_reread_table(&system_roots_real, &job->claim);
	pthread_mutex_lock(&job->lock);
	job->result.reread = reread;
	pthread_mutex_unlock(&job->lock);
	claim_release(&job->claim);
	job_enter(job, JOB_ENDED);
	return NULL;
}

int job_start(struct job *job, int news_fd)
{
	pthread_attr_t attr;
	int r;

	job->news_fd = news_fd;
	job->result.direct = job->claim.direct;
	job_reset_progress(job);
	r = pthread_attr_init(&attr);
	if (r)
		return -r;
	atomic_store(&job->state, JOB_RUNNING);
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	r = pthread_create(&job->thread, &attr, job_thread, job);
	(void)pthread_attr_destroy(&attr);
	job->started = !r;
	if (r)
		atomic_store(&job->state, JOB_ENDED);
	return -r;
}

enum job_state job_state(const struct job *job)
{
	return atomic_load(&job->state);
}

void job_stop(struct job *job)
{
	atomic_store(&job->stop, true);
}

void job_close(struct job *job)
{
	(void)sem_post(&job->may_close);
}

static enum job_phase job_phase(const struct job *job, unsigned pass)
{
	if (!job->started)
		return JOB_WAITING;
	if (atomic_load(&job->state) != JOB_RUNNING)
		return JOB_FINISHED;
	if (job->progress.flushing)
		return JOB_FLUSHING;
	return job->result.plan.passes[pass].kind == PASS_WRITE ? JOB_WRITING : JOB_VERIFYING;
}

/* Between two passes, and after the last, the snapshot shows the pass that ended. */
void job_snapshot(struct job *job, struct job_snapshot *ret)
{
	const struct plan *plan = &job->result.plan;
	uint64_t now = clock_monotonic_ns(), last_answer;
	unsigned ended, shown;

	*ret = (struct job_snapshot){ .name = job->name, .work_bytes = plan->bytes };
	pthread_mutex_lock(&job->lock);
	ended = job->pass;
	shown = ended < plan->count ? ended : plan->count - 1;
	if (ended && !job->result.passes[shown].started)
		shown = ended - 1;
	ret->pass = shown;
	ret->phase = job_phase(job, shown);
	if (shown < ended) {
		ret->pass_done = pass_good(&job->result.passes[shown]);
		ret->pass_bad = plan->passes[shown].bytes - ret->pass_done;
		ret->pass_ns = job->result.passes[shown].ns;
		ret->pacer = job->result.passes[shown].pacer;
	} else {
		ret->pass_done = job->progress.done;
		ret->pass_bad = job->progress.bad;
		ret->pacer = present_pacer(job);
		ret->pass_ns = job->started && job->pass_start_ns ? now - job->pass_start_ns : 0;
	}
	ret->pass_bytes = plan->passes[shown].bytes;
	ret->work_done = job->past_done + job->progress.done;
	ret->work_bad = job->past_bad + job->progress.bad;
	ret->bad_count = job->past_bad_count + job->progress.bad_count;
	ret->passes_left = shown + 1 < plan->count;
	last_answer = job->progress.last_answer;
	if (ret->phase == JOB_FINISHED)
		ret->job_ns = job->result.ns;
	else if (job->started)
		ret->job_ns = now - job->start_ns;
	if (ret->phase != JOB_FINISHED && job->started && now > last_answer)
		ret->silent_ns = now - last_answer;
	pthread_mutex_unlock(&job->lock);
}

static void copy_pass(struct pass_result *into, const struct pass_result *from)
{
	struct extent_map bad = into->bad, wrong = into->wrong;

	*into = *from;
	into->bad = bad;
	into->wrong = wrong;
	extent_map_copy(&into->bad, &from->bad);
	extent_map_copy(&into->wrong, &from->wrong);
}

void job_copy_result(struct job *job, struct job_result *into)
{
	struct pass_result kept[PLAN_PASSES_MAX];

	memcpy(kept, into->passes, sizeof(kept));
	pthread_mutex_lock(&job->lock);
	*into = job->result;
	memcpy(into->passes, kept, sizeof(kept));
	for (unsigned i = 0; i < job->pass; i++)
		copy_pass(&into->passes[i], &job->result.passes[i]);
	if (job->pass < job->result.plan.count) {
		struct pass_result *present = &into->passes[job->pass];

		present->started = job->result.passes[job->pass].started;
		present->done = job->progress.done;
		if (present->started)
			present->ns = clock_monotonic_ns() - job->pass_start_ns;
	}
	if (!into->end)
		into->ns = clock_monotonic_ns() - job->start_ns;
	pthread_mutex_unlock(&job->lock);
}

const uint8_t *job_key(const struct job *job, unsigned key)
{
	assert(key < job->result.plan.keys);
	return job->keys[key];
}

void job_free(struct job *job)
{
	if (!job)
		return;
	if (job->started)
		(void)pthread_join(job->thread, NULL);
	claim_release(&job->claim);
	engine_free(job->engine);
	secret_free(job->keys, job->result.plan.keys * sizeof(*job->keys));
	job_result_done(&job->result);
	(void)sem_destroy(&job->may_close);
	(void)pthread_mutex_destroy(&job->lock);
	free(job);
}

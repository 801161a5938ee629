/* SPDX-License-Identifier: MIT */
/* A run from its beginning to its end: by one thread, by more when the drive waits for data. */
#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/crew.h"
#include "engine/lane.h"
#include "engine/window.h"

struct engine {
	struct lane *lane; /* of the thread that calls */
	struct pieces pieces;
};

int engine_new(uint32_t chunk, unsigned depth, struct engine **ret_engine)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	int r;

	if (!engine)
		return -ENOMEM;
	r = lane_new(chunk ? chunk : ENGINE_CHUNK_BYTES, depth ? depth : ENGINE_DEPTH,
		     &engine->lane);
	if (r) {
		free(engine);
		return r;
	}
	*ret_engine = engine;
	return 0;
}

const struct io_buffers *engine_buffers(const struct engine *engine)
{
	return lane_buffers(engine->lane);
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	lane_free(engine->lane);
	free(engine);
}

/* Direct I/O, or reading: nothing has to be flushed on the way, and any thread may do any piece. */
static void run_together(struct engine *engine, struct run *run, struct crew *crew)
{
	struct window whole;

	window_begin(&whole, run, engine->lane, 0);
	while (lane_step(engine->lane))
		if (lane_hungry(engine->lane))
			crew_hire(crew);
}

static void run_in_windows(struct engine *engine, struct run *run)
{
	struct window window;

	window_begin(&window, run, engine->lane, run->params->flush_every);
	while (!run->ending && window.position < run->end) {
		while (lane_step(engine->lane))
			;
		if (run->ending)
			window_leave(&window);
		else
			window_close(&window);
	}
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void engine_run(struct engine *engine, struct backend *backend, struct keystream *ks,
		const struct engine_params *params, struct engine_progress *progress,
		struct engine_result *result)
{
	uint32_t chunk = params->chunk ? params->chunk : lane_chunk(engine->lane);
	bool in_windows = params->mode == ENGINE_WRITE && params->flush_every;
	struct crew crew;
	struct run run = {
		.params = params,
		.progress = progress,
		.end = params->start + params->length,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.pieces = &engine->pieces,
		.result = result,
		.pace = { .rate = params->rate_limit, .due = clock_monotonic_ns() },
	};

	assert(chunk <= lane_chunk(engine->lane));
	assert(params->length <= INT64_MAX - params->start);
	assert(params->align && params->sector % params->align == 0);
	assert(params->start % params->align == 0);
	result->end = ENGINE_DONE;
	result->code = 0;
	result->flush_code = 0;
	result->threads = 1;
	atomic_store_explicit(&progress->last_answer, clock_monotonic_ns(), memory_order_relaxed);
	pieces_init(&engine->pieces, params->start, chunk, params->sector);
	lane_begin(engine->lane, &run, backend, ks);
	crew_begin(&crew, &run, chunk, engine_buffers(engine)->depth);
	if (in_windows)
		run_in_windows(engine, &run);
	else
		run_together(engine, &run, &crew);
	result->reached = lower(crew_join(&crew), lane_lowest(engine->lane));
	result->reached = lower(result->reached, pieces_lowest(run.pieces));
	(void)pthread_mutex_destroy(&run.lock);
}

int engine_flush(struct backend *backend, struct engine_progress *progress)
{
	int r;

	atomic_store_explicit(&progress->flushing, true, memory_order_relaxed);
	r = backend->ops->flush(backend);
	atomic_store_explicit(&progress->flushing, false, memory_order_relaxed);
	return r;
}

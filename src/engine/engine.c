/* SPDX-License-Identifier: MIT */
/* The loop that writes a keystream to a range of a drive, or compares the two. */
#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/fault.h"
#include "engine/pace.h"
#include "engine/pieces.h"
#include "keystream/keystream.h"

/* Small enough to stay in the processor's cache. */
enum { COMPARE_BYTES = 64 * 1024 };

enum slot_state {
	SLOT_FREE,
	SLOT_HELD,   /* has a piece that is to be submitted, maybe again */
	SLOT_FLYING, /* the backend has it */
};

struct slot {
	enum slot_state state;
	unsigned tries; /* in a row without a byte moved */
	struct piece piece;
	uint8_t *buf;
};

struct engine {
	struct io_buffers buffers;
	uint32_t chunk;
	struct slot slots[ENGINE_DEPTH_MAX];
	struct pieces pieces;
	uint8_t expected[COMPARE_BYTES];
};

/* What was certain at the last good flush. */
struct safe_point {
	uint64_t position; /* everything below was dealt with */
	uint64_t done;
	uint64_t bad;
	uint64_t bad_count;
};

struct run {
	struct engine *engine;
	struct backend *backend;
	struct keystream *ks;
	const struct engine_params *params;
	struct engine_progress *progress;
	struct engine_result *result;
	struct pieces *pieces;
	uint64_t end; /* bytes: where the range ends */
	struct pace pace;
	unsigned in_flight;
	bool ending;  /* submit no more */
	bool careful; /* a flush failed: one piece at a time, each with its own flush */
	struct safe_point safe;
};

/* ---- memory ---- */

static size_t whole_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

int engine_new(uint32_t chunk, unsigned depth, struct engine **ret_engine)
{
	struct engine *engine;
	size_t stride;
	void *base;

	chunk = chunk ? chunk : ENGINE_CHUNK_BYTES;
	depth = depth ? depth : ENGINE_DEPTH;
	assert(chunk <= INT32_MAX && depth <= ENGINE_DEPTH_MAX);
	engine = calloc(1, sizeof(*engine));
	if (!engine)
		return -ENOMEM;
	stride = whole_pages(chunk);
	base = mmap(NULL, depth * stride, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (base == MAP_FAILED) {
		free(engine);
		return -ENOMEM;
	}
	engine->chunk = chunk;
	engine->buffers = (struct io_buffers){ base, depth * stride, depth };
	for (unsigned i = 0; i < depth; i++)
		engine->slots[i].buf = (uint8_t *)base + i * stride;
	*ret_engine = engine;
	return 0;
}

const struct io_buffers *engine_buffers(const struct engine *engine)
{
	return &engine->buffers;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	(void)munmap(engine->buffers.base, engine->buffers.length);
	free(engine);
}

/* ---- counting ---- */

static void add(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static uint64_t get(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void set(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, n, memory_order_relaxed);
}

static void mark(struct run *run, struct extent_map *map, uint64_t offset, uint32_t length,
		 int code)
{
	extent_map_add(map, offset, length, code);
	add(&run->progress->bad, length);
	add(&run->progress->bad_count, 1);
}

/* The first reason counts. */
static void finish(struct run *run, enum engine_end end, int code)
{
	if (run->ending)
		return;
	run->ending = true;
	run->result->end = end;
	run->result->code = code;
}

/* The lowest position that was not dealt with. */
static uint64_t lowest(const struct run *run)
{
	uint64_t low = pieces_lowest(run->pieces);

	for (unsigned i = 0; i < run->engine->buffers.depth; i++) {
		const struct slot *slot = &run->engine->slots[i];

		if (slot->state != SLOT_FREE && slot->piece.offset < low)
			low = slot->piece.offset;
	}
	return low;
}

/* ---- what came back: right ---- */

/* Bytes that are not what they should be are marked by sectors. */
static void find_wrong(struct run *run, uint64_t offset, const uint8_t *found, uint32_t length)
{
	uint32_t sector = run->params->sector, n;

	for (uint32_t at = 0; at < length; at += n) {
		n = sector - (uint32_t)((offset + at) % sector);
		if (n > length - at)
			n = length - at;
		if (memcmp(found + at, run->engine->expected + at, n))
			mark(run, run->result->wrong, offset + at, n, 0);
		else
			add(&run->progress->done, n);
	}
}

static int compare(struct run *run, uint64_t offset, const uint8_t *found, uint32_t length)
{
	int r = keystream_fill(run->ks, offset, run->engine->expected, length);

	if (r)
		return r;
	if (memcmp(found, run->engine->expected, length))
		find_wrong(run, offset, found, length);
	else
		add(&run->progress->done, length);
	return 0;
}

/* The first @length bytes of the slot's piece were moved; what is left of it goes on. */
static void settle(struct run *run, struct slot *slot, uint32_t length)
{
	bool verify = run->params->mode == ENGINE_VERIFY;
	uint32_t step = verify ? COMPARE_BYTES : length;

	for (uint32_t at = 0; at < length; at += step) {
		if (step > length - at)
			step = length - at;
		if (!verify)
			add(&run->progress->done, step);
		else if (compare(run, slot->piece.offset, slot->buf + at, step))
			return finish(run, ENGINE_FAILED, EIO);
		slot->piece.offset += step;
		slot->piece.length -= step;
	}
	slot->tries = 0;
	if (!slot->piece.length)
		slot->state = SLOT_FREE;
}

/* ---- what came back: wrong ---- */

static void give_up(struct run *run, struct slot *slot, int error)
{
	if (!pieces_split(run->pieces, &slot->piece))
		mark(run, run->result->bad, slot->piece.offset, slot->piece.length, error);
	slot->state = SLOT_FREE;
}

static bool shrunk(struct run *run)
{
	uint64_t size;

	return run->backend->ops->size(run->backend, &size) || size < run->end;
}

/* Ends the run after a fault that leaves no sense in going on. A drive that was pulled out may
 * answer any error, but it has no size any more. */
static bool fatal(struct run *run, enum fault fault, int error)
{
	bool place = fault == FAULT_MEDIUM || fault == FAULT_SPACE;

	if (fault == FAULT_GONE || (place && shrunk(run)))
		finish(run, ENGINE_GONE, error);
	else if (fault == FAULT_DENIED)
		finish(run, ENGINE_DENIED, error);
	else if (fault == FAULT_OURS)
		finish(run, ENGINE_FAILED, error);
	else
		return false;
	return true;
}

/* The slot keeps its piece, to be submitted again or as what is not done, unless that is given up.
 */
static void failed(struct run *run, struct slot *slot, enum fault fault, int error)
{
	if (fatal(run, fault, error))
		return;
	if (fault == FAULT_RETRY && slot->tries++ < ENGINE_RETRIES_MAX)
		return;
	give_up(run, slot, error);
}

/* Nothing was moved, or less than can be gone on from: maybe the drive ends here now. */
static void stuck(struct run *run, struct slot *slot)
{
	bool again = slot->tries < ENGINE_RETRIES_MAX;

	failed(run, slot, again ? FAULT_RETRY : FAULT_SPACE, EIO);
}

static int flush(struct run *run)
{
	int r = engine_flush(run->backend, run->progress);

	set(&run->progress->last_answer, clock_monotonic_ns());
	return r;
}

/* How much of a result counts: a request after a short one starts aligned, if that means redoing a
 * bit. */
static uint32_t usable(const struct run *run, const struct piece *piece, uint32_t moved)
{
	uint64_t end;

	if (moved >= piece->length)
		return piece->length;
	end = piece->offset + moved;
	end -= end % run->params->align;
	return end > piece->offset ? (uint32_t)(end - piece->offset) : 0;
}

static void complete(struct run *run, struct slot *slot, int32_t result)
{
	uint32_t moved;
	int r;

	assert(slot->state == SLOT_FLYING);
	slot->state = SLOT_HELD;
	run->in_flight--;
	if (result > 0 && run->careful) {
		r = flush(run);
		result = r ? r : result;
	}
	if (result < 0)
		return failed(run, slot, fault_of(-result), -result);
	moved = usable(run, &slot->piece, (uint32_t)result);
	if (moved)
		settle(run, slot, moved);
	else
		stuck(run, slot);
}

/* ---- the loop ---- */

static bool stop_wanted(const struct run *run)
{
	return run->params->stop && atomic_load(run->params->stop);
}

static void launch(struct run *run, struct slot *slot)
{
	bool write = run->params->mode == ENGINE_WRITE;
	struct io_request request = {
		.op = write ? IO_WRITE : IO_READ,
		.buf = slot->buf,
		.length = slot->piece.length,
		.offset = slot->piece.offset,
		.tag = (uint32_t)(slot - run->engine->slots),
	};
	int r;

	if (write && keystream_fill(run->ks, request.offset, request.buf, request.length))
		return finish(run, ENGINE_FAILED, EIO);
	pace_count(&run->pace, clock_monotonic_ns(), request.length);
	r = run->backend->ops->submit(run->backend, &request);
	if (r)
		return failed(run, slot, fault_of(-r), -r);
	slot->state = SLOT_FLYING;
	run->in_flight++;
}

/* Whether a piece is left that no slot has yet. */
static bool pieces_left(const struct run *run)
{
	return pieces_lowest(run->pieces) < run->pieces->limit;
}

/* Launches what may go now of the slots in @state. Returns false when that is all for the moment.
 */
static bool feed_slots(struct run *run, enum slot_state state)
{
	unsigned width = run->careful ? 1 : run->engine->buffers.depth;

	for (unsigned i = 0; i < width && !run->ending; i++) {
		struct slot *slot = &run->engine->slots[i];

		if (slot->state != state)
			continue;
		if (state == SLOT_FREE && !pieces_left(run))
			return false;
		if (stop_wanted(run))
			finish(run, ENGINE_STOPPED, 0);
		if (run->ending || pace_wait(&run->pace, clock_monotonic_ns()))
			return false;
		if (state == SLOT_FREE) {
			(void)pieces_take(run->pieces, &slot->piece);
			slot->state = SLOT_HELD;
			slot->tries = 0;
		}
		launch(run, slot);
	}
	return !run->ending;
}

/* What waits for another try goes first: under a limited rate newer pieces would always be before
 * it. */
static void feed(struct run *run)
{
	if (feed_slots(run, SLOT_HELD))
		(void)feed_slots(run, SLOT_FREE);
}

/* A tick, or less when the rate limit wants the next request earlier. */
static int patience_ms(const struct run *run)
{
	uint64_t wait = pace_wait(&run->pace, clock_monotonic_ns());

	if (!wait || wait > ENGINE_TICK_MS * NS_PER_MS)
		return ENGINE_TICK_MS;
	return (int)(wait / NS_PER_MS) + 1;
}

/* Returns false if the backend failed: what it has will not come back. */
static bool collect(struct run *run)
{
	struct io_completion done[ENGINE_DEPTH_MAX];
	int n = run->backend->ops->reap(run->backend, done, ENGINE_DEPTH_MAX, patience_ms(run));

	if (n < 0) {
		finish(run, ENGINE_FAILED, -n);
		return false;
	}
	if (n)
		set(&run->progress->last_answer, clock_monotonic_ns());
	for (int i = 0; i < n; i++) {
		assert(done[i].tag < run->engine->buffers.depth);
		complete(run, &run->engine->slots[done[i].tag], done[i].result);
	}
	return true;
}

/* ---- windows: what lies between two flushes ---- */

static bool has_windows(const struct run *run)
{
	return run->params->mode == ENGINE_WRITE && run->params->flush_every;
}

/* Everything before @position is certain; on to the next flush, whole chunks at a time. */
static void open_window(struct run *run, uint64_t position)
{
	uint64_t every = run->params->flush_every, limit = run->end;
	uint32_t chunk = run->pieces->size[0];

	run->safe = (struct safe_point){
		.position = position,
		.done = get(&run->progress->done),
		.bad = get(&run->progress->bad),
		.bad_count = get(&run->progress->bad_count),
	};
	if (has_windows(run) && every < limit - position) {
		limit = position + every;
		limit += (chunk - limit % chunk) % chunk;
		limit = limit < run->end ? limit : run->end;
	}
	run->pieces->limit = limit;
	run->careful = false;
}

/* As if nothing had been done in this window. */
static void take_back_window(struct run *run)
{
	const struct safe_point *safe = &run->safe;

	if (run->pieces->next > safe->position)
		extent_map_remove(run->result->bad, safe->position,
				  run->pieces->next - safe->position);
	pieces_rewind(run->pieces, safe->position);
	for (unsigned i = 0; i < run->engine->buffers.depth; i++)
		run->engine->slots[i].state = SLOT_FREE;
	set(&run->progress->done, safe->done);
	set(&run->progress->bad, safe->bad);
	set(&run->progress->bad_count, safe->bad_count);
}

/* A write that the kernel took is there only when a flush says so. At an early end what the flush
 * does not save is not counted. */
static void leave_window(struct run *run)
{
	if (run->in_flight || flush(run))
		take_back_window(run);
}

static bool flush_again(struct run *run)
{
	for (unsigned i = 0; i < ENGINE_RETRIES_MAX; i++) {
		if (!flush(run))
			return true;
	}
	return false;
}

/*
 * A failed flush leaves the whole window unknown. If another one works, the first told of lost
 * writes: they are found by doing the window again with care. If none does, flushing itself is
 * broken, and no writing again would show where; the same after the careful turn.
 */
static void close_window(struct run *run)
{
	int r = flush(run);

	if (r && !run->careful && flush_again(run)) {
		take_back_window(run);
		run->careful = true;
		return;
	}
	if (r && fatal(run, fault_of(-r), -r)) {
		take_back_window(run);
		return;
	}
	if (r && !run->result->flush_code)
		run->result->flush_code = -r;
	open_window(run, run->pieces->limit);
}

static bool work_left(const struct run *run)
{
	return run->in_flight || (!run->ending && lowest(run) < run->pieces->limit);
}

static void work(struct run *run)
{
	while (work_left(run)) {
		feed(run);
		if (!collect(run))
			return;
	}
}

static void run_range(struct run *run)
{
	open_window(run, run->params->start);
	if (!has_windows(run))
		return work(run);
	while (!run->ending && run->safe.position < run->end) {
		work(run);
		if (run->ending)
			leave_window(run);
		else
			close_window(run);
	}
}

void engine_run(struct engine *engine, struct backend *backend, struct keystream *ks,
		const struct engine_params *params, struct engine_progress *progress,
		struct engine_result *result)
{
	uint32_t chunk = params->chunk ? params->chunk : engine->chunk;
	struct run run = {
		.engine = engine,
		.backend = backend,
		.ks = ks,
		.params = params,
		.progress = progress,
		.result = result,
		.pieces = &engine->pieces,
		.end = params->start + params->length,
		.pace = { .rate = params->rate_limit, .due = clock_monotonic_ns() },
	};

	assert(chunk <= engine->chunk && params->length <= INT64_MAX - params->start);
	assert(params->align && params->sector % params->align == 0);
	assert(params->start % params->align == 0);
	result->end = ENGINE_DONE;
	result->code = 0;
	result->flush_code = 0;
	set(&progress->last_answer, clock_monotonic_ns());
	pieces_init(&engine->pieces, params->start, chunk, params->sector);
	for (unsigned i = 0; i < engine->buffers.depth; i++)
		engine->slots[i].state = SLOT_FREE;
	run_range(&run);
	result->reached = lowest(&run);
}

int engine_flush(struct backend *backend, struct engine_progress *progress)
{
	int r;

	atomic_store_explicit(&progress->flushing, true, memory_order_relaxed);
	r = backend->ops->flush(backend);
	atomic_store_explicit(&progress->flushing, false, memory_order_relaxed);
	return r;
}

/* SPDX-License-Identifier: MIT */
/* Fill and submit, reap, count, split or mark: what a thread does with its slots. */
#include "engine/lane.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/fault.h"
#include "engine/hunger.h"
#include "keystream/keystream.h"

/* Small enough to stay in the first-level cache. */
enum { COMPARE_BYTES = 16 * 1024, ZERO_BYTES = 16 };

/* Of most machines; where it is another size, nothing is lost. */
enum { HUGE_PAGE_BYTES = 2 << 20 };

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

struct lane {
	struct io_buffers buffers;
	uint32_t chunk;
	struct run *run;
	struct backend *backend;
	struct keystream *ks;
	unsigned in_flight;
	struct hunger hunger;
	bool hungry;
	struct slot slots[ENGINE_DEPTH_MAX];
	uint8_t difference[COMPARE_BYTES];
};

/* ---- memory ---- */

static size_t whole_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

/*
 * All of it is there before the first request. In huge pages where the kernel has some: a thousand
 * page faults less, which a virtual machine takes ten milliseconds for.
 */
static void *map_buffers(size_t length)
{
	size_t slack = length < HUGE_PAGE_BYTES ? 0 : HUGE_PAGE_BYTES, head;
	uint8_t *base = mmap(NULL, length + slack, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED)
		return NULL;
	if (slack) {
		head = (HUGE_PAGE_BYTES - (uintptr_t)base % HUGE_PAGE_BYTES) % HUGE_PAGE_BYTES;
		if (head)
			(void)munmap(base, head);
		if (slack > head)
			(void)munmap(base + head + length, slack - head);
		base += head;
		(void)madvise(base, length, MADV_HUGEPAGE);
	}
	/* Since Linux 5.14. Before that each page comes when it is filled for the first time. */
	(void)madvise(base, length, MADV_POPULATE_WRITE);
	return base;
}

int lane_new(uint32_t chunk, unsigned depth, struct lane **ret_lane)
{
	size_t stride = whole_pages(chunk);
	struct lane *lane;
	void *base;

	assert(chunk && chunk <= INT32_MAX && depth && depth <= ENGINE_DEPTH_MAX);
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return -ENOMEM;
	base = map_buffers(depth * stride);
	if (!base) {
		free(lane);
		return -ENOMEM;
	}
	lane->chunk = chunk;
	lane->buffers = (struct io_buffers){ base, depth * stride, depth };
	for (unsigned i = 0; i < depth; i++)
		lane->slots[i].buf = (uint8_t *)base + i * stride;
	*ret_lane = lane;
	return 0;
}

const struct io_buffers *lane_buffers(const struct lane *lane)
{
	return &lane->buffers;
}

uint32_t lane_chunk(const struct lane *lane)
{
	return lane->chunk;
}

void lane_free(struct lane *lane)
{
	if (!lane)
		return;
	(void)munmap(lane->buffers.base, lane->buffers.length);
	free(lane);
}

void lane_clear(struct lane *lane)
{
	for (unsigned i = 0; i < lane->buffers.depth; i++)
		lane->slots[i].state = SLOT_FREE;
}

void lane_begin(struct lane *lane, struct run *run, struct backend *backend, struct keystream *ks)
{
	lane->run = run;
	lane->backend = backend;
	lane->ks = ks;
	lane->in_flight = 0;
	lane->hunger = (struct hunger){ 0 };
	lane->hungry = false;
	lane_clear(lane);
}

bool lane_hungry(struct lane *lane)
{
	bool hungry = lane->hungry;

	lane->hungry = false;
	return hungry;
}

bool lane_in_flight(const struct lane *lane)
{
	return lane->in_flight > 0;
}

uint64_t lane_lowest(const struct lane *lane)
{
	uint64_t low = UINT64_MAX;

	for (unsigned i = 0; i < lane->buffers.depth; i++) {
		const struct slot *slot = &lane->slots[i];

		if (slot->state != SLOT_FREE && slot->piece.offset < low)
			low = slot->piece.offset;
	}
	return low;
}

/* ---- what lanes share ---- */

static void add(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static void answered(struct run *run)
{
	atomic_store_explicit(&run->progress->last_answer, clock_monotonic_ns(),
			      memory_order_relaxed);
}

/* The first reason counts. */
static void finish(struct run *run, enum engine_end end, int code)
{
	if (atomic_exchange(&run->ending, true))
		return;
	run->result->end = end;
	run->result->code = code;
}

static void mark(struct run *run, struct extent_map *map, uint64_t offset, uint32_t length,
		 int code)
{
	pthread_mutex_lock(&run->lock);
	extent_map_add(map, offset, length, code);
	pthread_mutex_unlock(&run->lock);
	add(&run->progress->bad, length);
	add(&run->progress->bad_count, 1);
}

/* Whether a piece is left that no slot has yet. */
static bool pieces_left(struct run *run)
{
	bool left;

	pthread_mutex_lock(&run->lock);
	left = pieces_lowest(run->pieces) < run->pieces->limit;
	pthread_mutex_unlock(&run->lock);
	return left;
}

static bool take_piece(struct run *run, struct piece *ret_piece)
{
	bool taken;

	pthread_mutex_lock(&run->lock);
	taken = pieces_take(run->pieces, ret_piece);
	pthread_mutex_unlock(&run->lock);
	return taken;
}

static bool split_piece(struct run *run, const struct piece *piece)
{
	bool split;

	pthread_mutex_lock(&run->lock);
	split = pieces_split(run->pieces, piece);
	pthread_mutex_unlock(&run->lock);
	return split;
}

/* What it is after a failed request: 0 the same drive, or an errno. */
static int became_of(const struct run *run, struct backend *backend, int error)
{
	const struct engine_params *params = run->params;
	uint64_t size;

	/* A drive that was pulled out may answer any error, but it has no size any more. */
	if (backend->ops->size(backend, &size) || size < run->end)
		return error;
	return params->still_same ? -params->still_same(params->arg) : 0;
}

static bool fatal(struct run *run, struct backend *backend, enum fault fault, int error)
{
	bool place = fault == FAULT_MEDIUM || fault == FAULT_SPACE;
	int gone = fault == FAULT_GONE ? error : place ? became_of(run, backend, error) : 0;

	if (gone)
		finish(run, ENGINE_GONE, gone);
	else if (fault == FAULT_DENIED)
		finish(run, ENGINE_DENIED, error);
	else if (fault == FAULT_OURS)
		finish(run, ENGINE_FAILED, error);
	else
		return false;
	return true;
}

bool lane_fatal(struct lane *lane, int error)
{
	return fatal(lane->run, lane->backend, fault_of(error), error);
}

int lane_flush(struct lane *lane)
{
	int r = engine_flush(lane->backend, lane->run->progress);

	answered(lane->run);
	return r;
}

/* ---- what came back: right ---- */

/* A run of equal bytes that begins with zeros: what libraries compare fastest. */
static bool all_zero(const uint8_t *bytes, size_t length)
{
	static const uint8_t zeros[ZERO_BYTES];

	if (length <= ZERO_BYTES)
		return !memcmp(bytes, zeros, length);
	return !memcmp(bytes, zeros, ZERO_BYTES) &&
	       !memcmp(bytes, bytes + ZERO_BYTES, length - ZERO_BYTES);
}

/* Bytes that are not what they should be are marked by sectors. */
static void find_wrong(struct lane *lane, uint64_t offset, uint32_t length)
{
	struct run *run = lane->run;
	uint32_t sector = run->params->sector, n;

	for (uint32_t at = 0; at < length; at += n) {
		n = sector - (uint32_t)((offset + at) % sector);
		if (n > length - at)
			n = length - at;
		if (all_zero(lane->difference + at, n))
			add(&run->progress->done, n);
		else
			mark(run, run->result->wrong, offset + at, n, 0);
	}
}

static int compare(struct lane *lane, uint64_t offset, const uint8_t *found, uint32_t length)
{
	int r = keystream_xor(lane->ks, offset, found, lane->difference, length);

	if (r)
		return r;
	if (all_zero(lane->difference, length))
		add(&lane->run->progress->done, length);
	else
		find_wrong(lane, offset, length);
	return 0;
}

/* The first @length bytes of the slot's piece were moved; what is left of it goes on. */
static void settle(struct lane *lane, struct slot *slot, uint32_t length)
{
	struct run *run = lane->run;
	bool verify = run->params->mode == ENGINE_VERIFY;
	uint32_t step = verify ? COMPARE_BYTES : length;

	for (uint32_t at = 0; at < length; at += step) {
		if (step > length - at)
			step = length - at;
		if (!verify)
			add(&run->progress->done, step);
		else if (compare(lane, slot->piece.offset, slot->buf + at, step))
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
	if (!split_piece(run, &slot->piece))
		mark(run, run->result->bad, slot->piece.offset, slot->piece.length, error);
	slot->state = SLOT_FREE;
}

/* The slot keeps its piece, to be submitted again or as what is not done, unless that is given up.
 */
static void failed(struct lane *lane, struct slot *slot, enum fault fault, int error)
{
	if (fatal(lane->run, lane->backend, fault, error))
		return;
	if (fault == FAULT_RETRY && slot->tries++ < ENGINE_RETRIES_MAX)
		return;
	give_up(lane->run, slot, error);
}

/* Nothing was moved, or less than can be gone on from: maybe the drive ends here now. */
static void stuck(struct lane *lane, struct slot *slot)
{
	bool again = slot->tries < ENGINE_RETRIES_MAX;

	failed(lane, slot, again ? FAULT_RETRY : FAULT_SPACE, EIO);
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

static void complete(struct lane *lane, struct slot *slot, int32_t result)
{
	struct run *run = lane->run;
	uint32_t moved;
	int r;

	assert(slot->state == SLOT_FLYING);
	slot->state = SLOT_HELD;
	lane->in_flight--;
	if (result > 0 && run->careful) {
		r = lane_flush(lane);
		result = r ? r : result;
	}
	if (result < 0)
		return failed(lane, slot, fault_of(-result), -result);
	moved = usable(run, &slot->piece, (uint32_t)result);
	if (moved)
		settle(lane, slot, moved);
	else
		stuck(lane, slot);
}

/* ---- the turn ---- */

static bool stop_wanted(const struct run *run)
{
	if (run->params->until && clock_monotonic_ns() >= run->params->until)
		return true;
	return run->params->stop && atomic_load(run->params->stop);
}

static void launch(struct lane *lane, struct slot *slot)
{
	struct run *run = lane->run;
	bool write = run->params->mode == ENGINE_WRITE;
	struct io_request request = {
		.op = write ? IO_WRITE : IO_READ,
		.buf = slot->buf,
		.length = slot->piece.length,
		.offset = slot->piece.offset,
		.tag = (uint32_t)(slot - lane->slots),
	};
	int r;

	if (write && keystream_fill(lane->ks, request.offset, request.buf, request.length))
		return finish(run, ENGINE_FAILED, EIO);
	pace_count(&run->pace, clock_monotonic_ns(), request.length);
	r = lane->backend->ops->submit(lane->backend, &request);
	if (r)
		return failed(lane, slot, fault_of(-r), -r);
	slot->state = SLOT_FLYING;
	lane->in_flight++;
}

/* Gives a free slot the next piece. Returns false if there is none, or another lane was faster. */
static bool load(struct lane *lane, struct slot *slot)
{
	if (!take_piece(lane->run, &slot->piece))
		return false;
	slot->state = SLOT_HELD;
	slot->tries = 0;
	return true;
}

/* Launches what may go now of the slots in @state. Returns false when that is all for the moment.
 */
static bool feed_slots(struct lane *lane, enum slot_state state)
{
	struct run *run = lane->run;
	unsigned width = run->careful ? 1 : lane->buffers.depth;

	for (unsigned i = 0; i < width && !run->ending; i++) {
		struct slot *slot = &lane->slots[i];

		if (slot->state != state)
			continue;
		if (state == SLOT_FREE && !pieces_left(run))
			return false;
		if (stop_wanted(run))
			finish(run, ENGINE_STOPPED, 0);
		if (run->ending || pace_wait(&run->pace, clock_monotonic_ns()))
			return false;
		if (state == SLOT_FREE && !load(lane, slot))
			return false;
		launch(lane, slot);
	}
	return !run->ending;
}

/* What waits for another try goes first: under a limited rate newer pieces would always be before
 * it. */
static void feed(struct lane *lane)
{
	if (feed_slots(lane, SLOT_HELD))
		(void)feed_slots(lane, SLOT_FREE);
}

/* A tick, or less when the rate limit wants the next request earlier. */
static int patience_ms(const struct run *run)
{
	uint64_t wait = pace_wait(&run->pace, clock_monotonic_ns());

	if (!wait || wait > ENGINE_TICK_MS * NS_PER_MS)
		return ENGINE_TICK_MS;
	return (int)(wait / NS_PER_MS) + 1;
}

/* Under a limited rate the queue is empty on purpose. */
static void look(struct lane *lane, unsigned in_flight)
{
	struct run *run = lane->run;

	add(&run->progress->looks, 1);
	add(&run->progress->low, hunger_low(in_flight));
	if (!run->pace.rate)
		lane->hungry |= hunger_look(&lane->hunger, in_flight);
}

/* What was answered is submitted anew before the next answer is looked at: the drive shall not wait
 * for that. Returns false if the backend failed: what it has will not come back. */
static bool collect(struct lane *lane)
{
	struct io_completion done[ENGINE_DEPTH_MAX];
	struct run *run = lane->run;
	int n = lane->backend->ops->reap(lane->backend, done, ENGINE_DEPTH_MAX, patience_ms(run));

	if (n < 0) {
		finish(run, ENGINE_FAILED, -n);
		return false;
	}
	if (!n)
		return true;
	answered(run);
	look(lane, lane->in_flight - (unsigned)n);
	for (int i = 0; i < n; i++) {
		assert(done[i].tag < lane->buffers.depth);
		complete(lane, &lane->slots[done[i].tag], done[i].result);
		feed(lane);
	}
	return true;
}

static bool work_left(struct lane *lane)
{
	if (lane->in_flight)
		return true;
	return !lane->run->ending && (lane_lowest(lane) != UINT64_MAX || pieces_left(lane->run));
}

bool lane_step(struct lane *lane)
{
	if (!work_left(lane))
		return false;
	feed(lane);
	return collect(lane);
}

/* SPDX-License-Identifier: MIT */
/* Flush by flush through a range that is written buffered. */
#include "engine/window.h"

static uint64_t get(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void set(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, n, memory_order_relaxed);
}

/* Everything before @position is certain; on to the next flush, whole chunks at a time. */
static void open_at(struct window *window, uint64_t position)
{
	struct run *run = window->run;
	uint64_t every = window->every, limit = run->end;
	uint32_t chunk = run->pieces->size[0];

	window->position = position;
	window->done = get(&run->progress->done);
	window->bad = get(&run->progress->bad);
	window->bad_count = get(&run->progress->bad_count);
	if (every && every < limit - position) {
		limit = position + every;
		limit += (chunk - limit % chunk) % chunk;
		limit = limit < run->end ? limit : run->end;
	}
	run->pieces->limit = limit;
	run->careful = false;
}

void window_begin(struct window *window, struct run *run, struct lane *lane, uint64_t every)
{
	*window = (struct window){ .run = run, .lane = lane, .every = every };
	open_at(window, run->params->start);
}

/* As if nothing had been done in this window. */
static void take_back(struct window *window)
{
	struct run *run = window->run;

	if (run->pieces->next > window->position)
		extent_map_remove(run->result->bad, window->position,
				  run->pieces->next - window->position);
	pieces_rewind(run->pieces, window->position);
	lane_clear(window->lane);
	set(&run->progress->done, window->done);
	set(&run->progress->bad, window->bad);
	set(&run->progress->bad_count, window->bad_count);
}

static bool flush_again(struct window *window)
{
	for (unsigned i = 0; i < ENGINE_RETRIES_MAX; i++) {
		if (!lane_flush(window->lane))
			return true;
	}
	return false;
}

/*
 * A failed flush leaves the whole window unknown. If another one works, the first told of lost
 * writes: they are found by doing the window again with care. If none does, flushing itself is
 * broken, and no writing again would show where; the same after the careful turn.
 */
void window_close(struct window *window)
{
	struct run *run = window->run;
	int r = lane_flush(window->lane);

	if (r && !run->careful && flush_again(window)) {
		take_back(window);
		run->careful = true;
		return;
	}
	if (r && lane_fatal(window->lane, -r)) {
		take_back(window);
		return;
	}
	if (r && !run->result->flush_code)
		run->result->flush_code = -r;
	open_at(window, run->pieces->limit);
}

void window_leave(struct window *window)
{
	if (lane_in_flight(window->lane) || lane_flush(window->lane))
		take_back(window);
}

/* SPDX-License-Identifier: MIT */
/*
 * What lies between two flushes of buffered writing. A write that the kernel took is there only
 * when a flush says so; what a failed flush leaves in doubt is written again. With a single lane.
 * Inside engine/ only.
 */
#ifndef ENGINE_WINDOW_H
#define ENGINE_WINDOW_H

#include "engine/lane.h"

struct window {
	struct run *run;
	struct lane *lane;
	uint64_t every;
	/* What was certain at the last good flush. */
	uint64_t position; /* everything below was dealt with */
	uint64_t done;
	uint64_t bad;
	uint64_t bad_count;
};

/* Opens the first window of a run whose lane has begun: about @every bytes, 0: all of the range. */
void window_begin(struct window *window, struct run *run, struct lane *lane, uint64_t every);

/* The lane has worked through the window: flushes, and opens the next one, or the same one again.
 */
void window_close(struct window *window);

/* The run ended early: what a flush does not save is not counted. */
void window_leave(struct window *window);

#endif

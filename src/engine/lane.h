/* SPDX-License-Identifier: MIT */
/*
 * One thread's way through a range: slots with a buffer each, a backend and a keystream of its own.
 * What all lanes of a run share is behind one lock that is taken once a request. Inside engine/
 * only.
 */
#ifndef ENGINE_LANE_H
#define ENGINE_LANE_H

#include <pthread.h>

#include "engine/engine.h"
#include "engine/pace.h"
#include "engine/pieces.h"

/* One engine_run(), as all its lanes see it. */
struct run {
	const struct engine_params *params;
	struct engine_progress *progress;
	uint64_t end; /* bytes: where the range ends */

	pthread_mutex_t lock; /* protects the next two while there are several lanes */
	struct pieces *pieces;
	struct engine_result *result; /* its end and code: of the lane that ended the run */

	atomic_bool ending; /* submit no more */

	/* With a single lane only. */
	struct pace pace;
	bool careful; /* a flush failed: one piece at a time, each with its own flush */
};

struct lane;

/*
 * Takes all memory for @depth requests of at most @chunk bytes, both above 0. Any thread. Returns
 * 0; -ENOMEM.
 */
int lane_new(uint32_t chunk, unsigned depth, struct lane **ret_lane);

/* The buffers, to make a backend for them. */
const struct io_buffers *lane_buffers(const struct lane *lane);

uint32_t lane_chunk(const struct lane *lane);

/* The thread that made @backend goes to work for @run, with nothing in flight and all slots free.
 */
void lane_begin(struct lane *lane, struct run *run, struct backend *backend, struct keystream *ks);

/*
 * One turn: submits what may go, waits for answers and deals with them. Returns false when nothing
 * is left for this lane, or the backend failed (then the run is ending).
 */
bool lane_step(struct lane *lane);

/* Whether the drive waited for this lane for a while; asked once, it is forgotten. */
bool lane_hungry(struct lane *lane);

/* Whether anything is with the drive; after lane_step() returned false only when the backend
 * failed. */
bool lane_in_flight(const struct lane *lane);

/* The lowest position that this lane holds and has not dealt with; UINT64_MAX if there is none. */
uint64_t lane_lowest(const struct lane *lane);

/* Gives up what the slots hold: nothing in flight. */
void lane_clear(struct lane *lane);

/* Accepts NULL. Its backend must be freed before. */
void lane_free(struct lane *lane);

/* Everything answered so far is on the medium. Returns 0; -errno. */
int lane_flush(struct lane *lane);

/* Ends the run if @error, of a flush, leaves no sense in going on; true if so. */
bool lane_fatal(struct lane *lane, int error);

#endif

/* SPDX-License-Identifier: MIT */
/* More threads for a drive that waits for data. Inside engine/ only. */
#ifndef ENGINE_CREW_H
#define ENGINE_CREW_H

#include "engine/lane.h"

struct crew;

struct helper {
	struct crew *crew;
	pthread_t thread;
	bool worked;
	uint64_t lowest; /* what it has left undone */
};

struct crew {
	struct run *run;
	uint32_t chunk;
	bool busy;	     /* the first thread needs a core as well, and has taken it */
	unsigned depth_left; /* requests that the retry list has room for */
	unsigned count;
	struct helper helpers[ENGINE_THREADS_MAX - 1];
};

/* Nobody yet. @depth: of the lane that is at work already. */
void crew_begin(struct crew *crew, struct run *run, uint32_t chunk, unsigned depth);

/*
 * Starts one more thread if params->help allows it. A helper that cannot get what it needs (memory,
 * a ring) goes home again: nothing is worse than before.
 */
void crew_hire(struct crew *crew);

/*
 * Waits for all of them; they end when nothing is left or the run is ending. Returns the lowest
 * position that one of them has not dealt with, UINT64_MAX if there is none.
 */
uint64_t crew_join(struct crew *crew);

#endif

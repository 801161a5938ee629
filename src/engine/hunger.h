/* SPDX-License-Identifier: MIT */
/*
 * PURE: whether a drive waits for data. A drive that is slower than the thread that serves it has a
 * full queue all the time: whenever an answer comes, the other requests are still with it. One that
 * is faster has answered everything by then.
 */
#ifndef ENGINE_HUNGER_H
#define ENGINE_HUNGER_H

#include <stdbool.h>

/* So many looks make a judgement, because a thread that the system put aside for a moment must not
 * pass for one that is too slow. */
enum { HUNGER_LOOKS = 16, HUNGER_HUNGRY = 12 };

struct hunger {
	unsigned looks;
	unsigned low; /* looks with next to nothing left with the drive */
};

/* Whether that is next to nothing. */
bool hunger_low(unsigned in_flight);

/*
 * Takes note of a look, when answers were fetched and nothing was submitted since: @in_flight
 * requests are still with the drive; one is next to nothing, for it was submitted just before.
 * Returns true at the end of HUNGER_LOOKS looks in which the drive nearly always waited; then it
 * begins anew.
 */
bool hunger_look(struct hunger *hunger, unsigned in_flight);

#endif

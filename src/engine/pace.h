/* SPDX-License-Identifier: MIT */
/* PURE: when the next request may go, under a limited rate. Times in ns of one monotonic clock. */
#ifndef ENGINE_PACE_H
#define ENGINE_PACE_H

#include <stdint.h>

/* After a pause, no more than this much time is caught up with. */
enum { PACE_BURST_MS = 100 };

struct pace {
	uint64_t rate; /* bytes a second; 0: no limit */
	uint64_t due;  /* nothing goes before this time */
};

/* Time until the next request may go; 0: now. */
uint64_t pace_wait(const struct pace *pace, uint64_t now);

/* @bytes go now. */
void pace_count(struct pace *pace, uint64_t now, uint32_t bytes);

#endif

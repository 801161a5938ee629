/* SPDX-License-Identifier: MIT */
/* A rate limit as a due time that every request moves on. */
#include "engine/pace.h"

#include "base/clock.h"

uint64_t pace_wait(const struct pace *pace, uint64_t now)
{
	return pace->rate && pace->due > now ? pace->due - now : 0;
}

void pace_count(struct pace *pace, uint64_t now, uint32_t bytes)
{
	uint64_t burst = PACE_BURST_MS * NS_PER_MS;

	if (!pace->rate)
		return;
	if (now > burst && pace->due < now - burst)
		pace->due = now - burst;
	pace->due += bytes * NS_PER_S / pace->rate;
}

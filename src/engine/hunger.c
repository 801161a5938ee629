/* SPDX-License-Identifier: MIT */
/* Whether a drive waits for data. */
#include "engine/hunger.h"

#include "engine/engine.h"

bool hunger_low(unsigned in_flight)
{
	return in_flight <= 1;
}

bool hunger_look(struct hunger *hunger, unsigned in_flight)
{
	bool hungry;

	hunger->low += hunger_low(in_flight);
	if (++hunger->looks < HUNGER_LOOKS)
		return false;
	hungry = hunger->low >= HUNGER_HUNGRY;
	*hunger = (struct hunger){ 0 };
	return hungry;
}

enum engine_pacer engine_pacer(uint64_t looks, uint64_t low, bool limited)
{
	if (looks < HUNGER_LOOKS)
		return PACED_UNKNOWN;
	if (low <= looks / 2)
		return PACED_BY_DRIVE;
	return limited ? PACED_BY_LIMIT : PACED_BY_CPU;
}

const char *engine_pacer_word(enum engine_pacer pacer)
{
	static const char *const words[] = {
		[PACED_BY_DRIVE] = "drive", [PACED_BY_CPU] = "cpu", [PACED_BY_LIMIT] = "rate_limit"
	};

	return words[pacer];
}

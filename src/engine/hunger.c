/* SPDX-License-Identifier: MIT */
/* Whether a drive waits for data. */
#include "engine/hunger.h"

bool hunger_look(struct hunger *hunger, unsigned in_flight)
{
	bool hungry;

	hunger->low += in_flight <= 1;
	if (++hunger->looks < HUNGER_LOOKS)
		return false;
	hungry = hunger->low >= HUNGER_HUNGRY;
	*hunger = (struct hunger){ 0 };
	return hungry;
}

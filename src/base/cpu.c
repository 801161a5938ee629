/* SPDX-License-Identifier: MIT */
/* What there is to compute with. */
#include "base/cpu.h"

#include <sched.h>

unsigned cpu_count(void)
{
	cpu_set_t cpus;

	/* A mask of this size holds 1024 cores; on larger machines the call fails. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return 1;
	return CPU_COUNT(&cpus) > 0 ? (unsigned)CPU_COUNT(&cpus) : 1;
}

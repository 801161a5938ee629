/* SPDX-License-Identifier: MIT */
/* Where a trial goes, and what its figures mean for the whole drive. No system calls. */
#include <assert.h>

#include "base/clock.h"
#include "job/trial.h"

/* The largest unit that fits into the drive at all. */
static uint32_t place_unit(uint64_t size, uint32_t align, uint32_t sector)
{
	if (size >= sector)
		return sector;
	return size >= align ? align : 1;
}

void trial_ranges(uint64_t size, uint32_t align, uint32_t sector,
		  struct trial_range ret_ranges[TRIAL_PLACES])
{
	uint32_t unit = place_unit(size, align, sector);
	uint64_t usable = size - size % unit, each = usable / TRIAL_PLACES, middle;

	assert(size > 0 && align && sector % align == 0);
	if (each > TRIAL_BYTES)
		each = TRIAL_BYTES;
	each -= each % unit;
	for (unsigned i = 0; i < TRIAL_PLACES; i++)
		ret_ranges[i] = (struct trial_range){ .length = each };
	if (!each) { /* not three units: all of it is the start */
		ret_ranges[TRIAL_START].length = usable;
		return;
	}
	middle = (usable - each) / 2;
	ret_ranges[TRIAL_MIDDLE].offset = middle - middle % unit;
	ret_ranges[TRIAL_END].offset = usable - each;
}

uint64_t trial_pass_ns(const struct trial_figure figures[TRIAL_PLACES], uint64_t size,
		       uint64_t limit)
{
	double ns_per_byte = 0, least = limit ? (double)NS_PER_S / (double)limit : 0, ns;
	unsigned measured = 0;

	for (unsigned i = 0; i < TRIAL_PLACES; i++) {
		double here;

		if (!figures[i].bytes || !figures[i].ns)
			continue;
		here = (double)figures[i].ns / (double)figures[i].bytes;
		ns_per_byte += here > least ? here : least;
		measured++;
	}
	if (!measured)
		return 0;
	ns = ns_per_byte / measured * (double)size;
	return ns < (double)INT64_MAX ? (uint64_t)ns : INT64_MAX;
}

static double pass_ns(uint64_t size, uint64_t rate)
{
	return (double)size / (double)rate * (double)NS_PER_S;
}

/* At most places the drive waited for data: what was measured there is the CPU. */
static bool waited(const struct trial_figure figures[TRIAL_PLACES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < TRIAL_PLACES; i++)
		n += figures[i].pacer == PACED_BY_CPU;
	return n > TRIAL_PLACES / 2;
}

struct trial_outlook trial_outlook(const struct trial_result *result, uint64_t size, uint64_t one,
				   uint64_t all)
{
	uint64_t write_ns = trial_pass_ns(result->write, size, all);
	uint64_t read_ns = trial_pass_ns(result->read, size, all);
	struct trial_outlook outlook = { .measured = write_ns > 0 };
	const struct trial_figure *figures = outlook.measured ? result->write : result->read;
	double drive_ns = (double)trial_pass_ns(figures, size, 0);

	if (!read_ns)
		return outlook;
	outlook.wipe_ns = (outlook.measured ? write_ns : read_ns) + read_ns;
	outlook.one_core = drive_ns >= pass_ns(size, one);
	outlook.cpu_limits =
		drive_ns < pass_ns(size, all) || (!outlook.one_core && waited(result->write));
	return outlook;
}

static enum exit_status figure_status(const struct trial_figure *figure)
{
	switch (figure->end) {
	case ENGINE_DONE:
		break;
	case ENGINE_STOPPED:
	case ENGINE_GONE:
	case ENGINE_DENIED:
		return STATUS_STOPPED;
	case ENGINE_FAILED:
		return STATUS_SYSTEM;
	}
	return figure->bad_bytes || figure->code ? STATUS_IMPERFECT : STATUS_OK;
}

enum exit_status trial_status(const struct trial_result *result)
{
	enum exit_status worst = result->stopped ? STATUS_STOPPED : STATUS_OK;

	if (result->code)
		return STATUS_SYSTEM;
	for (unsigned i = 0; i < TRIAL_PLACES; i++) {
		enum exit_status read = figure_status(&result->read[i]);
		enum exit_status write = figure_status(&result->write[i]);

		worst = read > worst ? read : worst;
		worst = write > worst ? write : worst;
	}
	return worst;
}

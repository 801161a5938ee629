/* SPDX-License-Identifier: MIT */
/* The verdict: what may be said about a drive when its job has ended. */
#include "job/outcome.h"

/* Passes that did not come to their end decide first: nothing can be said about what they left out.
 */
static enum verdict verdict_of_end(const struct pass_result *pass)
{
	switch (pass->end) {
	case ENGINE_STOPPED:
		return VERDICT_INTERRUPTED;
	case ENGINE_GONE:
	case ENGINE_DENIED:
		return VERDICT_GONE;
	case ENGINE_FAILED:
		return VERDICT_FAILED;
	case ENGINE_DONE:
		break;
	}
	return pass->finished ? VERDICT_NONE : VERDICT_FAILED;
}

static bool pass_whole(const struct job_result *result, unsigned i)
{
	return result->passes[i].done == result->plan.passes[i].bytes;
}

enum verdict outcome_verdict(const struct job_result *result)
{
	bool written = result->plan.count > 0, verified = true, verify_asked = false;

	if (result->abandoned)
		return VERDICT_INTERRUPTED;
	for (unsigned i = 0; i < result->plan.count; i++) {
		const struct pass_result *pass = &result->passes[i];
		enum verdict ended = pass->started ? verdict_of_end(pass) : VERDICT_FAILED;

		if (result->system_code)
			return VERDICT_FAILED;
		if (ended != VERDICT_NONE)
			return ended;
		if (result->plan.passes[i].kind == PASS_WRITE) {
			written &= pass_whole(result, i) && pass->flushed && !pass->bad.count;
		} else {
			verify_asked = true;
			verified &= pass_whole(result, i) && !pass->bad.count && !pass->wrong.count;
		}
	}
	if (!written)
		return VERDICT_UNWRITTEN;
	if (!verified)
		return VERDICT_UNVERIFIED;
	return verify_asked ? VERDICT_VERIFIED : VERDICT_WRITTEN;
}

enum exit_status outcome_status(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_VERIFIED:
	case VERDICT_WRITTEN:
		return STATUS_OK;
	case VERDICT_UNWRITTEN:
	case VERDICT_UNVERIFIED:
		return STATUS_IMPERFECT;
	case VERDICT_REFUSED:
		return STATUS_REFUSED;
	case VERDICT_INTERRUPTED:
	case VERDICT_GONE:
		return STATUS_STOPPED;
	case VERDICT_FAILED:
	case VERDICT_NONE:
		break;
	}
	return STATUS_SYSTEM;
}

/* Bytes of @map that are not in @other. */
static uint64_t bytes_outside(const struct extent_map *map, const struct extent_map *other)
{
	uint64_t bytes = extent_map_bytes(map);

	for (unsigned i = 0; i < map->count; i++) {
		const struct extent *a = &map->items[i];

		for (unsigned k = 0; k < other->count; k++) {
			const struct extent *b = &other->items[k];
			uint64_t from = a->offset > b->offset ? a->offset : b->offset;
			uint64_t a_end = a->offset + a->length, b_end = b->offset + b->length;
			uint64_t to = a_end < b_end ? a_end : b_end;

			if (b->offset >= a_end)
				break;
			if (to > from)
				bytes -= to - from;
		}
	}
	return bytes;
}

uint64_t outcome_old_bytes(const struct job_result *result)
{
	const struct pass_result *write = NULL;
	uint64_t old = 0;

	for (unsigned i = 0; i < result->plan.count; i++) {
		const struct pass_result *pass = &result->passes[i];

		if (result->plan.passes[i].kind == PASS_WRITE) {
			write = pass;
			old = result->plan.passes[i].bytes - (pass->flushed ? pass->done : 0);
		} else if (write && pass->wrong.count && write->flushed) {
			old += bytes_outside(&pass->wrong, &write->bad);
		}
	}
	return old;
}

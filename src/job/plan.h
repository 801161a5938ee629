/* SPDX-License-Identifier: MIT */
/* PURE: facts + options -> a fixed array of passes. --dry-run prints it and stops. */
#ifndef JOB_PLAN_H
#define JOB_PLAN_H

#include <stdint.h>

#include "device/facts.h"

enum pass_kind { PASS_WRITE, PASS_VERIFY };
enum verify_choice { VERIFY_FULL, VERIFY_NONE };
enum { PLAN_PASSES_MAX = 8 };

struct pass {
	enum pass_kind kind;
	unsigned key; /* which of the plan's keys: a verify pass has the key of the write it checks
		       */
	uint64_t bytes; /* to be worked through */
};

struct plan {
	struct pass passes[PLAN_PASSES_MAX];
	unsigned count;
	unsigned keys;	       /* number of keys needed */
	uint64_t bytes;	       /* sum over all passes: the measure of progress */
	uint32_t align;	       /* direct I/O: offsets and lengths are multiples of this */
	uint32_t sector;       /* failed requests are split down to this */
	uint64_t direct_bytes; /* [0, direct_bytes) by direct I/O, the rest of the drive (a tail)
				  buffered */
};

/* @facts with size > 0. Cannot fail. */
void plan_make(const struct drive_facts *facts, enum verify_choice verify, struct plan *ret_plan);

/* A rate to expect of such a drive, bytes a second, for the estimate before anything was measured.
 */
uint64_t plan_typical_rate(const struct drive_facts *facts);

#endif

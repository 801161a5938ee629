/* SPDX-License-Identifier: MIT */
/* PURE: a series of snapshots of one drive -> rates, percentages and the time that is left. */
#ifndef UI_METER_H
#define UI_METER_H

#include "job/result.h"

enum { METER_SAMPLES = 16, METER_WINDOW_MS = 3000 };

struct meter {
	/* Ring of this pass's (job_ns, pass_done): the present rate is taken over the last
	 * METER_WINDOW_MS. */
	struct {
		uint64_t ns;
		uint64_t done;
	} samples[METER_SAMPLES];
	unsigned count, next;
	unsigned pass;		 /* the samples are of this pass */
	uint64_t pass_done;	 /* the greatest so far of this pass: never goes backwards */
	unsigned percent;	 /* the greatest so far of the plan */
	uint64_t mean_rate;	 /* of this pass at the last reading */
	uint64_t last_pass_rate; /* mean rate of the pass before, bytes a second, 0 if none */
};

struct meter_reading {
	uint64_t rate;	       /* bytes a second over the window; 0: none yet, or nothing moved */
	uint64_t mean_rate;    /* bytes a second since the pass began; 0: none yet */
	uint64_t pass_done;    /* bytes of the pass that are good; at most the pass's size */
	unsigned pass_percent; /* 0 .. 100, rounded down; 100 only when every byte of the pass is
				  good */
	unsigned percent; /* of all passes; 100 only when the job finished and every byte of every
			     pass is good */
	bool eta_known;
	uint64_t eta_s; /* seconds left for the whole plan; 0 when finished */
};

void meter_init(struct meter *meter);
void meter_read(struct meter *meter, const struct job_snapshot *snapshot,
		struct meter_reading *ret);

#endif

/* SPDX-License-Identifier: MIT */
/* One named drive on its way from the command line to its verdict. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "device/claim.h"
#include "device/gate.h"
#include "device/machine.h"
#include "device/probe.h"
#include "job/job.h"
#include "report/store.h"
#include "ui/console.h"

enum { TARGET_REASON_MAX = 1024 };

struct target {
	struct drive_facts facts;
	struct usage usage;
	struct surroundings around; /* points into the machine */
	struct gate_result gate;    /* points into usage, contents, around and the policy */
	struct contents contents;   /* once it is claimed */
	struct claim claim;
	struct plan plan;
	uint64_t likely_rate;	   /* bytes a second, for the estimate */
	struct job *job;	   /* NULL: not started */
	bool settled;		   /* its final record was made */
	struct job_result result;  /* the copy that verdict and record are made from */
	struct record_file record; /* name "": none */
	enum verdict verdict;	   /* VERDICT_NONE while it may still go well */
	enum exit_status status;
	char reason[TARGET_REASON_MAX]; /* why it was refused or failed, as printed */
};

/* Whether it has fallen out on the way: refused or failed before anything was written. */
static inline bool target_out(const struct target *t)
{
	return t->verdict != VERDICT_NONE;
}

/* What the way in has to know from the command line. */
struct way_in {
	char **names;
	unsigned count;
	const struct machine *machine;	  /* read just before; the targets point into it */
	const struct gate_policy *policy; /* the findings of the targets' gates point into it */
	time_t now;
	enum claim_mode mode;	   /* CLAIM_READ: whoever uses a drive is not in the way */
	enum verify_choice verify; /* for the plan */
	uint64_t rate_limit;	   /* for the estimate, bytes a second; 0: none */
};

/* Takes a target out with one line "NAME: sentence" on the console. */
void target_refuse(struct target *t, const struct console *console, enum verdict verdict,
		   const char *sentence);

/*
 * The way in: identify, gate, claim, gate again on what the descriptor says, look at the contents,
 * plan. Each step takes targets out and says why; the others go on. Two names of one medium, or an
 * expectation that no drive meets, take out all of them. Nothing is written to any drive. To read
 * (CLAIM_READ) nobody is asked: neither who uses a drive, nor whether it is named twice, nor what
 * is on it. targets_claim() returns 0; -ENOMEM and the like if the system failed.
 */
void targets_identify(struct target *targets, const struct way_in *way,
		      const struct console *console);
int targets_claim(struct target *targets, const struct way_in *way, const struct console *console);

/* Releases whatever is still held; every job must have ended or never begun. */
void targets_done(struct target *targets, unsigned count);

#endif

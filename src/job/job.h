/* SPDX-License-Identifier: MIT */
/* One plan on one claimed drive, in a thread of its own. Nobody else's drive waits for it. */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "device/claim.h"
#include "job/result.h"

struct job;

struct job_options {
	const struct keystream_kind *keystream; /* chosen and self-tested */
	const struct contents *contents;	/* what is on the drive now; NULL: not looked at */
	enum verify_choice verify;
	enum io_choice io;
	uint64_t rate_limit; /* bytes a second, 0: none */
	unsigned threads;    /* that make a drive's data, at most; 1 .. ENGINE_THREADS_MAX */
	/* Cores that no drive's thread needs, shared by all jobs; see engine_help. */
	atomic_int *spare_cores;
};

/*
 * Makes a job for a drive; takes @claim (released when the job's thread is through with it; left
 * empty here). Keys are made here, so that a record can hold them before the first write. Returns
 * 0; -ENOMEM, or what the kernel's generator said: then the claim is still the caller's.
 */
int job_new(struct claim *claim, const struct job_options *options, struct job **ret_job);

/*
 * Starts the thread. @news_fd: an eventfd, the caller's, that gets 1 added whenever job_state()
 * changes. Returns 0; -errno.
 */
int job_start(struct job *job, int news_fd);

enum job_state {
	JOB_RUNNING,
	JOB_SETTLED, /* all passes ended, the result is final; the drive is still claimed */
	JOB_ENDED,   /* the drive was let go (or the job was never started) */
};
enum job_state job_state(const struct job *job);

/* Asks the thread to stop: submit no more, reap, flush, settle. Any thread, any time. */
void job_stop(struct job *job);

/* After JOB_SETTLED, once the record is safe: re-read the partition table, let go of the drive,
 * end. */
void job_close(struct job *job);

/* For the screen; any thread. */
void job_snapshot(struct job *job, struct job_snapshot *ret_snapshot);

/*
 * For the record: copies the result so far, maps included, into @into, which must have come from
 * job_result_init(). Any thread.
 */
void job_copy_result(struct job *job, struct job_result *into);

int job_result_init(struct job_result *result);
void job_result_done(struct job_result *result);

/* Key number @key of the plan; constant, secret, the job's. */
const uint8_t *job_key(const struct job *job, unsigned key);

/*
 * Waits for the thread and frees everything. A job whose drive never answered must not be freed:
 * the process ends instead (job_state() tells).
 */
void job_free(struct job *job);

#endif

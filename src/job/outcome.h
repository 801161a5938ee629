/* SPDX-License-Identifier: MIT */
/* PURE: results -> verdict. The only place where a verdict is made. */
#ifndef JOB_OUTCOME_H
#define JOB_OUTCOME_H

#include "job/result.h"

/* The verdict on a job that has ended. */
enum verdict outcome_verdict(const struct job_result *result);

/* The exit status that belongs to a verdict. VERDICT_NONE is our bug and counts as STATUS_SYSTEM.
 */
enum exit_status outcome_status(enum verdict verdict);

/* Bytes of old data that may still be on the drive: never written, or written without a good flush.
 */
uint64_t outcome_old_bytes(const struct job_result *result);

#endif

/* SPDX-License-Identifier: MIT */
/* Plain types between a job and those who watch or record it: all that ui/ and report/ may see of
 * it. */
#ifndef JOB_RESULT_H
#define JOB_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/extent.h"
#include "device/claim.h"
#include "engine/engine.h"
#include "job/plan.h"
#include "keystream/keystream.h"

struct pass_result {
	bool started;
	bool finished; /* worked through to its end (not: without errors) */
	enum engine_end end;
	int code;	    /* positive errno behind end, 0 if none */
	int flush_code;	    /* positive errno of the flush, 0 if it worked */
	bool flushed;	    /* write: the flush at the end was done and worked */
	bool cache_dropped; /* verify of a buffered range: the cache could be dropped before */
	uint64_t done;	    /* bytes written, or read and equal */
	uint64_t reached;   /* every byte below was dealt with */
	uint64_t ns;	    /* monotonic duration, the flush included */
	uint64_t flush_ns;
	unsigned threads; /* that worked on it */
	enum engine_pacer pacer;
	struct extent_map bad;	 /* not written, or not readable */
	struct extent_map wrong; /* verify: different */
};

enum job_phase {
	JOB_WAITING,
	JOB_WRITING,
	JOB_FLUSHING,
	JOB_VERIFYING,
	JOB_FINISHED,
};

/* A moment of a running job; consistent enough for people to look at. */
struct job_snapshot {
	const char *name; /* "sdb"; the job's, lives as long as it */
	enum job_phase phase;
	unsigned pass;		 /* index into the plan */
	uint64_t pass_done;	 /* bytes of this pass dealt with successfully */
	uint64_t pass_bad;	 /* bytes of this pass given up */
	uint64_t pass_bytes;	 /* bytes of this pass in all */
	uint64_t work_done;	 /* bytes of all passes dealt with successfully */
	uint64_t work_bad;	 /* bytes of all passes given up */
	uint64_t work_bytes;	 /* bytes of all passes in all */
	uint64_t bad_count;	 /* bad sectors so far, all passes */
	uint64_t pass_ns;	 /* since this pass began */
	uint64_t job_ns;	 /* since the job began */
	uint64_t silent_ns;	 /* since the drive last answered */
	enum engine_pacer pacer; /* of this pass so far */
	bool passes_left;	 /* another pass follows this one */
};

enum verdict {
	VERDICT_NONE,	     /* not yet */
	VERDICT_VERIFIED,    /* every byte written, flushed, read back equal */
	VERDICT_WRITTEN,     /* every byte written and flushed; verification was not asked for */
	VERDICT_UNWRITTEN,   /* finished, but some bytes could not be written, or a flush failed */
	VERDICT_UNVERIFIED,  /* all written, but some bytes did not read back or were different */
	VERDICT_INTERRUPTED, /* stopped on request */
	VERDICT_GONE,	     /* the drive went away, shrank or turned read-only */
	VERDICT_FAILED,	     /* the system failed */
	VERDICT_REFUSED,     /* nothing was written */
};

/* Exit statuses: public, in the man page. The greatest of all drives is the program's. */
enum exit_status {
	STATUS_OK = 0,
	STATUS_IMPERFECT = 1,
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3,
	STATUS_STOPPED = 4,
	STATUS_SYSTEM = 5,
};

/* Everything about one drive's run. Written by the job's thread under its lock, read by copy. */
struct job_result {
	struct plan plan;
	struct pass_result passes[PLAN_PASSES_MAX];
	const char *cipher;	  /* "aes-256-ctr" */
	const char *keystream;	  /* implementation: "openssl" */
	const char *backend;	  /* "io_uring", "sync"; NULL before it was chosen */
	int why_not_uring;	  /* errno that ruled io_uring out; 0 if none */
	bool direct;		  /* direct I/O for [0, plan.direct_bytes) */
	time_t start, end;	  /* calendar; end 0 while running */
	uint64_t ns;		  /* monotonic duration */
	int system_code;	  /* errno when the job itself could not go on; 0 if none */
	unsigned partitions_kept; /* somebody has them open: the kernel did not let go of them */
	enum reread_result reread;
	bool wrote;	/* at least one write was submitted: the old content may be gone */
	bool abandoned; /* the drive did not answer and was left behind on a second signal */
};

#endif

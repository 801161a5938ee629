/* SPDX-License-Identifier: MIT */
/* How fast a drive is at its start, in its middle and at its end: reads there, and writes random
 * data there if that is asked for. Nothing is read back or compared, so nothing is proved. */
#ifndef JOB_TRIAL_H
#define JOB_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/claim.h"
#include "engine/engine.h"
#include "job/result.h"
#include "keystream/keystream.h"

enum trial_place { TRIAL_START, TRIAL_MIDDLE, TRIAL_END, TRIAL_PLACES };

/* A place is left when so much of it was done or so much time was spent. */
enum { TRIAL_BYTES = 256 << 20, TRIAL_MS = 1500 };

struct trial_range {
	uint64_t offset; /* bytes */
	uint64_t length; /* bytes; 0: the drive is too small to have this place */
};

/*
 * PURE: the ranges for a drive of @size bytes (more than 0): at most TRIAL_BYTES each, in order,
 * not overlapping, none beyond the end. Their ends are multiples of @sector, or of @align where
 * even one sector is too much, or of one byte where even that is. @align divides @sector.
 */
void trial_ranges(uint64_t size, uint32_t align, uint32_t sector,
		  struct trial_range ret_ranges[TRIAL_PLACES]);

/* What reading or writing one place came to. */
struct trial_figure {
	bool started;
	enum engine_end end; /* ENGINE_DONE also when the time was up */
	int code;	     /* positive errno behind end; of the flush if that failed; 0 if none */
	enum engine_pacer pacer;
	uint64_t bytes;	    /* read or written */
	uint64_t ns;	    /* it took, the flush after writing included */
	uint64_t bad_bytes; /* could not be read or written */
	uint64_t bad_first; /* where the first of them is */
	int bad_code;	    /* positive errno of the first of them */
};

struct trial_result {
	struct trial_range ranges[TRIAL_PLACES];
	struct trial_figure read[TRIAL_PLACES];
	struct trial_figure write[TRIAL_PLACES]; /* not started if only reading was asked for */
	const char *backend;			 /* "io_uring", "sync"; NULL: none was opened */
	bool direct;  /* direct I/O; else through the page cache, which is dropped before */
	bool wrote;   /* at least one write was submitted */
	bool stopped; /* by the stop flag */
	int code;     /* positive errno when the trial itself could not go on; 0 if none */
};

struct trial {
	struct claim *claim; /* the caller's; CLAIM_WIPE if there is a keystream */
	const struct keystream_kind *keystream; /* chosen and self-tested: write. NULL: only read */
	unsigned threads; /* that may make random data, 1 .. ENGINE_THREADS_MAX */
	enum io_choice io;
	atomic_bool stop; /* any thread: submit no more, reap, end */
	struct trial_result result;
};

/*
 * Runs the trial in the calling thread and puts its result into @trial. Never writes without a
 * keystream. With one, all places are written first, under a new key that nobody keeps, and then
 * read: flash memory answers for what was never written without looking.
 */
void trial_run(struct trial *trial);

/*
 * PURE: nanoseconds that one pass over @size bytes takes when each of the places that were measured
 * stands for an equal part of the drive, and no byte goes faster than @limit (bytes a second; 0: no
 * limit). 0 if nothing was measured.
 */
uint64_t trial_pass_ns(const struct trial_figure figures[TRIAL_PLACES], uint64_t size,
		       uint64_t limit);

/* What the figures promise for a wipe of the whole drive with verification. */
struct trial_outlook {
	uint64_t wipe_ns; /* 0: not known, for nothing was measured */
	bool measured;	  /* writing was; else it is taken to be as fast as reading */
	bool one_core;	  /* makes the random data as fast as the drive takes it */
	bool cpu_limits;  /* not even all cores do */
};

/* PURE: @one, @all: bytes a second of random data by one thread and by all that may serve one
 * drive, more than 0; @size: of the drive. */
struct trial_outlook trial_outlook(const struct trial_result *result, uint64_t size, uint64_t one,
				   uint64_t all);

/*
 * PURE: what the result means for the program: STATUS_IMPERFECT if some bytes could not be read,
 * written or flushed, STATUS_STOPPED also for a drive that went away, STATUS_SYSTEM.
 */
enum exit_status trial_status(const struct trial_result *result);

#endif

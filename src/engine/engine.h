/* SPDX-License-Identifier: MIT */
/*
 * The one loop: ranges -> fill and submit -> reap -> count, split or mark. It writes a keystream to
 * a range or compares a range with it. It does not know what a drive is: it has a backend, a
 * keystream and a range. No memory is taken between the first request and the end.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "engine/backend.h"

struct keystream;

enum {
	ENGINE_CHUNK_BYTES = 512 * 1024, /* one request; measured, see docs/PERFORMANCE.md */
	ENGINE_DEPTH = 8,		 /* requests in flight */
	ENGINE_DEPTH_MAX = 64,		 /* of all threads of a run together */
	ENGINE_HELPER_DEPTH = 4,	 /* requests in flight of each further thread */
	ENGINE_THREADS_MAX = 8,		 /* that serve one drive */
	ENGINE_RETRIES_MAX = 8,		 /* the same request after FAULT_RETRY */
	ENGINE_TICK_MS = 100,		 /* the stop flag is looked at this often at least */
	ENGINE_FLUSH_BYTES = 64 << 20,	 /* buffered writing: flushed after this many bytes */
};

enum engine_mode {
	ENGINE_WRITE,
	ENGINE_VERIFY, /* read and compare */
	ENGINE_READ,   /* read, and look at nothing: how fast a drive answers */
};

/* What keeps a run from being faster. */
enum engine_pacer {
	PACED_UNKNOWN, /* too short to tell */
	PACED_BY_DRIVE,
	PACED_BY_CPU,	/* the drive waits for data, or for what it gave to be compared */
	PACED_BY_LIMIT, /* the rate limit */
};

/* Counters that any thread may read at any time (relaxed atomics); only the engine's threads write.
 */
struct engine_progress {
	_Atomic uint64_t done;	      /* bytes dealt with: written, read or compared equal */
	_Atomic uint64_t bad;	      /* bytes given up: unwritten, unreadable or different */
	_Atomic uint64_t bad_count;   /* pieces given up (sectors, mostly) */
	_Atomic uint64_t last_answer; /* clock_monotonic_ns() of the newest completion */
	_Atomic uint64_t looks;	      /* answers were fetched so often */
	_Atomic uint64_t low;	      /* and so often next to nothing was left with the drive */
	_Atomic bool flushing;
};

/*
 * Who else may work on a run: threads with a backend and a keystream of their own, started one by
 * one while the drive is seen waiting for data (not in buffered writing). Both functions are called
 * by the new threads.
 */
struct engine_help {
	unsigned threads_max; /* in all, the caller's included; at most ENGINE_THREADS_MAX */
	/*
	 * Cores of the machine that nobody needs, shared by all drives: a helper takes one while it
	 * works, and so does the caller's thread once its drive was seen waiting (then it may fall
	 * below 0). A thread that waits for its drive needs none. NULL: not counted.
	 */
	atomic_int *spare_cores;
	int (*open_backend)(void *arg, const struct io_buffers *buffers,
			    struct backend **ret_backend);
	int (*make_keystream)(void *arg, struct keystream **ret_ks);
	void *arg;
};

struct engine_params {
	enum engine_mode mode;
	uint64_t start;	 /* bytes; with direct I/O a multiple of the logical sector */
	uint64_t length; /* bytes; start + length never passes the end of the drive */
	uint32_t sector; /* a failed request is split down to this, bytes, a power of two */
	uint32_t align;	 /* offsets and lengths of requests: 1 (buffered), or the logical sector */
	uint32_t chunk;	 /* bytes a request, multiple of sector; 0: all that the engine has */
	uint64_t flush_every; /* buffered writing: flushed after this many bytes; 0: never */
	uint64_t rate_limit;  /* bytes a second; 0: none */
	uint64_t until;	      /* clock_monotonic_ns() from which on it is as if stopped; 0: never */
	const struct engine_help *help; /* NULL: the caller's thread does it alone */
	int (*still_same)(void *arg);	/* asked after errors, by any of its threads: 0, or -errno,
					   which ends the run as ENGINE_GONE. May be NULL */
	void *arg;
	const atomic_bool *stop; /* set by others: submit no more, reap, return. May be NULL */
};

enum engine_end {
	ENGINE_DONE,	/* the whole range was worked through; see the maps for what failed */
	ENGINE_STOPPED, /* the stop flag, or the time was up */
	ENGINE_GONE,	/* the drive went away or is smaller than the range now */
	ENGINE_DENIED,	/* the drive turned read-only */
	ENGINE_FAILED,	/* a wrong request, the cipher or the system failed; code says what */
};

struct engine_result {
	enum engine_end end;
	int code;	  /* positive errno behind end, 0 if none */
	int flush_code;	  /* positive errno of a flush whose range could not be saved; 0 if none */
	unsigned threads; /* that worked on it, the caller's included */
	uint64_t reached; /* every byte of the range below this position was dealt with */
	struct extent_map *bad; /* could not be written or read; the caller's, initialised */
	struct extent_map *
		wrong; /* ENGINE_VERIFY: read, but different; the caller's. May be NULL for write */
};

/* Fixed memory of one drive: request buffers, slots, the retry list, the compare buffer. */
struct engine;

/*
 * Takes all memory for @depth requests of at most @chunk bytes (0: the constants above).
 * Returns 0; -ENOMEM.
 */
int engine_new(uint32_t chunk, unsigned depth, struct engine **ret_engine);

/* The buffers, to make a backend for them. They live as long as the engine: free the backend first.
 */
const struct io_buffers *engine_buffers(const struct engine *engine);

/*
 * Works through one range, in the calling thread, which also made the backend, and in those that
 * params->help lets it start. A failed request is
 * split down to params->sector; what still fails goes into result->bad; the rest goes on. Verify
 * mode: a difference goes into result->wrong by sectors. Always ends with nothing in flight unless
 * the backend itself failed.
 *
 * Write mode without flush_every does not flush (engine_flush() does). With it, also the end is
 * flushed, and what is counted as done was flushed: when a flush fails, its bytes are taken back
 * and written again with a flush for each request, to find the sectors that do not hold.
 */
void engine_run(struct engine *engine, struct backend *backend, struct keystream *ks,
		const struct engine_params *params, struct engine_progress *progress,
		struct engine_result *result);

/* PURE: what sets the pace, by the two counters; @limited: the run has a rate limit. */
enum engine_pacer engine_pacer(uint64_t looks, uint64_t low, bool limited);

/* As records name it: "drive", "cpu", "rate_limit"; NULL: unknown. */
const char *engine_pacer_word(enum engine_pacer pacer);

/* backend flush with progress->flushing set meanwhile. Returns 0; -errno. */
int engine_flush(struct backend *backend, struct engine_progress *progress);

void engine_free(struct engine *engine);

#endif

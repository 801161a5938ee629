/* SPDX-License-Identifier: MIT */
/* A drive in memory that fails as it is told to: the backend of the engine's tests. */
#ifndef FAKE_BACKEND_FAKE_H
#define FAKE_BACKEND_FAKE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/backend.h"

enum { FAKE_WRITES = 1, FAKE_READS = 2, FAKE_FAULTS_MAX = 2048 };

enum fake_kind {
	FAKE_FAIL,  /* answers -value */
	FAKE_ZERO,  /* moves nothing, answers 0 */
	FAKE_SHORT, /* moves value bytes less than asked, if more was asked */
	FAKE_HALF,  /* moves half of it, rounded up to value bytes */
	FAKE_DROP,  /* answers that all is well and moves nothing */
};

/* What happens to requests that touch [offset, offset + length). */
struct fake_fault {
	uint64_t offset, length;
	unsigned ops;
	enum fake_kind kind;
	int value;
	unsigned times;	   /* so often, then it is over; 0: for ever */
	uint32_t harmless; /* requests of up to so many bytes get through */
};

/* What happens once, at the n-th of something: 1 is the first, 0 never. */
struct fake_plan {
	unsigned shrink_at, vanish_at, readonly_at, stop_at; /* n-th submission */
	uint64_t shrink_to;
	unsigned refuse_at;   /* n-th submission is not taken */
	unsigned fail_at;     /* n-th completion */
	unsigned flush_at;    /* n-th flush */
	unsigned reap_at;     /* n-th reap */
	unsigned idle_stop;   /* stop after so many reaps with nothing in flight */
	int code;	      /* errno of these */
	unsigned flush_until; /* and all flushes up to this one */
	bool flush_loses;     /* a flush that fails loses what was to be flushed */
	bool no_size;	      /* the size cannot be asked */
};

/* A thread's way to the drive. */
struct fake_port {
	struct backend backend;
	struct fake *fake;
	const struct io_buffers *buffers;
	struct io_request pending[64];
	unsigned in_flight;
	unsigned reaps;
	bool busy; /* a further one that has had something to wait for */
};

struct fake {
	struct fake_port port; /* of the thread that made the drive */
	pthread_mutex_t lock;  /* threads at all ports */
	uint8_t *disk;	       /* what is on the medium */
	uint8_t *cache;	       /* what reads see; the same without a cache */
	bool cached;	       /* writes reach the medium by a flush */
	uint64_t size, size_now;
	uint32_t align;
	struct fake_plan plan;
	atomic_bool stop;

	struct fake_fault faults[FAKE_FAULTS_MAX];
	unsigned fault_count;
	struct fake_fault flush_faults[64]; /* dirty bytes here make a flush fail */
	unsigned flush_fault_count;

	uint64_t dirty_from, dirty_to;
	uint8_t *dirty;
	bool gone, readonly;
	unsigned submits, completions, flushes, reaps, idle;

	/* For several threads. */
	bool fast;	      /* answers all it has at once */
	unsigned ports, busy; /* further ones made; busy ones of them */
	unsigned wait_for;    /* no port gets an answer until so many are busy, except the first
				 port before its patience_at-th reap */
	unsigned patience_at;
	atomic_int *watched; /* looked at with each submission; may be NULL */
	int watched_min;
	pthread_cond_t news;
};

/* A drive of @size bytes of FAKE_OLD. */
enum { FAKE_OLD = 0 };
struct fake *fake_new(uint64_t size, uint32_t align, const struct io_buffers *buffers);
void fake_free(struct fake *fake);

/* A further port to the same drive, for another thread; freed by backend_free(). */
struct backend *fake_port_new(struct fake *fake, const struct io_buffers *buffers);

/* From now on writes stay in a cache until they are flushed. */
void fake_set_cached(struct fake *fake);

void fake_add(struct fake *fake, struct fake_fault fault);
void fake_add_flush(struct fake *fake, struct fake_fault fault);

/* The same for a place that fails for ever. */
void fake_fail(struct fake *fake, uint64_t offset, uint64_t length, unsigned ops, int error);
void fake_fail_flush(struct fake *fake, uint64_t offset, uint64_t length, int error);

#endif

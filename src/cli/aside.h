/* SPDX-License-Identifier: MIT */
/* One piece of work in a thread of its own, while the main thread answers signals: whatever a drive
 * does, Ctrl-C is answered. */
#ifndef CLI_ASIDE_H
#define CLI_ASIDE_H

#include <stdatomic.h>

struct aside {
	void (*work)(void *arg);
	void *arg;	      /* not on the stack: if the work is left behind, it is still used */
	atomic_bool *stop;    /* in @arg: set by the first signal, then the work should end soon */
	unsigned patience_ms; /* how long after the first signal it is left behind; 0: never */
};

enum aside_end {
	ASIDE_ENDED,
	ASIDE_STOPPED, /* a signal came; the work has ended */
	ASIDE_LEFT,    /* it did not end after a signal: end the process without tidying up */
};

/*
 * Runs the work and waits for it. A signal that ends programs sets the stop flag; a second one
 * leaves the work behind. Signals are as before afterwards. Returns 0; -errno if it did not begin.
 */
int aside_run(const struct aside *aside, enum aside_end *ret_end);

#endif

/* SPDX-License-Identifier: MIT */
/* The main thread while drives are wiped: one poll loop over signals, jobs and the clock. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/target.h"
#include "ui/progress.h"

/* Ignores the signals that lost output or a limit would send: none of them may end a wipe. */
void watch_ignore_signals(void);

/* Blocks the signals that the loop will read; before any thread is started. */
void watch_block_signals(void);

/* Where the blocked signals are read (struct signalfd_siginfo), without waiting: a descriptor, the
 * caller's; -errno. */
int watch_open_signals(void);

struct watch {
	struct target *targets;
	unsigned count;
	struct progress *progress;
	const struct console *console;
	int news_fd; /* eventfd given to the jobs */
	/* Called every RECORD_INTERVAL_S for each running job, and once when it has settled. */
	void (*record)(struct target *t, void *arg);
	void *arg;
};

enum { RECORD_INTERVAL_S = 10 };

/*
 * Watches until every job has ended. SIGINT, SIGTERM, SIGQUIT: all jobs are asked to stop; a second
 * one leaves at once. SIGHUP: goes on without a screen. SIGUSR1: a status line now. Returns false
 * if jobs were left behind: their drives did not answer, and nothing of them may be freed.
 */
bool watch_jobs(struct watch *watch);

#endif

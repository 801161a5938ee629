/* SPDX-License-Identifier: MIT */
/* What people watch while drives are wiped. Snapshots only; main thread only; never blocks. */
#ifndef UI_PROGRESS_H
#define UI_PROGRESS_H

#include "job/result.h"
#include "ui/console.h"

enum progress_style { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_JSON, PROGRESS_NONE };

struct progress;

/*
 * @count drives, at most. PROGRESS_AUTO: bar on a terminal that can move its cursor, else plain.
 * Returns 0; -ENOMEM.
 */
int progress_new(struct console *console, enum progress_style style, unsigned count,
		 struct progress **ret_progress);

/*
 * Shows the present state; call it about PROGRESS_TICK_MS apart, with one snapshot a drive, always
 * the same order. Decides itself what is worth printing (bars each time; plain lines seldom).
 */
enum { PROGRESS_TICK_MS = 200 };
void progress_update(struct progress *progress, const struct job_snapshot *snapshots,
		     unsigned count);

/* One plain status line a drive now, whatever the style (SIGUSR1). */
void progress_report(struct progress *progress, const struct job_snapshot *snapshots,
		     unsigned count);

/* The last state of everything, then the screen belongs to ordinary messages again. */
void progress_finish(struct progress *progress, const struct job_snapshot *snapshots,
		     unsigned count);

void progress_free(struct progress *progress);

#endif

/* SPDX-License-Identifier: MIT */
/* What the three styles of progress share. Private to ui/progress*.c. */
#ifndef UI_PROGRESS_STYLE_H
#define UI_PROGRESS_STYLE_H

#include "ui/meter.h"
#include "ui/progress.h"

/* Seconds without an answer after which people are told. */
enum { PROGRESS_SILENT_S = 10, PROGRESS_NAME_MAX = 256 };

/* One drive: the latest snapshot, what it means, and what was last said about it. */
struct view {
	struct meter meter;
	struct job_snapshot snapshot;
	struct meter_reading reading;
	char name[PROGRESS_NAME_MAX]; /* clean text */
	bool said_any, said_end;
	enum job_phase said_phase;
	unsigned said_pass, said_step;
	uint64_t said_ns; /* job_ns of the last line */
};

struct style {
	/* Shows what is due. @last: everything, now. */
	void (*update)(struct progress *progress, bool last);
	/* Makes room for other lines; the next update comes below them. NULL: there always is. */
	void (*make_way)(struct progress *progress);
	void (*free)(struct progress *progress); /* NULL: nothing to free */
};

struct progress {
	struct console *console;
	const struct style *style; /* NULL: PROGRESS_NONE */
	unsigned count;		   /* of views; the first @shown of them have a snapshot */
	unsigned shown;
	unsigned said; /* lines the console printed while we are here */
	struct bar *bar;
	struct view views[];
};

extern const struct style progress_style_bar, progress_style_plain, progress_style_json;

/* Bar only: its memory and its own way to the screen. Returns 0; -ENOMEM. */
int progress_bar_new(struct progress *progress);

/* Whole seconds since the drive last answered, if that is worth a word; else 0. */
uint64_t progress_silent_s(const struct job_snapshot *snapshot);

/* "waiting", "write", "flushing", "verify", "done", "ended". */
const char *progress_state(const struct view *view);

/* Of the pass while it runs; of the whole plan at the end. */
unsigned progress_percent(const struct view *view);

/* Remembers that a line about this drive was printed just now. */
void progress_mark_said(struct view *view);

/* One plain line about a drive, to the console. */
void progress_plain_line(const struct console *console, const struct view *view);

#endif

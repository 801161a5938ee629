/* SPDX-License-Identifier: MIT */
/* Progress for logs: a line when a drive starts, now and then while it runs, and at its end. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"
#include "ui/progress-style.h"

/* At most one line in INTERVAL_S; before that, one for each STEP_PERCENT of a pass. */
enum { INTERVAL_S = 10, STEP_PERCENT = 10, LINE_MAX_BYTES = PROGRESS_NAME_MAX + 256 };

__attribute__((format(printf, 2, 3))) static void add(char line[LINE_MAX_BYTES], const char *format,
						      ...)
{
	size_t length = strlen(line);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line + length, LINE_MAX_BYTES - length, format, args);
	va_end(args);
}

static void add_pace(char *line, const struct view *view)
{
	const struct meter_reading *r = &view->reading;
	char text[FMT_MAX];

	if (r->mean_rate || r->rate)
		add(line, ", %s", fmt_rate(text, r->rate, NS_PER_S));
	if (r->eta_known)
		add(line, ", ETA %s", fmt_hms(text, r->eta_s));
	if (progress_silent_s(&view->snapshot))
		add(line, ", no answer for %" PRIu64 " s", progress_silent_s(&view->snapshot));
}

void progress_plain_line(const struct console *console, const struct view *view)
{
	const struct job_snapshot *s = &view->snapshot;
	bool ended = s->phase == JOB_FINISHED;
	char line[LINE_MAX_BYTES] = "", text[CLOCK_TEXT_MAX], duration[FMT_MAX];

	add(line, "%s %s %s %u%% %" PRIu64 "/%" PRIu64 " bytes", clock_local(text, time(NULL)),
	    view->name, progress_state(view), progress_percent(view),
	    ended ? s->work_done : view->reading.pass_done, ended ? s->work_bytes : s->pass_bytes);
	if (ended)
		add(line, " in %s", fmt_hms(duration, s->job_ns / NS_PER_S));
	else
		add_pace(line, view);
	if (s->bad_count)
		add(line, ", %" PRIu64 " bad sector%s", s->bad_count, s->bad_count == 1 ? "" : "s");
	add(line, "\n");
	console_write(console, line, strlen(line));
}

static unsigned step_of(const struct view *view)
{
	return view->reading.pass_percent / STEP_PERCENT;
}

static bool line_due(const struct view *view)
{
	const struct job_snapshot *s = &view->snapshot;

	if (s->phase == JOB_WAITING || view->said_end)
		return false;
	if (!view->said_any || s->pass != view->said_pass || s->phase == JOB_FINISHED)
		return true;
	if (s->job_ns < INTERVAL_S * NS_PER_S)
		return step_of(view) > view->said_step;
	return s->job_ns >= view->said_ns + INTERVAL_S * NS_PER_S;
}

static void plain_update(struct progress *p, bool last)
{
	for (unsigned i = 0; i < p->shown; i++) {
		struct view *view = &p->views[i];

		if (last ? view->said_end : !line_due(view) || !console_writable(p->console))
			continue;
		progress_plain_line(p->console, view);
		progress_mark_said(view);
		view->said_step = step_of(view);
	}
}

const struct style progress_style_plain = { .update = plain_update };

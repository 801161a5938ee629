/* SPDX-License-Identifier: MIT */
/* Progress for programs: a JSON object a line, with numbers. docs/record.md describes it. */
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "ui/progress-style.h"

enum { REAL_DIGITS = 15 };

#define INTERVAL_NS NS_PER_S

static const char *phase_name(enum job_phase phase)
{
	switch (phase) {
	case JOB_WAITING:
		break;
	case JOB_WRITING:
		return "write";
	case JOB_FLUSHING:
		return "flush";
	case JOB_VERIFYING:
		return "verify";
	case JOB_FINISHED:
		return "finished";
	}
	return "waiting";
}

/* A duration with milliseconds. */
static double seconds(uint64_t ns)
{
	return (double)(ns / NS_PER_MS) / 1000;
}

/* Counts of bytes fit: no drive has 2^63 of them. */
static json_t *line_object(const struct view *view)
{
	const struct job_snapshot *s = &view->snapshot;
	const struct meter_reading *r = &view->reading;
	char now[CLOCK_TEXT_MAX];

	return json_pack(
		"{s:s, s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:I, s:I, "
		"s:s?, s:f, s:f, s:o}",
		"time", clock_utc(now, time(NULL)), "device", view->name, "phase",
		phase_name(s->phase), "pass", (int)s->pass + 1, "bytes", (json_int_t)r->pass_done,
		"bytes_total", (json_int_t)s->pass_bytes, "work_bytes", (json_int_t)s->work_done,
		"work_total", (json_int_t)s->work_bytes, "bad_bytes", (json_int_t)s->work_bad,
		"bad_sectors", (json_int_t)s->bad_count, "percent", (int)r->percent,
		"phase_percent", (int)r->pass_percent, "rate", (json_int_t)r->rate, "mean_rate",
		(json_int_t)r->mean_rate, "paced_by", engine_pacer_word(s->pacer), "elapsed_s",
		seconds(s->job_ns), "silent_s", seconds(s->silent_ns), "eta_s",
		r->eta_known ? json_integer((json_int_t)r->eta_s) : json_null());
}

static void write_line(const struct console *console, const struct view *view)
{
	json_t *object = line_object(view);
	_cleanup_free_ char *text = NULL;
	size_t length;

	if (object)
		text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER |
						  JSON_REAL_PRECISION(REAL_DIGITS));
	json_decref(object);
	if (!text)
		return;
	/* The end of the line goes where the end of the text was: one write, one line. */
	length = strlen(text);
	text[length] = '\n';
	console_write(console, text, length + 1);
}

static bool line_due(const struct view *view)
{
	const struct job_snapshot *s = &view->snapshot;

	if (view->said_end)
		return false;
	if (!view->said_any || s->phase != view->said_phase || s->pass != view->said_pass)
		return true;
	return s->job_ns >= view->said_ns + INTERVAL_NS;
}

static void json_update(struct progress *p, bool last)
{
	for (unsigned i = 0; i < p->shown; i++) {
		struct view *view = &p->views[i];

		if (last ? view->said_end : !line_due(view) || !console_writable(p->console))
			continue;
		write_line(p->console, view);
		progress_mark_said(view);
	}
}

const struct style progress_style_json = { .update = json_update };

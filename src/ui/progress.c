/* SPDX-License-Identifier: MIT */
/* Progress in any style: keeps the meters and hands the drives' state to the style. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "ui/progress-style.h"

static const struct style *style_for(const struct console *console, enum progress_style style)
{
	switch (style) {
	case PROGRESS_AUTO:
		return console->terminal ? &progress_style_bar : &progress_style_plain;
	case PROGRESS_BAR:
		return &progress_style_bar;
	case PROGRESS_PLAIN:
		return &progress_style_plain;
	case PROGRESS_JSON:
		return &progress_style_json;
	case PROGRESS_NONE:
		break;
	}
	return NULL;
}

int progress_new(struct console *console, enum progress_style style, unsigned count,
		 struct progress **ret_progress)
{
	struct progress *p = calloc(1, sizeof(*p) + count * sizeof(*p->views));

	if (!p)
		return -ENOMEM;
	p->console = console;
	p->style = style_for(console, style);
	p->count = count;
	for (unsigned i = 0; i < count; i++)
		meter_init(&p->views[i].meter);
	if (p->style == &progress_style_bar && progress_bar_new(p)) {
		free(p);
		return -ENOMEM;
	}
	console->said = &p->said;
	*ret_progress = p;
	return 0;
}

static void take(struct progress *p, const struct job_snapshot *snapshots, unsigned count)
{
	p->shown = count < p->count ? count : p->count;
	for (unsigned i = 0; i < p->shown; i++) {
		struct view *view = &p->views[i];

		view->snapshot = snapshots[i];
		text_clean(view->name, sizeof(view->name), snapshots[i].name);
		meter_read(&view->meter, &snapshots[i], &view->reading);
	}
}

void progress_update(struct progress *p, const struct job_snapshot *snapshots, unsigned count)
{
	take(p, snapshots, count);
	if (p->style)
		p->style->update(p, false);
}

void progress_report(struct progress *p, const struct job_snapshot *snapshots, unsigned count)
{
	take(p, snapshots, count);
	if (p->style && p->style->make_way)
		p->style->make_way(p);
	for (unsigned i = 0; i < p->shown && console_writable(p->console); i++)
		progress_plain_line(p->console, &p->views[i]);
}

void progress_finish(struct progress *p, const struct job_snapshot *snapshots, unsigned count)
{
	take(p, snapshots, count);
	if (p->style)
		p->style->update(p, true);
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	if (p->style && p->style->free)
		p->style->free(p);
	p->console->said = NULL;
	free(p);
}

uint64_t progress_silent_s(const struct job_snapshot *snapshot)
{
	uint64_t seconds = snapshot->silent_ns / NS_PER_S;

	return seconds > PROGRESS_SILENT_S ? seconds : 0;
}

const char *progress_state(const struct view *view)
{
	switch (view->snapshot.phase) {
	case JOB_WAITING:
		break;
	case JOB_WRITING:
		return "write";
	case JOB_FLUSHING:
		return "flushing";
	case JOB_VERIFYING:
		return "verify";
	case JOB_FINISHED:
		return view->reading.percent == 100 ? "done" : "ended";
	}
	return "waiting";
}

unsigned progress_percent(const struct view *view)
{
	return view->snapshot.phase == JOB_FINISHED ? view->reading.percent
						    : view->reading.pass_percent;
}

void progress_mark_said(struct view *view)
{
	view->said_any = true;
	view->said_end = view->snapshot.phase == JOB_FINISHED;
	view->said_phase = view->snapshot.phase;
	view->said_pass = view->snapshot.pass;
	view->said_ns = view->snapshot.job_ns;
}

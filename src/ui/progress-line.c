/* SPDX-License-Identifier: MIT */
/* One drive on one line: what is shown, and what is left out first when there is little room. */
#include "ui/progress-line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"

/* Columns. Below COMPACT_COLUMNS there is no bar, below TINY_COLUMNS only the percentage. */
enum { COMPACT_COLUMNS = 60, TINY_COLUMNS = 20, BAR_MIN = 7, NAME_MIN = 8 };

enum part {
	PART_NAME = 1 << 0,
	PART_STATE = 1 << 1,
	PART_BYTES = 1 << 2,
	PART_ELAPSED = 1 << 3,
	PART_RATE = 1 << 4,
	PART_MEAN = 1 << 5,
	PART_ETA = 1 << 6,
	PART_BAD = 1 << 7,
	PART_LONG = 1 << 8, /* long words: "3 bad sectors", "no answer for 35 s" */
};

enum { BASE = PART_NAME | PART_STATE | PART_BAD };

/* From rich to poor; the first that fits is taken. With a bar, only these parts can go. */
static const unsigned wide_layouts[] = {
	PART_BYTES | PART_ELAPSED | PART_RATE | PART_MEAN,
	PART_BYTES | PART_ELAPSED | PART_RATE,
	PART_ELAPSED | PART_RATE,
	PART_RATE,
};

static const unsigned compact_layouts[] = {
	BASE | PART_RATE | PART_ETA | PART_LONG,
	BASE | PART_RATE | PART_ETA,
	BASE | PART_ETA,
	BASE | PART_LONG,
	BASE,
	PART_NAME | PART_STATE,
	PART_NAME,
	0,
};

/* Room for a size and "/s". */
enum { RATE_MAX = FMT_MAX + 2 };

struct text {
	char *bytes;
	size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *to, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to->bytes + to->length, to->size - to->length, format, args);
	va_end(args);
	if (n > 0)
		to->length +=
			(size_t)n < to->size - to->length ? (size_t)n : to->size - to->length - 1;
}

/* Of the character that begins with @byte: in UTF-8, those of three bytes and more may be wide. */
static unsigned char_columns(unsigned char byte)
{
	return (byte & 0xc0) == 0x80 ? 0 : byte < 0xe0 ? 1 : 2;
}

unsigned line_columns(const char *text)
{
	unsigned columns = 0;

	for (; *text; text++)
		columns += char_columns((unsigned char)*text);
	return columns;
}

unsigned line_name_columns(unsigned longest, unsigned columns)
{
	unsigned most = columns / 5;

	if (most < NAME_MIN)
		most = NAME_MIN;
	return longest < most ? longest : most;
}

/* The part of @text whose columns are @from or later, at its first whole character. */
static const char *text_from(const char *text, unsigned from)
{
	unsigned columns = 0;

	for (; *text && (columns < from || !char_columns((unsigned char)*text)); text++)
		columns += char_columns((unsigned char)*text);
	return text;
}

/* At most @columns wide; what is too long loses its middle, for names differ at their ends. */
static void add_name(struct text *to, const char *name, unsigned columns)
{
	unsigned width = line_columns(name), head = (columns - 2) / 2, tail = columns - 2 - head;
	const char *rest = name, *next = name;

	if (width <= columns) {
		add(to, "%s%*s", name, (int)(columns - width), "");
		return;
	}
	/* A wide character that would pass the end of the head is left out with the middle. */
	for (; next = text_from(rest, 1), next > rest; rest = next) {
		unsigned used = char_columns((unsigned char)*rest);

		if (used > head)
			break;
		head -= used;
	}
	add(to, "%.*s..%s", (int)(rest - name), name, text_from(name, width - tail));
}

static const char *rate_text(char text[RATE_MAX], uint64_t rate)
{
	char number[FMT_MAX];

	if (!rate)
		return "-";
	(void)text_print(text, RATE_MAX, "%s/s", fmt_bytes_tight(number, rate));
	return text;
}

static void add_bad(struct text *to, const struct job_snapshot *s, bool in_full)
{
	if (s->bad_count)
		add(to, "  %" PRIu64 " bad%s%s", s->bad_count, in_full ? " sector" : "",
		    in_full && s->bad_count > 1 ? "s" : "");
}

/* Bytes move, as far as anybody can see: rates and an estimate mean something. */
static bool moving(const struct view *view)
{
	return (view->snapshot.phase == JOB_WRITING || view->snapshot.phase == JOB_VERIFYING) &&
	       !progress_silent_s(&view->snapshot);
}

/* A drive does not answer while it empties its cache; that is a different story. */
static void add_state(struct text *to, const struct view *view, bool in_full)
{
	uint64_t silent = progress_silent_s(&view->snapshot);
	bool flushing = view->snapshot.phase == JOB_FLUSHING;

	add(to, "%s", silent && !flushing ? "no answer" : progress_state(view));
	if (silent && in_full)
		add(to, " for %" PRIu64 " s", silent);
}

static void add_bar(struct text *to, const struct view *view, unsigned columns)
{
	unsigned cells = columns - 2, full = 0;
	uint64_t bytes = view->snapshot.pass_bytes;

	if (bytes)
		full = (unsigned)(cells * ((double)view->reading.pass_done / (double)bytes));
	if (full >= cells)
		full = view->reading.pass_percent == 100 ? cells : cells - 1;
	add(to, "[");
	for (unsigned i = 0; i < cells; i++)
		add(to, i < full ? "=" : i == full ? ">" : " ");
	add(to, "]");
}

static void add_numbers(struct text *to, const struct view *view, unsigned layout)
{
	const struct meter_reading *r = &view->reading;
	char text[RATE_MAX];

	if (layout & PART_BYTES)
		add(to, " %7s", fmt_bytes_tight(text, r->pass_done));
	if (layout & PART_ELAPSED)
		add(to, " %7s", fmt_hms(text, view->snapshot.job_ns / NS_PER_S));
	if (layout & PART_RATE)
		add(to, " [%9s]", rate_text(text, r->rate));
	if (layout & PART_MEAN)
		add(to, " [%9s]", rate_text(text, r->mean_rate));
}

/* pv's order: bytes, elapsed, rate, mean rate, bar, percent, ETA. False: no room for a bar. */
static bool wide_line(struct text *line, const struct view *view, unsigned layout, unsigned room,
		      unsigned name_columns)
{
	char right_bytes[128] = "", text[FMT_MAX];
	struct text right = { right_bytes, sizeof(right_bytes), 0 };
	unsigned used;

	add_name(line, view->name, name_columns);
	add(line, " ");
	add_state(line, view, true);
	add(&right, " %2u%%", progress_percent(view));
	if (moving(view)) {
		if (view->snapshot.phase == JOB_WRITING)
			add(line, " "); /* as wide as "verify" */
		add_numbers(line, view, layout);
		add(&right, " ETA %8s",
		    view->reading.eta_known ? fmt_hms(text, view->reading.eta_s) : "-:--:--");
	} else {
		add(line, " ");
	}
	add_bad(&right, &view->snapshot, true);
	used = line_columns(line->bytes) + 1 + line_columns(right.bytes);
	if (used > room || room - used < BAR_MIN)
		return false;
	add(line, " ");
	add_bar(line, view, room - used);
	add(line, "%s", right.bytes);
	return true;
}

/* The percentage comes early: it is the last to go. */
static void compact_line(struct text *line, const struct view *view, unsigned layout,
			 unsigned name_columns)
{
	const struct meter_reading *r = &view->reading;
	char text[RATE_MAX];

	if (layout & PART_NAME) {
		add_name(line, view->name, name_columns);
		add(line, " ");
	}
	if (layout & PART_STATE) {
		add_state(line, view, layout & PART_LONG);
		add(line, " ");
	}
	add(line, "%u%%", progress_percent(view));
	if (moving(view) && layout & PART_RATE && r->rate)
		add(line, " %s", rate_text(text, r->rate));
	if (moving(view) && layout & PART_ETA && r->eta_known)
		add(line, " ETA %s", fmt_hms(text, r->eta_s));
	if (layout & PART_BAD)
		add_bad(line, &view->snapshot, layout & PART_LONG);
}

static void make_compact(struct text *line, const struct view *view, unsigned room,
			 unsigned name_columns, bool tiny)
{
	const size_t count = sizeof(compact_layouts) / sizeof(*compact_layouts);

	for (size_t i = tiny ? count - 1 : 0; i < count; i++) {
		line->length = 0;
		compact_line(line, view, compact_layouts[i], name_columns);
		if (line_columns(line->bytes) <= room)
			return;
	}
	/* Not even the percentage fits; it is one byte a column. */
	line->bytes[room] = '\0';
}

void line_make(char bytes[LINE_BYTES_MAX], const struct view *view, unsigned columns,
	       unsigned name_columns)
{
	struct text line = { bytes, LINE_BYTES_MAX, 0 };
	unsigned most = columns < LINE_COLUMNS_MAX ? columns : LINE_COLUMNS_MAX;
	unsigned room = most ? most - 1 : 0;
	bool bar = view->snapshot.phase != JOB_WAITING && view->snapshot.phase != JOB_FINISHED;

	if (bar && columns >= COMPACT_COLUMNS) {
		for (size_t i = 0; i < sizeof(wide_layouts) / sizeof(*wide_layouts); i++) {
			line.length = 0;
			if (wide_line(&line, view, wide_layouts[i], room, name_columns))
				return;
		}
	}
	make_compact(&line, view, room, name_columns, columns < TINY_COLUMNS);
}

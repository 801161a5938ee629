/* SPDX-License-Identifier: MIT */
/* Progress on a terminal: lines rewritten in place, without ever waiting for the screen. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "ui/progress-line.h"

enum { ESCAPE_MAX = 32 };

#define ERASE_LINE_REST "\033[K\n"
#define ERASE_BELOW	"\033[J"

struct bar {
	int fd;		  /* the terminal again, but non-blocking; -EBADF: there is no such way */
	unsigned said;	  /* the console's lines when the last frame was drawn */
	unsigned drawn;	  /* lines of the last frame that are above the cursor */
	unsigned *widths; /* of these lines, columns */
	char *frame;
	size_t room;   /* bytes */
	size_t length; /* of the frame, */
	size_t sent;   /* of which the terminal has taken this many */
};

/*
 * poll() promises room for one byte of a terminal, not for a frame, and standard error itself
 * cannot be made non-blocking: others share it. So the terminal is opened once more.
 */
static int open_nonblocking(int fd)
{
	char path[ESCAPE_MAX];

	if (!isatty(fd) || !text_print(path, sizeof(path), "/proc/self/fd/%d", fd))
		return -EBADF;
	fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -EBADF : fd;
}

int progress_bar_new(struct progress *p)
{
	_cleanup_free_ struct bar *bar = calloc(1, sizeof(*bar));
	_cleanup_free_ unsigned *widths = calloc(p->count + 1, sizeof(*widths));
	size_t room = (p->count + 1) * (size_t)LINE_BYTES_MAX + 2 * ESCAPE_MAX;
	_cleanup_free_ char *frame = malloc(room);

	if (!bar || !widths || !frame)
		return -ENOMEM;
	bar->fd = open_nonblocking(p->console->fd);
	bar->widths = TAKE_PTR(widths);
	bar->frame = TAKE_PTR(frame);
	bar->room = room;
	p->bar = TAKE_PTR(bar);
	return 0;
}

static void bar_free(struct progress *p)
{
	if (p->bar->fd >= 0)
		(void)close(p->bar->fd);
	free(p->bar->widths);
	free(p->bar->frame);
	free(p->bar);
}

/* Rows that the last frame takes now: a terminal that became narrower wraps its lines. */
static unsigned rows_drawn(const struct bar *bar, unsigned columns)
{
	unsigned rows = 0;

	for (unsigned i = 0; i < bar->drawn; i++)
		rows += bar->widths[i] ? (bar->widths[i] + columns - 1) / columns : 1;
	return rows;
}

static void frame_add(struct bar *bar, const char *text)
{
	size_t length = strlen(text);

	if (length > bar->room - bar->length)
		return;
	memcpy(bar->frame + bar->length, text, length);
	bar->length += length;
}

static void frame_add_line(struct bar *bar, const char *line)
{
	frame_add(bar, line);
	frame_add(bar, ERASE_LINE_REST);
	bar->widths[bar->drawn++] = line_columns(line);
}

static unsigned longest_name(const struct progress *p)
{
	unsigned longest = 0;

	for (unsigned i = 0; i < p->shown; i++) {
		unsigned width = line_columns(p->views[i].name);

		longest = width > longest ? width : longest;
	}
	return longest;
}

/* Adds drives that are finished, or that are not, while there is room; returns the rest of it. */
static unsigned add_drives(struct progress *p, bool all, bool finished, unsigned columns,
			   unsigned room)
{
	unsigned name_columns = line_name_columns(longest_name(p), columns);
	char line[LINE_BYTES_MAX];

	for (unsigned i = 0; i < p->shown && room; i++) {
		const struct view *view = &p->views[i];

		if (!all && finished != (view->snapshot.phase == JOB_FINISHED))
			continue;
		line_make(line, view, columns, name_columns);
		frame_add_line(p->bar, line);
		room--;
	}
	return room;
}

/* Where not all drives fit, those that are still running come first. */
static void add_lines(struct progress *p, unsigned columns, unsigned rows)
{
	char more[ESCAPE_MAX];
	unsigned room = rows > 1 ? rows - 1 : 1; /* the cursor has a row too */
	bool cut = p->shown > room;

	if (!cut) {
		(void)add_drives(p, true, false, columns, room);
		return;
	}
	if (room > 1)
		room--;
	else
		cut = false;
	room = add_drives(p, false, false, columns, room);
	(void)add_drives(p, false, true, columns, room);
	if (cut && text_print(more, sizeof(more), "... and %u more", p->shown - p->bar->drawn)) {
		more[columns - 1 < sizeof(more) ? columns - 1 : sizeof(more) - 1] = '\0';
		frame_add_line(p->bar, more);
	}
}

static void frame_make(struct progress *p, unsigned rows)
{
	struct bar *bar = p->bar;
	unsigned columns = console_columns(p->console), up = rows_drawn(bar, columns);
	char escape[ESCAPE_MAX];

	bar->length = bar->sent = bar->drawn = 0;
	if (up && text_print(escape, sizeof(escape), "\033[%uA", up))
		frame_add(bar, escape);
	add_lines(p, columns, rows);
	frame_add(bar, ERASE_BELOW);
}

/* Sends what is left of the frame as far as the terminal takes it. False: not all of it. */
static bool frame_send(const struct console *console, struct bar *bar)
{
	while (bar->sent < bar->length) {
		ssize_t n = write(bar->fd >= 0 ? bar->fd : console->fd, bar->frame + bar->sent,
				  bar->length - bar->sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n <= 0)
			break;
		bar->sent += (size_t)n;
	}
	bar->sent = bar->length = 0;
	return true;
}

/* Takes the frame away: what comes next is printed in its place. */
static void bar_make_way(struct progress *p)
{
	unsigned up = rows_drawn(p->bar, console_columns(p->console));
	char escape[ESCAPE_MAX];

	p->bar->drawn = 0;
	if (up && console_ready(p->console) &&
	    text_print(escape, sizeof(escape), "\033[%uA" ERASE_BELOW, up))
		console_write(p->console, escape, strlen(escape));
}

static void bar_update(struct progress *p, bool last)
{
	struct bar *bar = p->bar;

	/* In the background, or after a message, the cursor has left its place below the frame. */
	if (!console_foreground(p->console) || bar->said != p->said)
		bar->drawn = 0;
	bar->said = p->said;
	if (!console_ready(p->console) && !last)
		return;
	if (!frame_send(p->console, bar) && !last)
		return;
	frame_make(p, last ? UINT_MAX : console_rows(p->console));
	if (last)
		console_write(p->console, bar->frame, bar->length);
	else
		(void)frame_send(p->console, bar);
}

const struct style progress_style_bar = {
	.update = bar_update,
	.make_way = bar_make_way,
	.free = bar_free,
};

/* SPDX-License-Identifier: MIT */
/* Standard error: what it is connected to, and lines of text that are safe to show on it. */
#include "ui/console.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { COLUMNS_UNKNOWN = 80, ROWS_UNKNOWN = 24, PREFIX_MAX = 64, INDENT_MAX = 32 };

/*
 * Beginnings of the TERM values whose terminals understand "cursor up", "erase to the end of the
 * line" and "erase below". Anything else gets plain lines, which is right everywhere.
 */
static const char *const capable_terms[] = {
	"alacritty", "ansi",   "contour", "cygwin", "eterm",   "Eterm",	  "fbterm",   "foot",
	"ghostty",   "gnome",  "hterm",	  "iTerm",  "jfbterm", "kitty",	  "konsole",  "linux",
	"mlterm",    "nsterm", "putty",	  "rxvt",   "screen",  "st-",	  "teraterm", "tmux",
	"vt1",	     "vt2",    "vt3",	  "vt4",    "vt5",     "wezterm", "xterm",
};

static bool term_capable(const char *term)
{
	if (!strcmp(term, "st"))
		return true;
	for (size_t i = 0; i < sizeof(capable_terms) / sizeof(*capable_terms); i++)
		if (!strncmp(term, capable_terms[i], strlen(capable_terms[i])))
			return true;
	return false;
}

void console_init(struct console *console, int fd, const char *term, const char *prefix)
{
	*console = (struct console){
		.fd = fd,
		.level = CONSOLE_NORMAL,
		.terminal = term && term_capable(term) && isatty(fd),
		.prefix = prefix,
	};
}

unsigned console_columns(const struct console *console)
{
	struct winsize size;

	if (ioctl(console->fd, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS_UNKNOWN;
	return size.ws_col;
}

unsigned console_rows(const struct console *console)
{
	struct winsize size;

	if (ioctl(console->fd, TIOCGWINSZ, &size) || !size.ws_row)
		return ROWS_UNKNOWN;
	return size.ws_row;
}

bool console_foreground(const struct console *console)
{
	pid_t foreground = isatty(console->fd) ? tcgetpgrp(console->fd) : -1;

	/* A terminal that is not our session's has no foreground for us: nobody is in our way. */
	return foreground < 0 || foreground == getpgrp();
}

bool console_writable(const struct console *console)
{
	struct pollfd fd = { .fd = console->fd, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT);
}

bool console_ready(const struct console *console)
{
	return console_foreground(console) && console_writable(console);
}

void console_write(const struct console *console, const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(console->fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		length -= (size_t)n;
	}
}

/* One write for a line, so that lines of several writers do not mix. */
__attribute__((format(printf, 3, 0))) static void say(const struct console *console, bool prefixed,
						      const char *format, va_list args)
{
	char text[CONSOLE_LINE_MAX], line[CONSOLE_LINE_MAX];
	size_t length = 0, indent;

	(void)vsnprintf(text, sizeof(text), format, args);
	if (prefixed && text_print(line, PREFIX_MAX, "%s: ", console->prefix))
		length = strlen(line);
	/* Cleaning takes spaces at the beginning away; here they are meant. */
	indent = strspn(text, " ");
	if (indent > INDENT_MAX)
		indent = INDENT_MAX;
	memset(line + length, ' ', indent);
	length += indent;
	text_clean(line + length, sizeof(line) - 1 - length, text + indent);
	length += strlen(line + length);
	line[length++] = '\n';
	console_write(console, line, length);
	if (console->said)
		++*console->said;
}

void console_error(const struct console *console, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(console, true, format, args);
	va_end(args);
}

void console_say(const struct console *console, const char *format, ...)
{
	va_list args;

	if (console->level < CONSOLE_NORMAL)
		return;
	va_start(args, format);
	say(console, false, format, args);
	va_end(args);
}

void console_detail(const struct console *console, const char *format, ...)
{
	va_list args;

	if (console->level < CONSOLE_VERBOSE)
		return;
	va_start(args, format);
	say(console, true, format, args);
	va_end(args);
}

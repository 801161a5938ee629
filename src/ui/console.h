/* SPDX-License-Identifier: MIT */
/* Standard error as people see it: one place that writes to it, whatever it is connected to. */
#ifndef UI_CONSOLE_H
#define UI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

enum console_level { CONSOLE_QUIET, CONSOLE_NORMAL, CONSOLE_VERBOSE };

/* The longest line with its terminating zero; what is longer is cut. */
enum { CONSOLE_LINE_MAX = 8192 };

struct console {
	int fd;			  /* 2; tests give their own */
	enum console_level level; /* set once, after the options are known */
	bool terminal;		  /* a terminal that can move its cursor (a known TERM) */
	const char *prefix;	  /* "stormwipe" or "stormwipe wipe" */
	unsigned *said;		  /* NULL, or a count of lines for who draws on the same screen */
};

/* @term: the value of $TERM or NULL (the environment is read by cli/ only). */
void console_init(struct console *console, int fd, const char *term, const char *prefix);

/* Columns of the terminal now, 80 where it has no size; rows likewise, 24. */
unsigned console_columns(const struct console *console);
unsigned console_rows(const struct console *console);

/* Whether the screen is ours: false for a background job of a terminal's shell. */
bool console_foreground(const struct console *console);

/* Whether a short write (up to PIPE_BUF bytes) would go through without blocking. */
bool console_writable(const struct console *console);

/* Both: a frame may be drawn. */
bool console_ready(const struct console *console);

/* Raw text, as it is; what cannot be written is lost without a word (stderr full or gone). */
void console_write(const struct console *console, const char *text, size_t length);

/* One line "prefix: text\n" at every level: an error, a refusal. */
void console_error(const struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* One line without prefix from CONSOLE_NORMAL on: verdicts, notes, what will be destroyed. */
void console_say(const struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* One line "prefix: text\n" at CONSOLE_VERBOSE only. */
void console_detail(const struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

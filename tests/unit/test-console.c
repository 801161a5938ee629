/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/console.h"

/* What a console wrote into a pipe. */
static void take(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, size - 1);

	buf[n < 0 ? 0 : n] = '\0';
}

struct wire {
	int ends[2];
	struct console console;
};

static void wire_open(struct wire *w)
{
	assert_int_equal(pipe2(w->ends, O_CLOEXEC), 0);
	assert_int_not_equal(fcntl(w->ends[0], F_SETFL, O_NONBLOCK), -1);
	console_init(&w->console, w->ends[1], "xterm", "stormwipe");
}

static void wire_close(struct wire *w)
{
	close(w->ends[0]);
	close(w->ends[1]);
}

static void levels_decide_what_is_said(void **state)
{
	static const struct {
		enum console_level level;
		const char *text;
	} cases[] = {
		{ CONSOLE_QUIET, "stormwipe: e 1\n" },
		{ CONSOLE_NORMAL, "stormwipe: e 1\ns 2\n" },
		{ CONSOLE_VERBOSE, "stormwipe: e 1\ns 2\nstormwipe: d 3\n" },
	};
	struct wire w;
	char text[256];

	(void)state;
	wire_open(&w);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		w.console.level = cases[i].level;
		console_error(&w.console, "e %d", 1);
		console_say(&w.console, "s %d", 2);
		console_detail(&w.console, "d %d", 3);
		take(w.ends[0], text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
	wire_close(&w);
}

static void control_characters_do_not_reach_the_screen(void **state)
{
	struct wire w;
	char text[256];

	(void)state;
	wire_open(&w);
	console_error(&w.console, "/tmp/a\033[2Jb\nc\x9b\xff: no");
	take(w.ends[0], text, sizeof(text));
	assert_string_equal(text, "stormwipe: /tmp/a\\x1b[2Jb\\x0ac\\x9b\\xff: no\n");
	wire_close(&w);
}

static void an_indent_stays(void **state)
{
	struct wire w;
	char text[256];

	(void)state;
	wire_open(&w);
	console_say(&w.console, "   record: %s", "x");
	console_say(&w.console, "%s", "");
	take(w.ends[0], text, sizeof(text));
	assert_string_equal(text, "   record: x\n\n");
	wire_close(&w);
}

static void a_line_that_is_too_long_is_cut(void **state)
{
	static char much[3 * CONSOLE_LINE_MAX], got[3 * CONSOLE_LINE_MAX];
	struct wire w;

	(void)state;
	wire_open(&w);
	memset(much, 'x', sizeof(much) - 1);
	console_error(&w.console, "%s", much);
	take(w.ends[0], got, sizeof(got));
	assert_true(strlen(got) > CONSOLE_LINE_MAX - 16 && strlen(got) <= CONSOLE_LINE_MAX);
	assert_int_equal(got[strlen(got) - 1], '\n');
	assert_memory_equal(got, "stormwipe: xxx", 14);
	wire_close(&w);
}

static void lines_are_counted_for_who_draws(void **state)
{
	struct wire w;
	unsigned said = 0;

	(void)state;
	wire_open(&w);
	w.console.said = &said;
	console_error(&w.console, "a");
	console_say(&w.console, "b");
	console_detail(&w.console, "not shown");
	console_write(&w.console, "raw", 3);
	assert_int_equal(said, 2);
	wire_close(&w);
}

static void lost_output_is_no_trouble(void **state)
{
	struct console console;
	struct wire w;
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	assert_true(full >= 0);
	console_init(&console, full, NULL, "stormwipe");
	console_error(&console, "no space");
	close(full);
	console_error(&console, "closed");
	assert_false(console_writable(&console));
	wire_open(&w);
	close(w.ends[0]);
	console_error(&w.console, "nobody reads");
	close(w.ends[1]);
}

static void a_full_pipe_is_not_ready(void **state)
{
	struct wire w;
	char block[4096] = "";

	(void)state;
	wire_open(&w);
	assert_true(console_ready(&w.console));
	assert_int_not_equal(fcntl(w.ends[1], F_SETFL, O_NONBLOCK), -1);
	while (write(w.ends[1], block, sizeof(block)) > 0)
		;
	assert_false(console_writable(&w.console));
	assert_false(console_ready(&w.console));
	wire_close(&w);
}

static void what_is_no_terminal_has_the_usual_size(void **state)
{
	struct wire w;

	(void)state;
	wire_open(&w);
	assert_false(w.console.terminal);
	assert_int_equal(console_columns(&w.console), 80);
	assert_int_equal(console_rows(&w.console), 24);
	wire_close(&w);
}

static void a_terminal_has_its_size_now(void **state)
{
	static const struct {
		unsigned short rows, columns;
		unsigned want_rows, want_columns;
	} cases[] = { { 24, 80, 24, 80 }, { 60, 300, 60, 300 }, { 0, 0, 24, 80 }, { 1, 1, 1, 1 } };
	struct console console;
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	console_init(&console, slave, "xterm-256color", "stormwipe");
	assert_true(console.terminal);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct winsize size = { .ws_row = cases[i].rows, .ws_col = cases[i].columns };

		assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
		assert_int_equal(console_rows(&console), cases[i].want_rows);
		assert_int_equal(console_columns(&console), cases[i].want_columns);
	}
	close(master);
	close(slave);
}

static void only_known_terminals_move_their_cursor(void **state)
{
	static const struct {
		const char *term;
		bool terminal;
	} cases[] = {
		{ "xterm", true },    { "linux", true },       { "tmux-256color", true },
		{ "vt220", true },    { "st-256color", true }, { "st", true },
		{ "dumb", false },    { "", false },	       { "nonexistent", false },
		{ "strange", false }, { "unknown", false },    { NULL, false },
	};
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct console console;

		console_init(&console, slave, cases[i].term, "stormwipe");
		assert_int_equal(console.terminal, cases[i].terminal);
	}
	close(master);
	close(slave);
}

static void a_terminal_that_is_not_ours_counts_as_foreground(void **state)
{
	struct console console;
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	console_init(&console, slave, "xterm", "stormwipe");
	assert_true(console_foreground(&console));
	assert_true(console_ready(&console));
	close(master);
	close(slave);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_decide_what_is_said),
		cmocka_unit_test(control_characters_do_not_reach_the_screen),
		cmocka_unit_test(an_indent_stays),
		cmocka_unit_test(a_line_that_is_too_long_is_cut),
		cmocka_unit_test(lines_are_counted_for_who_draws),
		cmocka_unit_test(lost_output_is_no_trouble),
		cmocka_unit_test(a_full_pipe_is_not_ready),
		cmocka_unit_test(what_is_no_terminal_has_the_usual_size),
		cmocka_unit_test(a_terminal_has_its_size_now),
		cmocka_unit_test(only_known_terminals_move_their_cursor),
		cmocka_unit_test(a_terminal_that_is_not_ours_counts_as_foreground),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

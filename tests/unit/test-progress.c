/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "ui/progress-line.h"

#define DRIVE_BYTES UINT64_C(4000787030016)
#define MIB	    (UINT64_C(1) << 20)

enum { OUTPUT_MAX = 1 << 18 };

static char output[OUTPUT_MAX];

/* ---- snapshots ---- */

/* Pass @pass of a write and a verify of the whole drive, @percent of it done. */
static struct job_snapshot moment(const char *name, unsigned pass, unsigned percent, uint64_t job_s)
{
	uint64_t done = percent == 100 ? DRIVE_BYTES : DRIVE_BYTES / 100 * percent + 100;

	return (struct job_snapshot){
		.name = name,
		.phase = pass ? JOB_VERIFYING : JOB_WRITING,
		.pass = pass,
		.pass_done = done,
		.pass_bytes = DRIVE_BYTES,
		.work_done = pass * DRIVE_BYTES + done,
		.work_bytes = 2 * DRIVE_BYTES,
		.job_ns = job_s * NS_PER_S,
		.pass_ns = job_s * NS_PER_S,
		.passes_left = !pass,
	};
}

static struct job_snapshot finished(const char *name)
{
	struct job_snapshot s = moment(name, 1, 100, 20000);

	s.phase = JOB_FINISHED;
	return s;
}

/* ---- one line ---- */

static void look(struct view *view, const struct job_snapshot *snapshot)
{
	memset(view, 0, sizeof(*view));
	view->snapshot = *snapshot;
	strncpy(view->name, snapshot->name, sizeof(view->name) - 1);
	view->reading = (struct meter_reading){
		.rate = 178 * MIB,
		.mean_rate = 171 * MIB,
		.pass_done = snapshot->pass_done,
		.pass_percent = (unsigned)(snapshot->pass_done / (snapshot->pass_bytes / 100)),
		.percent = snapshot->phase == JOB_FINISHED ? snapshot->work_bad ? 97 : 100 : 42,
		.eta_known = true,
		.eta_s = 36942,
	};
}

static void the_line_has_the_order_of_pv_and_fits_any_width(void **state)
{
	static const struct {
		unsigned columns;
		const char *line;
	} cases[] = {
		{ 95, "sdb write  1.20TiB 2:03:11 [ 178MiB/s] [ 171MiB/s] [=======>                "
		      "] 33% ETA "
		      "10:15:42" },
		{ 80, "sdb write  1.20TiB 2:03:11 [ 178MiB/s] [ 171MiB/s] [==>      ] 33% ETA "
		      "10:15:42" },
		{ 75,
		  "sdb write  1.20TiB 2:03:11 [ 178MiB/s] [=====>          ] 33% ETA 10:15:42" },
		{ 60, "sdb write  2:03:11 [ 178MiB/s] [==>      ] 33% ETA 10:15:42" },
		{ 59, "sdb write 33% 178MiB/s ETA 10:15:42" },
		{ 40, "sdb write 33% 178MiB/s ETA 10:15:42" },
		{ 36, "sdb write 33% 178MiB/s ETA 10:15:42" },
		{ 35, "sdb write 33% ETA 10:15:42" },
		{ 26, "sdb write 33%" },
		{ 20, "sdb write 33%" },
		{ 19, "33%" },
		{ 4, "33%" },
		{ 3, "33" },
		{ 1, "" },
		{ 0, "" },
	};
	struct job_snapshot s = moment("sdb", 0, 33, 7391);
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	look(&view, &s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		line_make(line, &view, cases[i].columns, line_name_columns(3, cases[i].columns));
		assert_string_equal(line, cases[i].line);
	}
}

static void no_line_is_as_wide_as_the_terminal(void **state)
{
	static const char *const names[] = {
		"sdb",
		"nvme0n1",
		"an image file with a very long name indeed, longer than any terminal.img",
		"\xe5\x86\x99\xe7\x9c\x9f\xe5\x86\x99\xe7\x9c\x9f\xe5\x86\x99\xe7\x9c\x9f.img",
	};
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	for (unsigned columns = 1; columns < 500; columns++) {
		for (unsigned i = 0; i < 4 * 6; i++) {
			struct job_snapshot s = moment(names[i % 4], 1, 100, 999999999);

			s.phase = (enum job_phase)(i / 4 % 5);
			s.bad_count = i % 3 * 1000000;
			s.silent_ns = i % 2 ? UINT64_MAX : 0;
			look(&view, &s);
			line_make(line, &view, columns,
				  line_name_columns(line_columns(view.name), columns));
			assert_true(line_columns(line) < columns);
		}
	}
}

static void names_line_up_and_lose_their_middle(void **state)
{
	static const struct {
		const char *name;
		unsigned longest;
		const char *line;
	} cases[] = {
		{ "sdb", 7, "sdb     write 33%" },
		{ "nvme0n1", 7, "nvme0n1 write 33%" },
		{ "disk-of-anna.img", 16, "dis..img write 33%" },
		{ "\xe5\x86\x99\xe7\x9c\x9f\xe5\x86\x99\xe7\x9c\x9f\xe5\x86\x99", 10,
		  "\xe5\x86\x99..\xe5\x86\x99 write 33%" },
	};
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct job_snapshot s = moment(cases[i].name, 0, 33, 100);

		look(&view, &s);
		line_make(line, &view, 26, line_name_columns(cases[i].longest, 26));
		assert_string_equal(line, cases[i].line);
	}
}

static void what_the_drive_is_at_is_said(void **state)
{
	static const struct {
		enum job_phase phase;
		uint64_t silent_s, bad;
		unsigned columns;
		const char *line;
	} cases[] = {
		{ JOB_WAITING, 0, 0, 80, "sdb waiting 33%" },
		{ JOB_VERIFYING, 0, 0, 80,
		  "sdb verify 1.20TiB 2:03:11 [ 178MiB/s] [ 171MiB/s] [==>      ] 33% ETA "
		  "10:15:42" },
		{ JOB_FLUSHING, 0, 0, 60,
		  "sdb flushing  [============>                          ] 33%" },
		{ JOB_FLUSHING, 35, 0, 60,
		  "sdb flushing for 35 s  [=========>                    ] 33%" },
		{ JOB_FLUSHING, 35, 0, 40, "sdb flushing for 35 s 33%" },
		{ JOB_WRITING, 10, 0, 40, "sdb write 33% 178MiB/s ETA 10:15:42" },
		{ JOB_WRITING, 35, 0, 60,
		  "sdb no answer for 35 s  [=========>                   ] 33%" },
		{ JOB_WRITING, 35, 0, 40, "sdb no answer for 35 s 33%" },
		{ JOB_WRITING, 35, 0, 20, "sdb no answer 33%" },
		{ JOB_WRITING, 0, 3, 80,
		  "sdb write  1.20TiB 2:03:11 [ 178MiB/s] [=>    ] 33% ETA 10:15:42  3 bad "
		  "sectors" },
		{ JOB_WRITING, 0, 1, 59, "sdb write 33% 178MiB/s ETA 10:15:42  1 bad sector" },
		{ JOB_WRITING, 0, 3, 40, "sdb write 33% ETA 10:15:42  3 bad" },
		{ JOB_FINISHED, 0, 0, 80, "sdb done 100%" },
		{ JOB_FINISHED, 0, 3, 80, "sdb ended 97%  3 bad sectors" },
	};
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct job_snapshot s = moment("sdb", 0, 33, 7391);

		s.phase = cases[i].phase;
		s.silent_ns = cases[i].silent_s * NS_PER_S;
		if (cases[i].silent_s == 10)
			s.silent_ns += NS_PER_S - 1;
		s.bad_count = s.work_bad = cases[i].bad;
		look(&view, &s);
		line_make(line, &view, cases[i].columns, line_name_columns(3, cases[i].columns));
		assert_string_equal(line, cases[i].line);
	}
}

static void what_is_not_known_is_not_made_up(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 0, 0);
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	look(&view, &s);
	view.reading = (struct meter_reading){ 0 };
	line_make(line, &view, 80, 3);
	assert_string_equal(
		line,
		"sdb write       0B 0:00:00 [        -] [        -] [>        ]  0% ETA  -:--:--");
	line_make(line, &view, 40, 3);
	assert_string_equal(line, "sdb write 0%");
}

static void the_bar_is_full_only_at_a_hundred(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 99, 100);
	char line[LINE_BYTES_MAX];
	struct view view;

	(void)state;
	s.pass_done = DRIVE_BYTES - 1;
	look(&view, &s);
	view.reading.pass_percent = 99;
	line_make(line, &view, 80, 3);
	assert_non_null(strstr(line, "=>] 99%"));
	s.pass_done = DRIVE_BYTES;
	look(&view, &s);
	line_make(line, &view, 80, 3);
	assert_non_null(strstr(line, "==] 100%"));
}

/* ---- screens ---- */

struct screen {
	int master, slave;
	struct console console;
	struct progress *progress;
};

static void set_size(const struct screen *s, unsigned short rows, unsigned short columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };

	assert_int_equal(ioctl(s->master, TIOCSWINSZ, &size), 0);
}

static void screen_open(struct screen *s, unsigned count)
{
	struct termios raw;

	assert_int_equal(openpty(&s->master, &s->slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(s->slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(s->slave, TCSANOW, &raw), 0);
	assert_int_not_equal(fcntl(s->master, F_SETFL, O_NONBLOCK), -1);
	set_size(s, 24, 40);
	console_init(&s->console, s->slave, "xterm", "stormwipe");
	assert_int_equal(progress_new(&s->console, PROGRESS_AUTO, count, &s->progress), 0);
}

static void screen_close(struct screen *s)
{
	progress_free(s->progress);
	close(s->master);
	close(s->slave);
}

/* All that was written since; without waiting, so it must be there already. */
static const char *taken(int fd)
{
	size_t length = 0;
	ssize_t n;

	while (length < OUTPUT_MAX - 1 &&
	       (n = read(fd, output + length, OUTPUT_MAX - 1 - length)) > 0)
		length += (size_t)n;
	output[length] = '\0';
	return output;
}

static void a_frame_replaces_the_one_before(void **state)
{
	struct job_snapshot s[] = { moment("sdb", 0, 33, 100), finished("sdc") };
	struct screen screen;

	(void)state;
	screen_open(&screen, 2);
	s[0].silent_ns = 20 * NS_PER_S;
	progress_update(screen.progress, s, 2);
	assert_string_equal(taken(screen.master),
			    "sdb no answer for 20 s 33%\033[K\nsdc done 100%\033[K\n\033[J");
	progress_update(screen.progress, s, 2);
	assert_string_equal(taken(screen.master),
			    "\033[2Asdb no answer for 20 s 33%\033[K\nsdc done 100%\033[K\n\033[J");
	screen_close(&screen);
}

static void lines_that_a_narrower_terminal_wrapped_are_replaced_too(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 33, 100);
	struct screen screen;

	(void)state;
	screen_open(&screen, 1);
	s.silent_ns = 20 * NS_PER_S;
	progress_update(screen.progress, &s, 1);
	assert_int_equal(strlen("sdb no answer for 20 s 33%"), 26);
	set_size(&screen, 24, 10);
	(void)taken(screen.master);
	progress_update(screen.progress, &s, 1);
	assert_string_equal(taken(screen.master), "\033[3A33%\033[K\n\033[J");
	set_size(&screen, 24, 40);
	progress_update(screen.progress, &s, 1);
	assert_string_equal(taken(screen.master),
			    "\033[1Asdb no answer for 20 s 33%\033[K\n\033[J");
	screen_close(&screen);
}

static void a_message_stays_above_the_next_frame(void **state)
{
	struct job_snapshot s = finished("sdb");
	struct screen screen;

	(void)state;
	screen_open(&screen, 1);
	progress_update(screen.progress, &s, 1);
	console_error(&screen.console, "no space");
	(void)taken(screen.master);
	progress_update(screen.progress, &s, 1);
	assert_string_equal(taken(screen.master), "sdb done 100%\033[K\n\033[J");
	screen_close(&screen);
}

static void a_report_takes_the_place_of_the_frame(void **state)
{
	struct job_snapshot s = finished("sdb");
	struct screen screen;
	const char *text;

	(void)state;
	screen_open(&screen, 1);
	progress_update(screen.progress, &s, 1);
	(void)taken(screen.master);
	progress_report(screen.progress, &s, 1);
	text = taken(screen.master);
	assert_memory_equal(text, "\033[1A\033[J20", 9);
	assert_non_null(
		strstr(text, " sdb done 100% 8001574060032/8001574060032 bytes in 5:33:20\n"));
	progress_update(screen.progress, &s, 1);
	assert_string_equal(taken(screen.master), "sdb done 100%\033[K\n\033[J");
	screen_close(&screen);
}

static void drives_that_run_come_first_where_rows_are_few(void **state)
{
	struct job_snapshot s[] = { finished("sda"), finished("sdb"), moment("sdc", 0, 33, 100),
				    finished("sdd"), moment("sde", 0, 34, 100) };
	struct screen screen;

	(void)state;
	screen_open(&screen, 5);
	s[2].silent_ns = s[4].silent_ns = 11 * NS_PER_S;
	set_size(&screen, 5, 40);
	progress_update(screen.progress, s, 5);
	assert_string_equal(taken(screen.master),
			    "sdc no answer for 11 s 33%\033[K\nsde no answer for 11 s 34%\033[K\n"
			    "sda done 100%\033[K\n... and 2 more\033[K\n\033[J");
	set_size(&screen, 1, 40);
	progress_update(screen.progress, s, 5);
	assert_string_equal(taken(screen.master),
			    "\033[4Asdc no answer for 11 s 33%\033[K\n\033[J");
	progress_finish(screen.progress, s, 5);
	assert_string_equal(taken(screen.master),
			    "\033[1Asda done 100%\033[K\nsdb done 100%\033[K\n"
			    "sdc no answer for 11 s 33%\033[K\nsdd done 100%\033[K\n"
			    "sde no answer for 11 s 34%\033[K\n\033[J");
	screen_close(&screen);
}

/* A frame of @count lines in @text that came through whole; NULL if there is none. */
static const char *find_frame(const char *text, unsigned count)
{
	static const char start[] = "\033[40Asdb write", line[] = "] 99% ETA";

	for (const char *frame = strstr(text, start), *next; frame; frame = next) {
		unsigned lines = 0;

		next = strstr(frame + 1, start);
		for (const char *p = strstr(frame, line); p && (!next || p < next);
		     p = strstr(p + 1, line))
			lines++;
		if (lines == count)
			return frame;
	}
	return NULL;
}

/* Reads and draws until such a frame has come; what the terminal holds comes in parts. */
static const char *whole_frame(struct screen *screen, const struct job_snapshot *s, unsigned count)
{
	enum { TRIES = 1000 };
	static char text[1 << 20];
	const char *frame = NULL;
	size_t length = 0;

	for (unsigned i = 0; !frame && i < TRIES && length < sizeof(text) - 1; i++) {
		(void)snprintf(text + length, sizeof(text) - length, "%s", taken(screen->master));
		length += strlen(text + length);
		frame = find_frame(text, count);
		progress_update(screen->progress, s, count);
	}
	return frame;
}

/* If this blocks, it never ends. What was cut off in the middle of a frame is sent later. */
static void a_terminal_that_takes_nothing_holds_nobody_up(void **state)
{
	enum { MANY = 40, TICKS = 2000 };
	struct job_snapshot s[MANY];
	struct screen screen;
	const char *text;

	(void)state;
	screen_open(&screen, MANY);
	set_size(&screen, 60, 200);
	for (unsigned tick = 0; tick < TICKS; tick++) {
		for (unsigned i = 0; i < MANY; i++)
			s[i] = moment("sdb", 0, tick / 20, tick);
		progress_update(screen.progress, s, MANY);
	}
	assert_true(strlen(taken(screen.master)) > 0);
	text = whole_frame(&screen, s, MANY);
	assert_non_null(text);
	for (unsigned i = 0; i < MANY; i++) {
		text = strstr(text, "] 99% ETA");
		assert_non_null(text);
		text++;
	}
	screen_close(&screen);
}

static void the_progress_bar_uses_three_escapes_and_no_return(void **state)
{
	struct job_snapshot s = moment("sd\rb\033]0;x\007", 0, 33, 100);
	struct screen screen;
	const char *text;

	(void)state;
	screen_open(&screen, 1);
	progress_update(screen.progress, &s, 1);
	progress_update(screen.progress, &s, 1);
	text = taken(screen.master);
	assert_null(strpbrk(text, "\r\007"));
	for (; (text = strchr(text, '\033')); text++)
		assert_true(!strncmp(text, "\033[K", 3) || !strncmp(text, "\033[J", 3) ||
			    !strncmp(text, "\033[1A", 4));
	screen_close(&screen);
}

/* ---- pipes ---- */

struct wire {
	int ends[2];
	struct console console;
	struct progress *progress;
};

static void wire_open(struct wire *w, enum progress_style style, unsigned count)
{
	assert_int_equal(pipe2(w->ends, O_CLOEXEC), 0);
	assert_int_not_equal(fcntl(w->ends[0], F_SETFL, O_NONBLOCK), -1);
	console_init(&w->console, w->ends[1], "xterm", "stormwipe");
	assert_int_equal(progress_new(&w->console, style, count, &w->progress), 0);
}

static void wire_close(struct wire *w)
{
	progress_free(w->progress);
	close(w->ends[0]);
	close(w->ends[1]);
}

static unsigned lines_of(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void a_plain_line_says_it_all(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 33, 7391);
	struct wire w;
	const char *text;

	(void)state;
	wire_open(&w, PROGRESS_AUTO, 1);
	s.bad_count = 3;
	progress_update(w.progress, &s, 1);
	text = taken(w.ends[0]);
	assert_int_equal(strcspn(text, " "), strlen("2026-11-30T21:45:00+01:00"));
	assert_string_equal(
		strchr(text, ' '),
		" sdb write 33% 1320259720000/4000787030016 bytes, 170 MiB/s, ETA 10:23:23, "
		"3 bad sectors\n");
	wire_close(&w);
}

static void plain_lines_are_seldom(void **state)
{
	/* What each call may print: a line or not. */
	static const struct {
		unsigned pass, percent, job_s;
		unsigned lines;
	} calls[] = {
		{ 0, 0, 0, 1 },	  { 0, 5, 1, 0 },   { 0, 10, 2, 1 },  { 0, 19, 3, 0 },
		{ 0, 45, 4, 1 },  { 0, 49, 9, 0 },  { 0, 70, 10, 0 }, { 0, 71, 13, 0 },
		{ 0, 72, 14, 1 }, { 0, 90, 23, 0 }, { 0, 91, 24, 1 }, { 1, 0, 25, 1 },
		{ 1, 1, 34, 0 },  { 1, 2, 35, 1 },
	};
	struct job_snapshot end = finished("sdb");
	struct wire w;

	(void)state;
	wire_open(&w, PROGRESS_PLAIN, 1);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct job_snapshot s =
			moment("sdb", calls[i].pass, calls[i].percent, calls[i].job_s);

		progress_update(w.progress, &s, 1);
		assert_int_equal(lines_of(taken(w.ends[0])), calls[i].lines);
	}
	progress_update(w.progress, &end, 1);
	assert_non_null(strstr(taken(w.ends[0]), " sdb done 100% "));
	progress_update(w.progress, &end, 1);
	progress_finish(w.progress, &end, 1);
	assert_string_equal(taken(w.ends[0]), "");
	wire_close(&w);
}

static void off_a_terminal_there_are_no_control_codes(void **state)
{
	struct job_snapshot s[] = { moment("a\nb", 0, 33, 100), moment("sdc", 1, 50, 100) };
	struct wire w;

	(void)state;
	wire_open(&w, PROGRESS_AUTO, 2);
	progress_update(w.progress, s, 2);
	progress_report(w.progress, s, 2);
	progress_finish(w.progress, s, 2);
	for (const char *c = taken(w.ends[0]); *c; c++)
		assert_true((unsigned char)*c >= ' ' || *c == '\n');
	assert_int_equal(lines_of(output), 6);
	wire_close(&w);
}

static void a_full_pipe_holds_nobody_up_and_the_line_comes_later(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 33, 100);
	static const enum progress_style styles[] = { PROGRESS_PLAIN, PROGRESS_JSON };
	char block[4096] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		struct wire w;

		wire_open(&w, styles[i], 1);
		assert_int_not_equal(fcntl(w.ends[1], F_SETFL, O_NONBLOCK), -1);
		while (write(w.ends[1], block, sizeof(block)) > 0)
			;
		assert_int_not_equal(fcntl(w.ends[1], F_SETFL, 0), -1);
		progress_update(w.progress, &s, 1);
		progress_report(w.progress, &s, 1);
		(void)taken(w.ends[0]);
		while (*taken(w.ends[0]))
			;
		progress_update(w.progress, &s, 1);
		assert_int_equal(lines_of(taken(w.ends[0])), 1);
		wire_close(&w);
	}
}

static void nobody_reading_is_no_trouble(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 33, 100);
	struct wire w;

	(void)state;
	wire_open(&w, PROGRESS_PLAIN, 1);
	close(w.ends[0]);
	progress_update(w.progress, &s, 1);
	progress_finish(w.progress, &s, 1);
	w.ends[0] = -1;
	wire_close(&w);
}

static void none_prints_nothing_but_a_report(void **state)
{
	struct job_snapshot s = moment("sdb", 0, 33, 100);
	struct wire w;

	(void)state;
	wire_open(&w, PROGRESS_NONE, 1);
	progress_update(w.progress, &s, 1);
	progress_finish(w.progress, &s, 1);
	assert_string_equal(taken(w.ends[0]), "");
	progress_report(w.progress, &s, 1);
	assert_int_equal(lines_of(taken(w.ends[0])), 1);
	wire_close(&w);
}

/* ---- JSON ---- */

/* Takes the first line of what was printed; the caller's to free. */
static json_t *next_line(const char **text)
{
	json_error_t error;
	json_t *line;

	if (!**text)
		return NULL;
	line = json_loadb(*text, strcspn(*text, "\n"), JSON_REJECT_DUPLICATES, &error);
	assert_non_null(line);
	*text += strcspn(*text, "\n");
	*text += **text == '\n';
	return line;
}

static json_int_t number(const json_t *line, const char *name)
{
	const json_t *value = json_object_get(line, name);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void json_lines_carry_numbers(void **state)
{
	struct job_snapshot s = moment("sdb", 1, 50, 100);
	struct wire w;
	const char *text;
	json_t *line;

	(void)state;
	wire_open(&w, PROGRESS_JSON, 1);
	s.work_bad = 1536;
	s.bad_count = 3;
	s.job_ns = 123456789 * NS_PER_MS;
	s.silent_ns = 250 * NS_PER_MS;
	s.pacer = PACED_BY_DRIVE;
	progress_update(w.progress, &s, 1);
	text = taken(w.ends[0]);
	assert_non_null(strstr(text, "\"elapsed_s\":123456.789,\"silent_s\":0.25,"));
	line = next_line(&text);
	assert_string_equal(json_string_value(json_object_get(line, "device")), "sdb");
	assert_string_equal(json_string_value(json_object_get(line, "phase")), "verify");
	assert_int_equal(strlen(json_string_value(json_object_get(line, "time"))),
			 strlen("2026-11-30T21:45:00Z"));
	assert_int_equal(number(line, "pass"), 2);
	assert_int_equal(number(line, "bytes"), s.pass_done);
	assert_int_equal(number(line, "bytes_total"), DRIVE_BYTES);
	assert_int_equal(number(line, "work_bytes"), s.work_done);
	assert_int_equal(number(line, "work_total"), 2 * DRIVE_BYTES);
	assert_int_equal(number(line, "bad_bytes"), 1536);
	assert_int_equal(number(line, "bad_sectors"), 3);
	assert_string_equal(json_string_value(json_object_get(line, "paced_by")), "drive");
	assert_int_equal(number(line, "percent"), 75);
	assert_int_equal(number(line, "phase_percent"), 50);
	assert_int_equal(number(line, "mean_rate"), s.pass_done / 100);
	assert_int_equal(number(line, "eta_s"), 100);
	assert_int_equal(json_object_size(line), 18);
	json_decref(line);
	wire_close(&w);
}

static void json_lines_come_each_second_and_at_changes(void **state)
{
	static const struct {
		unsigned pass, job_ms;
		enum job_phase phase;
		unsigned lines;
	} calls[] = {
		{ 0, 0, JOB_WAITING, 1 },      { 0, 0, JOB_WRITING, 1 },
		{ 0, 200, JOB_WRITING, 0 },    { 0, 999, JOB_WRITING, 0 },
		{ 0, 1000, JOB_WRITING, 1 },   { 0, 1200, JOB_FLUSHING, 1 },
		{ 1, 1300, JOB_VERIFYING, 1 }, { 1, 2299, JOB_VERIFYING, 0 },
		{ 1, 2300, JOB_VERIFYING, 1 }, { 1, 2400, JOB_FINISHED, 1 },
		{ 1, 2400, JOB_FINISHED, 0 },
	};
	struct job_snapshot s = { 0 };
	struct wire w;

	(void)state;
	wire_open(&w, PROGRESS_JSON, 1);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		s = moment("sdb", calls[i].pass, 1, 0);
		s.phase = calls[i].phase;
		s.job_ns = calls[i].job_ms * NS_PER_MS;
		progress_update(w.progress, &s, 1);
		assert_int_equal(lines_of(taken(w.ends[0])), calls[i].lines);
	}
	progress_finish(w.progress, &s, 1);
	assert_string_equal(taken(w.ends[0]), "");
	wire_close(&w);
}

static void a_run_of_no_time_has_its_first_and_last_line(void **state)
{
	struct job_snapshot s = {
		.name = "f", .phase = JOB_WAITING, .pass_bytes = 1, .work_bytes = 2
	};
	struct wire w;
	const char *text;
	json_t *first, *last;

	(void)state;
	wire_open(&w, PROGRESS_JSON, 1);
	progress_update(w.progress, &s, 1);
	s.phase = JOB_FINISHED;
	s.pass = 1;
	s.pass_done = 1;
	s.work_done = 2;
	progress_finish(w.progress, &s, 1);
	text = taken(w.ends[0]);
	first = next_line(&text);
	last = next_line(&text);
	assert_string_equal(text, "");
	assert_int_equal(number(first, "percent"), 0);
	assert_true(json_is_null(json_object_get(first, "eta_s")));
	assert_int_equal(number(last, "percent"), 100);
	assert_int_equal(number(last, "rate"), 0);
	assert_int_equal(number(last, "eta_s"), 0);
	json_decref(first);
	json_decref(last);
	wire_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_has_the_order_of_pv_and_fits_any_width),
		cmocka_unit_test(no_line_is_as_wide_as_the_terminal),
		cmocka_unit_test(names_line_up_and_lose_their_middle),
		cmocka_unit_test(what_the_drive_is_at_is_said),
		cmocka_unit_test(what_is_not_known_is_not_made_up),
		cmocka_unit_test(the_bar_is_full_only_at_a_hundred),
		cmocka_unit_test(a_frame_replaces_the_one_before),
		cmocka_unit_test(lines_that_a_narrower_terminal_wrapped_are_replaced_too),
		cmocka_unit_test(a_message_stays_above_the_next_frame),
		cmocka_unit_test(a_report_takes_the_place_of_the_frame),
		cmocka_unit_test(drives_that_run_come_first_where_rows_are_few),
		cmocka_unit_test(a_terminal_that_takes_nothing_holds_nobody_up),
		cmocka_unit_test(the_progress_bar_uses_three_escapes_and_no_return),
		cmocka_unit_test(a_plain_line_says_it_all),
		cmocka_unit_test(plain_lines_are_seldom),
		cmocka_unit_test(off_a_terminal_there_are_no_control_codes),
		cmocka_unit_test(a_full_pipe_holds_nobody_up_and_the_line_comes_later),
		cmocka_unit_test(nobody_reading_is_no_trouble),
		cmocka_unit_test(none_prints_nothing_but_a_report),
		cmocka_unit_test(json_lines_carry_numbers),
		cmocka_unit_test(json_lines_come_each_second_and_at_changes),
		cmocka_unit_test(a_run_of_no_time_has_its_first_and_last_line),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

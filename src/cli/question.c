/* SPDX-License-Identifier: MIT */
/* The last thing between a drive and its end: shown, asked, answered. */
#include "cli/question.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"
#include "cli/words.h"

enum { SERIAL_TAIL = 4, ANSWER_MAX = 512, WIDTH = 79, INDENT = 11 };

/* "label      text" with the text broken at spaces before column 80. */
static void show_line(FILE *out, const char *label, const char *raw)
{
	const size_t room = WIDTH - INDENT;
	char clean[WORDS_MAX];
	const char *text = text_clean(clean, sizeof(clean), raw);

	do {
		size_t length = strlen(text), cut = length;

		if (length > room) {
			for (cut = room; cut && text[cut] != ' ';)
				cut--;
			if (!cut)
				cut = strcspn(text, " ");
		}
		fprintf(out, "%-*s%.*s\n", INDENT - 1, label, (int)cut, text);
		text += cut;
		while (*text == ' ')
			text++;
		label = "";
	} while (*text);
}

static void show_identity(const struct drive_facts *f, FILE *out)
{
	char text[WORDS_MAX], medium[WORDS_MAX], full[FMT_MAX], si[FMT_MAX], iec[FMT_MAX];

	fprintf(out, "%s\n", text_clean(text, sizeof(text), f->path));
	(void)text_print(text, sizeof(text), "%s%s%s%s%s%s", f->vendor, *f->vendor ? " " : "",
			 *f->model ? f->model : words_medium(medium, f),
			 *f->serial ? ", serial " : "", f->serial,
			 *f->serial || f->kind == DRIVE_FILE ? "" : ", no serial number");
	show_line(out, "  drive", text);
	(void)text_print(text, sizeof(text), "%s bytes (%s, %s), %s", fmt_grouped(full, f->size),
			 fmt_bytes_si(si, f->size), fmt_bytes(iec, f->size),
			 words_medium(medium, f));
	show_line(out, "  size", text);
	if (*f->by_id)
		show_line(out, "  name", f->by_id);
	else if (*f->node && strcmp(f->node, f->path))
		show_line(out, "  name", f->node);
	if (*f->backing)
		show_line(out, "  file", f->backing);
}

static void show_plan(const struct target *t, const struct keystream_kind *keystream, FILE *out)
{
	uint64_t rate = t->likely_rate;
	char text[WORDS_MAX], took[FMT_MAX], speed[FMT_MAX];

	(void)text_print(
		text, sizeof(text), "1 pass of random data (%s), flush%s; about %s if it does %s",
		keystream->title,
		t->plan.count > 1 ? ", then read everything back and compare" : ", no verification",
		fmt_duration(took, t->plan.bytes / rate * NS_PER_S +
					   t->plan.bytes % rate * NS_PER_S / rate),
		fmt_rate(speed, rate, NS_PER_S));
	show_line(out, "  plan", text);
	if (t->facts.kind == DRIVE_DISK && !*t->facts.backing)
		show_line(out, "  result", "Clear (an overwrite; NIST SP 800-88)");
	else if (t->facts.kind == DRIVE_PARTITION)
		show_line(out, "  result",
			  "only this partition: the rest of its drive stays as it is");
}

void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out)
{
	char text[WORDS_MAX];

	show_identity(&t->facts, out);
	show_line(out, "  on it", words_contents(text, &t->facts, &t->contents));
	for (unsigned i = t->gate.refusals; i < t->gate.count; i++)
		show_line(out, "  note", words_finding(text, &t->facts, &t->gate.items[i]));
	show_plan(t, keystream, out);
}

bool question_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static bool read_answer(char answer[ANSWER_MAX])
{
	char *newline;

	if (!fgets(answer, ANSWER_MAX, stdin))
		return false;
	newline = strchr(answer, '\n');
	if (newline)
		*newline = '\0';
	return newline != NULL;
}

bool question_ask(const struct target *t)
{
	const char *serial = t->facts.serial, *wanted = t->facts.name;
	size_t length = strlen(serial);
	char answer[ANSWER_MAX];

	/* Before the question, not after it: an answer is never taken for type-ahead. */
	(void)tcflush(STDIN_FILENO, TCIFLUSH);
	fprintf(stderr, "\nEverything on %s will be destroyed for ever.\n",
		t->facts.kind == DRIVE_FILE ? "it" : "this drive");
	if (length >= SERIAL_TAIL) {
		wanted = serial + length - SERIAL_TAIL;
		fprintf(stderr, "Type the last %d characters of its serial number", SERIAL_TAIL);
	} else {
		fprintf(stderr, "Type its name (%s)", wanted);
	}
	fprintf(stderr, " to start,\nanything else to leave it alone: ");
	(void)fflush(stderr);
	return read_answer(answer) && !strcmp(answer, wanted);
}

/* SPDX-License-Identifier: MIT */
/* The last thing between a drive and its end: shown, asked, answered. */
#include "cli/question.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"
#include "cli/paragraph.h"
#include "cli/words.h"

enum { SERIAL_TAIL = 4, ANSWER_MAX = 512 };

static void show_identity(const struct drive_facts *f, FILE *out)
{
	char text[WORDS_MAX], medium[WORDS_MAX], full[FMT_MAX], si[FMT_MAX], iec[FMT_MAX];

	fprintf(out, "%s\n", text_clean(text, sizeof(text), f->path));
	(void)text_print(text, sizeof(text), "%s%s%s%s%s%s", f->vendor, *f->vendor ? " " : "",
			 *f->model ? f->model : words_medium(medium, f),
			 *f->serial ? ", serial " : "", f->serial,
			 *f->serial || f->kind == DRIVE_FILE ? "" : ", no serial number");
	paragraph(out, "  drive", PARAGRAPH_LABEL, text);
	(void)text_print(text, sizeof(text), "%s bytes (%s, %s), %s", fmt_grouped(full, f->size),
			 fmt_bytes_si(si, f->size), fmt_bytes(iec, f->size),
			 words_medium(medium, f));
	paragraph(out, "  size", PARAGRAPH_LABEL, text);
	if (*f->by_id)
		paragraph(out, "  name", PARAGRAPH_LABEL, f->by_id);
	else if (*f->node && strcmp(f->node, f->path))
		paragraph(out, "  name", PARAGRAPH_LABEL, f->node);
	if (*f->backing)
		paragraph(out, "  file", PARAGRAPH_LABEL, f->backing);
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
	paragraph(out, "  plan", PARAGRAPH_LABEL, text);
	if (t->facts.kind == DRIVE_DISK && !*t->facts.backing)
		paragraph(out, "  result", PARAGRAPH_LABEL, "Clear (an overwrite; NIST SP 800-88)");
	else if (t->facts.kind == DRIVE_PARTITION)
		paragraph(out, "  result", PARAGRAPH_LABEL,
			  "only this partition: the rest of its drive stays as it is");
}

void question_show_drive(const struct target *t, FILE *out)
{
	char text[WORDS_MAX];

	show_identity(&t->facts, out);
	paragraph(out, "  on it", PARAGRAPH_LABEL, words_contents(text, &t->facts, &t->contents));
	for (unsigned i = t->gate.refusals; i < t->gate.count; i++)
		paragraph(out, "  note", PARAGRAPH_LABEL,
			  words_finding(text, &t->facts, &t->gate.items[i]));
}

void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out)
{
	question_show_drive(t, out);
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

bool question_ask(const struct target *t, const char *what)
{
	const char *serial = t->facts.serial, *wanted = t->facts.name;
	size_t length = strlen(serial);
	char answer[ANSWER_MAX];

	/* Before the question, not after it: an answer is never taken for type-ahead. */
	(void)tcflush(STDIN_FILENO, TCIFLUSH);
	fprintf(stderr, "\n%s %s will be destroyed for ever.\n", what,
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

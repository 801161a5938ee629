/* SPDX-License-Identifier: MIT */
/* The last thing between a drive and its end: shown, asked, answered. */
#include "cli/question.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"
#include "cli/list-words.h"
#include "cli/paragraph.h"
#include "cli/words.h"
#include "device/same.h"
#include "ui/table.h"

enum { SERIAL_TAIL = 4 };

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
	if (*f->port)
		paragraph(out, "  port", PARAGRAPH_LABEL, f->port);
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
	if (*words_age(text, &t->facts, &t->contents))
		paragraph(out, "  age", PARAGRAPH_LABEL, text);
	for (unsigned i = t->gate.refusals; i < t->gate.count; i++)
		paragraph(out, "  note", PARAGRAPH_LABEL,
			  words_finding(text, &t->facts, &t->gate.items[i]));
}

void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out)
{
	question_show_drive(t, out);
	show_plan(t, keystream, out);
}

static int add_row(struct table *table, const struct target *t)
{
	char size[FMT_MAX], medium[WORDS_MAX], contents[LIST_TEXT_MAX];
	const struct drive_facts *f = &t->facts;

	return table_add(table, (const char *const[]){ *f->node ? f->node : f->path,
						       fmt_bytes_si(size, f->size), f->model,
						       f->serial, words_medium(medium, f),
						       list_words_on_it(contents, &t->contents) });
}

static bool has_note(const struct target *t, const char *note)
{
	char text[WORDS_MAX];

	for (unsigned i = t->gate.refusals; i < t->gate.count; i++)
		if (!strcmp(words_finding(text, &t->facts, &t->gate.items[i]), note))
			return true;
	return false;
}

/* What is to be known of drives besides their rows; what is so of several stands once. */
static void show_notes(const struct target *targets, unsigned count, unsigned which, FILE *out)
{
	const struct target *t = &targets[which];
	char note[WORDS_MAX], line[2 * WORDS_MAX];

	for (unsigned i = t->gate.refusals; i < t->gate.count; i++) {
		bool said = false;

		words_finding(note, &t->facts, &t->gate.items[i]);
		for (unsigned k = 0; !said && k < which; k++)
			said = !target_out(&targets[k]) && has_note(&targets[k], note);
		if (said)
			continue;
		(void)text_print(line, sizeof(line), "%s", t->facts.name);
		for (unsigned k = which + 1; k < count; k++)
			if (!target_out(&targets[k]) && has_note(&targets[k], note))
				(void)text_append(line, sizeof(line), ", %s",
						  targets[k].facts.name);
		(void)text_append(line, sizeof(line), ": %s", note);
		paragraph(out, "  note", PARAGRAPH_LABEL, line);
	}
}

/* The longest of the drives decides, for they run side by side. */
static const struct target *slowest(const struct target *targets, unsigned count)
{
	const struct target *worst = NULL;

	for (unsigned i = 0; i < count; i++) {
		const struct target *t = &targets[i];

		if (!target_out(t) && (!worst || t->plan.bytes / t->likely_rate >
							 worst->plan.bytes / worst->likely_rate))
			worst = t;
	}
	return worst;
}

int question_show_table(const struct target *targets, unsigned count,
			const struct keystream_kind *keystream, FILE *out)
{
	static const struct table_column columns[] = { { "DEVICE", false }, { "SIZE", true },
						       { "MODEL", false },  { "SERIAL", false },
						       { "KIND", false },   { "ON IT", false } };
	const struct target *longest = slowest(targets, count);
	struct table *table;
	char *text;
	int r = table_new(columns, sizeof(columns) / sizeof(*columns), &table);

	if (r)
		return r;
	for (unsigned i = 0; !r && i < count; i++)
		if (!target_out(&targets[i]))
			r = add_row(table, &targets[i]);
	if (!r)
		r = table_text(table, &text);
	table_free(table);
	if (r)
		return r;
	fputs(text, out);
	free(text);
	for (unsigned i = 0; i < count; i++)
		if (!target_out(&targets[i]))
			show_notes(targets, count, i, out);
	if (longest)
		show_plan(longest, keystream, out);
	return 0;
}

bool question_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

enum question_kind question_answer(const struct drive_facts *facts, bool serial_shared,
				   char ret_answer[QUESTION_ANSWER_MAX])
{
	const uint64_t gb = 1000000000, hundredth = gb / 100;
	uint64_t hundredths = facts->size / hundredth + (facts->size % hundredth >= hundredth / 2);
	const char *serial = facts->serial;

	if (facts->kind == DRIVE_FILE) {
		(void)text_print(ret_answer, QUESTION_ANSWER_MAX, "%s", facts->name);
		return QUESTION_FILE;
	}
	if (serial_usable(serial) && !serial_shared) {
		(void)text_print(ret_answer, QUESTION_ANSWER_MAX, "%s",
				 serial + strlen(serial) - SERIAL_TAIL);
		return QUESTION_SERIAL;
	}
	/* Like "0.07" below 10 GB, where it matters; whole numbers above. */
	if (hundredths < 1000)
		(void)text_print(ret_answer, QUESTION_ANSWER_MAX, "%s %" PRIu64 ".%02" PRIu64,
				 facts->name, hundredths / 100, hundredths % 100);
	else
		(void)text_print(ret_answer, QUESTION_ANSWER_MAX, "%s %" PRIu64, facts->name,
				 facts->size / gb + (facts->size % gb >= gb / 2));
	return QUESTION_NAME_AND_SIZE;
}

static bool read_answer(char answer[QUESTION_ANSWER_MAX])
{
	char *newline;

	(void)fflush(stderr);
	if (!fgets(answer, QUESTION_ANSWER_MAX, stdin))
		return false;
	newline = strchr(answer, '\n');
	if (newline)
		*newline = '\0';
	return newline != NULL;
}

/* Compares as typed, or, for words, without regard to case and hyphens. */
static bool same_words(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a == '-' ? ' ' : (char)tolower((unsigned char)*a);
		char y = *b == '-' ? ' ' : (char)tolower((unsigned char)*b);

		if (x != y)
			return false;
	}
	return *a == *b;
}

static bool ask_for(const char *what, const char *wanted, bool words, const char *left)
{
	char answer[QUESTION_ANSWER_MAX];

	for (unsigned tries = QUESTION_TRIES; tries; tries--) {
		/* Before the question, not after it: an answer is never taken for type-ahead. */
		(void)tcflush(STDIN_FILENO, TCIFLUSH);
		if (tries < QUESTION_TRIES)
			fprintf(stderr, "That is not it; %u more tr%s.\n", tries,
				tries == 1 ? "y" : "ies");
		fprintf(stderr, "Type %s to start,\nor nothing to leave %s alone: ", what, left);
		if (!read_answer(answer) || !*answer)
			return false;
		if (words ? same_words(answer, wanted) : !strcmp(answer, wanted))
			return true;
	}
	return false;
}

bool question_ask(const struct target *t, const char *what)
{
	char wanted[QUESTION_ANSWER_MAX], how[WORDS_MAX], size[FMT_MAX];
	const struct drive_facts *f = &t->facts;

	switch (question_answer(f, t->around.serial_shared, wanted)) {
	case QUESTION_SERIAL:
		(void)text_print(how, sizeof(how), "the last %d characters of its serial number",
				 SERIAL_TAIL);
		break;
	case QUESTION_NAME_AND_SIZE:
		(void)text_print(how, sizeof(how), "its name and its size in GB (%s)", wanted);
		break;
	case QUESTION_FILE:
		(void)text_print(how, sizeof(how), "its name (%s)", wanted);
		break;
	}
	fprintf(stderr, "\n%s %s (%s%s%s) will be destroyed for ever.\n", what, f->name, f->model,
		*f->model ? ", " : "", fmt_bytes_si(size, f->size));
	return ask_for(how, wanted, false, "it");
}

char *question_number(char buf[QUESTION_ANSWER_MAX], unsigned number)
{
	static const char *const small[] = {
		"no",	    "one",     "two",	  "three",     "four",	   "five",     "six",
		"seven",    "eight",   "nine",	  "ten",       "eleven",   "twelve",   "thirteen",
		"fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
	};
	static const char *const tens[] = { "",	     "",      "twenty",	 "thirty", "forty",
					    "fifty", "sixty", "seventy", "eighty", "ninety" };
	enum { HUNDRED = 100, TEN = 10, SMALL = 20 };
	unsigned rest = number % HUNDRED;

	*buf = '\0';
	if (number >= HUNDRED)
		(void)text_append(buf, QUESTION_ANSWER_MAX, "%s hundred%s", small[number / HUNDRED],
				  rest ? " and " : "");
	if (rest >= SMALL)
		(void)text_append(buf, QUESTION_ANSWER_MAX, "%s%s%s", tens[rest / TEN],
				  rest % TEN ? "-" : "", rest % TEN ? small[rest % TEN] : "");
	else if (rest || !number)
		(void)text_append(buf, QUESTION_ANSWER_MAX, "%s", small[rest]);
	return buf;
}

bool question_ask_count(unsigned count)
{
	char wanted[QUESTION_ANSWER_MAX];

	fprintf(stderr, "\nThese are all the drives that will be destroyed for ever.\n");
	return ask_for("how many they are, as a word (one, two, three ...),",
		       question_number(wanted, count), true, "them");
}

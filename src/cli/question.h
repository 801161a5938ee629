/* SPDX-License-Identifier: MIT */
/* What is about to be destroyed, and the question whether it shall be. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include <stdio.h>

#include "cli/target.h"

/* The tries that a person has; then the drive is left alone. */
enum { QUESTION_TRIES = 3, QUESTION_ANSWER_MAX = FACTS_TEXT_MAX + 32 };

/* Prints the drive, what is on it, the notes and the plan of a wipe to @out, at most 80 columns
 * where it can. */
void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out);

/* The same without the plan. */
void question_show_drive(const struct target *t, FILE *out);

/* Several drives as one table, with the notes below it; those that are out are left out. Returns 0;
 * -ENOMEM. */
int question_show_table(const struct target *targets, unsigned count,
			const struct keystream_kind *keystream, FILE *out);

/* Whether there is somebody to ask: standard input and standard error are terminals. */
bool question_possible(void);

enum question_kind { QUESTION_SERIAL, QUESTION_NAME_AND_SIZE, QUESTION_FILE };

/*
 * PURE: the answer that is wanted for a drive: the last four characters of its serial number; where
 * that is missing or other drives have the same, the kernel's name and the size in GB ("sdb 64");
 * for an image file its name.
 */
enum question_kind question_answer(const struct drive_facts *facts, bool serial_shared,
				   char ret_answer[QUESTION_ANSWER_MAX]);

/*
 * Says that @what ("Everything on") the drive will be destroyed, and asks for that answer, up to
 * three times; nothing, or the end of the input, ends it at once. What was typed before a question
 * appeared does not count. Returns whether the answer was right.
 */
bool question_ask(const struct target *t, const char *what);

/* Asks for a number of drives in words ("twenty-one"), likewise. */
bool question_ask_count(unsigned count);

/* PURE: a number below 1000 in words: "three", "twenty-one", "one hundred and five". Returns @buf.
 */
char *question_number(char buf[QUESTION_ANSWER_MAX], unsigned number);

#endif

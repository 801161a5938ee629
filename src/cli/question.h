/* SPDX-License-Identifier: MIT */
/* What is about to be destroyed, and the question whether it shall be. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include <stdio.h>

#include "cli/target.h"

/* Prints the drive, what is on it, the notes and the plan of a wipe to @out, at most 80 columns
 * where it can. */
void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out);

/* The same without the plan. */
void question_show_drive(const struct target *t, FILE *out);

/* Whether there is somebody to ask: standard input and standard error are terminals. */
bool question_possible(void);

/*
 * Says that @what ("Everything on") the drive will be destroyed, and asks for the last characters
 * of its serial number, or for its name where there is no serial. What was typed before the
 * question appeared does not count. Returns whether the answer was right.
 */
bool question_ask(const struct target *t, const char *what);

#endif

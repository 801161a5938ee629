/* SPDX-License-Identifier: MIT */
/* What is about to be destroyed, and the question whether it shall be. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include <stdio.h>

#include "cli/target.h"

/* Prints the drive, what is on it, the notes and the plan to @out, at most 80 columns where it can.
 */
void question_show(const struct target *t, const struct keystream_kind *keystream, FILE *out);

/* Whether there is somebody to ask: standard input and standard error are terminals. */
bool question_possible(void);

/*
 * Asks for the last characters of the serial number, or the name where there is no serial. What was
 * typed before the question appeared does not count. Returns whether the answer was right.
 */
bool question_ask(const struct target *t);

#endif

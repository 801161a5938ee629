/* SPDX-License-Identifier: MIT */
/* Text for people, broken before column 80. */
#ifndef CLI_PARAGRAPH_H
#define CLI_PARAGRAPH_H

#include <stdio.h>

/* Where the text behind a label of a drive begins. */
enum { PARAGRAPH_LABEL = 11 };

/* Prints "label   text", cleaned, with the text from column @indent on and broken at spaces. */
void paragraph(FILE *out, const char *label, unsigned indent, const char *text);

#endif

/* SPDX-License-Identifier: MIT */
/* What the files of words share. Private to this folder. */
#ifndef CLI_WORDS_INSIDE_H
#define CLI_WORDS_INSIDE_H

#include "base/text.h"
#include "cli/words.h"

/* Appends to a buffer of WORDS_MAX; what does not fit is cut. */
#define add(buf, ...) text_append(buf, WORDS_MAX, __VA_ARGS__)

#endif

/* SPDX-License-Identifier: MIT */
/* The words that JSON documents have for what a drive is, for those who print them elsewhere. */
#ifndef REPORT_DRIVE_H
#define REPORT_DRIVE_H

#include "device/facts.h"

/* "disk", "partition", "file" … Constant. */
const char *drive_kind_word(enum drive_kind kind);

#endif

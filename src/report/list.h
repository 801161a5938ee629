/* SPDX-License-Identifier: MIT */
/* What `list` found as a JSON document, as docs/list.md describes it. */
#ifndef REPORT_LIST_H
#define REPORT_LIST_H

#include "device/gate.h"
#include "device/inventory.h"
#include "device/probe.h"

struct list_drive {
	const struct drive_facts *facts;
	const struct usage *usage;
	const struct contents *contents; /* NULL: not looked at, or not readable */
	int error; /* why what is on it could not be read (positive errno); 0: it was, or nobody
		      tried */
	const struct surroundings *around;
	const struct gate_result *gate;
	char *const *sentences; /* one for each finding of the gate */
};

/* Builds the document on one line with a newline at its end, to be freed with free(). Same bytes in
 * all locales. Returns 0; -ENOMEM. */
int list_build(const struct list_drive *drives, unsigned count, char **ret_text);

#endif

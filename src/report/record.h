/* SPDX-License-Identifier: MIT */
/* The record of one drive's run as a JSON document, as docs/record.md describes it. */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include "device/facts.h"
#include "device/probe.h"
#include "job/result.h"

enum record_status {
	RECORD_PLANNED, /* --dry-run */
	RECORD_RUNNING,
	RECORD_FINISHED, /* see the verdict */
	RECORD_REFUSED,
};

struct record_input {
	enum record_status status;
	const struct drive_facts *facts;
	const struct contents *contents; /* what was on it before; NULL: not looked at */
	const struct job_result *result; /* NULL unless running or finished; plan then from @plan */
	const struct plan *plan;	 /* NULL: none */
	enum verdict verdict;
	const char *reason;		      /* text of a refusal or failure; NULL */
	const uint8_t *keys[PLAN_PASSES_MAX]; /* by key index; NULL: not to be kept */
};

/*
 * Builds the document, indented, with a newline at its end. The caller frees it with
 * record_text_free(), which wipes it (it may hold a key). Same bytes in all locales. Returns 0;
 * -ENOMEM.
 */
int record_build(const struct record_input *input, bool compact, char **ret_text);
void record_text_free(char *text);

#endif

/* SPDX-License-Identifier: MIT */
/* What `bench` found as a JSON document, as docs/bench.md describes it. */
#ifndef REPORT_BENCH_H
#define REPORT_BENCH_H

#include "device/facts.h"
#include "job/trial.h"

/* One implementation of a cipher; rates in bytes a second. */
struct bench_cipher {
	const struct keystream_kind *kind;
	uint64_t one;	   /* by one thread; 0: does not work here */
	uint64_t together; /* by all threads that may serve one drive; 0: not measured */
};

struct bench_drive {
	const struct drive_facts *facts;
	const struct trial_result *result; /* NULL: not begun */
	enum exit_status status;
	const char *reason; /* why it was not begun; NULL */
	struct trial_outlook outlook;
};

struct bench_input {
	unsigned cpus;	  /* that this process may use */
	unsigned threads; /* that may serve one drive */
	const struct bench_cipher *ciphers;
	unsigned cipher_count;		     /* 0: not measured */
	const struct keystream_kind *chosen; /* by `wipe`; NULL: none */
	const char *why;		     /* it was chosen; NULL */
	const struct bench_drive *drives;
	unsigned drive_count;
};

/* Builds the document on one line with a newline at its end, to be freed with free(). Same bytes in
 * all locales. Returns 0; -ENOMEM. */
int bench_build(const struct bench_input *input, char **ret_text);

#endif

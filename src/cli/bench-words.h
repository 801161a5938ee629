/* SPDX-License-Identifier: MIT */
/* PURE: what the figures of `bench` mean, as sentences. */
#ifndef CLI_BENCH_WORDS_H
#define CLI_BENCH_WORDS_H

#include "cli/words.h"
#include "report/bench.h"

/* What @rate (bytes a second) is enough for, in short: "19 SATA SSDs", "1 hard disk". Returns @buf.
 */
char *bench_words_enough(char buf[WORDS_MAX], uint64_t rate);

/* Why a cipher has no rate: "not on this CPU". */
const char *bench_words_missing(const struct keystream_kind *kind);

/* Why `wipe` would use @chosen. @ciphers: all, with their rates. */
const char *bench_words_why(const struct keystream_kind *chosen, const struct bench_cipher *ciphers,
			    unsigned count);

/* How much random data the chosen cipher makes, bytes a second. */
struct bench_rates {
	uint64_t one;	  /* in one thread */
	uint64_t all;	  /* in all that may serve one drive */
	unsigned threads; /* how many these are */
};

/* What `wipe` would use, and for how many drives one core is enough with it. Returns @buf. */
char *bench_words_chosen(char buf[WORDS_MAX], const struct keystream_kind *chosen,
			 const struct bench_rates *rates);

/* How long a wipe with verification would take, and what limits it; for an outlook with wipe_ns.
 * Returns @buf. */
char *bench_words_outlook(char buf[WORDS_MAX], const struct trial_outlook *outlook,
			  const struct bench_rates *rates);

/* What --write would do to a drive, for the question. Returns @buf. */
char *bench_words_plan(char buf[WORDS_MAX], const struct trial_range ranges[TRIAL_PLACES]);

/* A line for what went wrong at @place ("start"), without the drive's name; "" if nothing. Returns
 * @buf. */
char *bench_words_fault(char buf[WORDS_MAX], const struct trial_figure *figure, bool write,
			const char *place);

#endif

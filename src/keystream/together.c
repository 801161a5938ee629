/* SPDX-License-Identifier: MIT */
/* What several threads make at once: as drives do that are wiped side by side. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "keystream/keystream.h"

/* As the engine does it for a drive: request by request, each into a buffer of its own, so that
 * they do not fit the cache of a core. */
enum { STEP_BYTES = 512 * 1024, STEPS = 8, BUFFER_BYTES = STEPS * STEP_BYTES };

struct maker {
	const struct keystream_kind *kind;
	uint64_t ns;
	uint64_t rate; /* out */
	pthread_t thread;
	bool started;
};

/* The time that this thread had a CPU: what other programs take away is not the cipher's fault. */
static uint64_t thread_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* A mean, not the best of several: two threads on one core take turns in being fast. */
static uint64_t mean_rate(struct keystream *ks, uint8_t *buf, uint64_t ns)
{
	uint64_t until, begin, took, bytes = 0;

	/* Every page is there before the time counts. */
	if (keystream_fill(ks, 0, buf, BUFFER_BYTES))
		return 0;
	until = clock_monotonic_ns() + ns;
	begin = thread_ns();
	do {
		if (keystream_fill(ks, bytes, buf + bytes % BUFFER_BYTES, STEP_BYTES))
			return 0;
		bytes += STEP_BYTES;
	} while (clock_monotonic_ns() < until);
	took = thread_ns() - begin;
	return took ? (uint64_t)((double)bytes * (double)NS_PER_S / (double)took) : 0;
}

static void *maker_thread(void *arg)
{
	static const uint8_t key[KEYSTREAM_KEY_BYTES];
	_cleanup_free_ uint8_t *buf = malloc(BUFFER_BYTES);
	struct maker *maker = arg;
	struct keystream *ks;

	if (!buf || maker->kind->make(key, &ks))
		return NULL;
	maker->rate = mean_rate(ks, buf, maker->ns);
	keystream_free(ks);
	return NULL;
}

uint64_t keystream_rate_together(const struct keystream_kind *kind, unsigned threads, uint64_t ns)
{
	_cleanup_free_ struct maker *makers = calloc(threads, sizeof(*makers));
	uint64_t sum = 0;

	for (unsigned i = 0; makers && i < threads; i++) {
		makers[i].kind = kind;
		makers[i].ns = ns;
		makers[i].started =
			!pthread_create(&makers[i].thread, NULL, maker_thread, &makers[i]);
	}
	for (unsigned i = 0; makers && i < threads; i++) {
		if (makers[i].started)
			(void)pthread_join(makers[i].thread, NULL);
		sum += makers[i].rate;
	}
	return sum;
}

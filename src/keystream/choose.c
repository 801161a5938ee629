/* SPDX-License-Identifier: MIT */
/* Which implementation runs: the one that is faster here and now. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "keystream/keystream.h"

/* Enough to tell 7 GB/s from 10, in less than a millisecond. */
enum { MEASURE_BYTES = 256 * 1024, MEASURE_TIMES = 6 };

/* The best time for MEASURE_BYTES, ns; UINT64_MAX if it does not work here. */
static uint64_t measure(keystream_maker *make, void *buf)
{
	static const uint8_t key[KEYSTREAM_KEY_BYTES];
	struct keystream *ks = NULL;
	uint64_t best = UINT64_MAX;

	if (make(key, &ks))
		return UINT64_MAX;
	for (unsigned i = 0; i < MEASURE_TIMES; i++) {
		uint64_t begin = clock_monotonic_ns(), took;

		if (keystream_fill(ks, (uint64_t)i * MEASURE_BYTES, buf, MEASURE_BYTES)) {
			best = UINT64_MAX;
			break;
		}
		took = clock_monotonic_ns() - begin;
		best = took < best ? took : best;
	}
	keystream_free(ks);
	return best;
}

keystream_maker *keystream_choose(void)
{
#ifdef HAVE_IPSEC_MB
	void *buf = malloc(MEASURE_BYTES);
	bool faster =
		buf && measure(keystream_ipsec_mb_new, buf) < measure(keystream_openssl_new, buf);

	free(buf);
	if (faster)
		return keystream_ipsec_mb_new;
#else
	(void)measure;
#endif
	return keystream_openssl_new;
}

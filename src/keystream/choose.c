/* SPDX-License-Identifier: MIT */
/* Which implementations there are, and which one runs: the one that is fastest here and now. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "keystream/keystream.h"
#include "keystream/openssl.h"
#ifdef HAVE_IPSEC_MB
#include "keystream/ipsec-mb.h"
#endif

/* Enough to tell 7 GB/s from 10 in some tens of microseconds. */
enum { RUN_BYTES = 256 * 1024, RUNS_MIN = 3, CHOICE_NS = 250000 };

/*
 * Where AES has hardware it is at least about as fast as ChaCha20; without, three times slower.
 * What the CPU says is not enough: OpenSSL may have been told not to use it (OPENSSL_ia32cap). So
 * AES must not be further behind than this factor.
 */
enum { AES_BEHIND_MAX = 2 };

const struct keystream_kind keystream_kinds[] = {
#ifdef HAVE_IPSEC_MB
	{ CIPHER_AES, "AES-256-CTR", "ipsec-mb", ipsec_mb_new },
#endif
	{ CIPHER_AES, "AES-256-CTR", "openssl", openssl_aes_new },
	{ CIPHER_CHACHA20, "ChaCha20", "openssl", openssl_chacha20_new },
	{ 0 },
};

enum { KINDS = sizeof(keystream_kinds) / sizeof(keystream_kinds[0]) - 1 };

/* The best time for RUN_BYTES, ns; UINT64_MAX if it does not work. */
static uint64_t best_run(struct keystream *ks, uint8_t *buf, uint64_t ns)
{
	uint64_t begin = clock_monotonic_ns(), now = begin, best = UINT64_MAX;

	for (unsigned i = 0; i < RUNS_MIN || now - begin < ns; i++) {
		uint64_t before = clock_monotonic_ns();

		if (keystream_fill(ks, (uint64_t)i * RUN_BYTES, buf, RUN_BYTES))
			return UINT64_MAX;
		now = clock_monotonic_ns();
		best = now - before < best ? now - before : best;
	}
	return best ? best : 1;
}

uint64_t keystream_rate(const struct keystream_kind *kind, uint64_t ns)
{
	static const uint8_t key[KEYSTREAM_KEY_BYTES];
	_cleanup_free_ uint8_t *buf = malloc(RUN_BYTES);
	struct keystream *ks;
	uint64_t best;

	if (!buf || kind->make(key, &ks))
		return 0;
	best = best_run(ks, buf, ns);
	keystream_free(ks);
	return best == UINT64_MAX ? 0 : RUN_BYTES * NS_PER_S / best;
}

/* The fastest of a cipher; KINDS if none works. */
static unsigned fastest(const char *cipher, const uint64_t rates[])
{
	unsigned best = KINDS;

	for (unsigned i = 0; i < KINDS; i++)
		if (!strcmp(keystream_kinds[i].cipher, cipher) && rates[i] &&
		    (best == KINDS || rates[i] > rates[best]))
			best = i;
	return best;
}

/* Both work here: whether AES is the right one of them. */
static bool aes_suits(enum cpu_answer aes_hardware, uint64_t aes, uint64_t chacha20)
{
	return aes_hardware != CPU_NO && chacha20 / AES_BEHIND_MAX <= aes;
}

const struct keystream_kind *keystream_pick(const char *cipher, enum cpu_answer aes_hardware,
					    const uint64_t rates[])
{
	unsigned aes = fastest(CIPHER_AES, rates), chacha20 = fastest(CIPHER_CHACHA20, rates);
	unsigned best = aes;

	if (cipher)
		best = fastest(cipher, rates);
	else if (aes == KINDS ||
		 (chacha20 != KINDS && !aes_suits(aes_hardware, rates[aes], rates[chacha20])))
		best = chacha20;
	return best == KINDS ? NULL : &keystream_kinds[best];
}

const struct keystream_kind *keystream_choose(const char *cipher)
{
	uint64_t rates[KINDS] = { 0 };

	for (unsigned i = 0; i < KINDS; i++)
		if (!cipher || !strcmp(cipher, keystream_kinds[i].cipher))
			rates[i] = keystream_rate(&keystream_kinds[i], CHOICE_NS);
	return keystream_pick(cipher, cpu_has_aes(), rates);
}

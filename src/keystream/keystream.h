/* SPDX-License-Identifier: MIT */
/*
 * Bytes from (key, position). Byte o of a stream depends on the key and on o alone, so any order,
 * any split and any number of calls give the same content: writing, retrying, resuming and
 * verifying are one function. The public format (never changes): AES-256-CTR of NIST SP 800-38A,
 * counter block = big-endian 128-bit o / 16, first counter zero; the same bytes that
 * openssl enc -aes-256-ctr -K KEY -iv 0 -in /dev/zero prints.
 */
#ifndef KEYSTREAM_KEYSTREAM_H
#define KEYSTREAM_KEYSTREAM_H

#include <stddef.h>
#include <stdint.h>

enum { KEYSTREAM_KEY_BYTES = 32 };

struct keystream;

/* One implementation of one cipher. All implementations of a cipher give the same bytes. */
struct keystream_ops {
	const char *cipher; /* as records name it: "aes-256-ctr" */
	const char *name;   /* which implementation: "openssl" */
	int (*fill)(struct keystream *ks, uint64_t position, void *buf, size_t length);
	void (*free)(struct keystream *ks);
};

/* Embedded as the first member by every implementation. */
struct keystream {
	const struct keystream_ops *ops;
};

/*
 * AES-256-CTR by OpenSSL's EVP interface. The key is copied and may be wiped afterwards.
 * Returns 0; -ENOMEM; -ENOTSUP where OpenSSL offers no such cipher (configuration, provider).
 */
int keystream_openssl_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

#ifdef HAVE_IPSEC_MB
/*
 * The same by Intel's ipsec-mb (a build option), only on CPUs with VAES. Locks a page for the key.
 * Returns 0; -ENOMEM; -ENOTSUP on other CPUs: the library is not touched then.
 */
int keystream_ipsec_mb_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);
#endif

/*
 * Puts bytes @position .. @position + @length - 1 of the stream into @buf. One thread at a time for
 * each keystream. Returns 0; -EIO if the cipher failed (then @buf is not to be used); -ERANGE if
 * the range ends beyond 2^64 bytes.
 */
int keystream_fill(struct keystream *ks, uint64_t position, void *buf, size_t length);

/* Wipes the key and frees. Accepts NULL. */
void keystream_free(struct keystream *ks);

/* Makes a keystream from a key: keystream_openssl_new, or in tests something that is wrong on
 * purpose. */
typedef int keystream_maker(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

/* The implementation that a short measurement (below 1 ms) finds faster. To be self-tested before
 * use. */
keystream_maker *keystream_choose(void);

/*
 * Known-answer test, run at every start: published AES-256 answers at several positions, and odd
 * splits that must agree with each other. Returns 0; -EBADMSG on a wrong byte; else what the maker
 * or keystream_fill() returned. Nothing may be written after a failure.
 */
int keystream_self_test(keystream_maker *make);

#endif

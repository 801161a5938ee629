/* SPDX-License-Identifier: MIT */
/*
 * Bytes from (key, position). Byte o of a stream depends on the key and on o alone, so any order,
 * any split and any number of calls give the same content: writing, retrying, resuming and
 * verifying are one function. The public formats (they never change):
 *
 * aes-256-ctr: NIST SP 800-38A, counter block = big-endian 128-bit o / 16, first counter zero; what
 *	openssl enc -aes-256-ctr -K KEY -iv 0 -in /dev/zero prints.
 * chacha20: the block function of RFC 8439 with the block counter o / 64 in 64 bits, little-endian
 *	(as in the original ChaCha), nonce zero; what
 *	openssl enc -chacha20 -K KEY -iv 0 -in /dev/zero prints.
 */
#ifndef KEYSTREAM_KEYSTREAM_H
#define KEYSTREAM_KEYSTREAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum { KEYSTREAM_KEY_BYTES = 32 };

/* The ciphers, as options and records name them. */
#define CIPHER_AES	"aes-256-ctr"
#define CIPHER_CHACHA20 "chacha20"

struct keystream;

/*
 * Makes a keystream. The key is copied and may be wiped afterwards. Returns 0; -ENOMEM; -ENOTSUP
 * where it does not work: the CPU lacks instructions, or OpenSSL offers no such cipher
 * (configuration, provider).
 */
typedef int keystream_maker(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

/* One implementation of one cipher. All implementations of a cipher give the same bytes. */
struct keystream_kind {
	const char *cipher; /* CIPHER_... */
	const char *title;  /* the cipher for people: "AES-256-CTR" */
	const char *name;   /* which implementation: "openssl" */
	keystream_maker *make;
};

/* What this program was built with; some of it may not work on this CPU. Constant. A
 * kind without a maker ends the table. */
extern const struct keystream_kind keystream_kinds[];

/* What an implementation does. */
struct keystream_ops {
	int (*fill)(struct keystream *ks, uint64_t position, void *buf, size_t length);
	/* NULL: keystream_xor() fills and combines. */
	int (*xor)(struct keystream *ks, uint64_t position, const void *from, void *to,
		   size_t length);
	void (*free)(struct keystream *ks);
};

/* Embedded as the first member by every implementation. */
struct keystream {
	const struct keystream_ops *ops;
};

/*
 * Puts bytes @position .. @position + @length - 1 of the stream into @buf. One thread at a time for
 * each keystream. Returns 0; -EIO if the cipher failed (then @buf is not to be used); -ERANGE if
 * the range ends beyond 2^64 bytes.
 */
int keystream_fill(struct keystream *ks, uint64_t position, void *buf, size_t length);

/*
 * Puts @from combined with the stream at @position (exclusive or) into @to: zeros where they are
 * equal. Faster than to fill and to compare, because a cipher does it anyway. @from and @to do not
 * overlap. Otherwise as keystream_fill().
 */
int keystream_xor(struct keystream *ks, uint64_t position, const void *from, void *to,
		  size_t length);

/* Wipes the key and frees. Accepts NULL. */
void keystream_free(struct keystream *ks);

/*
 * How fast @kind is on this CPU in one thread, in a small buffer: bytes a second, the best of short
 * runs for about @ns nanoseconds (at least three runs). Good to compare kinds. 0 if it does not
 * work here.
 */
uint64_t keystream_rate(const struct keystream_kind *kind, uint64_t ns);

/*
 * What @threads threads with a keystream each make together when they fill buffers as for drives:
 * bytes a second, their means over about
 * @ns nanoseconds added up (of CPU time: as if nothing else ran). A thread that cannot be started
 * is missing in the sum. 0 if @kind does not work here.
 */
uint64_t keystream_rate_together(const struct keystream_kind *kind, unsigned threads, uint64_t ns);

/*
 * The implementation to use for @cipher (NULL: AES where it has hardware, else ChaCha20), by what
 * the CPU has and a measurement of about a millisecond. To be self-tested before use. NULL if
 * nothing works.
 */
const struct keystream_kind *keystream_choose(const char *cipher);

/* PURE: the choice from what the CPU has and measured rates, one for each of keystream_kinds (0:
 * does not work). */
const struct keystream_kind *keystream_pick(const char *cipher, enum cpu_answer aes_hardware,
					    const uint64_t rates[]);

/*
 * Known-answer test, run at every start: published answers at several positions, and odd splits
 * that must agree with each other. Returns 0; -EBADMSG on a wrong byte; else what the maker or
 * keystream_fill() returned. Nothing may be written after a failure.
 */
int keystream_self_test(const struct keystream_kind *kind);

#endif

/* SPDX-License-Identifier: MIT */
/* The check that what is about to be written is AES-256-CTR, and the same from any split. */
#include "keystream/keystream.h"

#include <errno.h>
#include <string.h>

enum {
	BLOCK_BYTES = 16,
	ANSWER_MAX = 48,
	PIECE_BYTES = 37, /* odd, so that the pieces begin at every place in a block */
	/* Long enough for several rounds of the widest code of a cipher. */
	RUN_BYTES = 111 * PIECE_BYTES,
	POISON = 0xa5,
};

/* Where the low 32 bits of the block counter are used up. */
#define COUNTER_CARRY (UINT64_C(16) << 32)

static const uint8_t zero_key[KEYSTREAM_KEY_BYTES];
static const uint8_t mixed_key[KEYSTREAM_KEY_BYTES] = {
	0xc4, 0x7b, 0x02, 0x94, 0xdb, 0xbb, 0xee, 0x0f, 0xec, 0x47, 0x57,
	0xf2, 0x2f, 0xfe, 0xee, 0x35, 0x87, 0xca, 0x47, 0x30, 0xc3, 0xd3,
	0x3b, 0x69, 0x1d, 0xf3, 0x8b, 0xab, 0x07, 0x6b, 0xc5, 0x58,
};

/*
 * Published: blocks 0 to 2 of the zero key are the hash key of AES-GCM test case 13, its tag, and
 * the ciphertext of test case 14 (McGrew and Viega, 2005); block 0 of the other key is the first
 * KeySbox answer for 256 bits of NIST's AESAVS. The rest is what any AES gives; for block N:
 *
 *	printf %032x N | xxd -r -p | openssl enc -aes-256-ecb -nopad -K KEY | xxd -p
 */
static const struct answer {
	const uint8_t *key;
	uint64_t block;
	size_t length;
	const char *bytes;
} answers[] = {
	{ zero_key, UINT64_C(0), 3 * BLOCK_BYTES,
	  "\xdc\x95\xc0\x78\xa2\x40\x89\x89\xad\x48\xa2\x14\x92\x84\x20\x87"
	  "\x53\x0f\x8a\xfb\xc7\x45\x36\xb9\xa9\x63\xb4\xf1\xc4\xcb\x73\x8b"
	  "\xce\xa7\x40\x3d\x4d\x60\x6b\x6e\x07\x4e\xc5\xd3\xba\xf3\x9d\x18" },
	{ mixed_key, UINT64_C(0), 1 * BLOCK_BYTES,
	  "\x46\xf2\xfb\x34\x2d\x6f\x0a\xb4\x77\x47\x6f\xc5\x01\x24\x2c\x5f" },
	{ mixed_key, UINT64_C(0xffffffff), 2 * BLOCK_BYTES,
	  "\xd8\xb1\x97\x0c\x0a\x43\x2e\xed\x9c\x4e\x74\x90\xdf\xce\xac\x4c"
	  "\x85\x1c\x46\x0f\xfd\xea\xcf\xe4\x9e\x63\x1a\x7d\xce\x67\x65\xa3" },
	{ mixed_key, UINT64_C(0x0800000000000000), 3 * BLOCK_BYTES,
	  "\x53\x83\x50\xf3\xdb\xbf\xaf\x3d\x22\x12\x9c\xce\xd1\xc7\x32\x86"
	  "\x3a\xb6\x85\xbd\xfb\x7b\x02\x37\xb3\xf3\xd6\x5d\x53\xd8\xf2\x49"
	  "\x8f\x21\x67\x33\x43\xe3\x0a\xfd\x99\x9c\xd2\xe1\x0d\xfd\x97\x18" },
	{ mixed_key, UINT64_C(0x0ffffffffffffffe), 2 * BLOCK_BYTES,
	  "\xcb\x1c\xb5\x49\x8c\x62\x4e\xd7\xc1\xcd\xf3\xd8\x61\xea\xe5\xd7"
	  "\x05\x83\x89\x61\x81\xfc\x38\x22\x73\xb3\xad\xe1\x07\xef\x8c\xa9" },
};

/* Fills in two parts, first the later one. */
static int check_split(struct keystream *ks, const struct answer *answer, size_t split)
{
	uint64_t position = answer->block * BLOCK_BYTES;
	uint8_t bytes[ANSWER_MAX];
	int r;

	memset(bytes, POISON, sizeof(bytes));
	r = keystream_fill(ks, position + split, bytes + split, answer->length - split);
	if (!r)
		r = keystream_fill(ks, position, bytes, split);
	if (r)
		return r;
	return memcmp(bytes, answer->bytes, answer->length) ? -EBADMSG : 0;
}

static int check_answer(struct keystream *ks, const struct answer *answer)
{
	int r = 0;

	for (size_t split = 0; !r && split <= answer->length; split++)
		r = check_split(ks, answer, split);
	return r;
}

/* One long run over the carry against short ones: a cipher has different code for them. */
static int check_run(struct keystream *ks)
{
	const uint64_t position = COUNTER_CARRY - RUN_BYTES / 2;
	uint8_t whole[RUN_BYTES], piece[PIECE_BYTES];
	int r = keystream_fill(ks, position, whole, sizeof(whole));

	for (size_t at = 0; !r && at < RUN_BYTES; at += PIECE_BYTES) {
		r = keystream_fill(ks, position + at, piece, sizeof(piece));
		if (!r && memcmp(piece, whole + at, sizeof(piece)))
			r = -EBADMSG;
	}
	return r;
}

int keystream_self_test(keystream_maker *make)
{
	int r = 0;

	for (size_t i = 0; !r && i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct keystream *ks;

		r = make(answers[i].key, &ks);
		if (r)
			return r;
		r = check_answer(ks, &answers[i]);
		if (!r)
			r = check_run(ks);
		keystream_free(ks);
	}
	return r;
}

/* SPDX-License-Identifier: MIT */
/* The check that what is about to be written is the cipher's stream, the same from any split. */
#include "keystream/keystream.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum {
	ANSWER_MAX = 128,
	PIECE_BYTES = 37, /* odd, so that the pieces begin at every place in a block */
	/* Long enough for several rounds of the widest code of a cipher. */
	RUN_BYTES = 111 * PIECE_BYTES,
	POISON = 0xa5,
};

/* Where the low 32 bits of the block counter are used up: AES has 16 bytes a block, ChaCha20 64. */
#define AES_CARRY      (UINT64_C(16) << 32)
#define CHACHA20_CARRY (UINT64_C(64) << 32)

static const uint8_t zero_key[KEYSTREAM_KEY_BYTES];
static const uint8_t one_key[KEYSTREAM_KEY_BYTES] = { [31] = 1 };
static const uint8_t mixed_key[KEYSTREAM_KEY_BYTES] = {
	0xc4, 0x7b, 0x02, 0x94, 0xdb, 0xbb, 0xee, 0x0f, 0xec, 0x47, 0x57,
	0xf2, 0x2f, 0xfe, 0xee, 0x35, 0x87, 0xca, 0x47, 0x30, 0xc3, 0xd3,
	0x3b, 0x69, 0x1d, 0xf3, 0x8b, 0xab, 0x07, 0x6b, 0xc5, 0x58,
};

struct answer {
	const uint8_t *key;
	uint64_t position;
	size_t length;
	const char *bytes;
};

/*
 * Published: the first 48 bytes of the zero key are the hash key of AES-GCM test case 13, its tag,
 * and the ciphertext of test case 14 (McGrew and Viega, 2005); the first block of the other key is
 * the first KeySbox answer for 256 bits of NIST's AESAVS. The rest is what any AES gives; for block
 * N:
 *
 *	printf %032x N | xxd -r -p | openssl enc -aes-256-ecb -nopad -K KEY | xxd -p
 */
static const struct answer aes_answers[] = {
	{ zero_key, UINT64_C(0), 48,
	  "\xdc\x95\xc0\x78\xa2\x40\x89\x89\xad\x48\xa2\x14\x92\x84\x20\x87"
	  "\x53\x0f\x8a\xfb\xc7\x45\x36\xb9\xa9\x63\xb4\xf1\xc4\xcb\x73\x8b"
	  "\xce\xa7\x40\x3d\x4d\x60\x6b\x6e\x07\x4e\xc5\xd3\xba\xf3\x9d\x18" },
	{ mixed_key, UINT64_C(0), 16,
	  "\x46\xf2\xfb\x34\x2d\x6f\x0a\xb4\x77\x47\x6f\xc5\x01\x24\x2c\x5f" },
	{ mixed_key, AES_CARRY - 16, 32,
	  "\xd8\xb1\x97\x0c\x0a\x43\x2e\xed\x9c\x4e\x74\x90\xdf\xce\xac\x4c"
	  "\x85\x1c\x46\x0f\xfd\xea\xcf\xe4\x9e\x63\x1a\x7d\xce\x67\x65\xa3" },
	{ mixed_key, UINT64_C(1) << 63, 48,
	  "\x53\x83\x50\xf3\xdb\xbf\xaf\x3d\x22\x12\x9c\xce\xd1\xc7\x32\x86"
	  "\x3a\xb6\x85\xbd\xfb\x7b\x02\x37\xb3\xf3\xd6\x5d\x53\xd8\xf2\x49"
	  "\x8f\x21\x67\x33\x43\xe3\x0a\xfd\x99\x9c\xd2\xe1\x0d\xfd\x97\x18" },
	{ mixed_key, UINT64_MAX - 31, 32,
	  "\xcb\x1c\xb5\x49\x8c\x62\x4e\xd7\xc1\xcd\xf3\xd8\x61\xea\xe5\xd7"
	  "\x05\x83\x89\x61\x81\xfc\x38\x22\x73\xb3\xad\xe1\x07\xef\x8c\xa9" },
	{ 0 },
};

/*
 * Published: the first 128 bytes of the zero key are test vectors 1 and 2 of RFC 8439, appendix
 *A.1; the block of the key that ends in 1 is vector 3. The rest follows from the block function
 *(section 2.3); at block N, with the 16 hexadecimal digits of N in little-endian order:
 *
 *	openssl enc -chacha20 -K KEY -iv N0000000000000000 -in /dev/zero | head -c 64 | xxd -p
 */
static const struct answer chacha20_answers[] = {
	{ zero_key, UINT64_C(0), 128,
	  "\x76\xb8\xe0\xad\xa0\xf1\x3d\x90\x40\x5d\x6a\xe5\x53\x86\xbd\x28"
	  "\xbd\xd2\x19\xb8\xa0\x8d\xed\x1a\xa8\x36\xef\xcc\x8b\x77\x0d\xc7"
	  "\xda\x41\x59\x7c\x51\x57\x48\x8d\x77\x24\xe0\x3f\xb8\xd8\x4a\x37"
	  "\x6a\x43\xb8\xf4\x15\x18\xa1\x1c\xc3\x87\xb6\x69\xb2\xee\x65\x86"
	  "\x9f\x07\xe7\xbe\x55\x51\x38\x7a\x98\xba\x97\x7c\x73\x2d\x08\x0d"
	  "\xcb\x0f\x29\xa0\x48\xe3\x65\x69\x12\xc6\x53\x3e\x32\xee\x7a\xed"
	  "\x29\xb7\x21\x76\x9c\xe6\x4e\x43\xd5\x71\x33\xb0\x74\xd8\x39\xd5"
	  "\x31\xed\x1f\x28\x51\x0a\xfb\x45\xac\xe1\x0a\x1f\x4b\x79\x4d\x6f" },
	{ one_key, UINT64_C(64), 64,
	  "\x3a\xeb\x52\x24\xec\xf8\x49\x92\x9b\x9d\x82\x8d\xb1\xce\xd4\xdd"
	  "\x83\x20\x25\xe8\x01\x8b\x81\x60\xb8\x22\x84\xf3\xc9\x49\xaa\x5a"
	  "\x8e\xca\x00\xbb\xb4\xa7\x3b\xda\xd1\x92\xb5\xc4\x2f\x73\xf2\xfd"
	  "\x4e\x27\x36\x44\xc8\xb3\x61\x25\xa6\x4a\xdd\xeb\x00\x6c\x13\xa0" },
	{ mixed_key, CHACHA20_CARRY - 64, 128,
	  "\x71\xb9\x41\xe1\x7a\x79\xa1\xa8\x12\x00\x53\x42\x10\xaf\x99\x4a"
	  "\x26\xd0\x67\x61\xfc\x23\x5c\x66\x7a\x30\x86\xeb\xff\xad\xb1\xa3"
	  "\x1c\x9a\x7c\xd1\x66\x79\x11\x52\x19\x63\xa5\x9a\x67\xb3\xd6\x29"
	  "\xcd\xf2\x03\x57\x76\x4e\x9c\x0b\x96\x9f\x48\x70\xf5\xf2\x6c\x50"
	  "\xa1\x2f\xe0\x60\xea\x70\xe4\xc3\x0a\xb5\x56\xad\x6e\x22\x8e\x13"
	  "\x51\x0c\x19\xf8\xe8\x7a\x8c\xc6\x44\xa1\xa9\xe4\x12\xa4\xfd\x32"
	  "\x8a\x90\xc0\x27\x0f\x55\x52\xae\xb2\x73\x4b\xfc\xd5\x58\xb2\x24"
	  "\x0b\x11\xe8\x66\xb4\xad\x38\x10\xcf\x83\x57\xdf\xa4\xce\xb6\x64" },
	{ mixed_key, UINT64_C(1) << 63, 64,
	  "\x0c\x2c\xa5\x45\x07\xf5\xc9\xc1\x81\xcb\x84\xb3\x8f\x01\xd7\x9a"
	  "\xbf\x50\x02\x33\x29\xef\x72\xdb\x58\x2f\x3f\xfd\xa5\x4c\xed\x94"
	  "\x8d\x2d\xb7\x6f\x6c\x63\xd3\xf1\xc3\x28\x75\x4f\xb2\xab\xd7\x66"
	  "\xd0\x7d\x80\x0e\xdf\x6e\xb8\x77\xc3\x9d\x51\xa4\x70\xae\x8f\x03" },
	{ mixed_key, UINT64_MAX - 63, 64,
	  "\x9b\x99\x34\x50\x90\xfb\xe4\x60\xea\x9d\xff\x67\x75\x86\xce\x39"
	  "\xfe\x92\xf6\x28\x2c\x90\xd1\x00\x75\x75\xec\xa4\x1c\x25\xbc\x37"
	  "\x31\xb0\x3f\x62\xd6\xe5\xcd\xba\x0b\x37\x6d\xfd\x7f\xae\x4f\xb7"
	  "\x6e\xc7\x08\x67\xae\x84\xff\x92\x6f\xb1\x66\xfd\x1f\x32\x78\x52" },
	{ 0 },
};
/* Fills in two parts, first the later one. */
static int check_split(struct keystream *ks, const struct answer *answer, size_t split)
{
	uint64_t position = answer->position;
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

/* Combined with itself the stream gives zeros: this is how a drive is compared. */
static int check_xor(struct keystream *ks, uint64_t position, const uint8_t *bytes, size_t length)
{
	uint8_t difference[RUN_BYTES];
	uint8_t any = 0;
	int r;

	memset(difference, POISON, sizeof(difference));
	r = keystream_xor(ks, position, bytes, difference, length);
	for (size_t i = 0; i < length; i++)
		any |= difference[i];
	return !r && any ? -EBADMSG : r;
}

/* One long run over the carry against short ones: a cipher has different code for them. */
static int check_run(struct keystream *ks, uint64_t carry)
{
	const uint64_t position = carry - RUN_BYTES / 2;
	uint8_t whole[RUN_BYTES], piece[PIECE_BYTES];
	int r = keystream_fill(ks, position, whole, sizeof(whole));

	for (size_t at = 0; !r && at < RUN_BYTES; at += PIECE_BYTES) {
		r = keystream_fill(ks, position + at, piece, sizeof(piece));
		if (!r && memcmp(piece, whole + at, sizeof(piece)))
			r = -EBADMSG;
	}
	if (!r)
		r = check_xor(ks, position, whole, sizeof(whole));
	return r ? r : check_xor(ks, position + 1, whole + 1, PIECE_BYTES);
}

/* Checks all answers under the key of the first. Returns how many in @ret_count. */
static int check_key(const struct keystream_kind *kind, const struct answer *answers,
		     uint64_t carry, unsigned *ret_count)
{
	const uint8_t *key = answers->key;
	struct keystream *ks;
	unsigned n = 0;
	int r = kind->make(key, &ks);

	if (r)
		return r;
	for (; !r && answers[n].key == key; n++)
		r = check_answer(ks, &answers[n]);
	if (!r)
		r = check_run(ks, carry);
	keystream_free(ks);
	*ret_count = n;
	return r;
}

int keystream_self_test(const struct keystream_kind *kind)
{
	bool aes = !strcmp(kind->cipher, CIPHER_AES);
	const struct answer *next = aes ? aes_answers : chacha20_answers;
	unsigned count = 0;
	int r = 0;

	for (; !r && next->key; next += count)
		r = check_key(kind, next, aes ? AES_CARRY : CHACHA20_CARRY, &count);
	return r;
}

/* SPDX-License-Identifier: MIT */
/* The streams against their definitions: AES of the block counter, done here block by block and in
 * another mode, and ChaCha20's block function, written here after RFC 8439. */
#include "keystream/keystream.h"

#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include <cmocka.h>

enum {
	BLOCK = 16,
	CHACHA_BLOCK = 64,
	LARGE = 100003, /* several of the implementation's steps and an odd rest */
	GUARD = 32,
	GUARD_BYTE = 0x5a,
};

#define GIB UINT64_C(0x40000000)
#define TIB (1024 * GIB)

/* Places where a counter of 32 bits, a signed offset, or 64 bits come to their end. */
static const uint64_t places[] = {
	0,   4 * GIB,		64 * GIB,	   128 * GIB,	       256 * GIB,
	TIB, UINT64_C(1) << 62, UINT64_C(1) << 63, UINT64_MAX - LARGE,
};

static const uint8_t test_key[KEYSTREAM_KEY_BYTES] = "a key that is neither 0 nor fair";

/* AES-256-ECB of each block's number. */
static void expect_aes(const uint8_t *key, uint64_t position, uint8_t *to, size_t length)
{
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	uint8_t counter[BLOCK] = { 0 }, block[BLOCK];
	int done;

	assert_non_null(context);
	assert_int_equal(EVP_EncryptInit_ex(context, EVP_aes_256_ecb(), NULL, key, NULL), 1);
	for (size_t i = 0; i < length; i++, position++) {
		if (!i || position % BLOCK == 0) {
			for (unsigned k = 0; k < 8; k++)
				counter[BLOCK - 1 - k] = (uint8_t)(position / BLOCK >> 8 * k);
			assert_int_equal(EVP_EncryptUpdate(context, block, &done, counter, BLOCK),
					 1);
			assert_int_equal(done, BLOCK);
		}
		to[i] = block[position % BLOCK];
	}
	EVP_CIPHER_CTX_free(context);
}

static uint32_t load32(const uint8_t *from)
{
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
	       (uint32_t)from[3] << 24;
}

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

/* RFC 8439, section 2.1. */
static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
	*a += *b, *d = rotate(*d ^ *a, 16);
	*c += *d, *b = rotate(*b ^ *c, 12);
	*a += *b, *d = rotate(*d ^ *a, 8);
	*c += *d, *b = rotate(*b ^ *c, 7);
}

/* RFC 8439, section 2.3, with the block counter in 64 bits and a nonce of zero. */
static void chacha_block(const uint8_t *key, uint64_t number, uint8_t to[CHACHA_BLOCK])
{
	uint32_t start[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }, x[16];

	for (unsigned i = 0; i < 8; i++)
		start[4 + i] = load32(key + 4 * i);
	start[12] = (uint32_t)number;
	start[13] = (uint32_t)(number >> 32);
	memcpy(x, start, sizeof(x));
	for (unsigned round = 0; round < 10; round++) {
		for (unsigned i = 0; i < 4; i++)
			quarter_round(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
		for (unsigned i = 0; i < 4; i++)
			quarter_round(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4],
				      &x[12 + (i + 3) % 4]);
	}
	for (unsigned i = 0; i < CHACHA_BLOCK; i++)
		to[i] = (uint8_t)((x[i / 4] + start[i / 4]) >> i % 4 * 8);
}

static void expect_chacha20(const uint8_t *key, uint64_t position, uint8_t *to, size_t length)
{
	uint8_t block[CHACHA_BLOCK];

	for (size_t i = 0; i < length; i++, position++) {
		if (!i || position % CHACHA_BLOCK == 0)
			chacha_block(key, position / CHACHA_BLOCK, block);
		to[i] = block[position % CHACHA_BLOCK];
	}
}

/* What a test of the content is run with: each implementation in turn. */
static const struct keystream_kind *kind_of(void **state)
{
	const struct keystream_kind *kind = *state;

	if (!keystream_rate(kind, 0)) {
		print_message("# skipped: %s does not work on this CPU\n", kind->name);
		skip();
	}
	return kind;
}

static void expect(const struct keystream_kind *kind, const uint8_t *key, uint64_t position,
		   uint8_t *to, size_t length)
{
	if (!strcmp(kind->cipher, CIPHER_AES))
		expect_aes(key, position, to, length);
	else
		expect_chacha20(key, position, to, length);
}

static struct keystream *make_stream(const struct keystream_kind *kind, const uint8_t *key)
{
	struct keystream *ks;

	assert_int_equal(kind->make(key, &ks), 0);
	return ks;
}

/* The one that is right, for those that are wrong on purpose. */
static const struct keystream_kind *openssl_aes(void)
{
	const struct keystream_kind *kind = keystream_kinds;

	while (strcmp(kind->cipher, CIPHER_AES) || strcmp(kind->name, "openssl"))
		kind++;
	return kind;
}

/* Fills, between guards that have to stay. */
static void check_fill(struct keystream *ks, uint64_t position, const uint8_t *wanted,
		       size_t length)
{
	static uint8_t buf[GUARD + LARGE + GUARD];

	memset(buf, GUARD_BYTE, GUARD + length + GUARD);
	assert_int_equal(keystream_fill(ks, position, buf + GUARD, length), 0);
	if (memcmp(buf + GUARD, wanted, length))
		fail_msg("%zu bytes at %llu", length, (unsigned long long)position);
	for (size_t i = 0; i < GUARD; i++)
		if (buf[i] != GUARD_BYTE || buf[GUARD + length + i] != GUARD_BYTE)
			fail_msg("%zu bytes at %llu wrote elsewhere", length,
				 (unsigned long long)position);
}

static void published_answers_come_out(void **state)
{
	/* The hash key of AES-GCM test case 13: zero block under the zero key. */
	static const uint8_t zero_key[KEYSTREAM_KEY_BYTES],
		one_key[KEYSTREAM_KEY_BYTES] = { [31] = 1 };
	static const uint8_t aes[BLOCK] = { 0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89,
					    0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87 };
	/* RFC 8439, appendix A.1: the beginning of test vector 1, all of 3. */
	static const uint8_t first[8] = { 0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90 };
	static const uint8_t third[CHACHA_BLOCK] = {
		0x3a, 0xeb, 0x52, 0x24, 0xec, 0xf8, 0x49, 0x92, 0x9b, 0x9d, 0x82, 0x8d, 0xb1,
		0xce, 0xd4, 0xdd, 0x83, 0x20, 0x25, 0xe8, 0x01, 0x8b, 0x81, 0x60, 0xb8, 0x22,
		0x84, 0xf3, 0xc9, 0x49, 0xaa, 0x5a, 0x8e, 0xca, 0x00, 0xbb, 0xb4, 0xa7, 0x3b,
		0xda, 0xd1, 0x92, 0xb5, 0xc4, 0x2f, 0x73, 0xf2, 0xfd, 0x4e, 0x27, 0x36, 0x44,
		0xc8, 0xb3, 0x61, 0x25, 0xa6, 0x4a, 0xdd, 0xeb, 0x00, 0x6c, 0x13, 0xa0
	};
	const struct keystream_kind *kind = kind_of(state);
	struct keystream *zero = make_stream(kind, zero_key), *one = make_stream(kind, one_key);

	if (!strcmp(kind->cipher, CIPHER_AES)) {
		check_fill(zero, 0, aes, sizeof(aes));
	} else {
		check_fill(zero, 0, first, sizeof(first));
		check_fill(one, CHACHA_BLOCK, third, sizeof(third));
	}
	keystream_free(zero);
	keystream_free(one);
	keystream_free(NULL);
}

static void every_short_piece_at_every_offset_is_the_stream(void **state)
{
	enum { OFFSETS = 40, LENGTHS = 100 };
	const struct keystream_kind *kind = kind_of(state);
	struct keystream *ks = make_stream(kind, test_key);
	uint8_t wanted[OFFSETS + LENGTHS];

	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		/* Half of the offsets in front of the place. */
		uint64_t start = places[p] ? places[p] - OFFSETS / 2 : 0;

		expect(kind, test_key, start, wanted, sizeof(wanted));
		for (unsigned offset = 0; offset <= OFFSETS; offset++)
			for (unsigned length = 0; length < LENGTHS; length++)
				check_fill(ks, start + offset, wanted + offset, length);
	}
	keystream_free(ks);
}

static void long_pieces_across_every_boundary_are_the_stream(void **state)
{
	const struct keystream_kind *kind = kind_of(state);
	struct keystream *ks = make_stream(kind, test_key);
	uint8_t *wanted = malloc(LARGE);

	assert_non_null(wanted);
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
		for (unsigned odd = 0; odd < 3; odd++) {
			uint64_t start = places[p] + odd;

			if (places[p] > LARGE && places[p] < UINT64_MAX - LARGE)
				start -= LARGE / 2;
			/* In the last place the third piece would end behind the last byte. */
			if (LARGE - 1 > UINT64_MAX - start)
				continue;
			expect(kind, test_key, start, wanted, LARGE);
			check_fill(ks, start, wanted, LARGE);
		}
	free(wanted);
	keystream_free(ks);
}

static uint64_t random_64(void)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < 5; i++)
		number = number << 15 ^ (uint64_t)rand();
	return number;
}

static void random_pieces_under_random_keys_are_the_stream(void **state)
{
	enum { KEYS = 40, PIECES = 20, PIECE_MAX = 5000 };
	const struct keystream_kind *kind = kind_of(state);
	uint8_t wanted[PIECE_MAX];

	srand(20261202);
	for (unsigned k = 0; k < KEYS; k++) {
		uint8_t key[KEYSTREAM_KEY_BYTES];
		struct keystream *ks;

		for (size_t i = 0; i < sizeof(key); i++)
			key[i] = (uint8_t)(rand() >> 7);
		ks = make_stream(kind, key);
		for (unsigned i = 0; i < PIECES; i++) {
			/* As many small positions as large ones. */
			uint64_t position = random_64() >> rand() % 64;
			size_t length = (size_t)rand() % PIECE_MAX;

			if (length > UINT64_MAX - position)
				position -= PIECE_MAX;
			expect(kind, key, position, wanted, length);
			check_fill(ks, position, wanted, length);
		}
		keystream_free(ks);
	}
}

static void the_key_may_be_wiped_once_it_was_given(void **state)
{
	const struct keystream_kind *kind = kind_of(state);
	uint8_t key[KEYSTREAM_KEY_BYTES], wanted[100];
	struct keystream *ks;

	memcpy(key, test_key, sizeof(key));
	ks = make_stream(kind, key);
	memset(key, 0, sizeof(key));
	expect(kind, test_key, 5, wanted, sizeof(wanted));
	check_fill(ks, 5, wanted, sizeof(wanted));
	keystream_free(ks);
}

static void combining_gives_zeros_for_the_stream_and_what_differs_for_the_rest(void **state)
{
	static const size_t lengths[] = { 0, 1, 15, 16, 17, 63, 64, 65, 16384, 16385, LARGE };
	const struct keystream_kind *kind = kind_of(state);
	struct keystream *ks = make_stream(kind, test_key);
	uint8_t *in = malloc(LARGE), *out = malloc(LARGE + GUARD);

	assert_true(in && out);
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			size_t length = lengths[i];
			uint64_t start = places[p] + (p ? 0 : 5) + i % 3;

			if (length && length - 1 > UINT64_MAX - start)
				continue;
			expect(kind, test_key, start, in, length);
			if (length)
				in[length / 2] ^= 0x40;
			memset(out, GUARD_BYTE, length + GUARD);
			assert_int_equal(keystream_xor(ks, start, in, out, length), 0);
			for (size_t k = 0; k < length; k++)
				assert_int_equal(out[k], k == length / 2 ? 0x40 : 0);
			for (size_t k = 0; k < GUARD; k++)
				assert_int_equal(out[length + k], GUARD_BYTE);
		}
	assert_int_equal(keystream_xor(ks, UINT64_MAX, in, out, 2), -ERANGE);
	free(in);
	free(out);
	keystream_free(ks);
}

static void the_last_byte_is_the_2_to_the_64th(void **state)
{
	const struct keystream_kind *kind = kind_of(state);
	struct keystream *ks = make_stream(kind, test_key);
	uint8_t wanted[20], buf[21];

	expect(kind, test_key, UINT64_MAX - 19, wanted, sizeof(wanted));
	check_fill(ks, UINT64_MAX - 19, wanted, 20);
	check_fill(ks, UINT64_MAX, wanted + 19, 1);
	check_fill(ks, UINT64_MAX, wanted, 0);
	memset(buf, GUARD_BYTE, sizeof(buf));
	assert_int_equal(keystream_fill(ks, UINT64_MAX - 19, buf, 21), -ERANGE);
	assert_int_equal(keystream_fill(ks, UINT64_MAX, buf, 2), -ERANGE);
	assert_int_equal(keystream_fill(ks, UINT64_MAX - 1, buf, SIZE_MAX), -ERANGE);
	for (size_t i = 0; i < sizeof(buf); i++)
		assert_int_equal(buf[i], GUARD_BYTE);
	keystream_free(ks);
}

static void without_the_cipher_it_is_not_supported(void **state)
{
	struct keystream *untouched = (struct keystream *)&untouched, *ks = untouched;
	int r, self_test;

	(void)state;
	/* As a configuration file can do it: only implementations that do not exist will do. */
	assert_int_equal(EVP_set_default_properties(NULL, "provider=nonesuch"), 1);
	r = openssl_aes()->make(test_key, &ks);
	self_test = keystream_self_test(openssl_aes());
	assert_int_equal(EVP_set_default_properties(NULL, ""), 1);
	assert_int_equal(r, -ENOTSUP);
	assert_ptr_equal(ks, untouched);
	assert_int_equal(self_test, -ENOTSUP);
	keystream_free(make_stream(openssl_aes(), test_key));
}

/* Wrong on purpose: the right one, and then something is done to what it gave. */
struct wrong {
	struct keystream base;
	struct keystream *right;
};

static unsigned alive; /* wrong keystreams that were not freed */

static struct keystream *right_of(struct keystream *ks)
{
	return ((struct wrong *)ks)->right;
}

static void free_wrong(struct keystream *ks)
{
	keystream_free(right_of(ks));
	free(ks);
	alive--;
}

static int make_wrong(const struct keystream_ops *ops, const uint8_t *key,
		      struct keystream **ret_ks)
{
	struct wrong *wrong = malloc(sizeof(*wrong));

	assert_non_null(wrong);
	wrong->base.ops = ops;
	wrong->right = make_stream(openssl_aes(), key);
	alive++;
	*ret_ks = &wrong->base;
	return 0;
}

#define WRONG_MAKER(what)                                                                          \
	static int make_##what(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)  \
	{                                                                                          \
		static const struct keystream_ops ops = { .fill = fill_##what,                     \
							  .free = free_wrong };                    \
                                                                                                   \
		return make_wrong(&ops, key, ret_ks);                                              \
	}

static int fill_nothing_changed(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	return keystream_fill(right_of(ks), position, buf, length);
}

static int fill_zeros(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)ks;
	(void)position;
	memset(buf, 0, length);
	return 0;
}

static int fill_not_at_all(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)ks;
	(void)position;
	(void)buf;
	(void)length;
	return 0;
}

static int flip_bit(struct keystream *ks, uint64_t position, void *buf, size_t length, uint64_t at)
{
	int r = keystream_fill(right_of(ks), position, buf, length);

	if (!r && at >= position && at - position < length)
		((uint8_t *)buf)[at - position] ^= 0x10;
	return r;
}

static int fill_one_bit_wrong_at_17(struct keystream *ks, uint64_t position, void *buf,
				    size_t length)
{
	return flip_bit(ks, position, buf, length, 17);
}

static int fill_one_bit_wrong_at_64_gib(struct keystream *ks, uint64_t position, void *buf,
					size_t length)
{
	return flip_bit(ks, position, buf, length, 64 * GIB + 3);
}

static int fill_last_bit_wrong(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	return flip_bit(ks, position, buf, length, UINT64_MAX);
}

/* The block counter of ipsec-mb and many a hand-written loop. */
static int fill_repeating_after_64_gib(struct keystream *ks, uint64_t position, void *buf,
				       size_t length)
{
	for (size_t i = 0; i < length; i++) {
		int r = keystream_fill(right_of(ks), (position + i) % (64 * GIB),
				       (uint8_t *)buf + i, 1);

		if (r)
			return r;
	}
	return 0;
}

static int fill_repeating_after_2_63(struct keystream *ks, uint64_t position, void *buf,
				     size_t length)
{
	return keystream_fill(right_of(ks), position & INT64_MAX, buf, length);
}

/* Forgets that a position may be in the middle of a block. */
static int fill_from_the_block(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	return keystream_fill(right_of(ks), position - position % BLOCK, buf, length);
}

/* As a fault in the code for many blocks at once: no short piece shows it. */
static int fill_long_runs_wrong(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	if (length < 1024)
		return fill_nothing_changed(ks, position, buf, length);
	return flip_bit(ks, position, buf, length, position + length / 2);
}

/* As a fault in the code for what is left of a block: only pieces shorter than one show it. */
static int fill_short_pieces_wrong(struct keystream *ks, uint64_t position, void *buf,
				   size_t length)
{
	if (length >= BLOCK)
		return fill_nothing_changed(ks, position, buf, length);
	return flip_bit(ks, position, buf, length, position + length - 1);
}

static int fill_with_an_error(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)fill_nothing_changed(ks, position, buf, length);
	return position > 64 * GIB ? -EIO : 0;
}

WRONG_MAKER(nothing_changed)
WRONG_MAKER(zeros)
WRONG_MAKER(not_at_all)
WRONG_MAKER(one_bit_wrong_at_17)
WRONG_MAKER(one_bit_wrong_at_64_gib)
WRONG_MAKER(last_bit_wrong)
WRONG_MAKER(repeating_after_64_gib)
WRONG_MAKER(repeating_after_2_63)
WRONG_MAKER(from_the_block)
WRONG_MAKER(long_runs_wrong)
WRONG_MAKER(short_pieces_wrong)
WRONG_MAKER(with_an_error)

/* Right for one key only: the key never reaches the cipher. */
static int make_key_ignored(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	static const uint8_t zero_key[KEYSTREAM_KEY_BYTES];

	(void)key;
	return make_nothing_changed(zero_key, ret_ks);
}

static int make_without_memory(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	(void)key;
	(void)ret_ks;
	return -ENOMEM;
}

static void the_self_test_passes_what_is_right(void **state)
{
	const struct keystream_kind unchanged = { .cipher = CIPHER_AES,
						  .make = make_nothing_changed };

	(void)state;
	for (const struct keystream_kind *kind = keystream_kinds; kind->make; kind++)
		if (keystream_rate(kind, 0))
			assert_int_equal(keystream_self_test(kind), 0);
	assert_int_equal(keystream_self_test(&unchanged), 0);
	assert_int_equal(alive, 0);
}

static void the_self_test_finds_what_is_wrong(void **state)
{
	static const struct {
		const char *what;
		keystream_maker *make;
		int result;
	} rows[] = {
		{ "zeros", make_zeros, -EBADMSG },
		{ "not at all", make_not_at_all, -EBADMSG },
		{ "one bit at 17", make_one_bit_wrong_at_17, -EBADMSG },
		{ "one bit at 64 GiB", make_one_bit_wrong_at_64_gib, -EBADMSG },
		{ "last bit", make_last_bit_wrong, -EBADMSG },
		{ "repeats after 64 GiB", make_repeating_after_64_gib, -EBADMSG },
		{ "repeats after 2^63", make_repeating_after_2_63, -EBADMSG },
		{ "whole blocks only", make_from_the_block, -EBADMSG },
		{ "long runs", make_long_runs_wrong, -EBADMSG },
		{ "short pieces", make_short_pieces_wrong, -EBADMSG },
		{ "key ignored", make_key_ignored, -EBADMSG },
		{ "error from fill", make_with_an_error, -EIO },
		{ "no memory", make_without_memory, -ENOMEM },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct keystream_kind kind = { .cipher = CIPHER_AES, .make = rows[i].make };
		int r = keystream_self_test(&kind);

		if (r != rows[i].result)
			fail_msg("%s: %d", rows[i].what, r);
		assert_int_equal(alive, 0);
	}
}

/* The other cipher's stream is as random, but not what the record would say. */
static void the_self_test_finds_the_wrong_cipher(void **state)
{
	struct keystream_kind kind = *openssl_aes();

	(void)state;
	kind.cipher = CIPHER_CHACHA20;
	assert_int_equal(keystream_self_test(&kind), -EBADMSG);
}

static void what_is_chosen_passes_the_self_test(void **state)
{
	const char *ciphers[] = { NULL, CIPHER_AES, CIPHER_CHACHA20 };

	(void)state;
	for (size_t i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++) {
		const struct keystream_kind *kind = keystream_choose(ciphers[i]);

		assert_non_null(kind);
		if (ciphers[i])
			assert_string_equal(kind->cipher, ciphers[i]);
		assert_int_equal(keystream_self_test(kind), 0);
	}
	assert_null(keystream_choose("rot13"));
}

/* The rates are given by name, because the table depends on how the program was built. */
static void the_fastest_is_picked_and_aes_where_it_has_hardware(void **state)
{
	static const struct {
		const char *cipher;
		enum cpu_answer hardware;
		uint64_t ipsec_mb, aes, chacha20; /* MB/s */
		const char *picked, *name;	  /* NULL: none */
	} rows[] = {
		{ NULL, CPU_YES, 10000, 4000, 3000, CIPHER_AES, "ipsec-mb" },
		{ NULL, CPU_YES, 4000, 10000, 3000, CIPHER_AES, "openssl" },
		{ NULL, CPU_YES, 0, 4000, 4100, CIPHER_AES, "openssl" },
		{ NULL, CPU_YES, 0, 4000, 7900, CIPHER_AES, "openssl" },
		/* It has it, and OpenSSL does not use it. */
		{ NULL, CPU_YES, 0, 290, 1000, CIPHER_CHACHA20, "openssl" },
		{ NULL, CPU_YES, 9000, 290, 1000, CIPHER_AES, "ipsec-mb" },
		{ NULL, CPU_NO, 0, 290, 1000, CIPHER_CHACHA20, "openssl" },
		{ NULL, CPU_NO, 0, 900, 1000, CIPHER_CHACHA20, "openssl" },
		{ NULL, CPU_NO, 0, 290, 0, CIPHER_AES, "openssl" },
		{ NULL, CPU_UNKNOWN, 0, 4000, 1000, CIPHER_AES, "openssl" },
		{ NULL, CPU_UNKNOWN, 0, 290, 1000, CIPHER_CHACHA20, "openssl" },
		{ NULL, CPU_NO, 0, 0, 1000, CIPHER_CHACHA20, "openssl" },
		{ NULL, CPU_YES, 0, 0, 0, NULL, NULL },
		{ CIPHER_AES, CPU_NO, 0, 290, 1000, CIPHER_AES, "openssl" },
		{ CIPHER_AES, CPU_YES, 0, 0, 1000, NULL, NULL },
		{ CIPHER_CHACHA20, CPU_YES, 10000, 4000, 1000, CIPHER_CHACHA20, "openssl" },
		{ CIPHER_CHACHA20, CPU_YES, 10000, 4000, 0, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t rates[8] = { 0 };
		const struct keystream_kind *kind;
		bool built = !rows[i].ipsec_mb;

		for (unsigned k = 0; keystream_kinds[k].make; k++) {
			bool ipsec_mb = !strcmp(keystream_kinds[k].name, "ipsec-mb");

			built |= ipsec_mb;
			rates[k] = ipsec_mb ? rows[i].ipsec_mb
				   : !strcmp(keystream_kinds[k].cipher, CIPHER_AES)
					   ? rows[i].aes
					   : rows[i].chacha20;
			rates[k] *= 1000000;
		}
		if (!built)
			continue;
		kind = keystream_pick(rows[i].cipher, rows[i].hardware, rates);
		if (!rows[i].picked) {
			assert_null(kind);
			continue;
		}
		assert_non_null(kind);
		assert_string_equal(kind->cipher, rows[i].picked);
		assert_string_equal(kind->name, rows[i].name);
	}
}

static void together_they_work_where_one_works(void **state)
{
	(void)state;
	for (const struct keystream_kind *kind = keystream_kinds; kind->make; kind++) {
		bool works = keystream_rate(kind, 0) > 0;

		assert_int_equal(keystream_rate_together(kind, 1, 0) > 0, works);
		assert_int_equal(keystream_rate_together(kind, 3, 0) > 0, works);
		assert_int_equal(keystream_rate_together(kind, 0, 0), 0);
	}
}

/* Tests of the content, run with every implementation. */
static const struct CMUnitTest content_tests[] = {
	cmocka_unit_test(published_answers_come_out),
	cmocka_unit_test(every_short_piece_at_every_offset_is_the_stream),
	cmocka_unit_test(long_pieces_across_every_boundary_are_the_stream),
	cmocka_unit_test(random_pieces_under_random_keys_are_the_stream),
	cmocka_unit_test(the_key_may_be_wiped_once_it_was_given),
	cmocka_unit_test(combining_gives_zeros_for_the_stream_and_what_differs_for_the_rest),
	cmocka_unit_test(the_last_byte_is_the_2_to_the_64th),
};

static const struct CMUnitTest other_tests[] = {
	cmocka_unit_test(without_the_cipher_it_is_not_supported),
	cmocka_unit_test(the_self_test_passes_what_is_right),
	cmocka_unit_test(the_self_test_finds_what_is_wrong),
	cmocka_unit_test(the_self_test_finds_the_wrong_cipher),
	cmocka_unit_test(what_is_chosen_passes_the_self_test),
	cmocka_unit_test(the_fastest_is_picked_and_aes_where_it_has_hardware),
	cmocka_unit_test(together_they_work_where_one_works),
};

enum {
	CONTENT_TESTS = sizeof(content_tests) / sizeof(content_tests[0]),
	OTHER_TESTS = sizeof(other_tests) / sizeof(other_tests[0]),
	KINDS_MAX = 8,
	TESTS_MAX = KINDS_MAX * CONTENT_TESTS + OTHER_TESTS,
};

int main(void)
{
	static struct CMUnitTest tests[TESTS_MAX];
	static char names[TESTS_MAX][128];
	size_t n = 0;

	for (const struct keystream_kind *kind = keystream_kinds; kind->make; kind++) {
		for (size_t i = 0; i < CONTENT_TESTS; i++, n++) {
			assert(n < TESTS_MAX - OTHER_TESTS);
			(void)snprintf(names[n], sizeof(names[n]), "%s, %s: %s", kind->cipher,
				       kind->name, content_tests[i].name);
			tests[n] = content_tests[i];
			tests[n].name = names[n];
			tests[n].initial_state = (void *)(uintptr_t)kind;
		}
	}
	for (size_t i = 0; i < OTHER_TESTS; i++)
		tests[n++] = other_tests[i];
	return _cmocka_run_group_tests("keystream", tests, n, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The stream against AES of the block counter, done here block by block and in another mode. */
#include "keystream/keystream.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include <cmocka.h>

enum {
	BLOCK = 16,
	LARGE = 100003, /* several of the implementation's steps and an odd rest */
	GUARD = 32,
	GUARD_BYTE = 0x5a,
};

#define GIB UINT64_C(0x40000000)
#define TIB (1024 * GIB)

/* Places where a counter of 32 bits, a signed offset, or 64 bits come to their end. */
static const uint64_t places[] = {
	0,   4 * GIB,		64 * GIB,	   128 * GIB,
	TIB, UINT64_C(1) << 62, UINT64_C(1) << 63, UINT64_MAX - LARGE,
};

static const uint8_t test_key[KEYSTREAM_KEY_BYTES] = "a key that is neither 0 nor fair";

/* AES-256-ECB of each block's number: what the public format says a stream is. */
static void expect(const uint8_t *key, uint64_t position, uint8_t *to, size_t length)
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

/* Every test of the stream's content runs with each implementation. */
static keystream_maker *implementation = keystream_openssl_new;

static struct keystream *make_stream(const uint8_t *key)
{
	struct keystream *ks;

	assert_int_equal(implementation(key, &ks), 0);
	return ks;
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

static void it_names_what_it_is(void **state)
{
	struct keystream *ks = make_stream(test_key);

	(void)state;
	assert_string_equal(ks->ops->cipher, "aes-256-ctr");
	assert_string_equal(ks->ops->name, "openssl");
	keystream_free(ks);
	keystream_free(NULL);
}

static void published_answers_come_out(void **state)
{
	/* The hash key of AES-GCM test case 13: zero block under the zero key. */
	static const uint8_t zero_key[KEYSTREAM_KEY_BYTES];
	static const uint8_t first[BLOCK] = { 0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89,
					      0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87 };
	struct keystream *ks = make_stream(zero_key);

	(void)state;
	check_fill(ks, 0, first, sizeof(first));
	keystream_free(ks);
}

static void every_short_piece_at_every_offset_is_the_stream(void **state)
{
	enum { OFFSETS = 40, LENGTHS = 100 };
	struct keystream *ks = make_stream(test_key);
	uint8_t wanted[OFFSETS + LENGTHS];

	(void)state;
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		/* Half of the offsets in front of the place. */
		uint64_t start = places[p] ? places[p] - OFFSETS / 2 : 0;

		expect(test_key, start, wanted, sizeof(wanted));
		for (unsigned offset = 0; offset <= OFFSETS; offset++)
			for (unsigned length = 0; length < LENGTHS; length++)
				check_fill(ks, start + offset, wanted + offset, length);
	}
	keystream_free(ks);
}

static void long_pieces_across_every_boundary_are_the_stream(void **state)
{
	struct keystream *ks = make_stream(test_key);
	uint8_t *wanted = malloc(LARGE);

	(void)state;
	assert_non_null(wanted);
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
		for (unsigned odd = 0; odd < 3; odd++) {
			uint64_t start = places[p] + odd;

			if (places[p] > LARGE && places[p] < UINT64_MAX - LARGE)
				start -= LARGE / 2;
			/* In the last place the third piece would end behind the last byte. */
			if (LARGE - 1 > UINT64_MAX - start)
				continue;
			expect(test_key, start, wanted, LARGE);
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
	uint8_t wanted[PIECE_MAX];

	(void)state;
	srand(20261202);
	for (unsigned k = 0; k < KEYS; k++) {
		uint8_t key[KEYSTREAM_KEY_BYTES];
		struct keystream *ks;

		for (size_t i = 0; i < sizeof(key); i++)
			key[i] = (uint8_t)(rand() >> 7);
		ks = make_stream(key);
		for (unsigned i = 0; i < PIECES; i++) {
			/* As many small positions as large ones. */
			uint64_t position = random_64() >> rand() % 64;
			size_t length = (size_t)rand() % PIECE_MAX;

			if (length > UINT64_MAX - position)
				position -= PIECE_MAX;
			expect(key, position, wanted, length);
			check_fill(ks, position, wanted, length);
		}
		keystream_free(ks);
	}
}

static void the_key_may_be_wiped_once_it_was_given(void **state)
{
	uint8_t key[KEYSTREAM_KEY_BYTES], wanted[100];
	struct keystream *ks;

	(void)state;
	memcpy(key, test_key, sizeof(key));
	ks = make_stream(key);
	memset(key, 0, sizeof(key));
	expect(test_key, 5, wanted, sizeof(wanted));
	check_fill(ks, 5, wanted, sizeof(wanted));
	keystream_free(ks);
}

static void the_last_byte_is_the_2_to_the_64th(void **state)
{
	struct keystream *ks = make_stream(test_key);
	uint8_t wanted[20], buf[21];

	(void)state;
	expect(test_key, UINT64_MAX - 19, wanted, sizeof(wanted));
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
	r = keystream_openssl_new(test_key, &ks);
	self_test = keystream_self_test(keystream_openssl_new);
	assert_int_equal(EVP_set_default_properties(NULL, ""), 1);
	assert_int_equal(r, -ENOTSUP);
	assert_ptr_equal(ks, untouched);
	assert_int_equal(self_test, -ENOTSUP);
	keystream_free(make_stream(test_key));
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
	wrong->right = make_stream(key);
	alive++;
	*ret_ks = &wrong->base;
	return 0;
}

#define WRONG_MAKER(what)                                                                          \
	static int make_##what(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)  \
	{                                                                                          \
		static const struct keystream_ops ops = { "aes-256-ctr", #what, fill_##what,       \
							  free_wrong };                            \
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
	(void)state;
	assert_int_equal(keystream_self_test(keystream_openssl_new), 0);
	assert_int_equal(keystream_self_test(make_nothing_changed), 0);
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
		int r = keystream_self_test(rows[i].make);

		if (r != rows[i].result)
			fail_msg("%s: %d", rows[i].what, r);
		assert_int_equal(alive, 0);
	}
}

static void what_is_chosen_passes_the_self_test(void **state)
{
	(void)state;
	assert_int_equal(keystream_self_test(keystream_choose()), 0);
}

/* The same test once more, with ipsec-mb. */
static void with_ipsec_mb(void (*test)(void **state), void **state)
{
#ifdef HAVE_IPSEC_MB
	struct keystream *ks = NULL;
	int r = keystream_ipsec_mb_new(test_key, &ks);

	if (r == -ENOTSUP) {
		print_message("# skipped: this CPU has no VAES\n");
		skip();
	}
	assert_int_equal(r, 0);
	assert_string_equal(ks->ops->cipher, "aes-256-ctr");
	assert_string_equal(ks->ops->name, "ipsec-mb");
	keystream_free(ks);
	implementation = keystream_ipsec_mb_new;
	test(state);
	implementation = keystream_openssl_new;
#else
	(void)test;
	(void)state;
	print_message("# skipped: built without ipsec-mb\n");
	skip();
#endif
}

static void ipsec_mb_gives_published_answers(void **state)
{
	with_ipsec_mb(published_answers_come_out, state);
}

static void ipsec_mb_gives_the_stream_in_short_pieces(void **state)
{
	with_ipsec_mb(every_short_piece_at_every_offset_is_the_stream, state);
}

static void ipsec_mb_gives_the_stream_across_every_boundary(void **state)
{
	with_ipsec_mb(long_pieces_across_every_boundary_are_the_stream, state);
}

static void ipsec_mb_gives_the_stream_under_random_keys(void **state)
{
	with_ipsec_mb(random_pieces_under_random_keys_are_the_stream, state);
}

static void ipsec_mb_copies_the_key(void **state)
{
	with_ipsec_mb(the_key_may_be_wiped_once_it_was_given, state);
}

static void ipsec_mb_ends_at_the_2_to_the_64th(void **state)
{
	with_ipsec_mb(the_last_byte_is_the_2_to_the_64th, state);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_names_what_it_is),
		cmocka_unit_test(published_answers_come_out),
		cmocka_unit_test(every_short_piece_at_every_offset_is_the_stream),
		cmocka_unit_test(long_pieces_across_every_boundary_are_the_stream),
		cmocka_unit_test(random_pieces_under_random_keys_are_the_stream),
		cmocka_unit_test(the_key_may_be_wiped_once_it_was_given),
		cmocka_unit_test(the_last_byte_is_the_2_to_the_64th),
		cmocka_unit_test(without_the_cipher_it_is_not_supported),
		cmocka_unit_test(the_self_test_passes_what_is_right),
		cmocka_unit_test(the_self_test_finds_what_is_wrong),
		cmocka_unit_test(what_is_chosen_passes_the_self_test),
		cmocka_unit_test(ipsec_mb_gives_published_answers),
		cmocka_unit_test(ipsec_mb_gives_the_stream_in_short_pieces),
		cmocka_unit_test(ipsec_mb_gives_the_stream_across_every_boundary),
		cmocka_unit_test(ipsec_mb_gives_the_stream_under_random_keys),
		cmocka_unit_test(ipsec_mb_copies_the_key),
		cmocka_unit_test(ipsec_mb_ends_at_the_2_to_the_64th),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

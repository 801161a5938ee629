/* SPDX-License-Identifier: MIT */
/* AES-256-CTR and ChaCha20 by OpenSSL: the implementations that work everywhere. */
#include "keystream/openssl.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "keystream/zeros.h"

enum { IV_BYTES = 16, CHACHA20_BLOCK_BYTES = 64, BLOCK_BYTES_MAX = CHACHA20_BLOCK_BYTES };

/* How a cipher counts its blocks. */
struct openssl_cipher {
	const char *name; /* OpenSSL's */
	uint32_t block;	  /* bytes */
	void (*set_counter)(uint64_t block, uint8_t iv[IV_BYTES]);
};

struct openssl_keystream {
	struct keystream base;
	const struct openssl_cipher *cipher;
	EVP_CIPHER_CTX *context; /* holds the key; wiped by OpenSSL when freed */
};

/* OpenSSL takes RFC 8439's 32-bit counter and the first word of its nonce as one 64-bit counter,
 * little-endian, and carries from one into the other. The rest is the nonce: zero. */
static void chacha20_counter(uint64_t block, uint8_t iv[IV_BYTES])
{
	for (unsigned i = 0; i < IV_BYTES; i++, block >>= 8)
		iv[i] = (uint8_t)block;
}

static const struct openssl_cipher aes = { "AES-256-CTR", AES_BLOCK_BYTES, keystream_counter };
static const struct openssl_cipher chacha20 = { "ChaCha20", CHACHA20_BLOCK_BYTES,
						chacha20_counter };

/* The next @length bytes of the stream, combined with @from if there is one. OpenSSL counts them in
 * an int. */
static int next_bytes(EVP_CIPHER_CTX *context, const uint8_t *from, uint8_t *to, size_t length)
{
	while (length) {
		int step = (int)(length < ZEROS_BYTES ? length : ZEROS_BYTES), done;

		if (!EVP_EncryptUpdate(context, to, &done, from ? from : keystream_zeros, step) ||
		    done != step)
			return -EIO;
		from = from ? from + step : NULL;
		to += step;
		length -= (size_t)step;
	}
	return 0;
}

static int openssl_xor(struct keystream *ks, uint64_t position, const void *from, void *to,
		       size_t length)
{
	const struct openssl_keystream *own = (struct openssl_keystream *)ks;
	uint8_t iv[IV_BYTES], skipped[BLOCK_BYTES_MAX];
	int r;

	own->cipher->set_counter(position / own->cipher->block, iv);
	if (!EVP_EncryptInit_ex2(own->context, NULL, NULL, iv, NULL))
		return -EIO;
	r = next_bytes(own->context, NULL, skipped, position % own->cipher->block);
	return r ? r : next_bytes(own->context, from, to, length);
}

static int openssl_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	return openssl_xor(ks, position, NULL, buf, length);
}

static void openssl_free(struct keystream *ks)
{
	EVP_CIPHER_CTX_free(((struct openssl_keystream *)ks)->context);
	free(ks);
}

static const struct keystream_ops openssl_ops = { .fill = openssl_fill,
						  .xor = openssl_xor,
						  .free = openssl_free };

static int set_key(EVP_CIPHER_CTX *context, const char *name, const uint8_t *key)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	bool ok = cipher && EVP_EncryptInit_ex2(context, cipher, key, NULL, NULL);

	EVP_CIPHER_free(cipher);
	if (!ok)
		ERR_clear_error();
	return ok ? 0 : -ENOTSUP;
}

static int openssl_new(const struct openssl_cipher *cipher, const uint8_t *key,
		       struct keystream **ret_ks)
{
	struct openssl_keystream *own = calloc(1, sizeof(*own));
	int r = -ENOMEM;

	if (!own)
		return r;
	own->base.ops = &openssl_ops;
	own->cipher = cipher;
	own->context = EVP_CIPHER_CTX_new();
	if (own->context)
		r = set_key(own->context, cipher->name, key);
	if (r) {
		openssl_free(&own->base);
		return r;
	}
	*ret_ks = &own->base;
	return 0;
}

int openssl_aes_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	return openssl_new(&aes, key, ret_ks);
}

int openssl_chacha20_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	return openssl_new(&chacha20, key, ret_ks);
}

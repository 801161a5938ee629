/* SPDX-License-Identifier: MIT */
/* AES-256-CTR by OpenSSL: the implementation that works everywhere. */
#include "keystream/keystream.h"

#include <errno.h>
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "keystream/zeros.h"

struct openssl_keystream {
	struct keystream base;
	EVP_CIPHER_CTX *context; /* holds the key; wiped by OpenSSL when freed */
};

static EVP_CIPHER_CTX *context_of(struct keystream *ks)
{
	return ((struct openssl_keystream *)ks)->context;
}

/* The next @length bytes of the stream. OpenSSL counts them in an int. */
static int next_bytes(EVP_CIPHER_CTX *context, uint8_t *to, size_t length)
{
	while (length) {
		int step = (int)(length < ZEROS_BYTES ? length : ZEROS_BYTES), done;

		if (!EVP_EncryptUpdate(context, to, &done, keystream_zeros, step) || done != step)
			return -EIO;
		to += step;
		length -= (size_t)step;
	}
	return 0;
}

static int openssl_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	EVP_CIPHER_CTX *context = context_of(ks);
	uint8_t counter[AES_BLOCK_BYTES], skipped[AES_BLOCK_BYTES];
	int r;

	keystream_counter(position / AES_BLOCK_BYTES, counter);
	if (!EVP_EncryptInit_ex2(context, NULL, NULL, counter, NULL))
		return -EIO;
	r = next_bytes(context, skipped, position % AES_BLOCK_BYTES);
	return r ? r : next_bytes(context, buf, length);
}

static void openssl_free(struct keystream *ks)
{
	EVP_CIPHER_CTX_free(context_of(ks));
	free(ks);
}

static const struct keystream_ops openssl_ops = {
	.cipher = "aes-256-ctr",
	.name = "openssl",
	.fill = openssl_fill,
	.free = openssl_free,
};

static int set_key(EVP_CIPHER_CTX *context, const uint8_t *key)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-CTR", NULL);
	int ok = cipher && EVP_EncryptInit_ex2(context, cipher, key, NULL, NULL);

	EVP_CIPHER_free(cipher);
	if (!ok)
		ERR_clear_error();
	return ok ? 0 : -ENOTSUP;
}

int keystream_openssl_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	struct openssl_keystream *ks = calloc(1, sizeof(*ks));
	int r = -ENOMEM;

	if (!ks)
		return r;
	ks->base.ops = &openssl_ops;
	ks->context = EVP_CIPHER_CTX_new();
	if (ks->context)
		r = set_key(ks->context, key);
	if (r) {
		openssl_free(&ks->base);
		return r;
	}
	*ret_ks = &ks->base;
	return 0;
}

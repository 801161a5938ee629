/* SPDX-License-Identifier: MIT */
/* Fills a piece that stays in the L1 cache and copies it out by non-temporal stores. */
#include "streaming.h"

#include <errno.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#include <stdlib.h>

enum { PIECE_BYTES = 16384 };

struct streaming {
	struct keystream base;
	struct keystream *inner;
	_Alignas(64) uint8_t piece[PIECE_BYTES];
};

/* Both aligned to 16 bytes; what is left of the last 16 is copied with them. */
static void stream_out(void *to, const void *from, size_t length)
{
	__m128i *target = to;
	const __m128i *source = from;

	for (size_t i = 0; i < length / sizeof(*target); i++)
		_mm_stream_si128(&target[i], _mm_load_si128(&source[i]));
}

static int streaming_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	struct streaming *own = (struct streaming *)ks;
	uint8_t *to = buf;
	int r = 0;

	if ((uintptr_t)buf % sizeof(__m128i) || length % sizeof(__m128i))
		return -EIO;
	for (size_t at = 0; !r && at < length; at += PIECE_BYTES) {
		size_t n = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;

		r = keystream_fill(own->inner, position + at, own->piece, n);
		if (!r)
			stream_out(to + at, own->piece, n);
	}
	/* The request that is submitted next must find them in memory. */
	_mm_sfence();
	return r;
}

static void streaming_free(struct keystream *ks)
{
	struct streaming *own = (struct streaming *)ks;

	keystream_free(own->inner);
	free(own);
}

static const struct keystream_ops streaming_ops = { .fill = streaming_fill,
						    .free = streaming_free };

int streaming_new(struct keystream *inner, struct keystream **ret_ks)
{
	struct streaming *own = aligned_alloc(_Alignof(struct streaming), sizeof(*own));

	if (!own)
		return -ENOMEM;
	own->base.ops = &streaming_ops;
	own->inner = inner;
	*ret_ks = &own->base;
	return 0;
}
#else
int streaming_new(struct keystream *inner, struct keystream **ret_ks)
{
	(void)inner, (void)ret_ks;
	return -ENOTSUP;
}
#endif

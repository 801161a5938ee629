/* SPDX-License-Identifier: MIT */
/* What all keystreams have in common: the check of the range, and the call through. */
#include "keystream/keystream.h"

#include <errno.h>

#include "keystream/zeros.h"

int keystream_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	if (!length)
		return 0;
	if (length - 1 > UINT64_MAX - position)
		return -ERANGE;
	return ks->ops->fill(ks, position, buf, length);
}

static int fill_and_xor(struct keystream *ks, uint64_t position, const uint8_t *from, uint8_t *to,
			size_t length)
{
	int r = ks->ops->fill(ks, position, to, length);

	for (size_t i = 0; !r && i < length; i++)
		to[i] ^= from[i];
	return r;
}

int keystream_xor(struct keystream *ks, uint64_t position, const void *from, void *to,
		  size_t length)
{
	if (!length)
		return 0;
	if (length - 1 > UINT64_MAX - position)
		return -ERANGE;
	if (!ks->ops->xor)
		return fill_and_xor(ks, position, from, to, length);
	return ks->ops->xor (ks, position, from, to, length);
}

void keystream_free(struct keystream *ks)
{
	if (ks)
		ks->ops->free(ks);
}

const uint8_t keystream_zeros[ZEROS_BYTES];

void keystream_counter(uint64_t block, uint8_t counter[AES_BLOCK_BYTES])
{
	for (unsigned i = AES_BLOCK_BYTES; i-- > 0; block >>= 8)
		counter[i] = (uint8_t)block;
}

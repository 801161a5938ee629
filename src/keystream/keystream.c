/* SPDX-License-Identifier: MIT */
/* What all keystreams have in common: the check of the range, and the call through. */
#include "keystream/keystream.h"

#include <errno.h>

int keystream_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	if (!length)
		return 0;
	if (length - 1 > UINT64_MAX - position)
		return -ERANGE;
	return ks->ops->fill(ks, position, buf, length);
}

void keystream_free(struct keystream *ks)
{
	if (ks)
		ks->ops->free(ks);
}

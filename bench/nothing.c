/* SPDX-License-Identifier: MIT */
/* Keystreams that make no random data. */
#include "nothing.h"

#include <string.h>

static int nothing_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)ks, (void)position, (void)buf, (void)length;
	return 0;
}

static void nothing_free(struct keystream *ks)
{
	(void)ks;
}

static const struct keystream_ops nothing_ops = { .fill = nothing_fill, .free = nothing_free };

/* It has no state, so one is enough for all threads. */
static struct keystream nothing = { .ops = &nothing_ops };

int nothing_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	(void)key;
	*ret_ks = &nothing;
	return 0;
}

static int same_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)ks;
	memset(buf, (int)(position / length % 251), length);
	return 0;
}

int same_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	static const struct keystream_ops ops = { .fill = same_fill, .free = nothing_free };
	static struct keystream same = { .ops = &ops };

	(void)key;
	*ret_ks = &same;
	return 0;
}

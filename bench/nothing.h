/* SPDX-License-Identifier: MIT */
/* Keystreams that make no random data: what a run costs without it. */
#ifndef BENCH_NOTHING_H
#define BENCH_NOTHING_H

#include "keystream/keystream.h"

/* Leaves buffers as they are. A keystream_maker. Always 0; the keystream needs no freeing. */
int nothing_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

/* The same, but each buffer is filled anew, with one value: what any new data would cost. */
int same_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

#endif

/* SPDX-License-Identifier: MIT */
/* A keystream that leaves buffers as they are: what a run costs without its random data. */
#ifndef BENCH_NOTHING_H
#define BENCH_NOTHING_H

#include "keystream/keystream.h"

/* A keystream_maker. Always 0; the keystream needs no freeing. */
int nothing_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks);

#endif

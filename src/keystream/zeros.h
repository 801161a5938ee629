/* SPDX-License-Identifier: MIT */
/* What is encrypted to get a keystream. Constant zeros that stay in the L1 cache, together with the
 * part of the target that is being written, are faster than a zeroed target that is encrypted in
 * place. */
#ifndef KEYSTREAM_ZEROS_H
#define KEYSTREAM_ZEROS_H

#include <stdint.h>

enum { AES_BLOCK_BYTES = 16, ZEROS_BYTES = 16384 };

extern const uint8_t keystream_zeros[ZEROS_BYTES];

/* The counter block of AES block number @block: big-endian in 16 bytes. */
void keystream_counter(uint64_t block, uint8_t counter[AES_BLOCK_BYTES]);

#endif

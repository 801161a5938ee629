/* SPDX-License-Identifier: MIT */
/* A keystream whose bytes go past the cache: is it faster if only the drive reads them anyway? */
#ifndef BENCH_STREAMING_H
#define BENCH_STREAMING_H

#include "keystream/keystream.h"

/* Takes @inner, which makes the bytes. Returns 0; -ENOMEM; -ENOTSUP: not for this architecture;
 * after a failure @inner is still the caller's. */
int streaming_new(struct keystream *inner, struct keystream **ret_ks);

#endif

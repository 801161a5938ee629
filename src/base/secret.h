/* SPDX-License-Identifier: MIT */
/* Memory for keys: locked where the limits allow it, left out of core dumps, wiped when freed. */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stddef.h>

/*
 * Returns @size (at most one page) zero bytes on a page of their own; NULL without memory.
 * Free with secret_free(), which accepts NULL and wipes first.
 */
void *secret_new(size_t size);
void secret_free(void *secret, size_t size);

/* Fills @buf from the kernel's generator (getrandom(2), waits until it is seeded). Returns 0;
 * -errno. */
int secret_random(void *buf, size_t size);

/* memset(0) that the compiler cannot leave out. */
void secret_wipe(void *buf, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* Text a person or the kernel wrote -> numbers, with every overflow checked. Same in all locales.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A plain decimal number: digits only, no sign, no space.
 * Returns 0; -EINVAL for anything else (also NULL and ""); -ERANGE above UINT64_MAX.
 */
int parse_u64(const char *text, uint64_t *ret_number);

/*
 * A size in bytes: a decimal number with an optional fraction after a point ("1.5G", never a comma)
 * and an optional unit: B, K M G T P E or KiB MiB ... (powers of 1024), kB KB MB GB ... (powers of
 * 1000). Upper and lower case are the same. A fraction of a byte is an error.
 * Returns 0; -EINVAL; -ERANGE above UINT64_MAX.
 */
int parse_size(const char *text, uint64_t *ret_bytes);

/*
 * Exactly 2 * @size hexadecimal digits, upper or lower case, into @size bytes. Returns 0; -EINVAL,
 * then @buf is untouched.
 */
int parse_hex(const char *text, uint8_t *buf, size_t size);

#endif

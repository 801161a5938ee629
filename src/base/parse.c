/* SPDX-License-Identifier: MIT */
/* Numbers and sizes out of text. Integer arithmetic only, and no function that asks the locale. */
#include "base/parse.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define DIGITS "0123456789"

enum { IEC_STEP = 1024, SI_STEP = 1000 };

static int read_number(const char *digits, size_t count, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (size_t i = 0; i < count; i++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(digits[i] - '0'), &number))
			return -ERANGE;
	*ret_number = number;
	return 0;
}

int parse_u64(const char *text, uint64_t *ret_number)
{
	size_t count = text ? strspn(text, DIGITS) : 0;

	if (!count || text[count])
		return -EINVAL;
	return read_number(text, count, ret_number);
}

/* strcasecmp() asks the locale. */
static bool equal_caseless(const char *text, const char *lower)
{
	for (; *text && *lower; text++, lower++) {
		char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;

		if (c != *lower)
			return false;
	}
	return !*text && !*lower;
}

static int read_unit(const char *text, uint64_t *ret_unit)
{
	static const struct {
		const char *names[3]; /* the first two are powers of 1024, the last one of 1000 */
		unsigned power;
	} units[] = {
		{ { "", "b", "b" }, 0 },     { { "k", "kib", "kb" }, 1 },
		{ { "m", "mib", "mb" }, 2 }, { { "g", "gib", "gb" }, 3 },
		{ { "t", "tib", "tb" }, 4 }, { { "p", "pib", "pb" }, 5 },
		{ { "e", "eib", "eb" }, 6 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		for (unsigned n = 0; n < 3; n++) {
			uint64_t unit = 1;

			if (!equal_caseless(text, units[i].names[n]))
				continue;
			for (unsigned k = 0; k < units[i].power; k++)
				unit *= n < 2 ? IEC_STEP : SI_STEP;
			*ret_unit = unit;
			return 0;
		}
	return -EINVAL;
}

/*
 * The bytes in 0.DIGITS units. From the last digit on, each step divides the sum so far by ten; a
 * remainder at any step can never become whole again, so it means a fraction of a byte. The sum
 * stays below ten units, and ten of the largest (2^60) fit into 64 bits.
 */
static int read_fraction(const char *digits, size_t count, uint64_t unit, uint64_t *ret_bytes)
{
	uint64_t sum = 0;

	while (count) {
		sum += (uint64_t)(digits[--count] - '0') * unit;
		if (sum % 10)
			return -EINVAL;
		sum /= 10;
	}
	*ret_bytes = sum;
	return 0;
}

int parse_size(const char *text, uint64_t *ret_bytes)
{
	size_t whole_digits = text ? strspn(text, DIGITS) : 0, fraction_digits = 0;
	uint64_t unit, whole, fraction, bytes;
	const char *point = NULL, *rest;

	if (!whole_digits)
		return -EINVAL;
	rest = text + whole_digits;
	if (*rest == '.') {
		point = rest++;
		fraction_digits = strspn(rest, DIGITS);
		if (!fraction_digits)
			return -EINVAL;
		rest += fraction_digits;
	}
	if (read_unit(rest, &unit) ||
	    read_fraction(point ? point + 1 : rest, fraction_digits, unit, &fraction))
		return -EINVAL;
	if (read_number(text, whole_digits, &whole) ||
	    __builtin_mul_overflow(whole, unit, &bytes) ||
	    __builtin_add_overflow(bytes, fraction, &bytes))
		return -ERANGE;
	*ret_bytes = bytes;
	return 0;
}

static uint8_t hex_digit(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

int parse_hex(const char *text, uint8_t *buf, size_t size)
{
	size_t digits = 2 * size;

	if (!text || strspn(text, DIGITS "abcdefABCDEF") != digits || text[digits])
		return -EINVAL;
	for (size_t i = 0; i < size; i++)
		buf[i] = (uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
	return 0;
}

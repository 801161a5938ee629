/* SPDX-License-Identifier: MIT */
/* Numbers into text for people. Exact integer arithmetic, so every half is rounded up. */
#include "base/fmt.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SECONDS_PER_MIN = 60, MIN_PER_HOUR = 60, SECONDS_PER_HOUR = 3600 };

/* How sizes are written: the step between units, their names, and how many digits matter. */
struct scale {
	unsigned step;
	unsigned digits; /* significant, 10^digits fits */
	const char *separator;
	const char *units[7];
};

static const struct scale iec = { 1024, 3, " ", { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" } };
static const struct scale iec_tight = {
	1024, 3, "", { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" }
};
static const struct scale si = { 1000, 2, " ", { "B", "kB", "MB", "GB", "TB", "PB", "EB" } };

/*
 * number / unit in steps of 10^-decimals, to the nearest; UINT64_MAX if it does not fit. One
 * decimal digit at a time, so that nothing is wider than 64 bits. unit <= UINT64_MAX / 10.
 */
static uint64_t divide(uint64_t number, uint64_t unit, unsigned decimals)
{
	uint64_t value = number / unit, rest = number % unit;

	for (; decimals; decimals--) {
		rest *= 10;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, rest / unit, &value))
			return UINT64_MAX;
		rest %= unit;
	}
	return value == UINT64_MAX ? value : value + (rest >= unit - rest);
}

static uint64_t power_of_ten(unsigned exponent)
{
	uint64_t power = 1;

	for (; exponent; exponent--)
		power *= 10;
	return power;
}

static char *print_scaled(char buf[FMT_MAX], uint64_t value, unsigned decimals,
			  const char *separator, const char *unit)
{
	uint64_t one = power_of_ten(decimals);

	if (decimals)
		snprintf(buf, FMT_MAX, "%" PRIu64 ".%0*" PRIu64 "%s%s", value / one, (int)decimals,
			 value % one, separator, unit);
	else
		snprintf(buf, FMT_MAX, "%" PRIu64 "%s%s", value, separator, unit);
	return buf;
}

/* The smallest unit and the most decimals that keep the rounded value within its digits. */
static char *print_bytes(char buf[FMT_MAX], uint64_t bytes, const struct scale *scale)
{
	uint64_t unit = 1;

	for (unsigned n = 0;; n++, unit *= scale->step)
		for (unsigned decimals = n ? scale->digits : 1; decimals--;) {
			uint64_t value = divide(bytes, unit, decimals);

			if (value < (decimals ? power_of_ten(scale->digits) : scale->step))
				return print_scaled(buf, value, decimals, scale->separator,
						    scale->units[n]);
		}
}

char *fmt_bytes(char buf[FMT_MAX], uint64_t bytes)
{
	return print_bytes(buf, bytes, &iec);
}

char *fmt_bytes_tight(char buf[FMT_MAX], uint64_t bytes)
{
	return print_bytes(buf, bytes, &iec_tight);
}

char *fmt_bytes_si(char buf[FMT_MAX], uint64_t bytes)
{
	return print_bytes(buf, bytes, &si);
}

char *fmt_grouped(char buf[FMT_MAX], uint64_t number)
{
	char digits[FMT_MAX];
	char *out = buf;

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	for (size_t left = strlen(digits), i = 0; left; left--, i++) {
		*out++ = digits[i];
		if (left > 1 && left % 3 == 1)
			*out++ = ',';
	}
	*out = '\0';
	return buf;
}

char *fmt_rate(char buf[FMT_MAX], uint64_t bytes, uint64_t ns)
{
	if (!ns) {
		snprintf(buf, FMT_MAX, "-");
		return buf;
	}
	/* Longer than 58 years: divide() wants room for one more digit. */
	for (; ns > UINT64_MAX / 10; ns /= 2)
		bytes /= 2;
	fmt_bytes(buf, divide(bytes, ns, 9)); /* nano: nine digits */
	strncat(buf, "/s", FMT_MAX - 1 - strlen(buf));
	return buf;
}

char *fmt_hms(char buf[FMT_MAX], uint64_t seconds)
{
	snprintf(buf, FMT_MAX, "%" PRIu64 ":%02u:%02u", seconds / SECONDS_PER_HOUR,
		 (unsigned)(seconds / SECONDS_PER_MIN % MIN_PER_HOUR),
		 (unsigned)(seconds % SECONDS_PER_MIN));
	return buf;
}

char *fmt_duration(char buf[FMT_MAX], uint64_t ns)
{
	uint64_t tenths = divide(ns, NS_PER_S, 1), seconds = divide(ns, NS_PER_S, 0);
	uint64_t minutes = divide(ns, NS_PER_S * SECONDS_PER_MIN, 0);

	if (tenths < 100)
		return print_scaled(buf, tenths, 1, " ", "s");
	if (seconds < SECONDS_PER_MIN)
		return print_scaled(buf, seconds, 0, " ", "s");
	if (seconds < SECONDS_PER_HOUR)
		snprintf(buf, FMT_MAX, "%" PRIu64 " min %02u s", seconds / SECONDS_PER_MIN,
			 (unsigned)(seconds % SECONDS_PER_MIN));
	else
		snprintf(buf, FMT_MAX, "%" PRIu64 " h %02u min", minutes / MIN_PER_HOUR,
			 (unsigned)(minutes % MIN_PER_HOUR));
	return buf;
}

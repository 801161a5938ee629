/* SPDX-License-Identifier: MIT */
/* The time: read, and written down so that nobody has to guess the zone. */
#include "base/clock.h"

#include "base/text.h"

#include <stdlib.h>

enum { SECONDS_PER_MIN = 60, MIN_PER_HOUR = 60 };

uint64_t clock_monotonic_ns(void)
{
	struct timespec now;

	/* Cannot fail: the clock exists on every Linux, the address is good. */
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Splits @when; where its year does not fit an int, puts that into @buf and returns false. */
static bool split_utc(char buf[CLOCK_TEXT_MAX], time_t when, struct tm *ret_tm)
{
	if (gmtime_r(&when, ret_tm))
		return true;
	(void)text_print(buf, CLOCK_TEXT_MAX, "unknown");
	return false;
}

char *clock_local(char buf[CLOCK_TEXT_MAX], time_t when)
{
	struct tm tm;
	/*
	 * The offset is written in whole minutes, some old ones have seconds: the clock time is
	 * made from what is written, so that both together are exactly @when.
	 */
	long minutes = localtime_r(&when, &tm) ? tm.tm_gmtoff / SECONDS_PER_MIN : 0;
	size_t length;

	if (!split_utc(buf, when + minutes * SECONDS_PER_MIN, &tm))
		return buf;
	length = strftime(buf, CLOCK_TEXT_MAX, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)text_print(buf + length, CLOCK_TEXT_MAX - length, "%c%02ld:%02ld",
			 minutes < 0 ? '-' : '+', labs(minutes) / MIN_PER_HOUR,
			 labs(minutes) % MIN_PER_HOUR);
	return buf;
}

char *clock_utc(char buf[CLOCK_TEXT_MAX], time_t when)
{
	struct tm tm;

	if (split_utc(buf, when, &tm))
		(void)strftime(buf, CLOCK_TEXT_MAX, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}

char *clock_compact(char buf[CLOCK_TEXT_MAX], time_t when)
{
	struct tm tm;

	if (split_utc(buf, when, &tm))
		(void)strftime(buf, CLOCK_TEXT_MAX, "%Y%m%dT%H%M%SZ", &tm);
	return buf;
}

bool clock_plausible(time_t when)
{
	return when >= RELEASE_TIME;
}

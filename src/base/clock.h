/* SPDX-License-Identifier: MIT */
/* Two clocks: the calendar for records, the monotonic one for every duration. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/* Room for the longest text made here, with its terminating zero. */
enum { CLOCK_TEXT_MAX = 40 };

/* CLOCK_MONOTONIC: counts running time, never steps, stands still during suspend. Nanoseconds. */
uint64_t clock_monotonic_ns(void);

/* RFC 3339 with the local zone's offset: "2026-11-30T22:45:00+01:00". Returns @buf. */
char *clock_local(char buf[CLOCK_TEXT_MAX], time_t when);

/* RFC 3339 in UTC: "2026-11-30T21:45:00Z". Returns @buf. */
char *clock_utc(char buf[CLOCK_TEXT_MAX], time_t when);

/* UTC for file names: "20261130T214500Z". Returns @buf. */
char *clock_compact(char buf[CLOCK_TEXT_MAX], time_t when);

/* False when the calendar cannot be right: earlier than this version was made (RELEASE_TIME). */
bool clock_plausible(time_t when);

#endif

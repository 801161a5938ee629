/* SPDX-License-Identifier: MIT */
/* Numbers -> text for people. Writes into the caller's buffer and returns it. Same in all locales.
 */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include <stdint.h>

/* Room for the longest text that any function here makes, with its terminating zero. */
enum { FMT_MAX = 40 };

/* IEC, three significant digits: "512 B", "1.23 TiB", "178 MiB", "16.0 EiB". */
char *fmt_bytes(char buf[FMT_MAX], uint64_t bytes);

/* The same without the space, for the progress line: "1.23TiB". */
char *fmt_bytes_tight(char buf[FMT_MAX], uint64_t bytes);

/* SI, as printed on drives: "4.0 TB", "240 GB", "524 MB", "1 B". Two significant digits below 10.
 */
char *fmt_bytes_si(char buf[FMT_MAX], uint64_t bytes);

/* In full with grouping: "4,000,787,030,016". */
char *fmt_grouped(char buf[FMT_MAX], uint64_t number);

/* A rate: "178 MiB/s"; "-" for 0 seconds. Units: bytes, nanoseconds. */
char *fmt_rate(char buf[FMT_MAX], uint64_t bytes, uint64_t ns);

/* A clock time: "0:00:07", "13:08:00", "123:00:00". Rounds down to whole seconds. */
char *fmt_hms(char buf[FMT_MAX], uint64_t seconds);

/* A duration in words: "0.4 s", "7.3 s", "42 s", "3 min 05 s", "13 h 08 min". Unit: nanoseconds. */
char *fmt_duration(char buf[FMT_MAX], uint64_t ns);

#endif

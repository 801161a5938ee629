/* SPDX-License-Identifier: MIT */
/* What there is to compute with. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

/* Cores that this process may run on (its affinity mask, which containers narrow); at least 1. */
unsigned cpu_count(void);

/* Whether it has instructions for AES, as far as this program knows how to ask. */
enum cpu_answer { CPU_NO, CPU_YES, CPU_UNKNOWN };
enum cpu_answer cpu_has_aes(void);

#endif

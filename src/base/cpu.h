/* SPDX-License-Identifier: MIT */
/* What there is to compute with. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

/* Cores that this process may run on (its affinity mask, which containers narrow); at least 1. */
unsigned cpu_count(void);

#endif

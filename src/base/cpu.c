/* SPDX-License-Identifier: MIT */
/* What there is to compute with. */
#include "base/cpu.h"

#include <sched.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

unsigned cpu_count(void)
{
	cpu_set_t cpus;

	/* A mask of this size holds 1024 cores; on larger machines the call fails. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return 1;
	return CPU_COUNT(&cpus) > 0 ? (unsigned)CPU_COUNT(&cpus) : 1;
}

enum cpu_answer cpu_has_aes(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_cpu_init();
	return __builtin_cpu_supports("aes") ? CPU_YES : CPU_NO;
#elif defined(__aarch64__)
	return getauxval(AT_HWCAP) & HWCAP_AES ? CPU_YES : CPU_NO;
#else
	return CPU_UNKNOWN;
#endif
}

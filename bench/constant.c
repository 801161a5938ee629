/* SPDX-License-Identifier: MIT */
/*
 * In place of src/keystream/choose.c and selftest.c: the one implementation is none, and there is
 * nothing to test. All else of stormwipe-constant is stormwipe, so the difference between the two
 * is what choosing, testing and making random data costs.
 *
 * The linker takes a member of a library only for a name that is still missing. A name that is
 * needed and missing here brings in the real file, and the names that are in both stop the build.
 */
#include "keystream/keystream.h"
#include "nothing.h"

const struct keystream_kind keystream_kinds[] = {
	{ "constant", "no random data at all", "constant", nothing_new },
	{ 0 },
};

uint64_t keystream_rate(const struct keystream_kind *kind, uint64_t ns)
{
	(void)kind, (void)ns;
	return UINT64_MAX;
}

const struct keystream_kind *keystream_choose(const char *cipher)
{
	(void)cipher;
	return &keystream_kinds[0];
}

const struct keystream_kind *keystream_pick(const char *cipher, enum cpu_answer aes_hardware,
					    const uint64_t rates[])
{
	(void)cipher, (void)aes_hardware, (void)rates;
	return &keystream_kinds[0];
}

int keystream_self_test(const struct keystream_kind *kind)
{
	(void)kind;
	return 0;
}

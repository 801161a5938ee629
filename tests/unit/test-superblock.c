/* SPDX-License-Identifier: MIT */
/* The times in an ext4 superblock, also in one that somebody made up. */
#include "device/superblock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NOW = 1800000000 };

static void put(uint8_t *bytes, unsigned at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static void times_are_read_and_those_that_cannot_be_are_not(void **state)
{
	static const struct {
		uint32_t mounted, written, made;
		uint8_t high; /* of the time of its making */
		time_t used, since;
	} rows[] = {
		{ 1500000000, 1600000000, 1400000000, 0, 1600000000, 1400000000 },
		{ 1600000000, 1500000000, 1400000000, 0, 1600000000, 1400000000 },
		{ 0, 0, 0, 0, 0, 0 },
		{ NOW + 1U, 1500000000, NOW + 1U, 0, 1500000000, 0 },
		{ NOW, NOW, NOW, 0, NOW, NOW },
		{ 5, 6, 7, 1, 6, 0 }, /* of 2106 */
		{ UINT32_MAX, UINT32_MAX, UINT32_MAX, 255, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t bytes[SUPERBLOCK_EXT_BYTES] = { 0 };
		struct superblock_ages ages;

		bytes[0x38] = 0x53;
		bytes[0x39] = 0xef;
		put(bytes, 0x2c, rows[i].mounted);
		put(bytes, 0x30, rows[i].written);
		put(bytes, 0x108, rows[i].made);
		bytes[0x276] = rows[i].high;
		ages = superblock_ext_ages(bytes, sizeof(bytes), NOW);
		assert_int_equal(ages.used, rows[i].used);
		assert_int_equal(ages.made, rows[i].since);
		ages = superblock_ext_ages(bytes, sizeof(bytes) - 1, NOW);
		assert_int_equal(ages.used, 0);
		bytes[0x38] = 0x52;
		ages = superblock_ext_ages(bytes, sizeof(bytes), NOW);
		assert_int_equal(ages.made, 0);
	}
}

static void noise_has_no_times_of_the_future(void **state)
{
	uint8_t bytes[SUPERBLOCK_EXT_BYTES];

	(void)state;
	srandom(4);
	for (int round = 0; round < 10000; round++) {
		struct superblock_ages ages;

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)random();
		bytes[0x38] = 0x53;
		bytes[0x39] = 0xef;
		bytes[0x276] = (uint8_t)(round % 2);
		ages = superblock_ext_ages(bytes, sizeof(bytes), NOW);
		assert_true(ages.made >= 0 && ages.made <= NOW && ages.used >= 0 &&
			    ages.used <= NOW);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read_and_those_that_cannot_be_are_not),
		cmocka_unit_test(noise_has_no_times_of_the_future),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

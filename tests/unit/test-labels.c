/* SPDX-License-Identifier: MIT */
/* Which places are written first. */
#include "job/labels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

static void ends_of_a_drive_and_of_its_partitions(void **state)
{
	static const struct {
		uint64_t size;
		uint32_t align;
		struct contents contents;
		struct label_range wanted[8]; /* ends with length 0 */
	} rows[] = {
		{ .size = 16 * MIB - 1, .align = 512 },
		{ .size = 0, .align = 512 },
		{ .size = 16 * MIB,
		  .align = 4096,
		  .wanted = { { 0, 128 * KIB }, { 16 * MIB - 128 * KIB, 128 * KIB } } },
		{ .size = 256 * MIB,
		  .align = 4096,
		  .wanted = { { 0, 2 * MIB }, { 64 * MIB, 64 * KIB }, { 254 * MIB, 2 * MIB } } },
		{ .size = 256 * MIB + 513,
		  .align = 512,
		  .wanted = { { 0, 2 * MIB + 512 }, /* rounded up */
			      { 64 * MIB, 64 * KIB },
			      { 254 * MIB, 2 * MIB + 512 } } },
		{ .size = 512 * GIB,
		  .align = 4096,
		  .wanted = { { 0, 8 * MIB },
			      { 64 * MIB, 64 * KIB },
			      { 256 * GIB, 64 * KIB },
			      { 512 * GIB - 8 * MIB, 8 * MIB } } },
		{ .size = 1 * GIB,
		  .align = 4096,
		  .contents = { .count = 2,
				.items = { { .type = "gpt" },
					   { .partition = 1,
					     .start = 100 * MIB,
					     .size = 32 * MIB } } },
		  .wanted = { { 0, 8 * MIB },
			      { 64 * MIB, 64 * KIB },
			      { 100 * MIB, 512 * KIB },
			      { 132 * MIB - 512 * KIB, 512 * KIB },
			      { 1016 * MIB, 8 * MIB } } },
		/* Next to each other and beyond the end: one range, or none. */
		{ .size = 1 * GIB,
		  .align = 4096,
		  .contents = { .count = 4,
				.items = { { .partition = 1, .start = 8 * MIB, .size = 32 * MIB },
					   { .partition = 2, .start = 40 * MIB, .size = 128 * KIB },
					   { .partition = 3, .start = 1 * GIB, .size = 1 * MIB },
					   { .partition = 4,
					     .start = 1 * MIB,
					     .size = UINT64_MAX } } },
		  .wanted = { { 0, 8 * MIB + 512 * KIB },
			      { 40 * MIB - 512 * KIB, 516 * KIB },
			      { 40 * MIB + 124 * KIB, 4 * KIB },
			      { 64 * MIB, 64 * KIB },
			      { 1016 * MIB, 8 * MIB } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct labels labels;
		unsigned n = 0;

		labels_find(rows[i].size, rows[i].align, &rows[i].contents, &labels);
		for (; rows[i].wanted[n].length; n++)
			if (n >= labels.count ||
			    labels.items[n].offset != rows[i].wanted[n].offset ||
			    labels.items[n].length != rows[i].wanted[n].length)
				fail_msg("row %zu, range %u: %llu+%llu", i, n,
					 (unsigned long long)labels.items[n].offset,
					 (unsigned long long)labels.items[n].length);
		assert_int_equal(labels.count, n);
	}
}

/* Whatever a partition table says, the ranges are inside, apart, aligned, and not many. */
static void nonsense_in_a_table_does_no_harm(void **state)
{
	(void)state;
	srandom(61);
	for (int round = 0; round < 2000; round++) {
		uint64_t size = ((uint64_t)random() << (random() % 20)) + LABELS_DRIVE_MIN;
		uint32_t align = 512U << (random() % 4);
		struct contents contents = { .count = PROBE_MAX };
		struct labels labels;
		uint64_t end = 0;

		for (unsigned i = 0; i < PROBE_MAX; i++) {
			contents.items[i].partition = (unsigned)random() % 3;
			contents.items[i].start = (uint64_t)random() << (random() % 40);
			contents.items[i].size = (uint64_t)random() << (random() % 40);
		}
		labels_find(size, align, &contents, &labels);
		assert_true(labels.count >= 2 && labels.count <= LABELS_MAX);
		for (unsigned i = 0; i < labels.count; i++) {
			const struct label_range *range = &labels.items[i];

			assert_true(range->length && !i == !end && (!i || range->offset > end));
			assert_true(range->offset % align == 0 && range->length % align == 0);
			end = range->offset + range->length;
		}
		assert_int_equal(labels.items[0].offset, 0);
		assert_int_equal(end, size - size % align);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_of_a_drive_and_of_its_partitions),
		cmocka_unit_test(nonsense_in_a_table_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

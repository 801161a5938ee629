/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job/plan.h"

static struct plan plan_of(enum drive_kind kind, uint64_t size, uint32_t logical, uint32_t physical)
{
	struct drive_facts facts = {
		.kind = kind, .size = size, .logical = logical, .physical = physical
	};
	struct plan plan;

	plan_make(&facts, VERIFY_FULL, &plan);
	return plan;
}

static void units_follow_the_drive(void **state)
{
	static const struct {
		enum drive_kind kind;
		uint32_t logical, physical, align, sector;
	} rows[] = {
		{ DRIVE_DISK, 512, 512, 512, 512 },
		{ DRIVE_DISK, 512, 4096, 512, 4096 },
		{ DRIVE_PARTITION, 4096, 4096, 4096, 4096 },
		{ DRIVE_DISK, 512, 0, 512, 512 },	/* does not tell */
		{ DRIVE_DISK, 512, 3000, 512, 512 },	/* nonsense */
		{ DRIVE_DISK, 512, 1 << 20, 512, 512 }, /* beyond belief */
		{ DRIVE_DISK, 4096, 512, 4096, 4096 },	/* the other way round */
		{ DRIVE_DISK, 0, 0, 512, 512 },
		{ DRIVE_FILE, 1, 4096, 4096, 4096 },
		{ DRIVE_FILE, 1, 512, 4096, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct plan plan =
			plan_of(rows[i].kind, 1 << 20, rows[i].logical, rows[i].physical);

		assert_int_equal(plan.align, rows[i].align);
		assert_int_equal(plan.sector, rows[i].sector);
	}
}

static void tail_is_not_direct(void **state)
{
	static const struct {
		enum drive_kind kind;
		uint32_t logical;
		uint64_t size, direct;
	} rows[] = {
		{ DRIVE_FILE, 1, 1, 0 },
		{ DRIVE_FILE, 1, 4095, 0 },
		{ DRIVE_FILE, 1, 4096, 4096 },
		{ DRIVE_FILE, 1, 4097, 4096 },
		{ DRIVE_DISK, 512, 512, 512 },
		{ DRIVE_DISK, 512, 512 * 7, 512 * 7 },
		{ DRIVE_DISK, 4096, 4096 * 3 + 512, 4096 * 3 },
		{ DRIVE_DISK, 512, UINT64_C(26) << 40, UINT64_C(26) << 40 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(
			plan_of(rows[i].kind, rows[i].size, rows[i].logical, 0).direct_bytes,
			rows[i].direct);
}

static void passes_follow_verification(void **state)
{
	struct drive_facts facts = { .kind = DRIVE_DISK,
				     .size = UINT64_C(5) << 40,
				     .logical = 512 };
	struct plan plan;

	(void)state;
	plan_make(&facts, VERIFY_FULL, &plan);
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.passes[0].kind, PASS_WRITE);
	assert_int_equal(plan.passes[1].kind, PASS_VERIFY);
	assert_int_equal(plan.passes[1].key, plan.passes[0].key);
	assert_int_equal(plan.passes[0].bytes, facts.size);
	assert_int_equal(plan.bytes, 2 * facts.size);
	assert_int_equal(plan.keys, 1);

	plan_make(&facts, VERIFY_NONE, &plan);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.bytes, facts.size);
}

static void estimate_knows_slow_drives(void **state)
{
	struct drive_facts disk = { .kind = DRIVE_DISK, .bus = "SATA", .rotational = YES };
	struct drive_facts nvme = { .kind = DRIVE_DISK, .bus = "NVMe", .rotational = NO };
	struct drive_facts odd = { .kind = DRIVE_DISK, .bus = "", .rotational = UNKNOWN };

	(void)state;
	assert_true(plan_typical_rate(&disk) < plan_typical_rate(&nvme));
	assert_true(plan_typical_rate(&odd) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_follow_the_drive),
		cmocka_unit_test(tail_is_not_direct),
		cmocka_unit_test(passes_follow_verification),
		cmocka_unit_test(estimate_knows_slow_drives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

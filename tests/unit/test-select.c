/* SPDX-License-Identifier: MIT */
/* What an exclusion fits. */
#include "cli/select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_pattern_fits_any_name_of_a_drive(void **state)
{
	static const struct drive_facts facts = {
		.node = "/dev/sdb",
		.name = "sdb",
		.by_id = "/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF",
		.model = "WDC WD40EFRX-68N32N0",
		.serial = "WD-WCC7K0ABCDEF",
		.wwn = "naa.50014ee2b5c6d7e8",
	};
	static const struct {
		const char *pattern;
		bool fits;
	} rows[] = {
		{ "/dev/sdb", true },
		{ "sdb", true },
		{ "sd?", true },
		{ "sd[a-c]", true },
		{ "/dev/sd*", true },
		{ "ata-WDC*", true },
		{ "/dev/disk/by-id/*ABCDEF", true },
		{ "WD-WCC7K0ABCDEF", true },
		{ "*WD40EFRX*", true },
		{ "naa.5001*", true },
		{ "*", true },
		{ "sd", false },
		{ "sdbb", false },
		{ "wd-wcc7k0abcdef", false },
		{ "", false },
		{ "[", false },
	};
	static const struct drive_facts unknown;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (select_matches(rows[i].pattern, &facts) != rows[i].fits)
			fail_msg("%s", rows[i].pattern);
	/* What has no name is fitted by nothing, not even by what fits everything. */
	assert_false(select_matches("*", &unknown));
	assert_false(select_matches("", &unknown));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_fits_any_name_of_a_drive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

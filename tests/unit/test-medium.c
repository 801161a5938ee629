/* SPDX-License-Identifier: MIT */
/* What a drive is made of, whether it is one, and what RAID controllers and bridges make of it. */
#include "device/medium.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "device/identify-bus.h"

static void media_by_bus_and_rotation(void **state)
{
	static const struct {
		struct drive_facts facts;
		enum medium medium;
		bool flash, listed;
	} rows[] = {
		{ { .bus = "SATA", .rotational = YES }, MEDIUM_HARD_DISK, false, true },
		{ { .bus = "SATA", .rotational = NO }, MEDIUM_SSD, true, true },
		{ { .bus = "SAS", .rotational = NO }, MEDIUM_SSD, true, true },
		{ { .bus = "NVMe", .rotational = NO }, MEDIUM_SSD, true, true },
		{ { .bus = "USB", .rotational = UNKNOWN }, MEDIUM_FLASH, false, true },
		{ { .bus = "USB", .rotational = NO }, MEDIUM_FLASH, true, true },
		{ { .bus = "USB", .rotational = NO, .bridge = "x" }, MEDIUM_SSD, true, true },
		{ { .bus = "USB", .rotational = YES, .bridge = "x" },
		  MEDIUM_HARD_DISK,
		  false,
		  true },
		{ { .bus = "MMC", .rotational = NO, .name = "mmcblk0" }, MEDIUM_FLASH, true, true },
		{ { .bus = "MMC", .rotational = NO, .name = "mmcblk0boot0" },
		  MEDIUM_FLASH,
		  true,
		  false },
		{ { .bus = "MMC", .rotational = NO, .name = "mmcblk0rpmb" },
		  MEDIUM_FLASH,
		  true,
		  false },
		{ { .bus = "virtio", .rotational = NO }, MEDIUM_VIRTUAL, false, true },
		{ { .bus = "null_blk", .rotational = NO }, MEDIUM_VIRTUAL, false, true },
		{ { .bus = "NBD", .rotational = NO }, MEDIUM_VIRTUAL, false, true },
		{ { .bus = "SAS", .rotational = YES, .volume = true },
		  MEDIUM_VIRTUAL,
		  false,
		  true },
		{ { .bus = "loop", .rotational = NO }, MEDIUM_MEMORY, false, false },
		{ { .bus = "zram", .rotational = NO }, MEDIUM_MEMORY, false, false },
		{ { .bus = "RAM", .rotational = NO }, MEDIUM_MEMORY, false, false },
		{ { .bus = "device mapper", .rotational = NO }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "RAID", .rotational = NO }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "bcache", .rotational = NO }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "floppy", .rotational = UNKNOWN }, MEDIUM_UNKNOWN, false, false },
		{ { .bus = "MTD", .rotational = UNKNOWN }, MEDIUM_UNKNOWN, false, false },
		{ { .bus = "SCSI", .rotational = UNKNOWN }, MEDIUM_UNKNOWN, false, true },
		{ { .bus = "USB", .rotational = YES, .removable = YES },
		  MEDIUM_FLASH,
		  false,
		  true },
		{ { .bus = "iSCSI", .rotational = NO }, MEDIUM_SSD, false, true },
		{ { .bus = "NVMe/TCP", .rotational = NO }, MEDIUM_SSD, false, true },
		{ { .bus = "NVDIMM", .rotational = NO }, MEDIUM_SSD, false, true },
		{ { .bus = "DRBD", .rotational = UNKNOWN }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "ZFS volume", .rotational = UNKNOWN }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "virtual", .rotational = UNKNOWN }, MEDIUM_VIRTUAL, false, false },
		{ { .bus = "", .rotational = NO }, MEDIUM_UNKNOWN, false, true },
		{ { .bus = "NVMe", .rotational = NO, .hidden = true }, MEDIUM_SSD, true, false },
		{ { .bus = "SATA", .kind = DRIVE_OPTICAL }, MEDIUM_OPTICAL, false, false },
		{ { .bus = "file", .kind = DRIVE_FILE }, MEDIUM_FILE, false, false },
		{ { .bus = "SATA", .rotational = YES, .kind = DRIVE_PARTITION },
		  MEDIUM_HARD_DISK,
		  false,
		  false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts = rows[i].facts;

		facts.size = 1 << 30;
		if (facts_medium(&facts) != rows[i].medium ||
		    facts_flash(&facts) != rows[i].flash || facts_listed(&facts) != rows[i].listed)
			fail_msg("row %zu, %s", i, facts.bus);
	}
	assert_false(facts_listed(&(struct drive_facts){ .bus = "NBD" }));
}

static void volumes_of_raid_controllers_are_told_from_drives(void **state)
{
	static const struct {
		const char *vendor, *model, *name;
		bool volume;
	} rows[] = {
		{ "HP", "LOGICAL VOLUME", "sda", true },
		{ "HPE", "LOGICAL VOLUME", "sda", true },
		{ "DELL", "PERC H730 Mini", "sda", true },
		{ "LSI", "MR9271-8i", "sda", true },
		{ "AVAGO", "MR9361-8i", "sda", true },
		{ "BROADCOM", "MR9560-16i", "sda", true },
		{ "Adaptec", "Volume1", "sda", true },
		{ "IBM", "ServeRAID M5015", "sda", true },
		{ "", "", "cciss!c0d0", true },
		{ "", "WDC WD40EFRX-68N32N0", "sda", false },
		{ "HP", "MB2000GCWDA", "sda", false },
		{ "HP", "EG0600FBVFP", "sda", false },
		{ "DELL", "", "sda", false },
		{ "SEAGATE", "ST600MM0006", "sda", false },
		{ "", "Samsung SSD 980 PRO", "nvme0n1", false },
		{ "QEMU", "QEMU HARDDISK", "sda", false },
		{ "", "", "", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (identify_volume(rows[i].vendor, rows[i].model, rows[i].name) != rows[i].volume)
			fail_msg("%s %s", rows[i].vendor, rows[i].model);
}

static void swapped_letters_are_put_right_only_where_they_make_sense(void **state)
{
	static const struct {
		const char *model, *right; /* NULL: stays as it is */
	} rows[] = {
		{ "DW CDW01ZEXE0-A01", "WDC WD10EZEX-00A1" },
		{ "TS0200MD00-1E11R46", "ST2000DM001-1ER164" },
		{ "ASSMNU GSS D890", "SAMSUNG SSD 980" },
		{ "GHTSH SU270404LA", "HGST HUS724040AL" },
		{ "WDC WD40EFRX", NULL },  /* is right already */
		{ "TSUNAMI DRIVE", NULL }, /* "ST" alone is no maker */
		{ "TS512GSSD370S", NULL }, /* Transcend, not a Seagate turned round */
		{ "TS64GSSD25S-M", NULL },
		{ "QEMU HARDDISK", NULL },
		{ "X", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char model[FACTS_TEXT_MAX];

		(void)snprintf(model, sizeof(model), "%s", rows[i].model);
		assert_int_equal(identify_unswap(model), rows[i].right != NULL);
		assert_string_equal(model, rows[i].right ? rows[i].right : rows[i].model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(media_by_bus_and_rotation),
		cmocka_unit_test(volumes_of_raid_controllers_are_told_from_drives),
		cmocka_unit_test(swapped_letters_are_put_right_only_where_they_make_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

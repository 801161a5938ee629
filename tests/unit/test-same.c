/* SPDX-License-Identifier: MIT */
/* One medium or two: a row for each way in which a drive can be met twice, and for each in which
 * two look like one. */
#include "device/same.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SIZE 4000787030016

#define DRIVE(number, ...)                                                                         \
	{                                                                                          \
		.kind = DRIVE_DISK, .rdev = (number), .disk_rdev = (number), .size = SIZE,         \
		__VA_ARGS__                                                                        \
	}
#define PART(number, disk, from, length)                                                           \
	{                                                                                          \
		.kind = DRIVE_PARTITION, .rdev = (number), .disk_rdev = (disk), .start = (from),   \
		.size = (length)                                                                   \
	}
#define WWN    .wwn = "naa.5000c50012345678"
#define SERIAL .serial = "WD-WCC7K0ABCDEF"
#define MODEL  .model = "WDC WD40EFRX"

static void the_same_medium_is_known_by_many_signs(void **state)
{
	static const struct {
		const char *what;
		struct drive_facts a, b;
		enum sameness how;
	} rows[] = {
		{ "a node twice", DRIVE(16), DRIVE(16), SAME_NODE },
		{ "two drives that tell nothing", DRIVE(16), DRIVE(32), SAME_NOT },
		{ "a file twice",
		  { .kind = DRIVE_FILE, .file_dev = 1, .file_ino = 2 },
		  { .kind = DRIVE_FILE, .file_dev = 1, .file_ino = 2 },
		  SAME_NODE },
		{ "two files",
		  { .kind = DRIVE_FILE, .file_dev = 1, .file_ino = 2 },
		  { .kind = DRIVE_FILE, .file_dev = 1, .file_ino = 3 },
		  SAME_NOT },
		{ "a drive and its partition", DRIVE(16), PART(17, 16, 0, 10), SAME_PART },
		{ "partitions side by side", PART(17, 16, 0, 10), PART(18, 16, 10, 10), SAME_NOT },
		{ "extended and logical", PART(17, 16, 0, 10), PART(18, 16, 9, 1), SAME_PART },
		{ "a loop device and the drive below it", DRIVE(1792, .backing_rdev = 16),
		  DRIVE(16), SAME_STACK },
		{ "a loop device and a partition of the drive below it",
		  DRIVE(1792, .backing_rdev = 16), PART(17, 16, 0, 10), SAME_STACK },
		{ "a loop device and the file below it",
		  DRIVE(1792, .backing_dev = 1, .backing_ino = 2),
		  { .kind = DRIVE_FILE, .file_dev = 1, .file_ino = 2 },
		  SAME_STACK },
		{ "two loop devices on one file", DRIVE(1792, .backing_dev = 1, .backing_ino = 2),
		  DRIVE(1793, .backing_dev = 1, .backing_ino = 2), SAME_STACK },
		{ "two loop devices on one drive", DRIVE(1792, .backing_rdev = 16),
		  DRIVE(1793, .backing_rdev = 16), SAME_STACK },
		{ "two loop devices on two files", DRIVE(1792, .backing_dev = 1, .backing_ino = 2),
		  DRIVE(1793, .backing_dev = 1, .backing_ino = 3), SAME_NOT },
		{ "one WWN", DRIVE(16, WWN), DRIVE(32, WWN), SAME_WWN },
		{ "one WWN, written in two ways", DRIVE(16, WWN),
		  DRIVE(32, .wwn = "0x5000C50012345678"), SAME_WWN },
		{ "one WWN and one serial", DRIVE(16, WWN, SERIAL), DRIVE(32, WWN, SERIAL),
		  SAME_WWN },
		{ "one WWN, but two serials", DRIVE(16, WWN, SERIAL),
		  DRIVE(32, WWN, .serial = "WD-OTHER"), SAME_NOT },
		{ "a WWN that nobody filled in", DRIVE(16, .wwn = "naa.5000000000000000"),
		  DRIVE(32, .wwn = "naa.5000000000000000"), SAME_NOT },
		{ "one WWN, two sizes",
		  DRIVE(16, WWN),
		  { .kind = DRIVE_DISK, .rdev = 32, .disk_rdev = 32, .size = SIZE + 512, WWN },
		  SAME_NOT },
		{ "model, size and serial", DRIVE(16, SERIAL, MODEL), DRIVE(32, SERIAL, MODEL),
		  SAME_SERIAL },
		{ "size and serial of two models", DRIVE(16, SERIAL, MODEL),
		  DRIVE(32, SERIAL, .model = "other"), SAME_NOT },
		{ "a dummy for a serial", DRIVE(16, .serial = "0123456789AB", MODEL),
		  DRIVE(32, .serial = "0123456789AB", MODEL), SAME_NOT },
		{ "the serial of two bridges of one make",
		  DRIVE(16, SERIAL, MODEL, .bridge_serial = true),
		  DRIVE(32, SERIAL, MODEL, .bridge_serial = true), SAME_NOT },
		{ "one drive by USB and by SATA", DRIVE(16, SERIAL, MODEL, .bridge_serial = true),
		  DRIVE(32, SERIAL, MODEL), SAME_SERIAL },
		{ "two namespaces of one NVMe controller",
		  DRIVE(16, SERIAL, MODEL, .wwn = "eui.00253856a1b2c301"),
		  DRIVE(32, SERIAL, MODEL, .wwn = "eui.00253856a1b2c302"), SAME_NOT },
		{ "two namespaces whose numbers nobody filled in",
		  DRIVE(16, SERIAL, MODEL, .bus = "NVMe", .disk = "nvme0n1"),
		  DRIVE(32, SERIAL, MODEL, .bus = "NVMe", .disk = "nvme0n2"), SAME_NOT },
		{ "one such namespace by two controllers",
		  DRIVE(16, SERIAL, MODEL, .bus = "NVMe", .disk = "nvme0n1"),
		  DRIVE(32, SERIAL, MODEL, .bus = "NVMe", .disk = "nvme1n1"), SAME_SERIAL },
		{ "two sticks with one serial", DRIVE(16, SERIAL, MODEL, .bus = "USB"),
		  DRIVE(32, SERIAL, MODEL, .bus = "USB"), SAME_NOT },
		{ "what is no drive",
		  { .kind = DRIVE_DIRECTORY },
		  { .kind = DRIVE_DIRECTORY },
		  SAME_NOT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (facts_same(&rows[i].a, &rows[i].b) != rows[i].how ||
		    facts_same(&rows[i].b, &rows[i].a) != rows[i].how)
			fail_msg("%s", rows[i].what);
}

static void numbers_that_many_drives_have_tell_nothing(void **state)
{
	static const struct {
		const char *serial;
		bool usable;
	} serials[] = {
		{ "WD-WCC7K0ABCDEF", true },
		{ "50026B7782A1B2", true },
		{ "VM-SCSI-12", true },
		{ "A1B2", true },
		{ "1776634014224712", true },
		{ "", false },
		{ "A1B", false },
		{ "000000000000", false },
		{ "FFFFFFFF", false },
		{ "0123456789", false },
		{ "0123456789ABCDEF", false },
		{ "123456789012", false },
		{ "1234567890AB", false },
		{ "1234567890abcdef", false },
		{ "ABCDEFGH", false },
		{ "DEADBEEFCAFE", false },
		{ "none", false },
		{ "Unknown", false },

		{ "To be filled by O.E.M.", false },

	};
	static const struct {
		const char *wwn;
		bool usable;
	} wwns[] = {
		{ "naa.50014ee2b5c6d7e8", true },
		{ "0x50014ee2b5c6d7e8", true },
		{ "eui.00253856a1b2c3d4", true },
		{ "nvme.1b36-564d2d535041434553-51454d55204e564d65204374726c-00000001", true },
		{ "uuid.a1b2c3d4-0000-4000-8000-0123456789ab", true },
		{ "", false },
		{ "naa.", false },
		{ "eui.0000000000000000", false },
		{ "naa.ffffffffffffffff", false },
		{ "naa.5000000000000000", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(serials) / sizeof(*serials); i++)
		if (serial_usable(serials[i].serial) != serials[i].usable)
			fail_msg("serial %s", serials[i].serial);
	for (size_t i = 0; i < sizeof(wwns) / sizeof(*wwns); i++)
		if (wwn_usable(wwns[i].wwn) != wwns[i].usable)
			fail_msg("WWN %s", wwns[i].wwn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_medium_is_known_by_many_signs),
		cmocka_unit_test(numbers_that_many_drives_have_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cli/list-columns.h"

static const struct usage nobody = { .mounts_known = true,
				     .namespaces_known = true,
				     .swaps_known = true,
				     .holders_known = true,
				     .openers_known = true };

static char buf[LIST_TEXT_MAX];

static const char *cell(const char *name, const struct list_row *row)
{
	struct list_columns columns;
	const char *wrong;

	assert_int_equal(list_columns_parse(name, &columns, &wrong), 0);
	assert_int_equal(columns.count, 1);
	return list_cell(buf, columns.items[0], row);
}

static void facts_stand_in_their_columns(void **state)
{
	static char words[][16] = { "is in the way.", "is small.", "is old", "is flash" };
	static char *sentences[] = { words[0], words[1], words[2], words[3] };
	static struct list_row row = {
		.facts = { .path = "./link\n",
			   .node = "/dev/sdb",
			   .name = "sdb",
			   .by_id = "/dev/disk/by-id/wwn-1",
			   .vendor = "WDC",
			   .model = "WDC WD40EFRX",
			   .serial = "WD-1",
			   .firmware = "82.0",
			   .wwn = "naa.5",
			   .bus = "SATA",
			   .port = "pci-1-ata-2",
			   .bridge = "JMicron (152d:0578)",
			   .backing = "/images/\xff",
			   .kind = DRIVE_DISK,
			   .rotational = YES,
			   .removable = NO,
			   .size = 4000787030016,
			   .logical = 512,
			   .physical = 4096,
			   .diskseq = 17 },
		.usage = &nobody,
		.contents = { .readable = true, .table = "gpt" },
		.around = { .twins = { "/dev/sdc", "/dev/sdd" }, .twin_count = 2 },
		.gate = { .count = 4, .refusals = 2 },
		.sentences = sentences,
	};
	static const struct {
		const char *name, *text;
	} cells[] = {
		{ "DEVICE", "/dev/sdb" },
		{ "SIZE", "4.0 TB" },
		{ "MODEL", "WDC WD40EFRX" },
		{ "SERIAL", "WD-1" },
		{ "BUS", "SATA" },
		{ "MEDIA", "hard disk" },
		{ "WIPE", "no" },
		{ "USE", "in the way" },
		{ "ON-IT", "gpt: no partitions" },
		{ "REASON", "is in the way. is small." },
		{ "NOTES", "is old; is flash" },
		{ "TWINS", "/dev/sdc /dev/sdd" },
		{ "NAME", "sdb" },
		{ "PATH", "./link\\x0a" },
		{ "BY-ID", "/dev/disk/by-id/wwn-1" },
		{ "VENDOR", "WDC" },
		{ "FIRMWARE", "82.0" },
		{ "WWN", "naa.5" },
		{ "PORT", "pci-1-ata-2" },
		{ "BRIDGE", "JMicron (152d:0578)" },
		{ "TYPE", "disk" },
		{ "SIZE-BYTES", "4000787030016" },
		{ "SECTORS", "512/4096" },
		{ "RO", "no" },
		{ "ROTA", "yes" },
		{ "REMOVABLE", "no" },
		{ "DISKSEQ", "17" },
		{ "DEVNO", "8:16" },
		{ "BACKING", "/images/\\xff" },
	};
	char names[LIST_NAMES_MAX], all[LIST_NAMES_MAX] = "";

	(void)state;
	row.facts.rdev = makedev(8, 16);
	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		assert_string_equal(cell(cells[i].name, &row), cells[i].text);
		strcat(strcat(all, i ? " " : ""), cells[i].name);
	}
	assert_string_equal(list_columns_names(names), all);
	row.facts.volume = true;
	assert_string_equal(cell("MEDIA", &row), "RAID volume");
	row.gate.refusals = 0;
	assert_string_equal(cell("WIPE", &row), "yes");
	assert_string_equal(cell("REASON", &row), "-");
	assert_string_equal(cell("USE", &row), "free");
}

static void what_is_not_known_is_a_dash(void **state)
{
	static const char *const names[] = { "DEVICE",	   "SIZE",    "MODEL", "SERIAL",  "BUS",
					     "ON-IT",	   "REASON",  "NOTES", "TWINS",	  "WWN",
					     "SIZE-BYTES", "SECTORS", "ROTA",  "DISKSEQ", "DEVNO",
					     "MEDIA",	   "BACKING" };
	static const struct list_row row = { .facts = { .rotational = UNKNOWN }, .usage = &nobody };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(cell(names[i], &row), "-");
}

static void a_file_is_known_by_its_path(void **state)
{
	static const struct list_row row = {
		.facts = { .path = "disk.img", .kind = DRIVE_FILE, .bus = "file" }, .usage = &nobody
	};

	(void)state;
	assert_string_equal(cell("DEVICE", &row), "disk.img");
	assert_string_equal(cell("MEDIA", &row), "image file");
	assert_string_equal(cell("TYPE", &row), "file");
}

static void names_are_taken_in_any_case_and_order(void **state)
{
	struct list_columns columns;
	const char *wrong;

	(void)state;
	assert_int_equal(list_columns_parse("Use,device,ON-it,device", &columns, &wrong), 0);
	assert_int_equal(columns.count, 4);
	assert_string_equal(columns.items[0]->name, "USE");
	assert_string_equal(columns.items[1]->name, "DEVICE");
	assert_string_equal(columns.items[2]->heading, "ON IT");
	assert_string_equal(columns.items[3]->name, "DEVICE");
	list_columns_default(&columns);
	assert_int_equal(columns.count, 9);
	assert_string_equal(columns.items[0]->name, "DEVICE");
	assert_string_equal(columns.items[8]->name, "ON-IT");
}

static void what_is_no_name_is_pointed_at(void **state)
{
	static const struct {
		const char *text, *wrong;
	} rows[] = { { "", "" },
		     { "DEV", "DEV" },
		     { "DEVICES", "DEVICES" },
		     { "SIZE,", "" },
		     { ",SIZE", ",SIZE" },
		     { "SIZE,,USE", ",USE" },
		     { "SIZE USE", "SIZE USE" },
		     { "SIZE,colour,USE", "colour,USE" },
		     { "ON IT", "ON IT" } };
	struct list_columns columns = { .count = 1000 };
	const char *wrong;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(list_columns_parse(rows[i].text, &columns, &wrong), -EINVAL);
		assert_string_equal(wrong, rows[i].wrong);
		assert_int_equal(columns.count, 1000);
	}
}

static void there_is_an_end_to_columns(void **state)
{
	char text[3 * LIST_COLUMNS_MAX + 8] = "RO";
	struct list_columns columns;
	const char *wrong;

	(void)state;
	for (unsigned i = 1; i < LIST_COLUMNS_MAX; i++)
		strcat(text, ",RO");
	assert_int_equal(list_columns_parse(text, &columns, &wrong), 0);
	assert_int_equal(columns.count, LIST_COLUMNS_MAX);
	strcat(text, ",RO");
	assert_int_equal(list_columns_parse(text, &columns, &wrong), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_stand_in_their_columns),
		cmocka_unit_test(what_is_not_known_is_a_dash),
		cmocka_unit_test(a_file_is_known_by_its_path),
		cmocka_unit_test(names_are_taken_in_any_case_and_order),
		cmocka_unit_test(what_is_no_name_is_pointed_at),
		cmocka_unit_test(there_is_an_end_to_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The table of columns. */
#include "cli/list-columns.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/sysmacros.h>

#include "base/fmt.h"
#include "base/text.h"
#include "device/medium.h"
#include "report/drive.h"

static void set(char buf[LIST_TEXT_MAX], const char *text)
{
	(void)text_print(buf, LIST_TEXT_MAX, "%s", text);
}

static void make_device(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set(buf, *row->facts.node ? row->facts.node : row->facts.path);
}

static void make_size(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	char size[FMT_MAX];

	if (row->facts.size)
		set(buf, fmt_bytes_si(size, row->facts.size));
}

static void set_number(char buf[LIST_TEXT_MAX], uint64_t number)
{
	if (number)
		(void)text_print(buf, LIST_TEXT_MAX, "%" PRIu64, number);
}

static void make_size_bytes(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set_number(buf, row->facts.size);
}

static void make_diskseq(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set_number(buf, row->facts.diskseq);
}

/* What a RAID controller shows as one drive must not look like one. */
static void make_media(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	if (!row->facts.rdev && row->facts.kind != DRIVE_FILE)
		return;
	set(buf, row->facts.volume ? "RAID volume" : medium_word(facts_medium(&row->facts)));
}

static void make_type(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set(buf, drive_kind_word(row->facts.kind));
}

static void make_sectors(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	if (row->facts.logical)
		(void)text_print(buf, LIST_TEXT_MAX, "%" PRIu32 "/%" PRIu32, row->facts.logical,
				 row->facts.physical);
}

static void set_answer(char buf[LIST_TEXT_MAX], enum tristate answer)
{
	if (answer != UNKNOWN)
		set(buf, answer == YES ? "yes" : "no");
}

static void make_read_only(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set_answer(buf, row->facts.read_only ? YES : NO);
}

static void make_rotational(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set_answer(buf, row->facts.rotational);
}

static void make_removable(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set_answer(buf, row->facts.removable);
}

static void make_number(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	if (row->facts.rdev)
		(void)text_print(buf, LIST_TEXT_MAX, "%u:%u", major(row->facts.rdev),
				 minor(row->facts.rdev));
}

static void make_contents(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	list_words_contents(buf, row);
}

static void make_use(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	list_words_use(buf, row);
}

static void make_wipe(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	set(buf, row->gate.refusals ? "no" : "yes");
}

static void add_joined(char buf[LIST_TEXT_MAX], const char *text, const char *separator)
{
	(void)text_append(buf, LIST_TEXT_MAX, "%s%s", *buf ? separator : "", text);
}

static void make_reason(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	for (unsigned i = 0; i < row->gate.refusals; i++)
		add_joined(buf, row->sentences[i], " ");
}

static void make_notes(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	for (unsigned i = row->gate.refusals; i < row->gate.count; i++)
		add_joined(buf, row->sentences[i], "; ");
}

static void make_twins(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	for (unsigned i = 0; i < row->around.twin_count; i++)
		add_joined(buf, row->around.twins[i], " ");
}

#define FACT(member) offsetof(struct drive_facts, member)

/* Those that are shown by default come first, in this order. */
static const struct list_column columns[] = {
	{ "DEVICE", NULL, false, 0, make_device },
	{ "SIZE", NULL, true, 0, make_size },
	{ "MODEL", NULL, false, FACT(model), NULL },
	{ "SERIAL", NULL, false, FACT(serial), NULL },
	{ "BUS", NULL, false, FACT(bus), NULL },
	{ "MEDIA", NULL, false, 0, make_media },
	{ "WIPE", NULL, false, 0, make_wipe },
	{ "USE", NULL, false, 0, make_use },
	{ "ON-IT", "ON IT", false, 0, make_contents },
	{ "REASON", NULL, false, 0, make_reason },
	{ "NOTES", NULL, false, 0, make_notes },
	{ "TWINS", NULL, false, 0, make_twins },
	{ "NAME", NULL, false, FACT(name), NULL },
	{ "PATH", NULL, false, FACT(path), NULL },
	{ "BY-ID", NULL, false, FACT(by_id), NULL },
	{ "VENDOR", NULL, false, FACT(vendor), NULL },
	{ "FIRMWARE", NULL, false, FACT(firmware), NULL },
	{ "WWN", NULL, false, FACT(wwn), NULL },
	{ "PORT", NULL, false, FACT(port), NULL },
	{ "BRIDGE", NULL, false, FACT(bridge), NULL },
	{ "TYPE", NULL, false, 0, make_type },
	{ "SIZE-BYTES", NULL, true, 0, make_size_bytes },
	{ "SECTORS", NULL, true, 0, make_sectors },
	{ "RO", NULL, false, 0, make_read_only },
	{ "ROTA", NULL, false, 0, make_rotational },
	{ "REMOVABLE", NULL, false, 0, make_removable },
	{ "DISKSEQ", NULL, true, 0, make_diskseq },
	{ "DEVNO", NULL, false, 0, make_number },
	{ "BACKING", NULL, false, FACT(backing), NULL },
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns), COLUMNS_SHOWN = 9 };

void list_columns_default(struct list_columns *ret_columns)
{
	*ret_columns = (struct list_columns){ .count = COLUMNS_SHOWN };
	for (unsigned i = 0; i < COLUMNS_SHOWN; i++)
		ret_columns->items[i] = &columns[i];
}

/* ASCII letters are the same in all locales here. */
static const struct list_column *find_column(const char *name, size_t length)
{
	for (unsigned i = 0; i < COLUMNS; i++)
		if (strlen(columns[i].name) == length &&
		    !strncasecmp(columns[i].name, name, length))
			return &columns[i];
	return NULL;
}

int list_columns_parse(const char *text, struct list_columns *ret_columns, const char **ret_wrong)
{
	struct list_columns found = { 0 };

	for (;; text++) {
		size_t length = strcspn(text, ",");
		const struct list_column *column = find_column(text, length);

		*ret_wrong = text;
		if (!column)
			return -EINVAL;
		if (found.count == LIST_COLUMNS_MAX)
			return -E2BIG;
		found.items[found.count++] = column;
		text += length;
		if (!*text)
			break;
	}
	*ret_columns = found;
	return 0;
}

char *list_columns_names(char buf[LIST_NAMES_MAX])
{
	bool whole = true;

	*buf = '\0';
	for (unsigned i = 0; i < COLUMNS; i++)
		whole &= text_append(buf, LIST_NAMES_MAX, "%s%s", i ? " " : "", columns[i].name);
	assert(whole);
	return buf;
}

char *list_cell(char buf[LIST_TEXT_MAX], const struct list_column *column,
		const struct list_row *row)
{
	char raw[LIST_TEXT_MAX] = "";

	if (column->make)
		column->make(raw, row);
	else
		set(raw, (const char *)&row->facts + column->text);
	text_clean(buf, LIST_TEXT_MAX, raw);
	if (!*buf)
		set(buf, "-");
	return buf;
}

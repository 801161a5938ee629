/* SPDX-License-Identifier: MIT */
/* What a drive is and what is on it, in words. */
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/words-inside.h"
#include "device/medium.h"

char *words_medium(char buf[WORDS_MAX], const struct drive_facts *facts)
{
	enum medium medium = facts_medium(facts);

	*buf = '\0';
	if (facts->volume)
		add(buf, "volume of a RAID controller");
	else if (medium == MEDIUM_FILE || !*facts->bus)
		add(buf, "%s", medium_word(medium));
	else if (medium == MEDIUM_MEMORY || medium == MEDIUM_VIRTUAL)
		add(buf, "%s device", facts->bus);
	else
		add(buf, "%s %s%s", facts->bus, medium_word(medium),
		    medium == MEDIUM_FLASH ? " drive" : "");
	if (facts->kind == DRIVE_PARTITION)
		add(buf, ", a partition of %s", facts->disk);
	return buf;
}

char *words_partition(char buf[FACTS_TEXT_MAX], const struct drive_facts *facts, unsigned number)
{
	size_t length = strlen(facts->name);
	bool digit = length && facts->name[length - 1] >= '0' && facts->name[length - 1] <= '9';

	if (facts->kind == DRIVE_FILE)
		(void)text_print(buf, FACTS_TEXT_MAX, "%u", number);
	else
		(void)text_print(buf, FACTS_TEXT_MAX, "%s%s%u", facts->name, digit ? "p" : "",
				 number);
	return buf;
}

/* The day alone: "2026-11-30". */
static void add_day(char buf[WORDS_MAX], time_t when)
{
	char text[CLOCK_TEXT_MAX];

	add(buf, "%.10s", clock_utc(text, when));
}

/* 'sdb1 ext4 "backup"' */
static void add_signature(char buf[WORDS_MAX], const struct drive_facts *facts,
			  const struct signature *s)
{
	char name[FACTS_TEXT_MAX];

	if (s->partition)
		add(buf, "%s ", words_partition(name, facts, s->partition));
	add(buf, "%s", *s->type ? s->type : "unknown");
	if (*s->label)
		add(buf, " \"%s\"", s->label);
}

static void add_table(char buf[WORDS_MAX], const struct contents *contents)
{
	unsigned partitions = 0;

	for (unsigned i = 0; i < contents->count; i++)
		partitions += contents->items[i].partition > 0;
	add(buf, "%s, %u%s partition%s", contents->table, partitions,
	    contents->truncated ? " or more" : "", partitions == 1 ? "" : "s");
}

char *words_contents(char buf[WORDS_MAX], const struct drive_facts *facts,
		     const struct contents *contents)
{
	*buf = '\0';
	if (!contents->readable) {
		add(buf, "could not be looked at");
		return buf;
	}
	if (*contents->table)
		add_table(buf, contents);
	for (unsigned i = 0; i < contents->count; i++) {
		add(buf, "%s", !*buf ? "" : i ? ", " : ": ");
		add_signature(buf, facts, &contents->items[i]);
	}
	if (!*buf)
		add(buf, "nothing recognised");
	return buf;
}

char *words_age(char buf[WORDS_MAX], const struct drive_facts *facts,
		const struct contents *contents)
{
	const struct signature *newest = NULL, *oldest = NULL;

	*buf = '\0';
	for (unsigned i = 0; i < contents->count; i++) {
		const struct signature *s = &contents->items[i];

		if (s->used && (!newest || s->used > newest->used))
			newest = s;
		if (s->made && (!oldest || s->made < oldest->made))
			oldest = s;
	}
	if (newest) {
		add(buf, "last used ");
		add_day(buf, newest->used);
		add(buf, ": ");
		add_signature(buf, facts, newest);
	}
	if (oldest) {
		add(buf, "%s",
		    !newest	       ? "oldest file system made "
		    : oldest == newest ? ", made "
				       : "; the oldest file system was made ");
		add_day(buf, oldest->made);
	}
	return buf;
}

/* SPDX-License-Identifier: MIT */
/* The words of `list`. */
#include "cli/list-words.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

/* A table is for looking over: what is more than this is counted. */
enum { SIGNATURES_SHOWN = 4, USES_SHOWN = 3, UNREADABLE_SHOWN = 4 };

/* Appends; what does not fit is cut. */
#define add(buf, ...) text_append(buf, LIST_TEXT_MAX, __VA_ARGS__)

/* ---- what is on it ---- */

static bool is_partition(const struct signature *s)
{
	return s->partition > 0;
}

static unsigned count_signatures(const struct contents *c, bool partitions)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->count; i++)
		n += is_partition(&c->items[i]) == partitions;
	return n;
}

/* Begins the next of several. */
static void add_comma(char buf[LIST_TEXT_MAX], bool first)
{
	add(buf, "%s", first ? "" : ", ");
}

/* 'ext4 "root", swap, +3, 2 unknown': those of the whole drive, or those of its partitions. */
static void add_signatures(char buf[LIST_TEXT_MAX], const struct contents *c, bool partitions)
{
	unsigned shown = 0, more = 0, unknown = 0;

	for (unsigned i = 0; i < c->count; i++) {
		const struct signature *s = &c->items[i];

		if (is_partition(s) != partitions)
			continue;
		if (!*s->type) {
			unknown++;
		} else if (shown == SIGNATURES_SHOWN) {
			more++;
		} else {
			add_comma(buf, !shown++);
			add(buf, "%s", s->type);
			if (*s->label)
				add(buf, " \"%s\"", s->label);
		}
	}
	if (more)
		add(buf, ", +%u", more);
	if (unknown) {
		add_comma(buf, !shown);
		add(buf, "%u unknown", unknown);
	}
	if (c->truncated && partitions)
		add(buf, ", and more");
}

char *list_words_on_it(char buf[LIST_TEXT_MAX], const struct contents *c)
{
	bool whole = c->readable && count_signatures(c, false) > 0;

	*buf = '\0';
	if (!c->readable)
		add(buf, "not readable");
	if (whole)
		add_signatures(buf, c, false);
	if (c->readable && *c->table) {
		add(buf, "%s%s: ", whole ? "; " : "", c->table);
		if (count_signatures(c, true))
			add_signatures(buf, c, true);
		else
			add(buf, "no partitions");
	}
	if (!*buf)
		add(buf, "nothing recognised");
	return buf;
}

char *list_words_contents(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	list_words_on_it(buf, &row->contents);
	/* Nobody tried: it is empty, or would begin to spin. */
	if (!row->contents.readable && !row->error)
		(void)text_print(buf, LIST_TEXT_MAX, "-");
	return buf;
}

/* ---- who uses it ---- */

static const char *use_label(enum use_kind kind)
{
	switch (kind) {
	case USE_MOUNT:
		return "mounted: ";
	case USE_SWAP:
		return "swap: ";
	case USE_HOLDER:
		return "held by ";
	case USE_LOOP:
		return "behind ";
	case USE_FILE_SYSTEM:
		return "active: ";
	case USE_HIBERNATION:
		return "";
	case USE_WRITER:
		return "open: ";
	case USE_READER:
		break;
	}
	return "read by ";
}

/* Who holds it, in the words of whoever gave it its name: names alone say little of the kind. */
static const char *holder_kind(const char *name)
{
	if (!strncmp(name, "md", 2))
		return " (RAID)";
	return strncmp(name, "dm-", 3) ? "" : " (device mapper)";
}

static void add_process(char buf[LIST_TEXT_MAX], const struct use *use, const char *before)
{
	if (use->pid)
		add(buf, "%s%s (%ld)", before, *use->command ? use->command : "process",
		    (long)use->pid);
}

/* One use without its label. */
static void add_use(char buf[LIST_TEXT_MAX], const struct use *use)
{
	switch (use->kind) {
	case USE_SWAP:
		add(buf, "%s", use->system ? "swap" : use->what);
		break;
	case USE_HIBERNATION:
		add(buf, "hibernation");
		break;
	case USE_WRITER:
	case USE_READER:
		add_process(buf, use, "");
		if (!use->pid)
			add(buf, "somebody");
		break;
	case USE_HOLDER:
		/* A name of its own says more than the kind. */
		add(buf, "%s%s", use->what, strchr(use->what, '"') ? "" : holder_kind(use->what));
		break;
	default:
		add(buf, "%s", use->what);
		add_process(buf, use, " by ");
	}
}

/* The first, and those like it; the others are counted. */
static void add_uses(char buf[LIST_TEXT_MAX], const struct usage *usage)
{
	const struct use *first = &usage->items[0];
	unsigned shown = 0, others = 0;

	add(buf, "%s", first->system ? "system drive: " : use_label(first->kind));
	for (unsigned i = 0; i < usage->count; i++) {
		const struct use *use = &usage->items[i];
		bool alike = first->system ? use->system : use->kind == first->kind;

		if (alike && shown < USES_SHOWN) {
			add(buf, "%s", shown++ ? ", " : "");
			add_use(buf, use);
		} else if (use->kind != USE_READER) {
			others++;
		}
	}
	if (others)
		add(buf, ", +%u", others);
	if (usage->truncated)
		add(buf, ", and more");
}

static bool only_readers(const struct usage *usage)
{
	for (unsigned i = 0; i < usage->count; i++)
		if (usage->items[i].kind != USE_READER)
			return false;
	return true;
}

/* The sentence without what the column says anyway, and without the advice after it. */
static void add_refusal(char buf[LIST_TEXT_MAX], const char *sentence)
{
	size_t length = 0;

	/* Up to the end of a sentence, or to what explains it further. */
	while (sentence[length] && !(strchr(".:", sentence[length]) &&
				     (!sentence[length + 1] || sentence[length + 1] == ' ')))
		length++;
	if (length > strlen("is ") && text_starts_with(sentence, "is ")) {
		sentence += strlen("is ");
		length -= strlen("is ");
	}
	add(buf, "%.*s", (int)length, sentence);
}

char *list_words_use(char buf[LIST_TEXT_MAX], const struct list_row *row)
{
	const struct usage *u = row->usage;
	bool unused = only_readers(u);

	*buf = '\0';
	if (unused && row->gate.refusals)
		add_refusal(buf, row->sentences[0]);
	else if (unused && !usage_tables_known(u))
		add(buf, "unknown");
	else if (u->count)
		add_uses(buf, u);
	else
		add(buf, "%s", u->namespaces_known && u->openers_known ? "free" : "free?");
	return buf;
}

/* ---- what was not seen ---- */

static void add_part(char buf[LIST_TEXT_MAX], const char *text)
{
	add(buf, "%s%s", *buf ? "; " : "not seen: ", text);
}

/* Why an ordinary user may not open it is no secret; anything else is told. */
static void add_unreadable(char buf[LIST_TEXT_MAX], const struct list_row *row, bool root)
{
	char name[LIST_TEXT_MAX];

	add(buf, "%s",
	    text_clean(name, sizeof(name), *row->facts.node ? row->facts.node : row->facts.path));
	if (row->error == ESTALE)
		add(buf, " (it changed just now)");
	else if (root || (row->error != EACCES && row->error != EPERM))
		add(buf, " (%s)", strerror(row->error));
}

static void add_contents_unseen(char buf[LIST_TEXT_MAX], const struct list_row *rows,
				unsigned count, bool root)
{
	unsigned unreadable = 0;

	for (unsigned i = 0; i < count; i++) {
		if (!rows[i].error || unreadable++ >= UNREADABLE_SHOWN)
			continue;
		if (unreadable == 1)
			add_part(buf, "what is on ");
		else
			add(buf, ", ");
		add_unreadable(buf, &rows[i], root);
	}
	if (unreadable > UNREADABLE_SHOWN)
		add(buf, " and %u more", unreadable - UNREADABLE_SHOWN);
}

char *list_words_unseen(char buf[LIST_TEXT_MAX], const struct list_row *rows, unsigned count,
			bool root)
{
	bool mounts = true, files = true, tables = true;

	*buf = '\0';
	for (unsigned i = 0; i < count; i++) {
		mounts &= rows[i].usage->namespaces_known;
		files &= rows[i].usage->openers_known;
		tables &= usage_tables_known(rows[i].usage);
	}
	add_contents_unseen(buf, rows, count, root);
	if (!tables)
		add_part(buf, "who uses them, for /proc or /sys is missing here");
	else if (!mounts || !files)
		add_part(buf, "what other processes have ");
	if (tables && (!mounts || !files))
		add(buf, "%s", mounts ? "open" : files ? "mounted" : "open or mounted");
	if (*buf)
		add(buf, ".%s", root ? "" : " Root sees more.");
	return buf;
}

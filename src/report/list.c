/* SPDX-License-Identifier: MIT */
/* Builds the document of `list --json`; docs/list.md describes every field of it. */
#include "report/list.h"

#include <errno.h>
#include <stdlib.h>

#include "report/values.h"

enum { LIST_VERSION = 1 };

static const char *use_word(enum use_kind kind)
{
	switch (kind) {
	case USE_MOUNT:
		return "mount";
	case USE_SWAP:
		return "swap";
	case USE_HOLDER:
		return "holder";
	case USE_LOOP:
		return "loop";
	case USE_FILE_SYSTEM:
		return "file_system";
	case USE_HIBERNATION:
		return "hibernation";
	case USE_WRITER:
		return "writer";
	case USE_READER:
		break;
	}
	return "reader";
}

static json_t *use_object(const struct use *use)
{
	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "kind", use_word(use->kind), "system",
			 use->system, "chain", text_or_null(use->chain), "what",
			 text_or_null(use->what), "pid", number_or_null((uint64_t)use->pid),
			 "command", text_or_null(use->command));
}

static json_t *usage_object(const struct usage *usage)
{
	json_t *uses = json_array();

	for (unsigned i = 0; i < usage->count; i++)
		append(&uses, use_object(&usage->items[i]));
	return json_pack("{s:o, s:b, s:b, s:b, s:b, s:b, s:b}", "uses", uses, "truncated",
			 usage->truncated, "mounts_known", usage->mounts_known, "namespaces_known",
			 usage->namespaces_known, "swaps_known", usage->swaps_known,
			 "holders_known", usage->holders_known, "openers_known",
			 usage->openers_known);
}

/* What a record does not say of a drive. */
static json_t *more_object(const struct drive_facts *f)
{
	return json_pack("{s:b, s:b, s:b, s:b, s:b}", "read_only", f->read_only, "cached",
			 f->cached, "zoned", f->zoned, "hidden", f->hidden, "reserved",
			 f->reserved);
}

static json_t *sentences(const struct list_drive *d, unsigned first, unsigned end)
{
	json_t *array = json_array();

	for (unsigned i = first; i < end; i++)
		append(&array, text_or_null(d->sentences[i]));
	return array;
}

static json_t *twins(const struct surroundings *around)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < around->twin_count; i++)
		append(&array, text_or_null(around->twins[i]));
	return array;
}

static json_t *list_object(const struct list_drive *d)
{
	unsigned refusals = d->gate->refusals;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "drive",
			 drive_object(d->facts), "more", more_object(d->facts), "contents",
			 contents_object(d->contents), "error", error_name(d->error), "error_code",
			 error_code(d->error), "usage", usage_object(d->usage), "accepted",
			 !refusals, "refusals", sentences(d, 0, refusals), "notes",
			 sentences(d, refusals, d->gate->count), "twins", twins(d->around));
}

int list_build(const struct list_drive *drives, unsigned count, char **ret_text)
{
	json_t *array = json_array(), *object;

	for (unsigned i = 0; i < count; i++)
		append(&array, list_object(&drives[i]));
	object = json_pack("{s:i, s:{s:s, s:s}, s:o}", "list_version", LIST_VERSION, "tool", "name",
			   "stormwipe", "version", STORMWIPE_VERSION, "drives", array);
	return document_line(object, ret_text);
}

/* SPDX-License-Identifier: MIT */
/* A drive, and what is on it, in a JSON document; docs/record.md describes the fields. */
#include "report/drive.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "device/medium.h"
#include "report/values.h"

const char *drive_kind_word(enum drive_kind kind)
{
	switch (kind) {
	case DRIVE_DISK:
		return "disk";
	case DRIVE_PARTITION:
		return "partition";
	case DRIVE_FILE:
		return "file";
	case DRIVE_OPTICAL:
		return "optical";
	case DRIVE_DIRECTORY:
		return "directory";
	case DRIVE_FIFO:
		return "fifo";
	case DRIVE_CHAR:
		return "character device";
	case DRIVE_SOCKET:
		break;
	}
	return "socket";
}

static json_t *device_number(const struct drive_facts *facts)
{
	char text[32];

	if (!facts->rdev)
		return json_null();
	(void)text_print(text, sizeof(text), "%u:%u", major(facts->rdev), minor(facts->rdev));
	return json_string(text);
}

/* How it is attached, and what it is made of. */
static json_t *attachment(const struct drive_facts *f)
{
	return json_pack("{s:o, s:s, s:o, s:o, s:b, s:b}", "bus", text_or_null(f->bus), "medium",
			 medium_word(facts_medium(f)), "port", text_or_null(f->port), "bridge",
			 text_or_null(f->bridge), "bridge_serial", f->bridge_serial, "raid_volume",
			 f->volume);
}

static json_t *identity(const struct drive_facts *f)
{
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "path",
			 text_or_null(f->path), "node", text_or_null(f->node), "name",
			 text_or_null(f->name), "kind", drive_kind_word(f->kind), "by_id",
			 text_or_null(f->by_id), "vendor", text_or_null(f->vendor), "model",
			 text_or_null(f->model), "serial", text_or_null(f->serial), "wwn",
			 text_or_null(f->wwn), "firmware", text_or_null(f->firmware));
}

static json_t *measures(const struct drive_facts *f)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rotational",
			 tristate(f->rotational), "removable", tristate(f->removable), "size_bytes",
			 number_or_null(f->size), "logical_sector_bytes",
			 number_or_null(f->logical), "physical_sector_bytes",
			 number_or_null(f->physical), "diskseq", number_or_null(f->diskseq),
			 "device_number", device_number(f), "partition_start_bytes",
			 f->kind == DRIVE_PARTITION ? number(f->start) : json_null(),
			 "backing_file", text_or_null(f->backing));
}

json_t *drive_object(const struct drive_facts *f)
{
	json_t *object = identity(f), *attached = attachment(f), *measured = measures(f);
	bool made = object && attached && measured && !json_object_update(object, attached) &&
		    !json_object_update(object, measured);

	json_decref(attached);
	json_decref(measured);
	if (made)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *signature_object(const struct signature *s)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "partition", number_or_null(s->partition),
			 "size_bytes", number_or_null(s->size), "type", text_or_null(s->type),
			 "label", text_or_null(s->label));
}

json_t *contents_object(const struct contents *c)
{
	json_t *signatures;

	if (!c || !c->readable)
		return json_null();
	signatures = json_array();
	for (unsigned i = 0; i < c->count; i++)
		append(&signatures, signature_object(&c->items[i]));
	return json_pack("{s:o, s:o, s:b}", "partition_table", text_or_null(c->table), "signatures",
			 signatures, "truncated", c->truncated);
}

int document_line(json_t *object, char **ret_text)
{
	char *text = NULL, *line;
	size_t length;

	if (object)
		text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER |
						  JSON_REAL_PRECISION(REAL_DIGITS));
	json_decref(object);
	length = text ? strlen(text) : 0;
	line = text ? realloc(text, length + 2) : NULL;
	if (!line) {
		free(text);
		return -ENOMEM;
	}
	memcpy(line + length, "\n", 2);
	*ret_text = line;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* A drive in a JSON document; docs/record.md describes the fields. */
#include <sys/sysmacros.h>

#include "report/values.h"

static const char *kind_word(enum drive_kind kind)
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

json_t *drive_object(const struct drive_facts *f)
{
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:o, s:o,"
			 " s:o, s:o, s:o}",
			 "path", text_or_null(f->path), "node", text_or_null(f->node), "name",
			 text_or_null(f->name), "kind", kind_word(f->kind), "by_id",
			 text_or_null(f->by_id), "vendor", text_or_null(f->vendor), "model",
			 text_or_null(f->model), "serial", text_or_null(f->serial), "wwn",
			 text_or_null(f->wwn), "firmware", text_or_null(f->firmware), "bus",
			 text_or_null(f->bus), "rotational", tristate(f->rotational), "removable",
			 tristate(f->removable), "size_bytes", number_or_null(f->size),
			 "logical_sector_bytes", number_or_null(f->logical),
			 "physical_sector_bytes", number_or_null(f->physical), "diskseq",
			 number_or_null(f->diskseq), "device_number", device_number(f),
			 "partition_start_bytes",
			 f->kind == DRIVE_PARTITION ? number(f->start) : json_null(),
			 "backing_file", text_or_null(f->backing));
}

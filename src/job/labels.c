/* SPDX-License-Identifier: MIT */
/* Where labels lie. */
#include "job/labels.h"

#include <stdlib.h>

/*
 * Partition tables, file systems, md 1.1 and 1.2, LVM, LUKS and two labels of ZFS lie at the start;
 * md 0.90 and 1.0, the second GPT, other RAIDs' data and two labels of ZFS at the end. The second
 * header of LUKS2 begins at up to 4 MiB.
 */
enum {
	DRIVE_EDGE_MAX = 8 << 20,
	DRIVE_EDGE_PART = 128, /* of the drive, at most one of so many */
	PARTITION_EDGE_MAX = 1 << 20,
	PARTITION_EDGE_PART = 64,
	BTRFS_SUPERBLOCK = 64 << 10,
};

static const uint64_t btrfs_mirrors[] = { UINT64_C(64) << 20, UINT64_C(256) << 30 };

/* A range of a drive while labels are collected. */
struct field {
	uint64_t size;
	uint32_t align;
	struct labels *labels;
};

static void add(struct field *f, uint64_t offset, uint64_t length)
{
	uint64_t start = offset - offset % f->align, end;

	if (offset >= f->size || f->labels->count == LABELS_MAX)
		return;
	end = length < f->size - offset ? offset + length : f->size;
	if (end % f->align && f->size - end >= f->align - end % f->align)
		end += f->align - end % f->align;
	end -= end % f->align;
	if (end > start)
		f->labels->items[f->labels->count++] = (struct label_range){ start, end - start };
}

static void add_edges(struct field *f, uint64_t start, uint64_t size, uint64_t edge)
{
	add(f, start, edge);
	add(f, start + size - edge, edge);
	for (size_t i = 0; i < sizeof(btrfs_mirrors) / sizeof(*btrfs_mirrors); i++)
		if (btrfs_mirrors[i] < size)
			add(f, start + btrfs_mirrors[i], BTRFS_SUPERBLOCK);
}

static uint64_t edge_of(uint64_t size, unsigned part, uint64_t most)
{
	return size / part < most ? size / part : most;
}

static int compare(const void *a, const void *b)
{
	const struct label_range *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort_and_merge(struct labels *labels)
{
	unsigned kept = 0;

	qsort(labels->items, labels->count, sizeof(*labels->items), compare);
	for (unsigned i = 1; i < labels->count; i++) {
		struct label_range *last = &labels->items[kept], *next = &labels->items[i];
		uint64_t end = next->offset + next->length;

		if (next->offset > last->offset + last->length)
			labels->items[++kept] = *next;
		else if (end > last->offset + last->length)
			last->length = end - last->offset;
	}
	labels->count = kept + 1;
}

void labels_find(uint64_t size, uint32_t align, const struct contents *contents,
		 struct labels *ret_labels)
{
	struct field f = { .size = size - size % align, .align = align, .labels = ret_labels };

	ret_labels->count = 0;
	if (f.size < LABELS_DRIVE_MIN)
		return;
	add_edges(&f, 0, f.size, edge_of(f.size, DRIVE_EDGE_PART, DRIVE_EDGE_MAX));
	for (unsigned i = 0; contents && i < contents->count; i++) {
		const struct signature *s = &contents->items[i];

		/* The table's numbers come from the drive, but those without a start were judged
		 * wrong. */
		if (s->partition && s->start && s->start < f.size && s->size <= f.size - s->start)
			add_edges(&f, s->start, s->size,
				  edge_of(s->size, PARTITION_EDGE_PART, PARTITION_EDGE_MAX));
	}
	sort_and_merge(ret_labels);
}

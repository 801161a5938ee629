/* SPDX-License-Identifier: MIT */
/* What libblkid recognises on a drive. */
#include "device/probe.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "device/superblock.h"

/* libblkid counts partitions in this unit, whatever the drive's sectors are. */
enum { BLKID_SECTOR = 512 };

/* Answers of blkid_do_safeprobe(). */
enum { SAFEPROBE_FOUND = 0, SAFEPROBE_NOTHING = 1, SAFEPROBE_SEVERAL = -2 };

/* A probe of a part of the drive, without probing yet; NULL if that cannot be. */
static blkid_probe probe_range(int fd, uint64_t start, uint64_t size)
{
	blkid_probe probe = blkid_new_probe();

	if (probe && blkid_probe_set_device(probe, fd, (blkid_loff_t)start, (blkid_loff_t)size)) {
		blkid_free_probe(probe);
		return NULL;
	}
	return probe;
}

static void copy_value(blkid_probe probe, const char *name, char *buf, size_t size)
{
	const char *value;

	if (!blkid_probe_lookup_value(probe, name, &value, NULL))
		text_clean(buf, size, value);
}

static void copy_signature(blkid_probe probe, struct signature *signature)
{
	copy_value(probe, "TYPE", signature->type, sizeof(signature->type));
	copy_value(probe, "LABEL", signature->label, sizeof(signature->label));
	copy_value(probe, "UUID", signature->uuid, sizeof(signature->uuid));
}

/* Several at once: all that libblkid finds, one after the other. Returns their types in one text.
 */
static void join_types(int fd, uint64_t start, uint64_t size, struct signature *signature)
{
	blkid_probe probe = probe_range(fd, start, size);

	if (!probe)
		return;
	(void)blkid_probe_enable_superblocks(probe, 1);
	(void)blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
	while (!blkid_do_probe(probe)) {
		char type[sizeof(signature->type)] = "";

		copy_value(probe, "TYPE", type, sizeof(type));
		if (*type)
			(void)text_append(signature->type, sizeof(signature->type), "%s%s",
					  *signature->type ? "+" : "", type);
	}
	blkid_free_probe(probe);
}

static void probe_ages(int fd, uint64_t start, struct signature *signature)
{
	uint8_t bytes[SUPERBLOCK_EXT_BYTES];
	struct superblock_ages ages;
	ssize_t length;

	if (strncmp(signature->type, "ext", strlen("ext")) ||
	    start > INT64_MAX - SUPERBLOCK_EXT_OFFSET)
		return;
	length = pread(fd, bytes, sizeof(bytes), (off_t)(start + SUPERBLOCK_EXT_OFFSET));
	if (length < 0)
		return;
	ages = superblock_ext_ages(bytes, (size_t)length, time(NULL));
	signature->made = ages.made;
	signature->used = ages.used;
}

/*
 * What other machines may be using is recognised by its magic alone, also where libblkid wants to
 * see a whole superblock: a damaged GFS2 is still somebody's.
 */
static void probe_gfs2(int fd, uint64_t start, uint64_t size, struct signature *signature)
{
	static const uint8_t magic[] = { 0x01, 0x16, 0x19, 0x70 };
	const uint64_t place = 64 * 1024;
	uint8_t bytes[sizeof(magic)];

	if (!*signature->type && size > place + sizeof(magic) && start <= INT64_MAX - place &&
	    pread(fd, bytes, sizeof(bytes), (off_t)(start + place)) == sizeof(bytes) &&
	    !memcmp(bytes, magic, sizeof(magic)))
		(void)text_print(signature->type, sizeof(signature->type), "gfs2");
}

/* Returns false if the range could not be read. */
static bool probe_signature(int fd, uint64_t start, uint64_t size, struct signature *signature)
{
	blkid_probe probe = probe_range(fd, start, size);
	int answer;

	if (!probe)
		return false;
	(void)blkid_probe_enable_superblocks(probe, 1);
	(void)blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							       BLKID_SUBLKS_UUID);
	answer = blkid_do_safeprobe(probe);
	if (answer == SAFEPROBE_FOUND)
		copy_signature(probe, signature);
	blkid_free_probe(probe);
	if (answer == SAFEPROBE_SEVERAL)
		join_types(fd, start, size, signature);
	probe_ages(fd, start, signature);
	probe_gfs2(fd, start, size, signature);
	return answer == SAFEPROBE_FOUND || answer == SAFEPROBE_NOTHING ||
	       answer == SAFEPROBE_SEVERAL;
}

static void add_signature(struct contents *contents, const struct signature *signature)
{
	if (contents->count < PROBE_MAX)
		contents->items[contents->count++] = *signature;
	else
		contents->truncated = true;
}

static void add_partition(int fd, uint64_t size, blkid_partition partition,
			  struct contents *contents)
{
	uint64_t start = (uint64_t)blkid_partition_get_start(partition);
	uint64_t sectors = (uint64_t)blkid_partition_get_size(partition);
	struct signature signature = { .partition =
					       (unsigned)blkid_partition_get_partno(partition) };

	/* The table's numbers come from the drive: whatever is written there. */
	if (sectors > UINT64_MAX / BLKID_SECTOR)
		sectors = 0;
	signature.size = sectors * BLKID_SECTOR;
	if (blkid_partition_get_uuid(partition))
		text_clean(signature.partition_uuid, sizeof(signature.partition_uuid),
			   blkid_partition_get_uuid(partition));
	if (sectors && start < size / BLKID_SECTOR &&
	    signature.size <= size - start * BLKID_SECTOR) {
		signature.start = start * BLKID_SECTOR;
		(void)probe_signature(fd, signature.start, signature.size, &signature);
	}
	add_signature(contents, &signature);
}

static void probe_partitions(int fd, uint64_t size, struct contents *contents)
{
	blkid_probe probe = probe_range(fd, 0, size);
	blkid_partlist list = probe ? blkid_probe_get_partitions(probe) : NULL;
	blkid_parttable table = list ? blkid_partlist_get_table(list) : NULL;
	int count = list ? blkid_partlist_numof_partitions(list) : 0;

	if (table)
		text_clean(contents->table, sizeof(contents->table),
			   blkid_parttable_get_type(table));
	for (int i = 0; i < count; i++) {
		blkid_partition partition = blkid_partlist_get_partition(list, i);

		/* An extended partition is only the box that logical ones lie in. */
		if (!blkid_partition_is_extended(partition))
			add_partition(fd, size, partition, contents);
	}
	blkid_free_probe(probe);
}

/* libblkid seeks, and reads into memory that direct I/O refuses. The descriptor is given back as it
 * was. */
void probe_contents(int fd, uint64_t size, struct contents *ret_contents)
{
	int flags = fcntl(fd, F_GETFL);
	off_t offset = lseek(fd, 0, SEEK_CUR);
	struct signature whole = { 0 };

	*ret_contents = (struct contents){ 0 };
	if (!size || flags < 0 || offset < 0 || fcntl(fd, F_SETFL, flags & ~O_DIRECT))
		return;
	ret_contents->readable = probe_signature(fd, 0, size, &whole);
	if (*whole.type)
		add_signature(ret_contents, &whole);
	if (ret_contents->readable)
		probe_partitions(fd, size, ret_contents);
	(void)fcntl(fd, F_SETFL, flags);
	(void)lseek(fd, offset, SEEK_SET);
}

void probe_drive(const struct drive_facts *facts, struct contents *ret_contents)
{
	_cleanup_close_ int fd = open(facts->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	bool same =
		fd >= 0 && !fstat(fd, &st) &&
		(S_ISBLK(st.st_mode) ? st.st_rdev == facts->rdev
				     : facts->kind == DRIVE_FILE && st.st_dev == facts->file_dev &&
					       st.st_ino == facts->file_ino);

	*ret_contents = (struct contents){ 0 };
	if (same)
		probe_contents(fd, facts->size, ret_contents);
}

/* SPDX-License-Identifier: MIT */
/* Copy-on-write, reflinks and holes below an image file. */
#include "device/image.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

enum { EXTENTS_A_CALL = 64, BLOCK_UNIT = 512 };

/* File systems that never overwrite in place, by the magic numbers of statfs(2) and their own
 * sources. */
static bool relocates(int fd)
{
	static const uint32_t magics[] = {
		0x9123683e, /* btrfs */
		0x2fc12fc1, /* ZFS */
		0xca451a4e, /* bcachefs */
		0xf2f52010, /* F2FS */
		0x00003434, /* NILFS2 */
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if ((uint32_t)fs.f_type == magics[i])
			return true;
	return false;
}

static bool shares_blocks(int fd)
{
	_Alignas(struct fiemap) char
		room[sizeof(struct fiemap) + EXTENTS_A_CALL * sizeof(struct fiemap_extent)] = { 0 };
	struct fiemap *map = (struct fiemap *)room;

	map->fm_length = FIEMAP_MAX_OFFSET;
	map->fm_extent_count = EXTENTS_A_CALL;
	while (!ioctl(fd, FS_IOC_FIEMAP, map) && map->fm_mapped_extents) {
		const struct fiemap_extent *last = &map->fm_extents[map->fm_mapped_extents - 1];

		for (unsigned i = 0; i < map->fm_mapped_extents; i++)
			if (map->fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED)
				return true;
		if (last->fe_flags & FIEMAP_EXTENT_LAST || !last->fe_length)
			break;
		map->fm_start = last->fe_logical + last->fe_length;
		map->fm_length = FIEMAP_MAX_OFFSET - map->fm_start;
	}
	return false;
}

void image_look(int fd, struct image_facts *ret_facts)
{
	struct image_facts facts = { .relocates = relocates(fd), .shared = shares_blocks(fd) };
	struct stat st;

	if (!fstat(fd, &st) && st.st_blocks * BLOCK_UNIT < st.st_size)
		facts.unfilled = (uint64_t)(st.st_size - st.st_blocks * BLOCK_UNIT);
	*ret_facts = facts;
}

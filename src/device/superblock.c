/* SPDX-License-Identifier: MIT */
/* The times in superblocks. */
#include "device/superblock.h"

/* struct ext4_super_block: little endian; the high bytes of the times are further behind. */
enum {
	EXT_MAGIC = 0xef53,
	EXT_MAGIC_AT = 0x38,
	EXT_MOUNTED_AT = 0x2c,
	EXT_WRITTEN_AT = 0x30,
	EXT_MADE_AT = 0x108,
	EXT_WRITTEN_HIGH_AT = 0x274,
	EXT_MOUNTED_HIGH_AT = 0x275,
	EXT_MADE_HIGH_AT = 0x276,
	HIGH_SHIFT = 32,
};

static uint32_t le32(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static time_t ext_time(const uint8_t *bytes, unsigned low, unsigned high, time_t now)
{
	time_t when = (time_t)((uint64_t)bytes[high] << HIGH_SHIFT | le32(bytes + low));

	return when <= now ? when : 0;
}

struct superblock_ages superblock_ext_ages(const uint8_t *bytes, size_t length, time_t now)
{
	struct superblock_ages ages = { 0 };
	time_t mounted;

	if (length < SUPERBLOCK_EXT_BYTES ||
	    (bytes[EXT_MAGIC_AT] | bytes[EXT_MAGIC_AT + 1] << 8) != EXT_MAGIC)
		return ages;
	mounted = ext_time(bytes, EXT_MOUNTED_AT, EXT_MOUNTED_HIGH_AT, now);
	ages.used = ext_time(bytes, EXT_WRITTEN_AT, EXT_WRITTEN_HIGH_AT, now);
	if (mounted > ages.used)
		ages.used = mounted;
	ages.made = ext_time(bytes, EXT_MADE_AT, EXT_MADE_HIGH_AT, now);
	return ages;
}

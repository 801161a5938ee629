/* SPDX-License-Identifier: MIT */
/* Reading the kernel's attributes of block devices. */
#include "device/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/io.h"
#include "base/parse.h"
#include "base/text.h"

int sysfs_folder(const struct system_roots *roots, dev_t number, char ret_folder[PATH_MAX])
{
	char link[PATH_MAX];

	if (!text_print(link, sizeof(link), "%s/dev/block/%u:%u", roots->sys, major(number),
			minor(number)))
		return -ENAMETOOLONG;
	return realpath(link, ret_folder) ? 0 : -errno;
}

const char *sysfs_name(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return slash ? slash + 1 : folder;
}

bool sysfs_has(const char *folder, const char *attribute)
{
	char path[PATH_MAX];

	return text_print(path, sizeof(path), "%s/%s", folder, attribute) && !access(path, F_OK);
}

ssize_t sysfs_raw(const char *folder, const char *attribute, char *buf, size_t size)
{
	char path[PATH_MAX];

	if (!text_print(path, sizeof(path), "%s/%s", folder, attribute))
		return -ENAMETOOLONG;
	return io_read_text(AT_FDCWD, path, buf, size);
}

bool sysfs_text(const char *folder, const char *attribute, char *buf, size_t size)
{
	char raw[PATH_MAX];

	if (sysfs_raw(folder, attribute, raw, sizeof(raw)) < 0)
		*raw = '\0';
	return *text_clean(buf, size, raw);
}

uint64_t sysfs_number(const char *folder, const char *attribute)
{
	char text[32];
	uint64_t number;

	if (!sysfs_text(folder, attribute, text, sizeof(text)) || parse_u64(text, &number))
		return 0;
	return number;
}

uint64_t sysfs_bytes(const char *folder, const char *attribute)
{
	uint64_t sectors = sysfs_number(folder, attribute);

	return sectors <= UINT64_MAX / SYSFS_SECTOR ? sectors * SYSFS_SECTOR : 0;
}

enum tristate sysfs_flag(const char *folder, const char *attribute)
{
	char text[8];

	if (!sysfs_text(folder, attribute, text, sizeof(text)))
		return UNKNOWN;
	return strcmp(text, "0") ? YES : NO;
}

dev_t sysfs_number_pair(const char *folder, const char *attribute)
{
	unsigned ma, mi;
	char text[32];

	if (!sysfs_text(folder, attribute, text, sizeof(text)) ||
	    sscanf(text, "%u:%u", &ma, &mi) != 2)
		return 0;
	return makedev(ma, mi);
}

dev_t sysfs_devno(const char *folder)
{
	return sysfs_number_pair(folder, "dev");
}

void sysfs_disk_folder(const char *folder, char ret_disk[PATH_MAX])
{
	(void)text_print(ret_disk, PATH_MAX, "%s", folder);
	if (sysfs_has(folder, "partition"))
		*strrchr(ret_disk, '/') = '\0';
}

bool sysfs_next_partition(DIR *dir, const char *disk, char ret_folder[PATH_MAX])
{
	const struct dirent *entry;

	while ((entry = readdir(dir)))
		if (*entry->d_name != '.' &&
		    text_print(ret_folder, PATH_MAX, "%s/%s", disk, entry->d_name) &&
		    sysfs_has(ret_folder, "partition"))
			return true;
	return false;
}

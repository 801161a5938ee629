/* SPDX-License-Identifier: MIT */
/* Folders and attributes of block devices under /sys. Private to this folder. */
#ifndef DEVICE_SYSFS_H
#define DEVICE_SYSFS_H

#include <dirent.h>

#include "device/facts.h"
#include "device/scan.h"

/* Sizes and starts in sysfs are in this unit, whatever the drive's sectors are. */
enum { SYSFS_SECTOR = 512 };

/* The device's own folder, links resolved. Returns 0; -errno. */
int sysfs_folder(const struct system_roots *roots, dev_t number, char ret_folder[PATH_MAX]);

/* The folder's last component: the kernel's name of the device. */
const char *sysfs_name(const char *folder);

bool sysfs_has(const char *folder, const char *attribute);

/* Reads an attribute as it is. Returns its length, which can be 0; -errno. */
ssize_t sysfs_raw(const char *folder, const char *attribute, char *buf, size_t size);

/* Reads an attribute as clean text. False, and "", if there is none or it is empty. */
bool sysfs_text(const char *folder, const char *attribute, char *buf, size_t size);

/* Reads a decimal number; 0 if there is none. */
uint64_t sysfs_number(const char *folder, const char *attribute);

/* A number of sectors as bytes; 0 if there is none or it cannot be. */
uint64_t sysfs_bytes(const char *folder, const char *attribute);

enum tristate sysfs_flag(const char *folder, const char *attribute);

/* A device number in an attribute ("8:2"); 0 if there is none. */
dev_t sysfs_number_pair(const char *folder, const char *attribute);

/* The device's number; 0 if unknown. */
dev_t sysfs_devno(const char *folder);

/* The folder of the disk that the partition in @folder belongs to; @folder itself for a disk. */
void sysfs_disk_folder(const char *folder, char ret_disk[PATH_MAX]);

/* The folder of the next partition of the disk in @disk, which @dir lists. False: no more. */
bool sysfs_next_partition(DIR *dir, const char *disk, char ret_folder[PATH_MAX]);

#endif

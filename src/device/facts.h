/* SPDX-License-Identifier: MIT */
/* What a drive is: plain data, no functions that touch the system. Unknown text is "", unknown
 * numbers 0. */
#ifndef DEVICE_FACTS_H
#define DEVICE_FACTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "device/image.h"

enum drive_kind {
	DRIVE_DISK,	 /* a whole block device */
	DRIVE_PARTITION, /* a partition of one */
	DRIVE_FILE,	 /* a regular file: a disk image */
	DRIVE_OPTICAL,	 /* block device, CD/DVD: not wiped */
	DRIVE_DIRECTORY, /* the rest is not a drive at all */
	DRIVE_FIFO,
	DRIVE_CHAR,
	DRIVE_SOCKET,
};

enum tristate { UNKNOWN = -1, NO = 0, YES = 1 };

enum { FACTS_TEXT_MAX = 256 };

struct drive_facts {
	char path[PATH_MAX];	   /* as the user named it */
	char node[FACTS_TEXT_MAX]; /* the kernel's node: "/dev/sdb"; "" for a file or if unknown */
	char name[FACTS_TEXT_MAX]; /* short name for people: "sdb", a file's last component; cleaned
				    */
	char disk[FACTS_TEXT_MAX]; /* kernel name of the whole disk: "sdb" for sdb1; "" for a file
				    */
	char by_id[PATH_MAX];	   /* "/dev/disk/by-id/...", the most telling one */
	char vendor[FACTS_TEXT_MAX]; /* these four as the drive says them, cleaned (text_clean) */
	char model[FACTS_TEXT_MAX];
	char serial[FACTS_TEXT_MAX];
	char firmware[FACTS_TEXT_MAX];
	char wwn[FACTS_TEXT_MAX]; /* "0x50014ee2b5c6d7e8", "eui.…", "naa.…" as the kernel writes it
				   */
	char bus[32]; /* "SATA", "SAS", "NVMe", "USB", "SCSI", "iSCSI", "FC", "NVMe/TCP", "virtio",
			 "MMC", "loop", "file" … */
	char port[FACTS_TEXT_MAX];   /* where it is plugged in, as by-path names say it:
					"pci-0000:00:1f.2-ata-1" */
	char bridge[FACTS_TEXT_MAX]; /* the USB bridge before it: "JMicron JMS567 (152d:0578)"; ""
					if none */
	char backing[PATH_MAX];	     /* loop device: its backing file */
	dev_t backing_rdev; /* loop device: the number of the block device behind it; 0 if it is a
			       file */
	dev_t backing_dev;  /* loop device on a file: device and inode of the file */
	ino_t backing_ino;
	enum drive_kind kind;
	dev_t rdev;	 /* block devices: their number */
	dev_t disk_rdev; /* the whole disk's number; equal to rdev unless a partition */
	dev_t file_dev;	 /* regular files: device and inode */
	ino_t file_ino;
	enum tristate rotational;
	enum tristate removable;
	bool read_only;
	bool cached; /* loop device without direct I/O: the memory of its file can answer reads */
	bool zoned;  /* host-managed or host-aware zones */
	bool hidden;
	bool reserved; /* SCSI: a persistent reservation is held, once the descriptor was asked */
	bool volume;   /* a RAID controller's logical volume: the drives behind it are not seen */
	bool bridge_serial; /* the serial number is the USB bridge's own, not the drive's */
	bool sysfs_seen;    /* false: no sysfs, so holders and partitions are unknown */
	uint64_t size;	    /* bytes */
	uint64_t start;	    /* partitions: first byte on the disk */
	uint32_t logical;   /* sector sizes in bytes; 0 unknown; files: 1 and the block size used */
	uint32_t physical;
	struct image_facts image; /* regular files, once the descriptor was asked */
	uint64_t diskseq;	  /* of the whole disk */
};

#endif

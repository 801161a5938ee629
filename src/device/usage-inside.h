/* SPDX-License-Identifier: MIT */
/* What the files of usage share. Private to this folder. */
#ifndef DEVICE_USAGE_INSIDE_H
#define DEVICE_USAGE_INSIDE_H

#include "device/tables-inside.h"
#include "device/usage.h"

#define ARROW " -> "

struct collector {
	const struct tables *tables;
	struct usage *usage;
};

/* Something that can be mounted, swapped to, opened or put behind a loop device. */
struct medium {
	bool file;
	dev_t dev;	    /* its number; for a file that of the file system it is on */
	ino_t ino;	    /* of a file */
	const char *name;   /* the kernel's, for devices */
	const char *folder; /* in sysfs, for devices; NULL if there is none */
	const char *chain;  /* the way to it from the drive */
	unsigned depth;
};

/* Adds a use, with its texts cleaned, unless the same is there already; marks the usage if there is
 * no room. */
void usage_add(struct collector *c, const struct use *use, const char *chain, const char *what);

/* The name of a process, cleaned; "" if it has ended. */
void usage_command(const struct collector *c, pid_t pid, char buf[USAGE_COMMAND_MAX]);

/*
 * Whether @path leads to @medium. Where the name leads nowhere, as it does in a container that has
 * not the host's /dev, the name itself has to do.
 */
bool usage_leads_to(const char *path, const struct medium *medium);

/* Mounts of the medium in every namespace, overlays on them, and file systems that are active
 * without one. */
void usage_mounts(struct collector *c, const struct medium *medium);

/* Whether @path, in our own namespace, lies on a file system of the medium. */
bool usage_holds_path(const struct collector *c, const struct medium *medium, const char *path);

/* Processes that have the medium open, or an SCSI or NVMe character node of the whole drive. */
void usage_openers(struct collector *c, const struct medium *medium);

/* PURE: whether the running system stands on what is mounted at @target. */
bool usage_system_place(const char *target);

#endif

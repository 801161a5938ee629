/* SPDX-License-Identifier: MIT */
/* Where records live: a folder, and in it a file of its own for each drive and run. */
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include <limits.h>
#include <time.h>

#include "device/facts.h"

enum { STORE_RESERVE_BYTES = 64 * 1024 };

struct store {
	int dirfd; /* -EBADF: not open */
	char folder[PATH_MAX];
};

struct record_file {
	char name[NAME_MAX + 1];
	char path[PATH_MAX + NAME_MAX + 2]; /* for people */
};

/*
 * Opens (and makes) the folder and proves that it can take a record: a file of STORE_RESERVE_BYTES
 * is written, synced and removed. Returns 0; -errno (EACCES, EROFS, ENOSPC ...). store_close()
 * accepts a store whose dirfd is negative.
 */
int store_open(const char *folder, struct store *ret_store);
void store_close(struct store *store);

/*
 * Chooses and creates the file for this drive and time: IDENTITY-20261130T214500Z.json, with -2, -3
 * ... before ".json" if taken; identity is the serial, else the model, else the name. Returns 0;
 * -errno.
 */
int store_create(const struct store *store, const struct drive_facts *facts, time_t when,
		 struct record_file *ret_file);

/* Replaces the record's content atomically (io_replace_file). Returns 0; -errno. */
int store_write(const struct store *store, const struct record_file *file, const char *text);

/* Removes a record of a run that never began. */
void store_remove(const struct store *store, const struct record_file *file);

#endif

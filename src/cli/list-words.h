/* SPDX-License-Identifier: MIT */
/* PURE: what `list` says of a drive in few words: what is on it, who uses it. */
#ifndef CLI_LIST_WORDS_H
#define CLI_LIST_WORDS_H

#include "device/gate.h"
#include "device/inventory.h"
#include "device/probe.h"

/* Room for the longest path, each of its bytes written as \xNN. */
enum { LIST_TEXT_MAX = 4 * PATH_MAX };

struct list_row {
	struct drive_facts facts;
	const struct usage *usage;
	struct contents contents; /* readable: false also if nobody tried */
	int error;		  /* why what is on it could not be read (positive errno); 0 */
	struct surroundings around;
	struct gate_result gate; /* points into the rest of the row */
	char **sentences;	 /* gate.count of them: what each finding means */
};

/* 'gpt: vfat "ESP", ext4 "root", swap', "nothing recognised", "not readable". Returns @buf. */
char *list_words_on_it(char buf[LIST_TEXT_MAX], const struct contents *contents);

/* The same of a row; "-" if nobody tried to read it. Returns @buf. */
char *list_words_contents(char buf[LIST_TEXT_MAX], const struct list_row *row);

/*
 * "system drive: /, /boot", "mounted: /media/photos", "held by md127", "free"; if nobody uses it
 * and it would be refused, why; "free?" if not all was seen, "unknown". Returns @buf.
 */
char *list_words_use(char buf[LIST_TEXT_MAX], const struct list_row *row);

/* One sentence about all that could not be seen, with a full stop; "" if everything was. @root:
 * nobody would see more. Returns @buf. */
char *list_words_unseen(char buf[LIST_TEXT_MAX], const struct list_row *rows, unsigned count,
			bool root);

#endif

/* SPDX-License-Identifier: MIT */
/* A /sys, /proc and /dev of our own in a temporary folder, for tests. */
#ifndef TESTS_FAKE_TREE_H
#define TESTS_FAKE_TREE_H

#include <limits.h>

#include "device/scan.h"

struct fake_tree {
	char root[PATH_MAX];
	char sys[PATH_MAX], proc[PATH_MAX], dev[PATH_MAX];
	struct system_roots roots; /* these three */
	char path[PATH_MAX];	   /* of the last fake_path() */
};

/* For cmocka: *state becomes a struct fake_tree; the folder goes with the teardown. */
int fake_tree_setup(void **state);
int fake_tree_teardown(void **state);

/* The full path of @name, good until the next call. */
const char *fake_path(struct fake_tree *tree, const char *name);

/* These make the folders above, too. Names are relative to the tree's root. */
void fake_file(struct fake_tree *tree, const char *name, const char *text);
void fake_bytes(struct fake_tree *tree, const char *name, const void *data, size_t size);
void fake_folder(struct fake_tree *tree, const char *name);
void fake_link(struct fake_tree *tree, const char *name, const char *target);

/*
 * A block device at sys/devices/@path with number "MAJ:MIN" and the attributes every one has.
 * A partition is one whose path lies below its disk's and that has @partition above 0.
 */
void fake_device(struct fake_tree *tree, const char *path, const char *number, unsigned partition);

/* Gives the device at @path an attribute. */
void fake_attribute(struct fake_tree *tree, const char *path, const char *name, const char *text);

/* @holder (a path as for fake_device()) is built on @device. */
void fake_holder(struct fake_tree *tree, const char *device, const char *holder);

#endif

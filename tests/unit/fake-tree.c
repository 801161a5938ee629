/* SPDX-License-Identifier: MIT */
/* Building and removing the tree. What goes wrong here ends the test program. */
#include "fake-tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No disabled assert may leave out a step of a test. */
static void need(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	abort();
}

const char *fake_path(struct fake_tree *tree, const char *name)
{
	int n = snprintf(tree->path, sizeof(tree->path), "%s/%s", tree->root, name);

	need(n > 0 && (size_t)n < sizeof(tree->path), name);
	return tree->path;
}

/* The folders above the last component of @path. */
static void make_above(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(path, 0755);
		*slash = '/';
	}
}

void fake_bytes(struct fake_tree *tree, const char *name, const void *data, size_t size)
{
	FILE *file;

	(void)fake_path(tree, name);
	make_above(tree->path);
	file = fopen(tree->path, "w");
	need(file && fwrite(data, 1, size, file) == size && !fclose(file), tree->path);
}

void fake_file(struct fake_tree *tree, const char *name, const char *text)
{
	fake_bytes(tree, name, text, strlen(text));
}

void fake_folder(struct fake_tree *tree, const char *name)
{
	(void)fake_path(tree, name);
	make_above(tree->path);
	need(!mkdir(tree->path, 0755), tree->path);
}

void fake_link(struct fake_tree *tree, const char *name, const char *target)
{
	char full[PATH_MAX];

	(void)snprintf(full, sizeof(full), "%s", fake_path(tree, target));
	(void)fake_path(tree, name);
	make_above(tree->path);
	need(!symlink(full, tree->path), tree->path);
}

void fake_attribute(struct fake_tree *tree, const char *path, const char *name, const char *text)
{
	char full[PATH_MAX], line[PATH_MAX];

	(void)snprintf(full, sizeof(full), "sys/devices/%s/%s", path, name);
	(void)snprintf(line, sizeof(line), "%s\n", text);
	fake_file(tree, full, line);
}

static const char *last_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

void fake_device(struct fake_tree *tree, const char *path, const char *number, unsigned partition)
{
	char folder[PATH_MAX], link[PATH_MAX], text[16];

	fake_attribute(tree, path, "dev", number);
	fake_attribute(tree, path, "size", "2048");
	fake_attribute(tree, path, "ro", "0");
	(void)snprintf(link, sizeof(link), "sys/devices/%s/holders", path);
	fake_folder(tree, link);
	(void)snprintf(folder, sizeof(folder), "sys/devices/%s", path);
	(void)snprintf(link, sizeof(link), "sys/dev/block/%s", number);
	fake_link(tree, link, folder);
	if (partition) {
		(void)snprintf(text, sizeof(text), "%u", partition);
		fake_attribute(tree, path, "partition", text);
	} else {
		(void)snprintf(link, sizeof(link), "sys/block/%s", last_of(path));
		fake_link(tree, link, folder);
	}
}

void fake_holder(struct fake_tree *tree, const char *device, const char *holder)
{
	char folder[PATH_MAX], link[PATH_MAX];

	(void)snprintf(folder, sizeof(folder), "sys/devices/%s", holder);
	(void)snprintf(link, sizeof(link), "sys/devices/%s/holders/%s", device, last_of(holder));
	fake_link(tree, link, folder);
}

static void set_root(char into[PATH_MAX], const char *root, const char *name)
{
	int n = snprintf(into, PATH_MAX, "%s/%s", root, name);

	need(n > 0 && n < PATH_MAX, name);
}

int fake_tree_setup(void **state)
{
	struct fake_tree *tree = calloc(1, sizeof(*tree));
	char name[] = "/tmp/stormwipe-test-XXXXXX";

	need(tree && mkdtemp(name), "mkdtemp");
	(void)snprintf(tree->root, sizeof(tree->root), "%s", name);
	set_root(tree->sys, name, "sys");
	set_root(tree->proc, name, "proc");
	set_root(tree->dev, name, "dev");
	tree->roots =
		(struct system_roots){ .sys = tree->sys, .proc = tree->proc, .dev = tree->dev };
	*state = tree;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int fake_tree_teardown(void **state)
{
	struct fake_tree *tree = *state;
	int r = nftw(tree->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);

	free(tree);
	return r;
}

/* SPDX-License-Identifier: MIT */
/* Processes that have a drive open. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/text.h"
#include "device/sysfs.h"
#include "device/usage-inside.h"

/* Readers are only notes, and must not fill the list. */
enum { NODES_MAX = 4, FDINFO_MAX = 256, OCTAL = 8, READERS_MAX = 4 };

void usage_command(const struct collector *c, pid_t pid, char buf[USAGE_COMMAND_MAX])
{
	char path[PATH_MAX], raw[USAGE_COMMAND_MAX];

	if (!text_print(path, sizeof(path), "%s/%d/comm", c->tables->roots->proc, (int)pid) ||
	    io_read_text(AT_FDCWD, path, raw, sizeof(raw)) < 0)
		*raw = '\0';
	text_clean(buf, USAGE_COMMAND_MAX, raw);
}

/* Whether the descriptor was opened for writing; if that cannot be told any more, it could be. */
static bool writes(const struct collector *c, const struct open_thing *open)
{
	char path[PATH_MAX], info[FDINFO_MAX];
	const char *flags;

	if (!text_print(path, sizeof(path), "%s/%d/fdinfo/%d", c->tables->roots->proc,
			(int)open->pid, open->fd) ||
	    io_read_text(AT_FDCWD, path, info, sizeof(info)) < 0)
		return true;
	flags = strstr(info, "flags:");
	return !flags || (strtoul(flags + strlen("flags:"), NULL, OCTAL) & O_ACCMODE) != O_RDONLY;
}

/* The one node in the folder @sub of a device, as "device/scsi_generic/sg2/dev" has it. */
static void add_node(const char *folder, const char *sub, const char *start, dev_t *nodes,
		     unsigned *count)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX], node[PATH_MAX];
	const struct dirent *entry;

	if (text_print(path, sizeof(path), "%s/%s", folder, sub))
		dir = opendir(path);
	while (dir && *count < NODES_MAX && (entry = readdir(dir)))
		if (*entry->d_name != '.' && !strncmp(entry->d_name, start, strlen(start)) &&
		    text_print(node, sizeof(node), "%s/%s", path, entry->d_name) &&
		    sysfs_has(node, "dev"))
			nodes[(*count)++] = sysfs_devno(node);
}

/* Commands reach a drive by these as well: sg and bsg nodes, and NVMe's "ng0n1" beside "nvme0n1".
 */
static unsigned character_nodes(const struct medium *medium, dev_t nodes[NODES_MAX])
{
	char generic[NAME_MAX + 1];
	unsigned count = 0;

	if (!medium->folder || sysfs_has(medium->folder, "partition"))
		return 0;
	add_node(medium->folder, "device/scsi_generic", "sg", nodes, &count);
	add_node(medium->folder, "device/bsg", "", nodes, &count);
	if (!strncmp(medium->name, "nvme", strlen("nvme"))) {
		(void)text_print(generic, sizeof(generic), "ng%s", medium->name + strlen("nvme"));
		add_node(medium->folder, "..", generic, nodes, &count);
	}
	return count;
}

static bool is_open(const struct open_thing *open, const struct medium *medium, const dev_t *nodes,
		    unsigned count)
{
	if (open->fd < 0)
		return false;
	if (open->kind == S_IFREG)
		return medium->file && open->device == medium->dev && open->inode == medium->ino;
	if (open->kind == S_IFBLK)
		return !medium->file && open->device == medium->dev;
	for (unsigned i = 0; i < count; i++)
		if (open->device == nodes[i])
			return true;
	return false;
}

/* Of one process a single use, and a writer's rather than a reader's. What it has open stands
 * together. */
void usage_openers(struct collector *c, const struct medium *medium)
{
	const struct tables *t = c->tables;
	struct use use = { .kind = USE_READER };
	dev_t nodes[NODES_MAX];
	unsigned count = character_nodes(medium, nodes), readers = 0;

	for (unsigned i = 0; i < t->open_count; i++) {
		const struct open_thing *open = &t->open[i];

		if (is_open(open, medium, nodes, count)) {
			use.pid = open->pid;
			if (writes(c, open))
				use.kind = USE_WRITER;
		}
		if (use.pid && (i + 1 == t->open_count || t->open[i + 1].pid != use.pid)) {
			if (use.kind == USE_WRITER || readers++ < READERS_MAX) {
				usage_command(c, use.pid, use.command);
				usage_add(c, &use, medium->chain, "");
			}
			use = (struct use){ .kind = USE_READER };
		}
	}
}

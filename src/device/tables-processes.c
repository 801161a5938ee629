/* SPDX-License-Identifier: MIT */
/* All processes once: their mount namespaces, and what they have open. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/text.h"
#include "device/tables-inside.h"

enum { OPEN_STEP = 1024, LINK_START = 2 };

/* One process while it is looked at. */
struct process {
	struct tables *tables;
	pid_t pid;
	int dirfd;   /* of its folder */
	bool closed; /* we may not see what it has open */
};

/* A process's or a descriptor's; other names give 0, which is no process. */
static uint64_t number_of(const char *name)
{
	uint64_t number;

	return parse_u64(name, &number) || number > INT_MAX ? 0 : number;
}

static int add_open(struct process *p, int fd, const struct stat *st)
{
	struct tables *t = p->tables;
	bool device = S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode);
	struct open_thing *open;

	if (t->open_count == TABLES_OPEN_MAX) {
		t->openers_known = false;
		return 0;
	}
	if (!(t->open_count % OPEN_STEP)) {
		open = realloc(t->open, (t->open_count + OPEN_STEP) * sizeof(*open));
		if (!open)
			return -ENOMEM;
		t->open = open;
	}
	t->open[t->open_count++] = (struct open_thing){
		.pid = p->pid,
		.fd = fd,
		.kind = device ? st->st_mode & S_IFMT : S_IFREG,
		.device = device ? st->st_rdev : st->st_dev,
		.inode = device ? 0 : st->st_ino,
	};
	return 0;
}

/* What is no path ("socket:[4711]") is nothing for us, and asking for more would only take time. */
static bool leads_to_path(struct process *p, int dirfd, const char *name)
{
	char start[LINK_START];
	ssize_t length = readlinkat(dirfd, name, start, sizeof(start));

	if (length < 0 && (errno == EACCES || errno == EPERM))
		p->closed = true;
	return length > 0 && *start == '/';
}

/* What the kernel knows already: a file of a network server that is gone must not make us wait for
 * it. */
static int stat_without_asking(int dirfd, const char *name, struct stat *st)
{
	struct statx x;

	if (statx(dirfd, name, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO, &x))
		return errno == ENOSYS ? fstatat(dirfd, name, st, AT_NO_AUTOMOUNT) : -1;
	*st = (struct stat){ .st_mode = x.stx_mode,
			     .st_ino = x.stx_ino,
			     .st_dev = makedev(x.stx_dev_major, x.stx_dev_minor),
			     .st_rdev = makedev(x.stx_rdev_major, x.stx_rdev_minor) };
	return 0;
}

/* @name: a link in @dirfd. Where it leads nowhere from here, its end is not known: a device in
 * another /dev. */
static int look_at_link(struct process *p, int dirfd, const char *name, int fd)
{
	struct stat st;

	if (!leads_to_path(p, dirfd, name) || stat_without_asking(dirfd, name, &st))
		return 0;
	return add_open(p, fd, &st);
}

static int read_open(struct process *p)
{
	static const char *const places[] = { "cwd", "root", "exe" };
	_cleanup_closedir_ DIR *dir = NULL;
	int fd = openat(p->dirfd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
	const struct dirent *entry;

	if (fd < 0 && (errno == EACCES || errno == EPERM))
		p->closed = true;
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (fd >= 0 && !dir)
		(void)close(fd);
	while (!r && !p->closed && dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			r = look_at_link(p, dirfd(dir), entry->d_name,
					 (int)number_of(entry->d_name));
	for (size_t i = 0; !r && !p->closed && i < sizeof(places) / sizeof(*places); i++)
		r = look_at_link(p, p->dirfd, places[i], -1);
	p->tables->openers_known &= !p->closed;
	return r;
}

static struct mount_view *find_view(struct tables *t, ino_t id)
{
	for (unsigned i = 0; i < t->view_count; i++)
		if (t->views[i].id == id)
			return &t->views[i];
	return NULL;
}

/* The first process of each mount namespace stands for it. */
static int read_namespace(struct process *p)
{
	struct tables *t = p->tables;
	char path[PATH_MAX];
	struct mount_view *known;
	struct stat st;
	int r;

	if (fstatat(p->dirfd, "ns/mnt", &st, 0)) {
		if (errno == EACCES || errno == EPERM)
			t->namespaces_known = false;
		return 0;
	}
	known = find_view(t, st.st_ino);
	if (known) {
		known->ours |= p->pid == 1;
		return 0;
	}
	(void)text_print(path, sizeof(path), "%s/%d/mountinfo", t->roots->proc, (int)p->pid);
	r = tables_add_view(
		t, path,
		&(struct mount_view){ .id = st.st_ino, .pid = p->pid, .ours = p->pid == 1 });
	/* A process that just ended is nobody any more. */
	if (r && r != -ENOMEM && r != -ENOENT && r != -ESRCH)
		t->namespaces_known = false;
	return r == -ENOMEM ? r : 0;
}

/* Our own number as this /proc counts: it can be that of another process namespace. */
static pid_t own_pid(int proc)
{
	char link[32];
	ssize_t length = readlinkat(proc, "self", link, sizeof(link) - 1);

	if (length <= 0)
		return getpid();
	link[length] = '\0';
	return (pid_t)number_of(link);
}

static int read_process(struct tables *t, int proc, const char *name, pid_t own)
{
	struct process p = { .tables = t, .pid = (pid_t)number_of(name) };
	_cleanup_close_ int fd = openat(proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int r;

	if (fd < 0 || !p.pid || p.pid == own)
		return 0;
	p.dirfd = fd;
	r = read_namespace(&p);
	return r ? r : read_open(&p);
}

/* Which of the namespaces is our own. */
static void note_own(struct tables *t, int proc)
{
	struct stat st;

	if (t->view_count && !fstatat(proc, "self/ns/mnt", &st, 0))
		t->views[0].id = st.st_ino;
}

int tables_read_processes(struct tables *t)
{
	_cleanup_closedir_ DIR *dir = opendir(t->roots->proc);
	const struct dirent *entry;
	pid_t own;
	int r = 0;

	t->namespaces_known = t->openers_known = dir && t->mounts_known;
	if (!dir)
		return 0;
	note_own(t, dirfd(dir));
	own = own_pid(dirfd(dir));
	while (!r && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			r = read_process(t, dirfd(dir), entry->d_name, own);
	return r;
}

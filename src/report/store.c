/* SPDX-License-Identifier: MIT */
/* The folder of records: proves that it takes them, names them, replaces them. */
#include "report/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/text.h"

/* Far below NAME_MAX, so that the time, a number and a temporary name's ending fit behind it. */
enum { IDENTITY_MAX = 128, NUMBER_MAX = 9999 };

/* Names of probe files cannot be taken by records: those never begin with a point. */
static int probe_folder(int dirfd)
{
	static const char zeros[STORE_RESERVE_BYTES];
	_cleanup_close_ int fd = -EBADF;
	char name[NAME_MAX + 1];
	int r;

	(void)text_print(name, sizeof(name), ".stormwipe-probe-%ld", (long)getpid());
	(void)unlinkat(dirfd, name, 0); /* of a process that died and had our number */
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = io_write_all(fd, zeros, sizeof(zeros));
	if (!r && fsync(fd))
		r = -errno;
	if (unlinkat(dirfd, name, 0) && !r)
		r = -errno;
	return r;
}

int store_open(const char *folder, struct store *ret_store)
{
	_cleanup_close_ int dirfd = -EBADF;
	int r;

	if (strlen(folder) >= sizeof(ret_store->folder))
		return -ENAMETOOLONG;
	dirfd = io_open_folder(folder);
	if (dirfd < 0)
		return dirfd;
	r = probe_folder(dirfd);
	if (r)
		return r;
	(void)text_print(ret_store->folder, sizeof(ret_store->folder), "%s", folder);
	ret_store->dirfd = TAKE_FD(dirfd);
	return 0;
}

void store_close(struct store *store)
{
	if (store->dirfd >= 0)
		(void)close(store->dirfd);
	store->dirfd = -EBADF;
}

static const char *identity_of(const struct drive_facts *facts)
{
	if (*facts->serial)
		return facts->serial;
	return *facts->model ? facts->model : facts->name;
}

/* Creating it is what reserves a name: two runs at the same second cannot get the same one. */
static int create_first_free(const struct store *store, const char *stem, struct record_file *file)
{
	char ending[16] = "";

	for (unsigned number = 2; number <= NUMBER_MAX; number++) {
		_cleanup_close_ int fd = -EBADF;

		if (!text_print(file->name, sizeof(file->name), "%s%s.json", stem, ending))
			return -ENAMETOOLONG;
		fd = openat(store->dirfd, file->name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
		(void)text_print(ending, sizeof(ending), "-%u", number);
	}
	return -EEXIST;
}

int store_create(const struct store *store, const struct drive_facts *facts, time_t when,
		 struct record_file *ret_file)
{
	char identity[IDENTITY_MAX + 1], time_text[CLOCK_TEXT_MAX], stem[NAME_MAX + 1];
	struct record_file file;
	int r;

	text_slug(identity, sizeof(identity), identity_of(facts));
	if (!text_print(stem, sizeof(stem), "%s-%s", identity, clock_compact(time_text, when)))
		return -ENAMETOOLONG;
	r = create_first_free(store, stem, &file);
	if (r)
		return r;
	(void)text_print(file.path, sizeof(file.path), "%s/%s", store->folder, file.name);
	*ret_file = file;
	return 0;
}

int store_write(const struct store *store, const struct record_file *file, const char *text)
{
	return io_replace_file(store->dirfd, file->name, text, strlen(text));
}

void store_remove(const struct store *store, const struct record_file *file)
{
	(void)unlinkat(store->dirfd, file->name, 0);
}

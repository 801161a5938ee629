/* SPDX-License-Identifier: MIT */
/* Small files: what is read, and that a replacement happens completely or not at all. */
#include "base/io.h"

#include "base/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Everything here happens in one temporary folder, which is the current one meanwhile. */
static int enter_folder(void **state)
{
	static char path[PATH_MAX];

	strncpy(path, "/tmp/stormwipe-test-io-XXXXXX", sizeof(path) - 1);
	*state = path;
	return mkdtemp(path) && !chdir(path) ? 0 : -1;
}

static void remove_tree(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir;

	if (fd < 0) {
		(void)unlinkat(parent, name, 0);
		return;
	}
	dir = fdopendir(fd);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_tree(fd, entry->d_name);
	if (dir)
		closedir(dir);
	(void)unlinkat(parent, name, AT_REMOVEDIR);
}

static int leave_folder(void **state)
{
	int r = chdir("/");

	remove_tree(AT_FDCWD, *state);
	return r;
}

static int open_here(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void put(const char *name, const void *data, size_t length)
{
	_cleanup_close_ int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_int_equal(write(fd, data, length), (ssize_t)length);
}

static void assert_content(const char *name, const char *text)
{
	char buf[256];

	assert_int_equal(io_read_text(AT_FDCWD, name, buf, sizeof(buf)), (ssize_t)strlen(text));
	assert_string_equal(buf, text);
}

static unsigned entries_here(void)
{
	_cleanup_closedir_ DIR *dir = opendir(".");
	unsigned count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	return count - 2; /* "." and ".." */
}

/* Lets writes beyond @limit fail, without the signal that goes with it. */
static rlim_t limit_files(rlim_t limit)
{
	struct rlimit rlimit;
	rlim_t before;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &rlimit), 0);
	before = rlimit.rlim_cur;
	rlimit.rlim_cur = limit;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &rlimit), 0);
	return before;
}

static void a_text_is_read_without_its_last_newline(void **state)
{
	static const struct {
		const char *content;
		size_t size;
		const char *text;
	} rows[] = {
		{ "", 16, "" },
		{ "\n", 16, "" },
		{ "512\n", 16, "512" },
		{ "512", 16, "512" },
		{ "a\n\n", 16, "a\n" },
		{ "a\nb\n", 16, "a\nb" },
		{ "abcdef\n", 8, "abcdef" },
		{ "abcdef\n", 7, "abcdef" },
		{ "abcdef\n", 4, "abc" },
		{ "abcdef\n", 1, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_free_ char *buf = malloc(rows[i].size);

		assert_non_null(buf);
		put("text", rows[i].content, strlen(rows[i].content));
		assert_int_equal(io_read_text(AT_FDCWD, "text", buf, rows[i].size),
				 (ssize_t)strlen(rows[i].text));
		assert_string_equal(buf, rows[i].text);
	}
}

static void what_cannot_be_read_is_an_error(void **state)
{
	char buf[8] = "before";

	(void)state;
	assert_int_equal(io_read_text(AT_FDCWD, "missing", buf, sizeof(buf)), -ENOENT);
	assert_string_equal(buf, "before");
	assert_int_equal(io_read_text(AT_FDCWD, ".", buf, sizeof(buf)), -EISDIR);
	assert_int_equal(io_read_text(-1, "text", buf, sizeof(buf)), -EBADF);
}

static void a_path_is_relative_to_the_folder_given(void **state)
{
	_cleanup_close_ int folder = -1;
	char buf[64];

	(void)state;
	put("text", "here", 4);
	assert_int_equal(mkdir("folder", 0700), 0);
	put("folder/text", "there", 5);
	folder = open("folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(io_read_text(folder, "text", buf, sizeof(buf)), 5);
	assert_string_equal(buf, "there");
}

static void a_write_that_stops_midway_goes_on_to_its_error(void **state)
{
	_cleanup_close_ int file = open("limited", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	_cleanup_close_ int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	static const char data[5000];
	struct stat st;
	rlim_t before = limit_files(1000);
	int r = io_write_all(file, data, sizeof(data));

	(void)state;
	limit_files(before);
	assert_int_equal(r, -EFBIG);
	assert_int_equal(fstat(file, &st), 0);
	assert_int_equal(st.st_size, 1000);
	assert_int_equal(io_write_all(full, data, 1), -ENOSPC);
	assert_int_equal(io_write_all(full, data, 0), 0);
	assert_int_equal(io_write_all(-1, data, 1), -EBADF);
}

enum { MUCH = 4 << 20 };

static void do_nothing(int signal_number)
{
	(void)signal_number;
}

/* The child's part: reads until the end; its exit status says whether all came, in order. */
static int read_much(int fd)
{
	static uint8_t buf[5003];
	size_t at = 0;
	ssize_t got;

	while ((got = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < got; i++, at++)
			if (buf[i] != (uint8_t)(at % 251))
				return 1;
	return at != MUCH;
}

/* Writes into a pipe with these flags that a child reads, while signals interrupt. */
static void write_much(int flags)
{
	struct sigaction action = { .sa_handler = do_nothing }; /* and no SA_RESTART */
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { 0 };
	_cleanup_free_ uint8_t *data = malloc(MUCH);
	int ends[2], status, r;
	pid_t child;

	assert_non_null(data);
	for (size_t i = 0; i < MUCH; i++)
		data[i] = (uint8_t)(i % 251);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, flags), 0);
	child = fork();
	if (!child) {
		close(ends[1]);
		_exit(read_much(ends[0]));
	}
	assert_true(child > 0);
	close(ends[0]);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	r = io_write_all(ends[1], data, MUCH);
	setitimer(ITIMER_REAL, &never, NULL);
	close(ends[1]);
	assert_int_equal(r, 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

static void signals_cost_no_byte(void **state)
{
	(void)state;
	write_much(0);
}

static void a_full_pipe_is_waited_for(void **state)
{
	int ends[2];

	(void)state;
	write_much(O_NONBLOCK);
	/* Nobody will ever read: an error, not a wait. */
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	close(ends[0]);
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(io_write_all(ends[1], "x", 1), -EPIPE);
	close(ends[1]);
}

static void a_file_is_made_and_replaced(void **state)
{
	_cleanup_close_ int here = open_here(), old = -EBADF;
	char buf[8] = "";
	struct stat st;

	(void)state;
	assert_int_equal(io_replace_file(here, "record", "one", 3), 0);
	assert_content("record", "one");
	assert_int_equal(stat("record", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);

	old = open("record", O_RDONLY | O_CLOEXEC);
	assert_int_equal(io_replace_file(here, "record", "number two", 10), 0);
	assert_content("record", "number two");
	/* Who was reading goes on reading the old one. */
	assert_int_equal(read(old, buf, sizeof(buf)), 3);
	assert_string_equal(buf, "one");

	assert_int_equal(io_replace_file(here, "record", "", 0), 0);
	assert_content("record", "");
	assert_int_equal(unlink("record"), 0);
}

static void a_replaced_link_leaves_its_target_alone(void **state)
{
	_cleanup_close_ int here = open_here();
	struct stat st;

	(void)state;
	put("target", "precious", 8);
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(io_replace_file(here, "link", "new", 3), 0);
	assert_content("target", "precious");
	assert_content("link", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void the_longest_name_still_has_a_temporary_one(void **state)
{
	_cleanup_close_ int here = open_here();
	char name[NAME_MAX + 2];
	unsigned before = entries_here();

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[NAME_MAX + 1] = '\0';
	assert_int_equal(io_replace_file(here, name, "x", 1), -ENAMETOOLONG);
	assert_int_equal(entries_here(), before);
	name[NAME_MAX] = '\0';
	assert_int_equal(io_replace_file(here, name, "x", 1), 0);
	assert_content(name, "x");
	assert_int_equal(entries_here(), before + 1);
}

static void a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
	_cleanup_close_ int here = open_here();
	static const char data[5000];
	rlim_t limit;
	unsigned before;
	int r;

	(void)state;
	put("kept", "old", 3);
	before = entries_here();
	limit = limit_files(1000);
	r = io_replace_file(here, "kept", data, sizeof(data));
	limit_files(limit);
	assert_int_equal(r, -EFBIG);
	assert_content("kept", "old");
	assert_int_equal(entries_here(), before);
}

static void a_failed_rename_leaves_nothing_behind(void **state)
{
	_cleanup_close_ int here = open_here();
	unsigned before;

	(void)state;
	assert_int_equal(mkdir("in-the-way", 0700), 0);
	before = entries_here();
	assert_int_equal(io_replace_file(here, "in-the-way", "x", 1), -EISDIR);
	assert_int_equal(entries_here(), before);
}

static void a_folder_that_takes_no_file_is_an_error(void **state)
{
	_cleanup_close_ int gone = -EBADF, read_only = -EBADF;

	(void)state;
	assert_int_equal(io_replace_file(-1, "name", "x", 1), -EBADF);
	assert_int_equal(mkdir("gone", 0700), 0);
	gone = open("gone", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(rmdir("gone"), 0);
	assert_int_equal(io_replace_file(gone, "name", "x", 1), -ENOENT);

	if (!geteuid())
		return; /* permissions do not stop root */
	assert_int_equal(mkdir("read-only", 0500), 0);
	read_only = open("read-only", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(io_replace_file(read_only, "name", "x", 1), -EACCES);
}

static void a_folder_that_cannot_be_flushed_is_an_error(void **state)
{
	/* Good for names, not for fsync. */
	_cleanup_close_ int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	unsigned before = entries_here();

	(void)state;
	assert_int_equal(io_replace_file(here, "unflushed", "x", 1), -EBADF);
	assert_int_equal(entries_here(), before + 1);
}

static void assert_private_folder(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void assert_opens(const char *path)
{
	_cleanup_close_ int fd = io_open_folder(path);
	struct stat opened, named;

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fstat(fd, &opened), 0);
	assert_int_equal(stat(path, &named), 0);
	assert_true(opened.st_dev == named.st_dev && opened.st_ino == named.st_ino);
}

static void folders_are_made_private_as_deep_as_needed(void **state)
{
	char absolute[PATH_MAX];
	struct stat st;

	assert_int_equal(mkdir("shared", 0755), 0);
	assert_opens("shared/a/b/c");
	assert_private_folder("shared/a");
	assert_private_folder("shared/a/b");
	assert_private_folder("shared/a/b/c");
	assert_int_equal(stat("shared", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_opens("shared/a/b/c");
	assert_opens("d//e///");
	assert_private_folder("d/e");
	assert_opens("./d/../f/");
	assert_private_folder("f");
	assert_opens("/");
	snprintf(absolute, sizeof(absolute), "%s/g/h", (const char *)*state);
	assert_opens(absolute);
	assert_private_folder("g/h");
}

static void a_path_that_cannot_be_a_folder_is_an_error(void **state)
{
	char path[PATH_MAX + 1];

	(void)state;
	put("file", "", 0);
	assert_int_equal(io_open_folder("file"), -ENOTDIR);
	assert_int_equal(io_open_folder("file/below"), -ENOTDIR);
	assert_int_equal(io_open_folder(""), -ENOENT);
	assert_int_equal(symlink("nowhere/at/all", "dangling"), 0);
	assert_int_equal(io_open_folder("dangling"), -ENOENT);
	assert_int_equal(io_open_folder("/proc/nothing/here"), -ENOENT);
	memset(path, '/', PATH_MAX);
	path[PATH_MAX] = '\0';
	assert_int_equal(io_open_folder(path), -ENAMETOOLONG);
}

/* In a child, whose descriptors may be spoiled: which of 0, 1, 2 are closed is in @closed. */
static int guard_child(unsigned closed)
{
	int pair[2];
	char byte = 0;

	/* Ordinary files in both directions, so that a guard is seen by what it refuses. */
	for (int fd = 0; fd < 3; fd++)
		if (dup2(open("standard", O_RDWR | O_CREAT, 0600), fd) < 0)
			return 1;
	for (int fd = 0; fd < 3; fd++)
		if (closed & 1U << fd)
			close(fd);
	if (io_guard_standard_fds())
		return 2;
	for (int fd = 0; fd < 3; fd++) {
		bool guarded = closed & 1U << fd;
		bool refused = fd ? write(fd, &byte, 1) < 0 && errno == EBADF
				  : read(fd, &byte, 1) < 0 && errno == EBADF;

		if (refused != guarded)
			return 3;
	}
	return pipe(pair) || pair[0] < 3 || pair[1] < 3 ? 4 : 0;
}

static void closed_standard_descriptors_are_occupied_the_wrong_way_round(void **state)
{
	(void)state;
	for (unsigned closed = 0; closed < 8; closed++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(guard_child(closed));
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			fail_msg("closed %u: status %x", closed, (unsigned)status);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_read_without_its_last_newline),
		cmocka_unit_test(what_cannot_be_read_is_an_error),
		cmocka_unit_test(a_path_is_relative_to_the_folder_given),
		cmocka_unit_test(a_write_that_stops_midway_goes_on_to_its_error),
		cmocka_unit_test(signals_cost_no_byte),
		cmocka_unit_test(a_full_pipe_is_waited_for),
		cmocka_unit_test(a_file_is_made_and_replaced),
		cmocka_unit_test(a_replaced_link_leaves_its_target_alone),
		cmocka_unit_test(the_longest_name_still_has_a_temporary_one),
		cmocka_unit_test(a_failed_write_leaves_the_old_file_and_nothing_else),
		cmocka_unit_test(a_failed_rename_leaves_nothing_behind),
		cmocka_unit_test(a_folder_that_takes_no_file_is_an_error),
		cmocka_unit_test(a_folder_that_cannot_be_flushed_is_an_error),
		cmocka_unit_test(folders_are_made_private_as_deep_as_needed),
		cmocka_unit_test(a_path_that_cannot_be_a_folder_is_an_error),
		cmocka_unit_test(closed_standard_descriptors_are_occupied_the_wrong_way_round),
	};

	umask(022);
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

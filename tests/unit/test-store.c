/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/text.h"
#include "report/store.h"

/* 2026-11-30T21:45:00Z */
enum { WHEN = 1796075100 };

static char scratch[] = "/tmp/test-store-XXXXXX";

static unsigned entries(const char *folder)
{
	_cleanup_closedir_ DIR *dir = opendir(folder);
	unsigned n = 0;
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	return n;
}

static void empty_folder(const char *folder)
{
	_cleanup_closedir_ DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
}

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void **state)
{
	(void)state;
	empty_folder(scratch);
	return rmdir(scratch);
}

static void open_scratch(struct store *store)
{
	assert_int_equal(store_open(scratch, store), 0);
}

static void names_say_drive_and_time_and_never_collide(void **state)
{
	static const char *const names[] = {
		"WD-WCC7K0ABCDEF-20261130T214500Z.json",
		"WD-WCC7K0ABCDEF-20261130T214500Z-2.json",
		"WD-WCC7K0ABCDEF-20261130T214500Z-3.json",
	};
	struct drive_facts facts = { .serial = "WD-WCC7K0ABCDEF", .model = "m", .name = "sdb" };
	struct record_file file;
	struct store store;
	char path[PATH_MAX];
	struct stat st;

	(void)state;
	open_scratch(&store);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(store_create(&store, &facts, WHEN, &file), 0);
		assert_string_equal(file.name, names[i]);
		assert_true(text_print(path, sizeof(path), "%s/%s", scratch, names[i]));
		assert_string_equal(file.path, path);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
	}
	store_close(&store);
	empty_folder(scratch);
}

static void an_identity_is_always_found(void **state)
{
	static const struct {
		const char *serial, *model, *name, *file;
	} cases[] = {
		{ "S1", "M1", "sda", "S1-20261130T214500Z.json" },
		{ "", "Samsung SSD 980", "sda", "Samsung_SSD_980-20261130T214500Z.json" },
		{ "", "", "disk.img", "disk.img-20261130T214500Z.json" },
		{ "", "", "", "unknown-20261130T214500Z.json" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct drive_facts facts = { 0 };
		struct record_file file;
		struct store store;

		(void)text_print(facts.serial, sizeof(facts.serial), "%s", cases[i].serial);
		(void)text_print(facts.model, sizeof(facts.model), "%s", cases[i].model);
		(void)text_print(facts.name, sizeof(facts.name), "%s", cases[i].name);
		open_scratch(&store);
		assert_int_equal(store_create(&store, &facts, WHEN, &file), 0);
		assert_string_equal(file.name, cases[i].file);
		store_close(&store);
	}
	empty_folder(scratch);
}

static void nasty_serials_stay_in_the_folder(void **state)
{
	static const char *const serials[] = {
		"../../etc/passwd",
		".",
		"..",
		"/",
		"-rf",
		"a/b",
		"a b  c",
		"S\xc3\xa9rie\xe2\x82\xac",
		"$(id)",
		"*?[",
		"con\tnew\nline",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(serials) / sizeof(*serials); i++) {
		struct drive_facts facts = { .name = "sdb" };
		struct record_file file;
		struct store store;

		(void)text_print(facts.serial, sizeof(facts.serial), "%s", serials[i]);
		open_scratch(&store);
		assert_int_equal(store_create(&store, &facts, WHEN, &file), 0);
		assert_null(strchr(file.name, '/'));
		assert_true(*file.name != '.' && *file.name != '-');
		for (const char *c = file.name; *c; c++)
			assert_true(*c > ' ' && *c < 0x7f && !strchr("*?[]$()\\'\"`", *c));
		assert_int_equal(entries(scratch), 1);
		assert_int_equal(store_write(&store, &file, "{}\n"), 0);
		assert_int_equal(entries(scratch), 1);
		store_remove(&store, &file);
		assert_int_equal(entries(scratch), 0);
		store_close(&store);
	}
}

static void a_serial_as_long_as_can_be_fits(void **state)
{
	struct drive_facts facts = { .name = "sdb" };
	struct record_file file, second;
	struct store store;

	(void)state;
	memset(facts.serial, 'S', sizeof(facts.serial) - 1);
	open_scratch(&store);
	assert_int_equal(store_create(&store, &facts, WHEN, &file), 0);
	assert_int_equal(store_create(&store, &facts, WHEN, &second), 0);
	assert_string_not_equal(file.name, second.name);
	assert_int_equal(store_write(&store, &file, "{}\n"), 0);
	assert_non_null(strstr(file.name, "SSS-20261130T214500Z.json"));
	store_close(&store);
	empty_folder(scratch);
}

static void a_record_is_replaced_as_a_whole(void **state)
{
	struct drive_facts facts = { .serial = "X" };
	struct record_file file;
	struct store store;
	char text[64];

	(void)state;
	open_scratch(&store);
	assert_int_equal(store_create(&store, &facts, WHEN, &file), 0);
	assert_int_equal(store_write(&store, &file, "a long first version\n"), 0);
	assert_int_equal(store_write(&store, &file, "short\n"), 0);
	assert_int_equal(io_read_text(AT_FDCWD, file.path, text, sizeof(text)), 5);
	assert_string_equal(text, "short");
	assert_int_equal(entries(scratch), 1);
	store_close(&store);
	empty_folder(scratch);
}

static void the_folder_is_made_and_the_proof_leaves_nothing(void **state)
{
	char deep[PATH_MAX], upper[PATH_MAX];
	struct store store;
	struct stat st;

	(void)state;
	(void)text_print(upper, sizeof(upper), "%s/a", scratch);
	(void)text_print(deep, sizeof(deep), "%s/a/b", scratch);
	assert_int_equal(store_open(deep, &store), 0);
	assert_int_equal(entries(deep), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	store_close(&store);
	assert_int_equal(store.dirfd, -EBADF);
	store_close(&store);
	assert_int_equal(rmdir(deep), 0);
	assert_int_equal(rmdir(upper), 0);
}

static void a_full_disk_is_found_before_the_run(void **state)
{
	struct store store = { .dirfd = -EBADF };
	char folder[PATH_MAX];

	(void)state;
	(void)text_print(folder, sizeof(folder), "%s/full", scratch);
	assert_int_equal(mkdir(folder, 0700), 0);
	if (mount("tmpfs", folder, "tmpfs", 0, "size=32k")) {
		assert_int_equal(rmdir(folder), 0);
		skip();
	}
	assert_int_equal(store_open(folder, &store), -ENOSPC);
	assert_int_equal(store.dirfd, -EBADF);
	assert_int_equal(entries(folder), 0);
	assert_int_equal(umount(folder), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void a_read_only_folder_is_found_before_the_run(void **state)
{
	struct store store = { .dirfd = -EBADF };
	char folder[PATH_MAX];
	int r;

	(void)state;
	(void)text_print(folder, sizeof(folder), "%s/locked", scratch);
	assert_int_equal(mkdir(folder, 0500), 0);
	if (geteuid()) {
		r = store_open(folder, &store);
		assert_int_equal(rmdir(folder), 0);
		assert_int_equal(r, -EACCES);
		return;
	}
	/* Root is not stopped by a mode. */
	if (mount("tmpfs", folder, "tmpfs", MS_RDONLY, "")) {
		assert_int_equal(rmdir(folder), 0);
		skip();
	}
	r = store_open(folder, &store);
	assert_int_equal(umount(folder), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(r, -EROFS);
	assert_int_equal(store.dirfd, -EBADF);
}

static void what_is_no_folder_is_refused(void **state)
{
	static char deep[PATH_MAX + 16];
	struct store store = { .dirfd = -EBADF };

	(void)state;
	assert_int_equal(store_open("/dev/null", &store), -ENOTDIR);
	memset(deep, '/', sizeof(deep) - 1);
	assert_int_equal(store_open(deep, &store), -ENAMETOOLONG);
	assert_int_equal(store.dirfd, -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_say_drive_and_time_and_never_collide),
		cmocka_unit_test(an_identity_is_always_found),
		cmocka_unit_test(nasty_serials_stay_in_the_folder),
		cmocka_unit_test(a_serial_as_long_as_can_be_fits),
		cmocka_unit_test(a_record_is_replaced_as_a_whole),
		cmocka_unit_test(the_folder_is_made_and_the_proof_leaves_nothing),
		cmocka_unit_test(a_full_disk_is_found_before_the_run),
		cmocka_unit_test(a_read_only_folder_is_found_before_the_run),
		cmocka_unit_test(what_is_no_folder_is_refused),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

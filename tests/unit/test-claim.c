/* SPDX-License-Identifier: MIT */
/* Claims on files as anybody, and on loop devices as root. */
#include "device/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake-tree.h"
#include "loop-device.h"

enum { MIB = 1 << 20, IMAGE = 2 * MIB };

static struct drive_facts see(const char *path)
{
	struct drive_facts facts;

	assert_int_equal(scan_path(&system_roots_real, path, &facts), 0);
	return facts;
}

static struct drive_facts see_image(struct fake_tree *tree, off_t size)
{
	fake_file(tree, "image", "x");
	assert_int_equal(truncate(fake_path(tree, "image"), size), 0);
	return see(tree->path);
}

static int claim(const struct drive_facts *seen, enum claim_mode mode, struct claim *ret)
{
	*ret = (struct claim){ .fd = -EBADF };
	return claim_drive(&system_roots_real, seen, mode, ret);
}

static void a_file_is_claimed_for_writing_and_locked(void **state)
{
	struct drive_facts seen = see_image(*state, IMAGE);
	struct claim first, second;
	int flags;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &first), 0);
	flags = fcntl(first.fd, F_GETFL);
	assert_int_equal(flags & O_ACCMODE, O_RDWR);
	assert_false(flags & O_NONBLOCK);
	assert_int_equal(!!(flags & O_DIRECT), first.direct);
	assert_int_equal(fcntl(first.fd, F_GETFD), FD_CLOEXEC);
	assert_string_equal(first.facts.path, seen.path);
	assert_int_equal(first.facts.kind, DRIVE_FILE);
	assert_int_equal(first.facts.file_dev, seen.file_dev);
	assert_int_equal(first.facts.file_ino, seen.file_ino);
	assert_int_equal(first.facts.size, seen.size);

	assert_int_equal(claim(&seen, CLAIM_WIPE, &second), -EWOULDBLOCK);
	assert_int_equal(second.fd, -EBADF);
	claim_release(&first);
	assert_int_equal(first.fd, -EBADF);
	claim_release(&first);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &second), 0);
	claim_release(&second);
}

static void a_look_reads_only_and_locks_nothing(void **state)
{
	struct drive_facts seen = see_image(*state, IMAGE);
	struct claim look, wipe;

	assert_int_equal(claim(&seen, CLAIM_LOOK, &look), 0);
	assert_int_equal(fcntl(look.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	claim_release(&look);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &wipe), 0);
	assert_int_equal(claim(&seen, CLAIM_READ, &look), 0);
	assert_int_equal(fcntl(look.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	claim_release(&look);
	claim_release(&wipe);
}

static void nothing_is_created_and_nothing_is_cut(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen = see_image(tree, IMAGE);
	struct claim c;
	struct stat st;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	claim_release(&c);
	assert_int_equal(stat(seen.path, &st), 0);
	assert_int_equal(st.st_size, IMAGE);
	assert_int_equal(unlink(seen.path), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -ENOENT);
	assert_int_equal(access(seen.path, F_OK), -1);
}

static void what_took_the_names_place_is_stale(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen = see_image(tree, IMAGE);
	struct claim c;
	char old[PATH_MAX];

	(void)snprintf(old, sizeof(old), "%s", fake_path(tree, "old"));
	assert_int_equal(rename(seen.path, old), 0);
	fake_file(tree, "image", "another");
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -ESTALE);
	assert_int_equal(unlink(seen.path), 0);
	assert_int_equal(mkfifo(seen.path, 0600), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -ESTALE);
	assert_int_equal(unlink(seen.path), 0);
	assert_int_equal(symlink("/dev/zero", seen.path), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -ESTALE);
	assert_int_equal(unlink(seen.path), 0);
	assert_int_equal(mkdir(seen.path, 0700), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -EISDIR);
	assert_int_equal(claim(&seen, CLAIM_LOOK, &c), -ESTALE);
}

static void a_file_without_a_whole_block_is_not_direct(void **state)
{
	struct drive_facts seen = see_image(*state, 4095);
	struct claim c;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_false(c.direct);
	assert_false(fcntl(c.fd, F_GETFL) & O_DIRECT);
	claim_release(&c);
}

static void direct_is_switched_both_ways(void **state)
{
	struct drive_facts seen = see_image(*state, IMAGE);
	struct claim c;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_set_direct(&c, false), 0);
	assert_false(c.direct || fcntl(c.fd, F_GETFL) & O_DIRECT);
	if (!claim_set_direct(&c, true))
		assert_true(c.direct && fcntl(c.fd, F_GETFL) & O_DIRECT);
	claim_release(&c);
	assert_int_equal(claim_set_direct(&c, true), -EBADF);
}

/* In a child, because the rights do not come back. */
static void without_the_right_it_is_denied(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen = see_image(tree, IMAGE);
	struct claim c;
	int status;
	pid_t child;

	assert_int_equal(chmod(tree->root, 0755), 0);
	assert_int_equal(chmod(seen.path, 0400), 0);
	child = fork();
	if (!child) {
		if (!geteuid() && setresuid(65534, 65534, 65534))
			_exit(1);
		_exit(claim(&seen, CLAIM_WIPE, &c) == -EACCES ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static unsigned cached_pages(int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = size / page;
	unsigned char *resident = calloc(pages, 1);
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	unsigned count = 0;

	assert_true(map != MAP_FAILED && resident && !mincore(map, size, resident));
	for (size_t i = 0; i < pages; i++)
		count += resident[i] & 1;
	(void)munmap(map, size);
	free(resident);
	return count;
}

static void fill(int fd, size_t size)
{
	static char block[MIB];

	memset(block, 'x', sizeof(block));
	for (size_t done = 0; done < size; done += sizeof(block))
		assert_int_equal(pwrite(fd, block, sizeof(block), (off_t)done), sizeof(block));
	assert_int_equal(fdatasync(fd), 0);
}

static void a_files_cache_is_dropped_up_to_its_odd_end(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen = see_image(tree, IMAGE);
	struct statfs fs;
	struct claim c;

	assert_int_equal(statfs(seen.path, &fs), 0);
	if (fs.f_type == TMPFS_MAGIC) {
		print_message("# skipped: a tmpfs is nothing but cache\n");
		skip();
	}
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_set_direct(&c, false), 0);
	fill(c.fd, IMAGE);
	assert_int_not_equal(cached_pages(c.fd, IMAGE), 0);
	assert_int_equal(claim_drop_cache(&c, 5, IMAGE - 10), 0);
	assert_int_equal(cached_pages(c.fd, IMAGE), 0);
	claim_release(&c);
}

static void a_file_has_no_partitions_to_forget(void **state)
{
	struct drive_facts seen = see_image(*state, IMAGE);
	struct claim c;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_reread_table(&system_roots_real, &c), REREAD_NOT_NEEDED);
	claim_release(&c);
}

static void a_block_device_is_claimed_exclusively(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c, second;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 4096, false));
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_true(c.direct);
	assert_false(fcntl(c.fd, F_GETFL) & O_NONBLOCK);
	assert_int_equal(c.facts.size, 8 * MIB);
	assert_int_equal(c.facts.logical, 4096);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &second), -EBUSY);
	assert_int_equal(claim(&seen, CLAIM_LOOK, &second), -EBUSY);
	assert_int_equal(claim(&seen, CLAIM_READ, &second), 0);
	assert_int_equal(fcntl(second.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	claim_release(&second);
	assert_int_equal(open(loop.node, O_RDONLY | O_CLOEXEC | O_EXCL), -1);
	claim_release(&c);
	assert_int_equal(claim(&seen, CLAIM_LOOK, &second), 0);
	claim_release(&second);
	loop_free(&loop);
}

static void a_locked_device_is_not_claimed(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, false));
	seen = see(loop.node);
	assert_int_equal(flock(loop.fd, LOCK_SH), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -EWOULDBLOCK);
	assert_int_equal(flock(loop.fd, LOCK_UN), 0);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	claim_release(&c);
	loop_free(&loop);
}

static void another_drive_under_the_same_name_is_stale(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, false));
	seen = see(loop.node);
	seen.diskseq--;
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), -ESTALE);
	seen.diskseq++;
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	claim_release(&c);
	loop_free(&loop);
}

static void a_read_only_device_says_so_through_the_descriptor(void **state)
{
	struct fake_tree *tree = *state;
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;

	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, true));
	assert_int_equal(scan_path(&tree->roots, loop.node, &seen), 0);
	assert_false(seen.read_only);
	assert_int_equal(claim_drive(&tree->roots, &seen, CLAIM_WIPE, &c), 0);
	assert_true(c.facts.read_only);
	claim_release(&c);
	loop_free(&loop);
}

static void a_devices_cache_is_dropped(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, IMAGE, 512, false));
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_set_direct(&c, false), 0);
	fill(c.fd, IMAGE);
	assert_int_not_equal(cached_pages(c.fd, IMAGE), 0);
	assert_int_equal(claim_drop_cache(&c, 0, IMAGE), 0);
	assert_int_equal(cached_pages(c.fd, IMAGE), 0);
	claim_release(&c);
	loop_free(&loop);
}

static void a_device_without_partitions_needs_no_reread(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, false));
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_reread_table(&system_roots_real, &c), REREAD_NOT_NEEDED);
	claim_release(&c);
	loop_free(&loop);
}

static void stale_partitions_are_forgotten_when_nobody_holds_them(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;
	char one[80], two[80];
	int holder;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, false));
	(void)snprintf(one, sizeof(one), "%sp1", loop.node);
	(void)snprintf(two, sizeof(two), "%sp2", loop.node);
	assert_true(loop_add_partition(&loop, 1, MIB, MIB) &&
		    loop_add_partition(&loop, 2, 2 * MIB, MIB));
	holder = open(two, O_RDONLY | O_CLOEXEC);
	if (holder < 0) {
		loop_free(&loop);
		print_message("# skipped: no nodes for partitions in /dev\n");
		skip();
	}
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(claim_reread_table(&system_roots_real, &c), REREAD_BUSY);
	assert_int_equal(access(one, F_OK), -1);
	assert_int_equal(access(two, F_OK), 0);
	(void)close(holder);
	assert_int_equal(claim_reread_table(&system_roots_real, &c), REREAD_DONE);
	assert_int_equal(access(two, F_OK), -1);
	claim_release(&c);
	loop_free(&loop);
}

static void a_partition_is_claimed_but_has_no_table(void **state)
{
	struct drive_facts seen, disk;
	struct loop_device loop;
	struct claim c, whole;
	char node[80];

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 8 * MIB, 512, false));
	assert_true(loop_add_partition(&loop, 1, MIB, MIB));
	(void)snprintf(node, sizeof(node), "%sp1", loop.node);
	seen = see(node);
	disk = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	assert_int_equal(c.facts.size, MIB);
	assert_int_equal(claim_reread_table(&system_roots_real, &c), REREAD_NOT_NEEDED);
	assert_int_equal(claim(&disk, CLAIM_WIPE, &whole), -EBUSY);
	claim_release(&c);
	assert_int_equal(access(node, F_OK), 0);
	loop_free(&loop);
}

static void a_disk_with_a_mounted_partition_is_busy(void **state)
{
	struct fake_tree *tree = *state;
	struct loop_device loop;
	struct drive_facts seen;
	struct claim c;
	char node[80];
	int r, look;

	need_loop_devices();
	assert_true(loop_new(&loop, 32 * MIB, 512, false));
	assert_true(loop_add_partition(&loop, 1, MIB, 16 * MIB));
	(void)snprintf(node, sizeof(node), "%sp1", loop.node);
	fake_folder(tree, "mnt");
	if (run_program((const char *const[]){ "mkfs.ext4", "-qF", node, NULL }) ||
	    unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(node, fake_path(tree, "mnt"), "ext4", 0, NULL)) {
		loop_free(&loop);
		print_message("# skipped: no mkfs.ext4, or may not mount\n");
		skip();
	}
	seen = see(loop.node);
	r = claim(&seen, CLAIM_WIPE, &c);
	look = claim(&seen, CLAIM_LOOK, &c);
	assert_int_equal(umount(fake_path(tree, "mnt")), 0);
	assert_int_equal(r, -EBUSY);
	assert_int_equal(look, -EBUSY);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &c), 0);
	claim_release(&c);
	loop_free(&loop);
}

#define TREE_TEST(function)                                                                        \
	cmocka_unit_test_setup_teardown(function, fake_tree_setup, fake_tree_teardown)

/* ---- the same drive still, and its other ways ---- */

static void a_file_that_changes_its_size_is_not_the_same_any_more(void **state)
{
	struct fake_tree *tree = *state;
	struct drive_facts seen = see_image(tree, IMAGE);
	struct claim held;

	assert_int_equal(claim(&seen, CLAIM_WIPE, &held), 0);
	assert_int_equal(claim_recheck(&system_roots_real, &held), 0);
	assert_int_equal(truncate(fake_path(tree, "image"), IMAGE + 1), 0);
	assert_int_equal(claim_still_same(&held), -ESTALE);
	assert_int_equal(claim_recheck(&system_roots_real, &held), -ESTALE);
	assert_int_equal(claim_drop_partitions(&system_roots_real, &held), 0);
	claim_release(&held);
}

/* What the person saw was another disk of the same size under the same number. */
static void a_device_with_another_diskseq_or_size_is_not_the_same(void **state)
{
	struct drive_facts seen;
	struct loop_device loop;
	struct claim held;
	uint64_t diskseq;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, IMAGE, 512, false));
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &held), 0);
	assert_int_equal(claim_recheck(&system_roots_real, &held), 0);
	assert_int_equal(claim_still_same(&held), 0);
	if (held.facts.diskseq) {
		held.facts.diskseq++;
		/* Emulators do not know this question; then sysfs answers, for the whole check. */
		if (!ioctl(held.fd, BLKGETDISKSEQ, &diskseq))
			assert_int_equal(claim_still_same(&held), -ESTALE);
		assert_int_equal(claim_recheck(&system_roots_real, &held), -ESTALE);
		held.facts.diskseq--;
	}
	held.facts.size -= 512;
	assert_int_equal(claim_still_same(&held), -ESTALE);
	held.facts.size += 512;
	(void)snprintf(held.facts.serial, sizeof(held.facts.serial), "OTHER");
	assert_int_equal(claim_still_same(&held), 0);
	claim_release(&held);
	loop_free(&loop);
}

static void another_way_is_held_until_the_claim_is_released(void **state)
{
	struct loop_device one, two, small;
	struct drive_facts seen;
	struct claim held;
	int fd;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&one, IMAGE, 512, false) && loop_new(&two, IMAGE, 512, false) &&
		    loop_new(&small, MIB, 512, false));
	seen = see(one.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &held), 0);
	assert_int_equal(claim_twin(&held, small.node), -ESTALE);
	assert_int_equal(claim_twin(&held, "/nowhere"), -ENOENT);
	assert_int_equal(claim_twin(&held, two.node), 0);
	assert_int_equal(open(two.node, O_RDONLY | O_EXCL | O_CLOEXEC), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(claim_twin(&held, two.node), -EBUSY);
	claim_release(&held);
	fd = open(two.node, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);

	/* Somebody else has it; and a look does not keep it. */
	assert_int_equal(claim(&seen, CLAIM_LOOK, &held), 0);
	assert_int_equal(claim_twin(&held, two.node), -EBUSY);
	(void)close(fd);
	assert_int_equal(claim_twin(&held, two.node), 0);
	fd = open(two.node, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	(void)close(fd);
	claim_release(&held);
	loop_free(&small);
	loop_free(&two);
	loop_free(&one);
}

static void partitions_are_taken_away_and_those_in_use_stay(void **state)
{
	struct loop_device loop;
	struct drive_facts seen;
	struct claim held;
	char node[80];
	int fd;

	(void)state;
	need_loop_devices();
	assert_true(loop_new(&loop, 4 * IMAGE, 512, false));
	if (!loop_add_partition(&loop, 1, MIB, MIB) ||
	    !loop_add_partition(&loop, 2, 2 * MIB, MIB)) {
		loop_free(&loop);
		skip();
	}
	(void)snprintf(node, sizeof(node), "%sp2", loop.node);
	fd = open(node, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	seen = see(loop.node);
	assert_int_equal(claim(&seen, CLAIM_WIPE, &held), 0);
	assert_int_equal(claim_drop_partitions(&system_roots_real, &held), 1);
	(void)close(fd);
	assert_int_equal(claim_drop_partitions(&system_roots_real, &held), 0);
	claim_release(&held);
	loop_free(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_file_is_claimed_for_writing_and_locked),
		TREE_TEST(a_look_reads_only_and_locks_nothing),
		TREE_TEST(nothing_is_created_and_nothing_is_cut),
		TREE_TEST(what_took_the_names_place_is_stale),
		TREE_TEST(a_file_without_a_whole_block_is_not_direct),
		TREE_TEST(direct_is_switched_both_ways),
		TREE_TEST(without_the_right_it_is_denied),
		TREE_TEST(a_files_cache_is_dropped_up_to_its_odd_end),
		TREE_TEST(a_file_has_no_partitions_to_forget),
		cmocka_unit_test(a_block_device_is_claimed_exclusively),
		cmocka_unit_test(a_locked_device_is_not_claimed),
		cmocka_unit_test(another_drive_under_the_same_name_is_stale),
		TREE_TEST(a_read_only_device_says_so_through_the_descriptor),
		cmocka_unit_test(a_devices_cache_is_dropped),
		cmocka_unit_test(a_device_without_partitions_needs_no_reread),
		cmocka_unit_test(stale_partitions_are_forgotten_when_nobody_holds_them),
		cmocka_unit_test(a_partition_is_claimed_but_has_no_table),
		TREE_TEST(a_disk_with_a_mounted_partition_is_busy),
		TREE_TEST(a_file_that_changes_its_size_is_not_the_same_any_more),
		cmocka_unit_test(a_device_with_another_diskseq_or_size_is_not_the_same),
		cmocka_unit_test(another_way_is_held_until_the_claim_is_released),
		cmocka_unit_test(partitions_are_taken_away_and_those_in_use_stay),
	};

	return cmocka_run_group_tests_name("claim", tests, NULL, NULL);
}

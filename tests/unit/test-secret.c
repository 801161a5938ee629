/* SPDX-License-Identifier: MIT */
/* Memory for keys: where it lies, what the kernel was told about it, and what is left of it. */
#include "base/secret.h"

#include "base/cleanup.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { KEY_BYTES = 32 };

static bool all_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Whether the kernel's flags ("lo", "dd") of the mapping that begins at @start have @flag. */
static bool has_flag(const void *start, const char *flag)
{
	_cleanup_fclose_ FILE *maps = fopen("/proc/self/smaps", "re");
	char line[512], wanted[24];
	bool here = false;

	assert_non_null(maps);
	snprintf(wanted, sizeof(wanted), "%lx-", (unsigned long)(uintptr_t)start);
	while (fgets(line, sizeof(line), maps)) {
		if (!strncmp(line, wanted, strlen(wanted)))
			here = true;
		else if (here && !strncmp(line, "VmFlags:", 8))
			return strstr(line, flag);
	}
	fail_msg("no flags for %p", start);
	return false;
}

static void a_secret_has_zeros_and_a_page_of_its_own(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *one = secret_new(KEY_BYTES), *two = secret_new(page);

	(void)state;
	assert_non_null(one);
	assert_non_null(two);
	assert_true(all_zero(one, KEY_BYTES));
	assert_true(all_zero(two, page));
	assert_int_equal((uintptr_t)one % page, 0);
	assert_int_equal((uintptr_t)two % page, 0);
	memset(one, 1, KEY_BYTES);
	memset(two, 2, page);
	assert_int_equal(one[KEY_BYTES - 1], 1);
	secret_free(one, KEY_BYTES);
	secret_free(two, page);
	secret_free(NULL, KEY_BYTES);
}

/* Emulators of other machines write smaps themselves, without most of the flags. */
static bool flags_are_told(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool told;

	assert_ptr_not_equal(page, MAP_FAILED);
	told = !madvise(page, size, MADV_DONTDUMP) && has_flag(page, " dd");
	munmap(page, size);
	return told;
}

/* Limits forbid it, and so does AddressSanitizer. */
static bool locking_works(void)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool works;

	assert_ptr_not_equal(page, MAP_FAILED);
	/* Protected unlike its neighbours, so that it is listed by itself. */
	works = !mlock(page, 4096) && has_flag(page, " lo");
	munmap(page, 4096);
	return works;
}

static void a_secret_is_locked_and_left_out_of_core_dumps(void **state)
{
	bool lockable;
	void *secret;

	(void)state;
	if (!flags_are_told()) {
		print_message("# skipped: smaps does not tell the flags here\n");
		skip();
	}
	lockable = locking_works();
	secret = secret_new(KEY_BYTES);
	assert_non_null(secret);
	assert_true(has_flag(secret, " dd"));
	assert_int_equal(has_flag(secret, " lo"), lockable);
	secret_free(secret, KEY_BYTES);
}

static void a_limit_on_locked_memory_is_no_reason_to_fail(void **state)
{
	struct rlimit before, none;
	void *secret;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	secret = secret_new(KEY_BYTES);
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &before), 0);
	assert_non_null(secret);
	memset(secret, 1, KEY_BYTES);
	secret_free(secret, KEY_BYTES);
}

static void a_freed_secret_is_gone(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *secret = secret_new(KEY_BYTES);

	(void)state;
	assert_non_null(secret);
	assert_int_equal(msync(secret, page, MS_ASYNC), 0);
	secret_free(secret, KEY_BYTES);
	assert_int_equal(msync(secret, page, MS_ASYNC), -1);
	assert_int_equal(errno, ENOMEM);
}

/* The longest is more than getrandom() promises to give in one call. */
static void random_bytes_reach_every_place_and_no_other(void **state)
{
	static const size_t sizes[] = { 0, 1, 16, KEY_BYTES, 257, 5000 };
	static uint8_t seen[5000], buf[5001];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(seen, 0, sizeof(seen));
		/* Ten times a zero in the same place does not happen (2^-80). */
		for (unsigned round = 0; round < 10; round++) {
			memset(buf, 0, sizeof(buf));
			assert_int_equal(secret_random(buf, sizes[i]), 0);
			for (size_t k = 0; k < sizes[i]; k++)
				seen[k] |= buf[k];
			assert_true(all_zero(buf + sizes[i], sizeof(buf) - sizes[i]));
		}
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_not_equal(seen[k], 0);
	}
}

static void random_keys_differ(void **state)
{
	uint8_t one[KEY_BYTES], two[KEY_BYTES];

	(void)state;
	assert_int_equal(secret_random(one, sizeof(one)), 0);
	assert_int_equal(secret_random(two, sizeof(two)), 0);
	assert_memory_not_equal(one, two, KEY_BYTES);
}

static void randomness_into_no_memory_is_an_error(void **state)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(secret_random(page, KEY_BYTES), -EFAULT);
	munmap(page, 4096);
}

static void wiping_takes_what_it_was_told_and_no_more(void **state)
{
	uint8_t buf[16];

	(void)state;
	memset(buf, 0xff, sizeof(buf));
	secret_wipe(buf + 1, sizeof(buf) - 2);
	assert_int_equal(buf[0], 0xff);
	assert_true(all_zero(buf + 1, sizeof(buf) - 2));
	assert_int_equal(buf[sizeof(buf) - 1], 0xff);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_secret_has_zeros_and_a_page_of_its_own),
		cmocka_unit_test(a_secret_is_locked_and_left_out_of_core_dumps),
		cmocka_unit_test(a_limit_on_locked_memory_is_no_reason_to_fail),
		cmocka_unit_test(a_freed_secret_is_gone),
		cmocka_unit_test(random_bytes_reach_every_place_and_no_other),
		cmocka_unit_test(random_keys_differ),
		cmocka_unit_test(randomness_into_no_memory_is_an_error),
		cmocka_unit_test(wiping_takes_what_it_was_told_and_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

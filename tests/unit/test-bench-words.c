/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/clock.h"
#include "cli/bench-words.h"

#define MB  UINT64_C(1000000)
#define MIB (UINT64_C(1) << 20)

static const struct keystream_kind aes = { CIPHER_AES, "AES-256-CTR", "openssl", NULL };
static const struct keystream_kind fast_aes = { CIPHER_AES, "AES-256-CTR", "ipsec-mb", NULL };
static const struct keystream_kind chacha20 = { CIPHER_CHACHA20, "ChaCha20", "openssl", NULL };

static void whole_drives_are_counted(void **state)
{
	static const struct {
		uint64_t rate;
		const char *enough;
	} rows[] = {
		{ 0, "less than a hard disk" }, { 250 * MB - 1, "less than a hard disk" },
		{ 250 * MB, "1 hard disk" },	{ 550 * MB - 1, "2 hard disks" },
		{ 550 * MB, "1 SATA SSD" },	{ 2200 * MB, "4 SATA SSDs" },
		{ 11000 * MB, "20 SATA SSDs" }, { UINT64_MAX, "33539534679 SATA SSDs" },
	};
	char buf[WORDS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(bench_words_enough(buf, rows[i].rate), rows[i].enough);
}

static void the_choice_says_for_what_one_core_is_enough(void **state)
{
	static const struct {
		uint64_t rate;
		unsigned threads;
		const char *words;
	} rows[] = {
		{ 100 * MB, 1,
		  "wipe would use AES-256-CTR by openssl: one core is not enough for a fast hard "
		  "disk (250 MB/s)." },
		{ 300 * MB, 1,
		  "wipe would use AES-256-CTR by openssl: one core is enough for 1 hard disk "
		  "(250 MB/s)." },
		{ 600 * MB, 4,
		  "wipe would use AES-256-CTR by openssl: one core is enough for 1 SATA SSD "
		  "(550 MB/s) or 2 hard disks (250 MB/s each). Where a drive is faster than one "
		  "core, up to 4 work for it." },
		{ 7000 * MB, 1,
		  "wipe would use AES-256-CTR by openssl: one core is enough for 1 NVMe SSD "
		  "(7.0 GB/s), 12 SATA SSDs (550 MB/s each) or 28 hard disks (250 MB/s each)." },
	};
	char buf[WORDS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bench_rates rates = { rows[i].rate, rows[i].rate, rows[i].threads };

		assert_string_equal(bench_words_chosen(buf, &aes, &rates), rows[i].words);
	}
}

static void the_choice_has_a_reason(void **state)
{
	static const struct {
		const struct keystream_kind *chosen;
		uint64_t fast_aes, aes, chacha20;
		const char *why;
	} rows[] = {
		{ &fast_aes, 9, 4, 3, "the fastest AES here" },
		{ &aes, 3, 4, 3, "the fastest AES here" },
		{ &aes, 0, 4, 3, "the AES that works here" },
		{ &chacha20, 0, 1, 3, "AES has no hardware here" },
		{ &chacha20, 0, 0, 3, "AES does not work here" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bench_cipher ciphers[] = { { &fast_aes, rows[i].fast_aes, 0 },
						  { &aes, rows[i].aes, 0 },
						  { &chacha20, rows[i].chacha20, 0 } };

		assert_string_equal(bench_words_why(rows[i].chosen, ciphers, 3), rows[i].why);
	}
	assert_string_equal(bench_words_missing(&fast_aes), "not on this CPU");
	assert_string_equal(bench_words_missing(&aes), "not in this OpenSSL");
}

static void the_outlook_names_the_limit(void **state)
{
	static const struct {
		struct trial_outlook outlook;
		unsigned threads;
		const char *words;
	} rows[] = {
		{ { .wipe_ns = 7200 * NS_PER_S, .measured = true, .one_core = true },
		  4,
		  "To wipe and verify all of it would take about 2 h 00 min at these rates. The "
		  "drive is the limit: one core makes 100 MiB/s of random data." },
		{ { .wipe_ns = 30 * NS_PER_S },
		  4,
		  "To wipe and verify all of it would take about 30 s at these rates, if it writes "
		  "as fast as it reads. The drive is the limit: 4 cores make 300 MiB/s of random "
		  "data." },
		{ { .wipe_ns = 30 * NS_PER_S, .measured = true, .cpu_limits = true },
		  4,
		  "To wipe and verify all of it would take about 30 s at these rates. The CPU is "
		  "the limit: 4 cores make only 300 MiB/s of random data." },
		{ { .wipe_ns = 30 * NS_PER_S, .measured = true, .cpu_limits = true },
		  1,
		  "To wipe and verify all of it would take about 30 s at these rates. The CPU is "
		  "the limit: one core makes only 100 MiB/s of random data." },
	};
	char buf[WORDS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bench_rates rates = { 100 * MIB, 300 * MIB, rows[i].threads };

		assert_string_equal(bench_words_outlook(buf, &rows[i].outlook, &rates),
				    rows[i].words);
	}
}

static void the_plan_says_how_much_is_lost(void **state)
{
	static const struct trial_range small[TRIAL_PLACES] = { { 0, 512 } };
	static const struct trial_range large[TRIAL_PLACES] = { { 0, 256 * MIB },
								{ 512 * MIB, 256 * MIB },
								{ 1024 * MIB, 256 * MIB } };
	char buf[WORDS_MAX];

	(void)state;
	assert_string_equal(
		bench_words_plan(buf, small),
		"512 B of it are overwritten with random data and read again, to measure how fast "
		"it is. A partition table or file system on it will be broken. This is not a wipe: "
		"the rest stays as it is.");
	assert_string_equal(
		bench_words_plan(buf, large),
		"up to 3 x 256 MiB of it (start, middle, end) are overwritten with random data and "
		"read again, to measure how fast it is. A partition table or file system on it "
		"will be broken. This is not a wipe: the rest stays as it is.");
}

static void faults_are_named_with_their_place(void **state)
{
	static const struct {
		struct trial_figure figure;
		bool write;
		const char *words;
	} rows[] = {
		{ { .end = ENGINE_DONE }, false, "" },
		{ { .end = ENGINE_STOPPED }, true, "" },
		{ { .bad_bytes = 1536, .bad_first = 19433472000, .bad_code = EIO },
		  false,
		  "1,536 bytes at its end could not be read (Input/output error), first at byte "
		  "19,433,472,000." },
		{ { .bad_bytes = 512, .bad_first = 0, .bad_code = EIO },
		  true,
		  "512 bytes at its end could not be written (Input/output error), first at byte "
		  "0." },
		{ { .end = ENGINE_GONE, .code = ENODEV },
		  false,
		  "the drive went away at its end (No such device)." },
		{ { .end = ENGINE_DENIED, .code = EROFS },
		  true,
		  "the drive turned read-only at its end." },
		{ { .end = ENGINE_FAILED, .code = EINVAL },
		  false,
		  "its end could not be read: Invalid argument." },
		{ { .code = EIO },
		  true,
		  "the drive failed to flush its cache after its end was written (Input/output "
		  "error)." },
	};
	char buf[WORDS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(bench_words_fault(buf, &rows[i].figure, rows[i].write, "end"),
				    rows[i].words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_drives_are_counted),
		cmocka_unit_test(the_choice_says_for_what_one_core_is_enough),
		cmocka_unit_test(the_choice_has_a_reason),
		cmocka_unit_test(the_outlook_names_the_limit),
		cmocka_unit_test(the_plan_says_how_much_is_lost),
		cmocka_unit_test(faults_are_named_with_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cli/stream-options.h"
#include "keystream/keystream.h"
#include "words.h"

static int parse(const char *line, struct stream_options *options, char error[OPTIONS_ERROR_MAX])
{
	static char *argv[WORDS_MAX_COUNT + 1];
	int argc = split_words(line, argv);

	memset(options, 0xff, sizeof(*options));
	*error = '\0';
	return stream_options_parse(argc, argv, options, error);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *error;
	} rows[] = {
		{ "stream --frobnicate", "unknown option --frobnicate" },
		{ "stream x", "stream writes to standard output and takes no \"x\"" },
		{ "stream -- --help", "stream writes to standard output and takes no \"--help\"" },
		{ "stream ''", "stream writes to standard output and takes no \"\"" },
		{ "stream -", "stream writes to standard output and takes no \"-\"" },
		{ "stream --bytes", "option --bytes needs a value (SIZE)" },
		{ "stream --bytes ''", "--bytes does not take \"\" (SIZE)" },
		{ "stream --bytes -1", "--bytes does not take \"-1\" (SIZE)" },
		{ "stream --bytes 16E", "--bytes does not take \"16E\" (SIZE)" },
		{ "stream --seek 0.3", "--seek does not take \"0.3\" (SIZE)" },
		{ "stream --key-file ''", "--key-file does not take \"\" (FILE)" },
		{ "stream --cipher aes", "--cipher does not take \"aes\" (NAME)" },
		{ "stream --seek 2 --bytes 18446744073709551615",
		  "--seek and --bytes go beyond the end of the stream, 2^64 bytes" },
		{ "stream --bytes 8E --seek 9223372036854775809",
		  "--seek and --bytes go beyond the end of the stream, 2^64 bytes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct stream_options o;
		char error[OPTIONS_ERROR_MAX];

		assert_int_equal(parse(rows[i].line, &o, error), -EINVAL);
		assert_string_equal(error, rows[i].error);
	}
}

static void without_options_it_is_endless_and_random(void **state)
{
	struct stream_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("stream", &o, error), 0);
	assert_false(o.bounded);
	assert_int_equal(o.seek, 0);
	assert_null(o.key_file);
	assert_null(o.cipher);
	assert_false(o.to_terminal);
	assert_false(o.help);
}

static void a_part_may_reach_to_the_last_byte(void **state)
{
	struct stream_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("stream --seek 1 --bytes 18446744073709551615", &o, error), 0);
	assert_true(o.bounded);
	assert_int_equal(o.seek, 1);
	assert_int_equal(o.bytes, UINT64_MAX);
	assert_int_equal(parse("stream --bytes 8E --seek=8E", &o, error), 0);
	assert_int_equal(o.seek, UINT64_C(1) << 63);
	assert_int_equal(parse("stream --bytes 0 --seek 18446744073709551615", &o, error), 0);
	assert_true(o.bounded);
	assert_int_equal(o.bytes, 0);
	assert_int_equal(parse("stream --seek 18446744073709551615 --bytes 1", &o, error), 0);
	assert_int_equal(parse("stream --seek 18446744073709551615", &o, error), 0);
	assert_false(o.bounded);
}

static void options_are_noted(void **state)
{
	struct stream_options o;
	char error[OPTIONS_ERROR_MAX];

	(void)state;
	assert_int_equal(parse("stream --key-file - --cipher chacha20 --to-terminal", &o, error),
			 0);
	assert_string_equal(o.key_file, "-");
	assert_string_equal(o.cipher, CIPHER_CHACHA20);
	assert_true(o.to_terminal);
	assert_int_equal(parse("stream --cipher aes-256-ctr", &o, error), 0);
	assert_string_equal(o.cipher, CIPHER_AES);
	assert_int_equal(parse("stream --cipher chacha20 --cipher auto", &o, error), 0);
	assert_null(o.cipher);
	assert_int_equal(parse("stream x --help", &o, error), 0);
	assert_true(o.help);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(without_options_it_is_endless_and_random),
		cmocka_unit_test(a_part_may_reach_to_the_last_byte),
		cmocka_unit_test(options_are_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Which answer is wanted before a drive is wiped. */
#include "cli/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void the_answer_names_the_drive(void **state)
{
	static const struct {
		const char *name, *serial;
		enum drive_kind kind;
		bool shared;
		uint64_t size;
		enum question_kind question;
		const char *answer;
	} rows[] = {
		{ "sdb", "WD-WCC7K0ABCDEF", DRIVE_DISK, false, 1, QUESTION_SERIAL, "CDEF" },
		{ "sdb", "A1B2", DRIVE_DISK, false, 1, QUESTION_SERIAL, "A1B2" },
		{ "sdb", "A1B", DRIVE_DISK, false, 4000787030016, QUESTION_NAME_AND_SIZE,
		  "sdb 4001" },
		{ "sdb", "", DRIVE_DISK, false, 64023257088, QUESTION_NAME_AND_SIZE, "sdb 64" },
		{ "sdb", "WD-WCC7K0ABCDEF", DRIVE_DISK, true, 64500000000, QUESTION_NAME_AND_SIZE,
		  "sdb 65" },
		{ "sdb2", "", DRIVE_PARTITION, false, 9999000000, QUESTION_NAME_AND_SIZE,
		  "sdb2 10" },
		{ "sdb2", "", DRIVE_PARTITION, false, 9990000000, QUESTION_NAME_AND_SIZE,
		  "sdb2 9.99" },
		{ "loop0", "", DRIVE_DISK, false, 67108864, QUESTION_NAME_AND_SIZE, "loop0 0.07" },
		{ "loop0", "", DRIVE_DISK, false, 512, QUESTION_NAME_AND_SIZE, "loop0 0.00" },
		{ "big", "", DRIVE_DISK, false, UINT64_MAX, QUESTION_NAME_AND_SIZE,
		  "big 18446744074" },
		{ "my disk.img", "", DRIVE_FILE, false, 512, QUESTION_FILE, "my disk.img" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct drive_facts facts = { .kind = rows[i].kind, .size = rows[i].size };
		char answer[QUESTION_ANSWER_MAX];

		(void)snprintf(facts.name, sizeof(facts.name), "%s", rows[i].name);
		(void)snprintf(facts.serial, sizeof(facts.serial), "%s", rows[i].serial);
		assert_int_equal(question_answer(&facts, rows[i].shared, answer), rows[i].question);
		assert_string_equal(answer, rows[i].answer);
	}
}

static void numbers_become_words(void **state)
{
	static const struct {
		unsigned number;
		const char *words;
	} rows[] = {
		{ 0, "no" },
		{ 1, "one" },
		{ 12, "twelve" },
		{ 19, "nineteen" },
		{ 20, "twenty" },
		{ 21, "twenty-one" },
		{ 40, "forty" },
		{ 99, "ninety-nine" },
		{ 100, "one hundred" },
		{ 105, "one hundred and five" },
		{ 256, "two hundred and fifty-six" },
	};
	char words[QUESTION_ANSWER_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(question_number(words, rows[i].number), rows[i].words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answer_names_the_drive),
		cmocka_unit_test(numbers_become_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

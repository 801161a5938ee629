/* SPDX-License-Identifier: MIT */
/* What a drive answers about reservations. */
#include "device/reservation.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void only_a_whole_descriptor_is_a_reservation(void **state)
{
	static const struct {
		uint8_t answer[24];
		size_t length;
		bool held;
	} rows[] = {
		{ { 0 }, 0, false },
		{ { 0, 0, 0, 7, 0, 0, 0, 0 }, 8, false },
		{ { 0, 0, 0, 7, 0, 0, 0, 16, 1, 2, 3 }, 24, true },
		{ { 0, 0, 0, 7, 0, 0, 0, 16 }, 7, false },
		{ { 0, 0, 0, 7, 0, 0, 0, 15 }, 24, false },
		{ { 0, 0, 0, 7, 0, 1, 0, 0 }, 24, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (reservation_in_answer(rows[i].answer, rows[i].length) != rows[i].held)
			fail_msg("row %zu", i);
}

/* What is no SCSI drive cannot be reserved, whatever its facts say of the bus. */
static void what_cannot_be_asked_is_not_reserved(void **state)
{
	struct drive_facts facts = { .kind = DRIVE_DISK, .bus = "SAS" };
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_false(reservation_held(fd, &facts));
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_whole_descriptor_is_a_reservation),
		cmocka_unit_test(what_cannot_be_asked_is_not_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

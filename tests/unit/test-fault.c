/* SPDX-License-Identifier: MIT */
#include "engine/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

static void every_errno_has_its_meaning(void **state)
{
	static const struct {
		int error;
		enum fault fault;
	} cases[] = {
		{ EAGAIN, FAULT_RETRY },     { EINTR, FAULT_RETRY },
		{ ECANCELED, FAULT_RETRY },  { EBUSY, FAULT_RETRY },
		{ EIO, FAULT_MEDIUM },	     { ENODATA, FAULT_MEDIUM },
		{ EREMOTEIO, FAULT_MEDIUM }, { EILSEQ, FAULT_MEDIUM },
		{ ETIMEDOUT, FAULT_MEDIUM }, { EBADMSG, FAULT_MEDIUM },
		{ EUCLEAN, FAULT_MEDIUM },   { ETIME, FAULT_MEDIUM },
		{ ENOSPC, FAULT_SPACE },     { EDQUOT, FAULT_SPACE },
		{ ENODEV, FAULT_GONE },	     { ENXIO, FAULT_GONE },
		{ ENOMEDIUM, FAULT_GONE },   { ENOLINK, FAULT_GONE },
		{ ESHUTDOWN, FAULT_GONE },   { ENOTCONN, FAULT_GONE },
		{ ESTALE, FAULT_GONE },	     { EROFS, FAULT_DENIED },
		{ EPERM, FAULT_DENIED },     { EACCES, FAULT_DENIED },
		{ EBADE, FAULT_DENIED },     { EINVAL, FAULT_OURS },
		{ EFAULT, FAULT_OURS },	     { EBADF, FAULT_OURS },
		{ EFBIG, FAULT_OURS },	     { ENOMEM, FAULT_OURS },
		{ ENOSYS, FAULT_OURS },	     { EOPNOTSUPP, FAULT_OURS },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(fault_of(cases[i].error), cases[i].fault);
}

static void an_unknown_errno_is_a_bad_place(void **state)
{
	(void)state;
	assert_int_equal(fault_of(99999), FAULT_MEDIUM);
	assert_int_equal(fault_of(0), FAULT_MEDIUM);
	assert_int_equal(fault_of(-EIO), FAULT_MEDIUM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_errno_has_its_meaning),
		cmocka_unit_test(an_unknown_errno_is_a_bad_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

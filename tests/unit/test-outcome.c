/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "job/outcome.h"

enum { SIZE = 1 << 20 };

static struct extent extents[4][8];

/* A job that went well: the tables below change one thing each. */
static struct job_result good(enum verify_choice verify)
{
	struct drive_facts facts = { .kind = DRIVE_DISK, .size = SIZE, .logical = 512 };
	struct job_result result;

	memset(&result, 0, sizeof(result));
	memset(extents, 0, sizeof(extents));
	plan_make(&facts, verify, &result.plan);
	result.wrote = true;
	for (unsigned i = 0; i < result.plan.count; i++) {
		struct pass_result *pass = &result.passes[i];

		*pass = (struct pass_result){ .started = true,
					      .finished = true,
					      .flushed = result.plan.passes[i].kind == PASS_WRITE,
					      .done = SIZE,
					      .reached = SIZE };
		pass->bad = (struct extent_map){ .items = extents[2 * i], .capacity = 8 };
		pass->wrong = (struct extent_map){ .items = extents[2 * i + 1], .capacity = 8 };
	}
	return result;
}

static void assert_verdict(const struct job_result *result, enum verdict verdict,
			   enum exit_status status)
{
	assert_int_equal(outcome_verdict(result), verdict);
	assert_int_equal(outcome_status(outcome_verdict(result)), status);
}

static void good_jobs_are_good(void **state)
{
	struct job_result r = good(VERIFY_FULL);

	(void)state;
	assert_verdict(&r, VERDICT_VERIFIED, STATUS_OK);
	assert_int_equal(outcome_old_bytes(&r), 0);
	r = good(VERIFY_NONE);
	assert_verdict(&r, VERDICT_WRITTEN, STATUS_OK);
	assert_int_equal(outcome_old_bytes(&r), 0);
}

static void unwritten_bytes_are_never_success(void **state)
{
	struct job_result r = good(VERIFY_FULL);

	(void)state;
	extent_map_add(&r.passes[0].bad, 4096, 512, EIO);
	r.passes[0].done -= 512;
	assert_verdict(&r, VERDICT_UNWRITTEN, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), 512);

	/* The same bytes then read back different: they count once. */
	extent_map_add(&r.passes[1].wrong, 4096, 1024, 0);
	r.passes[1].done -= 1024;
	assert_verdict(&r, VERDICT_UNWRITTEN, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), 1024);

	/* A count that does not add up is no success either, whatever the map says. */
	r = good(VERIFY_FULL);
	r.passes[0].done -= 1;
	assert_verdict(&r, VERDICT_UNWRITTEN, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), 1);
}

static void flush_failure_leaves_all_in_doubt(void **state)
{
	struct job_result r = good(VERIFY_FULL);

	(void)state;
	r.passes[0].flushed = false;
	r.passes[0].flush_code = EIO;
	assert_verdict(&r, VERDICT_UNWRITTEN, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), SIZE);
}

static void failed_verification_is_said(void **state)
{
	struct job_result r = good(VERIFY_FULL);

	(void)state;
	extent_map_add(&r.passes[1].wrong, 0, 512, 0);
	r.passes[1].done -= 512;
	assert_verdict(&r, VERDICT_UNVERIFIED, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), 512);

	r = good(VERIFY_FULL);
	extent_map_add(&r.passes[1].bad, 8192, 4096, EIO);
	r.passes[1].done -= 4096;
	assert_verdict(&r, VERDICT_UNVERIFIED, STATUS_IMPERFECT);
	assert_int_equal(outcome_old_bytes(&r), 0);

	r = good(VERIFY_FULL);
	r.passes[1].done -= 1;
	assert_verdict(&r, VERDICT_UNVERIFIED, STATUS_IMPERFECT);
}

static void early_ends_decide(void **state)
{
	static const struct {
		enum engine_end end;
		enum verdict verdict;
		enum exit_status status;
	} rows[] = {
		{ ENGINE_STOPPED, VERDICT_INTERRUPTED, STATUS_STOPPED },
		{ ENGINE_GONE, VERDICT_GONE, STATUS_STOPPED },
		{ ENGINE_DENIED, VERDICT_GONE, STATUS_STOPPED },
		{ ENGINE_FAILED, VERDICT_FAILED, STATUS_SYSTEM },
		{ ENGINE_DONE, VERDICT_FAILED, STATUS_SYSTEM }, /* not finished, and no reason */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (unsigned pass = 0; pass < 2; pass++) {
			struct job_result r = good(VERIFY_FULL);

			r.passes[pass].end = rows[i].end;
			r.passes[pass].finished = false;
			r.passes[pass].done = SIZE / 2;
			if (!pass)
				r.passes[1].started = false;
			assert_verdict(&r, rows[i].verdict, rows[i].status);
			assert_int_equal(outcome_old_bytes(&r), pass ? 0 : SIZE / 2);
		}
	}
}

static void missing_pass_is_no_success(void **state)
{
	struct job_result r = good(VERIFY_FULL);

	(void)state;
	r.passes[1].started = false;
	assert_verdict(&r, VERDICT_FAILED, STATUS_SYSTEM);
	memset(&r, 0, sizeof(r));
	assert_verdict(&r, VERDICT_UNWRITTEN, STATUS_IMPERFECT);
	r = good(VERIFY_FULL);
	r.system_code = ENOMEM;
	assert_verdict(&r, VERDICT_FAILED, STATUS_SYSTEM);
	r = good(VERIFY_FULL);
	r.abandoned = true;
	assert_verdict(&r, VERDICT_INTERRUPTED, STATUS_STOPPED);
}

static void refusals_and_our_bugs_have_statuses(void **state)
{
	(void)state;
	assert_int_equal(outcome_status(VERDICT_REFUSED), STATUS_REFUSED);
	assert_int_equal(outcome_status(VERDICT_NONE), STATUS_SYSTEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_jobs_are_good),
		cmocka_unit_test(unwritten_bytes_are_never_success),
		cmocka_unit_test(flush_failure_leaves_all_in_doubt),
		cmocka_unit_test(failed_verification_is_said),
		cmocka_unit_test(early_ends_decide),
		cmocka_unit_test(missing_pass_is_no_success),
		cmocka_unit_test(refusals_and_our_bugs_have_statuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

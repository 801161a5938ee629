/* SPDX-License-Identifier: MIT */
/* The map of bad places against a model that has one cell for each byte. */
#include "base/extent.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A = 5, B = 84, LIST_MAX = 8, END = 0 /* no range has length 0 */ };

/* One change and what the map holds after it. */
struct step {
	enum { ADD, REMOVE } what;
	uint64_t offset, length;
	int code;
	struct extent after[LIST_MAX];
};

static void check_steps(unsigned capacity, const struct step *steps, size_t count)
{
	struct extent_map map;

	assert_int_equal(extent_map_init(&map, capacity), 0);
	for (size_t i = 0; i < count; i++) {
		const struct extent *after = steps[i].after;
		unsigned k = 0;

		if (steps[i].what == ADD)
			extent_map_add(&map, steps[i].offset, steps[i].length, steps[i].code);
		else
			extent_map_remove(&map, steps[i].offset, steps[i].length);
		for (; after[k].length != END; k++)
			if (k >= map.count || map.items[k].offset != after[k].offset ||
			    map.items[k].length != after[k].length ||
			    map.items[k].code != after[k].code)
				fail_msg("step %zu, range %u", i, k);
		if (map.count != k)
			fail_msg("step %zu: %u ranges", i, map.count);
	}
	extent_map_done(&map);
}

#define CHECK_STEPS(capacity, steps)                                                               \
	check_steps(capacity, steps, sizeof(steps) / sizeof((steps)[0]))

static void ranges_of_one_code_are_sorted_and_merged(void **state)
{
	static const struct step steps[] = {
		{ ADD, 100, 10, A, { { 100, 10, A } } },
		{ ADD, 50, 10, A, { { 50, 10, A }, { 100, 10, A } } },
		{ ADD, 0, 0, A, { { 50, 10, A }, { 100, 10, A } } },
		{ ADD, 60, 5, A, { { 50, 15, A }, { 100, 10, A } } }, /* touches from behind */
		{ ADD, 95, 5, A, { { 50, 15, A }, { 95, 15, A } } },  /* touches in front */
		{ ADD, 108, 7, A, { { 50, 15, A }, { 95, 20, A } } }, /* overlaps */
		{ ADD, 55, 1, A, { { 50, 15, A }, { 95, 20, A } } },  /* is inside */
		{ ADD, 65, 30, A, { { 50, 65, A } } },		      /* fills the gap */
		{ ADD, 200, 1, A, { { 50, 65, A }, { 200, 1, A } } },
		{ ADD, 40, 300, A, { { 40, 300, A } } }, /* covers all */
	};

	(void)state;
	CHECK_STEPS(LIST_MAX, steps);
}

static void of_two_codes_the_newer_takes_the_bytes(void **state)
{
	static const struct step steps[] = {
		{ ADD, 100, 100, A, { { 100, 100, A } } },
		{ ADD, 120, 10, B, { { 100, 20, A }, { 120, 10, B }, { 130, 70, A } } },
		{ ADD, 125, 20, A, { { 100, 20, A }, { 120, 5, B }, { 125, 75, A } } },
		{ ADD, 115, 5, B, { { 100, 15, A }, { 115, 10, B }, { 125, 75, A } } },
		{ ADD,
		  200,
		  10,
		  B,
		  { { 100, 15, A }, { 115, 10, B }, { 125, 75, A }, { 200, 10, B } } },
		{ ADD, 110, 95, B, { { 100, 10, A }, { 110, 100, B } } },
		{ ADD, 100, 10, B, { { 100, 110, B } } },
		{ ADD, 100, 110, 0, { { 100, 110, 0 } } },
	};

	(void)state;
	CHECK_STEPS(LIST_MAX, steps);
}

static void removing_trims_splits_and_empties(void **state)
{
	static const struct step steps[] = {
		{ REMOVE, 0, 100, 0, { { 0 } } },
		{ ADD, 100, 100, A, { { 100, 100, A } } },
		{ REMOVE, 0, 100, 0, { { 100, 100, A } } },
		{ REMOVE, 200, 100, 0, { { 100, 100, A } } },
		{ REMOVE, 150, 0, 0, { { 100, 100, A } } },
		{ REMOVE, 140, 20, 0, { { 100, 40, A }, { 160, 40, A } } },
		{ REMOVE, 90, 20, 0, { { 110, 30, A }, { 160, 40, A } } },
		{ REMOVE, 190, 20, 0, { { 110, 30, A }, { 160, 30, A } } },
		{ REMOVE, 130, 40, 0, { { 110, 20, A }, { 170, 20, A } } },
		{ REMOVE, 110, 20, 0, { { 170, 20, A } } },
		{ REMOVE, 0, UINT64_MAX, 0, { { 0 } } },
	};

	(void)state;
	CHECK_STEPS(LIST_MAX, steps);
}

static void ranges_reach_to_the_end_of_64_bits(void **state)
{
	static const struct step steps[] = {
		{ ADD, UINT64_MAX - 10, 10, A, { { UINT64_MAX - 10, 10, A } } },
		{ ADD, 0, UINT64_MAX, A, { { 0, UINT64_MAX, A } } },
		{ REMOVE, 1, UINT64_MAX - 2, 0, { { 0, 1, A }, { UINT64_MAX - 1, 1, A } } },
		{ ADD, UINT64_MAX, 0, A, { { 0, 1, A }, { UINT64_MAX - 1, 1, A } } },
	};

	(void)state;
	CHECK_STEPS(LIST_MAX, steps);
}

static void a_full_list_joins_over_the_smallest_gap(void **state)
{
	static const struct step steps[] = {
		{ ADD, 100, 10, A, { { 100, 10, A } } },
		{ ADD, 200, 10, A, { { 100, 10, A }, { 200, 10, A } } },
		{ ADD, 230, 10, B, { { 100, 10, A }, { 200, 10, A }, { 230, 10, B } } },
		/* gaps 90, 20, 160: the first of the joined two gives the code */
		{ ADD, 400, 10, A, { { 100, 10, A }, { 200, 40, A }, { 400, 10, A } } },
		/* inside what is there already: nothing to join */
		{ ADD, 210, 10, A, { { 100, 10, A }, { 200, 40, A }, { 400, 10, A } } },
		/* splitting one makes two too many; ranges that touch have the smallest gap */
		{ ADD, 210, 10, B, { { 100, 10, A }, { 200, 40, A }, { 400, 10, A } } },
		{ REMOVE, 400, 10, 0, { { 100, 10, A }, { 200, 40, A } } },
	};

	(void)state;
	CHECK_STEPS(3, steps);
}

static void a_full_list_keeps_what_it_cannot_split(void **state)
{
	struct extent_map map;

	(void)state;
	assert_int_equal(extent_map_init(&map, 1), 0);
	extent_map_add(&map, 100, 100, A);
	extent_map_remove(&map, 100, 10);
	extent_map_remove(&map, 190, 10);
	assert_false(map.coarse);
	assert_int_equal(extent_map_bytes(&map), 80);
	extent_map_remove(&map, 150, 1);
	assert_true(map.coarse);
	assert_int_equal(map.count, 1);
	assert_int_equal(map.items[0].offset, 110);
	assert_int_equal(map.items[0].length, 80);
	extent_map_remove(&map, 0, 1000);
	assert_int_equal(map.count, 0);
	extent_map_done(&map);
}

static void one_range_can_hold_everything(void **state)
{
	struct extent_map map;

	(void)state;
	assert_int_equal(extent_map_init(&map, 1), 0);
	extent_map_add(&map, 1000, 1, A);
	assert_false(map.coarse);
	extent_map_add(&map, 10, 1, B);
	assert_true(map.coarse);
	assert_int_equal(map.count, 1);
	assert_int_equal(map.items[0].offset, 10);
	assert_int_equal(map.items[0].length, 991);
	extent_map_done(&map);
}

static void a_copy_is_the_same_and_its_own(void **state)
{
	struct extent_map from, to;

	(void)state;
	assert_int_equal(extent_map_init(&from, 2), 0);
	assert_int_equal(extent_map_init(&to, LIST_MAX), 0);
	extent_map_add(&to, 7, 7, B);
	extent_map_add(&from, 0, 10, A);
	extent_map_add(&from, 20, 10, B);
	extent_map_add(&from, 25, 10, A);
	extent_map_copy(&to, &from);
	assert_int_equal(to.count, from.count);
	assert_int_equal(to.capacity, LIST_MAX);
	assert_true(to.coarse && from.coarse);
	for (unsigned i = 0; i < to.count; i++) {
		assert_int_equal(to.items[i].offset, from.items[i].offset);
		assert_int_equal(to.items[i].length, from.items[i].length);
		assert_int_equal(to.items[i].code, from.items[i].code);
	}
	extent_map_remove(&from, 0, 100);
	assert_int_equal(extent_map_bytes(&from), 0);
	assert_int_equal(extent_map_bytes(&to), 25);
	extent_map_done(&from);
	extent_map_done(&to);
}

static void a_map_of_zeros_can_be_freed(void **state)
{
	struct extent_map map = { 0 };

	(void)state;
	extent_map_done(&map);
	assert_int_equal(extent_map_init(&map, EXTENTS_MAX), 0);
	extent_map_done(&map);
	extent_map_done(&map);
	assert_null(map.items);
}

enum { MODEL_BYTES = 200, FREE = -1, CODES = 3, ROUNDS = 400, CHANGES = 100 };

/* The order every map keeps, whatever its capacity. */
static void check_order(const struct extent_map *map)
{
	assert_true(map->count <= map->capacity);
	for (unsigned i = 0; i < map->count; i++) {
		const struct extent *e = &map->items[i];

		assert_true(e->length > 0);
		if (!i)
			continue;
		assert_true(e[-1].offset + e[-1].length <= e->offset);
		if (e[-1].offset + e[-1].length == e->offset)
			assert_int_not_equal(e[-1].code, e->code);
	}
}

/* Exactly the model if nothing had to be joined; never less in any case. */
static void check_model(const struct extent_map *map, const int *model)
{
	int cells[MODEL_BYTES];
	uint64_t bytes = 0;

	for (unsigned i = 0; i < MODEL_BYTES; i++)
		cells[i] = FREE;
	for (unsigned i = 0; i < map->count; i++)
		for (uint64_t k = 0; k < map->items[i].length; k++, bytes++)
			cells[map->items[i].offset + k] = map->items[i].code;
	assert_int_equal(extent_map_bytes(map), bytes);
	if (!map->coarse)
		assert_memory_equal(cells, model, sizeof(cells));
	for (unsigned i = 0; i < MODEL_BYTES; i++)
		assert_false(model[i] != FREE && cells[i] == FREE);
}

static void change_both(struct extent_map *map, int *model)
{
	uint64_t offset = (uint64_t)rand() % MODEL_BYTES;
	uint64_t longest = rand() % 4 ? 12 : MODEL_BYTES;
	uint64_t length = (uint64_t)rand() % (longest + 1);
	int code = rand() % 3 ? rand() % CODES : FREE;

	if (length > MODEL_BYTES - offset)
		length = MODEL_BYTES - offset;
	if (code == FREE)
		extent_map_remove(map, offset, length);
	else
		extent_map_add(map, offset, length, code);
	for (uint64_t i = 0; i < length; i++)
		model[offset + i] = code;
}

static void random_changes_agree_with_the_model(void **state)
{
	static const unsigned capacities[] = { 1, 2, 3, 7, 20, MODEL_BYTES };
	unsigned exact = 0, coarse = 0;

	(void)state;
	srand(20261201);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned capacity =
			capacities[round % (sizeof(capacities) / sizeof(capacities[0]))];
		struct extent_map map;
		int model[MODEL_BYTES];

		for (unsigned i = 0; i < MODEL_BYTES; i++)
			model[i] = FREE;
		assert_int_equal(extent_map_init(&map, capacity), 0);
		for (unsigned i = 0; i < CHANGES; i++) {
			change_both(&map, model);
			check_order(&map);
			check_model(&map, model);
		}
		/* As many ranges as bytes always fit. */
		if (capacity == MODEL_BYTES)
			assert_false(map.coarse);
		*(map.coarse ? &coarse : &exact) += 1;
		extent_map_done(&map);
	}
	assert_true(exact && coarse);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_of_one_code_are_sorted_and_merged),
		cmocka_unit_test(of_two_codes_the_newer_takes_the_bytes),
		cmocka_unit_test(removing_trims_splits_and_empties),
		cmocka_unit_test(ranges_reach_to_the_end_of_64_bits),
		cmocka_unit_test(a_full_list_joins_over_the_smallest_gap),
		cmocka_unit_test(a_full_list_keeps_what_it_cannot_split),
		cmocka_unit_test(one_range_can_hold_everything),
		cmocka_unit_test(a_copy_is_the_same_and_its_own),
		cmocka_unit_test(a_map_of_zeros_can_be_freed),
		cmocka_unit_test(random_changes_agree_with_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/arena.h"

static void items_stay_in_order_and_begin_as_zero(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct {
		unsigned value, other;
	} *items = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < 5000; i++) {
		assert_non_null(LIST_ADD(arena, items, count));
		assert_int_equal(count, i + 1);
		assert_int_equal(items[i].value + items[i].other, 0);
		items[i].value = i;
	}
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(items[i].value, i);
	paradl_arena_free(arena);
}

static void a_list_is_as_it_was_when_memory_runs_out(void **state)
{
	(void)state;
	struct paradl_arena *const arena = arena_create_limited(1 << 14);
	unsigned *items = NULL;
	size_t count = 0;
	for (unsigned *added; (added = LIST_ADD(arena, items, count)); *added = (unsigned)count)
		assert_true(count < 1 << 14);
	assert_true(count >= LIST_FIRST);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(items[i], i + 1);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_stay_in_order_and_begin_as_zero),
		cmocka_unit_test(a_list_is_as_it_was_when_memory_runs_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

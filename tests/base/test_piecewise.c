/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points and segments at their knots, between them, and beyond both ends. */
#include "base/piecewise.h"
#include "test.h"

static const double xs[] = {1, 2, 4, 8}, ys[] = {10, 14, 20, 24};
static const struct points points = {xs, ys, 4};

static void points_are_met(void **state)
{
	(void)state;
	assert_true(points_below(&points, 0.5) == UINT32_MAX);
	for (unsigned i = 0; i < points.count; ++i) {
		assert_int_equal(points_below(&points, xs[i]), i);
		assert_close(points_proportional(&points, xs[i]), ys[i], 0);
	}
	assert_int_equal(points_below(&points, 100), 3);
	assert_close(points_between(&points, 1, 3), 17, 0);
	assert_close(points_proportional(&points, 6), 22, 0);
}

static void beyond_is_in_proportion(void **state)
{
	static const struct points one = {xs, ys, 1};
	(void)state;
	assert_close(points_proportional(&points, 0.25), 2.5, 0);
	assert_close(points_proportional(&points, 32), 96, 0);
	assert_close(points_proportional(&one, 3), 30, 0);
}

static void a_scaled_copy_leaves_the_points(void **state)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct points copy = points;
	(void)state;
	assert_true(points_scale(arena, &copy, 3, 2));
	assert_close(copy.y[3], 36, 0);
	assert_close(ys[3], 24, 0);
	assert_ptr_equal(copy.x, xs);
	paradl_arena_free(arena);
}

static void segments_hold_up_to_their_ends(void **state)
{
	static const struct segment segments[] = {{8, {1, 2}, 0}, {16, {9, 1}, 1}, {32, {17, 0.5}, 2}};
	(void)state;
	assert_int_equal(segment_at(segments, 3, 0), 0);
	assert_int_equal(segment_at(segments, 3, 8), 0);
	assert_int_equal(segment_at(segments, 3, 8.5), 1);
	assert_int_equal(segment_at(segments, 3, 64), 2);
	assert_close(line_s(&segments[1].line, 10), 19, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_met),
		cmocka_unit_test(beyond_is_in_proportion),
		cmocka_unit_test(a_scaled_copy_leaves_the_points),
		cmocka_unit_test(segments_hold_up_to_their_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

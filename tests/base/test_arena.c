/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/arena.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

static void memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t size = 1; size < 3000; size += 7) {
		unsigned char *const bytes = arena_alloc(arena, size, 1);
		assert_non_null(bytes);
		assert_int_equal((uintptr_t)bytes % _Alignof(max_align_t), 0);
		assert_true(is_zero(bytes, size));
		memset(bytes, 0xff, size);
	}
	paradl_arena_free(arena);
}

static void objects_do_not_overlap(void **state)
{
	(void)state;
	enum { COUNT = 2000 };
	struct paradl_arena *const arena = paradl_arena_create();
	static unsigned char *objects[COUNT];
	static const size_t sizes[] = {1, 16, 100, 5000, 33, 2000000, 0, 4096};
	for (size_t i = 0; i < COUNT; i++) {
		const size_t size = sizes[i % (i < 100 ? 8 : 5)];
		objects[i] = arena_alloc(arena, 1, size);
		assert_non_null(objects[i]);
		memset(objects[i], (int)(i % 251), size);
	}
	for (size_t i = 0; i < COUNT; i++) {
		const size_t size = sizes[i % (i < 100 ? 8 : 5)];
		for (size_t j = 0; j<size; j += size> 64 ? 61 : 1)
			assert_int_equal(objects[i][j], i % 251);
	}
	paradl_arena_free(arena);
}

static void too_much_is_null(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_null(arena_alloc(arena, SIZE_MAX, 2));
	assert_null(arena_alloc(arena, SIZE_MAX / 2 + 2, 2)); /* wraps to 2 */
	assert_null(arena_alloc(arena, 1, SIZE_MAX));
	assert_null(arena_alloc(arena, SIZE_MAX - 15, 1));
	assert_null(arena_copy(arena, "", SIZE_MAX));
	assert_non_null(arena_alloc(arena, 0, SIZE_MAX)); /* nothing is not too much */
	assert_non_null(arena_alloc(arena, SIZE_MAX, 0));
	paradl_arena_free(arena);
	paradl_arena_free(NULL);
}

static void a_limited_arena_ends(void **state)
{
	(void)state;
	struct paradl_arena *const arena = arena_create_limited(100);
	assert_non_null(arena_alloc(arena, 60, 1));
	assert_null(arena_alloc(arena, 41, 1));
	assert_non_null(arena_alloc(arena, 40, 1));
	assert_null(arena_text(arena, ""));
	assert_null(arena_printf(arena, "%d", 1));
	paradl_arena_free(arena);
}

static void text_is_copied(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	char source[] = "abcdef";
	const char *const copy = arena_copy(arena, source, 3), *const text = arena_text(arena, source);
	source[0] = 'x';
	assert_string_equal(copy, "abc");
	assert_string_equal(text, "abcdef");
	assert_string_equal(arena_copy(arena, NULL, 0), "");
	assert_string_equal(arena_printf(arena, "%s=%d", "degree", 16), "degree=16");
	assert_string_equal(arena_join(arena, "res2/", "act", "17"), "res2/act17");
	assert_string_equal(arena_join(arena, "", "", ""), "");
	for (int length = 250; length < 260; length++) /* about where a text is no longer short */
		assert_int_equal(strlen(arena_printf(arena, "%*d", length, 7)), length);
	const char *const wide = arena_printf(arena, "%*d", 100000, 7);
	assert_int_equal(strlen(wide), 100000);
	assert_int_equal(wide[99999], '7');
	paradl_arena_free(arena);
}

static void an_arena_within_has_what_is_left(void **state)
{
	(void)state;
	struct paradl_arena *const parent = arena_create_limited(10000);
	assert_non_null(arena_alloc(parent, 6000, 1));
	struct paradl_arena *const child = arena_create_within(parent);
	struct paradl_arena *const other = arena_create_within(parent);
	assert_non_null(arena_alloc(child, 4000, 1));
	assert_null(arena_alloc(child, 1, 1));
	assert_non_null(arena_alloc(arena_create_within(other), 3000, 1));
	assert_non_null(arena_alloc(parent, 4000, 1));
	paradl_arena_free(parent); /* and those within: leaks are errors */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(objects_do_not_overlap),
		cmocka_unit_test(too_much_is_null),
		cmocka_unit_test(a_limited_arena_ends),
		cmocka_unit_test(an_arena_within_has_what_is_left),
		cmocka_unit_test(text_is_copied),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/names.h"

enum color { RED, GREEN, BLUE };
const char *color_name(enum color color);
NAME_FUNCTION(color_name, enum color, "red", "green", "blue")

static const char *const names[] = {"ring", NULL, "tree", "gather"};

static void values_have_names(void **state)
{
	(void)state;
	assert_string_equal(color_name(BLUE), "blue");
	assert_string_equal(color_name((enum color)3), "");
	assert_string_equal(color_name((enum color) - 1), "");
}

static void names_are_found(void **state)
{
	char text[32];
	(void)state;
	assert_int_equal(name_index("tree", names, 4), 2);
	assert_int_equal(name_index("", names, 4), 4);
	names_join(names, 4, text, sizeof text);
	assert_string_equal(text, "ring, tree, gather");
}

static void a_hint_says_what_was_meant(void **state)
{
	struct paradl_error error = {.status = PARADL_USAGE};
	(void)state;
	assert_false(name_hint(&error, "gahter", names, 4, "see the list"));
	assert_string_equal(error.hint, "did you mean \"gather\"?");
	assert_false(name_hint(&error, "star", names, 4, "see the list"));
	assert_string_equal(error.hint, "see the list");
	static const char *const keys[] = {"memory_rate", "peak", "memory", "peaks_of"};
	assert_string_equal(suggest("mem", keys, 4), "memory");
	assert_string_equal(suggest("memory_ra", keys, 4), "memory_rate");
	assert_null(suggest("mem", (const char *const[]){"memory_rate", "memory_size"}, 2));
	assert_false(name_hint(NULL, "star", names, 4, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_names),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(a_hint_says_what_was_meant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shipped transformers are what their dimensions give. After a change of either, `model-shipped_transformers write`
 * in the root of the sources writes the files again.
 */
#include "model/build.h"

#include "base/file.h"
#include "model/transformers.h"

static const char *text_of(struct paradl_arena *arena, const struct shipped_transformer *shipped)
{
	struct paradl_error error = {0};
	const char *const text = transformer_write(arena, &shipped->shape, &error);
	const char *const schema = "{\n  \"$schema\": \"../schemas/model-1.schema.json\",";
	assert_non_null(text);
	assert_int_equal(text[0], '{');
	return arena_printf(arena, "%s%s", schema, text + 1);
}

static void files_are_what_their_dimensions_give(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED_TRANSFORMERS; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		size_t length = 0;
		const char *const path = arena_printf(arena, "models/%s.json", shipped_transformers[i].file);
		const char *const text = file_read(arena, path, 1 << 20, &length, &error);
		if (!text)
			fail_msg("%s: %s", path, error.message);
		assert_string_equal(text, text_of(arena, &shipped_transformers[i]));
		paradl_arena_free(arena);
	}
}

static int write_files(void)
{
	for (size_t i = 0; i < SHIPPED_TRANSFORMERS; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		FILE *const file =
			fopen(arena_printf(arena, "models/%s.json", shipped_transformers[i].file), "w");
		if (!file || fputs(text_of(arena, &shipped_transformers[i]), file) < 0 || fclose(file) != 0)
			return 1;
		paradl_arena_free(arena);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_what_their_dimensions_give),
	};
	if (argc == 2 && strcmp(argv[1], "write") == 0)
		return write_files();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

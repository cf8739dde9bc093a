/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions: an answer is a document, and what cannot be answered says why. Nothing is found by its name. */
#include "input.h"

enum { LONGEST = 16384 };

/* Commands that may take long on a large question, or read files of any name. */
static bool is_tried(const char *text)
{
	static const char *const left_out[] = {
		"gpus", "ranks", "vary", "topology", "/", "micro", "epochs", "rounds", "map"};
	for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
		if (strstr(text, left_out[i]))
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const char *const text = arena_copy(arena, (const char *)data, size);
	const struct paradl_question question = {.text = text, .length = size, .threads = 1};
	size_t length = 0;
	REQUIRE(text != NULL);
	if (size <= LONGEST && is_tried(text)) {
		const char *const answer = paradl_ask(arena, &question, &length, &error);
		if (answer)
			REQUIRE(length > 2 && answer[0] == '{' && answer[length - 2] == '}');
		else
			require_explained(&error);
	}
	paradl_arena_free(arena);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Good files damaged in one place, and what the reader says of each. */
#ifndef TESTS_MACHINE_DAMAGE_H
#define TESTS_MACHINE_DAMAGE_H

#include "test.h"

#include "base/json.h"

typedef bool check_function(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error);

struct damage {
	const char *from, *to; /* what stands in the good file exactly once, and what stands there instead */
	const char *error;     /* without the path: "line:column: /pointer: message" */
};

static inline void replace(char *out, size_t size, const char *text, const char *from, const char *to)
{
	const char *const at = strstr(text, from);
	assert_non_null(at);
	assert_null(strstr(at + 1, from));
	const int length = snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	assert_true(length > 0 && (size_t)length < size);
}

/* Runs the check on a text; "" when it is accepted, else the error. */
static inline void check_text(check_function *check, const char *text, char *message, size_t size)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	*message = '\0';
	if (!root || !check(arena, root, &findings, &error)) {
		assert_int_not_equal(error.status, PARADL_OK);
		paradl_error_format(&error, message, size);
	}
	paradl_arena_free(arena);
}

static inline void assert_damages(
	check_function *check, const char *good, const struct damage *damages, size_t count)
{
	char text[4096], message[2048];
	check_text(check, good, message, sizeof message);
	assert_string_equal(message, "");
	for (size_t i = 0; i < count; ++i) {
		replace(text, sizeof text, good, damages[i].from, damages[i].to);
		check_text(check, text, message, sizeof message);
		assert_string_equal(message, damages[i].error);
	}
}

#endif

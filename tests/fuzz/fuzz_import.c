/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The original tool's files: whatever import writes of them is JSON, and of a network it is a model. */
#include <unistd.h>

#include "base/json.h"
#include "input.h"
#include "model/model.h"

static void check_import(const char *extension, const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	char path[64];
	const char *text;

	snprintf(path, sizeof(path), "/tmp/paradl-fuzz-%ld%s", (long)getpid(), extension);
	input_write(path, data, size);
	text = paradl_import(arena, path, NULL, &findings, &error);
	if (text != NULL) {
		const struct json *root = json_parse(arena, text, strlen(text), "output", &error);

		REQUIRE(root != NULL);
		REQUIRE(strcmp(extension, ".net") != 0 || model_build(arena, root, NULL, &error) != NULL);
	} else {
		require_explained(&error);
	}
	remove(path);
	paradl_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_import(".net", data, size);
	check_import(".plat", data, size);
	return 0;
}

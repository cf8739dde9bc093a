/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX files: whatever import writes of them is a model, and whatever it refuses it explains. */
#include <unistd.h>

#include "base/json.h"
#include "input.h"
#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const shapes[] = {"y=1,4,8,8"};
	const struct paradl_import_options options = {
		.from = "onnx", .shapes = shapes, .shape_count = size > 0 && data[size - 1] == 'y'};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	char path[64];
	const char *text;

	snprintf(path, sizeof(path), "/tmp/paradl-fuzz-%ld.onnx", (long)getpid());
	input_write(path, data, size);
	text = paradl_import(arena, path, &options, &findings, &error);
	if (text != NULL) {
		const struct json *root = json_parse(arena, text, strlen(text), "output", &error);

		REQUIRE(root != NULL);
		REQUIRE(model_build(arena, root, NULL, &error) != NULL);
		REQUIRE(findings.note != NULL);
	} else {
		require_explained(&error);
		REQUIRE(strstr(error.message, "cannot be a model") == NULL);
	}
	remove(path);
	paradl_arena_free(arena);
	return 0;
}

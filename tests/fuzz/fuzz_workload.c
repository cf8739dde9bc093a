/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads in YAML: whatever import writes of one is a model, and a data set of the same samples. */
#include <unistd.h>

#include "base/json.h"
#include "input.h"
#include "model/model.h"

static const struct json *written(
	struct paradl_arena *arena, const char *text, const struct paradl_error *reason, const char *format)
{
	struct paradl_error error = {0};
	const struct json *root;

	if (text == NULL) {
		require_explained(reason);
		return NULL;
	}
	root = json_parse(arena, text, strlen(text), "output", &error);
	REQUIRE(root != NULL && strcmp(json_member(root, "format")->string, format) == 0);
	return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	const struct paradl_import_options alone = {.dataset = true};
	char path[64];
	const struct json *model, *dataset;

	snprintf(path, sizeof(path), "/tmp/paradl-fuzz-%ld.yaml", (long)getpid());
	input_write(path, data, size);
	model = written(arena, paradl_import(arena, path, NULL, &findings, &error), &error, "paradl-model");
	memset(&error, 0, sizeof(error));
	dataset = written(
		arena, paradl_import(arena, path, &alone, &findings, &error), &error, "paradl-dataset");
	if (model != NULL) {
		REQUIRE(model_build(arena, model, NULL, &error) != NULL);
		REQUIRE(dataset != NULL);
	}
	remove(path);
	paradl_arena_free(arena);
	return 0;
}

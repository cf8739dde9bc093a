/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The importer of the original tool's files with a layer configuration, and where only the content says what a file is.
 * What comes out is JSON of the format it says; a model is accepted by the reader.
 */
#include <unistd.h>

#include "base/json.h"
#include "input.h"
#include "model/model.h"

enum { DIVIDER = 2 }; /* bytes of its line */

/* A line of '%' alone divides a network from its layer configuration. */
static size_t network_size(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i + 2 < size; i++)
		if (data[i] == '\n' && data[i + 1] == '%' && data[i + 2] == '\n')
			return i + 1;
	return size;
}

static void check_import(const char *network, const char *config)
{
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_import_options options = {.layer_config = config};
	const char *const text = paradl_import(arena, network, &options, &findings, &error);
	if (text) {
		const struct json *const root = json_parse(arena, text, strlen(text), "imported", &error);
		REQUIRE(root && strcmp(json_member(root, "format")->string, findings.format) == 0);
		if (strcmp(findings.format, "paradl-model") == 0)
			REQUIRE(model_build(arena, root, NULL, &error) != NULL);
	} else {
		require_explained(&error);
	}
	paradl_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char network[64], config[64];
	const size_t first = network_size(data, size);
	const bool has_config = first < size;
	snprintf(network, sizeof network, "/tmp/paradl-fuzz-%ld-network", (long)getpid());
	snprintf(config, sizeof config, "/tmp/paradl-fuzz-%ld-layers", (long)getpid());
	input_write(network, data, first);
	if (has_config)
		input_write(config, data + first + DIVIDER, size - first - DIVIDER);
	check_import(network, has_config ? config : NULL);
	remove(network);
	if (has_config)
		remove(config);
	return 0;
}

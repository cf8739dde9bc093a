/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "import/original.h"

/* Recognises a file by its name, or because its first line that is no comment has fields. */
static bool knows(const struct import_source *source)
{
	const char *line = source->head.text;
	if (import_is_named(source, ".net"))
		return true;
	while (*line == '#' || (*line != '\0' && line[strspn(line, " \t\r")] == '\n')) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return !source->root && line[strcspn(line, "|\n")] == '|';
}

static bool convert(struct importing *importing, struct json_writer *writer)
{
	struct net net;
	struct import_file file, config;
	const char *const config_path = importing->options->layer_config;
	if (!import_lines(importing, &file) || !net_read(importing->arena, &file, &net))
		return false;
	if (config_path && (!import_file_read(importing->arena, config_path, &config, importing->error) ||
				   !layer_config_read(&config, &net, &importing->warnings)))
		return false;
	return net_write(importing->arena, &net, file.path, writer, &importing->warnings) ||
	       out_of_memory(importing->error);
}

static const char *read(struct importing *importing)
{
	struct import_writing writing;
	if (!import_writing_begin(importing, &writing))
		return NULL;
	return import_writing_end(importing, &writing, convert(importing, &writing.writer));
}

const struct importer importer_net = {
	.name = "net",
	.summary = "network of the original ParaDL: .net, .net_sc",
	.becomes = "paradl-model",
	.options = IMPORT_LAYER_CONFIG,
	.knows = knows,
	.read = read,
};

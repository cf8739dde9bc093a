/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "base/yaml.h"
#include "import/workload.h"

static bool knows(const struct import_source *source)
{
	return !source->root && workload_is(source->path, source->head.text);
}

static const char *write(struct importing *importing, const struct workload *workload)
{
	struct import_writing writing;
	if (!import_writing_begin(importing, &writing))
		return NULL;
	const bool written =
		workload_write(importing->arena, workload, importing->options->dataset, &writing.writer);
	if (!written)
		out_of_memory(importing->error);
	return import_writing_end(importing, &writing, written);
}

static const char *read(struct importing *importing)
{
	struct workload workload;
	size_t length = 0;
	const char *const path = importing->source.path, *const text = import_text(importing, &length);
	const struct json *const root =
		text ? yaml_parse(importing->arena, text, length, path, importing->error) : NULL;
	if (!root || !workload_read(root, &workload, &importing->warnings, importing->error))
		return NULL;
	if (workload.compute_s > 0)
		importing->note = workload_note(importing->arena, &workload);
	if (workload.compute_s > 0 || importing->options->dataset)
		return write(importing, &workload);
	error_at(importing->error, PARADL_SCHEMA, path, 0, 0,
		"has no computation_time: nothing says how fast samples are wanted");
	error_hint(importing->error, "--as dataset writes its data set alone");
	return NULL;
}

const struct importer importer_dlio = {
	.name = "dlio",
	.summary = "workload of DLIO or MLPerf Storage, YAML",
	.becomes = "paradl-model",
	.options = IMPORT_DATASET,
	.knows = knows,
	.read = read,
};

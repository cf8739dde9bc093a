/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts files of other tools to native text, checks that the text can be read, and writes its JSON. */
#include "import/importer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "machine/machine.h"
#include "model/model.h"

enum {
#define X(id) IMPORTER_##id,
#include "import/list.def"
#undef X
	IMPORTER_COUNT
};

/* Names of options for an error about a format that has no meaning for them. */
static const struct {
	enum import_option option;
	const char *what;
} option_names[] = {
	{IMPORT_LAYER_CONFIG, "a layer configuration"},
	{IMPORT_DATASET, "a data set alone"},
	{IMPORT_WEIGHTS, "a file of weights"},
	{IMPORT_SHAPES, "a shape"},
	{IMPORT_ASSUME, "a type to assume"},
	{IMPORT_PART, "a part"},
};

static bool options_fit(const struct importer *importer, const struct paradl_import_options *options,
	struct paradl_error *error)
{
	const unsigned given =
		(options->layer_config ? IMPORT_LAYER_CONFIG : 0) | (options->dataset ? IMPORT_DATASET : 0) |
		(options->weights ? IMPORT_WEIGHTS : 0) | (options->assume ? IMPORT_ASSUME : 0) |
		(options->text_only ? IMPORT_PART : 0) |
		(options->input || options->shape_count > 0 ? IMPORT_SHAPES : 0);
	for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
		if (given & ~importer->options & option_names[i].option)
			return error_set(error, PARADL_USAGE, "%s does not go with files of the format %s",
				option_names[i].what, importer->name);
	return true;
}

const char *import_convert(struct paradl_arena *arena, const struct import_source *source,
	const struct importer *importer, const struct paradl_import_options *options,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct importing importing = {
		.arena = arena,
		.source = *source,
		.options = options,
		.warnings = {.arena = arena},
		.error = error,
	};
	if (importer->needs_json && !source->root)
		importing.source.root = import_native(arena, source, error);
	const bool can =
		options_fit(importer, options, error) && (!importer->needs_json || importing.source.root);
	const char *const text = can ? importer->read(&importing) : NULL;
	const char *const format = options->dataset ? "paradl-dataset" : importer->becomes;
	if (!text || !warnings_finish(&importing.warnings, format, findings, error))
		return NULL;
	findings->note = importing.note;
	return text;
}

/* Returns whether a tree is of a file that fio or IOR writes. */
static bool is_measured(const struct json *root)
{
	return json_member(root, "fio version") || (json_member(root, "tests") && json_member(root, "Began"));
}

static bool unknown_file(const struct import_source *source, struct paradl_error *error)
{
	const struct json *const format = source->root ? json_member(source->root, "format") : NULL;
	if (source->root && is_measured(source->root)) {
		error_at(error, PARADL_USAGE, source->path, 0, 0, "has measurements, which are not imported");
		error_hint(error, "'paradl fit %s --into HW.json' puts them into a machine's profile",
			source->path);
	} else if (format && format->kind == JSON_STRING) {
		json_error(format, error, "has a \"format\": it is a file of paradl's own");
	} else {
		error_at(error, PARADL_SCHEMA, source->path, 0, 0, "is in no format that is known");
		error_hint(error, "'paradl list formats' shows those that are read; --from says which it is");
	}
	return false;
}

static const struct importer *importer_named(const char *name, struct paradl_error *error)
{
	const char *names[IMPORTER_COUNT];
	char quoted[64];
	for (size_t i = 0; i < IMPORTER_COUNT; i++) {
		names[i] = importers[i]->name;
		if (strcmp(names[i], name) == 0)
			return importers[i];
	}
	error_set(error, PARADL_USAGE, "there is no format %s", error_quote(quoted, sizeof quoted, name));
	name_hint(error, name, names, IMPORTER_COUNT, "'paradl list formats' shows them");
	return NULL;
}

static const struct importer *importer_choose(
	const struct import_source *source, const char *name, struct paradl_error *error)
{
	const struct importer *const importer = name ? importer_named(name, error) : import_recognise(source);
	if (!importer && !name)
		unknown_file(source, error);
	return importer;
}

static bool tree_is_good(
	struct paradl_arena *arena, const struct json *root, const char *format, struct paradl_error *error)
{
	struct dataset dataset;
	struct paradl_machine machine;
	if (strcmp(format, "paradl-dataset") == 0)
		return dataset_file_read(root, 1, &dataset, error);
	if (strcmp(format, "paradl-hw") == 0)
		return machine_read(arena, root, &machine, error);
	return model_build(arena, root, NULL, error) != NULL;
}

/* Returns whether the text that was written can be read: a file may hold more than a model can express. */
static bool reads_back(const char *path, const char *text, const char *format, struct paradl_error *error)
{
	struct paradl_error reason = {.status = PARADL_OK};
	struct paradl_arena *const scratch = paradl_arena_create();
	const struct json *const root =
		scratch ? json_parse(scratch, text, strlen(text), path, &reason) : NULL;
	const bool reads = root && tree_is_good(scratch, root, format, &reason);
	paradl_arena_free(scratch);
	if (reads)
		return true;
	return error_at(error, PARADL_SCHEMA, path, 0, 0, "cannot be a %s: %s",
		strcmp(format, "paradl-hw") == 0        ? "machine"
		: strcmp(format, "paradl-dataset") == 0 ? "data set"
							: "model",
		reason.message);
}

const char *paradl_import(struct paradl_arena *arena, const char *path,
	const struct paradl_import_options *options, struct paradl_findings *findings,
	struct paradl_error *error)
{
	static const struct paradl_import_options none = {.from = NULL};
	struct import_source source;
	if (!options)
		options = &none;
	if (!import_open(arena, path, &source, error) || !import_parse(arena, &source, error))
		return NULL;
	const struct importer *const importer = importer_choose(&source, options->from, error);
	const char *const text =
		importer ? import_convert(arena, &source, importer, options, findings, error) : NULL;
	return text && reads_back(path, text, findings->format, error) ? text : NULL;
}

struct paradl_format paradl_format(size_t index)
{
	if (index >= IMPORTER_COUNT)
		return (struct paradl_format){.name = NULL};
	const struct importer *const importer = importers[index];
	return (struct paradl_format){importer->name, importer->becomes, importer->summary};
}

bool import_writing_begin(struct importing *importing, struct import_writing *writing)
{
	*writing = (struct import_writing){.text = NULL};
	writing->writer.file = open_memstream(&writing->text, &writing->length);
	return writing->writer.file || out_of_memory(importing->error);
}

const char *import_writing_end(struct importing *importing, struct import_writing *writing, bool written)
{
	const char *text = NULL;
	const bool closed = fclose(writing->writer.file) == 0;
	if (written && closed)
		text = arena_copy(importing->arena, writing->text, writing->length);
	if (written && !text)
		out_of_memory(importing->error);
	free(writing->text);
	return text;
}

void import_quantity(struct json_writer *writer, const char *key, double value, const char *unit)
{
	enum { UNIT_SPACE = 16, DIGITS = 16 };
	char text[DECIMAL_LENGTH + UNIT_SPACE];
	decimal_general(text, DECIMAL_LENGTH, value, DIGITS);
	(void)strncat(text, unit, sizeof text - strlen(text) - 1);
	json_write_text(writer, key, text);
}

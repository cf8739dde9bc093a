/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models and machines of files of any format. */
#include <string.h>

#include "base/error.h"
#include "import/import.h"
#include "machine/machine.h"
#include "model/model.h"

/* A file on its way: findings NULL says that it is native. */
struct loaded {
	const struct json *root;
	struct paradl_findings *findings;
};

static bool load(struct paradl_arena *arena, const char *path, const char *format, struct loaded *loaded,
	struct paradl_error *error)
{
	static const struct paradl_import_options none = {.from = NULL};
	struct import_source source;
	if (!import_open(arena, path, &source, error) || !import_parse(arena, &source, error))
		return false;
	const struct importer *const importer = import_recognise(&source);
	*loaded = (struct loaded){.root = NULL};
	if (!importer) {
		loaded->root = import_native(arena, &source, error);
		return loaded->root != NULL;
	}
	if (strcmp(importer->becomes, format) != 0)
		return error_at(error, PARADL_SCHEMA, path, 0, 0, "is a %s (%s), not a %s",
			strcmp(format, "paradl-hw") == 0 ? "model" : "machine", importer->name,
			strcmp(format, "paradl-hw") == 0 ? "machine" : "model");
	loaded->findings = arena_alloc(arena, 1, sizeof *loaded->findings);
	if (!loaded->findings)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	const char *const text = import_convert(arena, &source, importer, &none, loaded->findings, error);
	loaded->root = text ? json_parse(arena, text, strlen(text), path, error) : NULL;
	return loaded->root != NULL;
}

/* An error in text that nobody has seen has no place. Those in changes and other files keep theirs. */
static void rephrase(const char *path, const char *what, struct paradl_error *error)
{
	char reason[sizeof error->message];
	if (!error || error->status != PARADL_SCHEMA || strcmp(error->path, path) != 0)
		return;
	memcpy(reason, error->message, sizeof reason);
	*error = (struct paradl_error){.status = PARADL_OK};
	error_at(error, PARADL_SCHEMA, path, 0, 0, "cannot be a %s: %.400s", what, reason);
}

const struct paradl_model *paradl_model_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	return paradl_model_load_changed(arena, path, NULL, error);
}

const struct paradl_model *paradl_model_load_changed(struct paradl_arena *arena, const char *path,
	const struct paradl_changes *changes, struct paradl_error *error)
{
	struct loaded loaded;
	if (!load(arena, path, "paradl-model", &loaded, error))
		return NULL;
	const struct paradl_model *const model = model_build_changed(arena, loaded.root, changes, error);
	if (!loaded.findings)
		return model;
	struct paradl_model *const imported = arena_alloc(arena, 1, sizeof *imported);
	if (!model)
		rephrase(path, "model", error);
	else if (!imported)
		error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!model || !imported)
		return NULL;
	*imported = *model;
	imported->imported = loaded.findings;
	return imported;
}

const struct paradl_machine *paradl_machine_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	return paradl_machine_load_changed(arena, path, NULL, NULL, error);
}

const struct paradl_machine *paradl_machine_load_from(struct paradl_arena *arena, const char *path,
	const char *const *directories, struct paradl_error *error)
{
	return paradl_machine_load_changed(arena, path, directories, NULL, error);
}

const struct paradl_machine *paradl_machine_load_changed(struct paradl_arena *arena, const char *path,
	const char *const *directories, const struct paradl_changes *changes, struct paradl_error *error)
{
	struct loaded loaded;
	if (!load(arena, path, "paradl-hw", &loaded, error))
		return NULL;
	struct paradl_machine *const machine = machine_build(arena, loaded.root, directories, changes, error);
	if (machine)
		machine->imported = loaded.findings;
	else if (loaded.findings)
		rephrase(path, "machine", error);
	return machine;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and recognises files of any format, and loads them as models and machines. */
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/source.h"
#include "import/importer.h"
#include "machine/machine.h"
#include "model/model.h"

enum { PIPE_LIMIT_BYTES = 1 << 30 };

const struct importer *const importers[] = {
#define X(id) &importer_##id,
#include "import/list.def"
#undef X
	NULL,
};

bool import_open(struct paradl_arena *arena, const char *path, struct import_source *source,
	struct paradl_error *error)
{
	*source = (struct import_source){.path = path};
	return file_head_read(arena, path, IMPORT_HEAD_BYTES, PIPE_LIMIT_BYTES, &source->head, error);
}

bool import_parse(struct paradl_arena *arena, struct import_source *source, struct paradl_error *error)
{
	const char *const text = source->head.text;
	if (text[strspn(text, " \t\r\n")] != '{')
		return true;
	source->root = import_native(arena, source, error);
	return source->root != NULL;
}

static bool is_native(const struct json *root)
{
	static const char start[] = "paradl-";
	const struct json *const format = json_member(root, "format");
	return format && format->kind == JSON_STRING && strncmp(format->string, start, sizeof start - 1) == 0;
}

const struct importer *import_recognise(const struct import_source *source)
{
	if (source->root && is_native(source->root))
		return NULL;
	for (size_t i = 0; importers[i]; i++)
		if (importers[i]->knows(source))
			return importers[i];
	return NULL;
}

/*
 * Overwrites the numbers of Python's json that JSON does not have. Infinity becomes a number larger than any that
 * means something, NaN a text, so that a key that is read refuses either. Returns whether there were any.
 */
static bool python_numbers(char *text, size_t length)
{
	static const struct {
		const char *word, *instead;
	} words[] = {{"Infinity", "1e308   "}, {"NaN", "\"\" "}};
	bool in_text = false, found = false;
	for (size_t i = 0; i < length; i++) {
		if (in_text && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_text = !in_text;
		for (size_t w = 0; !in_text && w < sizeof words / sizeof words[0]; w++)
			if (strncmp(text + i, words[w].word, strlen(words[w].word)) == 0) {
				memcpy(text + i, words[w].instead, strlen(words[w].instead));
				i += strlen(words[w].word) - 1;
				found = true;
				break;
			}
	}
	return found;
}

/*
 * Parses a file of another tool that Python's json may have written with such numbers; native files are strict. NULL:
 * it is no such file.
 */
static const struct json *parse_python(
	struct paradl_arena *arena, const struct import_source *source, struct paradl_error *error)
{
	size_t length = source->head.length;
	char *const text = source->head.is_whole
				   ? arena_copy(arena, source->head.text, length)
				   : file_read(arena, source->path, IMPORT_SIZE_LIMIT, &length, error);
	if (!text || !python_numbers(text, length))
		return NULL;
	const struct json *const root = json_parse(arena, text, length, source->path, NULL);
	return root && !is_native(root) ? root : NULL;
}

const struct json *import_native(
	struct paradl_arena *arena, const struct import_source *source, struct paradl_error *error)
{
	if (source->root)
		return source->root;
	const struct file_head *const head = &source->head;
	const struct json *const root =
		head->is_whole ? json_parse(arena, head->text, head->length, source->path, error)
			       : json_load(arena, source->path, error);
	const struct json *const python =
		root || !error || error->status != PARADL_SYNTAX ? NULL : parse_python(arena, source, NULL);
	if (python)
		*error = (struct paradl_error){.status = PARADL_OK};
	return python ? python : root;
}

char *import_text(struct importing *importing, size_t *length)
{
	const struct import_source *const source = &importing->source;
	if (!source->head.is_whole)
		return file_read(importing->arena, source->path, IMPORT_SIZE_LIMIT, length, importing->error);
	char *const text = arena_copy(importing->arena, source->head.text, source->head.length);
	*length = source->head.length;
	if (!text)
		out_of_memory(importing->error);
	return text;
}

const char *import_file_name(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* A loaded file; findings is NULL where the file is native. */
struct loaded {
	const struct json *root;
	struct paradl_findings *findings;
};

/* Returns whether a change says how long sequences are. */
static bool sets_sequence(const struct paradl_changes *changes)
{
	for (size_t i = 0; changes && i < changes->count; i++)
		if (changes->items[i].scope == CHANGE_MODEL && changes->items[i].value &&
			strcmp(changes->items[i].key, "dims.seq") == 0)
			return true;
	return false;
}

static bool load(struct paradl_arena *arena, const char *path, const char *format,
	const struct paradl_changes *changes, struct loaded *loaded, struct paradl_error *error)
{
	const struct paradl_import_options options = {.sequence_given = sets_sequence(changes)};
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
		return out_of_memory(error);
	const char *const text = import_convert(arena, &source, importer, &options, loaded->findings, error);
	if (text &&
		!arena_keep(arena, path, text, strlen(text))) /* the path stands for this text from now on */
		return out_of_memory(error);
	loaded->root = text ? json_parse(arena, text, strlen(text), path, error) : NULL;
	return loaded->root != NULL;
}

/*
 * Removes the place from an error in imported text, which nobody has seen. Errors in changes and other files keep
 * theirs.
 */
static void rephrase(const char *path, const char *what, struct paradl_error *error)
{
	char reason[sizeof error->message];
	if (!error || error->status != PARADL_SCHEMA || strcmp(error->path, path) != 0)
		return;
	memcpy(reason, error->message, sizeof reason);
	*error = (struct paradl_error){.status = PARADL_OK};
	error_at(error, PARADL_SCHEMA, path, 0, 0, "cannot be a %s: %.400s", what, reason);
}

/* Returns whether all dimensions are the file's own: a change that adds one, which no layer reads, is a mistake. */
static bool dimensions_known(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_error *error)
{
	const struct json *const own = json_member(file, "dims"), *const now = json_member(root, "dims");
	const char *has = "none";
	for (const struct json *dim = own ? own->child : NULL; dim; dim = dim->next)
		if (!(has = dim == own->child ? dim->key : arena_printf(arena, "%s, %s", has, dim->key)))
			return out_of_memory(error);
	for (const struct json *dim = now ? now->child : NULL; dim; dim = dim->next)
		if (!own || !json_member(own, dim->key)) {
			error_set(error, PARADL_USAGE, "%s: the network has no dimension '%s'",
				json_path(dim), dim->key);
			return error_hint(error, "its dims: %s", has);
		}
	return true;
}

/* Builds the model with changes of its file; `changes` NULL: none. */
static const struct paradl_model *model_build_changed(struct paradl_arena *arena, const struct json *file,
	const struct paradl_changes *changes, struct paradl_error *error)
{
	const struct json *const root = changes_apply_all(arena, changes, CHANGE_MODEL, file, error);
	const bool known = root && (root == file || dimensions_known(arena, file, root, error));
	return known ? model_build(arena, root, NULL, error) : NULL;
}

const struct paradl_model *paradl_model_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error)
{
	struct loaded loaded;
	const char *const path = source_path(arena, source, "models", error);
	if (!path || !load(arena, path, "paradl-model", source->changes, &loaded, error))
		return NULL;
	const struct paradl_model *const model =
		model_build_changed(arena, loaded.root, source->changes, error);
	if (!loaded.findings)
		return model;
	struct paradl_model *const imported = arena_alloc(arena, 1, sizeof *imported);
	if (!model)
		rephrase(path, "model", error);
	else if (!imported)
		out_of_memory(error);
	if (!model || !imported)
		return NULL;
	*imported = *model;
	imported->imported = loaded.findings;
	return imported;
}

const struct paradl_machine *paradl_machine_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error)
{
	struct loaded loaded;
	const char *const path = source_path(arena, source, "hw-profiles", error);
	if (!path || !load(arena, path, "paradl-hw", NULL, &loaded, error))
		return NULL;
	struct paradl_machine *const machine =
		machine_build(arena, loaded.root, source->directories, source->changes, error);
	if (machine)
		machine->imported = loaded.findings ? loaded.findings : machine->imported;
	else if (loaded.findings)
		rephrase(path, "machine", error);
	return machine;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "import/import.h"

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

const struct json *import_native(
	struct paradl_arena *arena, const struct import_source *source, struct paradl_error *error)
{
	if (source->root)
		return source->root;
	const struct file_head *const head = &source->head;
	return head->is_whole ? json_parse(arena, head->text, head->length, source->path, error)
			      : json_load(arena, source->path, error);
}

char *import_text(struct importing *importing, size_t *length)
{
	const struct import_source *const source = &importing->source;
	if (!source->head.is_whole)
		return file_read(importing->arena, source->path, IMPORT_SIZE_LIMIT, length, importing->error);
	char *const text = arena_copy(importing->arena, source->head.text, source->head.length);
	*length = source->head.length;
	if (!text)
		import_out_of_memory(importing);
	return text;
}

const char *import_file_name(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

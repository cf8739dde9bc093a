/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds networks in code: what a program adds is written as a paradl-model(5) file, and read like any other, so that
 * a network means the same however it was made.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "paradl.h"

struct paradl_layers {
	struct paradl_arena *arena;
	const char *name, *path;
	const char **objects, **layers; /* members of the file, and items of its list, as JSON */
	size_t object_count, layer_count;
	struct paradl_error error; /* the first one */
};

struct paradl_layers *paradl_layers_begin(
	struct paradl_arena *arena, const char *name, struct paradl_error *error)
{
	struct paradl_layers *const layers = arena_alloc(arena, 1, sizeof *layers);
	const char *const copy = layers ? arena_text(arena, name) : NULL;
	const char *const path = copy ? arena_printf(arena, "%s.json", copy) : NULL;
	if (!path)
		return out_of_memory_null(error);
	*layers = (struct paradl_layers){.arena = arena, .name = copy, .path = path};
	return layers;
}

/* Writes one member; false with an error where its value is no JSON. */
static bool member_write(
	struct paradl_layers *layers, struct json_writer *writer, const struct paradl_member *member)
{
	if (member->json) {
		struct paradl_error why = {0};
		if (!json_parse(layers->arena, member->json, strlen(member->json), layers->path, &why))
			return error_set(&layers->error, why.status, "\"%s\" is no JSON value: %s: %s",
				member->key, member->json, why.message);
		json_write_raw(writer, member->key, member->json);
	} else if (member->text)
		json_write_text(writer, member->key, member->text);
	else
		json_write_number(writer, member->key, member->number);
	return true;
}

/* Returns the text of an object, or of a layer, which begins with its type; NULL with layers->error. */
static const char *object_text(
	struct paradl_layers *layers, const char *type, const struct paradl_member *members)
{
	char *written = NULL;
	size_t length = 0;
	FILE *const file = open_memstream(&written, &length);
	if (!file) {
		out_of_memory(&layers->error);
		return NULL;
	}
	struct json_writer writer = {.file = file, .compact = true};
	json_begin_object(&writer, NULL);
	if (type)
		json_write_text(&writer, "type", type);
	while (members && members->key && member_write(layers, &writer, members))
		++members;
	json_end_object(&writer);
	const bool is_whole = fclose(file) == 0;
	const char *const text = is_whole ? arena_copy(layers->arena, written, strcspn(written, "\n")) : NULL;
	free(written);
	if (!text)
		out_of_memory(&layers->error);
	return layers->error.status == PARADL_OK ? text : NULL;
}

void paradl_layers_set(struct paradl_layers *layers, const char *key, const struct paradl_member *members)
{
	if (!layers || layers->error.status != PARADL_OK)
		return;
	const char *const text = object_text(layers, NULL, members);
	const char **const slot =
		text ? LIST_ADD(layers->arena, layers->objects, layers->object_count) : NULL;
	if (slot)
		*slot = arena_printf(layers->arena, "\"%s\": %s", key, text);
	if (text && !(slot && *slot))
		out_of_memory(&layers->error);
}

void paradl_layers_add(struct paradl_layers *layers, const char *type, const struct paradl_member *members)
{
	if (!layers || layers->error.status != PARADL_OK)
		return;
	const char *const text = object_text(layers, type, members);
	const char **const slot = text ? LIST_ADD(layers->arena, layers->layers, layers->layer_count) : NULL;
	if (slot)
		*slot = text;
	else if (text)
		out_of_memory(&layers->error);
}

/* Writes the file of the network. */
static void file_write(FILE *file, const struct paradl_layers *layers)
{
	struct json_writer writer = {.file = file, .compact = true};
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "format", "paradl-model");
	json_write_number(&writer, "version", 1);
	json_write_text(&writer, "name", layers->name);
	for (size_t i = 0; i < layers->object_count; ++i)
		fprintf(file, ",\n%s", layers->objects[i]);
	fputs(",\n\"layers\": [", file);
	for (size_t i = 0; i < layers->layer_count; ++i)
		fprintf(file, "%s\n%s", i > 0 ? "," : "", layers->layers[i]);
	fputs("]", file);
	json_end_object(&writer);
}

const struct paradl_model *paradl_layers_end(struct paradl_layers *layers, struct paradl_error *error)
{
	char *written = NULL;
	size_t length = 0;
	if (!layers)
		return NULL;
	FILE *const file = layers->error.status == PARADL_OK ? open_memstream(&written, &length) : NULL;
	if (file)
		file_write(file, layers);
	else if (layers->error.status == PARADL_OK)
		out_of_memory(&layers->error);
	const bool is_whole = file && fclose(file) == 0;
	const struct paradl_source source = {.path = layers->path, .text = written, .length = length};
	const struct paradl_model *const model =
		is_whole ? paradl_model_load(layers->arena, &source, &layers->error) : NULL;
	free(written);
	if (!model && error)
		*error = layers->error;
	return model;
}

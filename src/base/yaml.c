/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/yaml.h"

#include "base/error.h"

#ifndef PARADL_YAML

const struct json *yaml_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error)
{
	(void)arena, (void)text, (void)length;
	error_at(error, PARADL_USAGE, path, 0, 0, "is YAML, which this paradl was built without");
	error_hint(error, "build it where libyaml is installed (Debian: libyaml-dev)");
	return NULL;
}

#else

#include <math.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/quantity.h"

struct builder {
	yaml_parser_t parser;
	struct paradl_arena *arena;
	const struct json_document *document;
	const char *path;
	unsigned values, depth;
	struct paradl_error *error;
};

static bool fault(const struct builder *builder, yaml_mark_t mark, const char *what)
{
	return error_at(builder->error, PARADL_SYNTAX, builder->path, (int)mark.line + 1,
		(int)mark.column + 1, "%s", what);
}

/* Parses the next event, which the caller deletes; false with an error. */
static bool next(struct builder *builder, yaml_event_t *event)
{
	const yaml_parser_t *const parser = &builder->parser;
	if (yaml_parser_parse(&builder->parser, event))
		return true;
	if (parser->error == YAML_MEMORY_ERROR)
		return out_of_memory(builder->error);
	if (parser->error == YAML_READER_ERROR)
		return error_at(builder->error, PARADL_SYNTAX, builder->path, 0, 0,
			"is not YAML: %s at byte %zu", parser->problem, parser->problem_offset + 1);
	char what[160];
	(void)snprintf(what, sizeof what, "is not YAML: %s", parser->problem ? parser->problem : "");
	return fault(builder, parser->problem_mark, what);
}

/* ---- scalars ---- */

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcasecmp(text, *words) == 0)
			return true;
	return false;
}

static bool number_read(const char *text, double *number)
{
	const char *end;
	const bool is_negative = *text == '-';
	if (*text == '-' || *text == '+')
		text++;
	if (!decimal_read(text, 0, number, &end) || *end != '\0' || !isfinite(*number))
		return false;
	if (is_negative)
		*number = -*number;
	return true;
}

static void plain_read(struct json *node)
{
	static const char *const nothing[] = {"", "~", "null", NULL};
	static const char *const yes[] = {"true", "yes", "on", NULL};
	static const char *const no[] = {"false", "no", "off", NULL};
	if (is_one_of(node->string, nothing))
		node->kind = JSON_NULL;
	else if (is_one_of(node->string, yes) || is_one_of(node->string, no))
		node->kind = JSON_BOOL;
	else if (number_read(node->string, &node->number))
		node->kind = JSON_NUMBER;
	node->boolean = node->kind == JSON_BOOL && is_one_of(node->string, yes);
	if (node->kind != JSON_STRING)
		node->string = NULL;
}

static const char *text_of(struct builder *builder, const yaml_event_t *event)
{
	const char *const value = (const char *)event->data.scalar.value;
	if (strlen(value) != event->data.scalar.length) {
		fault(builder, event->start_mark, "text with a NUL byte");
		return NULL;
	}
	const char *const text = arena_text(builder->arena, value);
	if (!text)
		out_of_memory(builder->error);
	return text;
}

/* ---- the tree ---- */

static bool node_build(struct builder *builder, const yaml_event_t *event, struct json *node);

static bool is_tagged(const yaml_event_t *event)
{
	if (event->type == YAML_SCALAR_EVENT)
		return event->data.scalar.tag;
	if (event->type == YAML_SEQUENCE_START_EVENT)
		return event->data.sequence_start.tag;
	return event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.tag;
}

static struct json *child_begin(
	struct builder *builder, struct json *parent, struct json *last, const yaml_event_t *event)
{
	if (++builder->values > YAML_VALUES_MAX) {
		fault(builder, event->start_mark, "there are more values than settings have");
		return NULL;
	}
	struct json *const child = arena_alloc(builder->arena, 1, sizeof *child);
	if (!child)
		return out_of_memory_null(builder->error);
	*child = (struct json){.document = builder->document, .parent = parent, .index = parent->count++};
	if (last)
		last->next = child;
	else
		parent->child = child;
	return child;
}

static bool key_read(struct builder *builder, const yaml_event_t *event, struct json *child)
{
	char key[80], what[160];
	if (event->type != YAML_SCALAR_EVENT)
		return fault(builder, event->start_mark, "a key is text");
	const char *const text = text_of(builder, event);
	if (!text)
		return false;
	for (const struct json *other = child->parent->child; other != child; other = other->next)
		if (strcmp(other->key, text) == 0) {
			(void)snprintf(what, sizeof what, "the key %s is there twice",
				error_quote(key, sizeof key, text));
			return fault(builder, event->start_mark, what);
		}
	child->key = text;
	return true;
}

/* Builds one child: its key, if the parent is a mapping, and its value. */
static bool child_build(struct builder *builder, const yaml_event_t *first, struct json *child)
{
	yaml_event_t event;
	if (child->parent->kind == JSON_ARRAY)
		return node_build(builder, first, child);
	if (!key_read(builder, first, child) || !next(builder, &event))
		return false;
	const bool built = node_build(builder, &event, child);
	yaml_event_delete(&event);
	return built;
}

static bool children_build(struct builder *builder, struct json *node)
{
	struct json *last = NULL;
	bool built = true, ended = false;
	while (built && !ended) {
		yaml_event_t event;
		if (!next(builder, &event))
			return false;
		ended = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
		if (!ended) {
			last = child_begin(builder, node, last, &event);
			built = last && child_build(builder, &event, last);
		}
		yaml_event_delete(&event);
	}
	return built;
}

static bool node_build(struct builder *builder, const yaml_event_t *event, struct json *node)
{
	node->line = (int)event->start_mark.line + 1;
	node->column = (int)event->start_mark.column + 1;
	if (event->type == YAML_ALIAS_EVENT)
		return fault(
			builder, event->start_mark, "aliases (*name) are not read: write the value itself");
	if (is_tagged(event))
		return fault(builder, event->start_mark, "tags (!name) are not read");
	if (event->type == YAML_SCALAR_EVENT) {
		node->kind = JSON_STRING;
		node->string = text_of(builder, event);
		if (node->string && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
			plain_read(node);
		return node->string || node->kind != JSON_STRING;
	}
	node->kind = event->type == YAML_SEQUENCE_START_EVENT ? JSON_ARRAY : JSON_OBJECT;
	if (++builder->depth > JSON_DEPTH)
		return fault(builder, event->start_mark, "is nested too deep");
	const bool built = children_build(builder, node);
	builder->depth--;
	return built;
}

/* Builds the one document of a stream: start of the stream, start of the document, the root, and the ends of both. */
static bool document_build(struct builder *builder, struct json *root)
{
	static const yaml_event_type_t frame[] = {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT,
		YAML_NO_EVENT, YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT};
	bool built = true;
	for (size_t i = 0; built && i < sizeof frame / sizeof frame[0]; i++) {
		yaml_event_t event;
		if (!next(builder, &event))
			return false;
		if (frame[i] == YAML_NO_EVENT)
			built = node_build(builder, &event, root);
		else if (event.type != frame[i])
			built = fault(builder, event.start_mark,
				event.type == YAML_STREAM_END_EVENT ? "there is nothing in it"
								    : "has more than one document");
		yaml_event_delete(&event);
	}
	return built;
}

const struct json *yaml_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error)
{
	struct builder builder = {.arena = arena, .path = path, .error = error};
	struct json *const root = arena_alloc(arena, 1, sizeof *root);
	builder.document = json_document(arena, path);
	if (length > YAML_SIZE_LIMIT) {
		error_at(error, PARADL_SYNTAX, path, 0, 0, "is larger than %d bytes", (int)YAML_SIZE_LIMIT);
		return NULL;
	}
	if (!root || !builder.document || !yaml_parser_initialize(&builder.parser))
		return out_of_memory_null(builder.error);
	*root = (struct json){.document = builder.document};
	yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&builder.parser, (const unsigned char *)text, length);
	const bool built = document_build(&builder, root);
	yaml_parser_delete(&builder.parser);
	return built ? root : NULL;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One layer's object: its type and its keys. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "model/description.h"

#define X(id) &layer_type_##id,
const struct layer_type *const layer_types[] = {
#include "model/list.def"
	NULL};
#undef X

enum { LAYER_TYPE_COUNT = sizeof(layer_types) / sizeof(layer_types[0]) - 1 };

static const char *const common_keys[] = {"name", "type", "freeze", "from", NULL};

/* Part of the format, not of this release. */
static const char *const later_types[] = {"gemm", NULL};

struct paradl_entry paradl_layer_type(size_t index)
{
	if (index >= LAYER_TYPE_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){layer_types[index]->name, layer_types[index]->summary};
}

const struct layer_type *layer_type_find(const char *name)
{
	for (size_t i = 0; layer_types[i]; i++)
		if (strcmp(layer_types[i]->name, name) == 0)
			return layer_types[i];
	return NULL;
}

const struct json *layer_place(const struct layer_keys *keys, const char *key)
{
	const struct json *const member = json_member(keys->node, key);
	return member ? member : keys->node;
}

const struct json *layer_input_place(const struct layer_keys *keys, unsigned i)
{
	const struct json *list = keys->branches ? keys->branches : json_member(keys->node, "from");
	const struct json *place = list ? list->child : NULL;
	for (; place && i > 0; i--)
		place = place->next;
	return place ? place : keys->node;
}

static bool type_unknown(const struct reader *reader, const struct json *type)
{
	const char *names[LAYER_TYPE_COUNT];
	char quoted[64];
	error_quote(quoted, sizeof(quoted), type->string);
	for (size_t i = 0; later_types[i]; i++)
		if (strcmp(type->string, later_types[i]) == 0)
			return json_error(type, reader->error, "layer type %s is not supported yet", quoted);
	for (size_t i = 0; i < LAYER_TYPE_COUNT; i++)
		names[i] = layer_types[i]->name;
	const char *const nearest = suggest(type->string, names, LAYER_TYPE_COUNT);
	json_error(type, reader->error, "%s is not a layer type%s%s%s", quoted,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
	error_hint(reader->error, "types: conv linear norm pool act add multiply concat upsample flatten "
				  "reshape dropout loss custom "
				  "embedding attention mlp moe head");
	return false;
}

static bool vector_read(
	const struct reader *reader, const char *name, unsigned minimum, struct layer_vector *vector)
{
	const struct json *const node = vector->node;
	if (!node || node->kind != JSON_ARRAY) {
		vector->count = 0;
		return !node || integer_read(reader, node, name, minimum, WINDOW_MAX, &vector->value[0]);
	}
	vector->count = node->count;
	if (node->count == 0 || node->count > DIMENSIONS_MAX)
		return json_error(node, reader->error, "%s has %u numbers; it must have one per dimension",
			name, node->count);
	for (const struct json *number = node->child; number; number = number->next)
		if (!integer_read(reader, number, name, minimum, WINDOW_MAX, &vector->value[number->index]))
			return false;
	return true;
}

static bool vectors_read(const struct reader *reader, struct layer_keys *keys)
{
	const struct json *const pad = keys->pad.node;
	if (pad && pad->kind == JSON_STRING && strcmp(pad->string, "same") == 0) {
		keys->pad_same = true;
		keys->pad.node = NULL;
	}
	return vector_read(reader, "kernel", 1, &keys->kernel) &&
	       vector_read(reader, "stride", 1, &keys->stride) && vector_read(reader, "pad", 0, &keys->pad) &&
	       vector_read(reader, "dilation", 1, &keys->dilation) &&
	       vector_read(reader, "scale", 1, &keys->scale) && vector_read(reader, "size", 1, &keys->size);
}

static bool out_shape_read(const struct reader *reader, struct layer_keys *keys)
{
	const struct json *const array = keys->out_shape;
	keys->shape = (struct tensor){.extent = {1, 1, 1}};
	if (!array)
		return true;
	if (array->count == 0 || array->count > DIMENSIONS_MAX + 1)
		return json_error(array, reader->error,
			"out_shape has %u numbers; it must have the channels and up to 3 extents",
			array->count);
	keys->shape.dimensions = array->count - 1;
	for (const struct json *number = array->child; number; number = number->next) {
		const unsigned i = number->index;
		if (!integer_read(reader, number, "out_shape", 1, EXTENT_MAX,
			    i == 0 ? &keys->shape.channels : &keys->shape.extent[i - 1]))
			return false;
	}
	return true;
}

static bool integers_read(const struct reader *reader, struct layer_keys *keys)
{
#define INTEGER(name, least, most)                                                                           \
	{                                                                                                    \
#name, offsetof(struct layer_keys, name), (least), (most)                                    \
	}
	static const struct {
		const char *name;
		size_t offset;
		unsigned minimum, maximum;
	} integers[] = {
		INTEGER(out, 1, EXTENT_MAX),
		INTEGER(groups, 1, EXTENT_MAX),
		INTEGER(axis, 0, DIMENSIONS_MAX),
		INTEGER(rows, 1, EXTENT_MAX),
		INTEGER(positions, 1, EXTENT_MAX),
		INTEGER(types, 1, EXTENT_MAX),
		INTEGER(width, 1, EXTENT_MAX),
		INTEGER(patch, 1, WINDOW_MAX),
		INTEGER(tokens, 1, EXTENT_MAX),
		INTEGER(heads, 1, HEADS_MAX),
		INTEGER(kv_heads, 1, HEADS_MAX),
		INTEGER(head_dim, 1, HEADS_MAX),
		INTEGER(value_dim, 1, HEADS_MAX),
		INTEGER(window, 1, EXTENT_MAX),
		INTEGER(q_rank, 1, EXTENT_MAX),
		INTEGER(kv_rank, 1, EXTENT_MAX),
		INTEGER(rope_dim, 1, HEADS_MAX),
		INTEGER(nope_dim, 1, HEADS_MAX),
		INTEGER(hidden, 1, EXTENT_MAX),
		INTEGER(experts, 1, WINDOW_MAX),
		INTEGER(top_k, 1, WINDOW_MAX),
		INTEGER(shared, 0, EXTENT_MAX),
	};
#undef INTEGER
	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
		struct layer_integer *const integer =
			(struct layer_integer *)((char *)keys + integers[i].offset);
		if (integer->node && !integer_read(reader, integer->node, integers[i].name,
					     integers[i].minimum, integers[i].maximum, &integer->value))
			return false;
	}
	return true;
}

static bool type_read(const struct reader *reader, const struct json *node, struct item *item)
{
	const struct json *const type = json_member(node, "type");
	if (type->kind != JSON_STRING)
		return json_error(type, reader->error, "type must be a string, such as \"conv\"");
	item->type = layer_type_find(type->string);
	return item->type ? true : type_unknown(reader, type);
}

static bool common_read(const struct reader *reader, const struct json *node, struct item *item)
{
	static const struct json_field name = {.key = "name", .type = JSON_TO_TEXT};
	static const struct json_field freeze = {.key = "freeze", .type = JSON_TO_BOOL};
	const struct json *const name_node = json_member(node, "name");
	const struct json *const freeze_node = json_member(node, "freeze");
	if (name_node && !json_read_value(name_node, &name, &item->name, reader->error))
		return false;
	if (name_node && item->name[0] == '\0')
		return json_error(name_node, reader->error, "a name must not be empty");
	return !freeze_node || json_read_value(freeze_node, &freeze, &item->freeze, reader->error);
}

bool item_read_keys(struct reader *reader, const struct json *node, struct item *item)
{
	struct layer_keys *const keys = &item->keys;
	if (!type_read(reader, node, item) || !common_read(reader, node, item))
		return false;
	*keys = item->type->defaults;
	keys->node = node;
	if (!json_read(node, item->type->fields, item->type->field_count, common_keys, keys, reader->error))
		return false;
	if (keys->params > floor(keys->params))
		return json_error(
			layer_place(keys, "params"), reader->error, "params must be a whole number");
	return integers_read(reader, keys) && vectors_read(reader, keys) && out_shape_read(reader, keys);
}

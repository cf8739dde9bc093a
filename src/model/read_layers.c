/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the layers of a model file: the keys of each, names for "from", and the tree of groups and branches. A table
 * of names uses open addressing over the items of one list; a name given twice finds the later item.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "model/description.h"

enum { SUGGESTIONS = 64 };

static const char *const common_keys[] = {"name", "type", "freeze", "from", NULL};

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
		INTEGER(registers, 1, WINDOW_MAX),
		INTEGER(heads, 1, HEADS_MAX),
		INTEGER(kv_heads, 1, HEADS_MAX),
		INTEGER(head_dim, 1, HEADS_MAX),
		INTEGER(value_dim, 1, HEADS_MAX),
		INTEGER(window, 1, EXTENT_MAX),
		INTEGER(block, 1, EXTENT_MAX),
		INTEGER(q_rank, 1, EXTENT_MAX),
		INTEGER(kv_rank, 1, EXTENT_MAX),
		INTEGER(rope_dim, 1, HEADS_MAX),
		INTEGER(nope_dim, 1, HEADS_MAX),
		INTEGER(hidden, 1, EXTENT_MAX),
		INTEGER(experts, 1, WINDOW_MAX),
		INTEGER(top_k, 1, WINDOW_MAX),
		INTEGER(shared, 0, EXTENT_MAX),
		INTEGER(expert_width, 1, EXTENT_MAX),
		INTEGER(index_heads, 1, HEADS_MAX),
		INTEGER(index_dim, 1, HEADS_MAX),
		INTEGER(top_keys, 1, EXTENT_MAX),
		INTEGER(key_heads, 1, HEADS_MAX),
		INTEGER(key_dim, 1, HEADS_MAX),
		INTEGER(conv, 1, WINDOW_MAX),
		INTEGER(chunk, 1, EXTENT_MAX),
		INTEGER(rank, 1, EXTENT_MAX),
	};
#undef INTEGER
	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
		struct layer_integer *const integer = (void *)((char *)keys + integers[i].offset);
		if (integer->node && !integer_read(reader, integer->node, integers[i].name,
					     integers[i].minimum, integers[i].maximum, &integer->value))
			return false;
	}
	return true;
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
	item->freeze = reader->freeze;
	return !freeze_node || json_read_value(freeze_node, &freeze, &item->freeze, reader->error);
}

static bool item_read_keys(struct reader *reader, const struct json *node, struct item *item)
{
	struct layer_keys *const keys = &item->keys;
	item->type = layer_type_read(json_member(node, "type"), reader->error);
	if (!item->type || !common_read(reader, node, item))
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

/* Names of the items of a list so far, for "from"; `outer` has those of the list around it. */
struct name_table {
	const struct name_table *outer;
	const struct item_list *list;
	unsigned *slots; /* index of an item + 1; 0: free */
	unsigned slot_count;
};

static uint64_t hash(const char *text)
{
	uint64_t value = 14695981039346656037U; /* FNV-1a */
	for (; *text != '\0'; text++)
		value = (value ^ (unsigned char)*text) * 1099511628211U;
	return value ^ (value >> 32);
}

static bool name_table_create(struct reader *reader, const struct item_list *list,
	const struct name_table *outer, struct name_table *table)
{
	*table = (struct name_table){.outer = outer, .list = list, .slot_count = 4};
	while (table->slot_count < 2 * list->count)
		table->slot_count *= 2;
	table->slots = arena_alloc(reader->arena, table->slot_count, sizeof(*table->slots));
	return table->slots ? true : out_of_memory(reader->error);
}

static unsigned *slot(const struct name_table *table, const char *name)
{
	unsigned i = (unsigned)hash(name) & (table->slot_count - 1);
	while (table->slots[i] != 0 && strcmp(table->list->items[table->slots[i] - 1].name, name) != 0)
		i = (i + 1) & (table->slot_count - 1);
	return &table->slots[i];
}

static void name_table_add(struct name_table *table, unsigned index)
{
	const char *const name = table->list->items[index].name;
	if (name)
		*slot(table, name) = index + 1;
}

static bool name_table_find(const struct name_table *table, const char *name, struct item_source *source)
{
	*source = (struct item_source){0};
	for (; table; table = table->outer, source->up++) {
		const unsigned found = *slot(table, name);
		if (found == 0)
			continue;
		source->index = found - 1;
		return true;
	}
	return false;
}

static bool from_unknown(const struct reader *reader, const struct json *name, const struct name_table *table)
{
	const char *names[SUGGESTIONS];
	size_t count = 0;
	char quoted[64];
	for (; table; table = table->outer)
		for (unsigned i = 0; i < table->list->count && count < SUGGESTIONS; i++)
			if (table->list->items[i].name)
				names[count++] = table->list->items[i].name;
	return json_error(name, reader->error,
		"no earlier layer of this list or of one around it is called %s%s",
		error_quote(quoted, sizeof(quoted), name->string),
		suggestion_of(name->string, names, count).clause);
}

static bool from_count_check(const struct reader *reader, const struct item *item, const struct json *from)
{
	const bool may_join = item->type->may_join && !item->keys.branches;
	const bool joins_named = item->type->joins && !item->keys.branches;
	if (from->kind != JSON_ARRAY)
		return json_error(from, reader->error, "from must be an array of names of earlier layers");
	if (joins_named && from->count < 2)
		return json_error(from, reader->error,
			"%s needs at least 2 names in from, or branches, but has %u", item->type->name,
			from->count);
	if (!joins_named && from->count != 1 && !(may_join && from->count > 1))
		return json_error(from, reader->error, "%s takes one input, but from has %u names",
			item->type->name, from->count);
	return true;
}

static bool from_read(struct reader *reader, const struct name_table *table, struct item *item)
{
	const struct json *const from = json_member(item->node, "from");
	if (!from)
		return true;
	if (!from_count_check(reader, item, from))
		return false;
	struct item_source *const sources = arena_alloc(reader->arena, from->count, sizeof(*sources));
	if (!sources)
		return out_of_memory(reader->error);
	for (const struct json *name = from->child; name; name = name->next) {
		if (name->kind != JSON_STRING)
			return json_error(name, reader->error, "from must hold names of earlier layers");
		if (!name_table_find(table, name->string, &sources[name->index]))
			return from_unknown(reader, name, table);
	}
	item->from = sources;
	item->from_count = from->count;
	return true;
}

/* Finds the embedding whose table a head uses, earlier in this list or in one around it. */
static bool tied_read(const struct reader *reader, const struct name_table *table, struct item *item)
{
	const struct json *const name = item->keys.tied;
	struct item_source source;
	if (!name)
		return true;
	if (name->kind != JSON_STRING)
		return json_error(name, reader->error, "tied must be the name of an embedding");
	if (!name_table_find(table, name->string, &source))
		return from_unknown(reader, name, table);
	while (source.up-- > 0)
		table = table->outer;
	const struct item *const other = &table->list->items[source.index];
	if (!other->type || other->type->class_ != LAYER_EMBEDDING || !other->keys.rows.node || other == item)
		return json_error(name, reader->error, "%s is no embedding of kind \"token\"", name->string);
	item->keys.tied_to = &other->keys;
	return true;
}

static bool lists_create(struct reader *reader, struct item *item, unsigned count)
{
	item->lists = arena_alloc(reader->arena, count, sizeof(*item->lists));
	item->list_count = count;
	return item->lists ? true : out_of_memory(reader->error);
}

static bool list_read(struct reader *reader, const struct json *array, const struct name_table *outer,
	struct item_list *list);

static bool branches_read(struct reader *reader, const struct name_table *table, struct item *item)
{
	const struct json *const branches = item->keys.branches;
	item->expanded = 1;
	if (!branches) {
		if (!item->type->joins || item->from)
			return true;
		return json_error(item->node, reader->error,
			"%s needs branches, or the names of its inputs in from", item->type->name);
	}
	if (branches->kind != JSON_ARRAY || branches->count < 2)
		return json_error(
			branches, reader->error, "branches must be an array of at least 2 lists of layers");
	if (!lists_create(reader, item, branches->count))
		return false;
	for (const struct json *branch = branches->child; branch; branch = branch->next) {
		struct item_list *const list = &item->lists[branch->index];
		if (branch->kind != JSON_ARRAY)
			return json_error(branch, reader->error,
				"a branch must be an array of layers; [] is the identity");
		if (!list_read(reader, branch, table, list))
			return false;
		item->expanded += list->expanded;
	}
	return true;
}

struct group_keys {
	const struct json *repeat, *layers;
};

static bool group_read(struct reader *reader, const struct name_table *table, struct item *item)
{
	static const char *const common[] = {"name", "freeze", NULL};
	static const struct json_field fields[] = {
		{.key = "repeat", .type = JSON_TO_NODE, .offset = offsetof(struct group_keys, repeat)},
		{.key = "layers",
			.type = JSON_TO_ARRAY,
			.required = true,
			.offset = offsetof(struct group_keys, layers)},
	};
	const bool outer = reader->freeze;
	struct group_keys keys = {0};
	if (!json_read(
		    item->node, fields, sizeof(fields) / sizeof(fields[0]), common, &keys, reader->error) ||
		!common_read(reader, item->node, item))
		return false;
	if (keys.layers->count == 0)
		return json_error(keys.layers, reader->error, "a group must have layers");
	item->repeated = keys.repeat != NULL;
	item->repeat = 1;
	if (keys.repeat && !integer_read(reader, keys.repeat, "repeat", 1, EXTENT_MAX, &item->repeat))
		return false;
	reader->freeze = item->freeze;
	if (!lists_create(reader, item, 1) || !list_read(reader, keys.layers, table, &item->lists[0]))
		return false;
	reader->freeze = outer;
	item->expanded = item->repeat * item->lists[0].expanded;
	if (item->expanded <= LAYERS_MAX)
		return true;
	return json_error(keys.repeat ? keys.repeat : item->node, reader->error,
		"makes %.0f layers, more than %d", item->expanded, LAYERS_MAX);
}

static bool item_read(
	struct reader *reader, const struct name_table *table, const struct json *node, struct item *item)
{
	item->node = node;
	item->number = reader->items++;
	if (node->kind != JSON_OBJECT)
		return json_error(
			node, reader->error, "a layer must be an object with a type, or a group with layers");
	if (!json_member(node, "type")) {
		if (json_member(node, "layers"))
			return group_read(reader, table, item);
		return json_error(node, reader->error, "a layer needs a type, a group needs layers");
	}
	return item_read_keys(reader, node, item) && from_read(reader, table, item) &&
	       tied_read(reader, table, item) && branches_read(reader, table, item);
}

static bool list_read(struct reader *reader, const struct json *array, const struct name_table *outer,
	struct item_list *list)
{
	struct name_table table;
	list->count = array->count;
	if (array->count == 0)
		return true;
	list->items = arena_alloc(reader->arena, array->count, sizeof(*list->items));
	if (!list->items)
		return out_of_memory(reader->error);
	if (!name_table_create(reader, list, outer, &table))
		return false;
	for (const struct json *node = array->child; node; node = node->next) {
		if (!item_read(reader, &table, node, &list->items[node->index]))
			return false;
		name_table_add(&table, node->index);
		list->expanded += list->items[node->index].expanded;
	}
	if (list->expanded <= LAYERS_MAX)
		return true;
	return json_error(
		array, reader->error, "makes %.0f layers, more than %d", list->expanded, LAYERS_MAX);
}

bool layers_read(struct reader *reader, const struct json *array, struct item_list *list)
{
	return list_read(reader, array, NULL, list);
}

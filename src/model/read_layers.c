/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of layers: groups, branches, "from". */
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "model/description.h"

enum { SUGGESTIONS = 64 };

static bool out_of_memory(const struct reader *reader)
{
	return error_set(reader->error, PARADL_NO_MEMORY, "out of memory");
}

static bool from_unknown(const struct reader *reader, const struct json *name, const struct name_table *table)
{
	const char *names[SUGGESTIONS], *nearest;
	size_t count = 0;
	char quoted[64];
	for (; table; table = table->outer)
		for (unsigned i = 0; i < table->list->count && count < SUGGESTIONS; i++)
			if (table->list->items[i].name)
				names[count++] = table->list->items[i].name;
	nearest = suggest(name->string, names, count);
	return json_error(name, reader->error,
		"no earlier layer of this list or of one around it is called %s%s%s%s",
		error_quote(quoted, sizeof(quoted), name->string), nearest ? "; did you mean \"" : "",
		nearest ? nearest : "", nearest ? "\"?" : "");
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
		return out_of_memory(reader);
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

/* An embedding whose table a head uses: earlier in this list or in one around it. */
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
	if (!other->type || other->type->class_ != LAYER_EMBEDDING || !other->keys.rows.node)
		return json_error(name, reader->error, "%s is no embedding of kind \"token\"", name->string);
	item->keys.tied_to = &other->keys;
	return true;
}

static bool lists_create(struct reader *reader, struct item *item, unsigned count)
{
	item->lists = arena_alloc(reader->arena, count, sizeof(*item->lists));
	item->list_count = count;
	return item->lists ? true : out_of_memory(reader);
}

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
		if (!layers_read(reader, branch, table, list))
			return false;
		item->expanded += list->expanded;
	}
	return true;
}

struct group_keys {
	const char *name;
	const struct json *repeat, *layers;
};

static bool group_read(struct reader *reader, const struct name_table *table, struct item *item)
{
	static const struct json_field fields[] = {
		{.key = "name", .type = JSON_TO_TEXT, .offset = offsetof(struct group_keys, name)},
		{.key = "repeat", .type = JSON_TO_NODE, .offset = offsetof(struct group_keys, repeat)},
		{.key = "layers",
			.type = JSON_TO_ARRAY,
			.required = true,
			.offset = offsetof(struct group_keys, layers)},
	};
	struct group_keys keys = {0};
	if (!json_read(item->node, fields, sizeof(fields) / sizeof(fields[0]), NULL, &keys, reader->error))
		return false;
	if (keys.name && keys.name[0] == '\0')
		return json_error(json_member(item->node, "name"), reader->error, "a name must not be empty");
	if (keys.layers->count == 0)
		return json_error(keys.layers, reader->error, "a group must have layers");
	item->name = keys.name;
	item->repeated = keys.repeat != NULL;
	item->repeat = 1;
	if (keys.repeat && !integer_read(reader, keys.repeat, "repeat", 1, EXTENT_MAX, &item->repeat))
		return false;
	if (!lists_create(reader, item, 1) || !layers_read(reader, keys.layers, table, &item->lists[0]))
		return false;
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

bool layers_read(struct reader *reader, const struct json *array, const struct name_table *outer,
	struct item_list *list)
{
	struct name_table table;
	list->count = array->count;
	if (array->count == 0)
		return true;
	list->items = arena_alloc(reader->arena, array->count, sizeof(*list->items));
	if (!list->items)
		return out_of_memory(reader);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes are read from text and applied to the trees of files; a change that matches nothing is an error. A changed
 * tree is a copy, made from the root down; each node is given the changes whose keys lead on from it.
 */
#include <stdio.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/names.h"
#include "base/option.h"
#include "base/quantity.h"

enum { NAMES_MAX = 64, TOKEN_BYTES = 64 };

static const struct {
	const char *prefix;
	enum change_scope scope;
} prefixes[] = {
	/* Devices and frameworks that a machine names are in files of their own. */
	{"hw.device.", CHANGE_DEVICE},
	{"hw.framework.", CHANGE_FRAMEWORK},
	{"hw.", CHANGE_MACHINE},
	{"device.", CHANGE_DEVICE},
	{"framework.", CHANGE_FRAMEWORK},
	{"model.", CHANGE_MODEL},
};

static bool read_factor(const char *value, double *factor)
{
	const char *end = "";
	double number = 0;
	if (*value == 'x' && decimal_read(value + 1, 0, factor, &end) && !*end)
		return *factor > 0 && *factor <= 1e12;
	if ((*value == '+' || *value == '-') && decimal_read(value + 1, 0, &number, &end) &&
		strcmp(end, "%") == 0) {
		*factor = 1 + (*value == '+' ? number : -number) / 100;
		return *factor > 0 && *factor <= 1e12;
	}
	return false;
}

static bool read_change(
	struct paradl_arena *arena, const char *text, struct change *change, struct paradl_error *error)
{
	const char *const equals = strchr(text, '=');
	for (size_t i = 0; equals && i < sizeof prefixes / sizeof prefixes[0]; i++) {
		const size_t length = strlen(prefixes[i].prefix);
		if (strncmp(text, prefixes[i].prefix, length) != 0 || text + length >= equals)
			continue;
		*change = (struct change){.scope = prefixes[i].scope, .text = arena_text(arena, text)};
		change->key = arena_copy(arena, text + length, (size_t)(equals - text) - length);
		if (!read_factor(equals + 1, &change->factor))
			change->value = arena_text(arena, equals + 1);
		if (!change->text || !change->key || (!change->value && !(change->factor > 0)))
			return out_of_memory(error);
		return true;
	}
	error_set(error, PARADL_USAGE, "'%s' changes nothing that is known", text);
	error_hint(error, "write hw.KEYS=VALUE, device.KEYS=, framework.KEYS= or model.KEYS=, as in "
			  "hw.levels.1.bandwidth=x2");
	return false;
}

const struct paradl_changes *paradl_changes_parse(
	struct paradl_arena *arena, const char *const *texts, size_t count, struct paradl_error *error)
{
	if (count > CHANGES_MAX) {
		error_set(error, PARADL_USAGE, "more than %d changes", (int)CHANGES_MAX);
		return NULL;
	}
	struct paradl_changes *const changes = arena_alloc(arena, 1, sizeof *changes);
	if (!changes)
		return out_of_memory_null(error);
	for (; changes->count < count; changes->count++)
		if (!read_change(arena, texts[changes->count], &changes->items[changes->count], error))
			return NULL;
	return changes;
}

/* Returns the child that a part of a key names, of a list "*" the first one; NULL: there is none. */
static const struct json *named(const struct json *node, const char *token, size_t length)
{
	char text[TOKEN_BYTES];
	if (node->kind == JSON_ARRAY && length == 1 && *token == '*')
		return node->child;
	for (const struct json *child = node->child; child; child = child->next) {
		const char *name = child->key;
		if (!name) {
			snprintf(text, sizeof text, "%u", child->index);
			name = text;
		}
		if (strlen(name) == length && strncmp(name, token, length) == 0)
			return child;
	}
	return NULL;
}

/* Sets the error that says where the keys of a change leave the tree; returns false. */
static bool refuse(const struct change *change, const struct json *root, struct paradl_error *error)
{
	const struct json *node = root, *next;
	const char *token = change->key;
	size_t length = strcspn(token, ".");
	while ((next = named(node, token, length)) && token[length]) {
		node = next;
		token += length + 1;
		length = strcspn(token, ".");
	}
	const char *names[NAMES_MAX];
	char typed[TOKEN_BYTES];
	size_t count = 0;
	snprintf(typed, sizeof typed, "%.*s", (int)length, token);
	for (const struct json *child = node->child; child && count < NAMES_MAX; child = child->next)
		if (child->key && child->key[0] != '_' && child->key[0] != '$')
			names[count++] = child->key;
	const char *const near = suggest(typed, names, count);
	error_set(error, PARADL_USAGE, "%s: %s has no '%.*s'", change->text, json_path(root),
		(int)(token + length - change->key), change->key);
	if (near)
		error_hint(error, "did you mean '%s'?", near);
	else if (node->kind == JSON_ARRAY && node->count > 0 && token > change->key)
		error_hint(error, "'%.*s' has 0 to %u", (int)(token - change->key - 1), change->key,
			node->count - 1);
	else if (change->factor > 0)
		error_hint(error, "what a file does not say cannot be multiplied; write a value");
	return false;
}

bool changes_met(const struct paradl_changes *changes, enum change_scope scope, const struct json *root,
	const struct change_tally *tally, struct paradl_error *error)
{
	for (size_t i = 0; changes && i < changes->count; i++)
		if (changes->items[i].scope == scope && !tally->found[i])
			return refuse(&changes->items[i], root, error);
	return true;
}

/* ---- applying --------------------------------------------------------------------------------------------------- */

/* A change whose keys have led to a node, and the rest of its keys ("" at the node that it changes). */
struct match {
	size_t change;
	const char *rest;
};

struct matches {
	struct match *items;
	size_t count;
};

struct job {
	struct paradl_arena *arena;
	const struct paradl_changes *changes;
	bool adds;
	struct change_tally before; /* what had matched in other files */
	struct change_tally *tally;
	struct paradl_error *error;
};

static bool copy_node(
	const struct job *job, const struct json *from, const struct matches *matches, struct json *to);

static bool is_comment(const struct json *node)
{
	return node->key && (node->key[0] == '_' || node->key[0] == '$');
}

static bool leads_to(const char *rest, size_t length, const struct json *child)
{
	char place[16];
	if (length == 1 && *rest == '*')
		return !is_comment(child);
	snprintf(place, sizeof place, "%u", child->index);
	const char *const name = child->key ? child->key : place;
	return strlen(name) == length && strncmp(name, rest, length) == 0;
}

/*
 * Collects into `on` the changes that lead on from a node to `child`. A factor at a list, or at an object of like
 * numbers, goes to each of its items.
 */
static void follow(const struct matches *matches, const struct json *child, struct matches *on)
{
	on->count = 0;
	for (size_t i = 0; i < matches->count; i++) {
		const char *const rest = matches->items[i].rest;
		const size_t length = strcspn(rest, ".");
		if (*rest ? leads_to(rest, length, child) : !is_comment(child))
			on->items[on->count++] = (struct match){
				matches->items[i].change, rest + length + (rest[length] == '.')};
	}
}

static bool is_new(const struct job *job, const struct json *from, const struct match *match)
{
	const struct change *const change = &job->changes->items[match->change];
	return job->adds && !job->before.found[match->change] && change->value && from->kind == JSON_OBJECT &&
	       *match->rest && !strchr(match->rest, '.') && *match->rest != '*' &&
	       !json_member(from, match->rest);
}

/* Multiplies a number, or a quantity and keeps its unit: "12.5 GB/s" times 2 is "25 GB/s". */
static bool multiply(const struct job *job, const struct change *change, struct json *to)
{
	char text[DECIMAL_LENGTH];
	const char *unit = "";
	double number = 0;
	if (to->kind == JSON_NUMBER) {
		to->number *= change->factor;
		return true;
	}
	if (to->kind != JSON_STRING || !decimal_read(to->string, 0, &number, &unit))
		return error_set(
			job->error, PARADL_USAGE, "%s: what stands there is not a number", change->text);
	decimal_shortest(text, sizeof text, number * change->factor);
	to->string = arena_printf(job->arena, "%s%s", text, unit);
	return to->string || out_of_memory(job->error);
}

/* Reads a number, or a count as options take it: 0.5, -1, 1e6, 8k. */
static bool read_number(const char *text, double *number)
{
	const char *end = "";
	const bool is_negative = *text == '-';
	if (option_count_parse(text, strlen(text), number))
		return true;
	if (!decimal_read(text + is_negative, 0, number, &end) || *end)
		return false;
	*number = is_negative ? -*number : *number;
	return true;
}

/*
 * Replaces a node by the value of a change. Objects, arrays and quoted strings are parsed as JSON; text that replaces
 * text stays text; otherwise numbers and truth values become what they look like.
 */
static bool replace(const struct job *job, const struct change *change, struct json *to)
{
	static const struct matches none = {.count = 0};
	const struct json shell = *to;
	if (*change->value == '{' || *change->value == '[' || *change->value == '"') {
		const struct json *const tree = json_parse(
			job->arena, change->value, strlen(change->value), change->text, job->error);
		if (!tree || !copy_node(job, tree, &none, to))
			return false;
		to->key = shell.key;
		to->index = shell.index;
		to->next = shell.next;
		to->parent = shell.parent;
		return true;
	}
	to->child = NULL;
	to->count = 0;
	const bool is_text = shell.kind == JSON_STRING;
	if (!is_text && read_number(change->value, &to->number)) {
		to->kind = JSON_NUMBER;
	} else if (!is_text && (strcmp(change->value, "true") == 0 || strcmp(change->value, "false") == 0)) {
		to->kind = JSON_BOOL;
		to->boolean = *change->value == 't';
	} else {
		to->kind = JSON_STRING;
		to->string = change->value;
	}
	return true;
}

/*
 * Reports whether all members are plain numbers, or all are quantities, as where a rule has one for each kind of
 * network.
 */
static bool has_like_numbers(const struct json *object)
{
	size_t numbers = 0, quantities = 0, members = 0;
	for (const struct json *child = object->child; child; child = child->next) {
		double number = 0;
		const char *unit = "";
		members += !is_comment(child);
		numbers += child->kind == JSON_NUMBER && !is_comment(child);
		quantities += child->kind == JSON_STRING && !is_comment(child) &&
			      decimal_read(child->string, 0, &number, &unit);
	}
	return members > 0 && (numbers == members || quantities == members);
}

static bool change_node(const struct job *job, size_t index, struct json *to)
{
	const struct change *const change = &job->changes->items[index];
	job->tally->found[index] = true;
	if (change->factor > 0 && to->kind == JSON_OBJECT && !has_like_numbers(to))
		return error_set(job->error, PARADL_USAGE, "%s: that is an object; say which of its members",
			change->text);
	if (change->factor > 0 && (to->kind == JSON_ARRAY || to->kind == JSON_OBJECT))
		return true; /* its items are multiplied */
	to->document = json_document(job->arena, change->text);
	if (!to->document)
		return out_of_memory(job->error);
	return change->factor > 0 ? multiply(job, change, to) : replace(job, change, to);
}

static bool add_member(const struct job *job, const struct match *match, const struct json *parent,
	unsigned index, struct json *to)
{
	*to = (struct json){.kind = JSON_NULL,
		.key = match->rest,
		.index = index,
		.parent = parent,
		.document = parent->document};
	return change_node(job, match->change, to);
}

static bool copy_children(
	const struct job *job, const struct json *from, const struct matches *matches, struct json *to)
{
	size_t more = 0;
	for (size_t i = 0; i < matches->count; i++)
		more += is_new(job, from, &matches->items[i]);
	if (from->count + more == 0)
		return true;
	struct json *const children = arena_alloc(job->arena, from->count + more, sizeof *children);
	struct matches on = {arena_alloc(job->arena, matches->count, sizeof *on.items), 0};
	if (!children || !on.items)
		return out_of_memory(job->error);
	to->child = children;
	struct json *node = children;
	for (const struct json *child = from->child; child; child = child->next, node++) {
		follow(matches, child, &on);
		if (!copy_node(job, child, &on, node))
			return false;
		node->parent = to;
	}
	for (size_t i = 0; i < matches->count; i++) {
		if (!is_new(job, from, &matches->items[i]))
			continue;
		if (!add_member(job, &matches->items[i], to, (unsigned)(node - children), node))
			return false;
		node++;
	}
	to->count = (unsigned)(node - children);
	for (unsigned i = 0; i < to->count; i++)
		children[i].next = i + 1 < to->count ? &children[i + 1] : NULL;
	return true;
}

/*
 * Copies a node with the changes below it; what no change touches is shared with the old tree. Recurses as deep as
 * the reader lets files nest.
 */
static bool copy_node(
	const struct job *job, const struct json *from, const struct matches *matches, struct json *to)
{
	bool is_replaced = false;
	*to = *from;
	if (matches->count == 0)
		return true;
	for (size_t i = 0; i < matches->count; i++) {
		if (*matches->items[i].rest)
			continue;
		if (!change_node(job, matches->items[i].change, to))
			return false;
		is_replaced = is_replaced || job->changes->items[matches->items[i].change].value;
	}
	return is_replaced || copy_children(job, from, matches, to);
}

const struct json *changes_apply(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, bool adds, struct change_tally *tally,
	struct paradl_error *error)
{
	const struct job job = {arena, changes, adds, *tally, tally, error};
	struct match items[CHANGES_MAX];
	struct matches matches = {items, 0};
	for (size_t i = 0; changes && i < changes->count; i++)
		if (changes->items[i].scope == scope)
			items[matches.count++] = (struct match){i, changes->items[i].key};
	if (matches.count == 0)
		return root;
	struct json *const copy = arena_alloc(arena, 1, sizeof *copy);
	if (!copy)
		return out_of_memory_null(error);
	return copy_node(&job, root, &matches, copy) ? copy : NULL;
}

const struct json *changes_apply_all(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, struct paradl_error *error)
{
	struct change_tally tally = {0};
	const struct json *const changed = changes_apply(arena, changes, scope, root, true, &tally, error);
	return changed && changes_met(changes, scope, root, &tally, error) ? changed : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a tree, made from the root down; each node is given the changes whose keys lead on from it. */
#include <stdio.h>
#include <string.h>

#include "base/changes.h"
#include "base/decimal.h"
#include "base/error.h"

/* A change whose keys have led to a node; what is left of them, "" at the node that is meant. */
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
	struct change_tally *tally;
	struct paradl_error *error;
};

static bool copy_node(
	const struct job *job, const struct json *from, const struct matches *matches, struct json *to);

static bool out_of_memory(const struct job *job)
{
	return error_set(job->error, PARADL_NO_MEMORY, "out of memory");
}

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

/* A list of numbers is multiplied item by item. */
static void follow(const struct matches *matches, const struct json *child, struct matches *on)
{
	on->count = 0;
	for (size_t i = 0; i < matches->count; i++) {
		const char *const rest = matches->items[i].rest;
		const size_t length = strcspn(rest, ".");
		if (!*rest || leads_to(rest, length, child))
			on->items[on->count++] = (struct match){
				matches->items[i].change, rest + length + (rest[length] == '.')};
	}
}

static bool is_new(const struct job *job, const struct json *from, const struct match *match)
{
	const struct change *const change = &job->changes->items[match->change];
	return job->adds && !job->tally->found[match->change] && change->value && from->kind == JSON_OBJECT &&
	       *match->rest && !strchr(match->rest, '.') && *match->rest != '*' &&
	       !json_member(from, match->rest);
}

/* "12.5 GB/s" times 2 is "25 GB/s". */
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
	return to->string || out_of_memory(job);
}

static bool read_number(const char *text, double *number)
{
	const char *end = "";
	const bool is_negative = *text == '-';
	if (!decimal_read(text + is_negative, 0, number, &end) || *end)
		return false;
	*number = is_negative ? -*number : *number;
	return true;
}

/* Structures are JSON; what stands as text stays text; else numbers and truth values are what they look like. */
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

static bool change_node(const struct job *job, size_t index, struct json *to)
{
	const struct change *const change = &job->changes->items[index];
	job->tally->found[index] = true;
	if (change->factor > 0 && to->kind == JSON_OBJECT)
		return error_set(job->error, PARADL_USAGE, "%s: that is an object; say which of its members",
			change->text);
	if (change->factor > 0 && to->kind == JSON_ARRAY)
		return true; /* its items are */
	to->document = json_document(job->arena, change->text);
	if (!to->document)
		return out_of_memory(job);
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
		return out_of_memory(job);
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

/* As deep as the reader allows. What no change is in is shared with the old tree. */
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
	const struct job job = {arena, changes, adds, tally, error};
	struct match items[CHANGES_MAX];
	struct matches matches = {items, 0};
	for (size_t i = 0; changes && i < changes->count; i++)
		if (changes->items[i].scope == scope)
			items[matches.count++] = (struct match){i, changes->items[i].key};
	if (matches.count == 0)
		return root;
	struct json *const copy = arena_alloc(arena, 1, sizeof *copy);
	if (!copy) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	return copy_node(&job, root, &matches, copy) ? copy : NULL;
}

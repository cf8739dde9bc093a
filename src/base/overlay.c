/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/changes.h"

#include <string.h>

static void chain_children(struct json *to, struct json *children, unsigned count)
{
	to->child = count ? children : NULL;
	to->count = count;
	for (unsigned i = 0; i < count; ++i)
		children[i].next = i + 1 < count ? &children[i + 1] : NULL;
}

/* Recurses as deep as the reader lets files nest. */
const struct json *json_overlay(struct paradl_arena *arena, const struct json *base, const struct json *over)
{
	if (base->kind != JSON_OBJECT || over->kind != JSON_OBJECT)
		return over;
	struct json *const merged = arena_alloc(arena, 1, sizeof *merged);
	struct json *const children =
		arena_alloc(arena, (size_t)base->count + over->count + 1, sizeof *children);
	unsigned count = 0;
	if (!merged || !children)
		return NULL;
	*merged = *base;
	for (const struct json *child = base->child; child; child = child->next) {
		const struct json *const other = json_member(over, child->key);
		const struct json *const value = other ? json_overlay(arena, child, other) : child;
		if (!value)
			return NULL;
		children[count++] = *value;
	}
	for (const struct json *child = over->child; child; child = child->next)
		if (!json_member(base, child->key))
			children[count++] = *child;
	chain_children(merged, children, count);
	return merged;
}

static bool is_among(const char *key, const char *const *keys)
{
	while (*keys && strcmp(key, *keys) != 0)
		++keys;
	return *keys;
}

const struct json *json_without(
	struct paradl_arena *arena, const struct json *object, const char *const *keys)
{
	struct json *const rest = arena_alloc(arena, 1, sizeof *rest);
	struct json *const children = arena_alloc(arena, (size_t)object->count + 1, sizeof *children);
	unsigned count = 0;
	if (!rest || !children)
		return NULL;
	*rest = *object;
	for (const struct json *child = object->child; child; child = child->next)
		if (!is_among(child->key, keys))
			children[count++] = *child;
	chain_children(rest, children, count);
	return rest;
}

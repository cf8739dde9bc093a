/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes as text, and what is said of those that meet nothing. changes_apply.c applies them. */
#include "base/changes.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/suggest.h"

enum { NAMES_MAX = 64, TOKEN_BYTES = 64 };

static const struct {
	const char *prefix;
	enum change_scope scope;
} prefixes[] = {
	/* What a profile names is in a file of its own. */
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
			return error_set(error, PARADL_NO_MEMORY, "out of memory");
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
	if (!changes) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	for (; changes->count < count; changes->count++)
		if (!read_change(arena, texts[changes->count], &changes->items[changes->count], error))
			return NULL;
	return changes;
}

static const struct json *named(const struct json *node, const char *token, size_t length)
{
	char text[TOKEN_BYTES];
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

/* Says where the keys of a change leave the tree. */
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

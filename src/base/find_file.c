/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a shipped file by its name, as DIRECTORY/KIND/NAME.json, and opens the sources that loaders are given. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "base/source.h"

enum { NAMES_MAX = 256 };

static bool ends_in_json(const char *name)
{
	const size_t length = strlen(name);
	return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static int is_listed(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ends_in_json(entry->d_name);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_known(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Adds the names of the files in a directory, without ".json". */
static void list_names(struct paradl_arena *arena, const char *directory, const char **names, size_t *count)
{
	struct dirent **entries;
	const int entry_count = scandir(directory, &entries, is_listed, by_name);
	for (int i = 0; i < entry_count; i++) {
		const char *const file = entries[i]->d_name;
		const char *const name = arena_copy(arena, file, strlen(file) - 5);
		const char *const path = arena_printf(arena, "%s/%s", directory, file);
		if (name && path && *count < NAMES_MAX && file_is_there(arena, path) &&
			!is_known(name, names, *count))
			names[(*count)++] = name;
		free(entries[i]);
	}
	if (entry_count >= 0)
		free(entries);
}

static bool contains(const char *name, const char *part)
{
	const size_t length = strlen(part);
	for (; *name; name++)
		if (strncasecmp(name, part, length) == 0)
			return true;
	return false;
}

/* Joins as many names as fit: "a, b, c", with ", ..." for the rest. */
static void join(char *text, size_t size, const char *const *names, size_t count)
{
	size_t length = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count; ++i) {
		const size_t more = strlen(names[i]) + 2;
		if (length + more + 5 > size) {
			memcpy(text + length, ", ...", 6);
			return;
		}
		memcpy(text + length, ", ", i ? 2 : 0);
		length += i ? 2 : 0;
		memcpy(text + length, names[i], more - 1);
		length += more - 2;
	}
}

static const char *noun(const char *kind)
{
	static const char *const nouns[][2] = {
		{"models", "model"},
		{"datasets", "data set"},
		{"hw-profiles", "hardware profile"},
		{"hw-profiles/frameworks", "framework profile"},
		{"hw-profiles/devices", "device"},
	};
	for (size_t i = 0; i < sizeof nouns / sizeof *nouns; ++i)
		if (strcmp(nouns[i][0], kind) == 0)
			return nouns[i][1];
	return kind;
}

/*
 * Returns whether a framework profile says of itself that it is about the word: "any program on PyTorch FSDP" is of
 * "pytorch". Files of other kinds have no summaries.
 */
static bool is_about(struct paradl_arena *arena, const char *const *directories, const char *kind,
	const char *name, const char *word)
{
	for (; strcmp(kind, "hw-profiles/frameworks") == 0 && directories && *directories; ++directories) {
		const char *const path = arena_printf(arena, "%s/%s/%s.json", *directories, kind, name);
		struct paradl_error error;
		const struct json *const root = path ? json_load(arena, path, &error) : NULL;
		const struct json *const summary =
			root && root->kind == JSON_OBJECT ? json_member(root, "summary") : NULL;
		if (summary && summary->kind == JSON_STRING)
			return contains(summary->string, word);
	}
	return false;
}

static void not_found(struct paradl_arena *arena, const char *name, const char *kind,
	const char *const *directories, struct paradl_error *error)
{
	const char *names[NAMES_MAX] = {NULL};
	size_t count = 0;
	char quoted[80], list[240];
	for (size_t i = 0; directories && directories[i]; ++i) {
		const char *directory = arena_printf(arena, "%s/%s", directories[i], kind);
		if (directory)
			list_names(arena, directory, names, &count);
	}
	const char *near = suggest(name, names, count);
	const char *parents[NAMES_MAX];
	size_t parent_count = 0;
	for (size_t i = 0; *name && i < count; ++i)
		if (contains(names[i], name) || is_about(arena, directories, kind, names[i], name))
			parents[parent_count++] = names[i];
	error_quote(quoted, sizeof quoted, name);
	join(list, sizeof list, parent_count > 0 ? parents : names, parent_count > 0 ? parent_count : count);
	if (near)
		error_set(error, PARADL_IO, "there is no %s %s; did you mean \"%s\"?", noun(kind), quoted,
			near);
	else if (parent_count > 0)
		error_set(error, PARADL_IO, "there is no %s %s; did you mean one of %s?", noun(kind), quoted,
			list);
	else if (count > 0)
		error_set(error, PARADL_IO, "there is no %s %s; there are %s", noun(kind), quoted, list);
	else
		error_set(
			error, PARADL_IO, "there is no %s %s, and no directory with any", noun(kind), quoted);
	error_hint(error,
		"\"paradl list %s\" shows the names; a file of your own is a path such as ./%.100s.json",
		kind, name);
}

const char *paradl_find(struct paradl_arena *arena, const char *name, const char *kind,
	const char *const *directories, struct paradl_error *error)
{
	const char *path = NULL;
	if (strchr(name, '/') || ends_in_json(name) || strcmp(name, "-") == 0 || file_is_there(arena, name)) {
		path = arena_text(arena, name);
		if (!path)
			out_of_memory(error);
		return path;
	}
	const size_t length = strcmp(kind, "hw-profiles/frameworks") == 0 ? strcspn(name, "+") : strlen(name);
	const char *const plain = arena_copy(arena, name, length);
	for (const char *const *directory = directories; plain && directory && *directory; ++directory) {
		path = arena_printf(arena, "%s/%s/%s.json", *directory, kind, plain);
		if (!path)
			break;
		if (file_is_there(arena, path))
			return name[length] ? arena_printf(arena, "%s%s", path, name + length) : path;
	}
	if (!plain || (directories && *directories && !path))
		return out_of_memory_null(error);
	not_found(arena, plain, kind, directories, error);
	return NULL;
}

const char *source_path(struct paradl_arena *arena, const struct paradl_source *source, const char *kind,
	struct paradl_error *error)
{
	if (!source->path) {
		error_set(error, PARADL_USAGE, "a source has no path%s",
			source->text ? ": errors call its text by it" : "");
		return NULL;
	}
	if (kind && source->directories && !source->text)
		return paradl_find(arena, source->path, kind, source->directories, error);
	const char *const path = arena_text(arena, source->path);
	if (!path || (source->text && !paradl_file_give(arena, path, source->text, source->length)))
		return out_of_memory_null(error);
	return path;
}

const struct json *source_json(struct paradl_arena *arena, const struct paradl_source *source,
	const char *kind, struct paradl_error *error)
{
	const char *const path = source_path(arena, source, kind, error);
	return path ? json_load(arena, path, error) : NULL;
}

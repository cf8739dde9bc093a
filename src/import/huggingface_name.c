/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */

/* What a network is called that does not say it: after its folder, or its file. */
#include <stdlib.h>
#include <string.h>

#include "import/huggingface.h"

/* "name" of "models--org--name" or "org--name". */
static const char *hub_name(const char *name)
{
	const char *at = name;
	for (const char *next = strstr(at, "--"); next && next[2] != '\0'; next = strstr(at, "--"))
		at = next + 2;
	return at;
}

/* The last folders of a path, from that of the file up: the hub's cache has a snapshot's hash between name and file. */
static const char *folder_name(struct paradl_arena *arena, const char *path)
{
	const char *end = strrchr(path, '/'), *name = NULL;
	for (unsigned level = 0; end && end > path && level < 3; level++) {
		const char *start = end;
		while (start > path && start[-1] != '/')
			start--;
		const char *const folder = arena_copy(arena, start, (size_t)(end - start));
		if (folder && (level == 0 || strncmp(folder, "models--", 8) == 0))
			name = folder;
		end = start > path ? start - 1 : NULL;
	}
	return name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? hub_name(name) : NULL;
}

/* A config.json has the name of its folder, another file its own. */
const char *config_name(struct paradl_arena *arena, const char *path)
{
	static const char usual[] = "config.json", extension[] = ".json";
	const char *const name = import_file_name(path);
	const size_t length = strlen(name), ending = sizeof extension - 1;
	if (strcmp(name, usual) == 0) {
		char *const whole = realpath(path, NULL);
		const char *const folder = folder_name(arena, strchr(path, '/') || !whole ? path : whole);
		free(whole);
		return folder;
	}
	if (length <= ending || strcmp(name + length - ending, extension) != 0)
		return NULL;
	return hub_name(arena_copy(arena, name, length - ending));
}

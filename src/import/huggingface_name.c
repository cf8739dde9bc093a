/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */

/* Names a network whose file does not name it, after its folder or after the file. */
#include <stdlib.h>
#include <string.h>

#include "import/huggingface.h"

/* Returns "name" of "models--org--name" or "org--name". */
static const char *hub_name(const char *name)
{
	const char *at = name;
	for (const char *next = strstr(at, "--"); next && next[2] != '\0'; next = strstr(at, "--"))
		at = next + 2;
	return at;
}

/*
 * Returns the name of the file's folder, or of a folder "models--org--name" one or two levels above: the hub's cache
 * has a snapshot's hash between name and file. NULL: none.
 */
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

/* Returns the name of a config.json's folder, and of another file its own. */
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

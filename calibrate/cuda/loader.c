/* SPDX-License-Identifier: BSD-3-Clause */
#include "loader.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char hint[160];

const char *library_hint(void)
{
	return hint;
}

/* The first of the files that a pattern stands for, of those that can be opened. */
static void *open_found(const char *pattern)
{
	glob_t found;
	void *handle = NULL;
	if (glob(pattern, 0, NULL, &found) != 0)
		return NULL;
	for (size_t i = 0; i < found.gl_pathc && !handle; i++)
		handle = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
	globfree(&found);
	return handle;
}

/* Wheels of pip keep libraries in site-packages/nvidia/NAME/lib, of the environment in use, the user's and the system's. */
static void *open_wheel(const char *file)
{
	static const struct {
		const char *variable, *rest; /* variable NULL: the path begins with rest */
	} places[] = {
		{"VIRTUAL_ENV", "/lib/python3*/site-packages"},
		{"CONDA_PREFIX", "/lib/python3*/site-packages"},
		{"CONDA_PREFIX", "/lib"},
		{"HOME", "/.local/lib/python3*/site-packages"},
		{NULL, "/usr/local/lib/python3*/*-packages"},
		{NULL, "/usr/lib/python3*/*-packages"},
	};
	void *handle = NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places && !handle; i++) {
		char pattern[1024];
		const char *const root = places[i].variable ? getenv(places[i].variable) : "";
		const bool is_folder = strcmp(places[i].rest, "/lib") == 0;
		const int length = root ? snprintf(pattern, sizeof pattern, "%s%s%s/%s", root, places[i].rest,
						  is_folder ? "" : "/nvidia/*/lib", file)
					: -1;
		if (length > 0 && length < (int)sizeof pattern)
			handle = open_found(pattern);
	}
	return handle;
}

/* By the rules of the dynamic linker, then where the toolkit that this program was built with has its libraries, then wheels. */
static void *open_file(const char *file)
{
	char path[512];
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!handle && snprintf(path, sizeof path, "%s/%s", CUDA_LIBRARY_DIR, file) < (int)sizeof path)
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return handle ? handle : open_wheel(file);
}

static void *open_library(const struct library *library)
{
	char file[64];
	void *handle = library->newest > 0 ? NULL : open_file(library->file);
	for (int version = library->newest; version > 0 && version >= library->oldest && !handle; version--)
		if (snprintf(file, sizeof file, "%s%d", library->file, version) < (int)sizeof file)
			handle = open_file(file);
	return handle;
}

bool library_open(struct library *library, void *table, const struct symbol *symbols)
{
	char version[16] = "";
	if (!library->handle)
		library->handle = open_library(library);
	if (library->newest > 0)
		snprintf(version, sizeof version, "%d", library->newest);
	if (!library->handle) {
		snprintf(hint, sizeof hint,
			"%s%s is not here: install %s, or add its folder to LD_LIBRARY_PATH", library->file,
			version, library->package ? library->package : "it");
		return false;
	}
	for (const struct symbol *s = symbols; s->name; s++) {
		void *function = dlsym(library->handle, s->name);
		/* POSIX: pointers to functions have the size and form of void *. */
		memcpy((unsigned char *)table + s->offset, &function, sizeof function);
	}
	return true;
}

bool library_load(struct library *library, void *table, const struct symbol *symbols)
{
	if (!library_open(library, table, symbols))
		return false;
	for (const struct symbol *s = symbols; s->name; s++) {
		void *function;
		memcpy(&function, (unsigned char *)table + s->offset, sizeof function);
		if (!function) {
			snprintf(hint, sizeof hint, "the %s that is here has no %s: install a newer one",
				library->file, s->name);
			return false;
		}
	}
	return true;
}

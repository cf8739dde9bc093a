/* SPDX-License-Identifier: BSD-3-Clause */
#include "loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static char hint[160];

const char *library_hint(void)
{
	return hint;
}

/* By the rules of the dynamic linker, then where the toolkit that this program was built with has its libraries. */
static void *open_library(const char *file)
{
	char path[512];
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!handle && snprintf(path, sizeof path, "%s/%s", CUDA_LIBRARY_DIR, file) < (int)sizeof path)
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return handle;
}

bool library_load(struct library *library, void *table, const struct symbol *symbols)
{
	if (!library->handle)
		library->handle = open_library(library->file);
	if (!library->handle) {
		snprintf(hint, sizeof hint,
			"%s is not here: install %s, or add its folder to LD_LIBRARY_PATH", library->file,
			library->package ? library->package : "it");
		return false;
	}
	for (const struct symbol *s = symbols; s->name; s++) {
		void *function = dlsym(library->handle, s->name);
		if (!function) {
			snprintf(hint, sizeof hint, "%s has no %s: install a newer one", library->file,
				s->name);
			return false;
		}
		/* POSIX: pointers to functions have the size and form of void *. */
		memcpy((unsigned char *)table + s->offset, &function, sizeof function);
	}
	return true;
}

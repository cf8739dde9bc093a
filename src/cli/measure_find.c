/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/measure.h"

const char *measure_find(struct session *session, const char *name)
{
	char folder[ENVIRONMENT_PATH_BYTES];
	const char *const program = arena_printf(session->arena, "paradl-measure-%s", name);
	const char *places[3] = {NULL};
	size_t count = 0;
	if (environment_folder(folder)) {
		places[count++] = arena_printf(session->arena, "%s/calibrate/%s", folder, name);
		places[count++] = arena_printf(session->arena, "%s/../libexec/paradl", folder);
	}
	places[count++] = PARADL_LIBEXECDIR;
	for (size_t i = 0; i < count; i++) {
		const char *const path = program && places[i]
						 ? arena_printf(session->arena, "%s/%s", places[i], program)
						 : NULL;
		if (!path)
			return out_of_memory_null(&session->error);
		if (access(path, X_OK) == 0)
			return path;
	}
	error_set(&session->error, PARADL_NO_TOOL, "%s was not built", program);
	error_hint(
		&session->error, "what it needs was not there when paradl was built: see calibrate/%s", name);
	return NULL;
}

bool measure_words(struct paradl_arena *arena, struct text_list *words, const char *text)
{
	static const char blanks[] = " \t\n";
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		const size_t length = strcspn(text, blanks);
		if (!text_list_add(arena, words, arena_copy(arena, text, length)))
			return false;
		text += length;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

size_t name_index(const char *name, const char *const *names, size_t count)
{
	size_t i = 0;
	while (i < count && !(names[i] && strcmp(names[i], name) == 0))
		++i;
	return i;
}

bool name_hint(struct paradl_error *error, const char *typed, const char *const *names, size_t count,
	const char *otherwise)
{
	const char *const near = suggest(typed, names, count);
	if (near)
		return error_hint(error, "did you mean \"%s\"?", near);
	return otherwise && error_hint(error, "%s", otherwise);
}

void names_join(const char *const *names, size_t count, char *text, size_t size)
{
	size_t length = 0;
	*text = '\0';
	for (size_t i = 0; i < count; ++i)
		if (names[i] && length < size)
			length += (size_t)snprintf(
				text + length, size - length, "%s%s", length ? ", " : "", names[i]);
}

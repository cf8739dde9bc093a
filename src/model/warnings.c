/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { TEXT_SIZE = 500 };

static void add(struct warnings *warnings, const char *place, const char *text)
{
	if (warnings->count == WARNINGS_MAX) {
		warnings->dropped++;
		return;
	}
	const char *const copy =
		arena_printf(warnings->arena, "%s%s%s", place, place[0] != '\0' ? ": " : "", text);
	if (copy)
		warnings->texts[warnings->count++] = copy;
	else
		warnings->out_of_memory = true;
}

void warn(struct warnings *warnings, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	add(warnings, "", text);
}

void warn_at(struct warnings *warnings, const struct json *node, const char *format, ...)
{
	char text[TEXT_SIZE];
	struct paradl_error place = {.status = PARADL_OK};
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (warnings->count < WARNINGS_MAX)
		json_error(node, &place, "-");
	add(warnings, place.pointer, text);
}

bool warnings_finish(struct warnings *warnings, const char *format, struct paradl_findings *findings,
	struct paradl_error *error)
{
	if (warnings->dropped > 0) {
		const char *const more = arena_printf(warnings->arena, "... and %u more", warnings->dropped);
		warnings->out_of_memory = warnings->out_of_memory || !more;
		warnings->texts[warnings->count++] = more;
	}
	const char **const texts = arena_alloc(warnings->arena, warnings->count + 1, sizeof(*texts));
	if (!texts || warnings->out_of_memory)
		return out_of_memory(error);
	memcpy(texts, warnings->texts, warnings->count * sizeof(*texts));
	*findings = (struct paradl_findings){.format = format, .warnings = texts, .count = warnings->count};
	return true;
}

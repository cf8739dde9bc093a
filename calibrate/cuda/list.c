/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <stdlib.h>
#include <string.h>

bool list_has(const struct points *points, const char *name)
{
	for (size_t i = points->count; i > 0; i--)
		if (strcmp(points->items[i - 1].name, name) == 0)
			return true;
	return false;
}

static const struct parameter *find(const struct case_line *line, const char *name)
{
	for (unsigned i = 0; i < line->parameter_count; i++)
		if (strcmp(line->parameters[i].name, name) == 0)
			return &line->parameters[i];
	return NULL;
}

const char *case_text(const struct case_line *line, const char *name)
{
	const struct parameter *parameter = find(line, name);
	return parameter ? parameter->text : NULL;
}

double case_number(const struct case_line *line, const char *name, double otherwise)
{
	const struct parameter *parameter = find(line, name);
	if (!parameter)
		return otherwise;
	return parameter->text ? strtod(parameter->text, NULL) : parameter->number;
}

void case_extents(const struct case_line *line, const char *name, int extents[3])
{
	const struct parameter *parameter = find(line, name);
	extents[0] = extents[1] = extents[2] = 1;
	if (parameter && !parameter->text) {
		extents[0] = (int)parameter->number;
		return;
	}
	const char *at = parameter ? parameter->text : "";
	for (int i = 0; i < 3 && *at; i++) {
		char *end;
		long value = strtol(at, &end, 10);
		if (end == at)
			return;
		extents[i] = (int)value;
		at = *end == 'x' ? end + 1 : end;
	}
}

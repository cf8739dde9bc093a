/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct parameter *find(const struct case_line *line, const char *name)
{
	for (unsigned i = 0; i < line->parameter_count; i++)
		if (strcmp(line->parameters[i].name, name) == 0)
			return &line->parameters[i];
	return NULL;
}

double case_number(const struct case_line *line, const char *name)
{
	const struct parameter *parameter = find(line, name);
	return parameter && !parameter->text ? parameter->number : 0;
}

const char *case_text(const struct case_line *line, const char *name)
{
	const struct parameter *parameter = find(line, name);
	return parameter && parameter->text ? parameter->text : "";
}

static const char *tail(const char *text, size_t most)
{
	size_t length = strlen(text);
	return length > most ? text + length - most : text;
}

void case_label(const struct case_line *line, char label[CASE_LABEL_LENGTH])
{
	enum { MODEL_LENGTH = 23, LAYER_LENGTH = 46 };
	const char *model = case_text(line, "model");
	snprintf(label, CASE_LABEL_LENGTH, "%s%s%s", tail(model, MODEL_LENGTH), *model ? "/" : "",
		tail(case_text(line, "layer"), LAYER_LENGTH));
	for (char *c = label; *c; c++)
		if (*c == '"' || *c == '\\' || iscntrl((unsigned char)*c) || isspace((unsigned char)*c))
			*c = '_';
}

bool extents_read(const char *text, size_t otherwise, size_t extents[CONVOLUTION_DIMENSIONS])
{
	for (int i = 0; i < CONVOLUTION_DIMENSIONS; i++)
		extents[i] = otherwise;
	for (int i = 0; *text; i++) {
		char *end;
		if (i == CONVOLUTION_DIMENSIONS || !isdigit((unsigned char)*text))
			return false;
		extents[i] = strtoul(text, &end, 10);
		if (*end && *end != 'x')
			return false;
		text = *end ? end + 1 : end;
	}
	return true;
}

static size_t count_of(const struct case_line *line, const char *name)
{
	double number = case_number(line, name);
	return number >= 1 && number <= 1e15 ? (size_t)number : 1;
}

static bool extents_of(const struct case_line *line, const char *name, size_t otherwise,
	size_t extents[CONVOLUTION_DIMENSIONS])
{
	const struct parameter *parameter = find(line, name);
	if (parameter && !parameter->text) { /* "3": one extent is a number */
		for (int i = 0; i < CONVOLUTION_DIMENSIONS; i++)
			extents[i] = otherwise;
		extents[0] =
			parameter->number >= 0 && parameter->number <= 1e15 ? (size_t)parameter->number : 0;
		return true;
	}
	return extents_read(parameter ? parameter->text : "", otherwise, extents);
}

const char *text_keep(const char *text)
{
	static struct kept {
		struct kept *before;
		char text[];
	} * last;
	size_t size = strlen(text) + 1;
	struct kept *kept = malloc(sizeof *kept + size);
	if (!kept)
		return "";
	memcpy(kept->text, text, size);
	kept->before = last;
	last = kept;
	return kept->text;
}

bool case_convolution(
	const struct case_line *line, struct convolution *c, unsigned *dimensions, const char **wrong)
{
	bool linear = strcmp(line->kind, "linear") == 0;
	if (!linear && strcmp(line->kind, "convolution") != 0)
		return false;
	*c = (struct convolution){count_of(line, "batch"), count_of(line, "channels"),
		count_of(line, "filters"), count_of(line, "groups"), {1, 1, 1}, {1, 1, 1}, {0}, {1, 1, 1},
		{1, 1, 1}, {1, 1, 1}};
	*dimensions = linear ? 0 : (unsigned)count_of(line, "dimensions");
	*wrong = "extents are not like 3x3x1";
	if (linear ||
		(extents_of(line, "kernel", 1, c->kernel) && extents_of(line, "stride", 1, c->stride) &&
			extents_of(line, "pad", 0, c->pad) && extents_of(line, "dilation", 1, c->dilation) &&
			extents_of(line, "x", 1, c->x) && extents_of(line, "y", 1, c->y)))
		*wrong = convolution_wrong(c);
	for (unsigned d = *dimensions; d < CONVOLUTION_DIMENSIONS; d++)
		if (c->x[d] == 1 && c->y[d] == 1 && c->kernel[d] == 1)
			c->pad[d] = 0; /* a line may say the same of all three */
	if (*dimensions > CONVOLUTION_DIMENSIONS) {
		*wrong = "there are at most 3 dimensions";
		*dimensions = CONVOLUTION_DIMENSIONS;
	}
	return true;
}

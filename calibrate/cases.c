/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of cases: a kind and name=value words on each line; '#' begins a comment. Numbers are numbers, the rest texts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { LINE_LENGTH = 1024, CASES_MAX = 100000 };

static bool refuse(const char *path, unsigned line, const char *what)
{
	fprintf(stderr, "%s:%u: %s\n", path, line, what);
	return false;
}

/* Words are cut out of `text`, which stays. */
static bool line_read(char *text, const char *path, unsigned line, struct case_line *out)
{
	char *rest, *word = strtok_r(text, " \t\n", &rest);
	*out = (struct case_line){.kind = word};
	while ((word = strtok_r(NULL, " \t\n", &rest))) {
		char *value = strchr(word, '='), *end;
		if (!value || value == word || !value[1])
			return refuse(path, line, "a word is not NAME=VALUE");
		if (out->parameter_count == PARAMETERS_MAX)
			return refuse(path, line, "more words than a case can have");
		*value++ = '\0';
		struct parameter *parameter = &out->parameters[out->parameter_count++];
		*parameter = (struct parameter){.name = word, .text = value};
		if (!isdigit((unsigned char)*value))
			continue;
		const double number = strtod(value, &end);
		if (!*end) {
			parameter->number = number;
			parameter->text = NULL;
		}
	}
	return true;
}

static bool cases_grow(struct cases *cases)
{
	if (cases->count < cases->capacity)
		return true;
	const size_t capacity = cases->capacity ? 2 * cases->capacity : 64;
	struct case_line *lines = realloc(cases->lines, capacity * sizeof *lines);
	if (lines)
		cases->lines = lines;
	char **texts = realloc(cases->texts, capacity * sizeof *texts);
	if (texts)
		cases->texts = texts;
	if (!lines || !texts || cases->count > CASES_MAX)
		return false;
	cases->capacity = capacity;
	return true;
}

static bool file_read(FILE *file, const char *path, struct cases *cases)
{
	char text[LINE_LENGTH];
	for (unsigned line = 1; fgets(text, sizeof text, file); ++line) {
		if (!strchr(text, '\n') && !feof(file))
			return refuse(path, line, "is longer than a case can be");
		text[strcspn(text, "#")] = '\0';
		const char *first = text + strspn(text, " \t\r\n");
		if (!*first)
			continue;
		char *kept = cases_grow(cases) ? strdup(first) : NULL;
		if (!kept)
			return refuse(path, line, "there is no memory for it");
		cases->texts[cases->count] = kept;
		if (!line_read(kept, path, line, &cases->lines[cases->count++]))
			return false;
	}
	return true;
}

bool cases_load(const char *path, struct cases *cases)
{
	*cases = (struct cases){0};
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		return false;
	}
	const bool fine = file_read(file, path, cases);
	fclose(file);
	return fine;
}

void cases_free(struct cases *cases)
{
	for (size_t i = 0; i < cases->count; ++i)
		free(cases->texts[i]);
	free(cases->texts);
	free(cases->lines);
}

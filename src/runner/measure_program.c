/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds programs that measure, takes their command lines apart and reads the lines that they print; speaks for those who start them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/quantity.h"
#include "runner/measure.h"

void runner_say(const struct runner *runner, const char *format, ...)
{
	char text[2048];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	runner->say(runner->context, text);
}

void runner_warn(const struct runner *runner, const char *format, ...)
{
	char text[1024];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	runner->warn(runner->context, text);
}

/* What a program is built with; others are always built. */
static const struct need {
	const char *program, *what, *package, *options;
} needs[] = {
	{"cpu", "OpenBLAS", "libopenblas-dev", "-Dopenblas=enabled"},
	{"cuda", "nvcc", "nvidia-cuda-toolkit", "-Dcuda=enabled"},
	{"mpi", "Open MPI", "libopenmpi-dev", "-Dmpi=enabled"},
	{"step", "Open MPI and OpenBLAS", "libopenmpi-dev, libopenblas-dev",
		"-Dmpi=enabled -Dopenblas=enabled"},
};

/* Says that a program is not there, and how to build it. */
static void report_missing(struct runner *runner, const char *name, const char *program)
{
	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (strcmp(needs[i].program, name) == 0) {
			error_set(runner->error, PARADL_NO_TOOL, "%s was not built: it needs %s (%s)",
				program, needs[i].what, needs[i].package);
			error_hint(runner->error,
				"where paradl was built: meson setup --reconfigure build %s, and ninja -C "
				"build",
				needs[i].options);
			return;
		}
	error_set(runner->error, PARADL_NO_TOOL, "%s was not built or not installed", program);
	error_hint(runner->error, "where paradl was built: ninja -C build, and meson install -C build");
}

const char *measure_find(struct runner *runner, const char *name)
{
	const char *const folder = runner->folder;
	const char *const program = arena_printf(runner->arena, "paradl-measure-%s", name);
	const char *places[3] = {NULL};
	size_t count = 0;
	if (folder) {
		places[count++] = arena_printf(runner->arena, "%s/calibrate/%s", folder, name);
		places[count++] = arena_printf(runner->arena, "%s/../libexec/paradl", folder);
	}
	places[count++] = PARADL_LIBEXECDIR;
	for (size_t i = 0; i < count; i++) {
		const char *const path = program && places[i]
						 ? arena_printf(runner->arena, "%s/%s", places[i], program)
						 : NULL;
		if (!path)
			return out_of_memory_null(runner->error);
		if (access(path, X_OK) == 0)
			return path;
	}
	report_missing(runner, name, program);
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

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/*
 * Copies the next word into `word`, which has room for any word of a line; returns the text after it and its blanks.
 */
static const char *take(const char *text, char word[MEASURE_LINE_BYTES])
{
	const size_t length = strcspn(text, " \t");
	const size_t kept = length < MEASURE_LINE_BYTES ? length : MEASURE_LINE_BYTES - 1;
	memcpy(word, text, kept);
	word[kept] = '\0';
	return skip_blanks(text + length);
}

static bool take_number(const char **text, double *number)
{
	const char *end;
	if (!decimal_read(*text, 0, number, &end) || (*end && *end != ' ' && *end != '\t'))
		return false;
	*text = skip_blanks(end);
	return true;
}

static bool parse_done(const char *rest, struct measure_said *said)
{
	double samples = 0;
	if (!take_number(&rest, &said->seconds) || !take_number(&rest, &said->half_width) ||
		!take_number(&rest, &samples) || *rest || samples > 1e9)
		return false;
	said->samples = (unsigned)samples;
	return true;
}

void measure_parse(const char *line, struct measure_said *said)
{
	static const struct {
		const char *text;
		enum measure_word word;
	} words[] = {
		{"points", MEASURE_POINTS},
		{"start", MEASURE_POINT_START},
		{"done", MEASURE_POINT_DONE},
		{"absent", MEASURE_POINT_ABSENT},
		{"failed", MEASURE_POINT_FAILED},
		{"skip", MEASURE_POINT_SKIP},
	};
	char word[MEASURE_LINE_BYTES] = "";
	const char *rest = take(line, word);
	*said = (struct measure_said){.word = MEASURE_OTHER, .reason = ""};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(word, words[i].text) == 0)
			said->word = words[i].word;
	if (said->word == MEASURE_OTHER)
		return;
	if (said->word == MEASURE_POINTS) {
		if (!take_number(&rest, &said->points) || *rest)
			said->word = MEASURE_OTHER;
		return;
	}
	rest = take(rest, said->point);
	if (said->word == MEASURE_POINT_ABSENT || said->word == MEASURE_POINT_FAILED)
		said->reason = rest;
	if (!*said->point || (said->word == MEASURE_POINT_DONE && !parse_done(rest, said)))
		said->word = MEASURE_OTHER;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The door of the engine: questions of a page, answered by paradl_ask out of the files that the page has given, which stand for
 * all there are. All texts that are returned end in a NUL and last until the next call of their kind.
 */
#include <errno.h>
#include <spawn.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "cli/command.h"
#include "report/palette.h"
#include "report/text.h"

#define EXPORT __attribute__((used, visibility("default")))

/* One page, one engine, one thread. */
static struct paradl_arena *files, *answers, *words;
static struct paradl_error failure;

/* Begins anew what an arena holds, beside the files. */
static struct paradl_arena *anew(struct paradl_arena **arena)
{
	paradl_arena_free(*arena);
	*arena = files ? arena_create_beside(files) : paradl_arena_create();
	return *arena;
}

/* Gives the engine a file; false: out of memory. */
EXPORT bool engine_give(const char *path, const char *text, size_t length);
bool engine_give(const char *path, const char *text, size_t length)
{
	if (!files)
		files = paradl_arena_create();
	return files && paradl_file_give(files, path, text, length);
}

/* Answers a question as JSON; NULL: engine_message and engine_hint say why not. */
EXPORT const char *engine_ask(const char *text, size_t length);
const char *engine_ask(const char *text, size_t length)
{
	const char *const here[] = {query_folder, NULL};
	size_t answer_length;
	struct paradl_arena *const arena = anew(&answers);
	failure = (struct paradl_error){.message = "out of memory"};
	return arena ? paradl_ask(arena,
			       &(struct paradl_question){
				       .text = text, .length = length, .directories = here, .threads = 1},
			       &answer_length, &failure)
		     : NULL;
}

EXPORT const char *engine_message(void);
const char *engine_message(void)
{
	return failure.message;
}

EXPORT const char *engine_hint(void);
const char *engine_hint(void)
{
	return failure.hint;
}

/* Writes a number as answers for people do: "34.7 s", "9.80 GiB", "37,040", "61 %", "68.41 JPY"; a kind may be a unit. */
EXPORT const char *engine_typeset(const char *kind, double value, const char *currency);
const char *engine_typeset(const char *kind, double value, const char *currency)
{
	struct report_sink sink = {.arena = anew(&words)};
	if (!sink.arena)
		return "";
	if (strcmp(kind, "whole") == 0)
		return typeset_whole(&sink, value);
	if (strcmp(kind, "count") == 0)
		return typeset_count(&sink, value);
	if (strcmp(kind, "percent") == 0)
		return typeset_percent(&sink, value);
	if (strcmp(kind, "money") == 0)
		return typeset_money(&sink, value, currency);
	if (strcmp(kind, "flop") == 0)
		return typeset_quantity(&sink, value, DIMENSION_FLOP);
	if (strcmp(kind, "times") == 0)
		return typeset(&sink, "%.2f", value);
	if (strcmp(kind, "energy") == 0)
		return text_energy(&sink, value);
	return typeset_unit(&sink, value, kind, 3);
}

/* Returns the share of the best time within which plans are equal, by the error of the best. */
EXPORT double engine_tie_share(double error_share);
double engine_tie_share(double error_share)
{
	return paradl_tie_share(&(struct paradl_estimate){.error_share = error_share});
}

/* Says whether a range that ends at `high` is before one that begins at `low`. */
EXPORT bool engine_is_before(double high, double low);
bool engine_is_before(double high, double low)
{
	return paradl_range_before(&(struct paradl_range){.high = high}, &(struct paradl_range){.low = low});
}

static void write_look(struct json_writer *writer, const char *label, const char *kind, unsigned rgb)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "label", label);
	json_write_text(writer, "kind", kind);
	json_write_number(writer, "rgb", rgb);
	json_end_object(writer);
}

/* Returns names and colours of phases and of classes of memory, as JSON. */
EXPORT const char *engine_looks(void);
const char *engine_looks(void)
{
	static char looks[4096];
	FILE *const file = fmemopen(looks, sizeof looks, "w");
	struct json_writer writer = {.file = file, .compact = true};
	if (!file)
		return "{}";
	json_begin_object(&writer, NULL);
	json_begin_array(&writer, "phases");
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		write_look(&writer, phase_looks[i].label, phase_looks[i].kind, phase_looks[i].rgb);
	json_end_array(&writer);
	json_begin_array(&writer, "memory");
	for (size_t i = 0; i < MEMORY_CLASSES; i++)
		write_look(&writer, memory_looks[i].label, NULL, memory_looks[i].rgb);
	json_end_array(&writer);
	json_end_object(&writer);
	return fclose(file) == 0 ? looks : "{}";
}

/* Fills with the instruction that WebAssembly has for it: the C library's own loop took a quarter of an answer, for fresh memory. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
void *memset(void *memory, int byte, size_t length)
{
	return __builtin_memset(memory, byte, length);
}

/* Starts no program: there is none in a browser. What would have drawn with one says that it is not there. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name,readability-non-const-parameter) */
int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	(void)process;
	(void)file;
	(void)actions;
	(void)attributes;
	(void)arguments;
	(void)environment;
	return ENOSYS;
}

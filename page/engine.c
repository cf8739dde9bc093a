/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The door of the engine: questions of a page, answered by paradl_ask out of the files that the page has given, which stand for
 * all there are. All texts that are returned end in a NUL and last until the next call of their kind.
 */
#include <errno.h>
#include <spawn.h>
#include <string.h>

#include "base/arena.h"
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
	static const char *const here[] = {".", NULL};
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

/* Writes a number as answers for people do: "34.7 s", "9.80 GiB", "37,040", "61 %", "68.41 JPY". */
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
	if (strcmp(kind, "kWh") == 0)
		return text_energy(&sink, value);
	return typeset_unit(&sink, value, kind, 3);
}

/* Starts no program: there is none in a browser. What would have drawn with one says that it is not there. */
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

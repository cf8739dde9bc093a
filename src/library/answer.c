/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers the questions of the command, and returns its schemas, as functions of the library. */
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/quantity.h"
#include "cli/command.h"
#include "report/report.h"

static const char *const nowhere[] = {NULL};

const char *paradl_ask(struct paradl_arena *arena, const struct paradl_question *question, size_t *length,
	struct paradl_error *error)
{
	char *answer = NULL;
	const char *copy = NULL;
	struct numbers numbers;
	struct session *const session = arena_alloc(arena, 1, sizeof *session);
	FILE *const file = session ? open_memstream(&answer, length) : NULL;
	if (!file) {
		out_of_memory(error);
		return NULL;
	}
	session->arena = arena;
	session->answers = file;
	session->threads = question->threads;
	session->directories = question->directories ? question->directories : nowhere;
	session->shipped = session->directories;
	numbers_begin(&numbers);
	const struct json *const root =
		json_parse(arena, question->text, question->length, query_folder, &session->error);
	if (root)
		ask_run(session, root);
	numbers_end(&numbers);
	const bool is_whole = fclose(file) == 0;
	const bool answered = is_whole && root && !session->failed;
	if (answered)
		copy = arena_copy(arena, answer, *length);
	if (!is_whole || (answered && !copy))
		out_of_memory(&session->error);
	free(answer);
	if (!copy)
		*error = session->error;
	return copy;
}

const char *paradl_schema(struct paradl_arena *arena, const char *command, struct paradl_error *error)
{
	const struct result_document *const document = result_document_find(command);
	char *written = NULL;
	size_t length = 0;
	if (!document) {
		error_set(error, PARADL_USAGE, "'%s' answers with no document", command);
		return NULL;
	}
	FILE *const file = open_memstream(&written, &length);
	if (file)
		schema_write(file, document);
	const bool is_whole = file && fclose(file) == 0;
	const char *const copy = is_whole ? arena_copy(arena, written, length) : NULL;
	free(written);
	return copy ? copy : out_of_memory_null(error);
}

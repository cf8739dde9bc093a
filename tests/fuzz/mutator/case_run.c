/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a case, and holds what comes of it to this: an answer is a document of strict JSON, or all that was promised of a text; a
 * failure says what is wrong, in one line, and where: the file, the option, or the place in the question.
 */
#include <string.h>

#include "../input.h"
#include "base/error.h"
#include "base/json.h"
#include "case.h"
#include "mutate.h"
#include "paradl/fit.h"

enum { LEAST_MEMORY = 1 << 10, MOST_MEMORY = 1 << 30 };

/* Refuses an error that does not say what and where. */
static void require_placed(const struct paradl_error *error)
{
	require_explained(error);
	for (const char *c = error->message; *c; c++)
		REQUIRE((unsigned char)*c >= ' ' && *c != 0x7f);
	REQUIRE(strstr(error->message, "(null)") == NULL);
	if (error->status == PARADL_SYNTAX || error->status == PARADL_SCHEMA || error->status == PARADL_IO)
		REQUIRE(error->path[0] || error->pointer[0] || strpbrk(error->message, "\"'") ||
			strstr(error->message, "--"));
}

/* A document is strict JSON, for which there is memory enough. */
static void require_json(const char *text, size_t length)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	REQUIRE(json_parse(arena, text, length, "document", &error));
	paradl_arena_free(arena);
}

static bool ask(
	struct paradl_arena *arena, const struct text *text, const char *root, struct paradl_error *error)
{
	char data[1024];
	snprintf(data, sizeof data, "%s/tests/cli/data", root);
	const char *const directories[] = {data, root, NULL};
	const struct paradl_question question = {
		.text = text->bytes, .length = text->length, .directories = directories, .threads = 1};
	size_t length = 0;
	const char *const answer = paradl_ask(arena, &question, &length, error);
	if (!answer)
		return false;
	REQUIRE(length > 0 && answer[length] == '\0' && strlen(answer) == length);
	if (answer[0] == '{' && !strstr(text->bytes, "\"as\""))
		require_json(answer, length);
	return true;
}

static bool check(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	struct paradl_findings findings = {0};
	const bool fine = paradl_check(arena, &(struct paradl_source){.path = path}, &findings, error);
	for (size_t i = 0; fine && i < findings.count; i++)
		REQUIRE(findings.warnings[i] && findings.warnings[i][0]);
	return fine;
}

static bool import(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	struct paradl_findings findings = {0};
	const char *const text = paradl_import(arena, path, NULL, &findings, error);
	if (text)
		require_json(text, strlen(text));
	return text;
}

static bool fit(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	struct paradl_calibration *const fit = arena_alloc(arena, 1, sizeof *fit);
	return fit ? paradl_calibration_fit(arena, &path, 1, NULL, fit, error) : out_of_memory(error);
}

/* Loads a file as what it is. */
static bool load(struct paradl_arena *arena, const struct seed *seed, const char *path, const char *root,
	struct paradl_error *error)
{
	const char *const directories[] = {root, NULL};
	const struct paradl_source source = {.path = path};
	struct paradl_dataset_info info;
	struct paradl_clients clients;
	const struct paradl_client_group usual = {.name = "usual"};
	if (strcmp(seed->kind, "model") == 0)
		return paradl_model_load(arena, &source, error);
	if (strcmp(seed->kind, "hw") == 0)
		return paradl_machine_load(
			arena, &(struct paradl_source){.path = path, .directories = directories}, error);
	if (strcmp(seed->kind, "framework") == 0)
		return paradl_framework_load(arena, &source, error);
	if (strcmp(seed->kind, "dataset") == 0)
		return paradl_dataset_load(arena, &source, &info, error);
	if (strcmp(seed->kind, "clients") == 0)
		return paradl_clients_load(arena, &source, &usual, &clients, error);
	if (strcmp(seed->kind, "samples") == 0)
		return fit(arena, path, error);
	if (strcmp(seed->kind, "foreign") == 0)
		return import(arena, path, error);
	return check(arena, path, error);
}

static bool load_file(struct paradl_arena *arena, const struct case_text *made, const char *root,
	struct paradl_error *error)
{
	const char *const path = arena_printf(arena, "case/%s", made->seed->name);
	struct paradl_error other = {0};
	if (!path || !paradl_file_give(arena, path, made->text.bytes, made->text.length)) {
		return out_of_memory(error);
	}
	if (!check(arena, path, &other))
		require_placed(&other);
	return load(arena, made->seed, path, root, error);
}

bool case_run(const struct case_text *made, const char *root, struct chance *chance)
{
	/* One case in twenty has little memory: what runs out of it says so. */
	const size_t limit =
		chance_percent(chance, 5) ? LEAST_MEMORY + chance_below(chance, 1 << 20) : MOST_MEMORY;
	struct paradl_arena *const arena = arena_create_limited(limit);
	struct paradl_error error = {0};
	if (!arena)
		return false;
	const bool fine =
		made->seed ? load_file(arena, made, root, &error) : ask(arena, &made->text, root, &error);
	if (!fine)
		require_placed(&error);
	paradl_arena_free(arena);
	return fine;
}

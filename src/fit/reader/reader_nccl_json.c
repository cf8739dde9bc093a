/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what nccl-tests writes with -J: "args", "nccl_version", "devices" with "hostname", "results" with both times.
 */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "fit/reader/reader.h"

static bool knows(const char *text, size_t length)
{
	return length > 0 && text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"out_of_place\"");
}

/* Returns a member that is a number, or a text that is one; -1 otherwise. */
static double number_of(const struct json *object, const char *key)
{
	const struct json *node = object ? json_member(object, key) : NULL;
	double number;
	if (node && node->kind == JSON_NUMBER)
		return node->number;
	return node && node->kind == JSON_STRING && word_number(node->string, &number) ? number : -1;
}

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *node = object ? json_member(object, key) : NULL;
	return node && node->kind == JSON_STRING ? node->string : NULL;
}

static bool devices_read(struct foreign *foreign, const struct json *root, struct nccl_run *run)
{
	const struct json *devices = json_member(root, "devices");
	for (const struct json *node = devices ? devices->child : NULL; node; node = node->next) {
		const double group = number_of(node, "group");
		if (!nccl_rank(foreign->arena, run, text_of(node, "hostname"), group > 0 ? group : 0))
			return foreign_fail(foreign, 0, "has more than %d nodes", READER_HOSTS_MAX);
	}
	return true;
}

static void program_read(struct foreign *foreign, const struct json *root, struct nccl_run *run)
{
	const struct json *arguments = json_member(root, "args");
	for (const struct json *node = arguments ? arguments->child : NULL; node && !run->operation;
		node = node->next)
		if (node->kind == JSON_STRING && strstr(node->string, "_perf"))
			run->operation = operation_of(node->string);
	run->library = nccl_library(foreign->arena, number_of(root, "nccl_version"));
	if (text_of(root, "start_time"))
		foreign->launch->date = text_of(root, "start_time");
}

/* Reads the row of one result. Returns false where the result has no time or no size. */
static bool row_of(const struct json *node, struct nccl_row *row)
{
	static const char *const places[] = {"out_of_place", "in_place"};
	const double root = number_of(node, "root");
	*row = (struct nccl_row){.bytes = number_of(node, "size"),
		.reduction = text_of(node, "redop"),
		.has_root = root >= 0,
		.algorithm_rate = number_of(json_member(node, "out_of_place"), "alg_bw"),
		.bus_rate = number_of(json_member(node, "out_of_place"), "bus_bw")};
	for (unsigned i = 0; i < 2; ++i) {
		const double time_us = number_of(json_member(node, places[i]), "time");
		if (time_us > 0)
			row->times_s[row->time_count++] = time_us * 1e-6;
	}
	return row->bytes > 0 && row->time_count > 0;
}

static int line_of(struct paradl_arena *arena, const char *text, size_t length, const struct json *node)
{
	int line = 0, column;
	const char *pointer = arena_printf(arena, "/results/%u", node->index);
	if (pointer)
		json_locate(text, length, pointer, &line, &column);
	return line;
}

static bool read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct foreign foreign;
	struct nccl_run run = {0};
	const struct json *root = json_parse(arena, text, length, path, error);
	const struct json *results = root ? json_member(root, "results") : NULL;
	if (!root || !foreign_begin(&foreign, arena, set, path, "nccl-tests", error))
		return false;
	if (!results || results->kind != JSON_ARRAY)
		return json_error(root, error, "has no list \"results\"");
	if (results->count > READER_POINTS_MAX)
		return json_error(results, error, "has more than %d rows", READER_POINTS_MAX);
	struct nccl_row *rows = arena_alloc(arena, results->count + 1, sizeof *rows);
	size_t count = 0;
	if (!rows)
		return out_of_memory(error);
	for (const struct json *node = results->child; node; node = node->next) {
		if (node->kind != JSON_OBJECT)
			return json_error(node, error, "must be an object");
		if (!row_of(node, &rows[count]))
			continue;
		rows[count++].line = line_of(arena, text, length, node);
	}
	if (!devices_read(&foreign, root, &run))
		return false;
	program_read(&foreign, root, &run);
	return nccl_points(&foreign, &run, rows, count);
}

const struct sample_reader reader_nccl_json = {
	.name = "nccl-tests JSON",
	.summary = "what nccl-tests writes with -J",
	.knows = knows,
	.read = read,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what IOR writes with -O summaryFormat=JSON: "tests", each with "Options" and "Results", one for each
 * repetition and access. Repetitions of an access are samples of one point. The storage is taken to be shared by the
 * machine's nodes, unless the file's name has "local" in it.
 */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/quantity.h"
#include "fit/reader/reader.h"

enum { REPETITIONS_MAX = 256 };

struct test {
	struct foreign *foreign;
	const struct json *options;
	int line;
	double block, tasks, bytes;
	double seconds[REPETITIONS_MAX];
	unsigned count;
};

static bool knows(const char *text, size_t length)
{
	return length > 0 && text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"tests\"") &&
	       strstr(text, "\"bwMiB\"");
}

static double number_of(const struct json *object, const char *key)
{
	const struct json *node = object && object->kind == JSON_OBJECT ? json_member(object, key) : NULL;
	double number;
	if (node && node->kind == JSON_NUMBER)
		return node->number;
	return node && node->kind == JSON_STRING && word_number(node->string, &number) ? number : -1;
}

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *node = object && object->kind == JSON_OBJECT ? json_member(object, key) : NULL;
	return node && node->kind == JSON_STRING ? node->string : "";
}

/* Adds the times of one access, wherever its results nest: some versions write a list for each repetition. */
static bool results_read(struct test *test, const struct json *results, const char *access)
{
	for (const struct json *node = results->child; node; node = node->next) {
		if (node->kind == JSON_ARRAY) {
			if (!results_read(test, node, access))
				return false;
			continue;
		}
		const double rate = number_of(node, "bwMiB") * (1 << 20),
			     total_s = number_of(node, "totalTime");
		if (node->kind != JSON_OBJECT || strcmp(text_of(node, "access"), access) != 0)
			continue;
		if (!(rate > 0) || !(total_s > 0))
			return json_error(node, test->foreign->error, "has no rate or no time");
		if (test->count == REPETITIONS_MAX)
			return json_error(
				node, test->foreign->error, "more than %d repetitions", REPETITIONS_MAX);
		if (test->count == 0) {
			test->bytes = rate * total_s;
			test->block = number_of(node, "xferKiB") * 1024;
		}
		test->seconds[test->count++] = test->bytes / rate;
	}
	return true;
}

static bool access_read(struct test *test, const struct json *results, const char *access)
{
	struct foreign *foreign = test->foreign;
	const char *tier = name_has(foreign->path, "local") ? "local" : "shared";
	const bool is_random = strncmp(text_of(test->options, "ordering in a file"), "random", 6) == 0;
	test->count = 0;
	if (!results_read(test, results, access))
		return false;
	if (test->count == 0)
		return true;
	const struct sample_parameter parameters[] = {
		{"kind", is_random ? "random" : "sequential", 0},
		{"tier", tier, 0},
		{"block", NULL, test->block > 0 ? test->block : 1 << 20},
		{"clients", NULL, test->tasks},
		{"direct", NULL, 0},
		{"size", NULL, test->bytes},
	};
	const struct foreign_point point = {.bench = access,
		.name = arena_printf(foreign->arena, "%s/%s/%s/%.0f/%.0f", access, tier,
			is_random ? "random" : "sequential", parameters[2].number, test->tasks),
		.line = test->line,
		.parameters = parameters,
		.parameter_count = sizeof parameters / sizeof *parameters,
		.bytes = test->bytes,
		.seconds = test->seconds,
		.samples = test->count};
	return foreign_add_point(foreign, &point);
}

static bool read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct foreign foreign;
	const struct json *root = json_parse(arena, text, length, path, error);
	if (!root || !foreign_begin(&foreign, arena, set, path, "IOR", error))
		return false;
	const struct json *tests = json_member(root, "tests");
	foreign.launch->date = text_of(root, "Began");
	for (const struct json *node = tests ? tests->child : NULL; node; node = node->next) {
		struct test test = {.foreign = &foreign};
		const struct json *results = node->kind == JSON_OBJECT ? json_member(node, "Results") : NULL;
		const char *pointer = arena_printf(arena, "/tests/%u", node->index);
		int column;
		if (!results || results->kind != JSON_ARRAY)
			return json_error(node, error, "has no list \"Results\"");
		if (pointer)
			json_locate(text, length, pointer, &test.line, &column);
		test.options = json_member(node, "Options");
		test.tasks = number_of(test.options, "tasks");
		test.tasks = test.tasks >= 1 ? test.tasks : 1;
		if (!access_read(&test, results, "write") || !access_read(&test, results, "read"))
			return false;
	}
	return foreign.points > 0 || foreign_fail(&foreign, 0, "has no results");
}

const struct sample_reader reader_ior = {
	.name = "IOR",
	.summary = "what IOR writes with -O summaryFormat=JSON",
	.knows = knows,
	.read = read,
};

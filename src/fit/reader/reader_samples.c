/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON lines of paradl's measuring programs; paradl-samples(5). A last line without its end is what a
 * killed program left of a point: it is counted and passed over. Unknown keys are passed over, known ones are
 * checked.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "fit/calibration.h"

enum { PARAMETERS_LIMIT = 64, FLAGS_LIMIT = 16 };
static const double shortest_s = 1e-12, longest_s = 1e7, most_work = 1e30;

static const char *const benches[] = {"point-to-point", "allreduce", "allgather", "reduce-scatter",
	"all-to-all", "broadcast", "reduce", "halo", "chain", "clock", "noise", "gemm", "burst", "attention",
	"convolution", "memory", "elementwise", "update", "launch", "transfer", "read", "write", "files",
	"step"};
enum { BENCHES = sizeof benches / sizeof *benches };

/* The state while the lines of one file are added to a set. */
struct reading {
	struct paradl_arena *arena;
	const char *path;
	struct sample_set *set;
	size_t first_launch; /* index of this file's first launch in the set */
	int line;
	struct paradl_error *error;
};

static const struct json *member(const struct json *object, const char *key, enum json_kind kind,
	const char *wanted, struct paradl_error *error)
{
	const struct json *node = json_member(object, key);
	if (!node)
		json_error(object, error, "has no \"%s\"", key);
	else if (node->kind != kind)
		json_error(node, error, "must be %s", wanted);
	return node && node->kind == kind ? node : NULL;
}

/* Copies a text to the arena, which outlives the line. A text that is not there is "", and an error if `required`. */
static bool text_read(
	struct reading *reading, const struct json *object, const char *key, bool required, const char **text)
{
	*text = "";
	if (!required && !json_member(object, key))
		return true;
	const struct json *node = member(object, key, JSON_STRING, "a text", reading->error);
	if (node && !(*text = arena_text(reading->arena, node->string)))
		return out_of_memory(reading->error);
	return node != NULL;
}

static bool parameters_read(struct reading *reading, const struct json *object, bool texts_only,
	const struct sample_parameter **list, unsigned *count)
{
	if (object->count > PARAMETERS_LIMIT)
		return json_error(object, reading->error, "must have at most %d members, has %u",
			PARAMETERS_LIMIT, object->count);
	struct sample_parameter *parameters =
		arena_alloc(reading->arena, object->count + 1, sizeof *parameters);
	if (!parameters)
		return out_of_memory(reading->error);
	for (const struct json *node = object->child; node; node = node->next) {
		struct sample_parameter *parameter = &parameters[node->index];
		if (node->kind != JSON_STRING && (texts_only || node->kind != JSON_NUMBER))
			return json_error(node, reading->error, "must be %s",
				texts_only ? "a text" : "a number or a text");
		parameter->number = node->kind == JSON_NUMBER ? node->number : 0;
		parameter->name = arena_text(reading->arena, node->key);
		parameter->text = node->kind == JSON_STRING ? arena_text(reading->arena, node->string) : NULL;
		if (!parameter->name || (node->kind == JSON_STRING && !parameter->text))
			return out_of_memory(reading->error);
	}
	*list = parameters;
	*count = object->count;
	return true;
}

static struct sample_launch *launch_find(const struct reading *reading, const char *id)
{
	for (size_t i = reading->set->launch_count; i-- > reading->first_launch;)
		if (strcmp(reading->set->launches[i]->id, id) == 0)
			return reading->set->launches[i];
	return NULL;
}

/* Checks the header that a launch has again because it was continued: program and host must be the same. */
static bool launch_same(const struct sample_launch *before, const struct sample_launch *again,
	const struct json *line, struct paradl_error *error)
{
	return (strcmp(before->program, again->program) == 0 && strcmp(before->host, again->host) == 0) ||
	       json_error(line, error,
		       "is launch \"%.40s\" of program \"%.40s\" on \"%.60s\", but began with \"%.40s\" on "
		       "\"%.60s\"",
		       before->id, again->program, again->host, before->program, before->host);
}

static bool launch_read(struct reading *reading, const struct json *line)
{
	struct sample_launch launch = {.file = reading->path};
	const struct json_field version = {"version", JSON_TO_UNSIGNED, true, 0, 1, 1, DIMENSION_NONE, NULL};
	unsigned number;
	const struct json *format = member(line, "format", JSON_STRING, "a text", reading->error);
	if (format && strcmp(format->string, "paradl-samples") != 0)
		return json_error(format, reading->error, "must be \"paradl-samples\"");
	const struct json *node =
		format ? member(line, "version", JSON_NUMBER, "a number", reading->error) : NULL;
	if (!node || !json_read_value(node, &version, &number, reading->error) ||
		!text_read(reading, line, "launch", true, &launch.id) ||
		!text_read(reading, line, "program", true, &launch.program) ||
		!text_read(reading, line, "host", false, &launch.host) ||
		!text_read(reading, line, "date", false, &launch.date))
		return false;
	const struct json *environment =
		json_member(line, "environment")
			? member(line, "environment", JSON_OBJECT, "an object", reading->error)
			: line;
	if (!environment || (environment != line && !parameters_read(reading, environment, true,
							    &launch.environment, &launch.environment_count)))
		return false;
	const struct sample_launch *before = launch_find(reading, launch.id);
	if (before)
		return launch_same(before, &launch, line, reading->error);
	struct sample_launch *added = sample_launch_add(reading->arena, reading->set);
	if (!added)
		return out_of_memory(reading->error);
	*added = launch;
	return true;
}

static bool bench_known(const struct json *node, struct paradl_error *error)
{
	if (name_index(node->string, benches, BENCHES) < BENCHES)
		return true;
	char quoted[60];
	json_error(node, error, "%s is no bench that is known",
		error_quote(quoted, sizeof quoted, node->string));
	return name_hint(error, node->string, benches, BENCHES, "benches are listed in paradl-samples(5)");
}

static bool seconds_read(struct reading *reading, const struct json *line, struct sample_point *point)
{
	const struct json_field field = {
		"seconds", JSON_TO_DOUBLE, true, 0, shortest_s, longest_s, DIMENSION_NONE, NULL};
	const struct json *list = member(line, "seconds", JSON_ARRAY, "an array", reading->error);
	if (!list)
		return false;
	if (!list->count)
		return json_error(list, reading->error,
			"must have at least one time; a point without has a \"failed\" that says why");
	double *seconds = arena_alloc(reading->arena, list->count, sizeof *seconds);
	if (!seconds)
		return out_of_memory(reading->error);
	for (const struct json *node = list->child; node; node = node->next)
		if (!json_read_value(node, &field, &seconds[node->index], reading->error))
			return false;
	point->seconds = seconds;
	point->count = list->count;
	return true;
}

static bool flags_read(struct reading *reading, const struct json *line, struct sample_point *point)
{
	if (!json_member(line, "flags"))
		return true;
	const struct json *list = member(line, "flags", JSON_ARRAY, "an array", reading->error);
	if (!list)
		return false;
	if (list->count > FLAGS_LIMIT)
		return json_error(list, reading->error, "must have at most %d members, has %u", FLAGS_LIMIT,
			list->count);
	const char **flags = arena_alloc(reading->arena, list->count + 1, sizeof *flags);
	if (!flags)
		return out_of_memory(reading->error);
	for (const struct json *node = list->child; node; node = node->next) {
		if (node->kind != JSON_STRING)
			return json_error(node, reading->error, "must be a text");
		flags[node->index] = arena_text(reading->arena, node->string);
		if (!flags[node->index])
			return out_of_memory(reading->error);
	}
	point->flags = flags;
	return true;
}

static bool work_read(struct reading *reading, const struct json *line, const char *key, double *value)
{
	const struct json_field field = {key, JSON_TO_DOUBLE, true, 0, 0, most_work, DIMENSION_NONE, NULL};
	const struct json *node = json_member(line, key);
	return !node || json_read_value(node, &field, value, reading->error);
}

static bool point_fill(struct reading *reading, const struct json *line, struct sample_point *point)
{
	const struct json *id = member(line, "launch", JSON_STRING, "a text", reading->error);
	if (!id)
		return false;
	point->launch = launch_find(reading, id->string);
	point->line = reading->line;
	if (!point->launch)
		return json_error(id, reading->error, "no line before says what this launch is");
	const struct json *bench = member(line, "bench", JSON_STRING, "a text", reading->error);
	if (!bench || !bench_known(bench, reading->error) ||
		!text_read(reading, line, "bench", true, &point->bench) ||
		!text_read(reading, line, "point", true, &point->name))
		return false;
	const struct json *parameters = member(line, "parameters", JSON_OBJECT, "an object", reading->error);
	if (!parameters ||
		!parameters_read(reading, parameters, false, &point->parameters, &point->parameter_count))
		return false;
	if (!work_read(reading, line, "flop", &point->flop) ||
		!work_read(reading, line, "bytes", &point->bytes) ||
		!work_read(reading, line, "sm_clock_mhz", &point->clock_mhz) ||
		!work_read(reading, line, "power_watt", &point->watt) ||
		!work_read(reading, line, "temperature_celsius", &point->celsius) ||
		!flags_read(reading, line, point))
		return false;
	const struct json *failed = json_member(line, "failed");
	if (failed && json_member(line, "seconds"))
		return json_error(failed, reading->error, "a point that failed has no \"seconds\"");
	const struct json *again = json_member(line, "again");
	if (again && again->kind != JSON_BOOL)
		return json_error(again, reading->error, "must be true or false");
	point->again = failed && again && again->boolean;
	return failed ? text_read(reading, line, "failed", true, &point->failed)
		      : seconds_read(reading, line, point);
}

static bool line_read(struct reading *reading, const struct json *line)
{
	if (line->kind != JSON_OBJECT)
		return json_error(line, reading->error, "must be an object");
	if (!json_member(line, "point")) {
		if (json_member(line, "format"))
			return launch_read(reading, line);
		return json_error(line, reading->error,
			"is neither a launch (it has no \"format\") nor a point (it has no \"point\")");
	}
	struct sample_point point = {.flags = NULL};
	if (!point_fill(reading, line, &point))
		return false;
	struct sample_point *added = sample_point_add(reading->arena, reading->set);
	if (!added)
		return out_of_memory(reading->error);
	if (!point.flags)
		point.flags = added->flags;
	*added = point;
	return true;
}

/*
 * Parses and reads one line. Its tree lives only as long as the line is read. An error of the parser counts lines
 * within the text that it parsed, so it gets the line of the file here.
 */
static bool line_parse(struct reading *reading, const char *text, size_t length)
{
	struct paradl_arena *scratch = paradl_arena_create();
	if (!scratch)
		return out_of_memory(reading->error);
	struct paradl_error own = {.status = PARADL_OK}, *const error = reading->error;
	reading->error = &own;
	const struct json *line = json_parse(scratch, text, length, reading->path, &own);
	const bool fine = line && line_read(reading, line);
	reading->error = error;
	if (!fine && error) {
		*error = own;
		if (own.status != PARADL_NO_MEMORY)
			error->line = reading->line;
	}
	paradl_arena_free(scratch);
	return fine;
}

static bool samples_know(const char *text, size_t length)
{
	static const char start[] = "{\"launch\"";
	const size_t compared = length < sizeof start - 1 ? length : sizeof start - 1;
	return length > 0 && memcmp(text, start, compared) == 0;
}

static bool samples_read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct reading reading = {arena, path, set, set->launch_count, 0, error};
	while (length) {
		const char *end = memchr(text, '\n', length);
		++reading.line;
		if (!end) {
			++set->torn;
			return true;
		}
		const size_t size = (size_t)(end - text);
		if (!line_parse(&reading, text, size))
			return false;
		text = end + 1;
		length -= size + 1;
	}
	return true;
}

const struct sample_reader reader_samples = {.name = "samples",
	.summary = "JSON lines that measuring programs write",
	.knows = samples_know,
	.read = samples_read};

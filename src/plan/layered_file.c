/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads plans of parts from files, loads them for a network, and writes them. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "base/source.h"
#include "model/model.h"
#include "plan/plan_text.h"

#include <string.h>

/* Reads a plan of parts by itself, without the network whose layers it names. */

/* Schedules with one stage on each device. */
static const char *const schedule_names[] = {"gpipe", "1f1b", "zero-bubble", "zero-bubble-2p", NULL};
static const enum paradl_pipeline_schedule schedules[] = {
	PARADL_GPIPE, PARADL_1F1B, PARADL_ZERO_BUBBLE, PARADL_ZERO_BUBBLE_2P};
enum { SCHEDULE_NOT_GIVEN = -1 };

struct part_keys {
	const char *from, *to;
	unsigned stage;
	const char *plan;
};

/* Reports whether the plan of a part has only options of a part; an error where one belongs to the whole file. */
static bool is_of_a_part(const struct json *node, const struct paradl_plan *plan, struct paradl_error *error)
{
	if (plan->degree[PARADL_PIPELINE] > 1) {
		json_error(node, error, "has a pipeline, but stages are those of the file");
		error_hint(error, "write \"stages\" beside \"parts\", and in each part its \"stage\"");
		return false;
	}
	if (plan->micro > 0 || plan->schedule != PARADL_SCHEDULE_DEFAULT) {
		json_error(node, error, "%s is said of the whole plan, not of a part",
			plan_option_names[plan->micro > 0 ? PLAN_MICRO : PLAN_SCHEDULE]);
		error_hint(error, "write \"micro_batches\" and \"schedule\" beside \"parts\"");
		return false;
	}
	return true;
}

/* Reads the plan of a part, which must cut it over all devices of its stage. */
static bool plan_read(const struct layered_file *file, const struct json *node, const char *text,
	struct paradl_plan *plan, struct paradl_error *error)
{
	struct paradl_error reason = {.status = PARADL_OK};
	const unsigned wanted = file->devices / file->stages;
	if (!paradl_plan_parse(text, plan, &reason)) {
		json_error(node, error, "%s", reason.message);
		if (*reason.hint)
			error_hint(error, "%s", reason.hint);
		return false;
	}
	if (!is_of_a_part(node, plan, error))
		return false;
	plan->batch = file->batch;
	const double devices = paradl_plan_devices(plan);
	if (devices > wanted || devices < wanted) {
		json_error(node, error, "is for %.0f GPU%s, but %s %u", devices, devices > 1 ? "s" : "",
			file->stages > 1 ? "each stage has" : "the file is for", wanted);
		error_hint(error, "the degrees of a part's plan multiply to the GPUs of its stage");
		return false;
	}
	return true;
}

/*
 * Checks the stage of a part: stages come in order, and each has a part; `before` is the number of stages begun so
 * far.
 */
static bool stage_read(const struct layered_file *file, const struct json *part, unsigned before,
	unsigned stage, struct paradl_error *error)
{
	const struct json *const node = json_member(part, "stage");
	if (stage > file->stages)
		return json_error(node, error, "is %u, but the file has %u stage%s", stage, file->stages,
			file->stages > 1 ? "s" : "");
	if (stage == before || stage == before + 1)
		return true;
	return json_error(node ? node : part, error, "is of stage %u after %s %u: stages come in order",
		stage, before > 0 ? "stage" : "none, not", before > 0 ? before : 1);
}

static bool part_read(struct layered_file *file, const struct json *node, unsigned before,
	struct layered_file_part *part, struct paradl_error *error)
{
#define KEY(text, kind, must)                                                                                \
	{                                                                                                    \
		.key = #text, .type = (kind), .required = (must), .offset = offsetof(struct part_keys, text) \
	}
	static const struct json_field fields[] = {
		KEY(from, JSON_TO_TEXT, true),
		KEY(to, JSON_TO_TEXT, true),
		{.key = "stage",
			.type = JSON_TO_UNSIGNED,
			.offset = offsetof(struct part_keys, stage),
			.min = 1,
			.max = PARADL_STAGES_MAX},
		KEY(plan, JSON_TO_TEXT, true),
	};
#undef KEY
	struct part_keys keys = {.stage = 1};
	if (!json_read(node, fields, sizeof fields / sizeof *fields, NULL, &keys, error) ||
		!stage_read(file, node, before, keys.stage, error))
		return false;
	part->node = node;
	part->from = keys.from;
	part->to = keys.to;
	part->stage = keys.stage;
	return plan_read(file, json_member(node, "plan"), keys.plan, &part->plan, error);
}

static bool parts_read(struct paradl_arena *arena, const struct json *array, struct layered_file *file,
	struct paradl_error *error)
{
	struct layered_file_part *const parts = arena_alloc(arena, array->count + 1, sizeof *parts);
	unsigned stages = 0;
	if (array->count == 0)
		return json_error(array, error, "must have at least one part");
	if (!parts)
		return out_of_memory(error);
	for (const struct json *node = array->child; node; node = node->next) {
		struct layered_file_part *const part = &parts[file->part_count++];
		if (!part_read(file, node, stages, part, error))
			return false;
		stages = part->stage;
	}
	file->parts = parts;
	return stages == file->stages ||
	       json_error(array, error, "has parts of %u of the file's %u stages", stages, file->stages);
}

struct file_keys {
	const char *model;
	unsigned gpus, stages, batch, micro_batches;
	int schedule;
	const struct json *parts;
};

static bool keys_read(const struct json *root, struct file_keys *keys, struct paradl_error *error)
{
#define COUNT(text, must, most)                                                                              \
	{                                                                                                    \
		.key = #text, .type = JSON_TO_UNSIGNED, .required = (must),                                  \
		.offset = offsetof(struct file_keys, text), .min = 1, .max = (most)                          \
	}
	static const struct json_field fields[] = {
		{.key = "model",
			.type = JSON_TO_TEXT,
			.required = true,
			.offset = offsetof(struct file_keys, model)},
		COUNT(gpus, true, 0),
		COUNT(batch, true, 0),
		COUNT(stages, false, PARADL_STAGES_MAX),
		COUNT(micro_batches, false, 0),
		{.key = "schedule",
			.type = JSON_TO_CHOICE,
			.offset = offsetof(struct file_keys, schedule),
			.choices = schedule_names},
		{.key = "parts",
			.type = JSON_TO_ARRAY,
			.required = true,
			.offset = offsetof(struct file_keys, parts)},
	};
#undef COUNT
	static const char *const checked[] = {"format", "version", NULL};
	return format_check(root, "paradl-plan", "plan of parts", error) &&
	       json_read(root, fields, sizeof fields / sizeof *fields, checked, keys, error);
}

bool layered_read(struct paradl_arena *arena, const struct json *root, struct layered_file *file,
	struct paradl_error *error)
{
	struct file_keys keys = {.stages = 1, .schedule = SCHEDULE_NOT_GIVEN};
	if (!keys_read(root, &keys, error))
		return false;
	if (keys.gpus % keys.stages != 0)
		return json_error(json_member(root, "stages"), error,
			"%u GPUs cannot be dealt out to %u stages", keys.gpus, keys.stages);
	*file = (struct layered_file){
		.root = root,
		.model = keys.model,
		.devices = keys.gpus,
		.stages = keys.stages,
		.batch = keys.batch,
		.micro_batches = keys.micro_batches,
		.schedule = keys.schedule == SCHEDULE_NOT_GIVEN ? PARADL_SCHEDULE_DEFAULT
								: schedules[keys.schedule],
	};
	return parts_read(arena, keys.parts, file, error);
}

static bool same_plan(const struct paradl_plan *a, const struct paradl_plan *b)
{
	char first[PARADL_PLAN_TEXT], second[PARADL_PLAN_TEXT];
	paradl_plan_format(a, first, sizeof first);
	paradl_plan_format(b, second, sizeof second);
	return strcmp(first, second) == 0;
}

bool layered_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct warnings warnings = {.arena = arena};
	struct layered_file file = {.root = root};
	if (!layered_read(arena, root, &file, error))
		return false;
	for (unsigned i = 1; i < file.part_count; i++) {
		const struct layered_file_part *const part = &file.parts[i];
		if (part->stage == part[-1].stage && same_plan(&part->plan, &part[-1].plan))
			warn_at(&warnings, part->node,
				"has the plan of the part before it: one part would do");
	}
	if (file.stages == 1 && file.schedule != PARADL_SCHEDULE_DEFAULT)
		warn_at(&warnings, json_member(root, "schedule"),
			"means nothing without a pipeline of stages");
	return warnings_finish(&warnings, "paradl-plan", findings, error);
}

/* A plan of parts is loaded for a network: names become positions, and every layer is in exactly one part. */

/* Returns the first layer called `name` at or after `first`; order_count: none. Names can repeat. */
static unsigned find(const struct paradl_model *model, const char *name, unsigned first)
{
	while (first < model->order_count && strcmp(model->names[first], name) != 0)
		first++;
	return first;
}

static bool unknown_layer(
	const struct paradl_model *model, const struct json *name, struct paradl_error *error)
{
	char quoted[80];
	json_error(name, error, "%s has no layer %s%s", model->name,
		error_quote(quoted, sizeof quoted, name->string),
		suggestion_of(name->string, model->names, model->order_count).clause);
	error_hint(error, "\"paradl list\" of the model shows its layers in their order");
	return false;
}

/* Checks that a part begins where the one before it ended, at `next`; false with an error. */
static bool begins(
	const struct paradl_model *model, const struct json *name, unsigned next, struct paradl_error *error)
{
	if (next < model->order_count && strcmp(model->names[next], name->string) == 0)
		return true;
	const unsigned first = find(model, name->string, next);
	if (first == model->order_count && find(model, name->string, 0) == first)
		return unknown_layer(model, name, error);
	if (first == model->order_count) {
		json_error(name, error, "overlaps: \"%s\" is in a part before this one", name->string);
		if (next < model->order_count)
			error_hint(error, "the next layer without a part is \"%s\"", model->names[next]);
		return false;
	}
	json_error(name, error, "leaves a gap: no part has the %u layer%s from \"%s\" to \"%s\"",
		first - next, first - next > 1 ? "s" : "", model->names[next], model->names[first - 1]);
	error_hint(error, "write \"from\": \"%s\", or one more part before this one", model->names[next]);
	return false;
}

static bool ends(const struct paradl_model *model, const struct json *name, unsigned first, unsigned *end,
	struct paradl_error *error)
{
	const unsigned last = find(model, name->string, first);
	*end = last + 1;
	if (last < model->order_count)
		return true;
	if (find(model, name->string, 0) == model->order_count)
		return unknown_layer(model, name, error);
	return json_error(name, error, "\"%s\" comes before \"%s\", where the part begins", name->string,
		model->names[first]);
}

static bool parts_place(const struct paradl_model *model, const struct layered_file *file,
	struct paradl_layered_part *parts, struct paradl_error *error)
{
	unsigned next = 0;
	for (unsigned i = 0; i < file->part_count; i++) {
		const struct layered_file_part *const part = &file->parts[i];
		parts[i] =
			(struct paradl_layered_part){.first = next, .stage = part->stage, .plan = part->plan};
		if (!begins(model, json_member(part->node, "from"), next, error) ||
			!ends(model, json_member(part->node, "to"), next, &parts[i].end, error))
			return false;
		next = parts[i].end;
	}
	if (next == model->order_count)
		return true;
	json_error(json_member(file->root, "parts"), error,
		"no part has the %u layer%s from \"%s\" to the end, \"%s\"", model->order_count - next,
		model->order_count - next > 1 ? "s" : "", model->names[next],
		model->names[model->order_count - 1]);
	error_hint(error, "end the last part with \"to\": \"%s\", or write one more",
		model->names[model->order_count - 1]);
	return false;
}

bool paradl_layered_load(struct paradl_arena *arena, const struct paradl_model *model,
	const struct paradl_source *source, struct paradl_layered *layered, struct paradl_error *error)
{
	struct layered_file file = {.model = ""};
	const struct json *const root = source_json(arena, source, NULL, error);
	if (!root || !layered_read(arena, root, &file, error))
		return false;
	if (strcmp(file.model, model->name) != 0) {
		char quoted[80];
		return json_error(json_member(root, "model"), error, "is a plan for %s, not for %s",
			error_quote(quoted, sizeof quoted, file.model), model->name);
	}
	struct paradl_layered_part *const parts = arena_alloc(arena, file.part_count, sizeof *parts);
	if (!parts)
		return out_of_memory(error);
	*layered = (struct paradl_layered){
		.devices = file.devices,
		.stages = file.stages,
		.batch = file.batch,
		.micro_batches = file.micro_batches,
		.schedule = file.schedule,
		.parts = parts,
		.part_count = file.part_count,
	};
	return parts_place(model, &file, parts, error);
}

/*
 * Plans of parts are written as files that can be read back: parts by the names of their first and last
 * layer.
 */

static void part_write(struct json_writer *writer, const struct paradl_model *model,
	const struct paradl_layered_part *part, bool has_stages)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&part->plan, plan, sizeof plan);
	json_begin_object(writer, NULL);
	writer->compact = writer->spaced = true;
	json_write_text(writer, "from", model->names[part->first]);
	json_write_text(writer, "to", model->names[part->end - 1]);
	if (has_stages)
		json_write_number(writer, "stage", part->stage);
	json_write_text(writer, "plan", plan);
	json_end_object(writer);
	writer->compact = writer->spaced = false;
}

static void plan_write(
	struct json_writer *writer, const struct paradl_model *model, const struct paradl_layered *layered)
{
	const bool has_stages = layered->stages > 1;
	json_begin_object(writer, NULL);
	json_write_text(writer, "format", "paradl-plan");
	json_write_number(writer, "version", FORMAT_VERSION);
	json_write_text(writer, "model", model->name);
	json_write_number(writer, "gpus", layered->devices);
	json_write_number(writer, "batch", layered->batch);
	if (has_stages)
		json_write_number(writer, "stages", layered->stages);
	if (layered->micro_batches > 0)
		json_write_number(writer, "micro_batches", layered->micro_batches);
	if (layered->schedule != PARADL_SCHEDULE_DEFAULT)
		json_write_text(writer, "schedule", plan_schedules[layered->schedule]);
	json_begin_array(writer, "parts");
	for (size_t i = 0; i < layered->part_count; i++)
		part_write(writer, model, &layered->parts[i], has_stages);
	json_end_array(writer);
	json_end_object(writer);
}

static bool is_of_model(const struct paradl_model *model, const struct paradl_layered *layered)
{
	unsigned next = 0;
	bool fits = true;
	for (size_t i = 0; i < layered->part_count; i++) {
		const struct paradl_layered_part *const part = &layered->parts[i];
		fits = fits && part->first == next && part->end > next && part->end <= model->order_count;
		next = part->end;
	}
	return fits && next == model->order_count;
}

bool paradl_layered_write(const struct paradl_model *model, const struct paradl_layered *layered,
	const char *path, struct paradl_error *error)
{
	struct file_output output;
	if (!is_of_model(model, layered))
		return error_set(error, PARADL_USAGE,
			"the parts of a plan cover every layer of %s once, in order", model->name);
	if (!file_create(&output, path, error))
		return false;
	struct json_writer writer = {.file = output.file};
	plan_write(&writer, model, layered);
	return file_commit(&output, error);
}

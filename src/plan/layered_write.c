/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans of parts are written as files that layered_load.c reads back: parts by the names of their first and last
 * layer.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/model.h"
#include "plan/plan_text.h"

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan of parts is loaded for a network: names become positions, and every layer is in exactly one part. */
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/source.h"
#include "model/model.h"
#include "plan/plan_text.h"

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
	const unsigned first = find(model, name->string, 0);
	if (first == model->order_count)
		return unknown_layer(model, name, error);
	if (first < next) {
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
	struct layered_file file;
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

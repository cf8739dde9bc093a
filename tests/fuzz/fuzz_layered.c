/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of parts: whatever is accepted covers the network, is the same when written and read again, and has finite times. */
#include "estimates.h"

static void check_cover(const struct paradl_layered *layered, size_t layers)
{
	unsigned next = 0, stage = 1;
	for (size_t i = 0; i < layered->part_count; i++) {
		const struct paradl_layered_part *const part = &layered->parts[i];
		REQUIRE(part->first == next && part->end > next);
		REQUIRE(part->stage == stage || part->stage == stage + 1);
		REQUIRE(paradl_plan_devices(&part->plan) * layered->stages <= layered->devices);
		next = part->end;
		stage = part->stage;
	}
	REQUIRE(next == layers && stage == layered->stages);
}

static void check_written(
	struct paradl_arena *arena, const struct paradl_model *model, const struct paradl_layered *layered)
{
	const char *const path = estimates_path(arena, "written.json");
	struct paradl_layered again;
	struct paradl_error error = {0};
	REQUIRE(paradl_layered_write(model, layered, path, &error));
	REQUIRE(paradl_layered_load(arena, model, &(struct paradl_source){.path = path}, &again, &error));
	remove(path);
	REQUIRE(again.devices == layered->devices && again.stages == layered->stages &&
		again.schedule == layered->schedule && again.part_count == layered->part_count);
	for (size_t i = 0; i < again.part_count; i++) {
		char plans[2][PARADL_PLAN_TEXT];
		paradl_plan_format(&layered->parts[i].plan, plans[0], sizeof plans[0]);
		paradl_plan_format(&again.parts[i].plan, plans[1], sizeof plans[1]);
		REQUIRE(strcmp(plans[0], plans[1]) == 0 && again.parts[i].end == layered->parts[i].end &&
			again.parts[i].stage == layered->parts[i].stage);
	}
}

static void estimate(
	struct paradl_arena *arena, const struct paradl_model *model, const struct paradl_layered *layered)
{
	const struct paradl_options options = {.quiet_network = false};
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	const struct paradl_machine *const machine = paradl_machine_load(
		arena, &(struct paradl_source){.path = estimates_path(arena, "machine.json")}, &error);
	struct paradl_oracle *const oracle =
		machine ? paradl_oracle_create(arena, model, machine, NULL, &options, &error) : NULL;
	REQUIRE(oracle != NULL);
	if (paradl_estimate_layered(oracle, layered, &estimate, &error))
		estimates_require(&estimate);
	else
		require_explained(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_layered layered;
	struct paradl_error error = {0};

	REQUIRE(arena != NULL);
	estimates_begin(arena);
	const char *const path = estimates_path(arena, "plan.json");
	const struct paradl_model *const model = paradl_model_load(
		arena, &(struct paradl_source){.path = estimates_path(arena, "model.json")}, &error);
	REQUIRE(model != NULL);
	input_write(path, data, size);
	estimates_lint(arena, path);
	if (paradl_layered_load(arena, model, &(struct paradl_source){.path = path}, &layered, &error)) {
		check_cover(&layered, paradl_model_info(model).layer_count);
		check_written(arena, model, &layered);
		estimate(arena, model, &layered);
	} else {
		require_explained(&error);
	}
	remove(path);
	paradl_arena_free(arena);
	return 0;
}

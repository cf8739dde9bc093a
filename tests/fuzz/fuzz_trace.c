/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces and other files of measured times: of what is accepted, times are finite and not negative, and parts fit together. */
#include <math.h>

#include "input.h"
#include "paradl/study.h"

static void check_times(const struct paradl_measurement *measurement)
{
	REQUIRE(measurement->count >= 1 && measurement->count <= PARADL_PART_COUNT);
	for (size_t i = 0; i < measurement->count; i++) {
		const struct paradl_measured_time *time = &measurement->times[i];
		REQUIRE(time->part < PARADL_PART_COUNT);
		REQUIRE(isfinite(time->seconds) && time->seconds >= 0);
		REQUIRE(time->least_s <= time->seconds && time->seconds <= time->most_s);
		REQUIRE(time->quickest_s <= time->slowest_s && isfinite(time->slowest_s));
		REQUIRE(isfinite(time->busy_s) && isfinite(time->calls));
		REQUIRE(i == 0 || measurement->times[i - 1].part < time->part);
	}
	for (size_t i = 0; i < measurement->layer_count; i++)
		REQUIRE(measurement->layers[i].name && isfinite(measurement->layers[i].forward_s));
	REQUIRE(measurement->ranks >= 1 && measurement->steps >= 1);
	REQUIRE(measurement->waiting_share <= 1);
}

/* Made once, in an arena that stays. */
static const struct paradl_oracle *oracle_of_tiny(void)
{
	static const char *const directories[] = {".", NULL};
	static struct paradl_oracle *oracle;
	struct paradl_error error = {.status = PARADL_OK};
	const struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	static struct paradl_arena *arena;

	if (oracle)
		return oracle;
	REQUIRE((arena = paradl_arena_create()) != NULL);
	const struct paradl_model *model =
		paradl_model_load(arena, &(struct paradl_source){.path = "models/tiny-cnn.json"}, &error);
	const struct paradl_machine *machine = paradl_machine_load(arena,
		&(struct paradl_source){.path = "hw-profiles/abci.json", .directories = directories}, &error);
	REQUIRE(model && machine);
	oracle = paradl_oracle_create(arena, model, machine, NULL, &options, &error);
	REQUIRE(oracle);
	return oracle;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_measurement measurement;
	struct paradl_error error = {.status = PARADL_OK};
	struct paradl_plan plan;

	const struct paradl_oracle *oracle = oracle_of_tiny();
	REQUIRE(arena && paradl_plan_parse("data=4,filter=2", &plan, &error));
	plan.batch = 64;
	const struct paradl_source source = {
		.path = "trace.json", .text = size ? (const char *)data : "", .length = size};
	if (paradl_measurement_load(arena, &source, 1, oracle, &plan, &measurement, &error))
		check_times(&measurement);
	else
		require_explained(&error);
	paradl_arena_free(arena);
	return 0;
}

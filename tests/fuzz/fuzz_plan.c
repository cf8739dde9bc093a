/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: the text of a plan that was accepted is a text of the same plan. */
#include <math.h>

#include "input.h"
#include "paradl/oracle.h"

static void check_options(const struct paradl_plan *again, const struct paradl_plan *plan)
{
	REQUIRE(again->micro >= plan->micro && again->micro <= plan->micro);
	REQUIRE(again->schedule == plan->schedule && again->chunks == plan->chunks);
	REQUIRE(again->zero == plan->zero && again->shard == plan->shard);
	REQUIRE(again->recompute == plan->recompute && again->recompute_blocks == plan->recompute_blocks);
	REQUIRE(again->sequence == plan->sequence && again->context == plan->context);
	REQUIRE(again->expert_tensor == plan->expert_tensor && again->offload == plan->offload);
	REQUIRE(again->apart == plan->apart && again->dispatcher == plan->dispatcher);
	REQUIRE(again->split_count == plan->split_count && again->split_count <= PARADL_SPLIT_MAX);
	REQUIRE(memcmp(again->split, plan->split, sizeof(again->split)) == 0);
	REQUIRE(strcmp(again->gather, plan->gather) == 0);
}

static void check_plan(const struct paradl_plan *plan)
{
	struct paradl_error error = {0};
	struct paradl_plan again;
	char text[PARADL_PLAN_TEXT], family[64];
	unsigned placed = 0;

	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		REQUIRE(plan->degree[i] >= 1 && plan->order[i] < PARADL_AXIS_COUNT);
		placed |= 1U << plan->order[i];
	}
	REQUIRE(placed == (1U << PARADL_AXIS_COUNT) - 1);
	REQUIRE(plan->spatial[0] * plan->spatial[1] * plan->spatial[2] == plan->degree[PARADL_SPATIAL]);
	REQUIRE(isfinite(paradl_plan_devices(plan)) && paradl_plan_devices(plan) >= 1);
	REQUIRE(paradl_plan_format(plan, text, sizeof(text)) < (int)sizeof(text));
	REQUIRE(paradl_plan_family(plan, family, sizeof(family)) < (int)sizeof(family));
	REQUIRE(paradl_plan_parse(text, &again, &error));
	REQUIRE(memcmp(again.degree, plan->degree, sizeof(again.degree)) == 0);
	REQUIRE(memcmp(again.spatial, plan->spatial, sizeof(again.spatial)) == 0);
	check_options(&again, plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_plan plan;
	const char *text = arena_copy(arena, (const char *)data, size);

	REQUIRE(text != NULL);
	if (paradl_plan_parse(text, &plan, &error))
		check_plan(&plan);
	else
		require_explained(&error);
	paradl_arena_free(arena);
	return 0;
}

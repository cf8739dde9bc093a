/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shipped network on a machine of tests with storage and hosts of round numbers, which tests may change. */
#ifndef TESTS_ORACLE_FED_H
#define TESTS_ORACLE_FED_H

#include "oracle/shipped.h"

/* Four devices in a node, as shipped_machine() has them. */
struct fed {
	struct paradl_model model;
	struct paradl_machine machine;
	struct storage_tier tiers[2]; /* of the node, of the system */
	const struct paradl_framework *framework;
	struct paradl_options options;
	struct paradl_input_options input; /* put into the options when they are asked with */
};

/* Nothing is cached, nothing varies; all of it is fast. */
static inline void fed_fill(struct setup *setup, const char *model, struct fed *fed)
{
	*fed = (struct fed){
		.tiers = {{.name = "local", .scope = STORAGE_NODE, .read_bytes_per_s = 1e12},
			{.name = "shared", .scope = STORAGE_SYSTEM, .read_bytes_per_s = 1e15}},
		.input = {.cache = PARADL_CACHE_NONE},
	};
	fed->framework = shipped_framework(setup, "nccl");
	setup_framework(setup, "");
	fed->model = *shipped_model(setup, model);
	fed->machine = *shipped_machine(setup, 1, 1);
	fed->machine.host = (struct host){.cores = 1e6, .memory_bytes_per_s = 1e12};
	fed->machine.storage = fed->tiers;
	fed->machine.storage_count = 2;
}

static inline struct paradl_oracle *fed_oracle(struct setup *setup, const struct fed *fed)
{
	struct paradl_options options = fed->options;
	options.input = &fed->input;
	struct paradl_oracle *const oracle = paradl_oracle_create(
		setup->arena, &fed->model, &fed->machine, fed->framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static inline struct paradl_estimate fed_estimate(
	struct setup *setup, const struct fed *fed, const char *plan, double batch)
{
	struct paradl_estimate estimate;
	const struct paradl_plan parsed = setup_plan(plan, batch);
	if (!paradl_estimate(fed_oracle(setup, fed), &parsed, &estimate, &setup->error))
		fail_msg("%s: %s", plan, setup->error.message);
	return estimate;
}

#endif

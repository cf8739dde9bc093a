/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped models and frameworks on a machine of tests, and random plans for it. */
#ifndef TESTS_ORACLE_SHIPPED_H
#define TESTS_ORACLE_SHIPPED_H

#include "oracle/random.h"
#include "oracle/setup.h"

static const char *const shipped_models[] = {"resnet50", "vgg16-chainer", "alexnet", "cosmoflow-256"};
static const char *const shipped_frameworks[] = {"chainermn", "chainermn-2021", "nccl"};
enum { SHIPPED_MODELS = 4, SHIPPED_FRAMEWORKS = 3 };

static inline const struct paradl_model *shipped_model(struct setup *setup, const char *name)
{
	const struct paradl_model *const model = paradl_model_load(setup->arena,
		&(struct paradl_source){.path = arena_printf(setup->arena, "models/%s.json", name)},
		&setup->error);
	if (!model)
		fail_msg("%s: %s", name, setup->error.message);
	return model;
}

static inline const struct paradl_framework *shipped_framework(struct setup *setup, const char *name)
{
	const struct paradl_framework *const framework = paradl_framework_load(setup->arena,
		&(struct paradl_source){
			.path = arena_printf(setup->arena, "hw-profiles/frameworks/%s.json", name)},
		&setup->error);
	if (!framework)
		fail_msg("%s: %s", name, setup->error.message);
	return framework;
}

/* Latencies and bandwidths of three levels that are `slower` and `faster` times the usual ones. */
static inline const struct paradl_machine *shipped_machine(struct setup *setup, double slower, double faster)
{
	return setup_machine(setup,
		"\"memory\": \"16 GB\", \"memory_rate\": \"737 GB/s\", \"peak\": {\"fp32\": \"15.7 "
		"Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.8, \"tile\": 128, \"depth_tile\": 32, \"winograd\": "
		"1.2, \"launch\": \"2.5 us\"}, "
		"\"power\": {\"busy\": \"300 W\", \"idle\": \"50 W\"}",
		arena_printf(setup->arena,
			"{\"name\": \"node\", \"devices\": 4, \"latency\": \"%.15g us\", \"bandwidth\": "
			"\"%.15g GB/s\", \"ring\": "
			"\"%.15g GB/s\", \"ports\": 6}, "
			"{\"name\": \"rack\", \"devices\": 64, \"latency\": \"%.15g us\", \"bandwidth\": "
			"\"%.15g GB/s\", \"ring\": "
			"\"%.15g GB/s\", \"ports\": 2}, "
			"{\"name\": \"all\", \"devices\": 16777216, \"latency\": \"%.15g us\", "
			"\"bandwidth\": \"%.15g GB/s\", "
			"\"ring\": \"%.15g GB/s\", \"ports\": 2, \"oversubscription\": 3}",
			2 * slower, 50 * faster, 20 * faster, 10 * slower, 12.5 * faster, 7 * faster,
			15 * slower, 12.5 * faster, 7 * faster));
}

/* Axes in a random order; degrees that most networks allow, of at most so many devices. */
static inline struct paradl_plan shipped_plan(struct random *random, unsigned most)
{
	struct paradl_plan plan = setup_plan("serial", 1);
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; --i) {
		const unsigned j = random_between(random, 0, i);
		const unsigned char swapped = plan.order[i];
		plan.order[i] = plan.order[j];
		plan.order[j] = swapped;
	}
	for (unsigned k = 0; k < 2; ++k)
		plan.spatial[k] = random_between(random, 0, 3) ? 1 : random_between(random, 2, 4);
	plan.degree[PARADL_SPATIAL] = plan.spatial[0] * plan.spatial[1];
	plan.degree[PARADL_FILTER] = random_between(random, 0, 2) ? 1 : random_between(random, 2, 16);
	plan.degree[PARADL_CHANNEL] = random_between(random, 0, 3) ? 1 : random_between(random, 2, 8);
	plan.degree[PARADL_PIPELINE] = random_between(random, 0, 3) ? 1 : random_between(random, 2, 6);
	plan.degree[PARADL_DATA] = random_between(random, 1, most > 1024 ? most / 6 : 64);
	for (unsigned axis = 0; paradl_plan_devices(&plan) > most; axis = (axis + 1) % PARADL_SPATIAL)
		plan.degree[axis] = (plan.degree[axis] + 1) / 2;
	plan.batch = plan.degree[PARADL_DATA] * random_between(random, 1, 64) + random_between(random, 0, 10);
	if (random_between(random, 0, 3) == 0)
		plan.micro = random_between(random, 1, 8);
	return plan;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates of many plans, of which neighbours have much in common, are those of an oracle that has kept nothing, bit for bit. */
#include "oracle/oracle.h"
#include "oracle/random.h"
#include "oracle/same.h"
#include "search/networks.h"

enum { PLANS = 4000 };

static void degrees_draw(struct random *random, enum small network, struct paradl_plan *plan)
{
	static const enum paradl_axis tokens[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_TENSOR, PARADL_CONTEXT, PARADL_EXPERT};
	static const enum paradl_axis images[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_FILTER, PARADL_CHANNEL, PARADL_DATA};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i)
		plan->degree[i] = 1;
	for (unsigned i = 0; i < 3; ++i) {
		const unsigned k = random_between(random, 0, 4);
		plan->degree[network == NETWORK_IMAGES ? images[k] : tokens[k]] =
			1u << random_between(random, 0, 2);
	}
}

/* Changes one thing; of what options may be, some cannot run. */
static void plan_change(struct random *random, enum small network, struct paradl_plan *plan)
{
	const unsigned a = random_between(random, 0, PARADL_AXIS_COUNT - 1),
		       b = random_between(random, 0, PARADL_AXIS_COUNT - 1);
	const unsigned char axis = plan->order[a];
	switch (random_between(random, 0, 12)) {
	case 0:
		degrees_draw(random, network, plan);
		break;
	case 1:
		plan->micro = random_between(random, 0, 4);
		break;
	case 2:
		plan->order[a] = plan->order[b];
		plan->order[b] = axis;
		break;
	case 3:
		plan->recompute =
			(enum paradl_recompute)random_between(random, 0, PARADL_RECOMPUTE_COUNT - 1);
		break;
	case 4:
		plan->schedule =
			(enum paradl_pipeline_schedule)random_between(random, 0, PARADL_SCHEDULE_COUNT - 1);
		plan->chunks = plan->schedule == PARADL_INTERLEAVED ? 2 : 0;
		break;
	case 5:
		plan->apart = random_between(random, 0, 7);
		break;
	case 6:
		plan->offload = random_between(random, 0, 7);
		break;
	case 7:
		plan->batch = 32 * random_between(random, 1, 2);
		break;
	case 8:
		plan->sequence = network != NETWORK_IMAGES && random_true(random);
		break;
	case 9:
		plan->context =
			(enum paradl_context_method)random_between(random, 0, PARADL_CONTEXT_COUNT - 1);
		plan->expert_tensor = random_true(random);
		break;
	case 10:
		plan->dispatcher = network == NETWORK_EXPERTS || network == NETWORK_LONG
					   ? (enum paradl_dispatcher)random_between(
						     random, 0, PARADL_DISPATCHER_COUNT - 1)
					   : PARADL_DISPATCHER_DEFAULT;
		break;
	default:
		plan->zero = random_between(random, 0, 3);
		plan->shard = plan->zero ? 2 * random_between(random, 0, 1) : 0;
	}
}

static void plans_compare(struct setup *setup, enum small network, const struct paradl_options *options)
{
	static struct paradl_plan plans[PLANS];
	static struct paradl_estimate many[PLANS];
	const struct paradl_model *model = network_model(setup, network);
	struct paradl_oracle *oracle = model_oracle(setup, model, "8 GB", ", " SETUP_SPLIT_ALL, options);
	struct paradl_oracle *alone = model_oracle(setup, model, "8 GB", ", " SETUP_SPLIT_ALL, options);
	struct random random = {network + 3};
	unsigned ran = 0;
	assert_true(paradl_plan_parse("data=4", &plans[0], &setup->error));
	plans[0].batch = 64;
	struct paradl_plan last = plans[0]; /* that can run */
	for (unsigned i = 1; i < PLANS; ++i) {
		plans[i] = last;
		plan_change(&random, network, &plans[i]);
		if (paradl_estimate(alone, &plans[i], &many[0], &setup->error))
			last = plans[i];
	}
	assert_true(paradl_estimate_many(oracle, plans, PLANS, many, &setup->error));
	for (unsigned i = 0; i < PLANS; ++i) {
		struct paradl_estimate one;
		struct paradl_error error = {0};
		oracle_framework_changed(alone);
		const bool runs = paradl_estimate(alone, &plans[i], &one, &error);
		char text[PARADL_PLAN_TEXT];
		paradl_plan_format(&plans[i], text, sizeof text);
		if (runs != (many[i].devices > 0) || !estimates_are_same(&one, &many[i]))
			fail_msg("%u, %s: %.17g s of many, %.17g s alone", i, text, many[i].iteration_s,
				one.iteration_s);
		ran += runs;
	}
	assert_true(ran > PLANS / 2);
	setup_renew(setup);
}

static void many_are_as_alone(void **state)
{
	const struct paradl_options options = {0}, inference = {.inference = true},
				    compressed = {.algorithm = "auto", .compress = "auto"};
	for (unsigned network = 0; network < NETWORK_COUNT; ++network)
		plans_compare(*state, (enum small)network, &options);
	plans_compare(*state, NETWORK_DENSE, &inference);
	plans_compare(*state, NETWORK_DENSE, &compressed); /* a compression leaves routes out */
	plans_compare(*state, NETWORK_IMAGES, &compressed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(many_are_as_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for each layer: with one plan everywhere it is that plan's estimate; what else a mixture adds. */
#include "oracle/shipped.h"

#include "oracle/oracle.h"

enum { PARTS_MOST = 8 };

struct mixture {
	struct paradl_layered_part parts[PARTS_MOST];
	struct paradl_layered layered;
};

static void mixture_begin(struct mixture *mixture, double batch, unsigned devices)
{
	mixture->layered = (struct paradl_layered){
		.devices = devices, .stages = 1, .batch = batch, .parts = mixture->parts, .part_count = 0};
}

static void part_add(struct mixture *mixture, unsigned end, const struct paradl_plan *plan)
{
	const size_t i = mixture->layered.part_count++;
	const unsigned first = i ? mixture->parts[i - 1].end : 0;
	mixture->parts[i] = (struct paradl_layered_part){first, end, 1, *plan};
}

static struct paradl_estimate mixture_estimate(struct paradl_oracle *oracle, const struct mixture *mixture)
{
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (!paradl_estimate_layered(oracle, &mixture->layered, &estimate, &error))
		fail_msg("%s (%s)", error.message, error.hint);
	return estimate;
}

static void assert_same(const struct paradl_estimate *a, const struct paradl_estimate *b)
{
	assert_close(a->iteration_s, b->iteration_s, 1e-9 * b->iteration_s);
	assert_close(a->iteration_quiet_s, b->iteration_quiet_s, 1e-9 * b->iteration_s);
	assert_close(a->memory_bytes, b->memory_bytes, 1e-9 * b->memory_bytes);
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		assert_close(a->phase_s[i], b->phase_s[i], 1e-9 * b->iteration_s);
	assert_close(a->gradient_hidden_s, b->gradient_hidden_s, 1e-9 * b->iteration_s);
	assert_close(a->local_batch, b->local_batch, 0);
	assert_int_equal(a->uneven, b->uneven);
}

/* Cuts at random layers, the same plan in all parts. */
static void one_plan_in_all_parts_is_that_plan(void **state)
{
	struct setup *setup = *state;
	struct random random = {5};
	unsigned compared = 0;
	for (unsigned f = 0; f < SHIPPED_FRAMEWORKS; ++f)
		for (unsigned m = 0; m < SHIPPED_MODELS; ++m) {
			setup_renew(setup);
			struct paradl_oracle *oracle = setup_oracle(setup,
				shipped_model(setup, shipped_models[m]), shipped_machine(setup, 1, 1),
				shipped_framework(setup, shipped_frameworks[f]), false);
			const unsigned layers = (unsigned)paradl_model_info(oracle->model).layer_count;
			for (unsigned i = 0; i < 12; ++i) {
				struct paradl_plan plan = shipped_plan(&random, 256);
				struct paradl_estimate whole;
				struct mixture mixture;
				plan.degree[PARADL_PIPELINE] = 1;
				plan.micro = 0;
				if (!paradl_estimate(oracle, &plan, &whole, NULL))
					continue;
				mixture_begin(&mixture, plan.batch, (unsigned)paradl_plan_devices(&plan));
				const unsigned first = random_between(&random, 1, layers - 2);
				part_add(&mixture, first, &plan);
				part_add(&mixture, random_between(&random, first + 1, layers - 1), &plan);
				part_add(&mixture, layers, &plan);
				const struct paradl_estimate parts = mixture_estimate(oracle, &mixture);
				assert_same(&parts, &whole);
				++compared;
			}
		}
	assert_true(compared > 60);
}

/* Blocks of a network of tokens, with its options. */
static void one_plan_in_all_blocks_is_that_plan(void **state)
{
	static const char *const plans[] = {"data=64", "data=8,tensor=8,sequence=on",
		"data=8,tensor=8,zero=1", "data=64,zero=3,recompute=full",
		"data=16,tensor=4,recompute=selective", "data=32,context=2,zero=2", "data=64,zero=1,shard=8"};
	static const char *const models[] = {"megatron-22b", "mixtral-8x7b"};
	struct setup *setup = *state;
	for (unsigned m = 0; m < 2; ++m) {
		setup_renew(setup);
		const struct paradl_machine *machine = paradl_machine_load(setup->arena,
			&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"}, &setup->error);
		struct paradl_oracle *oracle = setup_oracle(setup, shipped_model(setup, models[m]), machine,
			shipped_framework(setup, "megatron-core"), false);
		for (unsigned i = 0; i < sizeof plans / sizeof *plans; ++i) {
			const struct paradl_plan plan = setup_plan(plans[i], 256);
			const struct paradl_estimate whole = setup_estimate(oracle, &plan);
			struct mixture mixture;
			mixture_begin(&mixture, 256, 64);
			part_add(&mixture, oracle->model->units[3].end, &plan);
			part_add(&mixture, oracle->model->order_count, &plan);
			const struct paradl_estimate parts = mixture_estimate(oracle, &mixture);
			assert_same(&parts, &whole);
		}
	}
}

/* The unit with which each stage of a pipeline begins that has so many blocks in each stage; then all units. */
static void stages_begin(
	const struct paradl_model *model, const unsigned *blocks, unsigned stages, unsigned *begin)
{
	unsigned stage = 0, seen = 0;
	begin[0] = 0;
	for (unsigned u = 0; u < model->unit_count; ++u) {
		if (model->units[u].is_block && seen++ == blocks[stage] && stage + 1 < stages) {
			begin[++stage] = u;
			seen = 1;
		}
	}
	begin[stages] = model->unit_count;
}

/* The same plan in every stage, cut in two where `halves`: what a pipeline with that split takes. */
static void pipeline_check(struct paradl_oracle *oracle, const char *stage_plan, const char *options,
	const char *split, enum paradl_pipeline_schedule schedule, const unsigned *blocks, unsigned stages,
	bool halves)
{
	char text[PARADL_PLAN_TEXT];
	unsigned begin[9];
	struct mixture mixture;
	const struct paradl_plan part = setup_plan(stage_plan, 128);
	snprintf(text, sizeof text, "pipeline=%u,%s,%s,split=%s", stages, stage_plan, options, split);
	const struct paradl_plan plan = setup_plan(text, 128);
	const struct paradl_estimate whole = setup_estimate(oracle, &plan);
	const struct paradl_model *model = oracle->model;
	mixture_begin(&mixture, 128, whole.devices);
	mixture.layered.stages = stages;
	mixture.layered.schedule = schedule;
	mixture.layered.micro_batches = whole.micro_batches;
	stages_begin(model, blocks, stages, begin);
	for (unsigned s = 0; s < stages; ++s) {
		if (halves && begin[s] + 1 < begin[s + 1]) {
			part_add(&mixture, model->units[begin[s] + 1].first, &part);
			mixture.parts[mixture.layered.part_count - 1].stage = s + 1;
		}
		part_add(&mixture, model->units[begin[s + 1] - 1].end, &part);
		mixture.parts[mixture.layered.part_count - 1].stage = s + 1;
	}
	const struct paradl_estimate parts = mixture_estimate(oracle, &mixture);
	assert_same(&parts, &whole);
	assert_int_equal(parts.devices, whole.devices);
	assert_close(parts.memory.in_flight, whole.memory.in_flight, 0);
	assert_int_equal(parts.memory.stage, whole.memory.stage);
}

static void one_plan_in_all_stages_is_that_pipeline(void **state)
{
	static const struct {
		const char *plan, *options;
		enum paradl_pipeline_schedule schedule;
	} cases[] = {
		{"data=4", "micro=1", PARADL_SCHEDULE_DEFAULT},
		{"data=2,tensor=4,sequence=on", "micro=2,schedule=gpipe", PARADL_GPIPE},
		{"tensor=8", "micro=1,schedule=1f1b", PARADL_1F1B},
		{"data=8,zero=1,recompute=full", "micro=1", PARADL_SCHEDULE_DEFAULT},
		{"data=4,context=2,zero=2,recompute=selective", "micro=4", PARADL_SCHEDULE_DEFAULT},
		{"data=4,tensor=2", "micro=1,schedule=zero-bubble", PARADL_ZERO_BUBBLE},
	};
	static const char *const frameworks[] = {"megatron-core", "torchtitan", "nccl"};
	static const unsigned even[4] = {12, 12, 12, 12}, uneven[4] = {7, 13, 18, 10};
	struct setup *setup = *state;
	for (unsigned f = 0; f < 3; ++f)
		for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
			setup_renew(setup);
			const struct paradl_machine *machine = paradl_machine_load(setup->arena,
				&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"},
				&setup->error);
			struct paradl_oracle *oracle =
				setup_oracle(setup, shipped_model(setup, "megatron-22b"), machine,
					shipped_framework(setup, frameworks[f]), false);
			pipeline_check(oracle, cases[i].plan, cases[i].options, "12:12:12:12",
				cases[i].schedule, even, 4, false);
			pipeline_check(oracle, cases[i].plan, cases[i].options, "7:13:18:10",
				cases[i].schedule, uneven, 4, true);
		}
}

#define PAIR                                                                                                 \
	"{\"name\": \"a\", \"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}, "                \
	"{\"name\": \"b\", \"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}"
#define PAIR_INPUT "\"input\": {\"channels\": 8, \"shape\": [4, 4]}"
#define ONE_LEVEL  "{\"name\": \"all\", \"devices\": 64, \"latency\": \"0 s\", \"bandwidth\": \"1 GB/s\"}"

/*
 * Two layers on four devices without latency. From data=4 to filter=4 each device lacks three of four samples, of 128 items;
 * an all-gather in a ring of 4 devices at 1 GB/s moves just these. Back, a slice is free.
 */
static void what_neighbours_exchange_is_what_they_lack(void **state)
{
	struct setup *setup = *state;
	struct paradl_oracle *oracle = setup_oracle(setup, setup_model(setup, PAIR_INPUT, PAIR),
		setup_machine(setup, SETUP_DEVICE, ONE_LEVEL), setup_framework(setup, ", " SETUP_SPLIT_ALL),
		false);
	const struct paradl_plan data = setup_plan("data=4", 4), filter = setup_plan("filter=4", 4);
	const struct paradl_estimate each[2] = {
		setup_estimate(oracle, &data), setup_estimate(oracle, &filter)};
	struct paradl_layer_table tables[2];
	assert_true(paradl_estimate_layers(oracle, &data, setup->arena, &tables[0], &setup->error));
	assert_true(paradl_estimate_layers(oracle, &filter, setup->arena, &tables[1], &setup->error));
	struct mixture mixture;
	mixture_begin(&mixture, 4, 4);
	part_add(&mixture, 1, &data);
	part_add(&mixture, 2, &filter);
	const struct paradl_estimate mixed = mixture_estimate(oracle, &mixture);
	const double move_s = 3 * 128 * 4 / 1e9;
	const double expected = tables[0].rows[0].forward_s + tables[0].rows[0].backward_s +
				tables[0].rows[0].communication_s + tables[0].rows[0].weight_update_s +
				tables[1].rows[1].forward_s + tables[1].rows[1].backward_s +
				tables[1].rows[1].communication_s + tables[1].rows[1].weight_update_s +
				each[0].phase_s[PARADL_GRADIENT_EXCHANGE] / 2 + move_s;
	assert_close(mixed.iteration_s, expected, 1e-9 * expected);
	/* The explanation has the same terms. */
	struct paradl_layered_explanation explanation;
	assert_true(paradl_explain_layered(
		oracle, &mixture.layered, &filter, 1, setup->arena, &explanation, &setup->error));
	assert_int_equal(explanation.row_count, 2);
	assert_int_equal(explanation.move_count, 1);
	assert_int_equal(explanation.moves[0].devices, 4);
	assert_close(explanation.moves[0].bytes[0], 3 * 128 * 4, 1e-9);
	assert_close(explanation.moves[0].bytes[1], 0, 0);
	double sum_s = explanation.moves[0].s[0];
	for (unsigned i = 0; i < 2; ++i) {
		const struct paradl_layered_row *row = &explanation.rows[i];
		sum_s += row->forward_s + row->backward_s + row->update_s + row->exchange_s + row->halo_s +
			 row->gradient_s;
	}
	assert_close(sum_s, mixed.iteration_s, 1e-9 * sum_s);
	assert_close(explanation.other_s[0] + explanation.other_s[1], each[1].iteration_s,
		1e-9 * each[1].iteration_s);
}

/* Gathers and scatters of sharded weights count like the exchange of the others, and take half as long again. */
static void the_longest_exchange_is_told(void **state)
{
	struct setup *setup = *state;
	struct paradl_oracle *oracle = setup_oracle(setup, setup_model(setup, PAIR_INPUT, PAIR),
		setup_machine(setup, SETUP_DEVICE, ONE_LEVEL), setup_framework(setup, ", " SETUP_SPLIT_ALL),
		false);
	const struct paradl_plan whole = setup_plan("data=4", 4), sharded = setup_plan("data=4,zero=3", 4);
	for (unsigned i = 0; i < 2; ++i) {
		struct mixture mixture;
		mixture_begin(&mixture, 4, 4);
		part_add(&mixture, 1, i ? &whole : &sharded);
		part_add(&mixture, 2, i ? &sharded : &whole);
		assert_string_equal(
			mixture_estimate(oracle, &mixture).gradient_algorithm, "reduce-scatter-ring");
	}
}

static void parts_that_do_not_cover_are_refused(void **state)
{
	struct setup *setup = *state;
	struct paradl_oracle *oracle = setup_oracle(setup, setup_model(setup, PAIR_INPUT, PAIR),
		setup_machine(setup, SETUP_DEVICE, ONE_LEVEL), setup_framework(setup, ", " SETUP_SPLIT_ALL),
		false);
	const struct paradl_plan data = setup_plan("data=4", 4), less = setup_plan("data=2", 4),
				 much = setup_plan("filter=16", 16);
	struct paradl_estimate estimate;
	struct mixture mixture;
	mixture_begin(&mixture, 4, 4);
	assert_false(paradl_estimate_layered(oracle, &mixture.layered, &estimate, &setup->error));
	assert_int_equal(setup->error.status, PARADL_USAGE);
	part_add(&mixture, 1, &data); /* not all */
	assert_false(paradl_estimate_layered(oracle, &mixture.layered, &estimate, &setup->error));
	assert_non_null(strstr(setup->error.message, "cover every layer"));
	part_add(&mixture, 2, &less); /* on fewer devices */
	assert_false(paradl_estimate_layered(oracle, &mixture.layered, &estimate, &setup->error));
	assert_non_null(strstr(setup->error.message, "uses 2 devices"));
	mixture_begin(&mixture, 16, 16);
	part_add(&mixture, 2, &much); /* 8 filters */
	assert_false(paradl_estimate_layered(oracle, &mixture.layered, &estimate, &setup->error));
	assert_int_equal(setup->error.status, PARADL_INFEASIBLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(one_plan_in_all_parts_is_that_plan),
		setup_test(one_plan_in_all_blocks_is_that_plan),
		setup_test(one_plan_in_all_stages_is_that_pipeline),
		setup_test(what_neighbours_exchange_is_what_they_lack),
		setup_test(the_longest_exchange_is_told),
		setup_test(parts_that_do_not_cover_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

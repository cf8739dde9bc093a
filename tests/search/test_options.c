/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that advice chooses, against every combination of them. */
#include "oracle/setup.h"

#include "model/transformer.h"
#include "search/networks.h"
#include "search/options.h"

static struct paradl_oracle *oracle_of(
	struct setup *setup, unsigned experts, const char *memory, const char *keys)
{
	const struct transformer_shape shape = {.name = "small",
		.layers = 8,
		.hidden = 512,
		.heads = 8,
		.vocabulary = 8000,
		.sequence = 512,
		.experts = experts,
		.top_k = experts ? 2 : 0,
		.moe_ffn = experts ? 1024 : 0,
		.unfused = true,
		.precision = "fp32",
		.optimizer = "adam"};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"%s\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}",
		memory);
	const struct paradl_machine *const machine = setup_machine(setup, device,
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(setup, model, machine, setup_framework(setup, keys), false);
}

struct truth {
	struct paradl_estimate best;
	bool runs, fits;
};

static void truth_add(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct truth *truth)
{
	struct paradl_estimate estimate;
	if (!paradl_estimate(oracle, plan, &estimate, NULL))
		return;
	truth->runs = true;
	if (!estimate.fits || (truth->fits && truth->best.iteration_s <= estimate.iteration_s))
		return;
	truth->best = estimate;
	truth->fits = true;
}

/* Every micro-batch of 1 to 64 samples, schedule, level of zero and of recomputation, way to cut experts. */
static struct truth truth_of(struct paradl_oracle *oracle, struct paradl_plan plan)
{
	struct truth truth = {.runs = false};
	const bool tensor = plan.degree[PARADL_TENSOR] > 1, pipeline = plan.degree[PARADL_PIPELINE] > 1;
	for (unsigned micro = 1; micro <= 64; micro *= 2)
		for (unsigned zero = 0; zero <= 3; ++zero)
			for (unsigned recompute = 0; recompute < PARADL_RECOMPUTE_COUNT; ++recompute)
				for (unsigned bits = 0; bits < 8; ++bits) {
					plan.micro = micro;
					plan.zero = zero;
					plan.recompute = recompute;
					plan.sequence = tensor && bits & 1;
					plan.expert_tensor = tensor && bits & 2;
					plan.schedule = pipeline && bits & 4 ? PARADL_INTERLEAVED
									     : PARADL_SCHEDULE_DEFAULT;
					plan.chunks = plan.schedule == PARADL_INTERLEAVED ? 2 : 0;
					truth_add(oracle, &plan, &truth);
				}
	return truth;
}

static const char *const degrees[] = {"serial", "data=8", "data=64", "pipeline=4", "tensor=4",
	"data=8,pipeline=2", "data=4,pipeline=4", "data=16,tensor=4", "data=2,pipeline=4,tensor=2",
	"pipeline=2,tensor=8", "data=4,expert=4", "data=2,expert=4,tensor=2", "expert=2,tensor=8",
	"pipeline=2,expert=2,tensor=2"};

/* Chosen plans fit whenever any does, and take hardly longer than the best. */
static void the_best_is_hardly_better(void **state)
{
	struct setup *const setup = *state;
	static const char *const memories[] = {"450 MB", "1 GB", "2 GB", "6 GB", "64 GB"};
	double worst = 0;
	unsigned fitting = 0, unfit = 0;
	for (unsigned i = 0; i < 2 * sizeof memories / sizeof *memories; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup, i % 2 ? 16 : 0, memories[i / 2], "");
		const struct paradl_request request = {.goal = PARADL_TIME};
		struct option_space space;
		assert_true(option_space_begin(&space, oracle, &request, &setup->error));
		for (size_t k = 0; k < sizeof degrees / sizeof *degrees; ++k) {
			const struct paradl_plan plan = setup_plan(degrees[k], 128);
			const struct truth truth = truth_of(oracle, plan);
			struct paradl_estimate got;
			struct paradl_error error = {0};
			const bool runs = options_choose(&space, &plan, &got, &error);
			assert_int_equal(runs, truth.runs);
			if (!runs) {
				assert_int_equal(error.status, PARADL_INFEASIBLE);
				continue;
			}
			assert_int_equal(error.status, PARADL_OK);
			if (got.fits != truth.fits)
				fail_msg("%s with %s: fits %d, chosen %d", degrees[k], memories[i / 2],
					truth.fits, got.fits);
			fitting += truth.fits;
			unfit += !truth.fits;
			const double more = truth.fits ? got.iteration_s / truth.best.iteration_s - 1 : 0;
			worst = more > worst ? more : worst;
		}
	}
	print_message("at most %.2f %% longer than the best, of %u that fit and %u that do not\n",
		100 * worst, fitting, unfit);
	assert_true(fitting > 40 && unfit > 5);
	assert_true(worst < 0.03);
}

/* Of answers only one option is left: whether experts are cut along the tensor axis, too. */
static void answers_choose_how_experts_are_cut(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"serial", "expert=2", "tensor=2", "tensor=4", "tensor=8",
		"expert=2,tensor=2", "expert=4,tensor=4"};
	const struct paradl_options options = {.inference = true};
	const struct paradl_request request = {.goal = PARADL_TIME};
	struct paradl_oracle *const oracle = network_oracle(setup, NETWORK_EXPERTS, "64 GB", "", &options);
	struct option_space space;
	assert_true(option_space_begin(&space, oracle, &request, &setup->error));
	for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
		struct paradl_plan plan = setup_plan(plans[k], 16);
		struct truth truth = {.runs = false};
		struct paradl_estimate got;
		truth_add(oracle, &plan, &truth);
		plan.expert_tensor = plan.degree[PARADL_TENSOR] > 1;
		truth_add(oracle, &plan, &truth);
		plan.expert_tensor = false;
		assert_true(options_choose(&space, &plan, &got, &setup->error));
		assert_close(got.iteration_s, truth.best.iteration_s, 0);
	}
}

/* What is fixed is what every plan has. */
static void fixed_options_stay(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, 0, "64 GB", "");
	const struct paradl_request request = {.options = "zero=3,recompute=full,micro=2,sequence=off"};
	struct option_space space;
	assert_true(option_space_begin(&space, oracle, &request, &setup->error));
	for (size_t k = 0; k < 10; ++k) {
		const struct paradl_plan plan = setup_plan(degrees[k], 128);
		struct paradl_estimate got;
		assert_true(options_choose(&space, &plan, &got, &setup->error));
		assert_int_equal(got.plan.zero, 3);
		assert_int_equal(got.plan.recompute, PARADL_RECOMPUTE_FULL);
		assert_close(got.plan.micro, 2, 0);
		assert_false(got.plan.sequence);
		assert_memory_equal(got.plan.degree, plan.degree, sizeof plan.degree);
	}
	/* Larger micro-batches do not run in rounds: that is no error once smaller ones did. */
	const struct paradl_request rounds = {.options = "schedule=interleaved:2"};
	assert_true(option_space_begin(&space, oracle, &rounds, &setup->error));
	for (size_t k = 0; k < 10; ++k) {
		struct paradl_plan plan = setup_plan(degrees[k], 128);
		struct paradl_estimate got;
		struct paradl_error error = {0};
		plan.batch = plan_replicas(&plan) * plan.degree[PARADL_PIPELINE];
		assert_int_equal(
			options_choose(&space, &plan, &got, &error), plan.degree[PARADL_PIPELINE] > 1);
		assert_int_equal(error.status == PARADL_OK, plan.degree[PARADL_PIPELINE] > 1);
	}
	const struct paradl_request wrong = {.options = "zero=1,data=4"};
	assert_false(option_space_begin(&space, oracle, &wrong, &setup->error));
	assert_string_equal(setup->error.message, "data is an axis; here only options are fixed");
}

/* Families of a dense network and of one with experts; none along axes that are of no use to it. */
static void families_are_those_of_the_network(void **state)
{
	struct setup *const setup = *state;
	for (unsigned experts = 0; experts <= 16; experts += 16) {
		struct paradl_ranking ranking;
		const struct paradl_request request = {.devices = 16, .batch = 64};
		struct paradl_oracle *const oracle = oracle_of(setup, experts, "64 GB", "");
		assert_true(paradl_advise(
			oracle, &request, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		assert_int_equal(ranking.count + ranking.infeasible_count, experts ? 15 : 7);
		for (size_t i = 0; i < ranking.count; ++i) {
			const unsigned *const degree = ranking.results[i].plan.degree;
			assert_int_equal(degree[PARADL_CONTEXT] * degree[PARADL_FILTER] *
						 degree[PARADL_CHANNEL] * degree[PARADL_SPATIAL],
				1);
			assert_true(experts || degree[PARADL_EXPERT] == 1);
		}
	}
}

static const char *const programs[] = {
	"\"schedules\": [\"gpipe\"], \"sequence\": false, \"zero\": [0, 2]",
	"\"zero\": [0, 1, 3], \"zero_with_pipeline\": [0], \"recomputes\": [\"none\"]",
	"\"schedules\": [\"1f1b\"], \"expert_tensor\": false, \"recomputes\": [\"none\", \"full\"]",
	"\"axes\": [\"data\"], \"zero\": [3]",
};

/* Of what the program lacks nothing is chosen, however little memory there is; what is fixed stays. */
static void programs_are_asked_for_what_they_have(void **state)
{
	struct setup *const setup = *state;
	static const char *const memories[] = {"450 MB", "2 GB", "64 GB"};
	for (size_t i = 0; i < sizeof programs / sizeof *programs * 3; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup, 16, memories[i % 3],
			arena_printf(setup->arena, ", \"offers\": {%s}", programs[i / 3]));
		const struct paradl_request free = {.goal = PARADL_TIME},
					    fixed = {.goal = PARADL_TIME, .options = "zero=2,shard=1"};
		struct option_space space, with;
		assert_true(option_space_begin(&space, oracle, &free, &setup->error));
		assert_true(option_space_begin(&with, oracle, &fixed, &setup->error));
		for (size_t k = 0; k < sizeof degrees / sizeof *degrees; ++k) {
			const struct paradl_plan plan = setup_plan(degrees[k], 128);
			const bool has_axes = !(plan_axes(&plan) & ~oracle->framework->offers.axes);
			struct paradl_estimate got;
			struct paradl_error error = {0};
			char lacking[64] = "";
			const bool runs = options_choose(&space, &plan, &got, &error);
			assert_true(has_axes || (!runs && error.status == PARADL_INFEASIBLE));
			if (runs && plan_replicas(&plan) > 1 &&
				!paradl_plan_offered(oracle, &got.plan, lacking, sizeof lacking))
				fail_msg("%s: has no %s", programs[i / 3], lacking);
			if (!runs || !options_choose(&with, &plan, &got, &error))
				continue;
			assert_int_equal(got.plan.zero, 2);
			assert_int_equal(got.plan.shard, 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_best_is_hardly_better),
		setup_test(answers_choose_how_experts_are_cut),
		setup_test(fixed_options_stay),
		setup_test(families_are_those_of_the_network),
		setup_test(programs_are_asked_for_what_they_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planted truth: files with one number changed are estimated, and the phases are diagnosed against the files as they are. The
 * change must come out first, and its number within 5 %.
 */
#include "paradl/study.h"
#include "plant.h"

/* Phases as a program that is timed has them: what nothing hides. */
static struct paradl_measurement measured(const struct plant *plant, const struct paradl_estimate *estimate,
	struct paradl_measured_time times[PARADL_PART_COUNT])
{
	struct paradl_measurement measurement = {
		.format = "planted", .times = times, .ranks = 1, .steps = 1, .waiting_share = -1};
	double total_s = estimate->iteration_s;
	const double calls_hidden =
		estimate->communication_s - estimate->exposed_communication_s - estimate->gradient_hidden_s;
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; phase++) {
		double s = estimate->phase_s[phase];
		if (phase == PARADL_GRADIENT_EXCHANGE)
			s += plant->late_s - estimate->gradient_hidden_s;
		if (phase == PARADL_ACTIVATION_EXCHANGE)
			s -= calls_hidden;
		if (phase == PARADL_INPUT)
			s += plant->input_s;
		if (phase == PARADL_WEIGHT_UPDATE && plant->update_times > 0) {
			total_s += s * (plant->update_times - 1);
			s *= plant->update_times;
		}
		if (phase == PARADL_BACKWARD)
			s += estimate->phase_s[PARADL_RECOMPUTE];
		if (phase == PARADL_RECOMPUTE)
			continue;
		const double hidden_s = phase == PARADL_GRADIENT_EXCHANGE     ? estimate->gradient_hidden_s
					: phase == PARADL_ACTIVATION_EXCHANGE ? calls_hidden
									      : 0;
		times[measurement.count++] = (struct paradl_measured_time){
			phase, s, s, s, -1, -1, plant->busy ? s + hidden_s : -1, -1};
	}
	total_s += plant->late_s + plant->outside_s + plant->input_s;
	times[measurement.count++] =
		(struct paradl_measured_time){PARADL_PART_TOTAL, total_s, total_s, total_s, -1, -1, -1, -1};
	for (size_t i = 0; i < measurement.count; i++) {
		if (plant->steps_times > 0 && times[i].part == PARADL_GRADIENT_EXCHANGE) {
			times[i].quickest_s = times[i].seconds / plant->steps_times;
			times[i].slowest_s = times[i].seconds * plant->steps_times;
		}
		if (plant->ranks_times > 0 && times[i].part <= PARADL_BACKWARD)
			times[i].most_s = times[i].seconds * plant->ranks_times;
	}
	if (plant->ranks_times > 0)
		measurement.ranks = 8;
	if (plant->steps_times > 0)
		measurement.steps = 20;
	return measurement;
}

/* What no number of a file makes: passes that are longer, stages that are. */
static void distort(struct paradl_arena *arena, const struct plant *plant, struct paradl_estimate *estimate)
{
	double *phase_s = estimate->phase_s, before_s = 0, after_s = 0;
	struct paradl_estimate whole;
	struct paradl_plan plan;
	struct paradl_error error;
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; phase++)
		before_s += phase_s[phase];
	if (plant->whole) {
		assert_true(paradl_plan_parse(plant->whole, &plan, &error));
		plan.batch = plant->batch;
		assert_true(paradl_estimate(oracle_of(arena, plant, false), &plan, &whole, &error));
		for (unsigned phase = PARADL_FORWARD; phase <= PARADL_BACKWARD; phase++)
			phase_s[phase] += plant->redundant * (whole.phase_s[phase] - phase_s[phase]);
	}
	if (plant->slowest > 0)
		phase_s[PARADL_BUBBLE] +=
			(plant->slowest - 1) *
			(phase_s[PARADL_FORWARD] + phase_s[PARADL_BACKWARD] + phase_s[PARADL_RECOMPUTE]);
	for (unsigned phase = PARADL_FORWARD; plant->passes_times > 0 && phase <= PARADL_BACKWARD; phase++)
		phase_s[phase] *= plant->passes_times;
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; phase++)
		after_s += phase_s[phase];
	estimate->iteration_s += after_s - before_s;
}

static void diagnose(struct paradl_arena *arena, const struct plant *plant, bool changed,
	struct paradl_diagnosis *diagnosis)
{
	static struct paradl_measured_time times[PARADL_PART_COUNT];
	struct paradl_estimate estimate;
	struct paradl_error error = {.status = PARADL_OK};
	struct paradl_oracle *truth = oracle_of(arena, plant, changed),
			     *oracle = oracle_of(arena, plant, false);
	const struct paradl_plan ran = plan_of(plant, changed), plan = plan_of(plant, false);
	const struct plant nothing = {.model = NULL};
	if (!paradl_estimate(truth, &ran, &estimate, &error))
		fail_msg("%s", error.message);
	if (changed)
		distort(arena, plant, &estimate);
	const struct paradl_measurement measurement = measured(changed ? plant : &nothing, &estimate, times);
	if (!paradl_diagnose(oracle, &plan, &measurement, 0.05, arena, diagnosis, &error))
		fail_msg("%s", error.message);
}

#define ABCI  .hw = "abci", .framework = "chainermn"
#define ABCI2 .hw = "abci-2", .framework = "pytorch-nhwc"
#define H100  .hw = "dgx-h100-superpod", .framework = "megatron-core"

static const struct plant plants[] = {
	{.model = "resnet50",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.sets = {"device.peak.fp32=x0.6"},
		.cause = "slow-compute",
		.assumed = 1,
		.as_if = 0.6},
	{.model = "vgg16",
		ABCI,
		.plan = "data=16,filter=4",
		.batch = 512,
		.sets = {"device.peak.fp32=x0.45"},
		.cause = "slow-compute",
		.assumed = 1,
		.as_if = 0.45},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 256,
		.sets = {"device.peak.bf16=x0.6"},
		.cause = "slow-compute",
		.assumed = 1,
		.as_if = 0.6},
	{.model = "resnet50",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.sets = {"device.memory_rate=x0.5"},
		.cause = "slow-memory",
		.assumed = 1,
		.as_if = 0.5},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 256,
		.sets = {"device.memory_rate=x0.4"},
		.cause = "slow-memory",
		.assumed = 1,
		.as_if = 0.4},
	{.model = "resnet50",
		ABCI,
		.plan = "data=16,filter=4",
		.batch = 256,
		.sets = {"framework.rules.host_layer=x4"},
		.cause = "host-time",
		.assumed = 1,
		.as_if = 4},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 128,
		.sets = {"framework.rules.host_layer=x30"},
		.cause = "host-time",
		.assumed = 1,
		.as_if = 30},
	{.model = "vgg16",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.sets = {"hw.levels.1.ring=x0.55", "hw.levels.2.ring=x0.55", "hw.levels.3.ring=x0.55",
			"hw.levels.*.bandwidth=x0.55"},
		.cause = "link-rate",
		.assumed = 1,
		.as_if = 0.55},
	{.model = "resnet50",
		ABCI,
		.plan = "data=16,filter=16",
		.batch = 512,
		.sets = {"hw.levels.1.ring=x0.3", "hw.levels.2.ring=x0.3", "hw.levels.3.ring=x0.3"},
		.cause = "link-rate",
		.assumed = 1,
		.as_if = 0.3},
	{.model = "vgg16",
		ABCI,
		.plan = "data=4",
		.batch = 128,
		.sets = {"hw.levels.0.ring=x0.5", "hw.levels.0.bandwidth=x0.5"},
		.cause = "node-link-rate",
		.assumed = 1,
		.as_if = 0.5},
	{.model = "resnet50",
		ABCI,
		.plan = "data=16,filter=4",
		.batch = 512,
		.sets = {"hw.levels.0.ring=x0.3", "hw.levels.0.bandwidth=x0.3"},
		.cause = "node-link-rate",
		.assumed = 1,
		.as_if = 0.3},
	{.model = "vgg16", /* its exchange is a measured curve of one node */
		ABCI2,
		.plan = "data=8",
		.batch = 64,
		.base = {"framework.rules.overlap_gradients=0"},
		.sets = {"hw.network.links.device.bandwidth=x0.5", "hw.network.links.device.sustained=x0.5",
			"hw.network.links.pcie.bandwidth=x0.5", "hw.curves.0.us.*=x2"},
		.cause = "node-link-rate",
		.assumed = 1,
		.as_if = 0.5},
	{.model = "resnet50",
		ABCI,
		.plan = "data=4",
		.batch = 128,
		.base = {"framework.rules.gradient_tensor=54 us"},
		.sets = {"framework.rules.gradient_tensor=x5"},
		.cause = "message-start",
		.assumed = 1,
		.as_if = 5},
	{.model = "vgg16",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.steps_times = 1.6,
		.sets = {"hw.levels.1.ring=x0.4", "hw.levels.2.ring=x0.4", "hw.levels.3.ring=x0.4",
			"hw.levels.*.bandwidth=x0.4"},
		.cause = "contention",
		.assumed = 1,
		.as_if = 2.5},
	{.model = "resnet50",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.base = {"framework.rules.overlap_gradients=0.5"},
		.sets = {"framework.rules.overlap_gradients=0"},
		.cause = "overlap"},
	{.model = "vgg16",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.base = {"framework.rules.overlap_gradients=0.9"},
		.busy = true,
		.sets = {"framework.rules.overlap_gradients=0.3"},
		.cause = "overlap",
		.assumed = 0.9,
		.as_if = 0.3},
	{.model = "llama2-7b",
		H100,
		.plan = "data=128",
		.batch = 128,
		.sets = {"framework.rules.overlap_gradients=0"},
		.base = {"framework.rules.overlap_gradients=0.8"},
		.cause = "overlap"},
	{.model = "vgg16", ABCI, .plan = "data=64", .batch = 2048, .algorithm = "tree", .cause = "algorithm"},
	{.model = "resnet50",
		ABCI,
		.plan = "data=256",
		.batch = 8192,
		.algorithm = "linear",
		.cause = "algorithm"},
	{.model = "resnet50",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.late_s = 0.1,
		.ranks_times = 1.4,
		.cause = "straggler"},
	{.model = "resnet50", ABCI, .plan = "data=64", .batch = 2048, .outside_s = 0.2, .cause = "outside"},
	{.model = "resnet50", ABCI, .plan = "data=64", .batch = 2048, .input_s = 0.2, .cause = "input-stall"},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 256,
		.update_times = 12,
		.cause = "update",
		.assumed = 1,
		.as_if = 12},
	{.model = "llama2-7b",
		H100,
		.plan = "data=4,pipeline=4,tensor=8",
		.batch = 256,
		.ran = "data=4,pipeline=4,tensor=8,recompute=full",
		.cause = "recomputation"},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 256,
		.ran = "data=16,tensor=8,recompute=full",
		.cause = "recomputation"},
	{.model = "resnet50",
		ABCI,
		.plan = "data=64",
		.batch = 2048,
		.precision = PARADL_FP16,
		.cause = "precision"},
	{.model = "llama2-7b",
		H100,
		.plan = "data=16,tensor=8",
		.batch = 256,
		.precision = PARADL_TF32,
		.cause = "precision"},
	{.model = "llama2-7b",
		H100,
		.plan = "data=128",
		.batch = 128,
		.base = {"framework.rules.gradient_bytes=2 B", "framework.rules.overlap_gradients=0"},
		.sets = {"framework.rules.gradient_bytes=4 B"},
		.cause = "gradient-bytes"},
	{.model = "resnet50",
		ABCI,
		.plan = "data=16,spatial=4",
		.batch = 512,
		.base = {"framework.rules.staged=false"},
		.sets = {"framework.rules.staged=true"},
		.cause = "halo-staging"},
	{.model = "llama2-7b",
		H100,
		.plan = "data=4,pipeline=4,tensor=8,micro=1",
		.batch = 64,
		.ran = "data=4,pipeline=4,tensor=8,micro=4",
		.cause = "micro-batches"},
	{.model = "resnet50",
		ABCI,
		.plan = "data=16,filter=4",
		.batch = 512,
		.sets = {"hw.levels.1.ports=1", "hw.levels.2.ports=1", "hw.levels.3.ports=1"},
		.cause = "port"},
	{.model = "vgg16",
		ABCI,
		.plan = "data=8,filter=4",
		.batch = 256,
		.whole = "data=8",
		.redundant = 0.6,
		.cause = "redundancy",
		.assumed = 1,
		.as_if = 0.6},
	{.model = "resnet50",
		ABCI,
		.plan = "data=8,spatial=4",
		.batch = 256,
		.base = {"framework.rules.host_layer=0.46 ms"},
		.whole = "data=8",
		.redundant = 0.3,
		.cause = "redundancy",
		.assumed = 1,
		.as_if = 0.3},
	{.model = "llama2-7b",
		H100,
		.plan = "data=4,pipeline=4,tensor=8",
		.batch = 256,
		.slowest = 1.35,
		.cause = "imbalance",
		.assumed = 1,
		.as_if = 1.35},
	{.model = "vgg16",
		ABCI,
		.plan = "data=16",
		.batch = 3264,
		.passes_times = 1.7,
		.cause = "memory-pressure",
		.assumed = 1,
		.as_if = 1.7},
};

static void planted_causes_come_first(void **state)
{
	(void)state;
	size_t wrong = 0;
	for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
		const struct plant *plant = &plants[i];
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_diagnosis diagnosis;
		diagnose(arena, plant, true, &diagnosis);
		const struct paradl_cause *first = diagnosis.cause_count ? &diagnosis.causes[0] : NULL;
		bool right = first && strcmp(first->name, plant->cause) == 0;
		if (right && plant->as_if > 0) {
			const double times = first->as_if / (first->assumed > 0 ? first->assumed : 1);
			right = fabs(times / (plant->as_if / plant->assumed) - 1) <= 0.05;
		}
		if (!right) {
			++wrong;
			printf("%s %s: %s is missed\n", plant->model, plant->plan, plant->cause);
			for (size_t k = 0; k < diagnosis.cause_count; k++)
				printf("  %s%s: %s (left %.4g)\n",
					diagnosis.causes[k].instead >= 0 ? "  or " : "",
					diagnosis.causes[k].name, diagnosis.causes[k].text,
					diagnosis.causes[k].left_s);
		}
		paradl_arena_free(arena);
	}
	assert_int_equal(wrong, 0);
}

/* The estimate as the measurement: nothing is to be explained. */
static void unchanged_has_no_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_diagnosis diagnosis;
		diagnose(arena, &plants[i], false, &diagnosis);
		assert_true(diagnosis.within_error);
		assert_int_equal(diagnosis.cause_count, 0);
		assert_true(diagnosis.gap_s <= 1e-9 * diagnosis.estimate.iteration_s);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_causes_come_first),
		cmocka_unit_test(unchanged_has_no_cause),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

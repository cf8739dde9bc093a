/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No plan takes less than the bounds of what it begins with: random networks, machines, frameworks, beginnings and ends. */
#include "oracle/shipped.h"

#include <dirent.h>

#include "model/transformer.h"
#include "oracle/bounds.h"
#include "oracle/oracle.h"

enum { FILES_MOST = 64, NETWORKS = 150, BEGINNINGS = 8, ENDS = 12, LEVELS = 6 };

static const char *const machines[] = {"dgx-a100-superpod", "dgx-h100-superpod", "aws-p4d", "frontier",
	"alps", "gb200-nvl72", "tpu-v4", "a100-8"};
enum { MACHINES = sizeof machines / sizeof *machines + 1 }; /* the last is one with shapes */

struct world {
	const struct paradl_machine *machines[MACHINES];
	const struct paradl_framework *frameworks[FILES_MOST];
	unsigned framework_count;
};

/* Every shipped framework, in the order of their names. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_profile(const struct dirent *entry)
{
	return strstr(entry->d_name, ".json") != NULL;
}

/* Rates that depend on shapes and sizes: less work can be slower, and more bytes by a jump. */
static const struct paradl_machine *with_shapes(
	struct paradl_arena *arena, const struct paradl_machine *machine)
{
	struct paradl_machine *shaped = arena_alloc(arena, 1, sizeof *shaped);
	assert_non_null(shaped);
	*shaped = *machine;
	struct device *device = &shaped->device;
	const double rate = device->memory_bytes_per_s;
	device->half = (struct half_lengths){64, 32, 200};
	device->patches = 2;
	device->product.units = 0;
	device->product.half = (struct half_lengths){30, 60, 100};
	device->memory_levels[0] = (struct memory_level){1e6, 8 * rate, 0};
	device->memory_levels[1] = (struct memory_level){64e6, 3 * rate, 0};
	device->memory_level_count = 2;
	device_derive(device);
	return shaped;
}

static void world_load(struct setup *setup, struct world *world)
{
	struct dirent **entries = NULL;
	const int count = scandir("hw-profiles/frameworks", &entries, is_profile, by_name);
	assert_in_range(count, 10, FILES_MOST);
	for (int i = 0; i < count; ++i) {
		char *name = entries[i]->d_name;
		*strstr(name, ".json") = '\0';
		const struct paradl_framework *framework = shipped_framework(setup, name);
		if (!framework->serves) /* that trains */
			world->frameworks[world->framework_count++] = framework;
		free(entries[i]);
	}
	free(entries);
	for (unsigned i = 0; i + 1 < MACHINES; ++i) {
		world->machines[i] = paradl_machine_load(setup->arena,
			&(struct paradl_source){
				.path = arena_printf(setup->arena, "hw-profiles/%s.json", machines[i])},
			&setup->error);
		if (!world->machines[i])
			fail_msg("%s: %s", machines[i], setup->error.message);
	}
	world->machines[MACHINES - 1] = with_shapes(setup->arena, world->machines[0]);
}

static const struct paradl_model *random_network(struct random *random, struct paradl_arena *arena)
{
	struct paradl_error error = {0};
	struct transformer_shape shape = {.name = "random", .heads = 8};
	shape.layers = random_between(random, 1, 9);
	shape.hidden = 64 * random_between(random, 2, 40);
	shape.head_dim = 64;
	shape.kv_heads = random_true(random) ? 8 : 4;
	shape.vocabulary = 1000 * random_between(random, 1, 60);
	shape.sequence = random_true(random) ? 1024 : 16384;
	shape.gated = random_true(random);
	shape.tied = random_true(random);
	shape.unfused = random_true(random);
	shape.qkv_bias = random_true(random);
	shape.dropout = random_true(random) ? 0.1 : 0;
	if (random_true(random)) {
		shape.experts = 8;
		shape.top_k = random_between(random, 1, 3);
		shape.moe_ffn = 64 * random_between(random, 1, 30);
		shape.first_dense = random_between(random, 0, 1);
		shape.shared_ffn = random_true(random) ? 256 : 0;
	}
	const struct paradl_model *model = transformer_build(arena, &shape, &error);
	if (!model)
		fail_msg("%s: %s", error.pointer, error.message);
	return model;
}

/* Degrees and what changes kernels. */
static struct paradl_plan random_beginning(struct random *random)
{
	struct paradl_plan plan = setup_plan("serial", 1);
	plan.degree[PARADL_DATA] = 1u << random_between(random, 0, 2);
	plan.degree[PARADL_PIPELINE] = random_between(random, 1, 4);
	plan.degree[PARADL_TENSOR] = 1u << random_between(random, 0, 2);
	plan.degree[PARADL_EXPERT] = random_between(random, 0, 2) ? 1 : 2;
	plan.degree[PARADL_CONTEXT] = random_between(random, 0, 2) ? 1 : 2;
	const double replicas = plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	plan.micro = random_between(random, 1, 4);
	plan.batch = replicas * plan.micro * random_between(random, 1, 20);
	plan.sequence = plan.degree[PARADL_TENSOR] > 1 && random_true(random);
	plan.expert_tensor = plan.degree[PARADL_TENSOR] > 1 && random_true(random);
	plan.context = (enum paradl_context_method)(
		plan.degree[PARADL_CONTEXT] > 1 ? random_between(random, 0, 2) : 0);
	plan.recompute_blocks = random_between(random, 0, 3) ? 0 : 1;
	return plan;
}

static void random_order(struct random *random, struct paradl_plan *plan)
{
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; --i) {
		const unsigned j = random_between(random, 0, i);
		const unsigned char swapped = plan->order[i];
		plan->order[i] = plan->order[j];
		plan->order[j] = swapped;
	}
}

static void random_stages(
	struct random *random, struct paradl_plan *plan, const struct open_choices *open_choices)
{
	plan->schedule = PARADL_SCHEDULE_DEFAULT;
	plan->chunks = 0;
	if (plan->degree[PARADL_PIPELINE] > 1)
		plan->schedule =
			(enum paradl_pipeline_schedule)random_between(random, 0, PARADL_SCHEDULE_COUNT - 1);
	if (plan->schedule == PARADL_INTERLEAVED)
		plan->chunks = random_between(random, 2, 3);
	plan->apart = (plan->apart & PARADL_OVERLAP_GRADIENTS) | random_between(random, 0, 3) * 2;
	plan->offload = random_between(random, 0, 7) & open_choices->offload;
}

static void random_share(
	struct random *random, struct paradl_plan *plan, const struct open_choices *open_choices)
{
	const unsigned data = plan->degree[PARADL_DATA];
	plan->zero = plan_replicas(plan) > 1 ? random_between(random, 0, open_choices->zero) : 0;
	plan->shard = plan->zero && data > 2 && random_true(random) ? 2 : 0;
	plan->apart = (plan->apart & ~(unsigned)PARADL_OVERLAP_GRADIENTS) | random_between(random, 0, 1);
}

/* How much was checked, by level; how near the bounds of the last level came. */
struct tally {
	unsigned checked[LEVELS];
	double nearest;
};

struct levels {
	struct bounds bounds[LEVELS];
	unsigned count;
};

static void check_levels(const struct levels *levels, const struct paradl_estimate *estimate,
	const struct paradl_oracle *oracle, struct tally *tally)
{
	static const char *const names[LEVELS] = {
		"kernels", "units, floors", "stages, floors", "units", "stages", "schedule"};
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(&estimate->plan, text, sizeof text);
	for (unsigned i = 0; i < levels->count; ++i) {
		const struct bounds *bounds = &levels->bounds[i];
		if (bounds->iteration_s > estimate->iteration_s || bounds->compute_s > estimate->compute_s ||
			bounds->memory_bytes > estimate->memory_bytes)
			fail_msg("%s: bounds of %s %.9g %.9g s %.9g bytes, takes %.9g %.9g s %.9g bytes; %s, "
				 "batch %.0f on %s, %s",
				oracle->model->name, names[i], bounds->iteration_s, bounds->compute_s,
				bounds->memory_bytes, estimate->iteration_s, estimate->compute_s,
				estimate->memory_bytes, text, estimate->plan.batch,
				paradl_machine_info(oracle->machine).name,
				paradl_framework_info(oracle->framework).name);
		++tally->checked[i];
		tally->nearest = fmax(tally->nearest, bounds->iteration_s / estimate->iteration_s);
	}
}

/* Fills bounds of units, and from there those of stages; false: such a plan cannot run. */
static bool walk(struct evaluation *evaluation, struct paradl_oracle *oracle, const struct paradl_plan *whole,
	const struct open_choices *open_choices, struct step *step, struct bounds bounds[2])
{
	memcpy(evaluation->plan.order, whole->order, sizeof whole->order);
	if (!evaluation_connect(evaluation, oracle, NULL))
		return false;
	evaluation->plan.recompute = whole->recompute;
	evaluation->plan.apart = evaluation->plan.offload = 0;
	options_resolve(evaluation);
	unit_costs_fill(evaluation);
	bounds_of_units(evaluation, open_choices, &bounds[0]);
	evaluation->plan.schedule = whole->schedule;
	evaluation->plan.chunks = whole->chunks;
	evaluation->plan.apart = whole->apart;
	evaluation->plan.offload = whole->offload & ~(unsigned)PARADL_OFFLOAD_OPTIMIZER;
	options_resolve(evaluation);
	if (!options_feasible(evaluation, NULL) || !training_stages(evaluation, step, NULL))
		return false;
	bounds[1] = bounds[0];
	bounds_of_held(evaluation, &bounds[1]);
	bounds_of_stages(evaluation, step, &bounds[1]);
	return true;
}

/* From a beginning to some ends; estimates come from another oracle, since the levels live in scratch of this one. */
static void check_beginning(struct random *random, struct paradl_oracle *oracle, struct paradl_oracle *other,
	const struct paradl_plan *plan, struct tally *tally)
{
	struct open_choices open_choices = {.zero = random_between(random, 0, 3), .keeps_less = true};
	open_choices.offload = random_true(random) ? random_between(random, 0, 7) : 0;
	struct evaluation evaluation = {.oracle = oracle};
	struct levels levels = {.count = LEVELS};
	if (!evaluation_cut(&evaluation, oracle, plan, 0, NULL))
		return;
	bounds_of_kernels(&evaluation, &open_choices, &levels.bounds[0]);
	for (unsigned end = 0; end < ENDS; ++end) {
		struct paradl_plan whole = *plan;
		struct paradl_estimate estimate;
		struct step step;
		random_order(random, &whole);
		whole.recompute = (enum paradl_recompute)random_between(random, 0, PARADL_RECOMPUTE_FULL);
		random_stages(random, &whole, &open_choices);
		for (unsigned i = 1; i < LEVELS; ++i)
			levels.bounds[i] = levels.bounds[0];
		oracle->floors = true;
		const bool bounded =
			walk(&evaluation, oracle, &whole, &open_choices, &step, &levels.bounds[1]);
		oracle->floors = false;
		if (!bounded || !walk(&evaluation, oracle, &whole, &open_choices, &step, &levels.bounds[3]))
			continue;
		training_schedule(&evaluation, &step);
		levels.bounds[5] = levels.bounds[4];
		bounds_of_schedule(&step, &levels.bounds[5]);
		for (unsigned k = 0; k < 3; ++k) {
			random_share(random, &whole, &open_choices);
			if (paradl_estimate(other, &whole, &estimate, NULL))
				check_levels(&levels, &estimate, oracle, tally);
		}
	}
}

static void networks_of_tokens(void **state)
{
	struct setup *setup = *state;
	struct random random = {20261122};
	struct world world = {.framework_count = 0};
	struct tally tally = {.nearest = 0};
	const struct paradl_options options = {.ideal = false};
	world_load(setup, &world);
	for (unsigned i = 0; i < NETWORKS; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct paradl_model *model = random_network(&random, arena);
		const unsigned machine = random_between(&random, 0, MACHINES - 1);
		struct paradl_oracle *oracle = paradl_oracle_create(arena, model, world.machines[machine],
			world.frameworks[i % world.framework_count], &options, &setup->error);
		if (!oracle)
			fail_msg("%s", setup->error.message);
		struct paradl_oracle *other = oracle_clone(oracle, arena, &setup->error);
		assert_non_null(other);
		for (unsigned k = 0; k < BEGINNINGS; ++k) {
			const struct paradl_plan plan = random_beginning(&random);
			check_beginning(&random, oracle, other, &plan, &tally);
		}
		paradl_arena_free(arena);
	}
	for (unsigned level = 0; level < LEVELS; ++level)
		assert_in_range(tally.checked[level], 1000, 1000000);
	assert_true(tally.nearest > 0.99);
}

static void networks_of_images(void **state)
{
	struct setup *setup = *state;
	struct random random = {4};
	struct tally tally = {.nearest = 0};
	const struct paradl_options options = {.ideal = false};
	for (unsigned i = 0; i < SHIPPED_MODELS * SHIPPED_FRAMEWORKS; ++i) {
		setup_renew(setup);
		const struct paradl_model *model = shipped_model(setup, shipped_models[i % SHIPPED_MODELS]);
		const struct paradl_framework *framework =
			shipped_framework(setup, shipped_frameworks[i / SHIPPED_MODELS]);
		const struct paradl_machine *machine = shipped_machine(setup, 1, 1);
		struct paradl_oracle *oracle = paradl_oracle_create(
			setup->arena, model, machine, framework, &options, &setup->error);
		assert_non_null(oracle);
		struct paradl_oracle *other = oracle_clone(oracle, setup->arena, &setup->error);
		assert_non_null(other);
		for (unsigned k = 0; k < 100; ++k) {
			const struct paradl_plan plan = shipped_plan(&random, 256);
			check_beginning(&random, oracle, other, &plan, &tally);
		}
	}
	for (unsigned level = 0; level < LEVELS; ++level)
		assert_in_range(tally.checked[level], 1000, 1000000);
	assert_true(tally.nearest > 0.99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(networks_of_tokens),
		setup_test(networks_of_images),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

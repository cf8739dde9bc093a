/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of degrees come from enumerate(). To each belong micro-batches (divisors of a replica's batch), and the choices
 * that change the kernels: sequence parallelism, experts whole or cut, the method of the context axis.
 */
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "plan/plan_text.h"
#include "plan/strategy.h"
#include "search/options.h"
#include "search/tasks.h"

enum { MICROS_MAX = 64, MICRO_MOST = 1 << 16, BATCHES_MOST = 1 << 16 };

struct lister {
	struct paradl_oracle *oracle;
	const struct variation *variation;
	struct tasks *tasks;
	double batch;
	double divided; /* last number of samples whose divisors were asked for */
	unsigned divisors[MICROS_MAX], divisor_count;
};

static bool varies(const struct lister *lister, enum paradl_vary vary, enum plan_option option)
{
	return lister->variation->vary & 1u << vary && !(lister->variation->given & 1u << option);
}

/* Adds a task; only counts it before there is a list. */
static void task_add(struct lister *lister, const struct paradl_plan *plan)
{
	struct tasks *tasks = lister->tasks;
	if (tasks->items) {
		tasks->items[tasks->count].plan = *plan;
		tasks->items[tasks->count].cell = tasks->cells;
	}
	++tasks->count;
}

static bool has_experts(const struct paradl_oracle *oracle)
{
	return oracle_axes(oracle) & 1u << PARADL_EXPERT;
}

static void layer_plans_add(struct lister *lister, struct paradl_plan plan)
{
	const bool varied =
		plan.degree[PARADL_CONTEXT] > 1 && varies(lister, PARADL_VARY_CONTEXT, PLAN_OPTION_COUNT);
	const unsigned layer_plans = varied ? PARADL_CONTEXT_COUNT : 1;
	for (unsigned layer_plan = 0; layer_plan < layer_plans; ++layer_plan) {
		if (varied && !(lister->oracle->framework->offers.contexts & 1u << layer_plan))
			continue;
		plan.context = (enum paradl_context_method)layer_plan;
		task_add(lister, &plan);
	}
}

static void experts_add(struct lister *lister, struct paradl_plan plan)
{
	const bool tensor = plan.degree[PARADL_TENSOR] > 1;
	plan.expert_tensor = lister->variation->fixed.expert_tensor && tensor;
	layer_plans_add(lister, plan);
	plan.expert_tensor = true;
	if (tensor && has_experts(lister->oracle) && lister->oracle->framework->offers.expert_tensor &&
		varies(lister, PARADL_VARY_EXPERTS, PLAN_EXPERTS))
		layer_plans_add(lister, plan);
}

/*
 * Returns whether micro-batches and sequence parallelism can be chosen without a pipeline: only networks of tokens
 * have these.
 */
static bool chooses_micro(const struct lister *lister)
{
	return lister->variation->options && lister->oracle->model->tokens;
}

/*
 * Adds plans with sequence parallelism wherever the tensor axis is in use, unless the request says otherwise (as many
 * bytes are sent, and less is held), and plans without it, if it varies.
 */
static void sequences_add(struct lister *lister, struct paradl_plan plan)
{
	const struct variation *variation = lister->variation;
	const bool given = variation->given & 1u << PLAN_SEQUENCE;
	const bool usable = plan.degree[PARADL_TENSOR] > 1 && !lister->oracle->options.inference &&
			    (chooses_micro(lister) || given);
	plan.sequence =
		usable && (given ? variation->fixed.sequence : lister->oracle->framework->offers.sequence);
	experts_add(lister, plan);
	if (!plan.sequence || given || !varies(lister, PARADL_VARY_SEQUENCE, PLAN_SEQUENCE))
		return;
	plan.sequence = false;
	experts_add(lister, plan);
}

/* Finds the first divisors of a number of samples, none of them larger than MICRO_MOST. */
static void divisors_find(struct lister *lister, double samples)
{
	const unsigned long long number = (unsigned long long)samples;
	const bool same = !(samples < lister->divided) && !(samples > lister->divided);
	if (same)
		return;
	lister->divided = samples;
	lister->divisor_count = 0;
	for (unsigned d = 1; d <= number && d <= MICRO_MOST && lister->divisor_count < MICROS_MAX; ++d)
		if (number % d == 0)
			lister->divisors[lister->divisor_count++] = d;
}

/*
 * Adds every divisor of a replica's batch, up to some number of samples, as a micro-batch; pipelines of images also
 * have a framework's number of micro-batches.
 */
static void micros_add(struct lister *lister, struct paradl_plan plan)
{
	const bool tokens = chooses_micro(lister);
	const double replicas = (double)plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	const double local = share(plan.batch, replicas, false);
	const bool given = lister->variation->given & 1u << PLAN_MICRO;
	plan.micro = tokens || given || plan.degree[PARADL_PIPELINE] > 1 ? lister->variation->fixed.micro : 0;
	if (!varies(lister, PARADL_VARY_MICRO, PLAN_MICRO) || (!tokens && plan.degree[PARADL_PIPELINE] < 2) ||
		lister->oracle->options.inference) {
		sequences_add(lister, plan);
		return;
	}
	if (!tokens)
		sequences_add(lister, plan);
	divisors_find(lister, local);
	for (unsigned i = 0; i < lister->divisor_count; ++i) {
		plan.micro = lister->divisors[i];
		sequences_add(lister, plan);
	}
}

/* Adds the batches: in inference 1, 2, 4, ... samples for each replica, unless a batch was given. */
static void batches_add(struct lister *lister, struct paradl_plan plan)
{
	const double replicas = (double)plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	const struct paradl_options *options = &lister->oracle->options;
	if (!options->inference || lister->batch > 0 || options->rate_per_s > 0 ||
		!varies(lister, PARADL_VARY_BATCH, PLAN_OPTION_COUNT)) {
		plan.batch = lister->batch > 0 ? lister->batch : replicas;
		micros_add(lister, plan);
		return;
	}
	size_t before = 0;
	for (unsigned each = 1, doubled = 0; each <= BATCHES_MOST; each *= 2, ++doubled) {
		const size_t first = lister->tasks->count;
		plan.batch = each * replicas;
		micros_add(lister, plan);
		for (size_t i = first; lister->tasks->items && i < lister->tasks->count; ++i) {
			lister->tasks->items[i].doubled = doubled;
			lister->tasks->items[i].half = doubled ? 1 + before + (i - first) : 0;
		}
		before = first;
	}
}

/* Adds the numbers of sequences that a replica has at a time. Clients do the same by being fewer, so a rate decides. */
static void seqs_add(struct lister *lister, struct paradl_plan plan)
{
	const struct paradl_oracle *oracle = lister->oracle;
	batches_add(lister, plan);
	if (!varies(lister, PARADL_VARY_SEQS, PLAN_SEQS))
		return;
	while ((plan.seqs = seqs_after(oracle, plan.seqs)) > 0)
		batches_add(lister, plan);
}

/* Adds the tokens of prompts that a step may have, the program's own first; engines that read none have no choice. */
static void chunks_add(struct lister *lister, struct paradl_plan plan)
{
	const struct paradl_oracle *oracle = lister->oracle;
	seqs_add(lister, plan);
	if (!varies(lister, PARADL_VARY_CHUNK, PLAN_CHUNK))
		return;
	while ((plan.chunk = chunk_after(oracle, plan.chunk)) > 0)
		seqs_add(lister, plan);
}

static bool degrees_visit(const struct paradl_plan *degrees, void *context)
{
	struct lister *lister = context;
	const struct paradl_plan *fixed = &lister->variation->fixed;
	struct paradl_plan plan = *degrees;
	plan.split_count = fixed->split_count;
	memcpy(plan.split, fixed->split, sizeof plan.split);
	plan.recompute_blocks = fixed->recompute_blocks;
	plan_keep(&plan, fixed);
	chunks_add(lister, plan);
	++lister->tasks->cells;
	return true;
}

static void tasks_add(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct variation *variation, const bool *families, struct tasks *tasks)
{
	const bool given = request->batch > 0 || request->per_device > 0;
	tasks->count = tasks->cells = 0;
	for (size_t i = 0; i < request->device_count; ++i) {
		const double batch = batch_of(oracle, request->batch, request->per_device,
			request->devices[i], variation->halvings);
		struct lister lister = {.oracle = oracle,
			.variation = variation,
			.tasks = tasks,
			.batch = given || !oracle->options.inference ? batch : 0}; /* else they vary */
		struct space space = {.devices = request->devices[i],
			.families = families,
			.dimensions = paradl_oracle_dimensions(oracle)};
		oracle_most(oracle, space.most);
		if (batch > 0)
			enumerate(&space, degrees_visit, &lister);
	}
}

bool tasks_list(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct variation *variation, const bool *families, struct paradl_arena *arena,
	struct tasks *tasks, struct paradl_error *error)
{
	*tasks = (struct tasks){.count = 0};
	tasks_add(oracle, request, variation, families, tasks);
	tasks->items = arena_alloc(arena, tasks->count + 1, sizeof *tasks->items);
	if (!tasks->items)
		return out_of_memory(error);
	tasks_add(oracle, request, variation, families, tasks);
	return true;
}

struct walk {
	const struct space *space;
	bool (*visit)(const struct paradl_plan *plan, void *context);
	void *context;
	unsigned some, all;             /* axes in some and in all wanted families */
	double room[PARADL_AXIS_COUNT]; /* product of the largest degrees from this axis on; 0: no limit */
	struct paradl_plan plan;
};

static bool wanted(const struct walk *walk)
{
	return walk->space->families[plan_axes(&walk->plan)];
}

/* Returns whether this axis can take this degree at all, under the wanted families and the largest degrees. */
static bool allowed(const struct walk *walk, unsigned axis, unsigned degree)
{
	const double most = walk->space->most[axis];
	const unsigned bit = 1u << axis;
	return degree > 1 ? walk->some & bit && (most <= 0 || degree <= most) : !(walk->all & bit);
}

/* Visits the shapes of the spatial degree over dimensions, larger pieces first: 4, 2x2; in volumes 8, 4x2, 2x2x2. */
static bool spatial_shapes(struct walk *walk)
{
	const unsigned degree = walk->plan.degree[PARADL_SPATIAL], dimensions = walk->space->dimensions;
	for (unsigned c = 1; (double)c * c * c <= degree && (c == 1 || dimensions > 2); ++c) {
		if (degree % c)
			continue;
		for (unsigned b = c, rest = degree / c; (double)b * b <= rest && (b == 1 || dimensions > 1);
			++b) {
			if (rest % b)
				continue;
			walk->plan.spatial[0] = rest / b;
			walk->plan.spatial[1] = b;
			walk->plan.spatial[2] = c;
			if (!walk->visit(&walk->plan, walk->context))
				return false;
		}
	}
	return true;
}

static bool axis_degrees(struct walk *walk, unsigned axis, unsigned rest);

static bool axis_degree(struct walk *walk, unsigned axis, unsigned degree, unsigned rest)
{
	if (!allowed(walk, axis, degree))
		return true;
	walk->plan.degree[axis] = degree;
	return axis_degrees(walk, axis + 1, rest);
}

static bool axis_degrees(struct walk *walk, unsigned axis, unsigned rest)
{
	if (walk->room[axis] > 0 && rest > walk->room[axis])
		return true;
	if (axis == PARADL_AXIS_COUNT - 1) {
		walk->plan.degree[axis] = rest;
		return !allowed(walk, axis, rest) || !wanted(walk) || spatial_shapes(walk);
	}
	if (!(walk->some & 1u << axis))
		return axis_degree(walk, axis, 1, rest);
	for (unsigned low = 1; (double)low * low <= rest; ++low) {
		const unsigned high = rest / low;
		if (rest % low)
			continue;
		if (!axis_degree(walk, axis, low, high) ||
			(high != low && !axis_degree(walk, axis, high, low)))
			return false;
	}
	return true;
}

bool enumerate(const struct space *space, bool (*visit)(const struct paradl_plan *plan, void *context),
	void *context)
{
	struct walk walk = {.space = space, .visit = visit, .context = context, .all = ~0u};
	double room = 1;
	for (unsigned family = 0; family < FAMILIES; ++family)
		if (space->families[family]) {
			walk.some |= family;
			walk.all &= family;
		}
	for (unsigned axis = PARADL_AXIS_COUNT; axis-- > 0;) {
		const double most = (walk.some & 1u << axis) ? space->most[axis] : 1;
		room = most > 0 ? room * most : 0; /* once unlimited, the axes before it are unlimited, too */
		walk.room[axis] = room;
		walk.plan.order[axis] = (unsigned char)axis;
	}
	return axis_degrees(&walk, 0, space->devices);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The space of a search the plain way: lists of plans, each choice of paradl-search(1) multiplies them, and every plan is
 * estimated. Nothing of it comes from the search.
 */
#ifndef TESTS_SEARCH_BRUTE_H
#define TESTS_SEARCH_BRUTE_H

#include "oracle/oracle.h"
#include "search/plans.h"

enum { GOAL_COUNT = PARADL_THROUGHPUT + 1 };

struct brute_row {
	struct paradl_plan plan;
	bool runs, fits;
	double value[GOAL_COUNT]; /* of one sample, smaller is better */
	double iteration_s, token_s, cost_per_hour;
};

struct brute {
	struct brute_row *rows;
	size_t count, runs;
};

static inline double brute_replicas(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] *
	       plan->degree[PARADL_CONTEXT] * plan->degree[PARADL_SPATIAL];
}

/* Each of the plans in every order of the axes that it has; the others come last. */
static inline void brute_permute(struct plans *to, struct paradl_plan plan, unsigned place, unsigned left)
{
	bool any = false;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
		if (!(left & 1u << axis) || plan.degree[axis] < 2)
			continue;
		any = true;
		plan.order[place] = (unsigned char)axis;
		brute_permute(to, plan, place + 1, left & ~(1u << axis));
	}
	if (any)
		return;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan.degree[axis] < 2)
			plan.order[place++] = (unsigned char)axis;
	plans_add(to, &plan);
}

/* One choice: adds what becomes of a plan. */
typedef void brute_choice(struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle);

static inline void brute_orders(struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	brute_permute(to, plan, 0, ~0u);
}

static inline void brute_micros(struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	const unsigned replicas = plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	const unsigned batch = (unsigned)plan.batch, local = (batch + replicas - 1) / replicas;
	const bool tokens = oracle->model->tokens;
	if (!tokens)
		plans_add(to, &plan);
	for (unsigned micro = 1; micro <= local && (tokens || plan.degree[PARADL_PIPELINE] > 1); ++micro) {
		plan.micro = micro;
		if (local % micro == 0)
			plans_add(to, &plan);
	}
}

/* On, and off too. */
static inline void brute_sequence(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	plans_add(to, &plan);
	plan.sequence = false;
	if (plan.degree[PARADL_TENSOR] > 1)
		plans_add(to, &plan);
}

static inline void brute_experts(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	plans_add(to, &plan);
	plan.expert_tensor = true;
	if (plan.degree[PARADL_TENSOR] > 1 && oracle_axes(oracle) & 1u << PARADL_EXPERT)
		plans_add(to, &plan);
}

static inline void brute_context(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	for (unsigned layer_plan = 0;
		layer_plan < (plan.degree[PARADL_CONTEXT] > 1 ? PARADL_CONTEXT_COUNT : 1); ++layer_plan) {
		plan.context = (enum paradl_context_method)layer_plan;
		plans_add(to, &plan);
	}
}

/* The framework's own, by default, and the others. */
static inline void brute_recompute(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	const bool selects = oracle->model->tokens || oracle->rules.selective_share > 0;
	enum paradl_recompute usual = oracle->rules.recompute;
	usual = usual == PARADL_RECOMPUTE_DEFAULT ? PARADL_RECOMPUTE_NONE : usual;
	for (unsigned level = PARADL_RECOMPUTE_NONE; level < PARADL_RECOMPUTE_COUNT; ++level) {
		plan.recompute = level == usual ? PARADL_RECOMPUTE_DEFAULT : (enum paradl_recompute)level;
		if ((level != PARADL_RECOMPUTE_SELECTIVE || selects) &&
			(level != PARADL_RECOMPUTE_MODULES || oracle->model->has_modules))
			plans_add(to, &plan);
	}
}

static inline void brute_schedule(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	static const enum paradl_pipeline_schedule single[] = {
		PARADL_GPIPE, PARADL_1F1B, PARADL_ZERO_BUBBLE, PARADL_ZERO_BUBBLE_2P, PARADL_ZERO_BUBBLE_V};
	const enum paradl_pipeline_schedule usual = oracle->model->tokens ? PARADL_1F1B : PARADL_GPIPE;
	const unsigned stages = plan.degree[PARADL_PIPELINE], units = oracle->model->unit_count;
	unsigned blocks = 0;
	plans_add(to, &plan);
	if (stages < 2)
		return;
	for (unsigned u = 0; u < units; ++u)
		blocks += oracle->model->units[u].is_block;
	for (unsigned i = 0; i < sizeof single / sizeof *single; ++i) {
		plan.schedule = single[i];
		if (single[i] != usual && (single[i] != PARADL_ZERO_BUBBLE_V || 2 * stages <= units))
			plans_add(to, &plan);
	}
	plan.schedule = PARADL_INTERLEAVED;
	for (plan.chunks = 2; plan.chunks * stages <= units; ++plan.chunks)
		if (plan.chunks == 2 || (blocks && (blocks % (plan.chunks * stages) == 0 ||
							   (blocks + 2) % (plan.chunks * stages) == 0)))
			plans_add(to, &plan);
}

static inline void brute_zero(struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	for (plan.zero = 0; plan.zero <= (brute_replicas(&plan) > 1 ? 3 : 0); ++plan.zero)
		plans_add(to, &plan);
}

static inline void brute_shard(struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	plans_add(to, &plan);
	for (plan.shard = 2; plan.zero && plan.shard < plan.degree[PARADL_DATA]; ++plan.shard)
		if (plan.degree[PARADL_DATA] % plan.shard == 0)
			plans_add(to, &plan);
}

static inline void brute_overlap(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	const struct rules *rules = &oracle->rules;
	unsigned can = 0;
	if (brute_replicas(&plan) > 1 &&
		rules->overlap_gradients + rules->overlap_gathers + rules->overlap_shards > 0)
		can |= PARADL_OVERLAP_GRADIENTS;
	if (plan.degree[PARADL_TENSOR] > 1 && rules->overlap_tensor > 0)
		can |= PARADL_OVERLAP_TENSOR;
	if (plan.degree[PARADL_EXPERT] > 1 && rules->overlap_experts > 0)
		can |= PARADL_OVERLAP_EXPERTS;
	for (unsigned set = 0; set <= can; ++set) {
		plan.apart = set;
		if (!(set & ~can))
			plans_add(to, &plan);
	}
}

static inline void brute_offload(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	for (plan.offload = 0; plan.offload < 8; ++plan.offload)
		plans_add(to, &plan);
}

/* Of inference: powers of two for each replica. */
static inline void brute_batches(
	struct plans *to, struct paradl_plan plan, const struct paradl_oracle *oracle)
{
	(void)oracle;
	for (unsigned each = 1; each <= 65536; each *= 2) {
		plan.batch = (double)each * plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
		plans_add(to, &plan);
	}
}

static inline void brute_vary(struct plans *plans, brute_choice *choice, const struct paradl_oracle *oracle)
{
	struct plans more = {NULL, 0, 0};
	for (size_t i = 0; i < plans->count; ++i)
		choice(&more, plans->items[i], oracle);
	plans_free(plans);
	*plans = more;
}

/* Degrees of so many devices that some layer can be cut into; what lies beyond cannot run. */
static inline void brute_degrees(
	struct paradl_oracle *oracle, unsigned devices, double batch, struct plans *plans)
{
	struct plans all = {NULL, 0, 0};
	double most[PARADL_AXIS_COUNT];
	oracle_most(oracle, most);
	plans_list(&all, devices, paradl_oracle_dimensions(oracle), oracle_axes(oracle));
	for (size_t i = 0; i < all.count; ++i) {
		struct paradl_plan *plan = &all.items[i];
		struct paradl_estimate estimate;
		bool inside = true;
		plan->batch = batch;
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			inside = inside && (most[axis] <= 0 || plan->degree[axis] <= most[axis]);
		if (inside)
			plans_add(plans, plan);
		else
			assert_false(paradl_estimate(oracle, plan, &estimate, NULL));
	}
	plans_free(&all);
}

/* Those that the training program has; of images it is asked about options only, not about what plans without any need. */
static inline bool brute_offered(const struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	const struct framework_offers *const offers = &oracle->framework->offers;
	const bool stages = plan->degree[PARADL_PIPELINE] > 1;
	char text[128];
	if (oracle->model->tokens)
		return paradl_plan_offered(oracle, plan, text, sizeof text);
	return (plan->schedule == PARADL_SCHEDULE_DEFAULT || offers->schedules >> plan->schedule & 1) &&
	       (plan->recompute == PARADL_RECOMPUTE_DEFAULT || offers->recomputes >> plan->recompute & 1) &&
	       (!plan->zero || (offers->zero >> plan->zero & 1 &&
				       (!stages || offers->zero_with_pipeline >> plan->zero & 1))) &&
	       (!plan->shard || offers->shard) && !(plan->offload & ~offers->offload);
}

static inline void brute_estimate(
	struct paradl_oracle *oracle, const struct plans *plans, struct brute *brute)
{
	brute->rows = realloc(brute->rows, (brute->count + plans->count) * sizeof *brute->rows);
	assert_non_null(brute->rows);
	for (size_t i = 0; i < plans->count; ++i) {
		struct paradl_estimate estimate;
		if (!brute_offered(oracle, &plans->items[i]))
			continue;
		struct brute_row *row = &brute->rows[brute->count++];
		*row = (struct brute_row){.plan = plans->items[i]};
		row->runs = paradl_estimate(oracle, &row->plan, &estimate, NULL);
		if (!row->runs)
			continue;
		++brute->runs;
		row->fits = estimate.fits;
		row->iteration_s = estimate.iteration_s;
		row->cost_per_hour = estimate.cost_per_hour;
		row->token_s = estimate.inference.token_s;
		for (unsigned goal = 0; goal < GOAL_COUNT; ++goal)
			row->value[goal] = paradl_search_value(&estimate, (enum paradl_goal)goal);
	}
}

enum {
	BRUTE_USUAL = ((1u << PARADL_VARY_COUNT) - 1) &
		      ~(1u << PARADL_VARY_OFFLOAD | 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS)
};

/* Does this choice mean something to the network and the question? */
static inline bool brute_varies(const struct paradl_oracle *oracle, enum paradl_vary vary, double batch)
{
	const bool inference = oracle->options.inference;
	if (vary == PARADL_VARY_BATCH)
		return inference && batch <= 0;
	if (vary == PARADL_VARY_CHUNK || vary == PARADL_VARY_SEQS)
		return false; /* settings of engines under a promise or a rate: test_pools.c, sessions */
	if (vary == PARADL_VARY_MICRO)
		return !inference;
	if (vary == PARADL_VARY_EXPERTS || vary == PARADL_VARY_CONTEXT)
		return oracle->model->tokens;
	return vary == PARADL_VARY_ORDER || !inference;
}

/* Adds the plans of one number of devices that all choices of `vary` make. batch 0: of inference, one for each replica. */
static inline void brute_add(
	struct paradl_oracle *oracle, unsigned devices, double batch, unsigned vary, struct brute *brute)
{
	static brute_choice *const choices[PARADL_VARY_COUNT] = {[PARADL_VARY_ORDER] = brute_orders,
		[PARADL_VARY_MICRO] = brute_micros,
		[PARADL_VARY_SCHEDULE] = brute_schedule,
		[PARADL_VARY_RECOMPUTE] = brute_recompute,
		[PARADL_VARY_ZERO] = brute_zero,
		[PARADL_VARY_SHARD] = brute_shard,
		[PARADL_VARY_SEQUENCE] = brute_sequence,
		[PARADL_VARY_EXPERTS] = brute_experts,
		[PARADL_VARY_CONTEXT] = brute_context,
		[PARADL_VARY_OVERLAP] = brute_overlap,
		[PARADL_VARY_OFFLOAD] = brute_offload,
		[PARADL_VARY_BATCH] = brute_batches};
	struct plans plans = {NULL, 0, 0};
	brute_degrees(oracle, devices, batch, &plans);
	for (size_t i = 0; i < plans.count; ++i) {
		struct paradl_plan *plan = &plans.items[i];
		plan->sequence = oracle->model->tokens && !oracle->options.inference &&
				 plan->degree[PARADL_TENSOR] > 1;
		if (batch <= 0)
			plan->batch = plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	}
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		if (vary >> i & 1 && brute_varies(oracle, (enum paradl_vary)i, batch))
			brute_vary(&plans, choices[i], oracle);
	brute_estimate(oracle, &plans, brute);
	plans_free(&plans);
}

static inline void brute_free(struct brute *brute)
{
	free(brute->rows);
	*brute = (struct brute){NULL, 0, 0};
}

#endif

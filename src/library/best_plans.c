/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the best plans for callers of any version of the library, as lists, with figures that stay while estimates grow. */
#include "base/arena.h"
#include "base/error.h"
#include "base/version.h"
#include "paradl/oracle.h"

static double positive(double value)
{
	return value > 0 ? value : -1;
}

static void add_phases(const struct paradl_estimate *estimate, struct paradl_figures *figures)
{
	const double *const phase_s = estimate->phase_s;
	figures->forward_s = phase_s[PARADL_FORWARD];
	figures->backward_s = phase_s[PARADL_BACKWARD];
	figures->recompute_s = phase_s[PARADL_RECOMPUTE];
	figures->weight_update_s = phase_s[PARADL_WEIGHT_UPDATE];
	figures->gradient_exchange_s = phase_s[PARADL_GRADIENT_EXCHANGE];
	figures->activation_exchange_s = phase_s[PARADL_ACTIVATION_EXCHANGE];
	figures->halo_exchange_s = phase_s[PARADL_HALO_EXCHANGE];
	figures->stage_transfer_s = phase_s[PARADL_STAGE_TRANSFER];
	figures->bubble_s = phase_s[PARADL_BUBBLE];
	figures->input_s = estimate->input_known ? phase_s[PARADL_INPUT] : -1;
	figures->compute_s = estimate->compute_s;
	figures->communication_s = estimate->communication_s;
	figures->exposed_communication_s = estimate->exposed_communication_s;
	figures->waiting_s = estimate->waiting_s;
}

static void add_memory(const struct paradl_estimate *estimate, struct paradl_figures *figures)
{
	const struct paradl_memory *const memory = &estimate->memory;
	figures->memory_bytes = estimate->memory_bytes;
	figures->memory_capacity_bytes = estimate->capacity_bytes;
	figures->weights_bytes = memory->weights_bytes;
	figures->gradients_bytes = memory->gradients_bytes;
	figures->optimizer_bytes = memory->optimizer_bytes;
	figures->activations_bytes = memory->activations_bytes;
	figures->logits_bytes = memory->logits_bytes;
	figures->workspace_bytes = memory->workspace_bytes;
	figures->communication_bytes = memory->communication_bytes;
	figures->context_bytes = memory->context_bytes;
	figures->fragmentation_bytes = memory->fragmentation_bytes;
	figures->cache_bytes = memory->cache_bytes;
	figures->feasible = estimate->fits;
}

/* Fills a caller's figures with those of an estimate. */
static void figures_fill(const struct paradl_estimate *estimate, struct paradl_figures *figures)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const bool generates = inference->output_tokens > 0;
	struct paradl_figures ours = {
		.devices = estimate->devices,
		.batch = estimate->plan.batch,
		.local_batch = estimate->local_batch,
		.micro_batches = estimate->micro_batches,
		.iteration_s = estimate->iteration_s,
		.epoch_s = positive(estimate->epoch_s),
		.error_share = estimate->error_share,
		.samples_per_s = estimate->samples_per_s,
		.flop_per_s_per_device = estimate->flop_per_s_per_device,
		.mfu = estimate->mfu,
		.power_watt = estimate->watt,
		.cost_per_hour = estimate->cost_per_hour,
		.energy_joule_per_epoch = estimate->energy_joule_per_epoch,
		.cost_per_epoch = estimate->cost_per_epoch,
		.prompts_s = generates ? inference->prompts_s : -1,
		.token_s = generates ? inference->token_s : -1,
		.tokens_per_s = generates ? inference->tokens_per_s : -1,
		.limited_share = estimate->limited_by.share,
		.limited_by = estimate->limited_by.text,
		.limited_improve = estimate->limited_by.improve,
		.uneven = estimate->uneven,
	};
	add_phases(estimate, &ours);
	add_memory(estimate, &ours);
	sized_write(figures, sizeof ours, &ours, sizeof ours);
}

bool paradl_figures(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_figures *figures, struct paradl_error *error)
{
	struct paradl_estimate estimate;
	if (!oracle || !plan)
		return false;
	struct paradl_plan asked = *plan;
	if (!(asked.batch > 0))
		asked.batch = paradl_plan_batch(oracle, plan);
	if (!paradl_estimate(oracle, &asked, &estimate, error))
		return false;
	figures_fill(&estimate, figures);
	return true;
}

struct paradl_plans {
	const struct paradl_estimate *results;
	size_t count;
	const struct paradl_infeasible *refused;
	size_t refused_count;
};

const struct paradl_plans *paradl_rank(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_request ours;
	struct paradl_ranking ranking;
	if (!oracle || !sized_read(&ours, sizeof ours, sizeof ours, request, error) ||
		!paradl_advise(oracle, &ours, PARADL_RANKED_ALL, arena, &ranking, error))
		return NULL;
	struct paradl_plans *const plans = arena_alloc(arena, 1, sizeof *plans);
	if (!plans)
		return out_of_memory_null(error);
	*plans = (struct paradl_plans){.results = ranking.results,
		.count = ranking.count,
		.refused = ranking.infeasible,
		.refused_count = ranking.infeasible_count};
	return plans;
}

const struct paradl_plans *paradl_best(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_request ours;
	struct paradl_search search;
	if (!oracle || !sized_read(&ours, sizeof ours, sizeof ours, request, error))
		return NULL;
	const struct paradl_search_request wanted = {.devices = &ours.devices,
		.device_count = 1,
		.batch = ours.batch,
		.per_device = ours.per_device,
		.micro = ours.micro,
		.goal = ours.goal,
		.strategies = ours.strategies,
		.options = ours.options,
		.promise = ours.promise};
	struct paradl_plans *const plans = arena_alloc(arena, 1, sizeof *plans);
	struct paradl_infeasible *const closest = arena_alloc(arena, 1, sizeof *closest);
	if (!plans || !closest)
		return out_of_memory_null(error);
	if (!paradl_search(oracle, &wanted, arena, &search, error))
		return NULL;
	*closest = search.closest;
	*plans = (struct paradl_plans){.results = search.results,
		.count = search.count,
		.refused = closest,
		.refused_count = search.count == 0};
	return plans;
}

size_t paradl_plans_count(const struct paradl_plans *plans)
{
	return plans ? plans->count : 0;
}

const struct paradl_plan *paradl_plans_at(
	const struct paradl_plans *plans, size_t index, struct paradl_figures *figures)
{
	if (index >= paradl_plans_count(plans))
		return NULL;
	if (figures)
		figures_fill(&plans->results[index], figures);
	return &plans->results[index].plan;
}

const char *paradl_plans_refused(
	const struct paradl_plans *plans, size_t index, const char **strategy, const char **needs)
{
	if (!plans || index >= plans->refused_count)
		return NULL;
	const struct paradl_infeasible *const refused = &plans->refused[index];
	if (strategy)
		*strategy = refused->strategy;
	if (needs)
		*needs = refused->needs;
	return refused->reason;
}

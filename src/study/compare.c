/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file compares models on machines, side by side. For each pair it finds the best plan of its number of devices,
 * the amounts of all samples with that plan, how far off these may be, and who is first. Times are those of the
 * steps; checkpoints and failures are paradl_run()'s. With inference, times are those of a request, and cost and
 * energy those of a million tokens or samples answered.
 */
#include "study/studies.h"

#include <stdio.h>

#include "base/error.h"

enum { MILLION = 1000000 };

static void reason_set(struct paradl_compare_cell *cell, const char *reason)
{
	snprintf(cell->reason, sizeof cell->reason, "%.*s", (int)sizeof cell->reason - 1, reason);
}

static struct paradl_range range_scaled(const struct paradl_range *range, double factor)
{
	if (range->value < 0)
		return (struct paradl_range){-1, -1, -1};
	return (struct paradl_range){range->value * factor, range->low * factor, range->high * factor};
}

/*
 * Returns the factor from an amount of an iteration, or of a token, to that of the job; costs are multiplied by the
 * machine's rate.
 */
static double factor_of(
	const struct compare *compare, const struct paradl_compare_cell *cell, unsigned amount)
{
	const struct paradl_compare_request *const request = compare->request;
	const double rate = request->rates[cell->machine],
		     money = amount == PARADL_AMOUNT_COST && rate > 0 ? rate : 1;
	if (!request->samples)
		return amount == PARADL_AMOUNT_COST || amount == PARADL_AMOUNT_ENERGY ? MILLION * money : 1;
	return request->samples[cell->model] / cell->estimate.plan.batch * money;
}

/* Fills the amounts, with their ranges. */
static void amounts_fill(const struct compare *compare, struct paradl_compare_cell *cell)
{
	for (unsigned i = 0; i < PARADL_AMOUNT_COUNT; ++i)
		cell->amounts[i] = range_scaled(&cell->uncertainty.amounts[i], factor_of(compare, cell, i));
	cell->cost_compares = cell->estimate.cost_per_hour >= 0 && compare->request->rates[cell->machine] > 0;
}

bool compare_fill(struct compare *compare, struct paradl_compare_cell *cell, unsigned devices)
{
	struct paradl_oracle *const oracle = compare_oracle(compare, cell);
	struct paradl_ranking ranking = {0};
	cell->devices = devices;
	cell->runs = false;
	cell->reason[0] = '\0';
	if (!oracle) {
		reason_set(cell, "the machine does not compute in this number format");
		return true;
	}
	if (devices > oracle->machine->devices) {
		reason_set(cell, "the machine has fewer GPUs");
		return true;
	}
	const struct paradl_request request = {.devices = devices,
		.batch = compare->request->batch,
		.per_device = compare->request->per_device,
		.strategies = compare->request->strategies,
		.options = compare->request->options,
		.promise = compare->request->promise};
	if (!paradl_advise(oracle, &request, compare->arena, &ranking, compare->error))
		return false;
	if (ranking.count == 0) {
		reason_set(cell, ranking.infeasible_count ? ranking.infeasible[0].reason : "no plan runs");
		return true;
	}
	cell->estimate = ranking.results[0];
	cell->runs = true;
	cell->best_by = ranking.goal == PARADL_THROUGHPUT ? PARADL_AMOUNT_WORK : PARADL_AMOUNT_TIME;
	amounts_exactly(&cell->estimate, cell->uncertainty.amounts);
	amounts_fill(compare, cell);
	return true;
}

bool compare_uncertainty(struct compare *compare, struct paradl_compare_cell *cell)
{
	struct paradl_study **const study =
		&compare->studies[cell->model * compare->request->machine_count + cell->machine];
	if (!*study)
		*study = paradl_study_create(compare->arena, compare_oracle(compare, cell), compare->error);
	if (!*study || !paradl_uncertainty(*study, &cell->estimate, &cell->uncertainty, compare->error))
		return false;
	amounts_fill(compare, cell);
	return true;
}

static bool request_holds(const struct paradl_compare_request *request, struct paradl_error *error)
{
	const bool chooses = request->deadline_s > 0 || request->budget > 0;
	if (!request->model_count || !request->machine_count)
		return error_set(error, PARADL_USAGE, "a comparison needs a model and a machine");
	if (chooses == (request->device_count > 0))
		return error_set(error, PARADL_USAGE,
			"a comparison needs numbers of devices, or a deadline or budget that chooses them");
	if (!request->samples && chooses)
		return error_set(error, PARADL_USAGE, "deadlines and budgets are of whole trainings");
	for (size_t i = 0; request->samples && i < request->model_count; ++i)
		if (!(request->samples[i] > 0))
			return error_set(error, PARADL_USAGE, "model %zu has no number of samples", i + 1);
	return true;
}

static bool cells_fill(struct compare *compare)
{
	const struct paradl_compare_request *const request = compare->request;
	const size_t count = request->model_count * compare->device_count * request->machine_count;
	for (size_t i = 0; i < count; ++i) {
		struct paradl_compare_cell *const cell = &compare->cells[i];
		const size_t question = i / request->machine_count;
		*cell = (struct paradl_compare_cell){
			.machine = i % request->machine_count, .model = question / compare->device_count};
		const bool filled = request->device_count
					    ? compare_fill(compare, cell,
						      request->devices[question % compare->device_count])
					    : compare_choose(compare, cell);
		if (!filled || (cell->runs && !compare_uncertainty(compare, cell)))
			return false;
	}
	return true;
}

bool paradl_compare(const struct paradl_compare_request *request, struct paradl_arena *arena,
	struct paradl_comparison *comparison, struct paradl_error *error)
{
	struct compare compare = {.request = request,
		.arena = arena,
		.device_count = request->device_count ? request->device_count : 1,
		.error = error};
	if (!request_holds(request, error))
		return false;
	const size_t pairs = request->model_count * request->machine_count;
	struct paradl_compare_crossing *const crossings =
		arena_alloc(arena, request->model_count * (compare.device_count + 1), sizeof *crossings);
	compare.studies = arena_alloc(arena, pairs, sizeof(struct paradl_study *));
	compare.cells = arena_alloc(arena, pairs * compare.device_count, sizeof *compare.cells);
	if (!compare.studies || !compare.cells || !crossings)
		return out_of_memory(error);
	for (size_t i = 0; i < pairs; ++i)
		compare.studies[i] = NULL;
	if (!cells_fill(&compare))
		return false;
	compare_rank(&compare);
	*comparison = (struct paradl_comparison){.cells = compare.cells,
		.model_count = request->model_count,
		.device_count = compare.device_count,
		.machine_count = request->machine_count,
		.crossings = crossings,
		.crossing_count = compare_crossings(&compare, crossings)};
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file compares models on machines, side by side. For each pair it finds the best plan of its number of devices,
 * the amounts of all samples with that plan, how far off these may be, and who is first. Where a job is asked about, its
 * amounts are those of paradl_run(), with checkpoints and failures. With inference, times are those of a request, and
 * cost and energy those of a million tokens or samples answered.
 *
 * One machine is before another where its whole range is; those whose ranges overlap are equal.
 */
#include <stdio.h>

#include "base/error.h"
#include "study/studies.h"

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

/* Returns an amount of the whole training with checkpoints and failures; negative: not known. */
static double amount_of_run(const struct paradl_run *run, unsigned amount)
{
	return amount == PARADL_AMOUNT_TIME     ? run->time_s
	       : amount == PARADL_AMOUNT_COST   ? run->cost
	       : amount == PARADL_AMOUNT_ENERGY ? run->energy_joule
						: -1;
}

/*
 * Returns the factor from an amount of an iteration, or of a token, to that of the job; costs are multiplied by the
 * machine's rate. Ranges are multiplied likewise: each second of steps has its share of checkpoints and failures.
 */
static double factor_of(
	const struct compare *compare, const struct paradl_compare_cell *cell, unsigned amount)
{
	const struct paradl_compare_request *const request = compare->request;
	const double rate = request->rates[cell->machine],
		     money = amount == PARADL_AMOUNT_COST && rate > 0 ? rate : 1;
	if (!request->samples)
		return amount == PARADL_AMOUNT_COST || amount == PARADL_AMOUNT_ENERGY ? MILLION * money : 1;
	const double whole = request->job ? amount_of_run(&cell->run, amount) : -1,
		     one = cell->uncertainty.amounts[amount].value;
	if (whole >= 0 && one > 0)
		return whole / one * money;
	return request->samples[cell->model] / cell->estimate.plan.batch * money;
}

/* Fills the amounts, with their ranges. */
static void amounts_fill(const struct compare *compare, struct paradl_compare_cell *cell)
{
	for (unsigned i = 0; i < PARADL_AMOUNT_COUNT; ++i)
		cell->amounts[i] = range_scaled(&cell->uncertainty.amounts[i], factor_of(compare, cell, i));
	cell->cost_compares = cell->estimate.cost_per_hour >= 0 && compare->request->rates[cell->machine] > 0;
}

/* Fills the whole training with the cell's plan. False: it never ends, and the cell says so. */
static bool run_fill(const struct compare *compare, struct paradl_compare_cell *cell)
{
	if (!compare->request->samples || !compare->request->job)
		return true;
	struct paradl_run_request job = *compare->request->job;
	job.without = compare->without;
	job.samples = compare->request->samples[cell->model];
	job.limit_s = compare->request->deadline_s;
	paradl_run(compare_oracle(compare, cell), &cell->estimate, &job, &cell->run);
	if (!cell->run.possible)
		reason_set(cell, "it never ends: more fails than is done between two failures");
	return cell->run.possible;
}

/* Returns what one of the machines does not say, so that checkpoints and failures are left out of all; or NULL. */
static const char *without_of(const struct paradl_compare_request *request)
{
	const char *lacking = NULL;
	for (size_t i = 0; request->job && !lacking && i < request->model_count * request->machine_count; ++i)
		if (request->oracles[i])
			lacking = paradl_run_lacking(request->oracles[i], request->job);
	return lacking;
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
	const double sequence = paradl_model_info(oracle->model).sequence,
		     tokens = compare->request->batch_tokens;
	if (tokens > 0 && !(sequence > 0)) {
		reason_set(cell, "a sample has no tokens, in which the batch is given");
		return true;
	}
	const struct paradl_request request = {.devices = devices,
		.batch = tokens > 0 ? paradl_token_samples(tokens, sequence) : compare->request->batch,
		.per_device = compare->request->per_device,
		.strategies = compare->request->strategies,
		.options = compare->request->options,
		.promise = compare->request->promise};
	if (!paradl_advise(oracle, &request, PARADL_RANKED_FIRST, compare->arena, &ranking, compare->error))
		return false;
	if (ranking.count == 0) {
		reason_set(cell, ranking.infeasible_count ? ranking.infeasible[0].reason : "no plan runs");
		return true;
	}
	cell->estimate = ranking.results[0];
	cell->runs = run_fill(compare, cell);
	if (!cell->runs)
		return true;
	cell->best_by = ranking.goal == PARADL_THROUGHPUT ? PARADL_AMOUNT_WORK : PARADL_AMOUNT_TIME;
	amounts_exactly(&cell->estimate, cell->uncertainty.amounts);
	amounts_fill(compare, cell);
	return true;
}

/* Fills the ranges of a cell's amounts: how far off they may be. False: error is set. */
static bool compare_uncertainty(struct compare *compare, struct paradl_compare_cell *cell)
{
	struct paradl_oracle *oracle = compare_oracle(compare, cell);
	struct paradl_study *own = NULL, **study = &own;
	if (oracle_chooses_readers(oracle) &&
		cell->estimate.inference.prefill) /* each plan has its own readers */
		oracle = oracle_with_readers(
			oracle, cell->estimate.inference.prefill, compare->arena, compare->error);
	else
		study = &compare->studies[cell->model * compare->request->machine_count + cell->machine];
	if (oracle && !*study)
		*study = paradl_study_create(compare->arena, oracle, compare->error);
	if (!*study || !paradl_uncertainty(*study, &cell->estimate, &cell->uncertainty, compare->error))
		return false;
	amounts_fill(compare, cell);
	return true;
}

bool paradl_range_before(const struct paradl_range *one, const struct paradl_range *other)
{
	return one->high < other->low;
}

static const struct paradl_range *amount_of(const struct paradl_compare_cell *cell, unsigned amount)
{
	const struct paradl_range *const range = &cell->amounts[amount];
	if (!cell->runs || range->value < 0 || (amount == PARADL_AMOUNT_COST && !cell->cost_compares))
		return NULL;
	return range;
}

/* Returns the rank of a cell, one more than there are cells before it; 0: not known. */
static unsigned rank_of(const struct paradl_compare_cell *cells, size_t count, size_t which, unsigned amount)
{
	const struct paradl_range *const mine = amount_of(&cells[which], amount);
	unsigned before = 0;
	for (size_t i = 0; mine && i < count; ++i) {
		const struct paradl_range *const other = amount_of(&cells[i], amount);
		before += other && paradl_range_before(other, mine);
	}
	return mine ? before + 1 : 0;
}

/* Fills the ranks of the cells of each question. */
static void compare_rank(struct compare *compare)
{
	const size_t machines = compare->request->machine_count;
	for (size_t model = 0; model < compare->request->model_count; ++model)
		for (size_t k = 0; k < compare->device_count; ++k) {
			struct paradl_compare_cell *const cells = compare_cells(compare, model, k);
			for (size_t i = 0; i < machines; ++i)
				for (unsigned amount = 0; amount < PARADL_AMOUNT_COUNT; ++amount)
					cells[i].ranks[amount] = rank_of(cells, machines, i, amount);
		}
}

static double best_value(const struct paradl_compare_cell *cell)
{
	return cell->amounts[cell->best_by].value;
}

/*
 * Returns the cell with the least of the amount that plans were chosen by, whatever the ranges say; `count`: none
 * runs.
 */
static size_t fastest(const struct paradl_compare_cell *cells, size_t count)
{
	size_t best = count;
	for (size_t i = 0; i < count; ++i)
		if (cells[i].runs && (best == count || best_value(&cells[i]) < best_value(&cells[best])))
			best = i;
	return best;
}

static bool is_before(const struct paradl_compare_cell *a, const struct paradl_compare_cell *b)
{
	return a->runs && b->runs && paradl_range_before(&a->amounts[a->best_by], &b->amounts[b->best_by]);
}

static bool crossing_between(const struct compare *compare, const struct paradl_compare_cell *before,
	const struct paradl_compare_cell *after, struct paradl_compare_crossing *crossing)
{
	const size_t machines = compare->request->machine_count;
	const size_t from = fastest(before, machines), to = fastest(after, machines);
	if (from == machines || to == machines || from == to || !before[to].runs || !after[from].runs)
		return false;
	*crossing = (struct paradl_compare_crossing){.model = after->model,
		.before = before->model == after->model ? before->devices : 0,
		.devices = after->devices,
		.from = from,
		.to = to,
		.clear = is_before(&before[from], &before[to]) && is_before(&after[to], &after[from])};
	return true;
}

static size_t compare_crossings(const struct compare *compare, struct paradl_compare_crossing *crossings)
{
	size_t count = 0;
	for (size_t model = 0; model < compare->request->model_count; ++model) {
		for (size_t k = 1; k < compare->device_count; ++k)
			count += crossing_between(compare, compare_cells(compare, model, k - 1),
				compare_cells(compare, model, k), &crossings[count]);
		if (model > 0)
			count += crossing_between(compare,
				compare_cells(compare, model - 1, compare->device_count - 1),
				compare_cells(compare, model, compare->device_count - 1), &crossings[count]);
	}
	return count;
}

/* Returns whether requests come at a rate, which says what is enough: then no number of devices need be given. */
static bool has_rate(const struct paradl_compare_request *request)
{
	bool rate = !request->samples;
	for (size_t i = 0; i < request->model_count * request->machine_count; ++i)
		rate = rate && (!request->oracles[i] || paradl_oracle_rate(request->oracles[i]) > 0);
	return rate;
}

static bool request_holds(const struct paradl_compare_request *request, struct paradl_error *error)
{
	const bool chooses = request->deadline_s > 0 || request->budget > 0;
	if (!request->model_count || !request->machine_count)
		return error_set(error, PARADL_USAGE, "a comparison needs a model and a machine");
	if (chooses == (request->device_count > 0) && !(has_rate(request) && !chooses))
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
	compare.without = without_of(request);
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

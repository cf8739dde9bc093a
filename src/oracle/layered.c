/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each layer may have a plan of its own. Every plan that occurs is evaluated once, as if the whole network had it; a
 * layer then costs what it costs under its own plan. Between layers with different plans tensors are dealt out again
 * (redistribute.c). With the same plan everywhere all is as paradl_estimate has it.
 */
#include "oracle/layered.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

bool layer_plan_peek(struct layer_plan *layer_plan, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error)
{
	struct evaluation *evaluation = &layer_plan->evaluation;
	if (!evaluation_begin(evaluation, oracle, plan, micro_batches, error))
		return false;
	unit_costs_fill(evaluation);
	layer_plan->net = *evaluation->net;
	evaluation->net = &layer_plan->net;
	return true;
}

bool layer_plan_begin(struct layer_plan *layer_plan, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_arena *arena,
	struct paradl_error *error)
{
	if (!layer_plan_peek(layer_plan, oracle, plan, micro_batches, error))
		return false;
	const size_t layers = layer_plan->net.model->layer_count,
		     units = (size_t)2 * layer_plan->net.classes->count;
	struct layer_cost *costs = arena_alloc(arena, layers, sizeof *costs);
	struct stage *unit_costs = arena_alloc(arena, units, sizeof *unit_costs);
	if (!costs || !unit_costs)
		return out_of_memory(error);
	memcpy(costs, layer_plan->net.costs, layers * sizeof *costs);
	memcpy(unit_costs, layer_plan->net.classes->costs, units * sizeof *unit_costs);
	layer_plan->classes = *layer_plan->net.classes;
	layer_plan->classes.costs = unit_costs;
	layer_plan->net.costs = costs;
	layer_plan->net.classes = &layer_plan->classes;
	return true;
}

bool layer_plan_runs(
	const struct layer_plan *layer_plan, unsigned first, unsigned end, struct paradl_error *error)
{
	while (first < end && layer_feasible(&layer_plan->evaluation, layer_plan->net.model->order[first]))
		++first;
	if (first == end || !error)
		return first == end;
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(&layer_plan->evaluation.plan, text, sizeof text);
	return error_set(error, PARADL_INFEASIBLE, "%s cannot be cut as %s says",
		layer_plan->net.model->names[first], text);
}

unsigned unit_at(const struct paradl_model *model, unsigned position)
{
	unsigned low = 0, high = model->unit_count - 1;
	while (low < high) {
		const unsigned middle = (low + high) / 2;
		if (model->units[middle].end > position)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void unit_add(
	const struct layer_plan *layer_plan, unsigned unit, unsigned first, unsigned end, double *term)
{
	const struct paradl_model *model = layer_plan->net.model;
	const struct unit_classes *classes = layer_plan->net.classes;
	const unsigned begins = model->units[unit].first, ends = model->units[unit].end;
	struct stage cost;
	if (begins >= first && ends <= end) {
		stage_terms_add(&classes->costs[classes->of_unit[unit]], 1, term);
		return;
	}
	for (unsigned i = begins > first ? begins : first; i < ends && i < end; ++i) {
		layer_unit_cost(&layer_plan->evaluation, model->order[i], &cost);
		if (layer_plan->evaluation.recompute > PARADL_RECOMPUTE_NONE)
			cost.term[STAGE_KEPT] = 0; /* it is the whole unit's */
		stage_terms_add(&cost, 1, term);
	}
}

void layer_plan_add(const struct layer_plan *layer_plan, unsigned first, unsigned end, double *term)
{
	const struct paradl_model *model = layer_plan->net.model;
	for (unsigned u = unit_at(model, first); u < model->unit_count && model->units[u].first < end; ++u)
		unit_add(layer_plan, u, first, end, term);
}

/* Returns the micro-batches of an iteration when nobody says: of the plan with the fewest samples for each replica. */
static double layer_plans_micro_batches(
	const struct paradl_oracle *oracle, const struct paradl_plan *plans, size_t count, double batch)
{
	double least = HUGE_VAL;
	for (size_t i = 0; i < count; ++i) {
		const double replicas = (double)plans[i].degree[PARADL_DATA] * plans[i].degree[PARADL_EXPERT];
		least = fmin(least, share(batch, replicas, false));
	}
	return usual_micro_batches(oracle, plans[0].degree[PARADL_PIPELINE], least);
}

bool layered_possible(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	if (oracle->rules.ideal || oracle->options.inference)
		return error_set(error, PARADL_USAGE, "%s has one plan for all layers",
			oracle->rules.ideal ? "the ideal model" : "inference");
	return true;
}

static bool whole_holds(
	const struct paradl_oracle *oracle, const struct paradl_layered *layered, struct paradl_error *error)
{
	if (!layered_possible(oracle, error))
		return false;
	if (layered->stages < 1 || layered->stages > oracle->model->unit_count ||
		layered->devices % layered->stages)
		return error_set(error, PARADL_USAGE,
			"%u stages are not for %u devices and %u units that a pipeline can be cut between",
			layered->stages, layered->devices, oracle->model->unit_count);
	if (layered->schedule == PARADL_INTERLEAVED || layered->schedule == PARADL_ZERO_BUBBLE_V)
		return error_set(error, PARADL_USAGE,
			"plans of parts have one stage on each device, and no schedule with more");
	if (layered->part_count < 1 || !layered->parts)
		return error_set(error, PARADL_USAGE, "a plan for each layer has at least one part");
	return true;
}

/* Returns whether a unit ends before this position. */
static bool unit_begins(const struct paradl_model *model, unsigned position)
{
	return position == model->order_count || model->units[unit_at(model, position)].first == position;
}

static bool part_holds(const struct paradl_oracle *oracle, const struct paradl_layered *layered, size_t i,
	struct paradl_error *error)
{
	const struct paradl_layered_part *part = &layered->parts[i];
	const struct paradl_model *model = oracle->model;
	const unsigned first = i ? layered->parts[i - 1].end : 0;
	if (part->first != first || part->end <= first || part->end > model->order_count ||
		(i + 1 == layered->part_count && part->end != model->order_count))
		return error_set(error, PARADL_USAGE,
			"part %zu is of layers %u to %u of %u: parts cover every layer once, in order", i + 1,
			part->first + 1, part->end, model->order_count);
	const bool ends_stage = i + 1 < layered->part_count && layered->parts[i + 1].stage != part->stage;
	if (part->plan.recompute > PARADL_RECOMPUTE_NONE && !model->tokens &&
		!(unit_begins(model, part->first) && unit_begins(model, part->end)))
		return error_set(error, PARADL_USAGE,
			"part %zu recomputes: such a part begins and ends where no branch is open", i + 1);
	if ((model->tokens || ends_stage) && !unit_begins(model, part->end))
		return error_set(error, PARADL_USAGE, "part %zu ends after %s: %s", i + 1,
			model->names[part->end - 1],
			model->tokens ? "in a network of tokens, parts end where blocks do"
				      : "stages end where no branch is open");
	const double devices = paradl_plan_devices(&part->plan);
	const unsigned wanted = layered->devices / layered->stages;
	if (part->plan.degree[PARADL_PIPELINE] > 1 || devices > wanted || devices < wanted)
		return error_set(error, PARADL_USAGE,
			"part %zu uses %.0f devices: each part uses all %u%s, and none along pipeline", i + 1,
			devices, wanted, layered->stages > 1 ? " of its stage" : "");
	const unsigned before = i ? layered->parts[i - 1].stage : 1;
	if (part->stage < before || part->stage > before + (i > 0) ||
		(i + 1 == layered->part_count && part->stage != layered->stages))
		return error_set(error, PARADL_USAGE,
			"part %zu is of stage %u of %u: stages come in order, and each has a part", i + 1,
			part->stage, layered->stages);
	return true;
}

void stage_plan_set(struct paradl_plan *plan, unsigned stages)
{
	unsigned at = 0;
	while (plan->order[at] != PARADL_PIPELINE)
		++at;
	for (; at > 0; --at)
		plan->order[at] = plan->order[at - 1];
	plan->order[0] = PARADL_PIPELINE;
	plan->degree[PARADL_PIPELINE] = stages;
}

/* Returns the place of the part's plan among the run's plans, and adds it if it is new; plans: room for all parts. */
static unsigned plan_add(
	const struct paradl_layered *layered, size_t part, struct paradl_plan *plans, unsigned *count)
{
	struct paradl_plan plan = layered->parts[part].plan;
	plan.batch = layered->batch;
	plan.micro = 0;
	plan.schedule = PARADL_SCHEDULE_DEFAULT;
	if (layered->stages > 1) {
		stage_plan_set(&plan, layered->stages);
		plan.schedule = layered->schedule;
	}
	unsigned layer_plan = 0;
	while (layer_plan < *count && !plans_alike(&plan, &plans[layer_plan]))
		++layer_plan;
	if (layer_plan == *count)
		plans[(*count)++] = plan;
	return layer_plan;
}

static bool moves_find(struct layered_run *run, struct paradl_error *error)
{
	const struct paradl_model *model = run->model;
	struct redistributor movers = {.arena = NULL};
	unsigned count = 0;
	for (unsigned i = 0; i < model->order_count; ++i)
		count += model->reads[i].count;
	run->moves = arena_alloc(run->arena, count, sizeof *run->moves);
	if (!run->moves)
		return out_of_memory(error);
	for (unsigned i = 0; i < model->order_count; ++i)
		for (unsigned k = 0; k < model->reads[i].count; ++k) {
			const int from = model->reads[i].positions[k];
			struct redistribution *move = &run->moves[run->move_count];
			const bool again = model->tokens && run->move_count > 0 &&
					   move[-1].from == (unsigned)from; /* a block reads once */
			if (from == READS_INPUT || run->plan_of[from] == run->plan_of[i] || again)
				continue;
			if (!redistribute(&run->layer_plans[run->plan_of[from]], (unsigned)from,
				    &run->layer_plans[run->plan_of[i]], i, &movers, move, error))
				return false;
			run->move_count += move->copy_items > 0; /* else both have the same layout */
		}
	return true;
}

bool layered_begin(struct layered_run *run, struct paradl_oracle *oracle,
	const struct paradl_layered *layered, struct paradl_arena *arena, struct paradl_error *error)
{
	const unsigned positions = oracle->model->order_count;
	*run = (struct layered_run){.model = oracle->model, .arena = arena};
	if (!whole_holds(oracle, layered, error))
		return false;
	struct paradl_plan *plans = arena_alloc(arena, layered->part_count, sizeof *plans);
	run->plan_of = arena_alloc(arena, positions, sizeof *run->plan_of);
	run->stage_of = arena_alloc(arena, positions, sizeof *run->stage_of);
	if (!plans || !run->plan_of || !run->stage_of)
		return out_of_memory(error);
	for (size_t i = 0; i < layered->part_count; ++i) {
		if (!part_holds(oracle, layered, i, error))
			return false;
		const unsigned layer_plan = plan_add(layered, i, plans, &run->layer_plan_count);
		const struct paradl_plan *plan =
			&plans[layer_plan]; /* some options belong to the whole step */
		if (plan->offload != plans->offload || plan->apart != plans->apart || plan->recompute_blocks)
			return error_set(error, PARADL_USAGE,
				"part %zu: offload and overlap are the same in all parts, and recompute is "
				"of whole parts",
				i + 1);
		for (unsigned p = layered->parts[i].first; p < layered->parts[i].end; ++p) {
			run->plan_of[p] = layer_plan;
			run->stage_of[p] = layered->parts[i].stage - 1;
		}
	}
	double micro_batches = layered->micro_batches;
	if (!(micro_batches > 0))
		micro_batches =
			layer_plans_micro_batches(oracle, plans, run->layer_plan_count, layered->batch);
	run->layer_plans = arena_alloc(arena, run->layer_plan_count, sizeof *run->layer_plans);
	if (!run->layer_plans)
		return out_of_memory(error);
	for (unsigned i = 0; i < run->layer_plan_count; ++i)
		if (!layer_plan_begin(&run->layer_plans[i], oracle, &plans[i], micro_batches, arena, error))
			return false;
	for (unsigned first = 0, end; first < positions; first = end) {
		end = run_end(run, first);
		if (!layer_plan_runs(&run->layer_plans[run->plan_of[first]], first, end, error))
			return false;
	}
	return moves_find(run, error);
}

bool layer_plan_estimate(
	struct layer_plan *layer_plan, struct paradl_arena *arena, struct paradl_estimate *estimate)
{
	const unsigned positions = layer_plan->net.model->order_count;
	unsigned *none = arena_alloc(arena, positions, sizeof *none);
	const struct layered_run run = {.arena = arena,
		.layer_plans = layer_plan,
		.layer_plan_count = 1,
		.plan_of = none,
		.stage_of = none,
		.model = layer_plan->net.model};
	return none && layer_plan_runs(layer_plan, 0, positions, NULL) &&
	       layered_estimate(&run, estimate, NULL);
}

bool paradl_estimate_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct paradl_arena *const scratch = paradl_arena_create();
	struct layered_run run;
	*estimate = (struct paradl_estimate){0};
	if (!scratch)
		return out_of_memory(error);
	const bool done = layered_begin(&run, oracle, layered, scratch, error) &&
			  layered_estimate(&run, estimate, error);
	paradl_arena_free(scratch);
	return done;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file costs the stages of a pipeline, made of consecutive units, under each way; each kind of stage is costed
 * once. Exchanges of weights and the update come once in an iteration: each micro-batch is charged a share of them,
 * as if all of them waited for the slowest stage.
 */
#include "base/error.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"
#include "search/layer_plans.h"

/* Returns whether the units [first, end) are as many of one class as the units one position before them. */
static bool repeats(const struct unit_classes *classes, unsigned first, unsigned end)
{
	return first > 0 && classes->run_end[first - 1] >= end;
}

/* Returns the seconds of weight exchanges that are not overlapped, and of the update, in an iteration. */
static double once_s(const struct evaluation *evaluation, const double *term)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	const struct replica_times times = device_exchange(evaluation, 0, term);
	return (1 - overlaps.gradients) * times.gradients_s + (1 - overlaps.gathers) * times.weights_s +
	       evaluation->micro_batches * (1 - overlaps.shards) * times.each_s +
	       training_update_s(evaluation, term[STAGE_WEIGHTS], device_owned(evaluation, 0, term),
		       term[STAGE_UPDATE_S]);
}

static void cell_fill(const struct layer_plan *layer_plan, unsigned first, unsigned end, size_t cell,
	struct stage_table *table)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct unit_classes *classes = layer_plan->net.classes;
	const double lost = 1 + evaluation->oracle->rules.fragmentation;
	struct stage stage = {.first = first, .end = end};
	struct stage_work work;
	for (unsigned unit = first, next; unit < end; unit = next) {
		next = classes->run_end[unit] < end ? classes->run_end[unit] : end;
		stage_terms_add(&classes->costs[classes->of_unit[unit]], next - unit, stage.term);
	}
	const double *term = stage.term;
	stage_work_fill(evaluation, &stage, &work);
	table->cost_s[cell] = work.total_s[PASS_FORWARD] + work.total_s[PASS_BACKWARD] +
			      once_s(evaluation, term) / evaluation->micro_batches;
	table->always_bytes[cell] =
		training_states_bytes(evaluation, term) +
		lost * evaluation->item_bytes * (term[STAGE_WORKING] + term[STAGE_BUFFERS]);
	table->held_bytes[cell] = lost * evaluation->item_bytes * term[STAGE_KEPT];
}

bool stage_table_make(const struct layer_plan *layer_plans, unsigned layer_plan_count,
	struct paradl_arena *arena, struct stage_table *table, struct paradl_error *error)
{
	const unsigned units = layer_plans[0].net.model->unit_count;
	const struct unit_classes *classes = layer_plans[0].net.classes;
	*table = (struct stage_table){.units = units,
		.layer_plan_count = layer_plan_count,
		.shape_of = arena_alloc(arena, (size_t)units * (units + 1), sizeof *table->shape_of)};
	for (unsigned first = 0; table->shape_of && first < units; ++first)
		for (unsigned end = first + 1; end <= units; ++end)
			table->shape_of[first * (units + 1) + end] =
				repeats(classes, first, end)
					? table->shape_of[(first - 1) * (units + 1) + end - 1]
					: table->shape_count++;
	const size_t cells = (size_t)table->shape_count * layer_plan_count;
	table->cost_s = arena_alloc(arena, cells, sizeof *table->cost_s);
	table->always_bytes = arena_alloc(arena, cells, sizeof *table->always_bytes);
	table->held_bytes = arena_alloc(arena, cells, sizeof *table->held_bytes);
	if (!table->shape_of || !table->cost_s || !table->always_bytes || !table->held_bytes)
		return out_of_memory(error);
	for (unsigned first = 0; first < units; ++first)
		for (unsigned end = first + 1; end <= units; ++end)
			for (unsigned w = 0; !repeats(classes, first, end) && w < layer_plan_count; ++w) {
				const size_t shape = table->shape_of[first * (units + 1) + end];
				cell_fill(&layer_plans[w], first, end, shape * layer_plan_count + w, table);
			}
	return true;
}

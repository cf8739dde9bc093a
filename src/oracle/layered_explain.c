/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows explain what each part takes, what its layers would take under another plan, and what moves between. */
#include "base/error.h"
#include "oracle/layered.h"
#include "oracle/replicas.h"
#include "oracle/training.h"

/* Adds the sums of a part's plan in its stage, or (other) those of another plan for all layers of that stage. */
static void stage_sum(const struct layered_run *run, const struct paradl_layered_part *part,
	const struct layer_plan *other, double *term)
{
	unsigned first = 0, end;
	while (run->stage_of[first] != part->stage - 1)
		++first;
	for (end = first; end < run->model->order_count && run->stage_of[end] == part->stage - 1;
		end = run_end(run, end))
		if (!other && run->plan_of[end] == run->plan_of[part->first])
			layer_plan_add(&run->layer_plans[run->plan_of[end]], end, run_end(run, end), term);
	if (other)
		layer_plan_add(other, first, end, term);
}

/* Fills the row of a part under its plan, or under another that all layers of its stage would have. */
static void row_fill(const struct layered_run *run, const struct paradl_layered_part *part,
	const struct layer_plan *other, struct paradl_layered_row *row)
{
	const unsigned *plan_of = run->plan_of, first = part->first;
	const struct layer_plan *layer_plan = other ? other : &run->layer_plans[plan_of[first]];
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double times = evaluation->micro_batches;
	const bool joined = first > 0 && (other || plan_of[first - 1] == plan_of[first]);
	const unsigned gathered = layer_plan->net.spatial_end;
	const bool gathers = gathered >= first + !joined && gathered < part->end;
	double term[STAGE_TERMS] = {0}, stage[STAGE_TERMS] = {0};
	layer_plan_add(layer_plan, first, part->end, term);
	stage_sum(run, part, other, stage);
	const struct replica_times exchange = device_exchange(evaluation, 0, stage);
	const double replicas_s = exchange.gradients_s + exchange.weights_s + times * exchange.each_s;
	row->forward_s = times * term[STAGE_FORWARD_S];
	row->backward_s = times * (term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S] + term[STAGE_AGAIN_S]);
	row->exchange_s = times * (term[STAGE_AGAIN_EXCHANGE_S] + (gathers ? gather_s(evaluation) : 0));
	for (unsigned i = STAGE_EXCHANGE_S; i < STAGE_HALO_S; ++i)
		row->exchange_s += times * term[i];
	row->halo_s = times * (term[STAGE_HALO_S] + term[STAGE_HALO_S + 1]);
	if (stage[STAGE_WEIGHTS] > 0)
		row->gradient_s = replicas_s / stage[STAGE_WEIGHTS] * term[STAGE_WEIGHTS];
	const double owned = device_owned(evaluation, 0, term);
	row->update_s = weights_update_s(evaluation, term[STAGE_WEIGHTS], owned, term[STAGE_UPDATE_S]);
	const double held = evaluation->plan.zero == 3 ? owned : term[STAGE_WEIGHTS];
	row->weights_bytes =
		precision_weight_bytes(oracle->precision) * (held + frozen_held(evaluation, term));
	row->activations_bytes = evaluation->item_bytes * term[STAGE_KEPT];
}

/* Returns the seconds of a part under another plan; negative: it cannot run. */
static double other_s(
	const struct layered_run *run, const struct paradl_layered_part *part, const struct layer_plan *other)
{
	struct paradl_layered_row row = {.part = 0};
	if (!layer_plan_runs(other, part->first, part->end, NULL))
		return -1;
	row_fill(run, part, other, &row);
	return row.forward_s + row.backward_s + row.update_s + row.exchange_s + row.halo_s + row.gradient_s;
}

static size_t moves_fill(const struct layered_run *run, struct paradl_redistribution *moves)
{
	const double micro_batches = run->layer_plans[0].evaluation.micro_batches;
	size_t count = 0;
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct redistribution *move = &run->moves[i];
		struct paradl_redistribution *result = &moves[count];
		*result = (struct paradl_redistribution){.from = move->from, .to = move->to};
		for (unsigned pass = 0; pass < 2; ++pass) {
			result->bytes[pass] = micro_batches * move->bytes[pass];
			result->s[pass] = micro_batches * move->s[pass];
			result->gathers[pass] = move->move[pass].gathers;
			if (move->move[pass].devices > result->devices)
				result->devices = move->move[pass].devices;
		}
		count += result->s[0] + result->s[1] > 0;
	}
	return count;
}

bool paradl_explain_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	const struct paradl_plan *others, size_t count, struct paradl_arena *arena,
	struct paradl_layered_explanation *explanation, struct paradl_error *error)
{
	const size_t parts = layered->part_count;
	struct layered_run run;
	struct layer_plan other;
	*explanation = (struct paradl_layered_explanation){.other_count = count};
	if (!layered_begin(&run, oracle, layered, arena, error))
		return false;
	struct paradl_layered_row *rows = arena_alloc(arena, parts, sizeof *rows);
	struct paradl_redistribution *moves = arena_alloc(arena, run.move_count + 1, sizeof *moves);
	double *others_s = arena_alloc(arena, parts * count + 1, sizeof *others_s);
	if (!rows || !moves || !others_s)
		return out_of_memory(error);
	for (unsigned i = 0; i < parts; ++i) {
		rows[i].part = i;
		row_fill(&run, &layered->parts[i], NULL, &rows[i]);
	}
	for (size_t k = 0; k < count; ++k) {
		struct paradl_plan plan = others[k];
		plan.batch = layered->batch;
		plan.micro = 0;
		const bool runs = layer_plan_peek(
			&other, oracle, &plan, run.layer_plans[0].evaluation.micro_batches, NULL);
		for (size_t i = 0; i < parts; ++i)
			others_s[i * count + k] = runs ? other_s(&run, &layered->parts[i], &other) : -1;
	}
	explanation->rows = rows;
	explanation->row_count = parts;
	explanation->moves = moves;
	explanation->move_count = moves_fill(&run, moves);
	explanation->other_s = others_s;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each part takes, what its layers would take under another plan, and what moves between parts. */
#include "base/error.h"
#include "oracle/layered.h"
#include "oracle/replicas.h"

static bool out_of_memory(struct paradl_error *error)
{
	error_set(error, PARADL_NO_MEMORY, "out of memory");
	return false;
}

/* Sums over layers [first, end) that are of this way; way_of NULL: all. */
static void terms_sum(const struct way *way, const unsigned *way_of, unsigned index, unsigned first,
	unsigned end, double *term)
{
	const struct paradl_model *model = way->net.model;
	for (unsigned u = 0; u < model->unit_count; ++u)
		for (unsigned i = model->units[u].first, next; i < model->units[u].end; i = next) {
			for (next = i + 1; next < model->units[u].end; ++next)
				if ((way_of && way_of[next] != way_of[i]) || next == first || next == end)
					break;
			if (i >= first && next <= end && (!way_of || way_of[i] == index))
				way_unit_add(way, u, i, next, term);
		}
}

/* Layers of one stage. */
struct extent {
	unsigned first, end;
};

static struct extent stage_extent(const struct paradl_layered *layered, unsigned stage)
{
	struct extent extent = {0, 0};
	for (size_t i = 0; i < layered->part_count; ++i)
		if (layered->parts[i].stage == stage) {
			extent.first = extent.end ? extent.first : layered->parts[i].first;
			extent.end = layered->parts[i].end;
		}
	return extent;
}

/* Seconds of exchange for each weight, of all that this way has in a stage. */
static double exchange_rate(
	const struct way *way, const unsigned *way_of, unsigned index, struct extent stage)
{
	const struct evaluation *evaluation = &way->evaluation;
	double term[STAGE_TERMS] = {0};
	terms_sum(way, way_of, index, stage.first, stage.end, term);
	const struct replica_times times = device_exchange(evaluation, 0, term);
	const double s = times.gradients_s + times.weights_s + evaluation->micro_batches * times.each_s;
	return term[STAGE_WEIGHTS] > 0 ? s / term[STAGE_WEIGHTS] : 0;
}

/* Of spatial pieces, where what is before has the same plan. */
static double gathers_s(const struct way *way, unsigned first, unsigned end, bool joined)
{
	const struct paradl_model *model = way->net.model;
	double s = 0;
	for (unsigned i = joined ? first : first + 1; i < end; ++i)
		for (unsigned k = 0; k < model->reads[i].count; ++k)
			if (i > 0 && model->reads[i].positions[k] == (int)i - 1)
				s += way_gather_s(way, i - 1, i);
	return s;
}

/* joined: the layer before has the same plan. */
static void row_fill(const struct way *way, unsigned first, unsigned end, bool joined, double rate_s,
	struct paradl_layered_row *row)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double times = evaluation->micro_batches;
	double term[STAGE_TERMS] = {0};
	terms_sum(way, NULL, 0, first, end, term);
	row->forward_s = times * term[STAGE_FORWARD_S];
	row->backward_s = times * (term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S] + term[STAGE_AGAIN_S]);
	row->exchange_s = times * (term[STAGE_AGAIN_EXCHANGE_S] + gathers_s(way, first, end, joined));
	for (unsigned i = STAGE_EXCHANGE_S; i < STAGE_HALO_S; ++i)
		row->exchange_s += times * term[i];
	row->halo_s = times * (term[STAGE_HALO_S] + term[STAGE_HALO_S + 1]);
	row->gradient_s = rate_s * term[STAGE_WEIGHTS];
	const double owned = device_owned(evaluation, 0, term);
	row->update_s = owned * oracle->optimizer->bytes_per_weight * evaluation->net->update_s_per_byte;
	if (term[STAGE_UPDATE_S] > 0)
		row->update_s = term[STAGE_UPDATE_S];
	const double held = evaluation->plan.zero == 3 ? owned : term[STAGE_WEIGHTS];
	row->weights_bytes = precision_weight_bytes(oracle->precision) * (held + term[STAGE_FROZEN]);
	row->activations_bytes = evaluation->item_bytes * term[STAGE_KEPT];
}

static double row_s(const struct paradl_layered_row *row)
{
	return row->forward_s + row->backward_s + row->update_s + row->exchange_s + row->halo_s +
	       row->gradient_s;
}

static bool layers_run(const struct way *way, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; ++i)
		if (!layer_feasible(&way->evaluation, way->net.model->order[i]))
			return false;
	return true;
}

static void rows_fill(
	const struct layered_run *run, const struct paradl_layered *layered, struct paradl_layered_row *rows)
{
	for (unsigned i = 0; i < layered->part_count; ++i) {
		const struct paradl_layered_part *part = &layered->parts[i];
		const unsigned index = run->way_of[part->first];
		const struct way *way = &run->ways[index];
		const bool joined = part->first > 0 && run->way_of[part->first - 1] == index;
		const struct extent stage = stage_extent(layered, part->stage);
		rows[i] = (struct paradl_layered_row){.part = i};
		row_fill(way, part->first, part->end, joined, exchange_rate(way, run->way_of, index, stage),
			&rows[i]);
	}
}

/* Fills what each part would take under another plan, other_s[part * count]; negative: it cannot run. */
static void others_fill(
	const struct paradl_layered *layered, const struct way *other, size_t count, double *other_s)
{
	for (unsigned i = 0; i < layered->part_count; ++i) {
		const struct paradl_layered_part *part = &layered->parts[i];
		struct paradl_layered_row row = {.part = i};
		other_s[i * count] = -1;
		if (!other || !layers_run(other, part->first, part->end))
			continue;
		row_fill(other, part->first, part->end, part->first > 0,
			exchange_rate(other, NULL, 0, stage_extent(layered, part->stage)), &row);
		other_s[i * count] = row_s(&row);
	}
}

static size_t moves_fill(const struct layered_run *run, struct paradl_redistribution *moves)
{
	size_t count = 0;
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct redistribution *move = &run->moves[i].redistribution;
		struct paradl_redistribution *result = &moves[count];
		*result = (struct paradl_redistribution){.from = run->moves[i].from, .to = run->moves[i].to};
		for (unsigned pass = 0; pass < 2; ++pass) {
			result->bytes[pass] = run->micro_batches * move->bytes[pass];
			result->s[pass] = run->micro_batches * move->s[pass];
			result->gathers[pass] = move->move[pass].gathers;
			if (move->move[pass].items > 0 && move->move[pass].devices > result->devices)
				result->devices = move->move[pass].devices;
		}
		count += result->s[0] + result->s[1] > 0;
	}
	return count;
}

/* The same with memory for what only this needs. */
static bool explain(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	const struct paradl_plan *others, struct paradl_arena *arena, struct paradl_arena *scratch,
	struct paradl_layered_explanation *explanation, struct paradl_error *error)
{
	const size_t parts = layered->part_count, count = explanation->other_count;
	struct layered_run run;
	struct way *other = arena_alloc(scratch, 1, sizeof *other);
	if (!other)
		return out_of_memory(error);
	if (!layered_begin(&run, oracle, layered, scratch, error))
		return false;
	struct paradl_layered_row *rows = arena_alloc(arena, parts, sizeof *rows);
	struct paradl_redistribution *moves = arena_alloc(arena, run.move_count + 1, sizeof *moves);
	double *other_s = arena_alloc(arena, parts * count + 1, sizeof *other_s);
	if (!rows || !moves || !other_s)
		return out_of_memory(error);
	rows_fill(&run, layered, rows);
	for (size_t k = 0; k < count; ++k) {
		struct paradl_plan plan = others[k];
		plan.batch = layered->batch;
		plan.micro = 0;
		const bool runs = way_begin(other, oracle, &plan, run.micro_batches, scratch, NULL);
		others_fill(layered, runs ? other : NULL, count, &other_s[k]);
	}
	explanation->rows = rows;
	explanation->row_count = parts;
	explanation->moves = moves;
	explanation->move_count = moves_fill(&run, moves);
	explanation->other_s = other_s;
	return true;
}

bool paradl_explain_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	const struct paradl_plan *others, size_t count, struct paradl_arena *arena,
	struct paradl_layered_explanation *explanation, struct paradl_error *error)
{
	struct paradl_arena *const scratch = paradl_arena_create();
	*explanation = (struct paradl_layered_explanation){.other_count = count};
	const bool done = scratch ? explain(oracle, layered, others, arena, scratch, explanation, error)
				  : out_of_memory(error);
	paradl_arena_free(scratch);
	return done;
}

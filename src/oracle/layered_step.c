/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of a network of tokens whose blocks have plans of their own: a stage is the sum of its units, each under its plan.
 * Replicas, sharded states and communicators are counted plan by plan in each stage (struct plan_share). Tensors that are dealt
 * out again within a stage are layer-wise exchanges; between stages they follow the message, of which the larger side counts. A block
 * holds what enters it as its own plan has it. A head that is tied to an embedding with another plan, or in another stage, has
 * weights of its own.
 */
#include "oracle/layered_step.h"

#include <math.h>

#include "base/error.h"
#include "oracle/holders.h"
#include "oracle/training.h"

struct stages {
	struct stage *items;
	struct plan_share *shares; /* by stage, in order of the units */
	unsigned share_count;
};

/* What this way has of a stage; room for one more of each way in each stage. */
static struct plan_share *share_of(
	struct stages *stages, const struct layered_run *run, unsigned stage, unsigned way)
{
	const struct evaluation *evaluation = &run->ways[way].evaluation;
	unsigned i = 0;
	while (i < stages->share_count &&
		(stages->shares[i].stage != stage || stages->shares[i].evaluation != evaluation))
		++i;
	if (i == stages->share_count)
		stages->shares[stages->share_count++] =
			(struct plan_share){.evaluation = evaluation, .stage = stage};
	return &stages->shares[i];
}

static void units_add(const struct layered_run *run, struct stages *stages)
{
	const struct paradl_model *model = run->ways[0].net.model;
	for (unsigned u = 0; u < model->unit_count; ++u) {
		const unsigned first = model->units[u].first, way = run->way_of[first],
			       stage = run->stage_of[first];
		const struct unit_classes *classes = run->ways[way].net.classes;
		const struct stage *cost = &classes->costs[classes->of_unit[u]];
		stage_terms_add(cost, 1, share_of(stages, run, stage, way)->sums);
		stage_terms_add(cost, 1, stages->items[stage].term);
		stages->items[stage].end = u + 1;
	}
}

/* A tied layer whose stage or plan is not that of the layers it shares its weights with, which come first. */
static void tied_add(const struct layered_run *run, struct stages *stages)
{
	const struct paradl_model *model = run->ways[0].net.model;
	for (unsigned i = 0; i < run->positions; ++i) {
		const struct token_work *work = model->layers[model->order[i]].work;
		const unsigned way = run->way_of[i], stage = run->stage_of[i];
		if (!work || !work->tied || (way == run->way_of[0] && stage == 0))
			continue;
		const double items = tied_items(&run->ways[way].evaluation);
		struct plan_share *own = share_of(stages, run, stage, way);
		if (stage > 0) {
			own->copied = items;
		} else {
			own->sums[STAGE_WEIGHTS] += items;
			stages->items[0].term[STAGE_WEIGHTS] += items;
		}
	}
}

static void messages_add(const struct layered_run *run, unsigned count, struct stages *stages)
{
	for (unsigned i = 0; i + 1 < count; ++i) {
		struct stage *stage = &stages->items[i];
		const struct unit *next = &run->ways[0].net.model->units[stage->end];
		const struct way *from = &run->ways[run->way_of[next->first - 1]],
				 *to = &run->ways[run->way_of[next->first]];
		stage->send_s[PASS_FORWARD] = fmax(training_message_s(&from->evaluation, stage->end),
			training_message_s(&to->evaluation, stage->end));
		stage->send_s[PASS_BACKWARD] = stage->send_s[PASS_FORWARD];
	}
}

static void moves_add(const struct layered_run *run, struct stages *stages)
{
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct redistribution *move = &run->moves[i].redistribution;
		struct stage *reader = &stages->items[run->stage_of[run->moves[i].to]];
		double *term = reader->term;
		const bool between = run->stage_of[run->moves[i].from] != run->stage_of[run->moves[i].to];
		for (unsigned pass = 0; pass < 2; ++pass)
			*(between ? &reader[-1].send_s[pass] : &term[STAGE_LAYERWISE_S + pass]) +=
				move->s[pass];
		term[STAGE_CALLS_FORWARD] += move->move[PASS_FORWARD].items > 0;
		term[STAGE_CALLS_BACKWARD] += move->move[PASS_BACKWARD].items > 0;
		if (move->copy_items > term[STAGE_BUFFERS])
			term[STAGE_BUFFERS] = move->copy_items;
	}
}

static bool step_run(const struct layered_run *run, unsigned count, struct stages *stages,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct evaluation lead = layered_lead(run)->evaluation;
	struct step step;
	units_add(run, stages);
	tied_add(run, stages);
	messages_add(run, count, stages);
	moves_add(run, stages);
	lead.shares = stages->shares;
	lead.share_count = stages->share_count;
	if (!training_stages_given(&lead, stages->items, count, &step, error))
		return false;
	training_schedule(&lead, &step);
	training_share(&lead, &step, estimate);
	return true;
}

bool layered_step(const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error)
{
	const unsigned count = run->ways[0].evaluation.plan.degree[PARADL_PIPELINE];
	struct paradl_arena *const scratch = paradl_arena_create();
	struct stages stages = {.share_count = 0};
	if (scratch) {
		stages.items = arena_alloc(scratch, count, sizeof *stages.items);
		stages.shares = arena_alloc(scratch, (size_t)count * run->way_count, sizeof *stages.shares);
	}
	const bool done = stages.items && stages.shares ? step_run(run, count, &stages, estimate, error)
							: error_set(error, PARADL_NO_MEMORY, "out of memory");
	paradl_arena_free(scratch);
	return done;
}

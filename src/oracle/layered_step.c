/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of a network of tokens whose blocks have plans of their own: one stage, the sum of its units, each under
 * its plan. Replicas, sharded states and communicators are counted plan by plan (struct plan_share). Tensors that
 * are dealt out again are layer-wise exchanges; a block holds what enters it as its own plan has it. A head that is
 * tied to an embedding with another plan has weights of its own.
 */
#include "oracle/layered_step.h"

#include "base/error.h"
#include "oracle/training.h"

/* Weights of a tied layer whose plan is not that of the layers it shares them with, which come first. */
static void tied_add(const struct layered_run *run, struct plan_share *shares, double *term)
{
	const struct paradl_model *model = run->ways[0].net.model;
	for (unsigned i = 0; i < run->positions; ++i) {
		const struct token_work *work = model->layers[model->order[i]].work;
		const unsigned way = run->way_of[i];
		double items = 0;
		if (!work || !work->tied || way == run->way_of[0])
			continue;
		for (unsigned k = 0; k < work->kernel_count; ++k)
			items += work->kernels[k].rows * work->kernels[k].columns;
		items /= run->ways[way].evaluation.plan.degree[PARADL_TENSOR];
		shares[way].sums[STAGE_WEIGHTS] += items;
		term[STAGE_WEIGHTS] += items;
	}
}

static void moves_add(const struct layered_run *run, double *term)
{
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct redistribution *move = &run->moves[i].redistribution;
		for (unsigned pass = 0; pass < 2; ++pass)
			term[STAGE_LAYERWISE_S + pass] += move->s[pass];
		term[STAGE_CALLS_FORWARD] += move->move[PASS_FORWARD].items > 0;
		term[STAGE_CALLS_BACKWARD] += move->move[PASS_BACKWARD].items > 0;
		if (move->copy_items > term[STAGE_BUFFERS])
			term[STAGE_BUFFERS] = move->copy_items;
	}
}

bool layered_step(const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error)
{
	const struct paradl_model *model = run->ways[0].net.model;
	struct evaluation lead = layered_lead(run)->evaluation;
	struct paradl_arena *const scratch = paradl_arena_create();
	struct plan_share *shares = scratch ? arena_alloc(scratch, run->way_count, sizeof *shares) : NULL;
	struct stage whole = {.end = model->unit_count};
	struct step step;
	bool done = false;
	if (shares) {
		for (unsigned w = 0; w < run->way_count; ++w)
			shares[w].evaluation = &run->ways[w].evaluation;
		for (unsigned u = 0; u < model->unit_count; ++u) {
			const unsigned w = run->way_of[model->units[u].first];
			const struct unit_classes *classes = run->ways[w].net.classes;
			const struct stage *cost = &classes->costs[classes->of_unit[u]];
			stage_terms_add(cost, 1, shares[w].sums);
			stage_terms_add(cost, 1, whole.term);
		}
		tied_add(run, shares, whole.term);
		moves_add(run, whole.term);
		lead.shares = shares;
		lead.share_count = run->way_count;
		done = training_stage(&lead, whole.term, &step, error);
	} else {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
	}
	if (done) {
		training_schedule(&lead, &step);
		training_share(&lead, &step, estimate);
	}
	paradl_arena_free(scratch);
	return done;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In a step of a network whose layers (of tokens: blocks) have plans of their own, a stage is the sum of its units,
 * each under its plan, or of their layers. Replicas, sharded states and communicators are counted plan by plan in each
 * stage (struct plan_share). Tensors that are dealt out again within a stage are layer-wise exchanges; between stages
 * they follow the message, of which the larger side counts. A block holds what enters it as its own plan has it. A
 * head that is tied to an embedding with another plan, or in another stage, has weights of its own.
 */
#include "oracle/layered.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"

struct stages {
	struct stage *items;
	struct plan_share *shares; /* by stage, in order of the units */
	unsigned share_count;
};

/* Returns the share of a layer's layer plan in the layer's stage, new or not; there is room for each layer plan in each stage. */
static struct plan_share *share_of(struct stages *stages, const struct layered_run *run, unsigned position)
{
	const struct evaluation *evaluation = &run->layer_plans[run->plan_of[position]].evaluation;
	const unsigned stage = run->stage_of[position];
	unsigned i = 0;
	while (i < stages->share_count &&
		(stages->shares[i].stage != stage || stages->shares[i].evaluation != evaluation))
		++i;
	if (i == stages->share_count)
		stages->shares[stages->share_count++] =
			(struct plan_share){.evaluation = evaluation, .stage = stage};
	return &stages->shares[i];
}

unsigned run_end(const struct layered_run *run, unsigned first)
{
	unsigned end = first + 1;
	while (end < run->model->order_count && run->plan_of[end] == run->plan_of[first] &&
		run->stage_of[end] == run->stage_of[first])
		++end;
	return end;
}

static void layers_add(const struct layered_run *run, struct stages *stages)
{
	for (unsigned first = 0, end; first < run->model->order_count; first = end) {
		const struct layer_plan *layer_plan = &run->layer_plans[run->plan_of[first]];
		struct stage *whole = &stages->items[run->stage_of[first]];
		end = run_end(run, first);
		layer_plan_add(layer_plan, first, end, share_of(stages, run, first)->sums);
		layer_plan_add(layer_plan, first, end, whole->term);
		if (!whole->end)
			whole->first = unit_at(run->model, first);
		whole->end = unit_at(run->model, end - 1) + 1;
	}
}

/*
 * Stretches kernels by the host where some layers' plans block, and have their host time already: only those of the
 * other layers, by themselves.
 */
static void host_add(const struct layered_run *run, unsigned stage, const struct stages *stages)
{
	double pool[STAGE_TERMS] = {0}, *term = stages->items[stage].term;
	bool blocks = false;
	for (unsigned k = 0; k < stages->share_count; ++k) {
		const struct plan_share *part = &stages->shares[k];
		const bool here = part->stage == stage, blocking = part->evaluation->blocking;
		blocks = blocks || (here && blocking);
		for (unsigned t = 0; t < STAGE_TERMS && here && !blocking; ++t)
			pool[t] += part->sums[t];
	}
	if (!blocks || run->layer_plans[0].evaluation.oracle->rules.host != HOST_STRETCHES)
		return;
	struct stage_work kernels;
	stage_kernels_fill(&run->layer_plans[0].evaluation, pool, &kernels);
	term[STAGE_FORWARD_S] += kernels.forward_s - pool[STAGE_FORWARD_S];
	term[STAGE_BACKWARD_S] += kernels.backward_s - pool[STAGE_BACKWARD_S];
	term[STAGE_WEIGHT_S] += kernels.weight_s - pool[STAGE_WEIGHT_S];
	term[STAGE_AGAIN_S] += kernels.again_s - pool[STAGE_AGAIN_S];
	term[STAGE_HOST_S] = term[STAGE_HOST_AGAIN_S] = 0;
}

/* Adds gathers of spatial pieces within one plan, and what stages hold of the tensors that enter them. */
static void ends_add(const struct layered_run *run, unsigned count, struct stages *stages)
{
	for (unsigned i = 1; i < run->model->order_count; ++i) {
		if (run->plan_of[i - 1] != run->plan_of[i])
			continue;
		struct stage *stage = &stages->items[run->stage_of[i - 1]];
		const double s = layer_plan_gather_s(&run->layer_plans[run->plan_of[i]], i) / 2;
		stage->term[STAGE_LAYERWISE_S + PASS_FORWARD] += s;
		stage->term[STAGE_LAYERWISE_S + PASS_BACKWARD] += s;
		stage->gather_s += s;
	}
	for (unsigned i = 0; i < count; ++i)
		stage_inputs_add(
			&run->layer_plans[run->plan_of[run->model->units[stages->items[i].first].first]]
				 .evaluation,
			&stages->items[i]);
}

/* Adds a tied layer's weights if its stage or plan is not that of the layers it shares them with, which come first. */
static void tied_add(const struct layered_run *run, struct stages *stages)
{
	for (unsigned i = 0; i < run->model->order_count; ++i) {
		const struct token_work *work = run->model->layers[run->model->order[i]].work;
		const unsigned layer_plan = run->plan_of[i], stage = run->stage_of[i];
		if (!work || !work->tied || (layer_plan == run->plan_of[0] && stage == 0))
			continue;
		const double items = tied_items(&run->layer_plans[layer_plan].evaluation);
		struct plan_share *own = share_of(stages, run, i);
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
		const struct unit *next = &run->model->units[stage->end];
		const struct layer_plan *from = &run->layer_plans[run->plan_of[next->first - 1]],
					*to = &run->layer_plans[run->plan_of[next->first]];
		stage->send_s[PASS_FORWARD] = fmax(training_message_s(&from->evaluation, stage->end),
			training_message_s(&to->evaluation, stage->end));
		stage->send_s[PASS_BACKWARD] = stage->send_s[PASS_FORWARD];
	}
}

/* Returns whether the backward of this layer must read its copy of what was dealt out again. */
static bool copy_kept(const struct layered_run *run, unsigned position)
{
	const enum layer_class class = run->model->layers[run->model->order[position]].class_;
	return run->layer_plans[0].evaluation.oracle->rules.holds_inputs && class != LAYER_ADD &&
	       class != LAYER_CONCAT && class != LAYER_FLATTEN && class != LAYER_RESHAPE;
}

static void moves_add(const struct layered_run *run, struct stages *stages)
{
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct redistribution *move = &run->moves[i];
		struct stage *reader = &stages->items[run->stage_of[move->to]];
		double *term = reader->term;
		const bool between = run->stage_of[move->from] != run->stage_of[move->to];
		for (unsigned pass = 0; pass < 2; ++pass) {
			const bool calls = move->move[pass].items > 0;
			*(between ? &reader[-1].send_s[pass] : &term[STAGE_LAYERWISE_S + pass]) +=
				move->s[pass];
			term[STAGE_SYNCHRONISATIONS] += calls;
			term[pass == PASS_FORWARD ? STAGE_CALLS_FORWARD : STAGE_CALLS_BACKWARD] += calls;
		}
		term[STAGE_BUFFERS] = fmax(term[STAGE_BUFFERS], move->copy_items);
		if (copy_kept(run, move->to))
			term[STAGE_KEPT] += move->copy_items;
	}
}

/* Keeps the most of any plan: samples on a device, and waiting for the slowest of the nodes that an exchange joins. */
static void most_fill(
	const struct layered_run *run, struct evaluation *lead, struct paradl_estimate *estimate)
{
	for (unsigned w = 0; w < run->layer_plan_count; ++w) {
		const struct evaluation *evaluation = &run->layer_plans[w].evaluation;
		estimate->uneven = estimate->uneven || plan_uneven(evaluation);
		estimate->local_batch = fmax(estimate->local_batch, evaluation->local_batch);
		lead->calls_late_s = fmax(lead->calls_late_s, evaluation->calls_late_s);
		lead->gradients_late_s = fmax(lead->gradients_late_s, evaluation->gradients_late_s);
	}
	for (unsigned i = 0; i < run->move_count; ++i)
		for (unsigned pass = 0; pass < 2; ++pass) {
			const struct redistribution *move = &run->moves[i];
			lead->calls_late_s =
				fmax(lead->calls_late_s, nodes_late_s(lead->oracle, move->nodes[pass]));
		}
}

/* Returns the layer plan that takes longest. */
static const struct layer_plan *lead_find(const struct layered_run *run)
{
	const struct layer_plan *lead = &run->layer_plans[0];
	double most_s = -1;
	for (unsigned w = 0; w < run->layer_plan_count; ++w) {
		const struct layer_plan *layer_plan = &run->layer_plans[w];
		double s = 0;
		for (unsigned i = 0; i < run->model->order_count; ++i) {
			const struct layer_cost *cost =
				&layer_plan->net.costs[layer_plan->net.model->order[i]];
			if (run->plan_of[i] == w)
				s += cost->forward_s + cost->backward_s;
		}
		if (s > most_s) {
			most_s = s;
			lead = layer_plan;
		}
	}
	return lead;
}

/* Lets the gradients of all plans take the first `count` of their routes; returns the most that one has. */
static unsigned layer_plans_use(const struct layered_run *run, struct evaluation *lead, unsigned count)
{
	unsigned all = routes_use(lead, count);
	for (unsigned w = 0; w < run->layer_plan_count; ++w) {
		const unsigned own = routes_use(&run->layer_plans[w].evaluation, count);
		all = own > all ? own : all;
	}
	return all;
}

/* Adds exchanges of replicas with the least lossy compression with which the step is as short as with the best. */
static void share_compressed(const struct layered_run *run, struct evaluation *lead,
	const struct step *followed, struct step *step, struct paradl_estimate *estimate)
{
	const struct paradl_estimate begun = *estimate;
	const unsigned all = layer_plans_use(run, lead, COMPRESSIONS);
	*step = *followed;
	training_share(lead, step, estimate);
	const double fastest_s = estimate->iteration_s;
	for (unsigned count = 1; count <= all && all > 1; ++count) {
		layer_plans_use(run, lead, count);
		*step = *followed;
		*estimate = begun;
		training_share(lead, step, estimate);
		if (compressed_enough(estimate->iteration_s, fastest_s))
			return;
	}
}

bool layered_estimate(
	const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error)
{
	const unsigned count = run->layer_plans[0].evaluation.plan.degree[PARADL_PIPELINE];
	const struct layer_plan *layer_plan = lead_find(run);
	struct evaluation lead = layer_plan->evaluation;
	struct stages stages = {.items = lead.net->stages,
		.shares = arena_alloc(
			run->arena, (size_t)count * run->layer_plan_count, sizeof *stages.shares)};
	struct step followed, step;
	if (!stages.shares)
		return out_of_memory(error);
	memset(stages.items, 0, count * sizeof *stages.items);
	layers_add(run, &stages);
	tied_add(run, &stages);
	messages_add(run, count, &stages);
	moves_add(run, &stages);
	for (unsigned i = 0; i < count; ++i)
		host_add(run, i, &stages);
	ends_add(run, count, &stages);
	lead.shares = stages.shares;
	lead.share_count = stages.share_count;
	estimate_begin(&lead, estimate);
	most_fill(run, &lead, estimate);
	if (!training_stages_time(&lead, &followed, error))
		return false;
	training_schedule(&lead, &followed);
	share_compressed(run, &lead, &followed, &step, estimate);
	training_memory(&lead, step.pipeline_ranks, estimate);
	estimate_finish(&layer_plan->evaluation, estimate);
	return true;
}

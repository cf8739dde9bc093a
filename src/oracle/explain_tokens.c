/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terms of a step of a network of tokens: of its slowest stage. */
#include "oracle/explain.h"
#include "oracle/replicas.h"
#include "oracle/stage_work.h"

/* The stage that works longest. */
static unsigned slowest_stage(const struct evaluation *evaluation, unsigned count, struct stage_work *work)
{
	unsigned slowest = 0;
	for (unsigned i = 0; i < count; ++i) {
		struct stage_work here;
		stage_work_fill(evaluation, &evaluation->net->stages[i], &here);
		if (i && here.forward_total_s + here.backward_total_s <=
				 work->forward_total_s + work->backward_total_s)
			continue;
		*work = here;
		slowest = i;
	}
	return slowest;
}

static void axis_term(const struct evaluation *evaluation, enum paradl_axis axis, const char *what,
	double overlap, const struct stage *stage, struct terms *terms)
{
	const double chunks = evaluation->chunks;
	const double s =
		stage_exchange_s(stage, axis, PASS_FORWARD) + stage_exchange_s(stage, axis, PASS_BACKWARD);
	term_add(terms, PARADL_ACTIVATION_EXCHANGE, s * evaluation->micro_batches * chunks, what,
		"%s=%u on %u nodes, %.4g ms a micro-batch and stage, %.0f %% of it hidden",
		strategies[axis]->name, evaluation->plan.degree[axis], evaluation->nodes[axis], s * 1e3,
		overlap * 100);
}

static void exchange_terms(
	const struct evaluation *evaluation, const struct stage *stage, struct terms *terms)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	axis_term(evaluation, PARADL_TENSOR,
		evaluation->plan.sequence ? "micro-batches sum over layers of reduce-scatter + all-gather"
					  : "micro-batches sum over layers of allreduce",
		overlaps.tensor, stage, terms);
	axis_term(evaluation, PARADL_CONTEXT, "micro-batches (keys and values - attention they hide behind)",
		0, stage, terms);
	axis_term(evaluation, PARADL_EXPERT, "micro-batches 4 all-to-alls a layer with experts",
		overlaps.experts, stage, terms);
}

static void replica_terms(const struct evaluation *evaluation, const struct stage *stage, struct terms *terms)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double chunks = evaluation->chunks;
	const double weights = chunks * stage->term[STAGE_WEIGHTS];
	const struct replica_times times = replicas_exchange(evaluation, weights,
		chunks * stage->term[STAGE_EXPERT_WEIGHTS], chunks * stage->term[STAGE_BLOCKS], 0);
	const unsigned zero = evaluation->plan.zero;
	term_add(terms, PARADL_GRADIENT_EXCHANGE, times.gradients_s,
		zero ? "reduce-scatter of gradients" : "allreduce of gradients",
		"%.4g M weights, %.2g bytes each, %u replicas on %u nodes, %.0f %% may hide behind backward",
		weights / 1e6, gradient_bytes(evaluation), evaluation->dense.size, evaluation->gradient_nodes,
		overlaps.gradients * 100);
	term_add(terms, PARADL_GRADIENT_EXCHANGE, times.weights_s, "all-gather of updated weights",
		"zero=%u, %u replicas share them, %.0f %% may hide behind forward", zero,
		evaluation->dense.shard, overlaps.gathers * 100);
	term_add(terms, PARADL_GRADIENT_EXCHANGE, times.each_s * evaluation->micro_batches,
		"micro-batches (2 all-gathers + reduce-scatter) of each block",
		"zero=3, %u replicas share them, %.0f %% of compute may hide it", evaluation->dense.shard,
		overlaps.shards * 100);
}

void token_terms(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms)
{
	const struct prepared *net = evaluation->net;
	const struct rules *rules = &evaluation->oracle->rules;
	const unsigned count = evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks;
	const double *phase = estimate->phase_s, times = evaluation->micro_batches;
	struct stage_work work = {0};
	const struct stage *stage = &net->stages[slowest_stage(evaluation, count, &work)];
	const char *formula = rules->host == HOST_BLOCKS ? "micro-batches (device + exposed host)"
							 : "micro-batches (device^q + host^q)^(1/q)";
	term_add(terms, PARADL_FORWARD, phase[PARADL_FORWARD], formula,
		"%.4g x %.4g samples; slowest stage: %.4g ms of kernels, %.4g ms of host in both passes",
		times, evaluation->samples,
		(work.forward_s + work.backward_s + work.weight_s + work.again_s) * 1e3, work.host_s * 1e3);
	term_add(terms, PARADL_BACKWARD, phase[PARADL_BACKWARD], formula,
		"%.4g ms for inputs, %.4g ms for weights", work.backward_s * 1e3, work.weight_s * 1e3);
	term_add(terms, PARADL_RECOMPUTE, phase[PARADL_RECOMPUTE],
		evaluation->recompute == PARADL_RECOMPUTE_FULL ? "forward of every block again"
							       : "attention scores again",
		"%.4g x %.4g ms", times, work.again_s * 1e3);
	term_add(terms, PARADL_WEIGHT_UPDATE, phase[PARADL_WEIGHT_UPDATE],
		"(bytes a weight owned + bytes a gradient) / memory rate + host",
		"%.4g + %.4g bytes (%s), %.3g ms", evaluation->oracle->optimizer->bytes_per_weight,
		rules->step_bytes, evaluation->oracle->optimizer->name, rules->step_s * 1e3);
	exchange_terms(evaluation, stage, terms);
	replica_terms(evaluation, stage, terms);
	term_add(terms, PARADL_STAGE_TRANSFER, phase[PARADL_STAGE_TRANSFER],
		"messages that keep their sender busy", "p = %u, m = %.4g",
		evaluation->plan.degree[PARADL_PIPELINE], times);
	term_add(terms, PARADL_BUBBLE, phase[PARADL_BUBBLE], "schedule - work of the busiest device",
		"p = %u, v = %u, m = %.4g", evaluation->plan.degree[PARADL_PIPELINE], evaluation->chunks,
		times);
}

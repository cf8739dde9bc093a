/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of a network of images whose layers have plans of their own: sums over layers, as whole_network_run() has
 * them.
 *     gradients  the layers of one plan exchange theirs together; groups take turns
 *     host       layers whose plan blocks pay for it each by itself (layer_cost.c); the others together
 *     waiting    for the slowest of the most nodes that any exchange joins
 *     memory     of tensors that are dealt out again the reader's part is kept too
 */
#include "oracle/layered.h"

#include <math.h>

static struct stage_sums way_sums(const struct layered_run *run, unsigned w)
{
	struct stage_sums sums = {.layers = 0};
	for (unsigned i = 0; i < run->positions; ++i)
		if (run->way_of[i] == w)
			stage_sum_add(&run->ways[w].evaluation, i, &sums);
	return sums;
}

static void kernels_sum(const struct layered_run *run, struct stage_sums *all)
{
	struct stage_sums pools[2] = {{.layers = 0}, {.layers = 0}}; /* layers whose plan blocks: 1 */
	const struct evaluation *of_pool[2] = {NULL, NULL};
	for (unsigned i = 0; i < run->positions; ++i) {
		const struct evaluation *evaluation = &run->ways[run->way_of[i]].evaluation;
		stage_sum_add(evaluation, i, all);
		stage_sum_add(evaluation, i, &pools[evaluation->blocking]);
		of_pool[evaluation->blocking] = evaluation;
	}
	for (unsigned i = 0; i < 2; ++i)
		if (of_pool[i])
			stage_host_apply(of_pool[i], &pools[i]);
	all->forward_s = pools[0].forward_s + pools[1].forward_s;
	all->backward_s = pools[0].backward_s + pools[1].backward_s;
}

static void gradients_sum(const struct layered_run *run, struct paradl_estimate *estimate)
{
	double most_s = 0;
	for (unsigned w = 0; w < run->way_count; ++w) {
		const struct evaluation *evaluation = &run->ways[w].evaluation;
		const struct stage_sums sums = way_sums(run, w);
		const double s = gradient_exchange_s(evaluation, sums.weight_items, sums.tensors, NULL);
		estimate->phase_s[PARADL_GRADIENT_EXCHANGE] += s;
		estimate->gradient_host_s += gradient_host_s(evaluation, sums.weight_items, sums.tensors);
		if (s > most_s) {
			most_s = s;
			gradient_describe(evaluation, sums.weight_items, estimate);
		}
	}
}

static double gathers_s(const struct layered_run *run)
{
	const struct paradl_model *model = run->ways[0].net.model;
	double s = 0;
	for (unsigned i = 1; i < run->positions; ++i)
		for (unsigned k = 0; k < model->reads[i].count; ++k)
			if (model->reads[i].positions[k] == (int)i - 1 &&
				run->way_of[i - 1] == run->way_of[i])
				s += way_gather_s(&run->ways[run->way_of[i]], i - 1, i);
	return s;
}

static void waiting_add(
	const struct layered_run *run, const struct stage_sums *sums, struct paradl_estimate *estimate)
{
	const struct evaluation *lead = &run->ways[0].evaluation;
	struct evaluation latest = {.oracle = lead->oracle, .micro_batches = run->micro_batches};
	struct stage_sums all = *sums;
	for (unsigned w = 0; w < run->way_count; ++w) {
		const struct evaluation *evaluation = &run->ways[w].evaluation;
		latest.calls_late_s = fmax(latest.calls_late_s, evaluation->calls_late_s);
		latest.gradients_late_s = fmax(latest.gradients_late_s, evaluation->gradients_late_s);
	}
	for (unsigned i = 0; i < run->move_count; ++i)
		for (unsigned pass = 0; pass < 2; ++pass) {
			const struct layout_move *move = &run->moves[i].redistribution.move[pass];
			if (!(move->items > 0))
				continue;
			const unsigned nodes = block_of(&run->movers, move->devices)->nodes;
			latest.calls_late_s = fmax(latest.calls_late_s, nodes_late_s(lead->oracle, nodes));
			all.calls += 1;
		}
	const double gradients = waiting_s(&latest, &all, true), calls = waiting_s(&latest, &all, false);
	double *phase = estimate->phase_s;
	phase[PARADL_GRADIENT_EXCHANGE] += gradients;
	phase[phase[PARADL_HALO_EXCHANGE] > 0 ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE] += calls;
	estimate->gradient_waiting_s = gradients;
	estimate->waiting_s = gradients + calls;
}

/* Copies that readers keep, and the largest message. */
static void moves_hold(const struct layered_run *run, struct paradl_memory *memory)
{
	const double item = run->ways[0].evaluation.item_bytes;
	for (unsigned i = 0; i < run->move_count; ++i) {
		const struct layered_move *move = &run->moves[i];
		const struct way *way = &run->ways[run->way_of[move->to]];
		const enum layer_class class = way->net.model->layers[way->net.model->order[move->to]].class_;
		const double bytes = item * move->redistribution.copy_items;
		if (class != LAYER_ADD && class != LAYER_CONCAT && class != LAYER_FLATTEN &&
			class != LAYER_RESHAPE)
			memory->activations_bytes += bytes;
		memory->communication_bytes = fmax(memory->communication_bytes, bytes);
	}
}

void layered_sum(const struct layered_run *run, struct paradl_estimate *estimate)
{
	struct stage_sums sums = {.layers = 0};
	const double times = run->micro_batches;
	double *phase = estimate->phase_s, moves_s = 0;
	kernels_sum(run, &sums);
	for (unsigned i = 0; i < run->move_count; ++i)
		moves_s += run->moves[i].redistribution.s[0] + run->moves[i].redistribution.s[1];
	phase[PARADL_FORWARD] = times * sums.forward_s;
	phase[PARADL_BACKWARD] = times * sums.backward_s;
	phase[PARADL_WEIGHT_UPDATE] = sums.update_s;
	phase[PARADL_ACTIVATION_EXCHANGE] =
		times * (sums.activation_s[PASS_FORWARD] + sums.activation_s[PASS_BACKWARD] + gathers_s(run) +
				moves_s);
	phase[PARADL_HALO_EXCHANGE] = times * (sums.halo_s[PASS_FORWARD] + sums.halo_s[PASS_BACKWARD]);
	gradients_sum(run, estimate);
	waiting_add(run, &sums, estimate);
	memory_fill(&run->ways[0].evaluation, &sums, 1, 0, &estimate->memory);
	moves_hold(run, &estimate->memory);
}

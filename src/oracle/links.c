/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchanges of layers and of replicas that go over the same links share them. Whether a group spans nodes tells its
 * links: groups across nodes meet at the ports of nodes, those inside at the links between devices.
 *
 * Links are filled during a step by layers of the device whose replicas' exchange is exposed most, by messages of its
 * stages, and by replicas.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oracle/replicas.h"

static enum link_reach reach_of(unsigned nodes)
{
	return nodes > 1 ? LINKS_ACROSS : LINKS_INSIDE;
}

enum link_reach replicas_reach(const struct evaluation *evaluation)
{
	return reach_of(evaluation->dense.nodes);
}

enum link_reach axis_reach(const struct evaluation *evaluation, enum paradl_axis axis)
{
	return reach_of(evaluation->nodes[axis]);
}

enum link_reach load_reach(const struct evaluation *evaluation, unsigned load)
{
	return load == LOAD_CUTS ? reach_of(evaluation->call_nodes)
				 : axis_reach(evaluation, (enum paradl_axis)(PARADL_EXPERT + load));
}

void layer_loads_add(const double *term, bool plain, double load_s[LAYER_LOADS][2])
{
	for (unsigned pass = 0; pass < 2; ++pass) {
		for (unsigned axis = 0; axis < TOKEN_AXES && !plain; ++axis)
			load_s[axis][pass] += term[STAGE_EXCHANGE_S + 2 * axis + pass];
		if (!plain)
			load_s[PARADL_CONTEXT - PARADL_EXPERT][pass] += term[STAGE_HIDDEN_S + pass];
		load_s[LOAD_CUTS][pass] += term[STAGE_LAYERWISE_S + pass] + term[STAGE_HALO_S + pass];
	}
	load_s[PARADL_TENSOR - PARADL_EXPERT][PASS_BACKWARD] += term[STAGE_AGAIN_EXCHANGE_S];
}

void layers_taken_add(const struct evaluation *evaluation, const double *term, bool plain, double taken_s[2])
{
	const enum link_reach reach = replicas_reach(evaluation);
	double load_s[LAYER_LOADS][2] = {{0}};
	layer_loads_add(term, plain, load_s);
	for (unsigned load = 0; load < LAYER_LOADS; ++load)
		for (unsigned pass = 0; pass < 2 && load_reach(evaluation, load) == reach; ++pass)
			taken_s[pass] += load_s[load][pass];
}

/* Adds the seconds of a stage whose layers have plans of their own, and of what is dealt out again between them. */
static void parts_taken_add(
	const struct evaluation *evaluation, const struct stage *stage, unsigned device, double taken_s[2])
{
	double between[STAGE_TERMS];
	memcpy(between, stage->term, sizeof between);
	for (struct part part = {0}; part_next(evaluation, device, NULL, &part);) {
		layers_taken_add(part.evaluation, part.sums, false, taken_s);
		for (unsigned i = STAGE_LAYERWISE_S; i <= STAGE_AGAIN_EXCHANGE_S; ++i)
			between[i] -= part.sums[i];
	}
	layers_taken_add(evaluation, between, true, taken_s);
}

void links_taken_add(
	const struct evaluation *evaluation, unsigned device, const struct stage *stage, double taken_s[2])
{
	if (evaluation->shares)
		parts_taken_add(evaluation, stage, device, taken_s);
	else
		layers_taken_add(evaluation, stage_repeated(stage)->term, stage->plain, taken_s);
	for (unsigned pass = 0;
		pass < 2 && axis_reach(evaluation, PARADL_PIPELINE) == replicas_reach(evaluation); ++pass)
		taken_s[pass] += stage->send_s[pass];
}

enum { LOADS_MAX = LAYER_LOADS + 3 };

static const double least_share = 1e-3; /* share of the step that a load must have to be told */

/* Loads as they are collected, and the sums of both kinds of links. */
struct loads {
	const struct result *result;
	struct paradl_link_load *list;
	size_t count;
	double sum_s[LINK_REACHES];
};

static void load_add(struct loads *loads, enum link_reach reach, const char *by, double seconds)
{
	const double step_s = loads->result->estimate.iteration_s;
	if (!(seconds > least_share * step_s))
		return;
	loads->list[loads->count++] = (struct paradl_link_load){
		.across = reach == LINKS_ACROSS, .by = by, .seconds = seconds, .share = seconds / step_s};
	loads->sum_s[reach] += seconds;
}

/* Returns the name of the axis whose exchanges these are; of axes that cut layers together, that of the last. */
static const char *load_name(const struct evaluation *evaluation, unsigned load)
{
	unsigned axis = PARADL_EXPERT + load;
	for (unsigned cut = PARADL_FILTER; load == LOAD_CUTS && cut < PARADL_AXIS_COUNT; ++cut)
		if (evaluation->axes & 1U << cut)
			axis = cut;
	return strategies[axis]->name;
}

static void stages_add(struct loads *loads)
{
	const struct evaluation *evaluation = &loads->result->evaluation;
	const struct step *step = &loads->result->step;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	double load_s[LAYER_LOADS][2] = {{0}}, sent_s = 0;
	for (unsigned i = 0; i < step->count; ++i) {
		const struct stage *stage = &evaluation->net->stages[i];
		if (schedule_device(&schedule, i) != step->exchange_device)
			continue;
		layer_loads_add(stage_repeated(stage)->term, stage->plain, load_s);
		sent_s += stage->send_s[PASS_FORWARD] + stage->send_s[PASS_BACKWARD];
	}
	for (unsigned load = 0; load < LAYER_LOADS; ++load)
		load_add(loads, load_reach(evaluation, load), load_name(evaluation, load),
			step->micro_batches * (load_s[load][PASS_FORWARD] + load_s[load][PASS_BACKWARD]));
	if (step->devices > 1)
		load_add(loads, axis_reach(evaluation, PARADL_PIPELINE), strategies[PARADL_PIPELINE]->name,
			step->micro_batches * sent_s);
}

/* Adds the messages of replicas, without what packs them. */
static void replicas_add(struct loads *loads)
{
	const struct evaluation *evaluation = &loads->result->evaluation;
	const struct step *step = &loads->result->step;
	const struct exposure *exchange = &step->exchange;
	const enum link_reach reach = replicas_reach(evaluation);
	const double packed_s = step->packing_s * (evaluation->plan.zero == 3 ? step->micro_batches : 1);
	const double weights_s = exchange->gathered_s + exchange->sharded_s;
	const double gradients_s = exchange->exposed_s + exchange->hidden_s - weights_s;
	load_add(loads, reach, "gradients", gradients_s - (evaluation->plan.zero == 3 ? 0 : packed_s));
	load_add(loads, reach, "weights", weights_s - (evaluation->plan.zero == 3 ? packed_s : 0));
}

static int load_compare(const void *a, const void *b)
{
	const struct paradl_link_load *one = a, *other = b;
	return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

/* Copies the loads of the fullest links, then those of the others, the largest of each first. */
static void loads_order(struct loads *loads, struct paradl_link_load *ordered)
{
	const bool inside_first = loads->sum_s[LINKS_INSIDE] > loads->sum_s[LINKS_ACROSS];
	size_t count = 0;
	qsort(loads->list, loads->count, sizeof *loads->list, load_compare);
	for (unsigned turn = 0; turn < LINK_REACHES; ++turn)
		for (size_t i = 0; i < loads->count; ++i)
			if (loads->list[i].across == ((turn == 0) != inside_first))
				ordered[count++] = loads->list[i];
}

bool links_explain(const struct result *result, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error)
{
	struct paradl_link_load list[LOADS_MAX];
	struct loads loads = {.result = result, .list = list};
	struct paradl_link_load *ordered = arena_alloc(arena, LOADS_MAX, sizeof *ordered);
	if (!ordered)
		return out_of_memory(error);
	stages_add(&loads);
	replicas_add(&loads);
	loads_order(&loads, ordered);
	explanation->loads = ordered;
	explanation->load_count = loads.count;
	return true;
}

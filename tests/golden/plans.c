/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that mostly run: degrees as networks have them, batches that are shared out, and now and then anything. */
#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

unsigned plan_replicas_of(const struct paradl_plan *plan)
{
	return plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

static void plan_begin(struct draw *draw, struct paradl_plan *plan)
{
	if (!paradl_plan_parse("serial", plan, NULL))
		give_up("serial is no plan");
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0 && draw_chance(draw, 85); --i) {
		const unsigned j = draw_between(draw, 0, i);
		const unsigned char swapped = plan->order[i];
		plan->order[i] = plan->order[j];
		plan->order[j] = swapped;
	}
}

static unsigned any_degree(struct draw *draw, unsigned most)
{
	const unsigned power = draw_power(draw, most);
	const unsigned any = draw_between(draw, 1, most);
	return draw_chance(draw, 75) ? power : any;
}

/* Large groups are few: on a network with routes each takes milliseconds. */
static unsigned replicas_draw(struct draw *draw, unsigned usual)
{
	const unsigned chance = draw_between(draw, 0, 99);
	return any_degree(draw, chance < 3 ? 16 * usual : chance < 15 ? 4 * usual : usual);
}

static void pieces_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	plan->degree[PARADL_SPATIAL] = 1;
	for (unsigned k = 0; k < subject->dimensions && k < 3; ++k) {
		plan->spatial[k] = any_degree(draw, 3);
		plan->degree[PARADL_SPATIAL] *= plan->spatial[k];
	}
}

static void image_degrees_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	if (draw_chance(draw, subject->tokens ? 3 : 20))
		pieces_draw(draw, subject, plan);
	if (draw_chance(draw, 20))
		plan->degree[PARADL_FILTER] = any_degree(draw, 16);
	if (draw_chance(draw, 15))
		plan->degree[PARADL_CHANNEL] = any_degree(draw, 8);
	if (draw_chance(draw, 30))
		plan->degree[PARADL_PIPELINE] = any_degree(draw, 8);
	if (draw_chance(draw, 3))
		plan->degree[PARADL_TENSOR] = 2;
	plan->degree[PARADL_DATA] = replicas_draw(draw, 64);
}

/* Returns a divisor of `of` that is at most `most`; of nothing 1. */
static unsigned divisor_draw(struct draw *draw, unsigned of, unsigned most)
{
	unsigned degree = draw_between(draw, 1, most);
	while (degree > 1 && of % degree)
		--degree;
	return degree;
}

static void token_degrees_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	const struct paradl_dimensions *const sizes = &subject->info.dimensions;
	if (draw_chance(draw, 50))
		plan->degree[PARADL_TENSOR] = any_degree(draw, 8);
	if (draw_chance(draw, 45))
		plan->degree[PARADL_PIPELINE] = divisor_draw(draw, (unsigned)sizes->blocks, 16);
	if (draw_chance(draw, 5))
		plan->degree[PARADL_PIPELINE] = any_degree(draw, 12);
	if (draw_chance(draw, 20) && subject->info.sequence > 0)
		plan->degree[PARADL_CONTEXT] = any_degree(draw, 8);
	if (sizes->experts > 0 && draw_chance(draw, 60))
		plan->degree[PARADL_EXPERT] = draw_power(draw, (unsigned)sizes->experts);
	if (draw_chance(draw, 3))
		plan->degree[PARADL_FILTER] = 2;
	plan->context = (enum paradl_context_method)draw_between(draw, 0, PARADL_CONTEXT_COUNT - 1);
	if (plan->degree[PARADL_CONTEXT] < 2)
		plan->context = PARADL_CONTEXT_RING;
	if (plan->degree[PARADL_TENSOR] > 1 && sizes->experts > 0)
		plan->expert_tensor = draw_chance(draw, 60);
	if (sizes->experts > 0)
		plan->dispatcher = (enum paradl_dispatcher)draw_between(draw, 0, PARADL_DISPATCHER_COUNT - 1);
	plan->degree[PARADL_DATA] = replicas_draw(draw, 32);
}

/* Halves degrees until the machine has devices for all. */
static void devices_fit(const struct subject *subject, struct paradl_plan *plan)
{
	for (unsigned axis = 0; paradl_plan_devices(plan) > subject->devices;
		axis = (axis + 1) % PARADL_SPATIAL) {
		plan->degree[axis] = (plan->degree[axis] + 1) / 2;
		if (axis > PARADL_DATA && plan->degree[PARADL_DATA] == 1 &&
			plan->degree[PARADL_SPATIAL] > 1) {
			plan->degree[PARADL_SPATIAL] = 1;
			memset(plan->spatial, 0, sizeof plan->spatial);
			plan->spatial[0] = plan->spatial[1] = plan->spatial[2] = 1;
		}
	}
	if (plan->degree[PARADL_TENSOR] < 2)
		plan->expert_tensor = false;
	if (plan->degree[PARADL_TENSOR] < 2 && plan->degree[PARADL_EXPERT] < 2)
		plan->dispatcher = PARADL_DISPATCHER_DEFAULT;
	if (plan->degree[PARADL_CONTEXT] < 2)
		plan->context = PARADL_CONTEXT_RING;
}

/* A pipeline has as many micro-batches as stages, or some times so many. */
static void batch_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	const unsigned micro = draw_power(draw, subject->tokens ? 4 : 16);
	unsigned rounds = draw_between(draw, 1, subject->tokens ? 4 : 8);
	if (stages > 1 && draw_chance(draw, 90))
		rounds = stages * draw_between(draw, 1, 3);
	if (draw_chance(draw, 4))
		rounds *= 16;
	plan->batch = (double)plan_replicas_of(plan) * micro * rounds;
	if (draw_chance(draw, 70))
		plan->micro = micro;
	if (draw_chance(draw, 12))
		plan->batch += draw_between(draw, 1, 10);
	if (draw_chance(draw, 2))
		plan->batch = draw_between(draw, 1, 64);
}

void plan_draw(struct draw *draw, const struct subject *subject, bool options, struct paradl_plan *plan)
{
	plan_begin(draw, plan);
	if (subject->tokens && !subject->options.ideal)
		token_degrees_draw(draw, subject, plan);
	else
		image_degrees_draw(draw, subject, plan);
	if (subject->options.ideal)
		plan->degree[PARADL_TENSOR] = 1;
	devices_fit(subject, plan);
	batch_draw(draw, subject, plan);
	if (options)
		plan_options_draw(draw, subject, plan);
}

/* ---- options ------------------------------------------------------------------------------------------------ */

/* Blocks shared out over the stages, some of them moved to a neighbour. */
static void split_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	const unsigned blocks = (unsigned)subject->info.dimensions.blocks;
	const unsigned chunks = plan->chunks ? plan->chunks : plan->schedule == PARADL_ZERO_BUBBLE_V ? 2 : 1;
	const unsigned stages = plan->degree[PARADL_PIPELINE] * chunks;
	if (!blocks || stages > PARADL_SPLIT_MAX || stages > blocks)
		return;
	plan->split_count = stages;
	for (unsigned i = 0; i < stages; ++i)
		plan->split[i] = (unsigned short)((i + 1) * blocks / stages - i * blocks / stages);
	for (unsigned moves = draw_between(draw, 0, 3); moves > 0; --moves) {
		const unsigned from = draw_between(draw, 0, stages - 1);
		const unsigned to = draw_between(draw, 0, stages - 1);
		if (plan->split[from] < 2)
			continue;
		--plan->split[from];
		++plan->split[to];
	}
}

static void schedule_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	const unsigned chunks = draw_between(draw, 2, 4);
	const bool splits = draw_chance(draw, 25);
	if (stages < 2)
		return;
	plan->schedule = (enum paradl_pipeline_schedule)draw_between(draw, 0, PARADL_SCHEDULE_COUNT - 1);
	if (plan->schedule == PARADL_INTERLEAVED)
		plan->chunks = chunks;
	while (plan->chunks > 2 && subject->tokens &&
		stages * plan->chunks > (unsigned)subject->info.dimensions.blocks)
		--plan->chunks;
	if (splits)
		split_draw(draw, subject, plan);
}

static void shard_draw(struct draw *draw, struct paradl_plan *plan)
{
	if (draw_chance(draw, 45))
		plan->zero = draw_between(draw, 1, 3);
	const unsigned replicas =
		plan_replicas_of(plan) * plan->degree[PARADL_CONTEXT] * plan->degree[PARADL_SPATIAL];
	const unsigned shard = divisor_draw(draw, replicas, 16);
	if (plan->zero && draw_chance(draw, 30))
		plan->shard = shard;
}

/* Draws a recomputation; cheap modules only where there are some. */
static enum paradl_recompute recompute_draw(struct draw *draw, const struct subject *subject)
{
	const unsigned last = subject->model->has_modules ? PARADL_RECOMPUTE_MODULES : PARADL_RECOMPUTE_FULL;
	return (enum paradl_recompute)draw_between(draw, 0, last);
}

void plan_options_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan)
{
	schedule_draw(draw, subject, plan);
	shard_draw(draw, plan);
	if (draw_chance(draw, 55))
		plan->recompute = recompute_draw(draw, subject);
	if (plan->recompute == PARADL_RECOMPUTE_FULL && draw_chance(draw, 25))
		plan->recompute_blocks = draw_between(draw, 1, 4);
	if (draw_chance(draw, 50))
		plan->sequence = plan->degree[PARADL_TENSOR] > 1;
	if (draw_chance(draw, 15))
		plan->offload = draw_between(draw, 1, 7);
	if (draw_chance(draw, 25))
		plan->apart = draw_between(draw, 1, 7);
	if (draw_chance(draw, 2))
		plan->shard = draw_between(draw, 1, 7); /* mostly refused */
	if (draw_chance(draw, 1))
		plan->sequence = true;
}

/* ---- parts of networks ---------------------------------------------------------------------------------------- */

static const enum paradl_axis image_axes[] = {
	PARADL_DATA, PARADL_DATA, PARADL_FILTER, PARADL_SPATIAL, PARADL_CHANNEL};
static const enum paradl_axis token_axes[] = {PARADL_DATA, PARADL_TENSOR, PARADL_CONTEXT, PARADL_EXPERT};

static void part_degrees_draw(
	struct draw *draw, const struct subject *subject, unsigned devices, struct paradl_plan *plan)
{
	const bool experts = subject->info.dimensions.experts > 0;
	const bool alone = draw_chance(draw, 40);
	for (unsigned left = devices; left > 1; left /= 2) {
		enum paradl_axis axis = DRAW_FROM(draw, image_axes);
		if (subject->tokens)
			axis = token_axes[draw_between(draw, 0, experts ? 3 : 2)];
		if (alone || draw_chance(draw, 40))
			axis = PARADL_DATA;
		const unsigned piece = draw_between(draw, 0, subject->dimensions > 1 ? 1 : 0);
		plan->degree[axis] *= 2;
		if (axis == PARADL_SPATIAL)
			plan->spatial[piece] *= 2;
	}
}

void part_plan_draw(
	struct draw *draw, const struct subject *subject, unsigned devices, struct paradl_plan *plan)
{
	plan_begin(draw, plan);
	part_degrees_draw(draw, subject, devices, plan);
	if (!subject->tokens)
		return;
	if (draw_chance(draw, 30))
		shard_draw(draw, plan);
	if (draw_chance(draw, 40))
		plan->recompute = recompute_draw(draw, subject);
	if (draw_chance(draw, 50))
		plan->sequence = plan->degree[PARADL_TENSOR] > 1;
	if (plan->degree[PARADL_TENSOR] > 1)
		plan->expert_tensor = draw_chance(draw, 50) && subject->info.dimensions.experts > 0;
	if (plan->degree[PARADL_CONTEXT] > 1)
		plan->context = (enum paradl_context_method)draw_between(draw, 0, PARADL_CONTEXT_COUNT - 1);
}

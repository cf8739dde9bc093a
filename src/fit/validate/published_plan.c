/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes plans from the degrees and options of published rows.
 *
 *     placement   pipeline outermost, then data, expert, context, tensor: Megatron's and DeepSpeed's order of ranks
 *     dp          is the degree of layers without experts: data x expert. Experts are distributed over `ep` devices
 *                 of dp x tp: where the tensor axis can take part (Megatron-Core's expert tensor size 1)
 *                 expert = ep / tp, else expert = ep
 *     selective   recomputation is Megatron's, of attention scores; some programs mean a share of whole blocks
 *     dispatcher  comes from aliases of the program and its GPU where it is empty, else from the framework
 *     vpp         was not printed where it is empty (published_blanks.c), unless the program is known to put each
 *                 block into a stage of its own
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/published.h"
#include "plan/plan_text.h"

static const unsigned char placement[PARADL_AXIS_COUNT] = {PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT,
	PARADL_CONTEXT, PARADL_TENSOR, PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};

static bool degrees_fill(const struct published *row, struct paradl_plan *plan, struct paradl_error *failure)
{
	const double devices = row->tensor * row->pipeline * row->context * row->data;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		plan->degree[axis] = 1;
	for (unsigned i = 0; i < 3; ++i)
		plan->spatial[i] = 1;
	memcpy(plan->order, placement, sizeof placement);
	if (devices < row->gpus || devices > row->gpus)
		return error_set(failure, PARADL_SCHEMA,
			"tp %g x pp %g x cp %g x dp %g are %g devices, but \"gpus\" says %g", row->tensor,
			row->pipeline, row->context, row->data, devices, row->gpus);
	plan->degree[PARADL_DATA] = (unsigned)row->data;
	plan->degree[PARADL_PIPELINE] = (unsigned)row->pipeline;
	plan->degree[PARADL_CONTEXT] = (unsigned)row->context;
	plan->degree[PARADL_TENSOR] = (unsigned)row->tensor;
	return true;
}

/* Takes a degree of experts out of the data axis; false where that is not whole or does not divide it. */
static bool take_experts(struct paradl_plan *plan, double degree)
{
	if (!(degree >= 1) || degree > plan->degree[PARADL_DATA] || degree > floor(degree))
		return false;
	if (plan->degree[PARADL_DATA] % (unsigned)degree != 0)
		return false;
	plan->degree[PARADL_EXPERT] = (unsigned)degree;
	plan->degree[PARADL_DATA] /= (unsigned)degree;
	return true;
}

/*
 * Takes experts that need a part of the context axis, too: the least part with which the data and tensor axes have
 * room for the rest. Adds a word, since such experts are not modelled as they are.
 */
static bool take_folded(struct published *row, struct paradl_plan *plan)
{
	static const struct published_word word = {
		"ep", "over the context axis", "", "taken as copies of fewer experts on each device of it"};
	for (unsigned part = 2; part <= row->context; ++part) {
		if (plan->degree[PARADL_CONTEXT] % part != 0 ||
			!take_experts(plan, row->expert / row->tensor / part))
			continue;
		published_word_add(row, &word);
		return true;
	}
	return false;
}

static bool experts_fill(struct published *row, struct paradl_plan *plan, struct paradl_error *failure)
{
	if (!(row->experts > 0))
		return true;
	if (row->expert > 1 && take_experts(plan, row->expert / row->tensor))
		return true;
	plan->expert_tensor = row->tensor > 1;
	if (!(row->expert > 1) || take_experts(plan, row->expert))
		return true;
	plan->expert_tensor = false;
	return take_folded(row, plan) ||
	       error_set(failure, PARADL_SCHEMA, "ep %g does not divide the %g x %g devices of dp and tp",
		       row->expert, row->data, row->tensor);
}

static void schedule_fill(
	const struct published *row, const struct aliases *aliases, struct paradl_plan *plan)
{
	static const struct {
		const char *name;
		enum paradl_pipeline_schedule schedule;
	} schedules[] = {
		{"gpipe", PARADL_GPIPE},
		{"zero-bubble", PARADL_ZERO_BUBBLE},
		{"zero-bubble-2p", PARADL_ZERO_BUBBLE_2P},
		{"zero-bubble-v", PARADL_ZERO_BUBBLE_V},
	};
	if (row->is_image || !(row->pipeline > 1))
		return;
	double chunks = row->chunks;
	if (!(chunks > 0) && alias_find(aliases, "block-stages", row->setup))
		chunks = floor(row->layers / row->pipeline);
	plan->schedule = chunks > 1 ? PARADL_INTERLEAVED : PARADL_1F1B;
	plan->chunks = chunks > 1 ? (unsigned)chunks : 0;
	const struct alias *alias = alias_find(aliases, "schedule", row->framework);
	for (size_t i = 0; alias && i < sizeof schedules / sizeof *schedules; ++i)
		if (strcmp(schedules[i].name, alias->name) == 0) {
			plan->schedule = schedules[i].schedule;
			plan->chunks = 0;
		}
}

/*
 * Fills in how tokens travel to their experts: as the row says, or as its program is known to do on its GPU.
 * Returns false where that is not modelled.
 */
static bool dispatcher_fill(const struct published *row, const struct aliases *aliases,
	struct paradl_plan *plan, struct paradl_error *failure)
{
	char quoted[80];
	const struct alias *alias = alias_find(aliases, "dispatcher", row->program);
	const char *name = *row->dispatcher ? row->dispatcher : alias ? alias->name : "";
	const bool travels = plan->degree[PARADL_EXPERT] > 1 || plan->degree[PARADL_TENSOR] > 1;
	if (!*name || !(row->experts > 0) || !travels)
		return true;
	for (unsigned i = PARADL_DISPATCHER_ALL_TO_ALL; i < PARADL_DISPATCHER_COUNT; ++i)
		if (strcmp(plan_dispatchers[i], name) == 0) {
			plan->dispatcher = (enum paradl_dispatcher)i;
			return true;
		}
	return error_set(failure, PARADL_SCHEMA, "column \"dispatcher\": %s is not modelled",
		error_quote(quoted, sizeof quoted, name));
}

/*
 * Gives the first and the last stage one block less, in place of embedding and head, where notes say so
 * ("short-ends").
 */
static void split_fill(const struct published *row, const struct aliases *aliases, struct paradl_plan *plan)
{
	const unsigned stages = plan->degree[PARADL_PIPELINE] * (plan->chunks ? plan->chunks : 1);
	const unsigned blocks = (unsigned)row->layers + 2;
	if (stages < 2 || stages > PARADL_SPLIT_MAX || blocks % stages != 0 ||
		!alias_find(aliases, "short-ends", row->notes))
		return;
	plan->split_count = stages;
	for (unsigned i = 0; i < stages; ++i)
		plan->split[i] = (unsigned short)(blocks / stages - (i == 0) - (i == stages - 1));
}

/* Fills what the row recomputes, as it says or as its program usually does; "cheap": anything but whole blocks. */
static void recompute_fill(struct published *row, const struct aliases *aliases, struct paradl_plan *plan)
{
	static const char *const names[] = {"none", "selective", "full", "modules"};
	const struct alias *alias = alias_find(aliases, "noted-recompute", row->notes);
	if (!alias)
		alias = *row->recompute ? alias_find(aliases, "recompute", row->recompute)
					: alias_find(aliases, "usual-recompute", row->setup);
	for (unsigned i = 0; alias && i < sizeof names / sizeof *names; ++i)
		if (strcmp(alias->name, names[i]) == 0)
			plan->recompute = (enum paradl_recompute)(PARADL_RECOMPUTE_NONE + i);
	row->recomputes_blocks = !alias || strcmp(alias->name, "cheap") != 0;
	const double part = alias_value(aliases, "selective", row->setup, 0);
	if (plan->recompute != PARADL_RECOMPUTE_SELECTIVE || !(part > 0))
		return;
	const double blocks = ceil(row->layers / row->pipeline * part);
	plan->recompute = PARADL_RECOMPUTE_FULL;
	plan->recompute_blocks = blocks >= 1 ? (unsigned)blocks : 1;
}

bool published_plan(struct published *row, const struct aliases *aliases, struct paradl_plan *plan,
	struct paradl_error *failure)
{
	*plan = (struct paradl_plan){.batch = row->batch};
	if (!(row->batch > 0))
		return error_set(failure, PARADL_SCHEMA, "column \"gbs\": is empty");
	if (!degrees_fill(row, plan, failure) || !experts_fill(row, plan, failure))
		return false;
	if (row->is_image)
		return true;
	plan->micro = row->micro;
	plan->zero = (unsigned)row->zero;
	plan->sequence = row->sequence && row->tensor > 1;
	const double shard = floor(alias_value(aliases, "shard", row->notes, 0) / row->tensor);
	if (plan->zero && shard >= 1 && shard < row->data)
		plan->shard = (unsigned)shard;
	schedule_fill(row, aliases, plan);
	split_fill(row, aliases, plan);
	recompute_fill(row, aliases, plan);
	return dispatcher_fill(row, aliases, plan, failure);
}

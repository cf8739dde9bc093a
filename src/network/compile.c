/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The listener that compiles: copies of a group, steps, forks, and the sum. */
#include <limits.h>

#include "network/compiler.h"

enum { PAIRS_MAX = 1 << 21 };

static void flows_begin(struct compiler *compiler)
{
	compiler->step.fresh = false;
	compiler->touched_count = 0;
	++compiler->stamp;
	for (unsigned s = 0; compiler->step.ring && s < compiler->siblings; ++s)
		compiler->trips[s] = (struct trip){0};
}

static unsigned device_of(const struct compiler *compiler, unsigned sibling, unsigned rank)
{
	const unsigned place = compiler->base[sibling] + compiler->offset[rank];
	return compiler->group->placement ? compiler->group->placement[place] : place;
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct compiler *compiler = (struct compiler *)schedule;
	if (from == to || !(share > 0) || !compiler->step.open)
		return;
	if (compiler->step.fresh)
		flows_begin(compiler);
	struct trip *trips = compiler->step.ring && compiler->pipelines ? compiler->trips : NULL;
	for (unsigned s = 0; s < compiler->siblings; ++s)
		flow_add(compiler, device_of(compiler, s, from), device_of(compiler, s, to), share,
			trips ? trips + s : NULL);
}

/*
 * Too many pairs to route: the links of a kind share what flows from evenly chosen ranks to all others put on them,
 * scaled to all ranks. A lower bound of the largest load, exact where links of a kind are loaded alike.
 */
static void pairs_bound(struct compiler *compiler, double share)
{
	const unsigned size = compiler->group->size;
	const unsigned sources = PAIRS_MAX / 2 / size > 1 ? PAIRS_MAX / 2 / size : 1;
	const double scale = (double)size * compiler->siblings / sources;
	const struct graph *graph = compiler->graph;
	double crossings[LINK_KINDS] = {0}, links[LINK_KINDS] = {0};
	for (unsigned i = 0; i < sources; ++i) {
		const unsigned from = (unsigned)((double)i * size / sources);
		for (unsigned to = 0; to < size; ++to)
			if (to != from)
				flow_add(compiler, device_of(compiler, i % compiler->siblings, from),
					device_of(compiler, i % compiler->siblings, to), share, NULL);
	}
	for (unsigned i = 0; i < graph->cable_count; ++i)
		links[graph->cables[i].kind] += graph->cables[i].one_way ? 1 : graph->ways;
	for (unsigned i = 0; i < compiler->touched_count; ++i)
		crossings[graph->cables[compiler->touched[i] / graph->ways].kind] +=
			compiler->loads[compiler->touched[i]].share;
	for (unsigned i = 0; i < compiler->touched_count; ++i) {
		const unsigned kind = graph->cables[compiler->touched[i] / graph->ways].kind;
		const double in_use = links[kind] * compiler->group->devices / graph->devices;
		compiler->loads[compiler->touched[i]].share = crossings[kind] * scale / in_use;
	}
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct compiler *compiler = (struct compiler *)schedule;
	const unsigned size = compiler->group->size;
	if (compiler->step.fresh)
		flows_begin(compiler);
	if ((double)size * size * compiler->siblings > PAIRS_MAX) {
		pairs_bound(compiler, share);
		return;
	}
	for (unsigned from = 0; from < size; ++from)
		for (unsigned to = 0; to < size; ++to)
			on_flow(schedule, from, to, share);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static struct times *current(struct compiler *compiler)
{
	return &compiler->stack[compiler->depth];
}

/*
 * Start-ups of one trip around a pipelined ring, in the slowest copy: of its p hops all but the longest, which no piece
 * needs to take. Where a copy has several rings (one in each node) they are alike, so that their mean stands for each.
 */
static double trip_s(const struct compiler *compiler)
{
	const double ring = compiler->step.ring;
	double slowest_s = 0;
	for (unsigned s = 0; s < compiler->siblings; ++s) {
		const struct trip *trip = &compiler->trips[s];
		if (!(trip->flows > 0))
			continue;
		const double mean_s = trip->sum_s / trip->flows * ring - trip->most_s;
		const double least_s = trip->least_s * (ring - 1);
		const double here_s = mean_s > least_s ? mean_s : least_s;
		slowest_s = here_s > slowest_s ? here_s : slowest_s;
	}
	return slowest_s;
}

/* What the busiest device does besides, and a pipelined ring's start-ups, spread over the steps of a trip. */
static struct line besides(const struct compiler *compiler)
{
	const struct step *step = &compiler->step;
	const struct machine_network *rules = compiler->network->rules;
	struct line line = {step->wait_s, step->reduce_share * rules->reduce_s_per_byte +
						  step->memory_share * compiler->network->memory_s_per_byte};
	if (step->ring > 1 && compiler->pipelines && !step->fresh)
		line.a_s += trip_s(compiler) / (step->ring - 1);
	return line;
}

static void step_close(struct compiler *compiler)
{
	struct step *step = &compiler->step;
	struct times times = step->flows;
	if (!step->open)
		return;
	for (unsigned i = 0; !step->fresh && i < compiler->touched_count; ++i) {
		const unsigned link = compiler->touched[i];
		const struct load *load = &compiler->loads[link];
		const double s_per_byte = load->share * compiler->s_per_byte[link];
		hull_include(&times.upper, (struct line){load->most_s, s_per_byte});
		hull_include(&times.lower, (struct line){load->least_s, s_per_byte});
		if (!(compiler->carried[link] > 0))
			compiler->ever[compiler->ever_count++] = link;
		compiler->carried[link] += load->share * step->repeat;
	}
	const struct hull beside = {.count = 1, .lines = {besides(compiler)}};
	hull_add(&times.upper, &beside, 1);
	hull_add(&times.lower, &beside, 1);
	hull_add(&current(compiler)->upper, &times.upper, step->repeat);
	hull_add(&current(compiler)->lower, &times.lower, step->repeat);
	compiler->steps += step->repeat;
	step->open = false;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->step = (struct step){
		.repeat = repeat, .ring = ring, .open = repeat > 0, .fresh = true, .scale = 1, .last_s = -1};
}

/*
 * Links keep the loads of a step until the first flow of the next, so that a step like it costs no routes. Protocols look
 * at the bytes of each message, so then flows have to be told. `scale` is of the step that was told, not of its last echo.
 */
static bool on_again(struct schedule *schedule, double scale, double repeat)
{
	struct compiler *compiler = (struct compiler *)schedule;
	const struct step before = compiler->step;
	if (before.fresh || !before.open || compiler->network->rules->protocol_count)
		return false;
	const double told = before.scale;
	on_step(schedule, repeat, before.ring);
	struct step *step = &compiler->step;
	step->flows = before.flows;
	step->scale = scale;
	scale /= told;
	hull_scale(&step->flows.upper, scale);
	hull_scale(&step->flows.lower, scale);
	step->reduce_share = scale * before.reduce_share;
	step->memory_share = scale * before.memory_share;
	step->wait_s = before.wait_s;
	step->fresh = false;
	for (unsigned i = 0; i < compiler->touched_count; ++i)
		compiler->loads[compiler->touched[i]].share *= scale;
	return true;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	(void)schedule;
	(void)name;
}

static void on_reduce(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.reduce_share = share;
}

static void on_memory(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.memory_share = share;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	((struct compiler *)schedule)->step.wait_s = seconds;
}

/* A fork takes two places of the stack: what is before it stays, each branch starts from nothing. */
static void on_fork(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->stack[++compiler->depth] = (struct times){0};
}

static void on_branch(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->stack[++compiler->depth] = (struct times){0};
}

static void on_join(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	struct times *first = &compiler->stack[compiler->depth - 1], *second = current(compiler);
	hull_max(&first->upper, &second->upper);
	hull_max(&first->lower, &second->lower);
	compiler->depth -= 2;
	hull_add(&current(compiler)->upper, &first->upper, 1);
	hull_add(&current(compiler)->lower, &first->lower, 1);
}

static const struct schedule_listener listener = {
	.phase = on_phase,
	.step = on_step,
	.again = on_again,
	.flow = on_flow,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
};

/* ---- a schedule ------------------------------------------------------------------------------------------------ */

static unsigned common_multiple(unsigned a, unsigned b)
{
	unsigned x = a, y = b;
	while (y) {
		const unsigned rest = x % y;
		x = y;
		y = rest;
	}
	return a / x * b;
}

/*
 * Places after which copies and domains both begin anew: a multiple of the block a copy spans, and of every domain or a
 * part of it. What copies beyond do is a shift of what those before did.
 */
static unsigned period(const struct compiler *compiler, const struct group *group)
{
	const struct graph *graph = compiler->graph;
	const struct run *last = &group->runs[group->run_count - 1];
	const unsigned all = group->devices;
	if (!compiler->times_only || group->placement || !group->run_count)
		return all;
	unsigned window = last->stride * last->degree;
	for (unsigned i = 0; i < group->silent_count; ++i)
		window = common_multiple(window, group->silent[i].stride * group->silent[i].degree);
	for (unsigned l = 0; l < graph->domain_count && window < all; ++l)
		if (graph->domain[l] % window)
			window = common_multiple(window, graph->domain[l]);
	return window < all ? window : all;
}

static void members_place(struct compiler *compiler, const struct group *group)
{
	compiler->group = group;
	for (unsigned rank = 0; rank < group->size; ++rank)
		compiler->offset[rank] = group_offset(group, rank);
	compiler->siblings = group_copies(group, period(compiler, group), compiler->base);
}

bool compile(struct compiler *compiler, const struct group *group, const struct party *party,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled)
{
	*compiled = (struct compiled){.hottest = UINT_MAX};
	if (group->size < 2)
		return true;
	if (variant >= collective->variants(party))
		return false;
	members_place(compiler, group);
	compiler->schedule.listener = &listener;
	compiler->bytes = bytes;
	compiler->pipelines = !compiler->network->rules->synchronous;
	compiler->lanes = party->nodes == 1 && party->channels > 1 ? party->channels : 1;
	compiler->message = collective->operation == POINT_TO_POINT;
	compiler->step = (struct step){.fresh = true};
	compiler->touched_count = 0;
	compiler->depth = 0;
	compiler->steps = 0;
	compiler->stack[0] = (struct times){0};
	collective->tell(party, variant, &compiler->schedule);
	step_close(compiler);
	compiled->upper = compiler->stack[0].upper;
	compiled->lower = compiler->stack[0].lower;
	compiled->steps = compiler->steps;
	links_sum(compiler, compiled);
	return true;
}

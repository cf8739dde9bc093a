/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The listener that compiles a schedule: it places the copies of a group, adds up steps and forks, and returns the
 * sum. compile.h has the formula of a step; link_load.c routes its messages and takes the maximum over their links.
 *     T = sum over steps, as often as they are repeated, of
 *         T_step + seconds in which the busiest device combines, copies and waits
 * A pipelined ring pays its start-ups once for each trip around it. Of a fork the longer branch counts.
 */
#include <limits.h>

#include "network/cost/compiler.h"

void run_route(struct compiler *compiler, const struct emitted *run)
{
	struct trip *trips = compiler->step.ring && compiler->pipelines ? compiler->trips : NULL;
	for (unsigned i = 0; i < run->count; ++i) {
		const unsigned from = run->from + i * run->from_stride, to = run->to + i * run->to_stride;
		const unsigned *devices = compiler->devices;
		for (unsigned s = 0; s < compiler->siblings; ++s, devices += compiler->size)
			if (trips)
				flow_add(compiler, devices[from], devices[to], run->share, trips + s);
			else
				flow_join(compiler, devices[from], devices[to], run->share);
	}
}

static void on_run(struct schedule *schedule, unsigned from, unsigned to, double share, unsigned count,
	unsigned from_stride, unsigned to_stride)
{
	struct compiler *compiler = (struct compiler *)schedule;
	const struct emitted run = {.from = from,
		.to = to,
		.count = count,
		.from_stride = from_stride,
		.to_stride = to_stride,
		.share = share};
	if (from == to || !(share > 0) || count == 0 || !compiler->step.open)
		return;
	if (compiler->load_count > 0 || !memo_emit(compiler, &run))
		run_route(compiler, &run);
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	on_run(schedule, from, to, share, 1, 0, 0);
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct compiler *compiler = (struct compiler *)schedule;
	memo_give_up(compiler);
	if (share > 0 && compiler->step.open)
		pairs_add(compiler, share);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static struct times *current(struct compiler *compiler)
{
	return &compiler->stack[compiler->depth];
}

/*
 * Returns the time of the busiest device beyond its messages, and of a pipelined ring's start-ups, spread over the
 * steps of a trip.
 */
static struct line besides(const struct compiler *compiler)
{
	const struct step *step = &compiler->step;
	const struct machine_network *rules = compiler->network->rules;
	struct line line = {step->wait_s, step->reduce_share * rules->reduce_s_per_byte +
						  step->memory_share * compiler->network->memory_s_per_byte};
	if (step->ring > 1)
		line.a_s += step->trip_s / (step->ring - 1);
	return line;
}

/*
 * Adds to the sum, `repeat` times, the hull of a step whose shares are `scale` times as large, and the time in
 * `extra`.
 */
static void hull_sum(
	struct hull *sum, const struct hull *hull, struct line extra, double scale, double repeat)
{
	struct hull scaled = *hull;
	const struct hull more = {.count = 1, .lines = {extra}};
	hull_scale(&scaled, scale);
	hull_add(&scaled, &more, 1);
	hull_add(sum, &scaled, repeat);
}

void step_know(struct compiler *compiler, struct times times)
{
	struct step *step = &compiler->step;
	step->times = times;
	step->trip_s = step->ring > 1 && compiler->pipelines
			       ? trips_s(compiler->trips, compiler->siblings, step->ring)
			       : 0;
}

/*
 * Adds the last repetition of the current step to the sum. The first repetition also finds the step's times; its
 * links then have carried `carried` times their load.
 */
static void repetition_sum(struct compiler *compiler, double carried)
{
	struct step *step = &compiler->step;
	if (!step->known) {
		step->known = true;
		if (compiler->emitted_count > 0)
			memo_know(compiler);
		else
			step_know(compiler, flows_times(compiler, compiler->memos ? 0 : carried));
		step->emitted_reduce_share = step->reduce_share;
		step->emitted_memory_share = step->memory_share;
	}
	const struct line extra = besides(compiler);
	struct times *sum = current(compiler);
	hull_sum(&sum->upper, &step->times.upper, extra, step->scale, step->repeat);
	hull_sum(&sum->lower, &step->times.lower, extra, step->scale, step->repeat);
	compiler->steps += step->repeat;
	step->carried += step->repeat * step->scale;
}

static void step_close(struct compiler *compiler)
{
	struct step *step = &compiler->step;
	if (!step->open)
		return;
	const bool repeated = step->known;
	repetition_sum(compiler, step->repeat);
	for (unsigned i = 0; !compiler->memos && repeated && i < compiler->load_count; ++i)
		link_carry(compiler, compiler->loads[i].link, compiler->loads[i].share * step->carried);
	step->open = false;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->step =
		(struct step){.repeat = repeat, .scale = 1, .ring = ring, .open = repeat > 0, .last_s = -1};
	flows_begin(compiler);
	for (unsigned s = 0; ring && s < compiler->siblings; ++s)
		compiler->trips[s] = (struct trip){0};
}

static void on_reduce(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.reduce_share = share;
}

/*
 * Begins a repetition of the current step. False where there are protocols: they look at the bytes of each message,
 * so the flows have to be told.
 */
static bool on_again(struct schedule *schedule, double scale, double repeat)
{
	struct compiler *compiler = (struct compiler *)schedule;
	struct step *step = &compiler->step;
	if (!step->open || compiler->network->rules->protocol_count)
		return false;
	repetition_sum(compiler, 0);
	step->repeat = repeat;
	step->scale = scale;
	step->reduce_share = scale * step->emitted_reduce_share;
	step->memory_share = scale * step->emitted_memory_share;
	return true;
}

/* Adds all rounds of shifts to the sum, as `pairs` has them. */
static void shifts_sum(struct compiler *compiler, double share, double reduce)
{
	const struct pairs *pairs = &compiler->pairs;
	const double steps = compiler->size - 1.0;
	const struct line extra = {0, steps * reduce * compiler->network->rules->reduce_s_per_byte};
	struct times *sum = current(compiler);
	hull_sum(&sum->upper, &pairs->shifts.upper, extra, share, 1);
	hull_sum(&sum->lower, &pairs->shifts.lower, extra, share, 1);
	compiler->steps += steps;
	for (unsigned i = 0; !compiler->memos && i < pairs->count; ++i)
		link_carry(compiler, pairs->links[i], pairs->loads[pairs->links[i]].share * share);
}

static bool on_rounds(
	struct schedule *schedule, unsigned size, enum rounds rounds, double share, double reduce)
{
	struct compiler *compiler = (struct compiler *)schedule;
	const unsigned every = rounds_every(compiler), first = (every + 1) / 2,
		       count = (size - 1 - first) / every + 1;
	if (size != compiler->size)
		return false;
	step_close(compiler);
	if (rounds == ROUNDS_SHIFT && every == 1 && pairs_learn(compiler, true)) {
		shifts_sum(compiler, share, reduce);
		return true;
	}
	if (compiler->links_only && every > 1) {
		on_step(schedule, 1, 0); /* links carry as much when all rounds are at once */
		pairs_add(compiler, share);
		compiler->steps += size - 2.0;
		return true;
	}
	for (unsigned by = first; by < size; by += every) {
		on_step(schedule, (size - 1.0) / count, 0);
		round_add(compiler, rounds, by, share);
		on_reduce(schedule, reduce);
	}
	return true;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	(void)schedule;
	(void)name;
}

static void on_memory(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.memory_share = share;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	((struct compiler *)schedule)->step.wait_s = seconds;
}

/*
 * Begins a fork, which takes two places of the stack: the time before the fork stays, and each branch starts from
 * nothing.
 */
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
	.rounds = on_rounds,
	.flow = on_flow,
	.run = on_run,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
};

/* ---- a schedule ------------------------------------------------------------------------------------------------ */

/* Returns the least common multiple of two numbers, or `most` where it is not below that. */
static unsigned common_multiple(unsigned a, unsigned b, unsigned most)
{
	const unsigned others = a / common_divisor(a, b);
	const double multiple = (double)others * b;
	return multiple < most ? (unsigned)multiple : most;
}

/*
 * Returns the number of places after which copies and domains both begin anew: a multiple of the block that a copy
 * spans, and a multiple or a divisor of every domain. Copies beyond these places are shifts of those before.
 */
static unsigned period(const struct compiler *compiler, const struct group *group)
{
	const struct graph *graph = compiler->graph;
	const struct run *last = &group->runs[group->run_count - 1];
	const unsigned all = group->devices;
	const bool moves = compiler->times_only || (compiler->memos && graph->tile);
	if (!moves || group->placement || !group->run_count)
		return all;
	unsigned window = last->stride * last->degree;
	if (!compiler->times_only)
		return common_multiple(window, graph->tile, all);
	if (graph->cell)
		window = common_multiple(window, graph->cell, all);
	for (unsigned i = 0; i < group->silent_count; ++i)
		window = common_multiple(window, group->silent[i].stride * group->silent[i].degree, all);
	for (unsigned l = 0; l < graph->domain_count && window > 0 && window < all; ++l)
		if (graph->domain[l] % window)
			window = common_multiple(window, graph->domain[l], all);
	return window > 0 && window < all ? window : all;
}

/* Finds the device of every member of all copies; returns whether these are where they were before. */
static bool members_place(struct compiler *compiler, const struct group *group)
{
	const unsigned size = group->size;
	const unsigned room = compiler->graph->devices - group_offset(group, size - 1);
	const unsigned window = period(compiler, group);
	const unsigned siblings = group_copies(group, window < room ? window : room, compiler->base);
	bool same = size == compiler->size && siblings == compiler->siblings;
	compiler->turn = compiler->apart = 0;
	if (group->run_count > 0 && !group->placement) {
		const struct run *last = &group->runs[group->run_count - 1];
		compiler->turn = size / last->degree;
		compiler->apart = last->stride;
	}
	for (unsigned rank = 0; rank < size; ++rank) {
		const unsigned offset = group_offset(group, rank);
		for (unsigned s = 0; s < siblings; ++s) {
			const unsigned place = compiler->base[s] + offset;
			const unsigned device = group->placement ? group->placement[place] : place;
			unsigned *known = &compiler->devices[(size_t)s * size + rank];
			same = same && *known == device;
			*known = device;
		}
	}
	compiler->pairs.known = compiler->pairs.known && same;
	compiler->copies.looked = compiler->copies.looked && same;
	compiler->placed = *group;
	compiler->placed_whole = !compiler->memos;
	compiler->size = size;
	compiler->siblings = siblings;
	compiler->end = group->placement ? compiler->graph->devices
					 : compiler->base[siblings - 1] + group_offset(group, size - 1) + 1;
	compiler->active = window < group->devices ? window : group->devices;
	return same;
}

/* Returns whether members are still placed as for this group, which other algorithms have asked about. */
static bool members_stay(const struct compiler *compiler, const struct group *group)
{
	const struct group *placed = &compiler->placed;
	return !group->placement && !placed->placement && compiler->placed_whole == !compiler->memos &&
	       group->size == placed->size && group->devices == placed->devices &&
	       group->concurrent == placed->concurrent && group->run_count == placed->run_count &&
	       group->silent_count == placed->silent_count &&
	       memcmp(group->runs, placed->runs, group->run_count * sizeof *group->runs) == 0 &&
	       memcmp(group->silent, placed->silent, group->silent_count * sizeof *group->silent) == 0;
}

bool compile(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled)
{
	*compiled = (struct compiled){.hottest = UINT_MAX};
	if (group->size < 2)
		return true;
	if (variant >= collective->variants(comm))
		return false;
	const bool same = members_stay(compiler, group) || members_place(compiler, group);
	compiler->schedule.listener = &listener;
	compiler->schedule.reorders = compiler->memos != NULL;
	compiler->bytes = bytes;
	compiler->pipelines = !compiler->network->rules->synchronous;
	compiler->lanes = comm->nodes == 1 && comm->channels > 1 ? comm->channels : 1;
	compiler->message = collective->operation == POINT_TO_POINT;
	compiler->step = (struct step){0};
	compiler->load_count = 0;
	compiler->depth = 0;
	compiler->steps = 0;
	compiler->stack[0] = (struct times){0};
	memo_begin(compiler, same);
	trunks_begin(compiler);
	collective->emit(comm, variant, &compiler->schedule);
	step_close(compiler);
	compiled->upper = compiler->stack[0].upper;
	compiled->lower = compiler->stack[0].lower;
	compiled->steps = compiler->steps;
	links_sum(compiler, compiled);
	return true;
}

bool compile_whole(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled)
{
	struct memo *const memos = compiler->memos;
	const bool times_only = compiler->times_only;
	compiler->memos = NULL;
	compiler->times_only = false;
	const bool applies = compile(compiler, group, comm, collective, variant, bytes, compiled);
	compiler->memos = memos;
	compiler->times_only = times_only;
	return applies;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traffic from every rank to every other. All rounds of a group are routed once and kept, as several algorithms do
 * them, in turn or all at once, at other sizes. Where that would be too many flows, some stand for all.
 */
#include "network/cost/compiler.h"

/* Messages that are all routed, at most; those of the rounds that stand for more; messages that are all at once. */
enum { ROUND_FLOWS_MAX = 1 << 23, ROUND_FLOWS_SOME = 1 << 20, PAIRS_MAX = 1 << 21 };

static double pair_count(const struct compiler *compiler)
{
	return (double)compiler->size * compiler->size * compiler->siblings;
}

static bool is_prime(unsigned number)
{
	for (unsigned i = 2; i * i <= number; ++i)
		if (number % i == 0)
			return false;
	return true;
}

/*
 * Returns n, where only every nth round is routed and stands for those around it. If n shared a factor with the
 * devices of a node, a line or a leaf, or were next to a multiple of them, the same places of these would meet round
 * after round: it is a prime, 3 more than a multiple of 8.
 */
unsigned rounds_every(const struct compiler *compiler)
{
	const double flows = (double)compiler->size * compiler->placed.devices;
	unsigned every = 11;
	while (every < flows / ROUND_FLOWS_SOME || !is_prime(every))
		every += 8;
	return flows > ROUND_FLOWS_MAX ? every : 1;
}

void round_add(struct compiler *compiler, enum rounds rounds, unsigned by, double share)
{
	const unsigned size = compiler->size;
	for (unsigned s = 0; s < compiler->siblings; ++s) {
		const unsigned *devices = compiler->devices + (size_t)s * size;
		for (unsigned from = 0, to = by; from < size; ++from, ++to) {
			to = to < size ? to : 0;
			flow_join(compiler, devices[from], devices[rounds == ROUNDS_SHIFT ? to : from ^ by],
				share);
		}
	}
}

/* ---- what is kept --------------------------------------------------------------------------------------------- */

static void pairs_forget(struct pairs *pairs)
{
	for (unsigned i = 0; i < pairs->count; ++i)
		pairs->loads[pairs->links[i]] = (struct pair_load){0};
	pairs->count = 0;
	pairs->shifts = pairs->flows = (struct times){0};
}

/* Adds the loads of a round to those of `pairs`. */
static void loads_collect(struct compiler *compiler)
{
	struct pairs *pairs = &compiler->pairs;
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		const struct load *load = &compiler->loads[i];
		const unsigned link = load->link;
		struct pair_load *sum = &pairs->loads[link];
		if (!(sum->share > 0)) {
			*sum = (struct pair_load){0, load->most_s, load->least_s};
			pairs->links[pairs->count++] = link;
		}
		sum->share += load->share;
		sum->most_s = load->most_s > sum->most_s ? load->most_s : sum->most_s;
		sum->least_s = load->least_s < sum->least_s ? load->least_s : sum->least_s;
	}
}

/* Allocates the loads and links of `pairs`; false when out of memory. */
static bool pairs_allocate(struct compiler *compiler)
{
	struct pairs *pairs = &compiler->pairs;
	const size_t links = (size_t)compiler->graph->cable_count * compiler->graph->ways;
	if (!pairs->loads)
		pairs->loads = arena_alloc(compiler->arena, links + 1, sizeof *pairs->loads);
	if (!pairs->links)
		pairs->links = arena_alloc(compiler->arena, links + 1, sizeof *pairs->links);
	return pairs->loads && pairs->links;
}

/* Finds the routes of every pair, round by round. */
static void pairs_route(struct compiler *compiler)
{
	struct pairs *pairs = &compiler->pairs;
	for (unsigned by = 1; by < compiler->size; ++by) {
		compiler->step = (struct step){.last_s = -1};
		flows_begin(compiler);
		round_add(compiler, ROUNDS_SHIFT, by, 1);
		hull_max(&pairs->flows.upper, &compiler->step.flows.upper);
		hull_max(&pairs->flows.lower, &compiler->step.flows.lower);
		const struct times times = flows_times(compiler, 0);
		hull_add(&pairs->shifts.upper, &times.upper, 1);
		hull_add(&pairs->shifts.lower, &times.lower, 1);
		loads_collect(compiler);
	}
}

/* Finds loads and flows from devices that stand for all. False: there are no such devices. */
static bool pairs_turn(struct compiler *compiler)
{
	struct pairs *pairs = &compiler->pairs;
	compiler->step = (struct step){.last_s = -1};
	if (!turns_pairs(compiler)) {
		pairs_forget(pairs);
		return false;
	}
	pairs->flows = compiler->step.flows;
	return true;
}

/* Returns whether devices that stand for all may be looked for: links are then in no order, and have the same loads. */
static bool may_turn(const struct compiler *compiler, bool shifts)
{
	return !shifts && (compiler->memos || (compiler->links_only && pair_count(compiler) > PAIRS_MAX));
}

/* Returns whether `pairs` is what would be found now: it must not depend on what was asked before. */
static bool is_known(const struct compiler *compiler, bool shifts)
{
	const struct pairs *pairs = &compiler->pairs;
	if (!pairs->known || pairs->lanes < compiler->lanes || pairs->lanes > compiler->lanes)
		return false;
	if (!may_turn(compiler, shifts))
		return !pairs->turned;
	return pairs->turned || pairs->all_differ;
}

/*
 * Fills `pairs`. With protocols it is of no use, as start-ups depend on bytes, nor for a message, whose rate is not
 * a collective's.
 */
bool pairs_learn(struct compiler *compiler, bool shifts)
{
	struct pairs *pairs = &compiler->pairs;
	if (compiler->network->rules->protocol_count || compiler->message || !pairs_allocate(compiler))
		return false;
	if (is_known(compiler, shifts))
		return true;
	pairs_forget(pairs);
	pairs->turned = may_turn(compiler, shifts) && pairs_turn(compiler);
	pairs->all_differ = may_turn(compiler, shifts) && !pairs->turned;
	pairs->known = pairs->turned || shifts || !(pair_count(compiler) > PAIRS_MAX);
	if (pairs->known && !pairs->turned)
		pairs_route(compiler);
	compiler->step = (struct step){0};
	flows_begin(compiler);
	pairs->lanes = compiler->lanes;
	return pairs->known;
}

/* ---- all at once ---------------------------------------------------------------------------------------------- */

/*
 * Counts the links of each kind that the copies use. A tree of levels may have more devices than the plan, and one
 * period of its copies may stand for all: there, both directions of the links down to the ranks count, as all ranks
 * are sent to.
 */
static void links_count(const struct compiler *compiler, double links[LINK_KINDS])
{
	const struct graph *graph = compiler->graph;
	if (compiler->times_only && graph->ways == 2) {
		for (unsigned i = 0; i < compiler->load_count; ++i)
			links[graph->cables[compiler->loads[i].link / 2].kind] +=
				compiler->loads[i].link % 2 ? 2 : 0;
		return;
	}
	for (unsigned i = 0; i < graph->cable_count; ++i)
		links[graph->cables[i].kind] +=
			(graph->cables[i].one_way ? 1 : graph->ways) * compiler->active / graph->devices;
}

/*
 * Estimates the loads where there are too many pairs to route: the links of a kind share what flows from evenly
 * chosen ranks to all others put on them, scaled to all ranks. This is a lower bound of the largest load, exact
 * where links of a kind are loaded alike.
 */
static void pairs_bound(struct compiler *compiler, double share)
{
	const unsigned size = compiler->size;
	const unsigned sources = PAIRS_MAX / 2 / size > 1 ? PAIRS_MAX / 2 / size : 1;
	const double scale = (double)size * compiler->siblings / sources;
	const struct graph *graph = compiler->graph;
	double crossings[LINK_KINDS] = {0}, links[LINK_KINDS] = {0};
	for (unsigned i = 0; i < sources; ++i) {
		const unsigned from = (unsigned)((double)i * size / sources);
		const unsigned *devices = compiler->devices + (size_t)(i % compiler->siblings) * size;
		for (unsigned to = 0; to < size; ++to)
			if (to != from)
				flow_join(compiler, devices[from], devices[to], share);
	}
	trunks_load(compiler);
	links_count(compiler, links);
	for (unsigned i = 0; i < compiler->load_count; ++i)
		crossings[graph->cables[compiler->loads[i].link / graph->ways].kind] +=
			compiler->loads[i].share;
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		const unsigned kind = graph->cables[compiler->loads[i].link / graph->ways].kind;
		compiler->loads[i].share = crossings[kind] * scale / links[kind];
	}
}

/* Puts the loads of `pairs` on the empty links of the current step. */
static void pairs_load(struct compiler *compiler, double share)
{
	const struct pairs *pairs = &compiler->pairs;
	struct times flows = pairs->flows;
	for (unsigned i = 0; i < pairs->count; ++i) {
		const struct pair_load *sum = &pairs->loads[pairs->links[i]];
		(void)load_add(compiler, pairs->links[i],
			&(struct load){.share = share * sum->share,
				.most_s = sum->most_s,
				.least_s = sum->least_s,
				.s_per_byte = graph_hop(compiler->graph, pairs->links[i])->s_per_byte});
	}
	hull_scale(&flows.upper, share);
	hull_scale(&flows.lower, share);
	hull_max(&compiler->step.flows.upper, &flows.upper);
	hull_max(&compiler->step.flows.lower, &flows.lower);
}

void pairs_add(struct compiler *compiler, double share)
{
	const struct step step = compiler->step;
	if (compiler->load_count == 0 && !step.ring && pairs_learn(compiler, false)) {
		compiler->step = step;
		pairs_load(compiler, share);
		return;
	}
	compiler->step = step;
	if (pair_count(compiler) > PAIRS_MAX) {
		pairs_bound(compiler, share);
		return;
	}
	for (unsigned by = 1; by < compiler->size; ++by)
		round_add(compiler, ROUNDS_SHIFT, by, share);
}

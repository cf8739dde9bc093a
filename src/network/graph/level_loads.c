/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps on a tree of levels, whose cables of one kind are alike. For every link only the share of the vector that it
 * carries is kept, and the levels from which its messages are: their flows differ only in the start-ups of these
 * levels. So
 *     T_step = max over kinds of links and sets of levels of (largest share / rate + start-up)
 * equals what routes of single flows give.
 */
#include "network/cost/compiler.h"
#include "network/graph/topology.h"

enum { SETS = 1 << LEVELS_MAX };

/* Prepares the loads; links carry nothing between steps. False when out of memory. */
static bool loads_ready(struct compiler *compiler)
{
	const size_t links = (size_t)compiler->graph->cable_count * compiler->graph->ways;
	struct level_loads *loads = &compiler->level_loads;
	if (!loads->shares) {
		loads->shares = arena_alloc(compiler->arena, links, sizeof *loads->shares);
		loads->levels = arena_alloc(compiler->arena, links, sizeof *loads->levels);
	}
	if (!loads->shares || !loads->levels)
		return false;
	for (unsigned l = 0; l < LEVELS_MAX; ++l)
		loads->largest[l] = 0;
	return true;
}

static inline void link_add(struct level_loads *loads, unsigned link, double share, unsigned set)
{
	if (loads->few)
		loads->list[loads->listed++] = link;
	loads->shares[link] += share;
	loads->levels[link] |= (unsigned char)set;
}

/* Puts a message on the links of its route, and returns the level that it crosses. */
static inline unsigned message_add(
	struct level_loads *loads, const struct level_tree *tree, unsigned from, unsigned to, double share)
{
	const unsigned out = tree->domain[0][from], in = tree->domain[0][to];
	unsigned level = 0;
	if (out == in) {
		link_add(loads, 2 * from, share, 1);
		link_add(loads, 2 * to + 1, share, 1);
		return 0;
	}
	do
		++level;
	while (tree->domain[level][from] != tree->domain[level][to]);
	const unsigned set = 1u << level;
	link_add(loads, 2 * tree->port[from], share, set);
	link_add(loads, 2 * tree->port[to] + 1, share, set);
	for (unsigned l = 1; l < level; ++l) {
		const unsigned trunks = tree->trunk_cables[l + 1];
		link_add(loads, 2 * (trunks + tree->domain[l][from]), share, set);
		link_add(loads, 2 * (trunks + tree->domain[l][to]) + 1, share, set);
	}
	if (tree->bus_bytes_per_s > 0) {
		link_add(loads, 2 * (tree->bus_cables + out), share, set);
		link_add(loads, 2 * (tree->bus_cables + in) + 1, share, set);
	}
	return level;
}

/* Adds the messages of one run, of all copies of the group. */
static void run_add(struct compiler *compiler, const struct emitted *run)
{
	struct level_loads *loads = &compiler->level_loads;
	const struct level_tree *tree = compiler->graph->tree;
	struct trip *const trips = compiler->step.ring && compiler->pipelines ? compiler->trips : NULL;
	const unsigned *devices = compiler->devices;
	for (unsigned s = 0; s < compiler->siblings; ++s, devices += compiler->size)
		for (unsigned i = 0; i < run->count; ++i) {
			const unsigned from = devices[run->from + i * run->from_stride];
			const unsigned to = devices[run->to + i * run->to_stride];
			const unsigned level = message_add(loads, tree, from, to, run->share);
			if (loads->largest[level] < run->share)
				loads->largest[level] = run->share;
			if (trips)
				trip_add(trips + s,
					compiler->network->rules->message_s + tree->latency_s[level]);
		}
}

/*
 * Returns how much of a level's start-up the step has: nothing in a pipelined ring, which pays it once per trip,
 * computed separately.
 */
static double level_start_s(const struct compiler *compiler, unsigned level)
{
	const bool trip = compiler->step.ring && compiler->pipelines;
	return trip ? 0 : compiler->network->rules->message_s + compiler->graph->tree->latency_s[level];
}

/* Finds the longest and the shortest start-up of a set of levels. */
static void set_starts(const struct compiler *compiler, unsigned set, double *most_s, double *least_s)
{
	bool first = true;
	for (unsigned l = 0; set >> l; ++l) {
		const double start_s = level_start_s(compiler, l);
		if (!(set >> l & 1))
			continue;
		*most_s = first || start_s > *most_s ? start_s : *most_s;
		*least_s = first || start_s < *least_s ? start_s : *least_s;
		first = false;
	}
}

/*
 * Takes the shares of a cable's two links into the largest of each set of levels, and empties the links. With
 * both_ways, messages were added in one direction only, so each link also gets the load of its reverse.
 */
static inline void cable_take(struct level_loads *loads, unsigned cable, bool both_ways, double largest[SETS])
{
	double *shares = loads->shares + (size_t)2 * cable;
	unsigned char *sets = loads->levels + (size_t)2 * cable;
	if (both_ways) {
		shares[0] += shares[1];
		sets[0] |= sets[1];
	} else if (shares[1] > largest[sets[1]]) {
		largest[sets[1]] = shares[1];
	}
	if (shares[0] > largest[sets[0]])
		largest[sets[0]] = shares[0];
	shares[0] = shares[1] = 0;
	sets[0] = sets[1] = 0;
}

/* Takes the shares of all cables from the first on; after few messages only those that were listed. */
static void shares_take(
	struct level_loads *loads, unsigned first, unsigned cables, bool both_ways, double largest[SETS])
{
	for (unsigned i = 0; i < loads->listed; ++i) {
		const unsigned cable = loads->list[i] / 2;
		if (cable >= first && cable - first < cables)
			cable_take(loads, cable, both_ways, largest);
	}
	for (unsigned cable = first; !loads->few && cable < first + cables; ++cable)
		cable_take(loads, cable, both_ways, largest);
}

/* Adds to the times those of the links of one kind of cables. */
static void kind_include(struct compiler *compiler, unsigned first, unsigned cables, struct times *times)
{
	double largest[SETS] = {0};
	shares_take(&compiler->level_loads, first, cables, compiler->both_ways, largest);
	const double s_per_byte = graph_hop(compiler->graph, 2 * first)->s_per_byte;
	for (unsigned set = 1; set < SETS; ++set) {
		double most_s = 0, least_s = 0;
		if (!(largest[set] > 0))
			continue;
		set_starts(compiler, set, &most_s, &least_s);
		hull_include(&times->upper, (struct line){most_s, largest[set] * s_per_byte});
		hull_include(&times->lower, (struct line){least_s, largest[set] * s_per_byte});
	}
}

/* Returns the seconds per byte of a message alone, on the slowest link of its route. */
static double route_s_per_byte(const struct compiler *compiler, unsigned level)
{
	const struct graph *graph = compiler->graph;
	const struct level_tree *tree = graph->tree;
	double slowest = graph_hop(graph, level ? 2 * tree->port_cables : 0)->s_per_byte;
	for (unsigned l = 1; l < level; ++l) {
		const double trunk = graph_hop(graph, 2 * tree->trunk_cables[l + 1])->s_per_byte;
		slowest = trunk > slowest ? trunk : slowest;
	}
	if (level && tree->bus_bytes_per_s > 0) {
		const double bus = graph_hop(graph, 2 * tree->bus_cables)->s_per_byte;
		slowest = bus > slowest ? bus : slowest;
	}
	return slowest;
}

/* Adds to the times those of single messages: none is faster than alone. */
static void flows_include(const struct compiler *compiler, struct times *times)
{
	for (unsigned l = 0; l < compiler->graph->tree->machine->level_count; ++l) {
		const double share = compiler->level_loads.largest[l];
		const double cap = compiler->graph->tree->flow_s_per_byte[l] / compiler->lanes;
		const double alone = route_s_per_byte(compiler, l), start_s = level_start_s(compiler, l);
		if (!(share > 0))
			continue;
		hull_include(&times->upper, (struct line){start_s, share * cap});
		hull_include(&times->lower, (struct line){start_s, share * (alone > cap ? alone : cap)});
	}
}

/* Returns whether so few messages are sent that their links are sooner listed than found among all. */
static bool are_few(const struct compiler *compiler)
{
	double messages = 0;
	for (unsigned i = 0; i < compiler->emitted_count; ++i)
		messages += (double)compiler->emitted[i].count * compiler->siblings;
	return messages <= FEW_MESSAGES;
}

bool levels_times(struct compiler *compiler, struct times *times)
{
	const struct level_tree *tree = compiler->graph->tree;
	*times = (struct times){0};
	if (!tree || compiler->message || !loads_ready(compiler))
		return false;
	const unsigned nodes = (compiler->end - 1) / tree->machine->levels[0].devices + 1;
	compiler->level_loads.few = are_few(compiler);
	compiler->level_loads.listed = 0;
	for (unsigned i = 0; i < compiler->emitted_count; ++i)
		run_add(compiler, &compiler->emitted[i]);
	unsigned highest = tree->machine->level_count - 1;
	while (highest > 0 && !(compiler->level_loads.largest[highest] > 0))
		--highest;
	if (compiler->level_loads.largest[0] > 0)
		kind_include(compiler, 0, compiler->end, times);
	if (highest > 0)
		kind_include(compiler, tree->port_cables, nodes * tree->ports, times);
	if (highest > 0 && tree->bus_bytes_per_s > 0)
		kind_include(compiler, tree->bus_cables, nodes, times);
	for (unsigned l = 2; l <= highest; ++l)
		kind_include(compiler, tree->trunk_cables[l],
			(compiler->end - 1) / tree->machine->levels[l - 1].devices + 1, times);
	flows_include(compiler, times);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank to every other where the network and the group look the same from many devices. Device numbers are written in
 * digits, such that turning one digit of all devices maps routes onto routes (graph->turns) and the group's copies onto each
 * other. Turns map the flows of one source onto those of all that are like it, and a link onto those of its orbit:
 *     load of a link = flows of one source of each kind over links of its orbit * turns / links of the orbit
 * which is what all flows put on it: each link of an orbit carries the same, and every turn of a flow crosses the orbit as often.
 */
#include "network/compiler.h"

enum { DIGITS_MAX = 2 * RUNS_MAX + TURNS_MAX + 1, CUTS_MAX = 4 * RUNS_MAX + TURNS_MAX + 1 };
enum { IMAGES_LEAST = 8, PARTNERS_LEAST = 8 };

/* A digit of the device number. */
struct digit {
	unsigned step, radix;
};

struct turns {
	struct digit digits[DIGITS_MAX];
	unsigned count;
	unsigned images; /* of each device, itself included */
};

/* ---- which digits turn ------------------------------------------------------------------------------------------ */

/* Whether turning the digit from step to upto moves whole blocks, or stays within each. */
static bool keeps_blocks(unsigned step, unsigned upto, unsigned block)
{
	return block % upto == 0 || step % block == 0;
}

/* Whether members of a run stay together, and all copies are copies still. */
static bool keeps_run(unsigned step, unsigned upto, const struct run *run)
{
	const unsigned low = run->stride, high = run->stride * run->degree;
	return low % upto == 0 || step % high == 0 || (step % low == 0 && high % upto == 0);
}

/* Whether the silent stay silent. */
static bool keeps_silent(unsigned step, unsigned upto, const struct run *run)
{
	return run->stride % upto == 0 || step % (run->stride * run->degree) == 0;
}

static bool digit_turns(const struct compiler *compiler, unsigned step, unsigned upto)
{
	const struct graph *graph = compiler->graph;
	const struct group *group = compiler->group;
	bool turns = (unsigned)compiler->active % upto == 0;
	for (unsigned i = 0; graph->turns_in_parts && i < graph->turn_count; ++i)
		turns = turns && keeps_blocks(step, upto, graph->turns[i]);
	for (unsigned i = 0; i < group->run_count; ++i)
		turns = turns && keeps_run(step, upto, &group->runs[i]);
	for (unsigned i = 0; i < group->silent_count; ++i)
		turns = turns && keeps_silent(step, upto, &group->silent[i]);
	return turns;
}

/* Whether the members of the copies are all devices up to the last active one, but the silent. */
static bool copies_are_all(const struct compiler *compiler)
{
	const struct group *group = compiler->group;
	const unsigned active = (unsigned)compiler->active;
	unsigned members = active, below = 1;
	for (unsigned i = 0; i < group->run_count; below = group->runs[i].stride * group->runs[i].degree, ++i)
		if (group->runs[i].stride % below)
			return false;
	for (unsigned i = 0; i < group->silent_count; ++i) {
		if (active % (group->silent[i].stride * group->silent[i].degree))
			return false;
		members /= group->silent[i].degree;
	}
	return active % below == 0 && compiler->siblings * compiler->size == members;
}

static void cut_insert(unsigned *cuts, unsigned *count, unsigned cut)
{
	unsigned at = (*count)++;
	for (; at > 0 && cuts[at - 1] > cut; --at)
		cuts[at] = cuts[at - 1];
	cuts[at] = cut;
}

/* Where digits may begin and end, ascending. */
static unsigned cuts_list(const struct compiler *compiler, unsigned cuts[CUTS_MAX])
{
	const struct graph *graph = compiler->graph;
	const struct group *group = compiler->group;
	unsigned count = 0;
	for (unsigned i = 0; i < graph->turn_count; ++i)
		cut_insert(cuts, &count, graph->turns[i]);
	if (!graph->turns_in_parts)
		return count;
	for (unsigned i = 0; i < group->run_count; ++i) {
		cut_insert(cuts, &count, group->runs[i].stride);
		cut_insert(cuts, &count, group->runs[i].stride * group->runs[i].degree);
	}
	for (unsigned i = 0; i < group->silent_count; ++i) {
		cut_insert(cuts, &count, group->silent[i].stride);
		cut_insert(cuts, &count, group->silent[i].stride * group->silent[i].degree);
	}
	cut_insert(cuts, &count, (unsigned)compiler->active);
	return count;
}

static struct turns turns_find(const struct compiler *compiler)
{
	struct turns turns = {.images = 1};
	unsigned cuts[CUTS_MAX];
	const unsigned count = cuts_list(compiler, cuts);
	unsigned step = compiler->graph->turns[0];
	for (unsigned i = 0; i < count; ++i) {
		if (cuts[i] <= step || cuts[i] % step)
			continue;
		if (digit_turns(compiler, step, cuts[i])) {
			turns.digits[turns.count++] = (struct digit){step, cuts[i] / step};
			turns.images *= cuts[i] / step;
		}
		step = cuts[i];
	}
	return turns;
}

static inline unsigned turned(const struct digit *digit, unsigned device)
{
	if (device / digit->step % digit->radix == digit->radix - 1)
		return device - (digit->radix - 1) * digit->step;
	return device + digit->step;
}

/* Whether it stands for its images: all its digits that turn are 0. */
static bool is_first(const struct turns *turns, unsigned device)
{
	for (unsigned i = 0; i < turns->count; ++i)
		if (device / turns->digits[i].step % turns->digits[i].radix)
			return false;
	return true;
}

/* ---- orbits of links ---------------------------------------------------------------------------------------------- */

/* The images of one route: its links whose orbits were not known get orbits of their own, which may turn out to be the same. */
struct sweep {
	struct compiler *compiler;
	const struct turns *turns;
	unsigned length;
};

static unsigned orbit_of(const struct orbits *orbits, unsigned orbit)
{
	while (orbits->list[orbit].same != orbit)
		orbit = orbits->list[orbit].same;
	return orbit;
}

static void orbits_join(struct orbits *orbits, unsigned a, unsigned b)
{
	const unsigned kept = orbit_of(orbits, a), gone = orbit_of(orbits, b);
	if (kept == gone)
		return;
	orbits->list[kept].links += orbits->list[gone].links;
	orbits->list[gone].same = kept;
}

/* Puts the links of one image into the orbits. False: it is not as long as the route itself. */
static bool image_visit(struct sweep *sweep, unsigned from, unsigned to)
{
	struct compiler *compiler = sweep->compiler;
	struct orbits *orbits = &compiler->orbits;
	struct path *path = &compiler->path;
	graph_route(compiler->graph, from, to, path);
	for (unsigned i = 0; path->count == sweep->length && i < path->count; ++i) {
		const unsigned link = path->links[i], orbit = orbits->places[i];
		if (!orbit)
			continue;
		if (orbits->of[link]) {
			orbits_join(orbits, orbit, orbits->of[link]);
			continue;
		}
		orbits->of[link] = orbit;
		++orbits->list[orbit_of(orbits, orbit)].links;
		compiler->pairs.links[compiler->pairs.count++] = link;
	}
	return path->count == sweep->length;
}

static bool images_visit(struct sweep *sweep, unsigned digits, unsigned from, unsigned to)
{
	if (!digits)
		return image_visit(sweep, from, to);
	const struct digit *digit = &sweep->turns->digits[digits - 1];
	for (unsigned i = 0; i < digit->radix; ++i) {
		if (!images_visit(sweep, digits - 1, from, to))
			return false;
		from = turned(digit, from);
		to = turned(digit, to);
	}
	return true;
}

/* Finds the orbits of the current route's links. */
static bool route_sweep(struct compiler *compiler, const struct turns *turns, unsigned from, unsigned to)
{
	struct orbits *orbits = &compiler->orbits;
	const struct path *path = &compiler->path;
	const unsigned known = orbits->count;
	for (unsigned i = 0; i < path->count; ++i) {
		orbits->places[i] = orbits->of[path->links[i]] ? 0 : ++orbits->count;
		if (orbits->places[i])
			orbits->list[orbits->count] = (struct orbit){.same = orbits->count};
	}
	struct sweep sweep = {compiler, turns, path->count};
	return orbits->count == known || images_visit(&sweep, turns->count, from, to);
}

/* Gives room for an orbit of each link and those that turn out to be one; the first one is none. */
static bool orbits_ready(struct compiler *compiler)
{
	struct orbits *orbits = &compiler->orbits;
	const struct graph *graph = compiler->graph;
	const size_t links = (size_t)graph->cable_count * graph->ways;
	if (!orbits->of) {
		orbits->of = arena_alloc(compiler->arena, links + 1, sizeof *orbits->of);
		orbits->list = arena_alloc(compiler->arena, links + graph->longest + 1, sizeof *orbits->list);
		orbits->places = arena_alloc(compiler->arena, graph->longest + 1, sizeof *orbits->places);
	}
	orbits->count = 0;
	return orbits->of && orbits->list && orbits->places;
}

/* ---- loads ---------------------------------------------------------------------------------------------------------- */

/* Routes what one device of each kind sends. False: turns do not map routes onto routes. */
static bool firsts_route(struct compiler *compiler, const struct turns *turns)
{
	const unsigned size = compiler->size;
	for (size_t at = 0; at < (size_t)compiler->siblings * size; ++at) {
		const unsigned from = compiler->devices[at], *copy = compiler->devices + at / size * size;
		if (!is_first(turns, from))
			continue;
		for (unsigned i = 0; i < size; ++i) {
			if (copy[i] == from)
				continue;
			flow_add(compiler, from, copy[i], 1, NULL);
			if (!route_sweep(compiler, turns, from, copy[i]))
				return false;
		}
	}
	return true;
}

/* Sums up what was routed by orbits. */
static void orbits_load(struct compiler *compiler)
{
	struct orbits *orbits = &compiler->orbits;
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		const struct load *load = &compiler->loads[i];
		struct orbit *orbit = &orbits->list[orbit_of(orbits, orbits->of[load->link])];
		struct pair_load *sum = &orbit->load;
		if (!(sum->share > 0))
			*sum = (struct pair_load){0, load->most_s, load->least_s};
		sum->share += load->share;
		sum->most_s = load->most_s > sum->most_s ? load->most_s : sum->most_s;
		sum->least_s = load->least_s < sum->least_s ? load->least_s : sum->least_s;
	}
}

/* Gives each link what its orbit carries; and forgets orbits. False: turns do not map links onto links. */
static bool links_share(struct compiler *compiler, const struct turns *turns)
{
	struct orbits *orbits = &compiler->orbits;
	struct pairs *pairs = &compiler->pairs;
	bool fine = true;
	for (unsigned i = 0; i < pairs->count; ++i) {
		const unsigned link = pairs->links[i];
		const struct orbit *orbit = &orbits->list[orbit_of(orbits, orbits->of[link])];
		fine = fine && turns->images % orbit->links == 0;
		pairs->loads[link] = orbit->load;
		pairs->loads[link].share *= (double)turns->images / orbit->links;
		orbits->of[link] = 0;
	}
	return fine;
}

bool turns_pairs(struct compiler *compiler)
{
	const struct group *group = compiler->group;
	if (!compiler->graph->turn_count || group->placement || compiler->network->rules->return_share > 0 ||
		compiler->size <= PARTNERS_LEAST || !copies_are_all(compiler))
		return false;
	const struct turns turns = turns_find(compiler);
	if (turns.images < IMAGES_LEAST || !orbits_ready(compiler))
		return false;
	flows_begin(compiler);
	const bool routed = firsts_route(compiler, &turns);
	orbits_load(compiler);
	return links_share(compiler, &turns) && routed;
}

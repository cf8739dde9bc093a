/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traffic from every rank to every other, and steps of all copies of a group, where both look the same from many
 * devices. Device numbers are written in digits. A turn, which adds 1 to one digit of all devices, maps routes onto
 * routes (graph->turns) and the group's copies onto each other. Turns map the flows of one source onto those of all
 * sources like it, and a link onto the others of its orbit:
 *     load of a link = flows of one source of each kind over links of its orbit * turns / links of the orbit
 * This equals what all flows put on the link: each link of an orbit carries the same, and every turn of a flow
 * crosses the orbit as often.
 */
#include "network/cost/compiler.h"

enum { CUTS_MAX = 4 * RUNS_MAX + TURNS_MAX + 1 };
enum { IMAGES_LEAST = 8, PARTNERS_LEAST = 8, COPIES_LEAST = 4 };

/* ---- which digits turn ----------------------------------------------------------------------------------------- */

/* Returns whether turning the digit from step to upto moves whole blocks, or stays within each. */
static bool keeps_blocks(unsigned step, unsigned upto, unsigned block)
{
	return block % upto == 0 || step % block == 0;
}

/* Returns whether the turn keeps members of a run together, and maps copies onto copies. */
static bool keeps_run(unsigned step, unsigned upto, const struct run *run)
{
	const unsigned low = run->stride, high = run->stride * run->degree;
	return low % upto == 0 || step % high == 0 || (step % low == 0 && high % upto == 0);
}

/* Returns whether the turn leaves digits of a run as they are. */
static bool keeps_digits(unsigned step, unsigned upto, const struct run *run)
{
	return run->stride % upto == 0 || step % (run->stride * run->degree) == 0;
}

/* Returns whether a digit turns; with `copies`, so that members keep their places in their copies. */
static bool digit_turns(const struct compiler *compiler, unsigned step, unsigned upto, bool copies)
{
	const struct graph *graph = compiler->graph;
	const struct group *group = &compiler->placed;
	bool turns = (unsigned)compiler->active % upto == 0;
	for (unsigned i = 0; graph->turns_in_parts && i < graph->turn_count; ++i)
		turns = turns && keeps_blocks(step, upto, graph->turns[i]);
	for (unsigned i = 0; i < group->run_count; ++i)
		turns = turns && (copies ? keeps_digits(step, upto, &group->runs[i])
					 : keeps_run(step, upto, &group->runs[i]));
	for (unsigned i = 0; i < group->silent_count; ++i)
		turns = turns && keeps_digits(step, upto, &group->silent[i]);
	return turns;
}

/* Returns whether the members of the copies are all devices up to the last active one, except the silent ones. */
static bool copies_are_all(const struct compiler *compiler)
{
	const struct group *group = &compiler->placed;
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

/* Collects the places where digits may begin and end, in ascending order; returns how many there are. */
static unsigned cuts_list(const struct compiler *compiler, unsigned cuts[CUTS_MAX])
{
	const struct graph *graph = compiler->graph;
	const struct group *group = &compiler->placed;
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

static struct turns turns_find(const struct compiler *compiler, bool copies)
{
	struct turns turns = {.images = 1};
	unsigned cuts[CUTS_MAX];
	const unsigned count = cuts_list(compiler, cuts);
	unsigned step = compiler->graph->turns[0];
	for (unsigned i = 0; i < count; ++i) {
		if (cuts[i] <= step || cuts[i] % step)
			continue;
		if (digit_turns(compiler, step, cuts[i], copies)) {
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

/* Returns whether a device stands for its images: all its digits that turn are 0. */
static bool is_first(const struct turns *turns, unsigned device)
{
	for (unsigned i = 0; i < turns->count; ++i)
		if (device / turns->digits[i].step % turns->digits[i].radix)
			return false;
	return true;
}

/* ---- orbits of links ------------------------------------------------------------------------------------------- */

/*
 * The images of one route. Its links whose orbits were not known get orbits of their own, which may turn out to be
 * the same.
 */
struct sweep {
	struct compiler *compiler;
	const struct turns *turns;
	struct orbits *orbits;
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

/* Puts the links of one image into the orbits. False: the image is not as long as the route itself. */
static bool image_visit(struct sweep *sweep, unsigned from, unsigned to)
{
	struct compiler *compiler = sweep->compiler;
	struct orbits *orbits = sweep->orbits;
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
		orbits->links[orbits->link_count++] = link;
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

/* Finds the orbits of the current route's links. False: turns do not map routes onto routes. */
static bool route_sweep(struct compiler *compiler, const struct turns *turns, struct orbits *orbits,
	unsigned from, unsigned to)
{
	const struct path *path = &compiler->path;
	const unsigned known = orbits->count;
	for (unsigned i = 0; i < path->count; ++i) {
		orbits->places[i] = orbits->of[path->links[i]] ? 0 : ++orbits->count;
		if (orbits->places[i])
			orbits->list[orbits->count] = (struct orbit){.same = orbits->count};
	}
	struct sweep sweep = {compiler, turns, orbits, path->count};
	return orbits->count == known || images_visit(&sweep, turns->count, from, to);
}

/*
 * Makes room for an orbit of each link and for those that turn out to be another, and empties all orbits; orbit 0
 * means none. False when out of memory.
 */
static bool orbits_ready(struct compiler *compiler, struct orbits *orbits)
{
	const struct graph *graph = compiler->graph;
	const size_t links = (size_t)graph->cable_count * graph->ways;
	if (!orbits->of) {
		orbits->of = arena_alloc(compiler->arena, links + 1, sizeof *orbits->of);
		orbits->list = arena_alloc(compiler->arena, links + graph->longest + 1, sizeof *orbits->list);
		orbits->links = arena_alloc(compiler->arena, links + 1, sizeof *orbits->links);
		orbits->loaded = arena_alloc(compiler->arena, links + 1, sizeof *orbits->loaded);
		orbits->places = arena_alloc(compiler->arena, graph->longest + 1, sizeof *orbits->places);
	}
	if (!orbits->of || !orbits->list || !orbits->links || !orbits->loaded || !orbits->places)
		return false;
	for (unsigned i = 0; i < orbits->link_count; ++i)
		orbits->of[orbits->links[i]] = 0;
	orbits->count = orbits->link_count = 0;
	return true;
}

/* ---- loads ----------------------------------------------------------------------------------------------------- */

/* Finds the routes of what one device of each kind sends. False: turns do not map routes onto routes. */
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
			if (!route_sweep(compiler, turns, &compiler->orbits, from, copy[i]))
				return false;
		}
	}
	return true;
}

/*
 * Adds up by orbits what was routed, as the load of each of their links. False: turns do not map links onto links.
 */
static bool orbits_load(struct compiler *compiler, const struct turns *turns, struct orbits *orbits)
{
	bool fine = true;
	orbits->loaded_count = 0;
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		const struct load *load = &compiler->loads[i];
		struct orbit *orbit = &orbits->list[orbit_of(orbits, orbits->of[load->link])];
		struct pair_load *sum = &orbit->load;
		if (!(sum->share > 0)) {
			*sum = (struct pair_load){0, load->most_s, load->least_s};
			orbits->loaded[orbits->loaded_count++] = load->link;
			fine = fine && turns->images % orbit->links == 0;
		}
		sum->share += load->share;
		sum->most_s = load->most_s > sum->most_s ? load->most_s : sum->most_s;
		sum->least_s = load->least_s < sum->least_s ? load->least_s : sum->least_s;
	}
	for (unsigned i = 0; i < orbits->loaded_count; ++i) {
		struct orbit *orbit = &orbits->list[orbit_of(orbits, orbits->of[orbits->loaded[i]])];
		orbit->load.share *= (double)turns->images / orbit->links;
	}
	return fine;
}

bool turns_pairs(struct compiler *compiler)
{
	const struct group *group = &compiler->placed;
	struct orbits *orbits = &compiler->orbits;
	struct pairs *pairs = &compiler->pairs;
	if (!compiler->graph->turn_count || group->placement || compiler->network->rules->return_share > 0 ||
		compiler->size <= PARTNERS_LEAST || !copies_are_all(compiler))
		return false;
	const struct turns turns = turns_find(compiler, false);
	if (turns.images < IMAGES_LEAST || !orbits_ready(compiler, orbits))
		return false;
	flows_begin(compiler);
	if (!firsts_route(compiler, &turns) || !orbits_load(compiler, &turns, orbits))
		return false;
	for (; pairs->count < orbits->link_count; ++pairs->count) {
		const unsigned link = orbits->links[pairs->count];
		pairs->links[pairs->count] = link;
		pairs->loads[link] = orbits->list[orbit_of(orbits, orbits->of[link])].load;
	}
	return true;
}

/* ---- copies of a group ----------------------------------------------------------------------------------------- */

/* Finds whether copies of the group are images of each other. */
static bool copies_find(struct compiler *compiler)
{
	struct copies *copies = &compiler->copies;
	if (copies->looked)
		return copies->alike;
	copies->looked = true;
	copies->alike = compiler->graph->turn_count > 0 && !compiler->placed.placement &&
			!(compiler->network->rules->return_share > 0) && compiler->siblings >= COPIES_LEAST &&
			copies_are_all(compiler);
	if (copies->alike) {
		copies->turns = turns_find(compiler, true);
		copies->alike =
			copies->turns.images >= COPIES_LEAST && orbits_ready(compiler, &copies->orbits);
	}
	return copies->alike;
}

/* Finds the routes of a run of messages of one copy. False: turns do not map routes onto routes. */
static bool copy_route(struct compiler *compiler, const struct emitted *run, unsigned sibling)
{
	struct copies *copies = &compiler->copies;
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	struct trip *trip = compiler->step.ring && compiler->pipelines ? &compiler->trips[sibling] : NULL;
	for (unsigned i = 0; i < run->count; ++i) {
		const unsigned from = devices[run->from + i * run->from_stride],
			       to = devices[run->to + i * run->to_stride];
		flow_add(compiler, from, to, run->share, trip);
		if (!route_sweep(compiler, &copies->turns, &copies->orbits, from, to))
			return false;
	}
	return true;
}

/*
 * Finds the routes of the step in those copies that stand for others. False: turns do not map routes or links onto
 * each other.
 */
static bool copies_route(struct compiler *compiler)
{
	struct copies *copies = &compiler->copies;
	for (unsigned s = 0; s < compiler->siblings; ++s) {
		if (!is_first(&copies->turns, compiler->devices[(size_t)s * compiler->size]))
			continue;
		for (unsigned i = 0; i < compiler->emitted_count; ++i)
			if (!copy_route(compiler, &compiler->emitted[i], s))
				return false;
	}
	return orbits_load(compiler, &copies->turns, &copies->orbits);
}

/* Takes back what was routed, as turns do not map it; returns false. */
static bool copies_fail(struct compiler *compiler)
{
	compiler->copies.alike = false;
	compiler->step.flows = (struct times){0};
	compiler->step.last_s = -1;
	for (unsigned s = 0; s < compiler->siblings; ++s)
		compiler->trips[s] = (struct trip){0};
	flows_begin(compiler);
	return false;
}

bool turns_times(struct compiler *compiler, struct times *times)
{
	struct orbits *orbits = &compiler->copies.orbits;
	struct peaks peaks = peaks_none;
	if (compiler->both_ways || compiler->message || !copies_find(compiler))
		return false;
	flows_begin(compiler);
	if (!copies_route(compiler))
		return copies_fail(compiler);
	*times = compiler->step.flows;
	for (unsigned i = 0; i < orbits->loaded_count; ++i) {
		const unsigned link = orbits->loaded[i];
		struct pair_load *sum = &orbits->list[orbit_of(orbits, orbits->of[link])].load;
		const struct load load = {.share = sum->share,
			.most_s = sum->most_s,
			.least_s = sum->least_s,
			.s_per_byte = graph_hop(compiler->graph, link)->s_per_byte};
		load_include(&load, &peaks, times);
		*sum = (struct pair_load){0};
	}
	compiler->emitted_count = 0;
	flows_begin(compiler);
	return true;
}

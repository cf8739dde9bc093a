/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the best multipliers by cutting planes (Kelley 1960). Every choice k that was met, with its totals,
 * is a plane above the dual function,
 *
 *     L(lambda, mu) <= cost_k + lambda exposed_k + mu (memory_k - capacity),     0 <= lambda <= 1, mu >= 0.
 *
 * The next multipliers are where the least of the planes is greatest, and the choice that is best there gives the next
 * plane.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "search/assign_graph.h"

enum { MOST_PLANES = 80, MOST_STEPS = 100 };

struct model {
	/* Planes, their memory less the capacity; the first has no more than 0. */
	struct assign_totals plane[MOST_PLANES];
	unsigned count;
};

/* Maximum of a concave function: mu there, its value, and its slope in lambda. */
struct top {
	double mu, value, slope;
};

static double plane_at(const struct assign_totals *plane, double lambda, double mu)
{
	return plane->cost + lambda * plane->exposed + mu * plane->memory;
}

/* Returns the least plane at (lambda, mu); among equal ones, that with the least memory. */
static const struct assign_totals *least_plane(const struct model *model, double lambda, double mu)
{
	const struct assign_totals *least = &model->plane[0];
	for (unsigned k = 1; k < model->count; ++k) {
		const struct assign_totals *const plane = &model->plane[k];
		const double more = plane_at(plane, lambda, mu) - plane_at(least, lambda, mu);
		if (more < 0 || (more <= 0 && plane->memory < least->memory))
			least = plane;
	}
	return least;
}

/*
 * Returns the maximum over mu for one lambda. A line that rises and one that does not meet, and the least plane at
 * that point takes the place of one of them.
 */
static struct top top_of_mu(const struct model *model, double lambda)
{
	const struct assign_totals *rising = least_plane(model, lambda, 0), *falling = &model->plane[0];
	if (rising->memory <= 0)
		return (struct top){.mu = 0, .value = plane_at(rising, lambda, 0), .slope = rising->exposed};
	double mu = 0;
	for (unsigned step = 0; step < MOST_STEPS; ++step) {
		mu = (plane_at(falling, lambda, 0) - plane_at(rising, lambda, 0)) /
		     (rising->memory - falling->memory);
		const struct assign_totals *const least = least_plane(model, lambda, mu);
		if (least == rising || least == falling ||
			plane_at(least, lambda, mu) >= plane_at(falling, lambda, mu))
			break;
		if (least->memory > 0)
			rising = least;
		else
			falling = least;
	}
	const double share = -falling->memory / (rising->memory - falling->memory);
	return (struct top){.mu = mu,
		.value = plane_at(falling, lambda, mu),
		.slope = share * rising->exposed + (1 - share) * falling->exposed};
}

/* Returns the maximum over both, found in the same way with tangents in lambda; sets *lambda. */
static struct top top_of_both(const struct model *model, double *lambda)
{
	double low = 0, high = 1;
	struct top rising = top_of_mu(model, low), falling = top_of_mu(model, high), top = rising;
	*lambda = low;
	if (rising.slope <= 0)
		return rising;
	*lambda = high;
	if (falling.slope >= 0)
		return falling;
	for (unsigned step = 0; step < MOST_STEPS; ++step) {
		*lambda = (falling.value - falling.slope * high - rising.value + rising.slope * low) /
			  (rising.slope - falling.slope);
		*lambda = fmin(fmax(*lambda, low), high);
		const double most = rising.value + rising.slope * (*lambda - low);
		top = top_of_mu(model, *lambda);
		if (fabs(top.slope) <= 0 || *lambda <= low || *lambda >= high ||
			most - top.value <= 1e-13 * fabs(most))
			break;
		if (top.slope > 0) {
			rising = top;
			low = *lambda;
		} else {
			falling = top;
			high = *lambda;
		}
	}
	return top;
}

/* Returns a bound on the rounding error of the priced sum of state->trial, in any order of addition. */
static double rounding(const struct assign_state *state, const struct assign_price *price)
{
	const struct assign_graph *const graph = state->graph;
	double size = price->memory * fabs(graph->capacity);
	for (unsigned n = 0; n < graph->node_count; ++n) {
		const struct assign_place *const place = &graph->nodes[n];
		const unsigned o = state->trial[n];
		size += fabs(place->cost[o]) + price->exposed * fabs(place->exposed[o]) +
			price->memory * fabs(place->memory[o]);
	}
	for (unsigned p = 0; p < graph->part_count; ++p) {
		const struct assign_part *const part = &graph->parts[p];
		if (part->kind == ASSIGN_EDGE)
			size += fabs(
				part->cost[(size_t)state->trial[part->from] * graph->nodes[part->to].count +
					   state->trial[part->to]]);
	}
	return size * DBL_EPSILON * (graph->part_count + 1.0) / 2;
}

/*
 * Collects the best price and others a little off it: they prove more about assignments that are a little off the
 * best.
 */
static void prices_around(const struct assign_price *best, bool is_exposed, struct assign_prices *prices)
{
	static const double steps[] = {1.25, 0.8};
	prices->count = 0;
	prices->price[prices->count++] = *best;
	for (unsigned k = 0; k < 2 && best->memory > 0; ++k) {
		prices->price[prices->count] = *best;
		prices->price[prices->count++].memory *= steps[k];
	}
	for (unsigned k = 0; k < 2 && is_exposed; ++k) {
		prices->price[prices->count] = *best;
		prices->price[prices->count++].exposed = k;
	}
}

/* Sides of the last choices: within and beyond the capacity, with nothing exposed and with something. */
enum side { FITTING, EXCEEDING, HIDDEN, SHOWING, SIDES };

static bool sides_create(const struct assign_state *state, unsigned **sides)
{
	const size_t count = state->graph->node_count;
	for (unsigned k = 0; k < SIDES; ++k) {
		sides[k] = arena_alloc(state->arena, count, sizeof *sides[k]);
		if (!sides[k])
			return false;
		memcpy(sides[k], state->choice, count * sizeof *sides[k]);
	}
	return true;
}

/*
 * Offers state->trial and crosses of the sides: near the best multipliers choices lie on both sides of what is
 * priced, and the best of all is often between two.
 */
static void try_between(struct assign_state *state, const struct assign_totals *sum, unsigned **sides)
{
	const size_t bytes = state->graph->node_count * sizeof *state->trial;
	memcpy(sides[assign_fits(state->graph, sum->memory) ? FITTING : EXCEEDING], state->trial, bytes);
	memcpy(sides[sum->exposed > 0 ? SHOWING : HIDDEN], state->trial, bytes);
	assign_offer(state);
	for (unsigned k = 0; k < SIDES; ++k)
		assign_cross(state, sides[k], sides[k ^ 1]);
}

bool assign_dual(struct assign_state *state, const struct assign_totals *least, struct assign_prices *prices)
{
	const struct assign_graph *const graph = state->graph;
	struct model model = {.count = 1, .plane[0] = *least};
	model.plane[0].memory = fmin(0, least->memory - graph->capacity);
	struct assign_tables tables;
	unsigned *sides[SIDES];
	if (!sides_create(state, sides) || !assign_tables_create(graph, false, state->arena, &tables))
		return false;
	struct assign_price price = {.cost = 1}, best = price;
	double bound = -HUGE_VAL, most = HUGE_VAL; /* bounds on the maximum of the dual function */
	while (model.count < MOST_PLANES && (isinf(bound) || most - bound > 1e-9 * fabs(bound)) &&
		!assign_done(state)) {
		const struct top top = top_of_both(&model, &price.exposed);
		price.memory = top.mu;
		most = top.value;
		const double found = assign_inside(graph, &price, &tables) - price.memory * graph->capacity;
		assign_choose(graph, &tables, state->trial);
		if (found > bound) {
			bound = found;
			best = price;
			state->bound = fmax(state->bound, bound - rounding(state, &price));
		}
		struct assign_totals *const plane = &model.plane[model.count++];
		*plane = assign_sum(graph, state->trial);
		try_between(state, plane, sides);
		plane->memory -= graph->capacity;
	}
	bool is_exposed = false;
	for (unsigned k = 0; k < model.count; ++k)
		is_exposed |= fabs(model.plane[k].exposed) > 0;
	prices_around(&best, is_exposed, prices);
	return true;
}

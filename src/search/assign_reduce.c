/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Option p of a node beats option o if, whatever all other nodes do, p is allowed in place of o, costs no more, with
 * and without the exposed time, and needs no more memory (dead-end elimination, Goldstein 1994):
 *
 *     d = cost[p] - cost[o] + sum over edges of max over x of (edge[p][x] - edge[o][x]) <= 0,
 *     d + exposed[p] - exposed[o] <= 0,   memory[p] <= memory[o]
 *
 * The value, max(cost, cost + exposed), is then no more either, so dropping o keeps the optimum.
 */
#include <math.h>
#include <string.h>

#include "search/assign_graph.h"

struct reduction {
	struct assign_graph *graph;
	struct paradl_arena *arena;
	unsigned *left;  /* number of options left at each node: the first ones of place->option */
	bool *is_left;   /* whether an option is left: [node * widest + option] */
	bool *has_moved; /* whether a neighbour has lost an option since this node was looked at */
};

static bool incident_fill(struct assign_graph *graph, struct paradl_arena *arena)
{
	graph->incident_begin =
		arena_alloc(arena, (size_t)graph->node_count + 2, sizeof *graph->incident_begin);
	graph->incident = arena_alloc(arena, 2 * (size_t)graph->part_count, sizeof *graph->incident);
	if (!graph->incident_begin || !graph->incident)
		return false;
	/* First edge of node n: kept in n + 2, then in n + 1, at last in n. */
	unsigned *const begin = graph->incident_begin;
	for (unsigned p = 0; p < graph->part_count; ++p)
		if (graph->parts[p].kind == ASSIGN_EDGE) {
			++begin[graph->parts[p].from + 2];
			++begin[graph->parts[p].to + 2];
		}
	for (unsigned n = 1; n < graph->node_count + 2; ++n)
		begin[n] += begin[n - 1];
	for (unsigned p = 0; p < graph->part_count; ++p)
		if (graph->parts[p].kind == ASSIGN_EDGE) {
			graph->incident[begin[graph->parts[p].from + 1]++] = p;
			graph->incident[begin[graph->parts[p].to + 1]++] = p;
		}
	return true;
}

/* Costs of options p and o of a node with each option x at the other end: of_p[x * step], of_o[x * step]. */
struct rows {
	const double *of_p, *of_o;
	size_t step;
	unsigned other;
};

static struct rows rows_of(const struct reduction *reduction, const struct assign_part *edge, unsigned node,
	unsigned p, unsigned o)
{
	const size_t columns = reduction->graph->nodes[edge->to].count;
	const bool is_from = edge->from == node;
	return (struct rows){.of_p = edge->cost + (is_from ? p * columns : p),
		.of_o = edge->cost + (is_from ? o * columns : o),
		.step = is_from ? 1 : columns,
		.other = is_from ? edge->to : edge->from};
}

/*
 * Returns a lower bound on edge_excess: the excess with o at the other end, too, or with the first option left there.
 * It rules out nearly all options where one costs least beside its like.
 */
static double edge_guess(const struct reduction *reduction, const struct rows *rows, unsigned o)
{
	const struct assign_graph *const graph = reduction->graph;
	const bool has_like = o < graph->nodes[rows->other].count &&
			      reduction->is_left[(size_t)rows->other * graph->widest + o];
	const size_t x = (has_like ? o : graph->nodes[rows->other].option[0]) * rows->step;
	return isinf(rows->of_o[x]) ? -HUGE_VAL : rows->of_p[x] - rows->of_o[x];
}

/*
 * Returns the most that p costs more than o on this edge, whatever is at its other end; inf: p may be forbidden where
 * o is not.
 */
static double edge_excess(const struct reduction *reduction, const struct rows *rows)
{
	const unsigned *const options = reduction->graph->nodes[rows->other].option;
	double most = -HUGE_VAL;
	for (unsigned k = 0; k < reduction->left[rows->other]; ++k) {
		const size_t x = options[k] * rows->step;
		const double excess = isinf(rows->of_o[x]) ? -HUGE_VAL : rows->of_p[x] - rows->of_o[x];
		most = excess > most ? excess : most;
	}
	return most;
}

/* Returns the most that p costs more than o, edges included, or (is_guess) a value below it. */
static double excess_of(
	const struct reduction *reduction, unsigned node, unsigned p, unsigned o, bool is_guess)
{
	const struct assign_graph *const graph = reduction->graph;
	double excess = graph->nodes[node].cost[p] - graph->nodes[node].cost[o];
	for (unsigned k = graph->incident_begin[node]; k < graph->incident_begin[node + 1]; ++k) {
		const struct assign_part *const edge = &graph->parts[graph->incident[k]];
		if (!edge->cost)
			continue;
		const struct rows rows = rows_of(reduction, edge, node, p, o);
		const double more =
			is_guess ? edge_guess(reduction, &rows, o) : edge_excess(reduction, &rows);
		if (isinf(more))
			return more; /* inf: p is forbidden where o is not; -inf: o is forbidden everywhere */
		excess += more;
	}
	return excess;
}

static bool beats(const struct reduction *reduction, unsigned node, unsigned p, unsigned o)
{
	const struct assign_place *const place = &reduction->graph->nodes[node];
	if (isinf(place->cost[p]) || place->memory[p] > place->memory[o])
		return false;
	const double exposed = fmax(0, place->exposed[p] - place->exposed[o]);
	return excess_of(reduction, node, p, o, true) + exposed <= 0 &&
	       excess_of(reduction, node, p, o, false) + exposed <= 0;
}

static bool is_beaten(const struct reduction *reduction, unsigned node, unsigned o)
{
	const unsigned *const options = reduction->graph->nodes[node].option;
	if (isinf(reduction->graph->nodes[node].cost[o]))
		return reduction->left[node] > 1;
	for (unsigned k = 0; k < reduction->left[node]; ++k)
		if (options[k] != o && beats(reduction, node, options[k], o))
			return true;
	return false;
}

static bool node_reduce(struct reduction *reduction, unsigned node)
{
	const struct assign_graph *const graph = reduction->graph;
	unsigned *const options = graph->nodes[node].option;
	bool is_less = false;
	for (unsigned k = reduction->left[node]; k-- > 0;)
		if (is_beaten(reduction, node, options[k])) {
			reduction->is_left[(size_t)node * graph->widest + options[k]] = false;
			--reduction->left[node];
			memmove(options + k, options + k + 1, (reduction->left[node] - k) * sizeof *options);
			is_less = true;
		}
	for (unsigned k = graph->incident_begin[node]; is_less && k < graph->incident_begin[node + 1]; ++k) {
		const struct assign_part *const edge = &graph->parts[graph->incident[k]];
		reduction->has_moved[edge->from == node ? edge->to : edge->from] = true;
	}
	return is_less;
}

/* Keeps only the costs between the options that are left; false when out of memory. */
static bool edge_compact(const struct reduction *reduction, struct assign_part *edge)
{
	const struct assign_place *const from = &reduction->graph->nodes[edge->from],
					 *const to = &reduction->graph->nodes[edge->to];
	const unsigned rows = reduction->left[edge->from], columns = reduction->left[edge->to];
	double *const cost = arena_alloc(reduction->arena, (size_t)rows * columns, sizeof *cost);
	if (!cost)
		return false;
	for (unsigned a = 0; edge->cost && a < rows; ++a)
		for (unsigned b = 0; b < columns; ++b)
			cost[(size_t)a * columns + b] =
				edge->cost[(size_t)from->option[a] * to->count + to->option[b]];
	edge->cost = cost;
	return true;
}

static void place_compact(struct assign_place *place, unsigned left)
{
	for (unsigned k = 0; k < left; ++k) { /* options ascend: no entry is overwritten before it is read */
		place->cost[k] = place->cost[place->option[k]];
		place->exposed[k] = place->exposed[place->option[k]];
		place->memory[k] = place->memory[place->option[k]];
	}
	place->count = left;
}

static bool compact(struct reduction *reduction)
{
	struct assign_graph *const graph = reduction->graph;
	graph->widest = 0;
	for (unsigned p = 0; p < graph->part_count; ++p)
		if (graph->parts[p].kind == ASSIGN_EDGE && !edge_compact(reduction, &graph->parts[p]))
			return false;
	for (unsigned n = 0; n < graph->node_count; ++n) {
		place_compact(&graph->nodes[n], reduction->left[n]);
		graph->widest = reduction->left[n] > graph->widest ? reduction->left[n] : graph->widest;
	}
	graph->cell = arena_alloc(reduction->arena, (size_t)graph->part_count + 1, sizeof *graph->cell);
	for (unsigned p = 0; graph->cell && p < graph->part_count; ++p)
		graph->cell[p + 1] = graph->cell[p] + (size_t)graph->nodes[graph->parts[p].from].count *
							      graph->nodes[graph->parts[p].to].count;
	return graph->cell != NULL;
}

static bool reduction_create(
	struct reduction *reduction, struct assign_graph *graph, struct paradl_arena *arena)
{
	for (unsigned n = 0; n < graph->node_count; ++n)
		graph->widest = graph->nodes[n].count > graph->widest ? graph->nodes[n].count : graph->widest;
	const size_t all = (size_t)graph->node_count * graph->widest;
	*reduction = (struct reduction){.graph = graph,
		.arena = arena,
		.left = arena_alloc(arena, graph->node_count, sizeof *reduction->left),
		.is_left = arena_alloc(arena, all, sizeof *reduction->is_left),
		.has_moved = arena_alloc(arena, graph->node_count, sizeof *reduction->has_moved)};
	if (!reduction->left || !reduction->is_left || !reduction->has_moved)
		return false;
	memset(reduction->is_left, true, all);
	for (unsigned n = 0; n < graph->node_count; ++n) {
		reduction->left[n] = graph->nodes[n].count;
		reduction->has_moved[n] = true;
	}
	return incident_fill(graph, arena);
}

bool assign_graph_reduce(struct assign_graph *graph, struct paradl_arena *arena)
{
	struct reduction reduction;
	if (!reduction_create(&reduction, graph, arena))
		return false;
	for (bool is_less = true; is_less;) {
		is_less = false;
		for (unsigned n = 0; n < graph->node_count; ++n)
			if (reduction.has_moved[n]) {
				reduction.has_moved[n] = false;
				is_less |= node_reduce(&reduction, n);
			}
	}
	return compact(&reduction) && assign_graph_join(graph, arena);
}

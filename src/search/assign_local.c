/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file sums up choices, and looks for better ones near a given one. */
#include <math.h>
#include <string.h>

#include "search/assign_graph.h"

enum { MOST_SWEEPS = 50 };

bool assign_fits(const struct assign_graph *graph, double memory)
{
	return memory <= graph->capacity + 1e-14 * fabs(graph->capacity);
}

static double edge_cost(
	const struct assign_graph *graph, const struct assign_part *edge, const unsigned *choice)
{
	return edge->cost[(size_t)choice[edge->from] * graph->nodes[edge->to].count + choice[edge->to]];
}

struct assign_totals assign_sum(const struct assign_graph *graph, const unsigned *choice)
{
	struct assign_totals sum = {0, 0, 0};
	for (unsigned n = 0; n < graph->node_count; ++n) {
		const struct assign_place *const place = &graph->nodes[n];
		sum.cost += place->cost[choice[n]];
		sum.exposed += place->exposed[choice[n]];
		sum.memory += place->memory[choice[n]];
	}
	for (unsigned p = 0; p < graph->part_count; ++p)
		if (graph->parts[p].kind == ASSIGN_EDGE)
			sum.cost += edge_cost(graph, &graph->parts[p], choice);
	return sum;
}

bool assign_offer(struct assign_state *state)
{
	const struct assign_totals sum = assign_sum(state->graph, state->trial);
	if (!assign_fits(state->graph, sum.memory) || !(assign_value(&sum) < state->value))
		return false;
	state->value = assign_value(&sum);
	memcpy(state->choice, state->trial, state->graph->node_count * sizeof *state->choice);
	return true;
}

/* Returns the totals with option o at this node; `choice` is the same afterwards. */
static struct assign_totals moved(const struct assign_graph *graph, const struct assign_totals *sum,
	unsigned *choice, unsigned node, unsigned o)
{
	const struct assign_place *const place = &graph->nodes[node];
	const unsigned now = choice[node];
	struct assign_totals after = {
		.cost = sum->cost + (place->cost[o] - place->cost[now]),
		.exposed = sum->exposed + (place->exposed[o] - place->exposed[now]),
		.memory = sum->memory + (place->memory[o] - place->memory[now]),
	};
	for (unsigned k = graph->incident_begin[node]; k < graph->incident_begin[node + 1]; ++k) {
		const struct assign_part *const edge = &graph->parts[graph->incident[k]];
		const double before = edge_cost(graph, edge, choice);
		choice[node] = o;
		after.cost += edge_cost(graph, edge, choice) - before;
		choice[node] = now;
	}
	return after;
}

void assign_improve(struct assign_state *state)
{
	const struct assign_graph *const graph = state->graph;
	unsigned *const choice = state->trial;
	memcpy(choice, state->choice, graph->node_count * sizeof *choice);
	struct assign_totals sum = assign_sum(graph, choice);
	bool is_better = true;
	for (unsigned sweep = 0; is_better && sweep < MOST_SWEEPS; ++sweep) {
		is_better = false;
		for (unsigned n = 0; n < graph->node_count; ++n)
			for (unsigned o = 0; o < graph->nodes[n].count; ++o) {
				const struct assign_totals after = moved(graph, &sum, choice, n, o);
				if (!assign_fits(graph, after.memory) ||
					!(assign_value(&after) < assign_value(&sum)))
					continue;
				choice[n] = o;
				sum = after;
				is_better = true;
			}
	}
	assign_offer(state);
}

void assign_cross(struct assign_state *state, const unsigned *from, const unsigned *to)
{
	const struct assign_graph *const graph = state->graph;
	unsigned *const choice = state->trial;
	memcpy(choice, from, graph->node_count * sizeof *choice);
	struct assign_totals sum = assign_sum(graph, choice);
	double best = state->value;
	unsigned best_part = graph->part_count;
	for (unsigned p = 0; p < graph->part_count; ++p) {
		const unsigned node = graph->parts[p].node;
		if (graph->parts[p].kind != ASSIGN_SERIES || choice[node] == to[node])
			continue;
		sum = moved(graph, &sum, choice, node, to[node]);
		choice[node] = to[node];
		if (assign_fits(graph, sum.memory) && assign_value(&sum) < best) {
			best = assign_value(&sum);
			best_part = p;
		}
	}
	if (best_part == graph->part_count)
		return;
	memcpy(choice, from, graph->node_count * sizeof *choice);
	for (unsigned p = 0; p <= best_part; ++p)
		if (graph->parts[p].kind == ASSIGN_SERIES)
			choice[graph->parts[p].node] = to[graph->parts[p].node];
	assign_offer(state);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random problems of search/assign.h: chains, nested branches, blocks that repeat. */
#ifndef TESTS_SEARCH_RANDOM_GRAPH_H
#define TESTS_SEARCH_RANDOM_GRAPH_H

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "oracle/random.h"
#include "search/assign.h"

enum { GRAPH_MOST_NODES = 16, GRAPH_MOST_EDGES = 128 };

/* What is drawn. */
struct graph_kind {
	unsigned nodes, options, depth; /* at most */
	bool has_memory, has_exposed, is_integer, is_forbidding, is_repeating;
	double least; /* cost */
};

struct random_graph {
	struct random random;
	struct paradl_arena *arena;
	struct graph_kind kind;
	struct assign_problem problem;
	struct assign_node nodes[GRAPH_MOST_NODES];
	struct assign_edge edges[GRAPH_MOST_EDGES];
	unsigned from[GRAPH_MOST_EDGES], to[GRAPH_MOST_EDGES]; /* of each edge */
};

static double *graph_numbers(
	struct random_graph *graph, size_t count, double low, double high, bool may_forbid)
{
	double *const numbers = arena_alloc(graph->arena, count, sizeof *numbers);
	for (size_t k = 0; numbers && k < count; ++k) {
		numbers[k] = random_real(&graph->random, low, high);
		if (graph->kind.is_integer)
			numbers[k] = floor(numbers[k]);
		if (may_forbid && graph->kind.is_forbidding && random_between(&graph->random, 0, 4) == 0)
			numbers[k] = HUGE_VAL;
	}
	return numbers;
}

static unsigned graph_node(struct random_graph *graph)
{
	const unsigned index = graph->problem.node_count++;
	struct assign_node *const node = &graph->nodes[index];
	if (graph->kind.is_repeating && index > 0 && random_true(&graph->random)) {
		*node = graph->nodes[index - 1];
		return index;
	}
	node->options = random_between(&graph->random, 1, graph->kind.options);
	node->cost_s = graph_numbers(graph, node->options, graph->kind.least, 10, true);
	node->exposed_s = graph->kind.has_exposed ? graph_numbers(graph, node->options, -4, 4, false) : NULL;
	node->memory_bytes = graph->kind.has_memory ? graph_numbers(graph, node->options, 0, 9, false) : NULL;
	return index;
}

static unsigned graph_edge(struct random_graph *graph, unsigned from, unsigned to)
{
	const unsigned index = graph->problem.edge_count++;
	const unsigned rows = graph->nodes[from].options, columns = graph->nodes[to].options;
	graph->from[index] = from;
	graph->to[index] = to;
	for (unsigned e = 0; graph->kind.is_repeating && e < index; ++e)
		if (graph->nodes[graph->from[e]].cost_s == graph->nodes[from].cost_s &&
			graph->nodes[graph->to[e]].cost_s == graph->nodes[to].cost_s) {
			graph->edges[index] = graph->edges[e];
			return index;
		}
	graph->edges[index].cost_s =
		graph_numbers(graph, (size_t)rows * columns, graph->kind.least / 2, 6, true);
	return index;
}

/* A branch between two nodes; the whole chain where there is no `from`: both negative. */
static struct assign_chain graph_chain(struct random_graph *graph, int from, int to, unsigned depth)
{
	enum { MOST_ITEMS = 7 };
	struct assign_item *const items = arena_alloc(graph->arena, MOST_ITEMS, sizeof *items);
	struct assign_chain chain = {.count = 0, .items = items};
	const unsigned wanted = from < 0 ? MOST_ITEMS : random_between(&graph->random, 0, 3);
	int last = from;
	bool is_joined = false;
	while (chain.count < wanted && graph->problem.node_count < graph->kind.nodes) {
		const bool may_fork = last >= 0 && !is_joined && depth < graph->kind.depth &&
				      (to >= 0 || chain.count + 1 < MOST_ITEMS);
		struct assign_item *const item = &items[chain.count++];
		if (!may_fork || random_true(&graph->random)) {
			item->node = graph_node(graph);
			item->edge = last >= 0 ? graph_edge(graph, (unsigned)last, item->node) : 0;
			last = (int)item->node;
			continue;
		}
		const bool is_last = to >= 0 && random_true(&graph->random);
		const unsigned join = is_last ? (unsigned)to : graph_node(graph);
		const unsigned branches = random_between(&graph->random, 1, 3);
		struct assign_chain *const branch = arena_alloc(graph->arena, branches, sizeof *branch);
		for (unsigned b = 0; b < branches; ++b)
			branch[b] = graph_chain(graph, last, (int)join, depth + 1);
		item->branches = branch;
		item->branch_count = branches;
		if (is_last)
			return chain;
		items[chain.count++].node = join;
		last = (int)join;
		if (chain.count + 1 >= MOST_ITEMS)
			break;
	}
	if (to >= 0)
		chain.last_edge = graph_edge(graph, (unsigned)last, (unsigned)to);
	return chain;
}

/* The sums of one option for each node. */
struct graph_sums {
	double cost, exposed, memory;
};

static struct graph_sums graph_sums(const struct random_graph *graph, const unsigned *option)
{
	struct graph_sums sums = {0, 0, 0};
	for (unsigned n = 0; n < graph->problem.node_count; ++n) {
		const struct assign_node *const node = &graph->nodes[n];
		sums.cost += node->cost_s[option[n]];
		sums.exposed += node->exposed_s ? node->exposed_s[option[n]] : 0;
		sums.memory += node->memory_bytes ? node->memory_bytes[option[n]] : 0;
	}
	for (unsigned e = 0; e < graph->problem.edge_count; ++e) {
		const unsigned a = option[graph->from[e]], b = option[graph->to[e]];
		sums.cost += graph->edges[e].cost_s[(size_t)a * graph->nodes[graph->to[e]].options + b];
	}
	return sums;
}

/* Least and greatest memory, whether allowed or not. */
static void graph_memory(const struct random_graph *graph, double *least, double *greatest)
{
	*least = *greatest = 0;
	for (unsigned n = 0; n < graph->problem.node_count; ++n) {
		const struct assign_node *const node = &graph->nodes[n];
		double low = node->memory_bytes ? HUGE_VAL : 0, high = node->memory_bytes ? -HUGE_VAL : 0;
		for (unsigned o = 0; node->memory_bytes && o < node->options; ++o) {
			low = fmin(low, node->memory_bytes[o]);
			high = fmax(high, node->memory_bytes[o]);
		}
		*least += low;
		*greatest += high;
	}
}

static void graph_draw(
	struct random_graph *graph, uint64_t seed, struct paradl_arena *arena, const struct graph_kind *kind)
{
	memset(graph, 0, sizeof *graph);
	graph->random.state = seed;
	graph->arena = arena;
	graph->kind = *kind;
	graph->problem.nodes = graph->nodes;
	graph->problem.edges = graph->edges;
	graph->problem.chain = graph_chain(graph, -1, -1, 0);
	double least, greatest;
	graph_memory(graph, &least, &greatest);
	graph->problem.capacity_bytes =
		kind->has_memory ? random_real(&graph->random, least, greatest) : HUGE_VAL;
	if (kind->is_integer)
		graph->problem.capacity_bytes = floor(graph->problem.capacity_bytes);
}

#endif

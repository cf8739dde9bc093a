/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file turns nested chains into a tree of parts: an edge, two parts in series with a node between, two in
 * parallel.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "search/assign_graph.h"

enum { NONE = -1, MOST_NESTED = 200 };

struct builder {
	const struct assign_problem *problem;
	struct assign_graph *graph;
	struct paradl_arena *arena;
	struct paradl_error *error;
	bool *is_placed; /* whether each node stands in the chain */
	unsigned depth;
};

static bool is_bad(double value, bool may_be_infinite)
{
	return isnan(value) || (isinf(value) && !(may_be_infinite && value > 0));
}

static bool node_check(const struct assign_node *node, unsigned index, struct paradl_error *error)
{
	if (node->options == 0)
		return error_set(error, PARADL_USAGE, "node %u has no option", index);
	for (unsigned o = 0; o < node->options; ++o)
		if (is_bad(node->cost_s[o], true) || (node->exposed_s && is_bad(node->exposed_s[o], false)) ||
			(node->memory_bytes && is_bad(node->memory_bytes[o], false)))
			return error_set(error, PARADL_USAGE,
				"option %u of node %u has a cost that is no number", o, index);
	return true;
}

static bool place_fill(const struct assign_node *node, bool is_limited, struct paradl_arena *arena,
	struct assign_place *place)
{
	*place = (struct assign_place){
		.count = node->options,
		.option = arena_alloc(arena, node->options, sizeof *place->option),
		.cost = arena_alloc(arena, node->options, sizeof *place->cost),
		.exposed = arena_alloc(arena, node->options, sizeof *place->exposed),
		.memory = arena_alloc(arena, node->options, sizeof *place->memory),
	};
	if (!place->option || !place->cost || !place->exposed || !place->memory)
		return false;
	for (unsigned o = 0; o < node->options; ++o) {
		place->option[o] = o;
		place->cost[o] = node->cost_s[o];
		place->exposed[o] = node->exposed_s ? node->exposed_s[o] : 0;
		place->memory[o] = is_limited && node->memory_bytes ? node->memory_bytes[o] : 0;
	}
	return true;
}

static bool places_fill(struct builder *builder)
{
	static const double nothing[1] = {0};
	static const struct assign_node end = {
		.options = 1, .cost_s = nothing, .exposed_s = NULL, .memory_bytes = NULL};
	const struct assign_problem *const problem = builder->problem;
	struct assign_graph *const graph = builder->graph;
	for (unsigned n = 0; n < graph->node_count; ++n) {
		const struct assign_node *const node = n < problem->node_count ? &problem->nodes[n] : &end;
		if (!node_check(node, n, builder->error))
			return false;
		if (!place_fill(node, isfinite(problem->capacity_bytes), builder->arena, &graph->nodes[n]))
			return out_of_memory(builder->error);
	}
	return true;
}

/* Adds a part; returns its index, NONE when out of memory. */
static int part_add(struct builder *builder, struct assign_part part)
{
	struct assign_graph *const graph = builder->graph;
	struct assign_part *const added = graph->part_count < (size_t)1 << 30
						  ? LIST_ADD(builder->arena, graph->parts, graph->part_count)
						  : NULL;
	if (!added) {
		out_of_memory(builder->error);
		return NONE;
	}
	*added = part;
	return (int)graph->part_count - 1;
}

static int edge_add(struct builder *builder, unsigned from, unsigned to, unsigned edge)
{
	const struct assign_graph *const graph = builder->graph;
	struct assign_part part = {.kind = ASSIGN_EDGE, .from = from, .to = to, .cost = NULL};
	if (from != graph->node_count - 2 && to != graph->node_count - 1) {
		if (edge >= builder->problem->edge_count) {
			error_set(builder->error, PARADL_USAGE, "there is no edge %u", edge);
			return NONE;
		}
		part.cost = builder->problem->edges[edge].cost_s;
		const size_t cells = (size_t)graph->nodes[from].count * graph->nodes[to].count;
		for (size_t k = 0; k < cells; ++k)
			if (is_bad(part.cost[k], true)) {
				error_set(builder->error, PARADL_USAGE,
					"edge %u has a cost that is no number", edge);
				return NONE;
			}
	}
	return part_add(builder, part);
}

/* Appends `part` to `before`, which ends at `node`; returns the index of both in series, NONE on error. */
static int append(struct builder *builder, int before, unsigned node, int part)
{
	if (before == NONE || part == NONE)
		return part;
	const struct assign_part *const parts = builder->graph->parts;
	return part_add(builder, (struct assign_part){.kind = ASSIGN_SERIES,
					 .from = parts[before].from,
					 .to = parts[part].to,
					 .left = (unsigned)before,
					 .right = (unsigned)part,
					 .node = node});
}

static bool place_node(struct builder *builder, unsigned node)
{
	if (node >= builder->problem->node_count || builder->is_placed[node])
		return error_set(builder->error, PARADL_USAGE, "node %u is %s", node,
			node >= builder->problem->node_count ? "not there" : "at two places");
	builder->is_placed[node] = true;
	return true;
}

static int chain_add(struct builder *builder, const struct assign_chain *chain, unsigned from, unsigned to);

static int branches_add(struct builder *builder, const struct assign_item *item, unsigned from, unsigned to)
{
	int all = NONE;
	for (unsigned b = 0; b < item->branch_count; ++b) {
		const int branch = chain_add(builder, &item->branches[b], from, to);
		if (branch == NONE)
			return NONE;
		all = all == NONE ? branch
				  : part_add(builder, (struct assign_part){.kind = ASSIGN_PARALLEL,
							      .from = from,
							      .to = to,
							      .left = (unsigned)all,
							      .right = (unsigned)branch});
		if (all == NONE)
			return NONE;
	}
	return all;
}

/* Finds the node where the branches at item i meet; false if they cannot. */
static bool join_of(struct builder *builder, const struct assign_chain *chain, unsigned i, unsigned from,
	unsigned to, unsigned *join)
{
	const struct assign_graph *const graph = builder->graph;
	const bool is_last = i + 1 == chain->count;
	if (from == graph->node_count - 2 || (is_last && to == graph->node_count - 1) ||
		(!is_last && (chain->items[i + 1].branch_count > 0 ||
				     chain->items[i + 1].node >= builder->problem->node_count)))
		return error_set(builder->error, PARADL_USAGE,
			"item %u of a chain, branches, is not between two nodes", i);
	*join = is_last ? to : chain->items[i + 1].node;
	return true;
}

/* Adds all parts of the chain between `from` and `to`; returns its last part, NONE on error. */
static int chain_add(struct builder *builder, const struct assign_chain *chain, unsigned from, unsigned to)
{
	if (++builder->depth > MOST_NESTED) {
		error_set(builder->error, PARADL_USAGE, "branches are nested more than %d deep", MOST_NESTED);
		return NONE;
	}
	int all = NONE;
	unsigned last = from;
	bool is_joined = false; /* whether the edges to the next node are there */
	for (unsigned i = 0; i < chain->count; ++i) {
		const struct assign_item *const item = &chain->items[i];
		unsigned next = item->node;
		if (item->branch_count > 0) {
			if (!join_of(builder, chain, i, last, to, &next))
				return NONE;
			all = append(builder, all, last, branches_add(builder, item, last, next));
		} else {
			if (!place_node(builder, item->node))
				return NONE;
			if (!is_joined)
				all = append(
					builder, all, last, edge_add(builder, last, item->node, item->edge));
		}
		if (all == NONE)
			return NONE;
		is_joined = item->branch_count > 0;
		last = next;
	}
	--builder->depth;
	return is_joined ? all : append(builder, all, last, edge_add(builder, last, to, chain->last_edge));
}

bool assign_graph_build(const struct assign_problem *problem, struct paradl_arena *arena,
	struct assign_graph *graph, struct paradl_error *error)
{
	if (is_bad(problem->capacity_bytes, true) || problem->chain.count == 0)
		return error_set(error, PARADL_USAGE,
			problem->chain.count == 0 ? "the chain is empty" : "the capacity is no number");
	*graph = (struct assign_graph){
		.node_count = problem->node_count + 2,
		.nodes = arena_alloc(arena, (size_t)problem->node_count + 2, sizeof *graph->nodes),
		.capacity = isfinite(problem->capacity_bytes) ? problem->capacity_bytes : 0,
	};
	struct builder builder = {.problem = problem,
		.graph = graph,
		.arena = arena,
		.error = error,
		.is_placed = arena_alloc(arena, problem->node_count, sizeof *builder.is_placed)};
	if (!graph->nodes || !builder.is_placed)
		return out_of_memory(error);
	if (!places_fill(&builder) ||
		chain_add(&builder, &problem->chain, graph->node_count - 2, graph->node_count - 1) == NONE)
		return false;
	for (unsigned n = 0; n < problem->node_count; ++n)
		if (!builder.is_placed[n])
			return error_set(error, PARADL_USAGE, "node %u is nowhere in the chain", n);
	return true;
}

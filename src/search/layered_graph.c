/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The chain consists of the positions through which all data goes (no read passes over them). The layers between two
 * of these fall into parts that do not read one another. A part that one layer enters and one leaves is a branch, and
 * a chain again. Any other part is one node.
 */
#include "search/layer_plans.h"

#include "base/error.h"

struct builder {
	const struct paradl_model *model;
	struct paradl_arena *arena;
	struct layer_graph *graph;
	int *last_reader; /* last position that reads each position; -1: none */
};

/* Returns whether this position reads the output of a layer in [first, end). */
static bool reads_from(const struct builder *builder, unsigned position, unsigned first, unsigned end)
{
	const struct layer_reads *reads = &builder->model->reads[position];
	for (unsigned i = 0; i < reads->count; ++i)
		if (reads->positions[i] >= (int)first && reads->positions[i] < (int)end)
			return true;
	return false;
}

static unsigned node_add(struct builder *builder, unsigned first, unsigned end)
{
	struct layer_graph *graph = builder->graph;
	graph->nodes[graph->node_count] = (struct graph_node){first, end};
	return graph->node_count++;
}

static unsigned edge_add(struct builder *builder, unsigned from, unsigned to)
{
	struct layer_graph *graph = builder->graph;
	graph->edges[graph->edge_count] = (struct graph_edge){from, to};
	return graph->edge_count++;
}

/*
 * Returns the end of the part that begins at `first`, `end` at the latest: no layer after it reads from it but the
 * join.
 */
static unsigned part_end(const struct builder *builder, unsigned first, unsigned end)
{
	unsigned reach = first + 1;
	for (unsigned i = first; i < reach; ++i)
		for (unsigned reader = end; reader-- > reach;)
			if (reads_from(builder, reader, first, i + 1))
				reach = reader + 1;
	return reach;
}

/* Returns whether one layer enters, one leaves, and all others only know one another. */
static bool is_branch(const struct builder *builder, unsigned first, unsigned end, unsigned join)
{
	for (unsigned i = first; i < end; ++i) {
		const struct layer_reads *reads = &builder->model->reads[i];
		const bool inside = reads->count > 0 && reads->positions[0] >= (int)first;
		if (i > first && !inside)
			return false;
		if ((i + 1 < end && builder->last_reader[i] >= (int)join) || builder->last_reader[i] < 0)
			return false;
	}
	return builder->model->reads[first].count == 1 && reads_from(builder, join, end - 1, end);
}

static bool chain_fill(
	struct builder *builder, unsigned first, unsigned end, int fork, struct assign_chain *chain);

static unsigned last_node(const struct assign_chain *chain)
{
	return chain->items[chain->count - 1].node;
}

/* Adds the layers [first, end) as a branch between the nodes of `fork` and `join`, which are positions. */
static bool branch_fill(struct builder *builder, unsigned first, unsigned end, unsigned fork_node,
	unsigned join, unsigned join_node, struct assign_chain *branch)
{
	if (is_branch(builder, first, end, join)) {
		if (!chain_fill(builder, first, end, (int)fork_node, branch))
			return false;
	} else {
		struct assign_item *item = arena_alloc(builder->arena, 1, sizeof *item);
		if (!item)
			return false;
		item->node = node_add(builder, first, end);
		item->edge = edge_add(builder, fork_node, item->node);
		*branch = (struct assign_chain){.count = 1, .items = item};
	}
	branch->last_edge = edge_add(builder, last_node(branch), join_node);
	return true;
}

/* Adds the branches between two positions of a chain, and the reads from one to the other. */
static bool between_fill(struct builder *builder, unsigned fork, unsigned fork_node, unsigned join,
	unsigned join_node, struct assign_item *item)
{
	const bool skips = reads_from(builder, join, fork, fork + 1);
	unsigned count = skips;
	for (unsigned i = fork + 1; i < join; i = part_end(builder, i, join))
		++count;
	struct assign_chain *branches = arena_alloc(builder->arena, count, sizeof *branches);
	if (!branches)
		return false;
	*item = (struct assign_item){.branch_count = count, .branches = branches};
	for (unsigned i = fork + 1; i < join;) {
		const unsigned end = part_end(builder, i, join);
		if (!branch_fill(builder, i, end, fork_node, join, join_node, branches++))
			return false;
		i = end;
	}
	if (skips)
		branches->last_edge = edge_add(builder, fork_node, join_node);
	return true;
}

/* Returns the next position after `from` that no read from before it passes over; `end` if there is none. */
static unsigned next_in_chain(const struct builder *builder, unsigned from, unsigned end)
{
	int reach = -1;
	for (unsigned i = from; i < end; ++i) {
		if (i > from && reach <= (int)i)
			return i;
		if (builder->last_reader[i] > reach && builder->last_reader[i] < (int)end)
			reach = builder->last_reader[i];
	}
	return end;
}

/* Adds the layers [first, end) as a chain. fork: the node before it, -1: none. */
static bool chain_fill(
	struct builder *builder, unsigned first, unsigned end, int fork, struct assign_chain *chain)
{
	struct assign_item *items = arena_alloc(builder->arena, (size_t)2 * (end - first), sizeof *items);
	unsigned position = first, node = node_add(builder, first, first + 1);
	if (!items)
		return false;
	*chain = (struct assign_chain){.count = 1, .items = items};
	items[0].node = node;
	if (fork >= 0)
		items[0].edge = edge_add(builder, (unsigned)fork, node);
	while (position + 1 < end) {
		const unsigned next = next_in_chain(builder, position, end);
		const unsigned last = next < end ? next : end - 1;
		const unsigned after = node_add(builder, last, last + 1);
		if (last == position + 1)
			items[chain->count].edge = edge_add(builder, node, after);
		else if (!between_fill(builder, position, node, last, after, &items[chain->count++]))
			return false;
		items[chain->count++].node = after;
		position = last;
		node = after;
	}
	return true;
}

/* Makes the chain of units that a network of tokens is. */
static bool units_fill(struct builder *builder, struct assign_chain *chain)
{
	const struct paradl_model *model = builder->model;
	struct assign_item *items = arena_alloc(builder->arena, model->unit_count, sizeof *items);
	if (!items)
		return false;
	for (unsigned u = 0; u < model->unit_count; ++u) {
		items[u].node = node_add(builder, model->units[u].first, model->units[u].end);
		if (u > 0)
			items[u].edge = edge_add(builder, u - 1, u);
	}
	*chain = (struct assign_chain){.count = model->unit_count, .items = items};
	return true;
}

bool layer_graph_make(const struct paradl_model *model, struct paradl_arena *arena, struct layer_graph *graph,
	struct paradl_error *error)
{
	const unsigned count = model->order_count;
	struct builder builder = {.model = model, .arena = arena, .graph = graph};
	*graph = (struct layer_graph){.nodes = arena_alloc(arena, count, sizeof *graph->nodes),
		.edges = arena_alloc(arena, (size_t)3 * count, sizeof *graph->edges)};
	builder.last_reader = arena_alloc(arena, count, sizeof *builder.last_reader);
	if (!graph->nodes || !graph->edges || !builder.last_reader)
		return out_of_memory(error);
	for (unsigned i = 0; i < count; ++i) {
		builder.last_reader[i] = -1;
		for (unsigned k = 0; k < model->reads[i].count; ++k)
			if (model->reads[i].positions[k] != READS_INPUT)
				builder.last_reader[model->reads[i].positions[k]] = (int)i;
	}
	const bool made = model->tokens ? units_fill(&builder, &graph->chain)
					: chain_fill(&builder, 0, count, -1, &graph->chain);
	return made || out_of_memory(error);
}

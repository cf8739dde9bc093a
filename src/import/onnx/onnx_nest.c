/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nests layers by series-parallel reduction. Layers are nodes; an edge holds the list of layers between its ends. In
 * the order of the layers, a join whose edges all come from one node becomes a layer with branches, and a node with
 * one edge in and one out becomes part of the list of an edge. At the end there is one edge from input to result, or
 * a graph that no nesting expresses: its layers stand one after the other and name what they read. Each step removes
 * an edge, so time is linear but for the walk over operands.
 */
#include <string.h>

#include "base/error.h"
#include "import/onnx/onnx_network.h"

enum { DEPTH_MAX = 64 }; /* levels of branches in branches: readers and writers of JSON recurse */

struct edge {
	int from; /* index of a node; NOTHING: the network's input */
	struct onnx_list list;
};

struct node {
	struct edge *edges; /* one for each input */
	unsigned edge_count, out_count;
	const struct onnx_list *branches; /* lists of a join that has become a layer with branches */
	unsigned depth;                   /* levels of branches in its branches */
	bool is_inner;                    /* part of an edge's list */
};

struct nesting {
	struct onnx_network *network;
	struct node *nodes;
	int placed; /* layer that stands last in the flat list; NOTHING: the input */
};

/* Marks the layers that results need, from the last to the first: layers are in order. */
static void use_mark(struct onnx_network *network)
{
	for (unsigned i = network->layer_count; i-- > 0;) {
		struct onnx_layer *const layer = &network->layers[i];
		layer->is_used = layer->is_used || network->is_result[i];
		for (unsigned n = 0; layer->is_used && n < layer->input_count; n++)
			if (layer->inputs[n] != NOTHING)
				network->layers[layer->inputs[n]].is_used = true;
	}
}

static void *allocate(const struct nesting *nesting, size_t count, size_t size)
{
	void *const data = arena_alloc(nesting->network->graph->arena, count + 1, size);
	if (!data)
		out_of_memory(nesting->network->graph->error);
	return data;
}

static void append(struct onnx_list *list, struct onnx_list more)
{
	if (!more.first)
		return;
	if (list->first)
		list->last->next = more.first;
	else
		list->first = more.first;
	list->last = more.last;
	list->depth = list->depth > more.depth ? list->depth : more.depth;
}

static struct onnx_item *item_add(const struct nesting *nesting, struct onnx_list *list, int layer)
{
	struct onnx_item *const item = allocate(nesting, 1, sizeof *item);
	if (!item)
		return NULL;
	*item = (struct onnx_item){.layer = layer, .branches = nesting->nodes[layer].branches};
	append(list, (struct onnx_list){item, item, nesting->nodes[layer].depth});
	return item;
}

static bool edges_make(struct nesting *nesting, int index)
{
	const struct onnx_layer *const layer = &nesting->network->layers[index];
	struct node *const node = &nesting->nodes[index];
	node->edges = allocate(nesting, layer->input_count, sizeof *node->edges);
	node->edge_count = layer->input_count;
	if (!node->edges)
		return false;
	for (unsigned i = 0; i < layer->input_count; i++)
		node->edges[i] = (struct edge){.from = layer->inputs[i]};
	return true;
}

static bool is_open(const struct nesting *nesting, int index)
{
	const struct node *const node = index == NOTHING ? NULL : &nesting->nodes[index];
	return node && node->edge_count == 1 && node->out_count == 1 && !nesting->network->is_result[index];
}

/* Puts nodes that have become part of a list into the edge that leaves them. */
static bool edge_extend(struct nesting *nesting, struct edge *edge)
{
	while (is_open(nesting, edge->from)) {
		struct node *const inner = &nesting->nodes[edge->from];
		struct onnx_list list = inner->edges[0].list;
		if (!item_add(nesting, &list, edge->from))
			return false;
		append(&list, edge->list);
		edge->list = list;
		inner->is_inner = true;
		edge->from = inner->edges[0].from;
	}
	return true;
}

static bool reduce(struct nesting *nesting, int index)
{
	struct node *const node = &nesting->nodes[index];
	for (unsigned i = 0; i < node->edge_count; i++)
		if (!edge_extend(nesting, &node->edges[i]))
			return false;
	const int from = node->edge_count > 0 ? node->edges[0].from : NOTHING;
	for (unsigned i = 1; i < node->edge_count; i++)
		if (node->edges[i].from != from)
			return true;
	for (unsigned i = 0; i < node->edge_count; i++)
		if (node->edges[i].list.depth >= node->depth)
			node->depth = node->edges[i].list.depth + 1;
	if (node->edge_count < 2 || node->depth > DEPTH_MAX) {
		node->depth = 0;
		return true;
	}
	struct onnx_list *const branches = allocate(nesting, node->edge_count, sizeof *branches);
	if (!branches)
		return false;
	for (unsigned i = 0; i < node->edge_count; i++)
		branches[i] = node->edges[i].list;
	if (from != NOTHING)
		nesting->nodes[from].out_count -= node->edge_count - 1;
	node->branches = branches;
	node->edges[0].list = (struct onnx_list){.first = NULL};
	node->edge_count = 1;
	return edge_extend(nesting, &node->edges[0]);
}

static bool from_set(
	struct nesting *nesting, struct onnx_item *item, const int *from, unsigned count, bool *names_input)
{
	if (count == 1 && from[0] == nesting->placed)
		return true;
	int *const copy = allocate(nesting, count, sizeof *copy);
	if (!copy)
		return false;
	memcpy(copy, from, count * sizeof *copy);
	for (unsigned i = 0; i < count; i++)
		*names_input = *names_input || copy[i] == NOTHING;
	item->from = copy;
	item->from_count = count;
	return true;
}

/* Appends a node to the flat list: the lists of its edges one after the other, then the node itself. */
static bool place(struct nesting *nesting, int index, struct onnx_list *list, bool *names_input)
{
	struct node *const node = &nesting->nodes[index];
	int *const ends = allocate(nesting, node->edge_count, sizeof *ends);
	if (!ends)
		return false;
	for (unsigned i = 0; i < node->edge_count; i++) {
		struct edge *const edge = &node->edges[i];
		ends[i] = edge->from;
		if (!edge->list.first)
			continue;
		if (!from_set(nesting, edge->list.first, &edge->from, 1, names_input))
			return false;
		append(list, edge->list);
		ends[i] = nesting->placed = edge->list.last->layer;
	}
	struct onnx_item *const item = item_add(nesting, list, index);
	if (!item || !from_set(nesting, item, ends, node->edge_count, names_input))
		return false;
	nesting->placed = index;
	return true;
}

bool network_nest(struct onnx_network *network, struct onnx_list *list, bool *names_input)
{
	struct nesting nesting = {.network = network, .placed = NOTHING};
	nesting.nodes = allocate(&nesting, network->layer_count, sizeof *nesting.nodes);
	if (!nesting.nodes)
		return false;
	use_mark(network);
	for (unsigned i = 0; i < network->layer_count; i++) {
		const struct onnx_layer *const layer = &network->layers[i];
		for (unsigned n = 0; layer->is_used && n < layer->input_count; n++)
			if (layer->inputs[n] != NOTHING)
				nesting.nodes[layer->inputs[n]].out_count++;
		if (layer->is_used && !edges_make(&nesting, (int)i))
			return false;
	}
	for (unsigned i = 0; i < network->layer_count; i++)
		if (network->layers[i].is_used && !reduce(&nesting, (int)i))
			return false;
	*list = (struct onnx_list){.first = NULL};
	*names_input = false;
	for (unsigned i = 0; i < network->layer_count; i++)
		if (network->layers[i].is_used && !nesting.nodes[i].is_inner &&
			!place(&nesting, (int)i, list, names_input))
			return false;
	return true;
}

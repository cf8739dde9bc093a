/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders nodes. It goes backwards from the outputs, without recursion, and puts each node after those that it reads.
 */
#include "base/error.h"
#include "import/onnx/onnx_graph.h"

enum state { UNSEEN, OPEN, DONE };

struct visit {
	unsigned node, next_input;
};

struct search {
	struct onnx_graph *graph;
	unsigned char *states;
	struct visit *stack; /* room for all nodes: each is open once */
	unsigned depth;
};

static bool open_node(struct search *search, int node)
{
	struct onnx_graph *const graph = search->graph;
	if (node == NOTHING || search->states[node] == DONE)
		return true;
	if (search->states[node] == OPEN) {
		char text[160];
		return graph_error(graph, "has a cycle: %s needs its own result",
			node_format(graph, &graph->nodes[node], text, sizeof text));
	}
	search->states[node] = OPEN;
	search->stack[search->depth++] = (struct visit){.node = (unsigned)node};
	return true;
}

static bool visit_all(struct search *search)
{
	struct onnx_graph *const graph = search->graph;
	while (search->depth > 0) {
		struct visit *const top = &search->stack[search->depth - 1];
		struct onnx_node *const node = &graph->nodes[top->node];
		if (top->next_input == node->input_count) {
			search->states[top->node] = DONE;
			node->is_needed = true;
			graph->order[graph->order_count++] = top->node;
			search->depth--;
			continue;
		}
		const int input = node->inputs[top->next_input++];
		if (input == NOTHING)
			continue;
		graph->values[input].uses += span_is(node->operation, "Shape") ? 0 : 1;
		if (!open_node(search, graph->values[input].producer))
			return false;
	}
	return true;
}

bool graph_order(struct onnx_graph *graph)
{
	struct search search = {
		.graph = graph,
		.states = arena_alloc(graph->arena, graph->node_count, sizeof(*search.states)),
		.stack = arena_alloc(graph->arena, graph->node_count, sizeof(*search.stack)),
	};
	graph->order = arena_alloc(graph->arena, graph->node_count, sizeof(*graph->order));
	if (!search.states || !search.stack || !graph->order)
		return out_of_memory(graph->error);
	for (unsigned i = 0; i < graph->output_count; i++) {
		graph->values[graph->outputs[i]].uses++;
		if (!open_node(&search, graph->values[graph->outputs[i]].producer) || !visit_all(&search))
			return false;
	}
	return true;
}

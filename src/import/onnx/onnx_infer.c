/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders the nodes of a graph, and infers the outputs of each in turn. */
#include "base/error.h"
#include "import/onnx/onnx_graph.h"
#include "import/onnx/onnx_network.h"

#include <string.h>

/*
 * Orders nodes. It goes backwards from the outputs, without recursion, and puts each node after those that it reads.
 */

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

/*
 * Infers the outputs of every node in turn. A shape that is not known is not guessed: the value is lost, with all
 * that depends on it, unless the file or the user states its shape.
 */

enum { TABLES = 8, WORK_TABLES = 3 };

const struct onnx_operator *operator_find(const struct onnx_node *node, bool *is_work)
{
	static const struct onnx_operator *const tables[TABLES] = {onnx_windows, onnx_products, onnx_norms,
		onnx_items, onnx_shapes, onnx_moves, onnx_scales, onnx_numbers};
	*is_work = false;
	if (node->domain.length > 0 && !span_is(node->domain, "ai.onnx") &&
		!span_is(node->domain, "com.microsoft"))
		return NULL;
	for (size_t t = 0; t < TABLES; t++)
		for (const struct onnx_operator *found = tables[t]; found->name; found++)
			if (span_is(node->operation, found->name)) {
				*is_work = t < WORK_TABLES;
				return found;
			}
	return NULL;
}

static bool inputs_known(const struct onnx_step *step)
{
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const input = step_input(step, i);
		if (input && !input->is_constant && !input->shape.known)
			return false;
	}
	return true;
}

static bool inputs_constant(const struct onnx_step *step)
{
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const input = step_input(step, i);
		if (input && !input->is_constant)
			return false;
	}
	return true;
}

/*
 * Marks outputs as constants that are not known. A constant that cannot be computed matters only where it is needed.
 */
static void constants_unknown(const struct onnx_step *step)
{
	for (unsigned i = 0; i < step->node->output_count; i++) {
		if (step->node->outputs[i] == NOTHING)
			continue;
		struct onnx_value *const value = &step->graph->values[step->node->outputs[i]];
		value->is_constant = true;
		value->shape.known = false;
		value->numbers = NULL;
	}
}

static bool operator_reported(struct onnx_network *network, const struct onnx_node *node)
{
	for (unsigned i = 0; i < network->unknown_count; i++)
		if (span_equal(network->unknown[i]->operation, node->operation))
			return true;
	if (network->unknown_count < UNKNOWN_MAX)
		network->unknown[network->unknown_count++] = node;
	return network->unknown_count == UNKNOWN_MAX;
}

/*
 * Returns whether the file or the user states the whole shape. An unknown first dimension is taken as that of
 * samples.
 */
static bool is_stated(const struct onnx_network *network, struct onnx_shape *shape)
{
	if (!shape->known || shape->rank == 0)
		return false;
	if (!(shape->dims[0] >= 1))
		shape->dims[0] = network->batch;
	for (unsigned d = 0; d < shape->rank; d++)
		if (!(shape->dims[d] >= 1))
			return false;
	return shape_items(shape) <= ITEMS_MAX;
}

/* Gives up a node whose outputs cannot be inferred. Its inputs become results of what is left of the network. */
static void lose(struct onnx_step *step, bool is_work)
{
	struct onnx_network *const network = step->network;
	if (is_work && !network->lost_work)
		network->lost_work = step->node;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const input = step_input(step, i);
		if (input && !input->is_constant && input->shape.known && input->layer != NOTHING)
			network->is_result[input->layer] = true;
	}
	for (unsigned i = 0; i < step->node->output_count; i++) {
		if (step->node->outputs[i] == NOTHING)
			continue;
		struct onnx_value *const value = &step->graph->values[step->node->outputs[i]];
		value->shape.known = false;
		if (network->lost == NOTHING)
			network->lost = step->node->outputs[i];
	}
}

/*
 * Adds a custom layer for each output of an operator that is not known, where all shapes are stated; else gives it
 * up.
 */
static bool stated(struct onnx_step *step)
{
	struct onnx_network *const network = step->network;
	bool reads = false;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const input = step_input(step, i);
		reads = reads || (input && !input->is_constant && input->shape.known);
	}
	for (unsigned i = 0; i < step->node->output_count; i++)
		if (step->node->outputs[i] != NOTHING &&
			!is_stated(network, &step->graph->values[step->node->outputs[i]].shape))
			reads = false;
	if (!reads || step->node->output_count == 0) {
		lose(step, false);
		return true;
	}
	for (unsigned i = 0; i < step->node->output_count; i++) {
		struct onnx_layer *const layer = step_layer(step, i, "custom", NULL);
		bool is_shared = false;
		if (!layer)
			return false;
		for (unsigned w = 0; i == 0 && w < step->node->input_count; w++) {
			struct onnx_value *const weights = step_input(step, w);
			if (weights && weights->is_constant && weights->shape.known && !weights->is_whole &&
				!weights->numbers)
				layer->params += step_weights(step, weights, layer, &is_shared);
		}
	}
	return true;
}

static bool run_constant(struct onnx_step *step)
{
	struct paradl_error *const error = step->graph->error;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const input = step_input(step, i);
		if (input && !input->shape.known) {
			constants_unknown(step);
			return true;
		}
	}
	constants_unknown(step);
	if (!step->operator|| step->operator->run(step))
		return true;
	if (error->status == PARADL_NO_MEMORY)
		return false;
	*error = (struct paradl_error){.status = PARADL_OK};
	constants_unknown(step);
	return true;
}

/*
 * Refuses new layers with several inputs that are no joins: a file may give their operators more that depend on the
 * network's input. False: error is set.
 */
static bool joins_expected(const struct onnx_step *step, unsigned first)
{
	static const char *const joins[] = {"add", "multiply", "concat", "custom"};
	const struct onnx_network *const network = step->network;
	for (unsigned i = first; i < network->layer_count; i++) {
		bool is_join = network->layers[i].input_count < 2;
		for (size_t j = 0; j < sizeof joins / sizeof *joins; j++)
			is_join = is_join || strcmp(network->layers[i].type, joins[j]) == 0;
		if (!is_join)
			return step_error(step, "reads %u results of other nodes, where it is known with one",
				network->layers[i].input_count);
	}
	return true;
}

static bool run(struct onnx_step *step, bool is_work)
{
	struct onnx_network *const network = step->network;
	const unsigned first = network->layer_count;
	if (step->operator&& inputs_known(step)) {
		if (step->operator->run(step))
			return joins_expected(step, first);
		if (!step->is_unknown)
			return false;
		*step->graph->error = (struct paradl_error){.status = PARADL_OK};
		return stated(step);
	}
	if (step->operator&& is_work) {
		lose(step, true);
		return true;
	}
	if (!step->operator&& inputs_known(step) && !operator_reported(network, step->node)) {
		char name[48];
		warn(network->warnings, "operator %s is not known: it counts as no work",
			span_format(step->node->operation, name, sizeof name));
	}
	return stated(step);
}

static bool results_mark(struct onnx_network *network)
{
	unsigned known = 0;
	char name[96];
	struct onnx_graph *const graph = network->graph;
	for (unsigned i = 0; i < graph->output_count; i++) {
		const struct onnx_value *const value = &graph->values[graph->outputs[i]];
		if (!value->shape.known || value->is_constant || value->layer == NOTHING)
			continue;
		network->is_result[value->layer] = true;
		known++;
	}
	for (unsigned i = 0; i < network->layer_count; i++)
		known += network->is_result[i];
	if (network->lost == NOTHING)
		return known > 0 || graph_error(graph, "has no output that depends on its input");
	const struct span lost = graph->values[network->lost].name;
	if (network->lost_work || known == 0) {
		if (network->lost_work) {
			char node[160];
			graph_error(graph, "the shape of \"%s\" is not known, and %s needs it",
				span_format(lost, name, sizeof name),
				node_format(graph, network->lost_work, node, sizeof node));
		} else {
			graph_error(graph, "the shape of \"%s\" is not known",
				span_format(lost, name, sizeof name));
		}
		error_hint(graph->error, "'--assume-shape %s=1,64,56,56' says it, samples first", name);
		return false;
	}
	warn(network->warnings,
		"the shape of \"%s\" is not known: it is left out with all that follows, which has no "
		"weights; "
		"--assume-shape says it",
		span_format(lost, name, sizeof name));
	return true;
}

static double layers_most(const struct onnx_graph *graph)
{
	double most = 1;
	for (unsigned i = 0; i < graph->order_count; i++)
		most += graph->nodes[graph->order[i]].output_count + 2;
	return most;
}

bool network_infer(struct onnx_network *network)
{
	struct onnx_graph *const graph = network->graph;
	const size_t most = (size_t)layers_most(graph);
	network->layers = arena_alloc(graph->arena, most, sizeof(*network->layers));
	network->is_result = arena_alloc(graph->arena, most, sizeof(*network->is_result));
	network->lost = NOTHING;
	if (!network->layers || !network->is_result)
		return out_of_memory(graph->error);
	for (unsigned i = 0; i < graph->order_count; i++) {
		struct onnx_step step = {
			.network = network, .graph = graph, .node = &graph->nodes[graph->order[i]]};
		bool is_work;
		step.operator= operator_find(step.node, &is_work);
		step.is_constant = inputs_constant(&step);
		if (!(step.is_constant ? run_constant(&step) : run(&step, is_work)))
			return false;
	}
	return results_mark(network);
}

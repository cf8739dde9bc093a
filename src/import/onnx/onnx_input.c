/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the value that is the network's input. Files also call weights inputs (older versions all of them, and those
 * that were exported without their weights), and values that nothing reads. A value that a layer reads first is an
 * input. A value that only sums, products of items and movements read is one if there is nothing better.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "import/onnx/onnx_network.h"

enum { DIGITS_MAX = 10 };

/* Parses dimensions such as "1,64,56,56". */
static bool dims_parse(const char *text, struct onnx_shape *shape)
{
	*shape = (struct onnx_shape){.known = true};
	for (;;) {
		const size_t digits = strspn(text, "0123456789");
		if (digits == 0 || digits > DIGITS_MAX || shape->rank == RANK_MAX)
			return false;
		double dim = 0;
		for (size_t i = 0; i < digits; i++)
			dim = dim * 10 + (text[i] - '0');
		if (!(dim >= 1) || dim > DIM_MAX)
			return false;
		shape->dims[shape->rank++] = dim;
		text += digits;
		if (*text == '\0')
			return shape_items(shape) <= ITEMS_MAX;
		if (*text++ != ',')
			return false;
	}
}

static struct onnx_value *named(const struct onnx_graph *graph, struct span name)
{
	for (unsigned i = 0; i < graph->value_count; i++)
		if (span_equal(graph->values[i].name, name))
			return &graph->values[i];
	return NULL;
}

/* Parses NAME=DIMS or, where `name_optional`, DIMS alone. *value is NULL without a name. False: error is set. */
static bool option_parse(const struct onnx_graph *graph, const char *option, const char *text,
	bool name_optional, struct onnx_value **value, struct onnx_shape *shape)
{
	const char *const sign = strrchr(text, '=');
	char shown[64];
	*value = NULL;
	if ((!sign && !name_optional) || !dims_parse(sign ? sign + 1 : text, shape)) {
		error_set(graph->error, PARADL_USAGE,
			"%s takes NAME=DIMENSIONS, whole numbers with commas between, not %s", option,
			error_quote(shown, sizeof shown, text));
		return false;
	}
	if (!sign)
		return true;
	*value = named(graph, (struct span){text, (size_t)(sign - text)});
	if (*value)
		return true;
	(void)error_quote(shown, sizeof shown, text);
	return error_set(
		graph->error, PARADL_USAGE, "%s %s: the file has no value of this name", option, shown);
}

enum rank { WEAK = 1, STRONG = 2 };

/* Finds how good an input each value is, by the best place where it is read. */
static void candidates_rank(const struct onnx_graph *graph, unsigned char *ranks)
{
	for (unsigned i = 0; i < graph->order_count; i++) {
		const struct onnx_node *const node = &graph->nodes[graph->order[i]];
		bool is_work;
		const struct onnx_operator *const operation = operator_find(node, &is_work);
		const bool reads_first = is_work || (operation && operation->kind);
		for (unsigned n = 0; n < node->input_count; n++) {
			const int value = node->inputs[n];
			if (value == NOTHING || (reads_first && n > 0))
				continue;
			const unsigned char rank = reads_first ? STRONG : WEAK;
			ranks[value] = ranks[value] > rank ? ranks[value] : rank;
		}
	}
}

static bool several_inputs(const struct onnx_graph *graph, int first, int second)
{
	char one[80], other[80];
	graph_error(graph, "has several inputs, \"%s\" and \"%s\" among them: a model has one",
		span_format(graph->values[first].name, one, sizeof one),
		span_format(graph->values[second].name, other, sizeof other));
	error_hint(graph->error, "--input NAME=DIMENSIONS says which it is; the others count as constants");
	return false;
}

/*
 * Returns the input; NOTHING: none. There may be one strong candidate only, else *is_clear is false with an error.
 * Among weak ones the first is taken, because files list weights after it.
 */
static int input_find(const struct onnx_graph *graph, bool *is_clear)
{
	unsigned char *const ranks = arena_alloc(graph->arena, graph->value_count, sizeof(*ranks));
	int best = NOTHING;
	*is_clear = true;
	if (!ranks) {
		out_of_memory(graph->error);
		*is_clear = false;
		return NOTHING;
	}
	candidates_rank(graph, ranks);
	for (unsigned i = 0; i < graph->value_count; i++) {
		const struct onnx_value *const value = &graph->values[i];
		if (!value->is_input || value->is_tensor || value->producer != NOTHING || ranks[i] == 0)
			continue;
		if (best != NOTHING && ranks[best] == STRONG && ranks[i] == STRONG) {
			*is_clear = several_inputs(graph, best, (int)i);
			return NOTHING;
		}
		if (best == NOTHING || ranks[i] > ranks[best])
			best = (int)i;
	}
	return best;
}

static bool dynamic(const struct onnx_network *network, const struct onnx_value *input)
{
	char name[64];
	graph_error(network->graph, "the file does not say the extents of its input \"%s\"",
		span_format(input->name, name, sizeof name));
	error_hint(network->graph->error, "--input 3,224,224 says them, channels first");
	return false;
}

/*
 * Settles the input's shape: the dimensions that were asked for, with or without that of samples, or else the file's.
 */
static bool shape_settle(
	struct onnx_network *network, struct onnx_value *input, const struct onnx_shape *asked)
{
	struct onnx_shape *const shape = &input->shape;
	if (asked->rank > 0 && shape->known && asked->rank + 1 == shape->rank) {
		for (unsigned d = 0; d < asked->rank; d++)
			shape->dims[d + 1] = asked->dims[d];
	} else if (asked->rank > 0 && (!shape->known || asked->rank == shape->rank)) {
		*shape = *asked;
	} else if (asked->rank > 0) {
		return error_set(network->graph->error, PARADL_USAGE,
			"--input has %u dimensions, the file's %u", asked->rank, shape->rank);
	}
	if (!shape->known || shape->rank == 0)
		return dynamic(network, input);
	if (!(shape->dims[0] >= 1))
		shape->dims[0] = 1;
	for (unsigned d = 1; d < shape->rank; d++)
		if (!(shape->dims[d] >= 1))
			return dynamic(network, input);
	network->batch = shape->dims[0];
	if (shape_items(shape) <= ITEMS_MAX && sample_of(network, shape, &network->shape))
		return true;
	return graph_error(
		network->graph, "has an input of %g items, which cannot be counted", shape_items(shape));
}

static bool shapes_assume(const struct onnx_network *network, const struct onnx_options *options)
{
	for (size_t i = 0; i < options->shape_count; i++) {
		struct onnx_value *value;
		struct onnx_shape shape;
		if (!option_parse(
			    network->graph, "--assume-shape", options->shapes[i], false, &value, &shape))
			return false;
		if (!value->is_tensor)
			value->shape = shape;
	}
	return true;
}

bool network_input(struct onnx_network *network, const struct onnx_options *options)
{
	struct onnx_graph *const graph = network->graph;
	struct onnx_value *chosen = NULL;
	struct onnx_shape asked = {.known = false};
	bool is_clear = true;
	if (options->input && !option_parse(graph, "--input", options->input, true, &chosen, &asked))
		return false;
	if (chosen && (chosen->is_tensor || chosen->producer != NOTHING))
		return error_set(
			graph->error, PARADL_USAGE, "--input names a value that is no input of the network");
	network->input = chosen ? (int)(chosen - graph->values) : input_find(graph, &is_clear);
	if (!is_clear)
		return false;
	if (network->input == NOTHING)
		return graph_error(graph, "has no input that its outputs depend on");
	for (unsigned i = 0; i < graph->value_count; i++) {
		struct onnx_value *const value = &graph->values[i];
		if (value->producer == NOTHING && (int)i != network->input)
			value->is_constant = true;
	}
	return shape_settle(network, &graph->values[network->input], &asked) &&
	       shapes_assume(network, options);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads ModelProto and GraphProto: one walk counts, a second one reads. Subgraphs are not followed. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "import/onnx/onnx_graph.h"

enum { MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum {
	GRAPH_NODE = 1,
	GRAPH_NAME = 2,
	GRAPH_TENSOR = 5,
	GRAPH_INPUT = 11,
	GRAPH_OUTPUT = 12,
	GRAPH_VALUE = 13
};
enum {
	NODE_INPUT = 1,
	NODE_OUTPUT = 2,
	NODE_NAME = 3,
	NODE_OPERATION = 4,
	NODE_ATTRIBUTE = 5,
	NODE_DOMAIN = 7
};
enum { VALUES_MAX = 1 << 22, UNMAPPED_BYTES = 64 << 10 };

static struct span span_of(const struct wire *wire)
{
	return (struct span){(const char *)wire->at, wire_left(wire)};
}

struct node_counts {
	unsigned inputs, outputs, attributes;
};

static bool node_count(const struct onnx_graph *graph, struct wire wire, struct node_counts *counts)
{
	struct wire_field field;
	*counts = (struct node_counts){0};
	while (wire_next(&wire, &field)) {
		counts->inputs += field.number == NODE_INPUT && field.type == WIRE_BYTES;
		counts->outputs += field.number == NODE_OUTPUT && field.type == WIRE_BYTES;
		counts->attributes += field.number == NODE_ATTRIBUTE && field.type == WIRE_BYTES;
	}
	if (!graph_walked(graph, &wire))
		return false;
	if (counts->inputs <= OPERANDS_MAX && counts->outputs <= OPERANDS_MAX &&
		counts->attributes <= OPERANDS_MAX)
		return true;
	return graph_error(graph, "has a node with more than %d operands", OPERANDS_MAX);
}

struct graph_counts {
	unsigned nodes, outputs;
	double values;
};

/*
 * Gives back the pages of a large field. Even where it was skipped, the system may have read them along with others.
 */
static void field_done(const struct onnx_graph *graph, const struct wire_field *field)
{
	if (graph->mapped && field->type == WIRE_BYTES && wire_left(&field->bytes) >= UNMAPPED_BYTES)
		file_unneeded(graph->mapped, field->bytes.at, wire_left(&field->bytes));
}

static bool count_all(const struct onnx_graph *graph, struct wire wire, struct graph_counts *counts)
{
	struct wire_field field;
	struct node_counts node;
	*counts = (struct graph_counts){0};
	while (wire_next(&wire, &field)) {
		if (field.type != WIRE_BYTES)
			continue;
		counts->values += field.number == GRAPH_TENSOR || field.number == GRAPH_INPUT ||
				  field.number == GRAPH_OUTPUT;
		counts->outputs += field.number == GRAPH_OUTPUT;
		if (field.number == GRAPH_NODE) {
			if (!node_count(graph, field.bytes, &node))
				return false;
			counts->nodes++;
			counts->values += node.inputs + node.outputs;
		}
		field_done(graph, &field);
		if (counts->nodes > NODES_MAX || counts->values > VALUES_MAX)
			return graph_error(graph, "has more than %d nodes or %d values: too many", NODES_MAX,
				VALUES_MAX);
	}
	return graph_walked(graph, &wire);
}

static bool attributes_read(
	const struct onnx_graph *graph, struct wire wire, struct onnx_attribute *attributes)
{
	struct wire_field field;
	unsigned count = 0;
	while (wire_next(&wire, &field))
		if (field.number == NODE_ATTRIBUTE && field.type == WIRE_BYTES &&
			!attribute_read(graph, field.bytes, &attributes[count++]))
			return false;
	return true;
}

static bool produce(struct onnx_graph *graph, unsigned node, int value)
{
	if (value == NOTHING)
		return true;
	struct onnx_value *const made = &graph->values[value];
	if (made->producer != NOTHING || made->is_tensor) {
		char name[96];
		return graph_error(graph, "has two things named \"%s\": every value needs a name of its own",
			span_format(made->name, name, sizeof name));
	}
	made->producer = (int)node;
	return true;
}

static bool node_read(struct onnx_graph *graph, struct onnx_names *names, struct wire wire, unsigned index)
{
	struct onnx_node *const node = &graph->nodes[index];
	struct node_counts counts;
	struct wire_field field;
	if (!node_count(graph, wire, &counts))
		return false;
	int *const inputs = arena_alloc(graph->arena, counts.inputs + 1UL, sizeof(*inputs)),
		   *const outputs = arena_alloc(graph->arena, counts.outputs + 1UL, sizeof(*outputs));
	struct onnx_attribute *const attributes =
		arena_alloc(graph->arena, counts.attributes + 1UL, sizeof(*attributes));
	if (!inputs || !outputs || !attributes)
		return out_of_memory(graph->error);
	*node = (struct onnx_node){.name = {"", 0},
		.operation = {"", 0},
		.domain = {"", 0},
		.inputs = inputs,
		.outputs = outputs,
		.attributes = attributes,
		.attribute_count = counts.attributes};
	if (!attributes_read(graph, wire, attributes))
		return false;
	while (wire_next(&wire, &field)) {
		if (field.type != WIRE_BYTES)
			continue;
		const struct span text = span_of(&field.bytes);
		if (field.number == NODE_NAME)
			node->name = text;
		else if (field.number == NODE_OPERATION)
			node->operation = text;
		else if (field.number == NODE_DOMAIN)
			node->domain = text;
		else if (field.number == NODE_INPUT)
			inputs[node->input_count++] = names_value(graph, names, text);
		else if (field.number == NODE_OUTPUT)
			outputs[node->output_count++] = names_value(graph, names, text);
	}
	for (unsigned i = 0; i < node->output_count; i++)
		if (!produce(graph, index, outputs[i]))
			return false;
	return true;
}

static bool tensor_add(struct onnx_graph *graph, struct onnx_names *names, struct wire wire)
{
	struct onnx_value tensor = {.producer = NOTHING};
	struct span name = {"", 0};
	if (!tensor_read(graph, wire, &tensor, &name))
		return false;
	const int index = names_value(graph, names, name);
	if (index == NOTHING)
		return true;
	struct onnx_value *const value = &graph->values[index];
	if (value->is_tensor) {
		char text[96];
		return graph_error(graph, "has two tensors named \"%s\": every value needs a name of its own",
			span_format(name, text, sizeof text));
	}
	value->is_tensor = value->is_constant = true;
	value->shape = tensor.shape;
	value->numbers = tensor.numbers;
	value->is_whole = tensor.is_whole;
	return true;
}

/* Adds an input or output of the graph with the shape that the file states. */
static bool value_add(
	struct onnx_graph *graph, struct onnx_names *names, struct wire_field *field, unsigned *outputs)
{
	struct onnx_shape shape;
	struct span name;
	if (!value_info_read(graph, field->bytes, &name, &shape))
		return false;
	const int index = names_value(graph, names, name);
	if (index == NOTHING)
		return true;
	struct onnx_value *const value = &graph->values[index];
	if (!value->is_tensor && !value->shape.known)
		value->shape = shape;
	if (field->number == GRAPH_INPUT)
		value->is_input = true;
	if (field->number == GRAPH_OUTPUT)
		graph->outputs[(*outputs)++] = index;
	return true;
}

static bool graph_fill(struct onnx_graph *graph, struct wire wire, struct onnx_names *names)
{
	struct wire_field field;
	while (wire_next(&wire, &field)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == GRAPH_NAME)
			graph->name = span_of(&field.bytes);
		if (field.number == GRAPH_TENSOR && !tensor_add(graph, names, field.bytes))
			return false;
		if ((field.number == GRAPH_INPUT || field.number == GRAPH_OUTPUT) &&
			!value_add(graph, names, &field, &graph->output_count))
			return false;
		field_done(graph, &field);
	}
	return true;
}

/* Reads the nodes, after the tensors: a value that a node makes must not have been given already. */
static bool nodes_fill(struct onnx_graph *graph, struct wire wire, struct onnx_names *names)
{
	struct wire_field field;
	while (wire_next(&wire, &field))
		if (field.type == WIRE_BYTES && field.number == GRAPH_NODE &&
			!node_read(graph, names, field.bytes, graph->node_count++))
			return false;
	return true;
}

/*
 * Reads shapes that the file states for values in between. Comes last: a value that has no other mention is left out,
 * because nobody reads it.
 */
static bool stated_shapes(struct onnx_graph *graph, struct wire wire, struct onnx_names *names)
{
	struct wire_field field;
	const unsigned count = graph->value_count;
	while (wire_next(&wire, &field)) {
		struct onnx_shape shape;
		struct span name;
		if (field.type != WIRE_BYTES || field.number != GRAPH_VALUE)
			continue;
		if (!value_info_read(graph, field.bytes, &name, &shape))
			return false;
		const int index = names_find(graph, names, name);
		if (index != NOTHING && (unsigned)index < count && !graph->values[index].shape.known)
			graph->values[index].shape = shape;
	}
	return true;
}

static bool read_graph(struct onnx_graph *graph, struct wire wire)
{
	struct graph_counts counts;
	struct onnx_names names;
	if (!count_all(graph, wire, &counts))
		return false;
	if (counts.nodes == 0 || counts.outputs == 0)
		return graph_error(graph, "has no %s: an ONNX file of a network has both nodes and outputs",
			counts.nodes == 0 ? "nodes" : "outputs");
	graph->nodes = arena_alloc(graph->arena, counts.nodes, sizeof(*graph->nodes));
	graph->outputs = arena_alloc(graph->arena, counts.outputs, sizeof(*graph->outputs));
	if (!graph->nodes || !graph->outputs)
		return out_of_memory(graph->error);
	return names_create(graph, &names, (size_t)counts.values) && graph_fill(graph, wire, &names) &&
	       nodes_fill(graph, wire, &names) && stated_shapes(graph, wire, &names);
}

/* Reads the version of ONNX's own operators; other domains count their versions apart. */
static void opset_read(struct onnx_graph *graph, struct wire wire)
{
	struct wire_field field;
	struct span domain = {"", 0};
	uint64_t version = 0;
	while (wire_next(&wire, &field)) {
		if (field.number == 1 && field.type == WIRE_BYTES)
			domain = span_of(&field.bytes);
		if (field.number == 2 && field.type == WIRE_VARINT)
			version = field.value;
	}
	if (domain.length == 0 || span_is(domain, "ai.onnx"))
		graph->opset = version < 1000 ? (unsigned)version : 0;
}

bool graph_read(struct onnx_graph *graph, const uint8_t *data, size_t length)
{
	struct wire wire = wire_over(data, length);
	struct wire found = {NULL, NULL, NULL};
	struct wire_field field;
	graph->start = data;
	graph->producer = graph->producer_version = graph->name = (struct span){"", 0};
	while (wire_next(&wire, &field)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == MODEL_PRODUCER)
			graph->producer = span_of(&field.bytes);
		if (field.number == MODEL_PRODUCER_VERSION)
			graph->producer_version = span_of(&field.bytes);
		if (field.number == MODEL_OPSET)
			opset_read(graph, field.bytes);
		if (field.number != MODEL_GRAPH)
			continue;
		if (found.at)
			return graph_error(graph, "has two graphs");
		found = field.bytes;
	}
	if (!graph_walked(graph, &wire))
		return false;
	if (!found.at)
		return graph_error(graph, "is no ONNX file of a network: it has no graph");
	return read_graph(graph, found);
}

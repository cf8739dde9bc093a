/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that operators are made of: inputs, shapes, layers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/onnx/onnx_network.h"
#include "model/layer_type.h"

struct onnx_value *step_input(const struct onnx_step *step, unsigned i)
{
	const int value = i < step->node->input_count ? step->node->inputs[i] : NOTHING;
	return value == NOTHING ? NULL : &step->graph->values[value];
}

static struct onnx_value *output_of(const struct onnx_step *step, unsigned i)
{
	const int value = i < step->node->output_count ? step->node->outputs[i] : NOTHING;
	return value == NOTHING ? NULL : &step->graph->values[value];
}

bool step_error(const struct onnx_step *step, const char *format, ...)
{
	char text[200], node[160];
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_at(step->graph->error, PARADL_SCHEMA, step->graph->path, 0, 0, "%s %s",
		node_format(step->graph, step->node, node, sizeof node), text);
}

bool step_unknown(struct onnx_step *step, const char *what)
{
	step->is_unknown = true;
	return step_error(step, "%s that cannot be computed from the file", what);
}

const double *step_list(const struct onnx_step *step, const char *name, int input, unsigned *count)
{
	const struct onnx_attribute *const attribute = name ? attribute_find(step->node, name) : NULL;
	*count = 0;
	if (attribute) {
		*count = attribute->count;
		return attribute->list;
	}
	const struct onnx_value *const value = input >= 0 ? step_input(step, (unsigned)input) : NULL;
	if (!value || !value->numbers)
		return NULL;
	*count = (unsigned)shape_items(&value->shape);
	return value->numbers;
}

bool step_optional(
	struct onnx_step *step, const char *name, unsigned input, const double **list, unsigned *count)
{
	const bool is_attribute = name && attribute_find(step->node, name);
	*list = step_list(step, name, (int)input, count);
	return *list || is_attribute || !step_input(step, input) || step_unknown(step, "has numbers");
}

bool step_axis(const struct onnx_step *step, double number, unsigned rank, unsigned *axis)
{
	if (number < 0)
		number += rank;
	if (!(number >= 0) || number >= rank)
		return step_error(step, "has an axis that its input of %u dimensions lacks", rank);
	*axis = (unsigned)number;
	return true;
}

bool step_axes(struct onnx_step *step, unsigned rank, bool *among, bool *listed)
{
	unsigned count, axis = 0;
	const double *axes;
	if (!step_optional(step, "axes", 1, &axes, &count))
		return false;
	for (unsigned i = 0; axes && i < count; i++) {
		if (!step_axis(step, axes[i], rank, &axis))
			return false;
		among[axis] = true;
	}
	*listed = axes;
	return true;
}

bool step_shape(struct onnx_step *step, unsigned i, const struct onnx_shape *shape)
{
	struct onnx_value *const value = output_of(step, i);
	if (!value)
		return true;
	for (unsigned d = 0; d < shape->rank; d++)
		if (!(shape->dims[d] >= (step->is_constant ? 0 : 1)) || shape->dims[d] > DIM_MAX)
			return step_error(step, "would have a result with a dimension of %g", shape->dims[d]);
	if (shape_items(shape) > ITEMS_MAX)
		return step_error(step, "would have a result of %g items", shape_items(shape));
	value->shape = *shape;
	value->shape.known = true;
	value->is_constant = step->is_constant;
	return true;
}

double *step_numbers(struct onnx_step *step, bool is_whole)
{
	struct onnx_value *const value = output_of(step, 0);
	const double items = value ? shape_items(&value->shape) : 0;
	if (!value || items > NUMBERS_MAX)
		return NULL;
	double *const numbers = arena_alloc(step->graph->arena, (size_t)items + 1, sizeof(*numbers));
	value->numbers = numbers;
	value->is_whole = is_whole;
	return numbers;
}

/*
 * Fills in the dimensions of one sample and returns their number. Samples are the first dimension, a factor of the
 * first, or another dimension with as many; else a sample is items in a row.
 */
static unsigned dims_of_sample(double batch, const struct onnx_shape *shape, double dims[RANK_MAX])
{
	unsigned samples = 0, count = 0;
	while (samples < shape->rank && fabs(shape->dims[samples] - batch) > 0)
		samples++;
	const bool in_first = samples > 0 && shape->rank > 0 && !(fmod(shape->dims[0], batch) > 0);
	for (unsigned d = 0; d < shape->rank; d++)
		if (in_first || d != samples)
			dims[count++] = shape->dims[d];
	if (in_first)
		dims[0] /= batch;
	if (in_first || samples < shape->rank)
		return count;
	dims[0] = shape_items(shape) / batch;
	return 1;
}

bool sample_of(const struct onnx_network *network, const struct onnx_shape *shape, struct tensor *tensor)
{
	double dims[RANK_MAX] = {0};
	*tensor = (struct tensor){.channels = 1, .extent = {1, 1, 1}};
	if (!shape->known)
		return false;
	unsigned count = shape->rank > 0 ? dims_of_sample(network->batch, shape, dims) : 0;
	for (; count > DIMENSIONS_MAX + 1; count--)
		dims[count - 2] *= dims[count - 1];
	for (unsigned d = 0; d < count; d++) {
		if (!(dims[d] >= 1) || dims[d] > DIM_MAX || fabs(dims[d] - floor(dims[d])) > 0)
			return false;
		if (d == 0)
			tensor->channels = (unsigned)dims[d];
		else
			tensor->extent[d - 1] = (unsigned)dims[d];
	}
	tensor->dimensions = count > 0 ? count - 1 : 0;
	return true;
}

bool shape_equal(const struct onnx_shape *a, const struct onnx_shape *b)
{
	bool equal = a->rank == b->rank;
	for (unsigned d = 0; equal && d < a->rank; d++)
		equal = !(fabs(a->dims[d] - b->dims[d]) > 0);
	return equal;
}

bool shape_broadcast(const struct onnx_shape *a, const struct onnx_shape *b, struct onnx_shape *both)
{
	struct onnx_shape result = {.known = true, .rank = a->rank > b->rank ? a->rank : b->rank};
	for (unsigned i = 0; i < result.rank; i++) {
		const double first = i < a->rank ? a->dims[a->rank - 1 - i] : 1,
			     second = i < b->rank ? b->dims[b->rank - 1 - i] : 1;
		const bool fits = !(fabs(first - second) > 0) || first < 2 || second < 2;
		if (!fits)
			return false;
		result.dims[result.rank - 1 - i] = first > 1 || second < 1 ? first : second;
	}
	*both = result;
	return true;
}

/* ---- layers ------------------------------------------------------------------------------------ */

/* Returns "layer1.0.conv1" of "layer1.0.conv1.weight": people name layers by their weights. */
static struct span weights_name(struct span name)
{
	static const char *const ends[] = {".weight", ".bias", "_weight", "_w_0", "_w", "_W", "_s_0",
		"_scale", "/kernel:0", "/kernel", "/weights", ".w_0"};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t length = strlen(ends[i]);
		const struct span tail = {
			name.text + name.length - (length < name.length ? length : name.length), length};
		if (length < name.length && span_is(tail, ends[i]))
			return (struct span){name.text, name.length - length};
	}
	return name;
}

struct onnx_layer *step_layer(struct onnx_step *step, unsigned i, const char *type, const char *kind)
{
	struct onnx_network *const network = step->network;
	struct onnx_value *const value = output_of(step, i);
	int *const inputs = arena_alloc(step->graph->arena, step->node->input_count + 1UL, sizeof(*inputs));
	if (!inputs)
		return out_of_memory_null(step->graph->error);
	struct onnx_layer *const layer = &network->layers[network->layer_count];
	*layer = (struct onnx_layer){
		.type = type, .kind = kind, .name = {"", 0}, .inputs = inputs, .groups = 1};
	for (unsigned input = 0; input < step->node->input_count; input++) {
		const struct onnx_value *const read = step_input(step, input);
		if (read && !read->is_constant && read->shape.known)
			inputs[layer->input_count++] = read->layer;
	}
	if (value && !sample_of(network, &value->shape, &layer->y)) {
		step_error(step, "mixes samples: its result is none of %g samples", network->batch);
		return NULL;
	}
	if (value)
		value->layer = (int)network->layer_count;
	network->layer_count++;
	return layer;
}

double step_weights(
	struct onnx_step *step, struct onnx_value *value, struct onnx_layer *layer, bool *is_shared)
{
	if (!value || !value->is_constant)
		return 0;
	struct onnx_value *const origin = &step->graph->values[value->origin];
	if (layer->name.length == 0)
		layer->name = weights_name(origin->name);
	if (origin->is_counted) {
		if (!*is_shared) {
			char name[96];
			warn(step->network->warnings,
				"weights %s are used again: the second layer becomes a custom one, without "
				"them",
				span_format(origin->name, name, sizeof name));
		}
		*is_shared = true;
		return 0;
	}
	origin->is_counted = true;
	/* A part of a tensor, or copies, are not weights that a layer's own keys express. */
	*is_shared = *is_shared || fabs(shape_items(&origin->shape) - shape_items(&value->shape)) > 0;
	return shape_items(&origin->shape);
}

void layer_custom(struct onnx_step *step, struct onnx_layer *layer, double flop)
{
	layer->type = "custom";
	layer->kind = NULL;
	layer->bias = false;
	layer->flop = flop / step->network->batch;
}

void step_alias(struct onnx_step *step, int layer)
{
	struct onnx_value *const value = output_of(step, 0);
	if (value)
		value->layer = layer;
}

static bool same_tensor(
	const struct onnx_network *network, const struct onnx_shape *a, const struct onnx_shape *b)
{
	struct tensor first, second;
	return sample_of(network, a, &first) && sample_of(network, b, &second) &&
	       tensor_equal(&first, &second);
}

/*
 * Recognises GroupNorm of torch, which is x as groups, an instance norm of them, and back again, and makes the
 * instance norm a group norm.
 */
static bool is_group_norm(struct onnx_step *step, const struct onnx_value *x, const struct onnx_shape *shape)
{
	struct onnx_network *const network = step->network;
	struct tensor y;
	if (x->layer == NOTHING || x->uses != 1 || !sample_of(network, shape, &y))
		return false;
	struct onnx_layer *const norm = &network->layers[x->layer];
	if (!norm->kind || strcmp(norm->kind, "instance") != 0 || norm->inputs[0] == NOTHING)
		return false;
	const struct onnx_layer *const view = &network->layers[norm->inputs[0]];
	const bool is_view = strcmp(view->type, "reshape") == 0 && !view->copy && view->inputs[0] != NOTHING;
	if (!is_view || y.channels % norm->y.channels != 0)
		return false;
	const struct onnx_layer *const before = &network->layers[view->inputs[0]];
	if (!tensor_equal(&before->y, &y))
		return false;
	norm->kind = "group";
	norm->groups = norm->y.channels;
	norm->params = 0;
	norm->inputs = view->inputs;
	norm->y = y;
	step_alias(step, x->layer);
	return true;
}

bool step_view(struct onnx_step *step, const struct onnx_shape *shape)
{
	struct onnx_value *const x = step_input(step, 0), *const y = output_of(step, 0);
	if (!step_shape(step, 0, shape))
		return false;
	if (!y)
		return true;
	if (fabs(shape_items(shape) - shape_items(&x->shape)) > 0)
		return step_error(step, "makes %g items of %g", shape_items(shape), shape_items(&x->shape));
	y->numbers = x->numbers;
	y->is_whole = x->is_whole;
	y->origin = x->origin;
	y->layer = x->layer;
	if (step->is_constant || same_tensor(step->network, &x->shape, shape) ||
		is_group_norm(step, x, shape))
		return true;
	struct onnx_layer *const layer = step_layer(step, 0, "reshape", NULL);
	if (layer && layer->y.dimensions == 0)
		layer->type = "flatten";
	return layer != NULL;
}

bool step_move(struct onnx_step *step, unsigned i, const struct onnx_shape *shape)
{
	if (!step_shape(step, i, shape))
		return false;
	if (step->is_constant) {
		struct onnx_value *const y = output_of(step, i);
		const struct onnx_value *const x = step_input(step, 0);
		if (y && x && i == 0)
			y->origin = x->origin;
		return true;
	}
	struct onnx_layer *const layer = output_of(step, i) ? step_layer(step, i, "reshape", NULL) : NULL;
	if (layer)
		layer->copy = true;
	return layer || !output_of(step, i);
}

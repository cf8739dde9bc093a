/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the operators that give items another shape, make images larger, or reduce dimensions to one item. */
#include "base/error.h"
#include "import/onnx/onnx_network.h"

#include <math.h>

/* Operators that give the same items in the same order another shape. */

/*
 * Infers Identity. A weight under another name is another weight: exporters write equal ones (all zeros, say) once,
 * and copy them.
 */
static bool identity(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	if (!x || !step_view(step, &x->shape))
		return x ? false : step_error(step, "has no input");
	const int y = step->node->output_count > 0 ? step->node->outputs[0] : NOTHING;
	if (step->is_constant && y != NOTHING)
		step->graph->values[y].origin = (unsigned)y;
	return true;
}

/* Infers Cast to a floating type (1, 10, 11 or 16) or to a whole-numbered one. */
static bool cast(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	const double to = attribute_number(step->node, "to", 1);
	const bool is_whole = !(fabs(to - 1) < 0.5) && !(fabs(to - 10.5) < 1) && !(fabs(to - 16) < 0.5);
	if (!x || !step_view(step, &x->shape))
		return x ? false : step_error(step, "has no input");
	if (step->node->output_count == 0 || step->node->outputs[0] == NOTHING)
		return true;
	struct onnx_value *const y = &step->graph->values[step->node->outputs[0]];
	if (!y->numbers || y->is_whole == is_whole)
		return true;
	const unsigned count = (unsigned)shape_items(&y->shape);
	const double *const from = y->numbers;
	double *const numbers = step_numbers(step, is_whole);
	if (!numbers)
		return true;
	for (unsigned i = 0; i < count; i++)
		numbers[i] = is_whole ? trunc(from[i]) : from[i];
	return true;
}

/* Infers Reshape: 0 keeps a dimension, -1 takes what is left over. */
static bool reshape(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	const bool zero_is_zero = attribute_number(step->node, "allowzero", 0) > 0;
	struct onnx_shape y = {.known = true};
	double known = 1;
	int free_dimension = NOTHING;
	unsigned count;
	const double *const target = step_list(step, "shape", 1, &count);
	if (!x || !target)
		return step_unknown(step, "has a shape");
	if (count > RANK_MAX)
		return step_error(step, "makes %u dimensions, more than %d", count, RANK_MAX);
	for (unsigned i = 0; i < count; i++) {
		double dim = target[i];
		if (dim < -1 || (dim < 0 && free_dimension != NOTHING))
			return step_error(step, "has a shape with a dimension of %g", dim);
		if (!zero_is_zero && !(fabs(dim) > 0) && i < x->shape.rank)
			dim = x->shape.dims[i];
		if (dim < 0)
			free_dimension = (int)i;
		else
			known *= dim;
		y.dims[y.rank++] = dim;
	}
	if (free_dimension != NOTHING) {
		if (!(known >= 1) || fmod(shape_items(&x->shape), known) > 0)
			return step_error(step, "cannot share out %g items in parts of %g",
				shape_items(&x->shape), known);
		y.dims[free_dimension] = shape_items(&x->shape) / known;
	}
	return step_view(step, &y);
}

static bool flatten(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	double axis = attribute_number(step->node, "axis", 1);
	struct onnx_shape y = {.known = true, .rank = 2, .dims = {1, 1}};
	if (!x)
		return step_error(step, "has no input");
	if (axis < 0)
		axis += x->shape.rank;
	if (!(axis >= 0) || axis > x->shape.rank)
		return step_error(step, "has an axis that its input lacks");
	for (unsigned d = 0; d < x->shape.rank; d++)
		y.dims[d < axis ? 0 : 1] *= x->shape.dims[d];
	return step_view(step, &y);
}

static bool squeeze(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	bool among[RANK_MAX] = {false}, listed;
	struct onnx_shape y = {.known = true};
	if (!x || !step_axes(step, x->shape.rank, among, &listed))
		return x ? false : step_error(step, "has no input");
	for (unsigned d = 0; d < x->shape.rank; d++)
		if ((listed && !among[d]) || x->shape.dims[d] > 1)
			y.dims[y.rank++] = x->shape.dims[d];
	return step_view(step, &y);
}

static bool unsqueeze(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	bool among[RANK_MAX] = {false}, listed;
	struct onnx_shape y = {.known = true};
	unsigned count, from = 0;
	const double *const axes = step_list(step, "axes", 1, &count);
	if (!x || !axes)
		return step_unknown(step, "has axes");
	y.rank = x->shape.rank + count;
	if (count > RANK_MAX || y.rank > RANK_MAX)
		return step_error(step, "makes %u dimensions, more than %d", y.rank, RANK_MAX);
	if (!step_axes(step, y.rank, among, &listed))
		return false;
	for (unsigned d = 0; d < y.rank; d++)
		y.dims[d] = among[d] || from == x->shape.rank ? 1 : x->shape.dims[from++];
	if (from < x->shape.rank)
		return step_error(step, "names an axis twice");
	return step_view(step, &y);
}

const struct onnx_operator onnx_shapes[] = {
	{"Identity", identity, NULL, 0},
	{"Cast", cast, NULL, 0},
	{"Reshape", reshape, NULL, 0},
	{"Flatten", flatten, NULL, 0},
	{"Squeeze", squeeze, NULL, 0},
	{"Unsqueeze", unsqueeze, NULL, 0},
	{NULL, NULL, NULL, 0},
};

/* Operators that make images larger, and that reduce dimensions to one item. */

enum { IS_UPSAMPLE = 1, WINDOW_MAX = 65535 };

/* Finds the shape y from factors or extents. Upsample has factors as input 1, Resize after a region of interest. */
static bool resized(struct onnx_step *step, const struct onnx_value *x, struct onnx_shape *y)
{
	const bool is_old = step->operator->variant == IS_UPSAMPLE || step->node->input_count == 2;
	unsigned scale_count, size_count;
	const double *const scales = step_list(step, "scales", is_old ? 1 : 2, &scale_count),
			    *const sizes = step_list(step, NULL, is_old ? -1 : 3, &size_count);
	*y = x->shape;
	if (sizes && size_count == y->rank)
		for (unsigned d = 0; d < y->rank; d++)
			y->dims[d] = sizes[d];
	else if (scales && scale_count == y->rank)
		for (unsigned d = 0; d < y->rank; d++)
			y->dims[d] = floor(y->dims[d] * scales[d]);
	else
		return step_unknown(step, "has a size");
	return true;
}

/* Sets the layer's factors where all are whole, else its sizes. */
static void resize_write(const struct onnx_value *x, const struct onnx_shape *y, struct onnx_layer *layer)
{
	layer->by_scale = true;
	for (unsigned d = 2; d < y->rank; d++)
		layer->by_scale = layer->by_scale && !(fmod(y->dims[d], x->shape.dims[d]) > 0);
	for (unsigned d = 2; d < y->rank; d++)
		layer->scale[d - 2] =
			(unsigned)(layer->by_scale ? y->dims[d] / x->shape.dims[d] : y->dims[d]);
}

/* Infers Resize. Images that do not become smaller are a layer of their own, upsample. */
static bool resize(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	const struct onnx_attribute *const mode = attribute_find(step->node, "mode");
	struct onnx_shape y;
	if (!x || !resized(step, x, &y))
		return x ? false : step_error(step, "has no input");
	if (shape_equal(&x->shape, &y))
		return step_view(step, &y);
	if (!step_move(step, 0, &y))
		return false;
	if (step->is_constant || step->node->output_count == 0 || step->node->outputs[0] == NOTHING)
		return true;
	struct onnx_layer *const layer = &step->network->layers[step->network->layer_count - 1];
	bool is_image = y.rank >= 3 && y.rank <= DIMENSIONS_MAX + 2 &&
			!(fabs(y.dims[0] - step->network->batch) > 0) &&
			!(fabs(y.dims[1] - x->shape.dims[1]) > 0);
	for (unsigned d = 2; is_image && d < y.rank; d++)
		is_image = y.dims[d] >= x->shape.dims[d] && y.dims[d] <= WINDOW_MAX;
	if (!is_image)
		return true;
	resize_write(x, &y, layer);
	layer->type = "upsample";
	layer->kind = mode && !span_is(mode->text, "nearest") ? "linear" : "nearest";
	layer->copy = false;
	layer->dimensions = y.rank - 2;
	return true;
}

/* Marks the dimensions to reduce: all, where none is named, or none, where a file says so. */
static bool reduced(struct onnx_step *step, unsigned rank, bool *among)
{
	bool listed;
	if (!step_axes(step, rank, among, &listed))
		return false;
	bool all = !(attribute_number(step->node, "noop_with_empty_axes", 0) > 0);
	for (unsigned d = 0; d < rank; d++)
		all = all && !among[d];
	for (unsigned d = 0; all && d < rank; d++)
		among[d] = true;
	return true;
}

/* Reduces all extents of an image to one: a global pooling, and a view where the dimensions go. */
static bool reduce_image(struct onnx_step *step, const struct onnx_shape *kept, const struct onnx_shape *y)
{
	struct onnx_layer *const layer = step_layer(step, 0, "pool", step->operator->kind);
	if (!layer)
		return false;
	layer->global = true;
	if (kept->rank == y->rank)
		return true;
	struct onnx_network *const network = step->network;
	int *const input = arena_alloc(step->graph->arena, 1, sizeof(*input));
	if (!input)
		return out_of_memory(step->graph->error);
	struct onnx_layer *const view = &network->layers[network->layer_count];
	const struct tensor vector = layer->y;
	*view = (struct onnx_layer){
		.type = "flatten", .name = {"", 0}, .inputs = input, .input_count = 1, .y = vector};
	input[0] = (int)network->layer_count - 1;
	if (!sample_of(network, kept, &layer->y))
		return step_error(step, "mixes samples");
	step_alias(step, (int)network->layer_count++);
	return true;
}

static bool reduce(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	const bool keeps = attribute_number(step->node, "keepdims", 1) > 0;
	bool among[RANK_MAX] = {false};
	struct onnx_shape y = {.known = true}, kept;
	if (!x || !reduced(step, x->shape.rank, among))
		return x ? false : step_error(step, "has no input");
	kept = x->shape;
	bool is_image = kept.rank >= 3 && kept.rank <= DIMENSIONS_MAX + 2 && !among[0] && !among[1] &&
			!(fabs(kept.dims[0] - step->network->batch) > 0);
	for (unsigned d = 0; d < kept.rank; d++) {
		kept.dims[d] = among[d] ? 1 : kept.dims[d];
		if (keeps || !among[d])
			y.dims[y.rank++] = kept.dims[d];
		is_image = is_image && (d < 2 || among[d]);
	}
	if (step->is_constant || (!is_image && !shape_equal(&x->shape, &y)))
		return step_move(step, 0, &y);
	if (!is_image)
		return step_view(step, &y);
	return step_shape(step, 0, &y) && reduce_image(step, &kept, &y);
}

const struct onnx_operator onnx_scales[] = {
	{"Resize", resize, NULL, 0},
	{"Upsample", resize, NULL, IS_UPSAMPLE},
	{"ReduceMean", reduce, "avg", 0},
	{"ReduceSum", reduce, "avg", 0},
	{"ReduceL1", reduce, "avg", 0},
	{"ReduceL2", reduce, "avg", 0},
	{"ReduceSumSquare", reduce, "avg", 0},
	{"ReduceMax", reduce, "max", 0},
	{"ReduceMin", reduce, "max", 0},
	{NULL, NULL, NULL, 0},
};

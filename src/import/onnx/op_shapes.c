/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that give the same items in the same order another shape. */
#include <math.h>

#include "import/onnx/onnx_network.h"

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

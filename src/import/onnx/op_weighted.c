/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the operators that have weights, without convolutions: products of matrices, and norms. */
#include "import/onnx/onnx_network.h"

#include <math.h>

/* Operators that multiply matrices. */

/* Infers Gemm: y = A B + C with x as A and weights as B is a linear layer, anything else a custom layer. */
static bool gemm(struct onnx_step *step)
{
	struct onnx_value *const x = step_input(step, 0), *const w = step_input(step, 1),
				 *const b = step_input(step, 2);
	const bool x_turned = attribute_number(step->node, "transA", 0) > 0,
		   w_turned = attribute_number(step->node, "transB", 0) > 0;
	if (!x || !w || !w->shape.known || x->shape.rank != 2 || w->shape.rank != 2)
		return step_error(step, "is no product of two matrices");
	const double rows = x->shape.dims[x_turned ? 1 : 0], depth = x->shape.dims[x_turned ? 0 : 1],
		     columns = w->shape.dims[w_turned ? 0 : 1];
	if (fabs(depth - w->shape.dims[w_turned ? 1 : 0]) > 0)
		return step_error(step, "multiplies %g by %g items: they must be equally many", depth,
			w->shape.dims[w_turned ? 1 : 0]);
	const struct onnx_shape y = {.rank = 2, .dims = {rows, columns}};
	if (!step_shape(step, 0, &y) || step->is_constant)
		return step->is_constant;
	struct onnx_layer *const layer = step_layer(step, 0, "linear", NULL);
	bool is_shared = false;
	if (!layer)
		return false;
	const double flop = 2 * rows * depth * columns;
	const bool has_bias = b && b->is_constant;
	layer->flop = flop / step->network->batch;
	layer->out = layer->y.channels;
	layer->bias = has_bias;
	layer->params = step_weights(step, w, layer, &is_shared) + step_weights(step, b, layer, &is_shared);
	const bool plain =
		!x_turned && !x->is_constant && w->is_constant && layer->y.dimensions == 0 && !is_shared;
	if (!plain || (b && (!has_bias || fabs(shape_items(&b->shape) - columns) > 0)))
		layer_custom(step, layer, flop);
	return true;
}

/* Finds the shape of a product of stacks of matrices. A vector is one row on the left, one column on the right. */
static bool product_shape(
	struct onnx_step *step, struct onnx_shape a, struct onnx_shape b, struct onnx_shape *y)
{
	struct onnx_shape both;
	const bool a_is_row = a.rank == 1, b_is_column = b.rank == 1;
	if (a.rank == 0 || b.rank == 0)
		return step_error(step, "multiplies a single number");
	if (a_is_row)
		a = (struct onnx_shape){.rank = 2, .dims = {1, a.dims[0]}};
	if (b_is_column)
		b = (struct onnx_shape){.rank = 2, .dims = {b.dims[0], 1}};
	const double rows = a.dims[a.rank - 2], columns = b.dims[b.rank - 1];
	if (fabs(a.dims[a.rank - 1] - b.dims[b.rank - 2]) > 0)
		return step_error(step, "multiplies %g by %g items: they must be equally many",
			a.dims[a.rank - 1], b.dims[b.rank - 2]);
	a.rank -= 2;
	b.rank -= 2;
	if (!shape_broadcast(&a, &b, &both) || both.rank + 2 > RANK_MAX)
		return step_error(step, "multiplies stacks of matrices that do not fit");
	if (!a_is_row)
		both.dims[both.rank++] = rows;
	if (!b_is_column)
		both.dims[both.rank++] = columns;
	*y = both;
	return true;
}

static bool product(struct onnx_step *step)
{
	struct onnx_value *const a = step_input(step, 0), *const b = step_input(step, 1);
	struct onnx_shape y;
	if (!a || !b || !a->shape.known || !b->shape.known)
		return step_error(step, "multiplies something of unknown shape");
	if (!product_shape(step, a->shape, b->shape, &y) || !step_shape(step, 0, &y))
		return false;
	if (step->is_constant)
		return true;
	struct onnx_layer *const layer = step_layer(step, 0, "linear", NULL);
	bool is_shared = false;
	if (!layer)
		return false;
	const double flop = 2 * shape_items(&y) * a->shape.dims[a->shape.rank - 1];
	layer->flop = flop / step->network->batch;
	layer->out = layer->y.channels;
	layer->params = step_weights(step, a, layer, &is_shared) + step_weights(step, b, layer, &is_shared);
	if (a->is_constant || !b->is_constant || a->shape.rank != 2 || b->shape.rank != 2 || is_shared ||
		layer->y.dimensions > 0)
		layer_custom(step, layer, flop);
	return true;
}

const struct onnx_operator onnx_products[] = {
	{"Gemm", gemm, NULL, 0},
	{"MatMul", product, NULL, 0},
	{NULL, NULL, NULL, 0},
};

/* Operators that normalise. */

enum { WITHOUT_WEIGHTS, WITH_WEIGHTS, GROUPS };

/*
 * Adds a norm with scale and shift of each channel, as a model's norm has them. Other numbers of weights make it a
 * custom layer.
 */
static bool norm(struct onnx_step *step)
{
	const struct onnx_operator *const operator= step->operator;
	const struct onnx_value *const x = step_input(step, 0);
	bool is_shared = false;
	if (!x)
		return step_error(step, "has no input");
	if (!step_shape(step, 0, &x->shape) || step->is_constant)
		return step->is_constant;
	struct onnx_layer *const layer = step_layer(step, 0, "norm", operator->kind);
	if (!layer)
		return false;
	step->network->norms++;
	if (operator->variant == WITHOUT_WEIGHTS)
		return true;
	layer->params = step_weights(step, step_input(step, 1), layer, &is_shared) +
			step_weights(step, step_input(step, 2), layer, &is_shared);
	if (operator->variant == GROUPS) {
		const double groups = attribute_number(step->node, "num_groups", 1);
		if (!(groups >= 1) || fmod(layer->y.channels, groups) > 0)
			return step_error(step, "has %g groups of %u channels", groups, layer->y.channels);
		layer->groups = (unsigned)groups;
	}
	if (is_shared || fabs(layer->params - 2.0 * layer->y.channels) > 0)
		layer_custom(step, layer, 0);
	return true;
}

const struct onnx_operator onnx_norms[] = {
	{"BatchNormalization", norm, "batch", WITH_WEIGHTS},
	{"InstanceNormalization", norm, "instance", WITH_WEIGHTS},
	{"GroupNormalization", norm, "group", GROUPS},
	{"LayerNormalization", norm, "layer", WITH_WEIGHTS},
	{"LRN", norm, "lrn", WITHOUT_WEIGHTS},
	{NULL, NULL, NULL, 0},
};

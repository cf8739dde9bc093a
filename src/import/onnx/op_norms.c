/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that normalise. */
#include <math.h>

#include "import/onnx/onnx_network.h"

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

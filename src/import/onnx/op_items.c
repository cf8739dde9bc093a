/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that are functions of items, and of the items of several values: activations, sums and products, dropout.
 */
#include <math.h>
#include <string.h>

#include "import/onnx/onnx_network.h"

enum { SUM, PRODUCT };

static struct onnx_layer *maker(const struct onnx_step *step, const struct onnx_value *value)
{
	return value->is_constant || value->layer == NOTHING ? NULL : &step->network->layers[value->layer];
}

static bool is_act(const struct onnx_layer *layer, const char *kind)
{
	return layer && layer->kind && strcmp(layer->type, "act") == 0 && strcmp(layer->kind, kind) == 0;
}

static bool item_wise(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	if (!x)
		return step_error(step, "has no input");
	if (!step_shape(step, 0, &x->shape) || step->is_constant)
		return step->is_constant;
	struct onnx_layer *const layer = step_layer(step, 0, "act", step->operator->kind);
	if (!layer)
		return false;
	layer->is_error_function = strcmp(step->operator->name, "Erf") == 0;
	step->network->softmaxes += strcmp(step->operator->name, "Softmax") == 0;
	return true;
}

/* Infers Clip. Between 0 and 6 it is relu6, which is also what a file without limits mostly means. */
static bool clip(struct onnx_step *step)
{
	const struct onnx_value *const least = step_input(step, 1), *const most = step_input(step, 2);
	double lower = attribute_number(step->node, "min", 0), upper = attribute_number(step->node, "max", 6);
	if (!item_wise(step) || step->is_constant)
		return step->is_constant;
	if (least && least->numbers && shape_items(&least->shape) > 0)
		lower = least->numbers[0];
	if (most && most->numbers && shape_items(&most->shape) > 0)
		upper = most->numbers[0];
	if (fabs(lower) > 0 || fabs(upper - 6) > 0)
		step->network->layers[step->network->layer_count - 1].kind = "other";
	return true;
}

/* Infers PRelu, an activation with learned slopes. A model has it as a custom layer with weights. */
static bool prelu(struct onnx_step *step)
{
	bool is_shared = false;
	if (!item_wise(step) || step->is_constant)
		return step->is_constant;
	struct onnx_layer *const layer = &step->network->layers[step->network->layer_count - 1];
	layer->params = step_weights(step, step_input(step, 1), layer, &is_shared);
	layer_custom(step, layer, 0);
	return true;
}

static bool dropout(struct onnx_step *step)
{
	unsigned count;
	const struct onnx_value *const x = step_input(step, 0);
	if (!x)
		return step_error(step, "has no input");
	if (!step_shape(step, 0, &x->shape) || step->is_constant)
		return step->is_constant;
	const double *const given = step_list(step, NULL, 1, &count);
	double p = attribute_number(step->node, "ratio", 0.5);
	if (given && count > 0)
		p = given[0];
	if (!(p > 0) || p > 1) {
		step_alias(step, x->layer);
		return true;
	}
	struct onnx_layer *const layer = step_layer(step, 0, "dropout", NULL);
	if (layer)
		layer->probability = round(p * 1e6) / 1e6;
	return layer != NULL;
}

/* ---- several operands -------------------------------------------------------------------------- */

static bool operands_shape(struct onnx_step *step, struct onnx_shape *shape)
{
	*shape = (struct onnx_shape){.known = true};
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const operand = step_input(step, i);
		if (!operand)
			continue;
		if (!operand->shape.known) /* a constant that nobody knows */
			return step_unknown(step, "has a constant");
		if (!shape_broadcast(shape, &operand->shape, shape))
			return step_error(step, "joins shapes that do not fit");
	}
	return true;
}

/* Turns x * f(x) into the activation that it is, where it has a name of its own, such as silu. False: it has none. */
static bool gate(struct onnx_step *step, const struct onnx_value *x, const struct onnx_value *gate)
{
	static const struct {
		const char *inner, *both;
	} pairs[] = {{"sigmoid", "silu"}, {"hardsigmoid", "hardswish"}, {"relu6", "hardswish"}};
	struct onnx_layer *const layer = maker(step, gate);
	if (!layer || gate->uses != 1 || layer->input_count != 1 || layer->inputs[0] != x->layer)
		return false;
	const char *both = layer->is_error_function ? "gelu" : NULL;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (is_act(layer, pairs[i].inner))
			both = pairs[i].both;
	if (!both)
		return false;
	layer->kind = both;
	layer->is_error_function = false;
	step_alias(step, gate->layer);
	return true;
}

static bool join(struct onnx_step *step, const struct onnx_shape *y)
{
	const bool is_product = step->operator->variant == PRODUCT;
	const struct onnx_value *const a = step_input(step, 0), *const b = step_input(step, 1);
	if (is_product && step->node->input_count == 2 && a && b && (gate(step, a, b) || gate(step, b, a)))
		return true;
	struct onnx_layer *const layer = step_layer(step, 0, is_product ? "multiply" : "add", NULL);
	if (!layer)
		return false;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const operand = step_input(step, i);
		struct tensor part;
		if (!operand || operand->is_constant)
			continue;
		const bool is_whole = shape_equal(&operand->shape, y);
		const bool is_scale = is_product && sample_of(step->network, &operand->shape, &part) &&
				      operand->shape.rank == y->rank && part.channels == layer->y.channels &&
				      !(tensor_items(&part) > part.channels);
		if (!is_whole && !is_scale)
			layer_custom(step, layer, 0);
	}
	return true;
}

/*
 * Lets the layer that makes x take in the weights, where nothing else reads x: the bias of a product, scale and shift
 * of a norm. False: it cannot.
 */
static bool absorbed(struct onnx_step *step, const struct onnx_value *x, struct onnx_value *weights)
{
	struct onnx_layer *const layer = maker(step, x);
	struct onnx_value *const origin = &step->graph->values[weights->origin];
	const double items = shape_items(&weights->shape);
	if (!layer || x->uses != 1 || origin->is_counted)
		return false;
	const bool is_sum = step->operator->variant == SUM;
	const bool takes_bias =
		(strcmp(layer->type, "conv") == 0 || strcmp(layer->type, "linear") == 0) && !layer->bias;
	if (strcmp(layer->type, "norm") == 0 && !(fabs(items - layer->y.channels) > 0) &&
		strcmp(layer->kind, "lrn") != 0) {
		origin->is_counted = true; /* the norm has counted them */
		if (strcmp(layer->kind, "group") == 0)
			layer->params += items;
	} else if (is_sum && takes_bias && !(fabs(items - layer->out) > 0)) {
		origin->is_counted = true;
		layer->bias = true;
		layer->params += items;
		step->network->folded += strcmp(layer->type, "conv") == 0;
	} else {
		return false;
	}
	step_alias(step, x->layer);
	return true;
}

/*
 * Combines the one operand that is no constant with constants. A factor or addend that is one number costs nothing
 * worth counting; others are weights.
 */
static bool with_constants(struct onnx_step *step, const struct onnx_value *x, const struct onnx_shape *y)
{
	const bool same = shape_equal(&x->shape, y);
	struct onnx_value *weights = NULL;
	unsigned many = 0;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		struct onnx_value *const operand = step_input(step, i);
		if (!operand || !operand->is_constant || !(shape_items(&operand->shape) > 1))
			continue;
		weights = operand;
		many++;
	}
	if (same && many == 0) {
		step_alias(step, x->layer);
		return true;
	}
	if (same && many == 1 && absorbed(step, x, weights))
		return true;
	struct onnx_layer *const layer = step_layer(step, 0, "custom", NULL);
	bool is_shared = false;
	if (!layer)
		return false;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		struct onnx_value *const operand = step_input(step, i);
		if (operand && operand->is_constant && shape_items(&operand->shape) > 1 && !operand->is_whole)
			layer->params += step_weights(step, operand, layer, &is_shared);
	}
	return true;
}

static bool combine(struct onnx_step *step)
{
	struct onnx_shape y;
	const struct onnx_value *x = NULL;
	unsigned varying = 0;
	if (!operands_shape(step, &y) || !step_shape(step, 0, &y))
		return false;
	if (step->is_constant)
		return numbers_combine(step);
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const operand = step_input(step, i);
		if (!operand || operand->is_constant)
			continue;
		x = x ? x : operand;
		varying++;
	}
	return varying == 1 ? with_constants(step, x, &y) : join(step, &y);
}

/*
 * Operators on items. Softmax over the last axis or over axis 1 is item by item over channels, as a model's layer is.
 */
const struct onnx_operator onnx_items[] = {
	{"Relu", item_wise, "relu", 0},
	{"LeakyRelu", item_wise, "leaky-relu", 0},
	{"ThresholdedRelu", item_wise, "relu", 0},
	{"Elu", item_wise, "elu", 0},
	{"Selu", item_wise, "elu", 0},
	{"Celu", item_wise, "elu", 0},
	{"Tanh", item_wise, "tanh", 0},
	{"Sigmoid", item_wise, "sigmoid", 0},
	{"HardSigmoid", item_wise, "hardsigmoid", 0},
	{"HardSwish", item_wise, "hardswish", 0},
	{"Swish", item_wise, "silu", 0},
	{"Gelu", item_wise, "gelu", 0},
	{"Softmax", item_wise, "softmax", 0},
	{"LogSoftmax", item_wise, "softmax", 0},
	{"Erf", item_wise, "other", 0},
	{"Mish", item_wise, "other", 0},
	{"Softplus", item_wise, "other", 0},
	{"Softsign", item_wise, "other", 0},
	{"Exp", item_wise, "other", 0},
	{"Log", item_wise, "other", 0},
	{"Abs", item_wise, "other", 0},
	{"Sin", item_wise, "other", 0},
	{"Cos", item_wise, "other", 0},
	{"Reciprocal", item_wise, "other", 0},
	{"Clip", clip, "relu6", 0},
	{"PRelu", prelu, "other", 0},
	{"Dropout", dropout, NULL, 0},
	{"Add", combine, NULL, SUM},
	{"Sub", combine, NULL, SUM},
	{"Sum", combine, NULL, SUM},
	{"Mean", combine, NULL, SUM},
	{"Max", combine, NULL, SUM},
	{"Min", combine, NULL, SUM},
	{"Equal", combine, NULL, SUM},
	{"Mul", combine, NULL, PRODUCT},
	{"Div", combine, NULL, PRODUCT},
	{NULL, NULL, NULL, 0},
};

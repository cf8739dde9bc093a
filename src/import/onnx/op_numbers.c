/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators on numbers that exporters compute in the graph: shapes, mostly. Each is also a function of items where
 * items vary.
 */
#include <math.h>
#include <string.h>

#include "import/onnx/onnx_network.h"

static struct onnx_value *result(const struct onnx_step *step)
{
	const int value = step->node->output_count > 0 ? step->node->outputs[0] : NOTHING;
	return value == NOTHING ? NULL : &step->graph->values[value];
}

/* Reads a constant: a tensor, or numbers as the name of its attribute says. */
static bool constant(struct onnx_step *step)
{
	struct onnx_value *const y = result(step);
	const struct onnx_attribute *const tensor = attribute_find(step->node, "value");
	if (!y)
		return true;
	y->is_constant = true;
	if (tensor && tensor->tensor.at) {
		const struct span name = y->name;
		struct onnx_value read = {.name = name};
		if (!tensor_read(step->graph, tensor->tensor, &read, NULL))
			return false;
		y->shape = read.shape;
		y->numbers = read.numbers;
		y->is_whole = read.is_whole;
		return true;
	}
	const struct onnx_attribute *const single =
		step->node->attribute_count == 1 ? &step->node->attributes[0] : NULL;
	if (!single || single->name.length < 6 || memcmp(single->name.text, "value_", 6) != 0)
		return true; /* sparse: not known */
	if (span_is(single->name, "value_string") || span_is(single->name, "value_strings"))
		return true; /* text: no numbers */
	y->is_whole = span_is(single->name, "value_int") || span_is(single->name, "value_ints");
	y->shape = (struct onnx_shape){.known = true};
	if (single->name.text[single->name.length - 1] == 's')
		y->shape = (struct onnx_shape){.known = true, .rank = 1, .dims = {single->count}};
	y->numbers = single->list ? single->list : &single->number;
	return true;
}

static bool constant_of_shape(struct onnx_step *step)
{
	const struct onnx_attribute *const fill = attribute_find(step->node, "value");
	struct onnx_value filled = {.shape = {.known = true}, .is_whole = false};
	struct onnx_shape y = {.known = true};
	unsigned count;
	const double *const dims = step_list(step, NULL, 0, &count);
	if (!dims || count > RANK_MAX)
		return step_unknown(step, "has a shape");
	for (unsigned i = 0; i < count; i++)
		y.dims[y.rank++] = dims[i];
	if (fill && fill->tensor.at && !tensor_read(step->graph, fill->tensor, &filled, NULL))
		return false;
	if (!step_shape(step, 0, &y) || !result(step))
		return result(step) == NULL;
	result(step)->is_constant = true;
	if (shape_items(&y) > FLOATS_MAX || (fill && !filled.numbers))
		return true;
	double *const numbers = step_numbers(step, filled.is_whole);
	for (unsigned i = 0; numbers && i < shape_items(&y); i++)
		numbers[i] = filled.numbers && shape_items(&filled.shape) >= 1 ? filled.numbers[0] : 0;
	return true;
}

static double bounded(double number, double rank)
{
	return fmin(fmax(number < 0 ? number + rank : number, 0), rank);
}

static bool shape(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	struct onnx_value *const y = result(step);
	if (!x || !x->shape.known || !y)
		return true;
	const double rank = x->shape.rank, start = bounded(attribute_number(step->node, "start", 0), rank),
		     end = bounded(attribute_number(step->node, "end", rank), rank);
	y->is_constant = true;
	y->shape = (struct onnx_shape){.known = true, .rank = 1, .dims = {end > start ? end - start : 0}};
	double *const numbers = step_numbers(step, true);
	for (unsigned i = 0; numbers && i < y->shape.dims[0]; i++)
		numbers[i] = x->shape.dims[(unsigned)start + i];
	return true;
}

static double apply(char operation, double a)
{
	switch (operation) {
	case 'f':
		return floor(a);
	case 'c':
		return ceil(a);
	case 'r':
		return round(a);
	case 's':
		return sqrt(a);
	default:
		return -a;
	}
}

static bool unary(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	if (!x || !step_shape(step, 0, &x->shape))
		return x ? false : step_error(step, "has no input");
	if (!step->is_constant)
		return step_layer(step, 0, "act", "other") != NULL;
	if (!result(step) || !x->numbers)
		return true;
	double *const numbers = step_numbers(step, x->is_whole);
	for (unsigned i = 0; numbers && i < shape_items(&x->shape); i++)
		numbers[i] = apply((char)step->operator->variant, x->numbers[i]);
	return true;
}

/* Infers Pow. A power is a function of its base; another exponent for each item is not counted apart. */
static bool power(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	if (!x || !step_shape(step, 0, &x->shape))
		return x ? false : step_error(step, "has no input");
	return step->is_constant || step_layer(step, 0, "act", "other") != NULL;
}

static double combined(const char *operation, bool is_whole, double a, double b)
{
	if (strcmp(operation, "Add") == 0 || strcmp(operation, "Sum") == 0)
		return a + b;
	if (strcmp(operation, "Sub") == 0)
		return a - b;
	if (strcmp(operation, "Mul") == 0)
		return a * b;
	if (strcmp(operation, "Equal") == 0)
		return fabs(a - b) > 0 ? 0 : 1;
	if (strcmp(operation, "Max") == 0)
		return fmax(a, b);
	if (strcmp(operation, "Min") == 0)
		return fmin(a, b);
	if (!(fabs(b) > 0))
		return 0;
	return is_whole ? trunc(a / b) : a / b;
}

bool numbers_combine(struct onnx_step *step)
{
	const struct onnx_value *const a = step_input(step, 0), *const b = step_input(step, 1);
	if (!result(step) || step->node->input_count != 2 || !a || !b || !a->numbers || !b->numbers ||
		result(step)->shape.rank > 1 || strcmp(step->operator->name, "Mean") == 0)
		return true;
	const double a_count = shape_items(&a->shape), b_count = shape_items(&b->shape);
	const bool is_whole = a->is_whole && b->is_whole;
	const double count = shape_items(&result(step)->shape);
	double *const numbers = step_numbers(step, is_whole);
	for (unsigned i = 0; numbers && i < count; i++)
		numbers[i] = combined(step->operator->name, is_whole, a->numbers[a_count > 1 ? i : 0],
			b->numbers[b_count > 1 ? i : 0]);
	return true;
}

/* Infers Where. It chooses between numbers that are known; where items vary, it is a function of them. */
static bool where(struct onnx_step *step)
{
	const struct onnx_value *const which = step_input(step, 0), *const a = step_input(step, 1),
				       *const b = step_input(step, 2);
	struct onnx_shape y;
	if (!which || !a || !b || !which->shape.known || !a->shape.known || !b->shape.known)
		return step_unknown(step, "has shapes");
	if (!shape_broadcast(&which->shape, &a->shape, &y) || !shape_broadcast(&y, &b->shape, &y))
		return step_error(step, "joins shapes that do not fit");
	if (!step_shape(step, 0, &y))
		return false;
	if (!step->is_constant) {
		struct onnx_layer *const layer = step_layer(step, 0, "custom", NULL);
		return layer != NULL;
	}
	if (!result(step) || !which->numbers || !a->numbers || !b->numbers || y.rank != 1)
		return true;
	double *const numbers = step_numbers(step, a->is_whole);
	for (unsigned i = 0; numbers && i < y.dims[0]; i++) {
		const struct onnx_value *const chosen =
			which->numbers[shape_items(&which->shape) > 1 ? i : 0] > 0 ? a : b;
		numbers[i] = chosen->numbers[shape_items(&chosen->shape) > 1 ? i : 0];
	}
	return true;
}

static bool range(struct onnx_step *step)
{
	const struct onnx_value *const start = step_input(step, 0), *const end = step_input(step, 1),
				       *const delta = step_input(step, 2);
	if (!start || !end || !delta || !start->numbers || !end->numbers || !delta->numbers)
		return step_unknown(step, "has limits");
	if (shape_items(&start->shape) < 1 || shape_items(&end->shape) < 1 || !(fabs(delta->numbers[0]) > 0))
		return step_unknown(step, "has limits");
	const struct onnx_shape y = {.rank = 1,
		.dims = {fmax(0, ceil((end->numbers[0] - start->numbers[0]) / delta->numbers[0]))}};
	if (!step_shape(step, 0, &y) || !result(step) || y.dims[0] > NUMBERS_MAX)
		return result(step) != NULL && result(step)->shape.known;
	double *const numbers = step_numbers(step, start->is_whole);
	for (unsigned i = 0; numbers && i < y.dims[0]; i++)
		numbers[i] = start->numbers[0] + i * delta->numbers[0];
	return true;
}

const struct onnx_operator onnx_numbers[] = {
	{"Constant", constant, NULL, 0},
	{"ConstantOfShape", constant_of_shape, NULL, 0},
	{"Shape", shape, NULL, 0},
	{"Floor", unary, NULL, 'f'},
	{"Ceil", unary, NULL, 'c'},
	{"Round", unary, NULL, 'r'},
	{"Sqrt", unary, NULL, 's'},
	{"Neg", unary, NULL, 'n'},
	{"Pow", power, NULL, 0},
	{"Range", range, NULL, 0},
	{"Where", where, NULL, 0},
	{NULL, NULL, NULL, 0},
};

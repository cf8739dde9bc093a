/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that move items to other places, split, join or repeat them, or take fewer. */
#include <math.h>
#include <string.h>

#include "import/onnx/onnx_network.h"

/*
 * Returns whether x is the input with channels last, turned before anything else reads it: a model has channels
 * first.
 */
static bool is_turned_input(const struct onnx_value *x, const double *order)
{
	return !x->is_constant && x->layer == NOTHING && x->uses == 1 && order && !(order[0] > 0);
}

static bool transpose(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	struct onnx_shape y;
	unsigned count, axis, last = 0;
	bool in_order = true, seen[RANK_MAX] = {false};
	if (!x)
		return step_error(step, "has no input");
	const double *const order = step_list(step, "perm", -1, &count);
	y = x->shape;
	if (order && count != y.rank)
		return step_error(step, "orders %u dimensions of %u", count, y.rank);
	for (unsigned d = 0; d < y.rank; d++) {
		if (!step_axis(step, order ? order[d] : y.rank - 1.0 - d, y.rank, &axis))
			return false;
		if (seen[axis])
			return step_error(step, "names a dimension twice");
		seen[axis] = true;
		y.dims[d] = x->shape.dims[axis];
		in_order = in_order && (x->shape.dims[axis] < 2 || axis >= last);
		last = x->shape.dims[axis] < 2 ? last : axis;
	}
	if (in_order)
		return step_view(step, &y);
	if (!is_turned_input(x, order))
		return step_move(step, 0, &y);
	step_alias(step, NOTHING);
	return step_shape(step, 0, &y) &&
	       (sample_of(step->network, &y, &step->network->shape) || step_error(step, "makes no samples"));
}

static bool concat_numbers(struct onnx_step *step)
{
	unsigned used = 0;
	bool is_whole = true;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const part = step_input(step, i);
		if (!part || !part->numbers || part->shape.rank != 1)
			return true;
		is_whole = is_whole && part->is_whole;
	}
	double *const numbers = step_numbers(step, is_whole);
	for (unsigned i = 0; numbers && i < step->node->input_count; i++) {
		const struct onnx_value *const part = step_input(step, i);
		for (unsigned n = 0; part && part->numbers && n < part->shape.dims[0]; n++)
			numbers[used++] = part->numbers[n];
	}
	return true;
}

/*
 * Adds a concat along channels or extents of a sample. Along samples, or with weights among the parts, it is a custom
 * layer.
 */
static bool concat_layer(struct onnx_step *step, unsigned axis, bool has_constants)
{
	const struct onnx_network *const network = step->network;
	const struct onnx_shape *const y = &step->graph->values[step->node->outputs[0]].shape;
	const bool is_plain = y->rank >= 2 && y->rank <= DIMENSIONS_MAX + 2 && axis >= 1 &&
			      !(fabs(y->dims[0] - network->batch) > 0);
	struct onnx_layer *const layer = step_layer(step, 0, "concat", NULL);
	bool is_shared = false;
	if (!layer)
		return false;
	layer->axis = axis > 0 ? axis - 1 : 0;
	if (!is_plain || has_constants || layer->input_count < 2)
		layer_custom(step, layer, 0);
	for (unsigned i = 0; has_constants && i < step->node->input_count; i++)
		layer->params += step_weights(step, step_input(step, i), layer, &is_shared);
	return true;
}

static bool concat(struct onnx_step *step)
{
	const struct onnx_value *const first = step_input(step, 0);
	struct onnx_shape y;
	unsigned axis;
	bool has_constants = false;
	if (!first || step->node->output_count == 0 || step->node->outputs[0] == NOTHING)
		return step_error(step, "has no input or no output");
	for (unsigned i = 0; i < step->node->input_count; i++)
		if (!step_input(step, i) || !step_input(step, i)->shape.known)
			return step_unknown(step, "has parts");
	if (!step_axis(step, attribute_number(step->node, "axis", 1), first->shape.rank, &axis))
		return false;
	y = first->shape;
	y.dims[axis] = 0;
	for (unsigned i = 0; i < step->node->input_count; i++) {
		const struct onnx_value *const part = step_input(step, i);
		if (part->shape.rank != y.rank)
			return step_error(step, "joins parts of unequal dimensions");
		for (unsigned d = 0; d < y.rank; d++)
			if (d != axis && fabs(part->shape.dims[d] - y.dims[d]) > 0)
				return step_error(step, "joins parts of %g and %g along another dimension",
					y.dims[d], part->shape.dims[d]);
		y.dims[axis] += part->shape.dims[axis];
		has_constants = has_constants || part->is_constant;
	}
	if (!step_shape(step, 0, &y))
		return false;
	return step->is_constant ? concat_numbers(step) : concat_layer(step, axis, has_constants);
}

static bool split(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	struct onnx_shape y;
	unsigned axis, given;
	const unsigned parts = step->node->output_count;
	const double *sizes;
	if (!x || parts == 0)
		return step_error(step, "has no input or no output");
	if (!step_optional(step, "split", 1, &sizes, &given))
		return false;
	if (!step_axis(step, attribute_number(step->node, "axis", 0), x->shape.rank, &axis))
		return false;
	if (sizes && given != parts)
		return step_error(step, "has %u sizes of %u parts", given, parts);
	y = x->shape;
	const double each = ceil(x->shape.dims[axis] / parts);
	double left = x->shape.dims[axis];
	for (unsigned i = 0; i < parts; i++) {
		y.dims[axis] = sizes ? sizes[i] : left < each ? left : each;
		left -= y.dims[axis];
		if (left < 0)
			return step_error(step, "has parts larger than the whole");
		if (!step_move(step, i, &y))
			return false;
	}
	return true;
}

/*
 * Returns how many items lie from start to end in steps of `stride`. Both count from the end where negative, and are
 * cut to what there is.
 */
static double slice_count(double extent, double start, double end, double stride)
{
	start = start < 0 ? start + extent : start;
	end = end < 0 ? end + extent : end;
	if (stride > 0) {
		start = fmin(fmax(start, 0), extent);
		end = fmin(fmax(end, 0), extent);
	} else {
		start = fmin(fmax(start, 0), extent - 1);
		end = fmin(fmax(end, -1), extent - 1);
	}
	return fmax(0, ceil((end - start) / stride));
}

static void slice_numbers(struct onnx_step *step, double start, double stride)
{
	const struct onnx_value *const x = step_input(step, 0);
	struct onnx_value *const y = &step->graph->values[step->node->outputs[0]];
	if (!x->numbers || x->shape.rank != 1)
		return;
	const double extent = x->shape.dims[0];
	double at = start < 0 ? start + extent : start;
	at = stride > 0 ? fmax(at, 0) : fmin(fmax(at, 0), extent - 1);
	double *const numbers = step_numbers(step, x->is_whole);
	for (unsigned i = 0; numbers && i < y->shape.dims[0]; i++)
		numbers[i] = x->numbers[(unsigned)(at + i * stride)];
}

static bool slice(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	unsigned starts_count, ends_count, axes_count, steps_count;
	const double *const starts = step_list(step, "starts", 1, &starts_count), *const ends = step_list(
											  step, "ends", 2,
											  &ends_count);
	const double *axes, *steps;
	struct onnx_shape y;
	double start = 0, stride = 1;
	if (!step_optional(step, "axes", 3, &axes, &axes_count) ||
		!step_optional(step, NULL, 4, &steps, &steps_count))
		return false;
	if (!x || !starts || !ends || starts_count != ends_count || (axes && axes_count != starts_count) ||
		(steps && steps_count != starts_count))
		return step_unknown(step, "has limits");
	y = x->shape;
	for (unsigned i = 0; i < starts_count; i++) {
		unsigned axis;
		if (!step_axis(step, axes ? axes[i] : i, y.rank, &axis))
			return false;
		start = starts[i];
		stride = steps ? steps[i] : 1;
		if (!(fabs(stride) >= 1))
			return step_error(step, "has a step of %g", stride);
		y.dims[axis] = slice_count(x->shape.dims[axis], starts[i], ends[i], stride);
	}
	if (shape_equal(&x->shape, &y) && stride > 0)
		return step_view(step, &y);
	if (!step_move(step, 0, &y))
		return false;
	if (step->is_constant && step->node->outputs[0] != NOTHING && starts_count == 1)
		slice_numbers(step, start, stride);
	return true;
}

static void gather_numbers(
	struct onnx_step *step, const struct onnx_value *x, const struct onnx_value *places)
{
	struct onnx_value *const y = &step->graph->values[step->node->outputs[0]];
	if (!x->numbers || !places->numbers || x->shape.rank != 1)
		return;
	double *const numbers = step_numbers(step, x->is_whole);
	for (unsigned i = 0; numbers && i < shape_items(&places->shape); i++) {
		const double at =
			places->numbers[i] < 0 ? places->numbers[i] + x->shape.dims[0] : places->numbers[i];
		if (!(at >= 0) || at >= x->shape.dims[0]) {
			y->numbers = NULL;
			return;
		}
		numbers[i] = x->numbers[(unsigned)at];
	}
}

/* Infers Gather. Rows of a table of weights are an embedding. */
static bool gather(struct onnx_step *step)
{
	struct onnx_value *const x = step_input(step, 0), *const places = step_input(step, 1);
	struct onnx_shape y = {.known = true};
	unsigned axis;
	bool is_shared = false;
	if (!x || !places || !x->shape.known || !places->shape.known || step->node->output_count == 0)
		return step_error(step, "has inputs of unknown shape");
	if (!step_axis(step, attribute_number(step->node, "axis", 0), x->shape.rank, &axis))
		return false;
	if (x->shape.rank + places->shape.rank - 1 > RANK_MAX)
		return step_error(step, "makes more than %d dimensions", RANK_MAX);
	for (unsigned d = 0; d < x->shape.rank; d++) {
		for (unsigned p = 0; d == axis && p < places->shape.rank; p++)
			y.dims[y.rank++] = places->shape.dims[p];
		if (d != axis)
			y.dims[y.rank++] = x->shape.dims[d];
	}
	if (!step_move(step, 0, &y))
		return false;
	if (step->is_constant && step->node->outputs[0] != NOTHING)
		gather_numbers(step, x, places);
	if (step->is_constant || !x->is_constant || step->node->outputs[0] == NOTHING)
		return true;
	struct onnx_layer *const layer = &step->network->layers[step->network->layer_count - 1];
	layer->params = step_weights(step, x, layer, &is_shared);
	layer_custom(step, layer, 0);
	step->network->embeddings++;
	return true;
}

static bool pad(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	unsigned count;
	const double *pads = step_list(step, "pads", 1, &count);
	struct onnx_shape y;
	if (!pads)
		pads = step_list(step, "paddings", -1, &count);
	if (!x || !pads || count != 2 * x->shape.rank)
		return step_unknown(step, "has pads");
	y = x->shape;
	for (unsigned d = 0; d < y.rank; d++)
		y.dims[d] += pads[d] + pads[y.rank + d];
	return shape_equal(&x->shape, &y) ? step_view(step, &y) : step_move(step, 0, &y);
}

static bool expand(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	unsigned count;
	const double *const target = step_list(step, NULL, 1, &count);
	struct onnx_shape wanted = {.known = true}, y;
	if (!x || !target || count > RANK_MAX)
		return step_unknown(step, "has a shape");
	for (unsigned i = 0; i < count; i++)
		wanted.dims[wanted.rank++] = target[i];
	if (!shape_broadcast(&x->shape, &wanted, &y))
		return step_error(step, "has a shape that does not fit its input");
	return shape_equal(&x->shape, &y) ? step_view(step, &y) : step_move(step, 0, &y);
}

static bool tile(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	unsigned count;
	const double *const times = step_list(step, NULL, 1, &count);
	struct onnx_shape y;
	if (!x || !times || count != x->shape.rank)
		return step_unknown(step, "has repeats");
	y = x->shape;
	for (unsigned d = 0; d < y.rank; d++)
		y.dims[d] *= times[d];
	return shape_equal(&x->shape, &y) ? step_view(step, &y) : step_move(step, 0, &y);
}

enum { TO_SPACE, TO_DEPTH };

static bool blocks(struct onnx_step *step)
{
	const struct onnx_value *const x = step_input(step, 0);
	const double size = attribute_number(step->node, "blocksize", 1);
	if (!x || x->shape.rank != 4 || !(size >= 1))
		return step_error(step, "has no input of 4 dimensions");
	const double factor = step->operator->variant == TO_SPACE ? size : 1 / size;
	const struct onnx_shape y = {.rank = 4,
		.dims = {x->shape.dims[0], x->shape.dims[1] / (factor * factor), x->shape.dims[2] * factor,
			x->shape.dims[3] * factor}};
	for (unsigned d = 1; d < 4; d++)
		if (fabs(y.dims[d] - round(y.dims[d])) > 0)
			return step_error(step, "has blocks that do not fit its input");
	return step_move(step, 0, &y);
}

const struct onnx_operator onnx_moves[] = {
	{"Transpose", transpose, NULL, 0},
	{"Concat", concat, NULL, 0},
	{"Split", split, NULL, 0},
	{"Slice", slice, NULL, 0},
	{"Gather", gather, NULL, 0},
	{"Pad", pad, NULL, 0},
	{"Expand", expand, NULL, 0},
	{"Tile", tile, NULL, 0},
	{"DepthToSpace", blocks, NULL, TO_SPACE},
	{"SpaceToDepth", blocks, NULL, TO_DEPTH},
	{NULL, NULL, NULL, 0},
};

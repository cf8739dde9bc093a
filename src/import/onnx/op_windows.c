/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators with windows: convolutions and poolings. */
#include <math.h>
#include <string.h>

#include "import/onnx/onnx_network.h"

enum { WINDOW_MAX = 65535, TRANSPOSED = 1 };

/* A window as ONNX states it: padding may differ before and after. x and y: extents of input and output. */
struct window {
	unsigned dimensions;
	double kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], dilation[DIMENSIONS_MAX];
	double before[DIMENSIONS_MAX], after[DIMENSIONS_MAX], more[DIMENSIONS_MAX]; /* more: output_padding */
	double x[DIMENSIONS_MAX], y[DIMENSIONS_MAX];
	bool same, ceil;
};

static bool list_into(struct onnx_step *step, const char *name, double least, unsigned count, double *into)
{
	unsigned given;
	const double *const list = step_list(step, name, -1, &given);
	if (!list)
		return true;
	if (given != count)
		return step_error(step, "has %u numbers in %s, and %u are needed", given, name, count);
	for (unsigned i = 0; i < count; i++) {
		if (!(list[i] >= least) || list[i] > WINDOW_MAX)
			return step_error(step, "has %g in %s", list[i], name);
		into[i] = list[i];
	}
	return true;
}

static bool padding_read(struct onnx_step *step, struct window *window)
{
	double pads[2 * DIMENSIONS_MAX] = {0};
	const struct onnx_attribute *const automatic = attribute_find(step->node, "auto_pad");
	window->same =
		automatic && automatic->text.length > 4 && memcmp(automatic->text.text, "SAME", 4) == 0;
	const bool is_valid = automatic && span_is(automatic->text, "VALID");
	if (!window->same && !is_valid && !list_into(step, "pads", 0, 2 * window->dimensions, pads))
		return false;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->before[d] = pads[d];
		window->after[d] = pads[window->dimensions + d];
	}
	return true;
}

static bool window_read(struct onnx_step *step, const struct onnx_shape *x, struct window *window)
{
	window->dimensions = x->rank - 2;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->stride[d] = window->dilation[d] = 1;
		window->before[d] = window->after[d] = window->more[d] = 0;
		window->x[d] = x->dims[d + 2];
	}
	window->ceil = attribute_number(step->node, "ceil_mode", 0) > 0;
	return list_into(step, "kernel_shape", 1, window->dimensions, window->kernel) &&
	       list_into(step, "strides", 1, window->dimensions, window->stride) &&
	       list_into(step, "dilations", 1, window->dimensions, window->dilation) &&
	       list_into(step, "output_padding", 0, window->dimensions, window->more) &&
	       padding_read(step, window);
}

static double reach_of(const struct window *window, unsigned d)
{
	return window->dilation[d] * (window->kernel[d] - 1) + 1;
}

static double places_of(const struct window *window, unsigned d, double pads)
{
	const double room = window->x[d] + pads - reach_of(window, d);
	return (window->ceil ? ceil(room / window->stride[d]) : floor(room / window->stride[d])) + 1;
}

static bool places(struct onnx_step *step, struct window *window)
{
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->y[d] = window->same ? ceil(window->x[d] / window->stride[d])
					    : places_of(window, d, window->before[d] + window->after[d]);
		if (!(window->y[d] >= 1))
			return step_error(step,
				"has a window of %g, larger than its input of %g with its padding",
				reach_of(window, d), window->x[d]);
	}
	return true;
}

/*
 * Finds the padding, the same on both sides, that gives y with this rounding (`ceils`): the mean, or the width of one
 * side. False: there is none.
 */
static bool pads_fit(struct window *window, struct onnx_layer *layer, bool ceils)
{
	window->ceil = ceils;
	for (unsigned d = 0; d < window->dimensions; d++) {
		const double least =
			window->before[d] < window->after[d] ? window->before[d] : window->after[d];
		const double most = window->before[d] + window->after[d] - least;
		const double tries[] = {floor((least + most) / 2), least, most};
		bool found = false;
		for (unsigned i = 0; i < 3 && !found; i++) {
			found = !(fabs(places_of(window, d, 2 * tries[i]) - window->y[d]) > 0);
			layer->pad[d] = (unsigned)tries[i];
		}
		if (!found)
			return false;
	}
	layer->ceil = ceils;
	return true;
}

static bool is_same(const struct window *window)
{
	bool same = true;
	for (unsigned d = 0; d < window->dimensions; d++)
		same = same && !(fabs(window->y[d] - ceil(window->x[d] / window->stride[d])) > 0);
	return same;
}

static void window_copy(const struct window *window, struct onnx_layer *layer)
{
	layer->dimensions = window->dimensions;
	for (unsigned d = 0; d < window->dimensions; d++) {
		layer->kernel[d] = (unsigned)window->kernel[d];
		layer->stride[d] = (unsigned)window->stride[d];
		layer->dilation[d] = (unsigned)window->dilation[d];
	}
}

/* Writes a window into a layer. False: no padding of a model's layer gives its places. */
static bool window_write(const struct window *window, struct onnx_layer *layer, bool may_ceil)
{
	struct window tried = *window;
	window_copy(window, layer);
	if (pads_fit(&tried, layer, may_ceil && window->ceil) ||
		(may_ceil && pads_fit(&tried, layer, !window->ceil)))
		return true;
	memset(layer->pad, 0, sizeof layer->pad);
	layer->pad_same = is_same(window);
	return layer->pad_same;
}

/*
 * Writes a transposed window into a layer, which has symmetric padding and nothing more, or makes x s places. False:
 * neither gives y.
 */
static bool transposed_write(const struct window *window, struct onnx_layer *layer)
{
	bool symmetric = true, same = true;
	window_copy(window, layer);
	for (unsigned d = 0; d < window->dimensions; d++) {
		const double plain =
			(window->x[d] - 1) * window->stride[d] - 2 * window->before[d] + reach_of(window, d);
		layer->pad[d] = (unsigned)window->before[d];
		symmetric = symmetric && !(fabs(window->y[d] - plain) > 0);
		same = same && !(fabs(window->y[d] - window->x[d] * window->stride[d]) > 0);
	}
	layer->pad_same = !symmetric && same;
	return symmetric || same;
}

static bool is_image(const struct onnx_step *step, const struct onnx_shape *x)
{
	if (x->rank >= 3 && x->rank <= DIMENSIONS_MAX + 2)
		return true;
	return step_error(step, "has an input of %u dimensions: 3 to 5 are read", x->rank);
}

/* Returns whether a model's layer can express the input. If not, the layer is a custom one; the work is the same. */
static bool is_plain(const struct onnx_step *step, const struct onnx_shape *x)
{
	struct tensor sample;
	return !(fabs(x->dims[0] - step->network->batch) > 0) && sample_of(step->network, x, &sample);
}

static bool convolution_layer(struct onnx_step *step, const struct window *window, double places_used)
{
	struct onnx_value *const x = step_input(step, 0), *const w = step_input(step, 1),
				 *const b = step_input(step, 2);
	const bool transposed = step->operator->variant == TRANSPOSED;
	struct onnx_layer *const layer = step_layer(step, 0, "conv", NULL);
	bool is_shared = false;
	if (!layer)
		return false;
	/* Each weight meets each place once. */
	const double flop = 2 * shape_items(&w->shape) * places_used * x->shape.dims[0];
	layer->out = layer->y.channels;
	layer->groups = (unsigned)attribute_number(step->node, "group", 1);
	layer->transposed = transposed;
	layer->flop = flop / step->network->batch;
	layer->params = step_weights(step, w, layer, &is_shared);
	layer->params += step_weights(step, b, layer, &is_shared);
	layer->bias = b != NULL;
	step->network->convolutions++;
	step->network->folded += b != NULL;
	const bool weighs = !is_shared && w->is_constant && (!b || b->is_constant) &&
			    (!b || !(fabs(shape_items(&b->shape) - layer->out) > 0));
	const bool written =
		transposed ? transposed_write(window, layer) : window_write(window, layer, false);
	if (!written || !weighs || !is_plain(step, &x->shape))
		layer_custom(step, layer, flop);
	return true;
}

static bool filters_fit(const struct onnx_step *step, const struct onnx_value *w, const struct onnx_shape *x,
	double group, bool transposed)
{
	if (!w || !w->shape.known)
		return step_error(step, "has weights of unknown shape");
	if (w->shape.rank != x->rank)
		return step_error(
			step, "has weights of %u dimensions for an input of %u", w->shape.rank, x->rank);
	for (unsigned d = 0; d < w->shape.rank; d++)
		if (!(w->shape.dims[d] >= 1) || (d >= 2 && w->shape.dims[d] > WINDOW_MAX))
			return step_error(step, "has weights with a dimension of %g", w->shape.dims[d]);
	const double channels = transposed ? w->shape.dims[0] : w->shape.dims[1] * group;
	if (!(group >= 1) || fabs(channels - x->dims[1]) > 0 || fmod(w->shape.dims[0], group) > 0)
		return step_error(step, "has weights for %g channels in %g groups, but its input has %g",
			channels, group, x->dims[1]);
	return true;
}

static bool convolution(struct onnx_step *step)
{
	const struct onnx_value *const input = step_input(step, 0), *const w = step_input(step, 1);
	const double group = attribute_number(step->node, "group", 1);
	struct window window;
	if (!input || !is_image(step, &input->shape) || !filters_fit(step, w, &input->shape, group, false))
		return input ? false : step_error(step, "has no input");
	if (!window_read(step, &input->shape, &window))
		return false;
	for (unsigned d = 2; d < input->shape.rank; d++)
		window.kernel[d - 2] = w->shape.dims[d];
	window.ceil = false;
	if (!places(step, &window))
		return false;
	struct onnx_shape y = input->shape;
	double count = 1;
	y.dims[1] = w->shape.dims[0];
	for (unsigned d = 0; d < window.dimensions; d++)
		count *= y.dims[d + 2] = window.y[d];
	if (!step_shape(step, 0, &y))
		return false;
	return step->is_constant || convolution_layer(step, &window, count);
}

static bool transposed_convolution(struct onnx_step *step)
{
	const struct onnx_value *const input = step_input(step, 0), *const w = step_input(step, 1);
	const double group = attribute_number(step->node, "group", 1);
	struct window window;
	double wanted[DIMENSIONS_MAX] = {0};
	if (!input || !is_image(step, &input->shape) || !filters_fit(step, w, &input->shape, group, true))
		return input ? false : step_error(step, "has no input");
	if (!window_read(step, &input->shape, &window) ||
		!list_into(step, "output_shape", 1, window.dimensions, wanted))
		return false;
	struct onnx_shape y = input->shape;
	double count = 1;
	y.dims[1] = w->shape.dims[1] * group;
	for (unsigned d = 0; d < window.dimensions; d++) {
		window.kernel[d] = w->shape.dims[d + 2];
		window.y[d] = window.same ? window.x[d] * window.stride[d]
					  : (window.x[d] - 1) * window.stride[d] - window.before[d] -
						    window.after[d] + reach_of(&window, d) + window.more[d];
		if (wanted[d] > 0)
			window.y[d] = wanted[d];
		y.dims[d + 2] = window.y[d];
		count *= window.x[d];
	}
	if (!step_shape(step, 0, &y) || step->is_constant)
		return step->is_constant;
	return convolution_layer(step, &window, count);
}

static bool pool_layer(struct onnx_step *step, const struct window *window)
{
	struct onnx_layer *const layer = step_layer(step, 0, "pool", step->operator->kind);
	if (!layer)
		return false;
	struct window plain = *window;
	for (unsigned d = 0; d < window->dimensions; d++) {
		plain.kernel[d] = reach_of(window, d); /* a pooling depends on its reach alone */
		plain.dilation[d] = 1;
		if (plain.kernel[d] > WINDOW_MAX)
			return step_error(step, "has a window of %g", plain.kernel[d]);
	}
	if (!is_plain(step, &step_input(step, 0)->shape) || !window_write(&plain, layer, true)) {
		layer->type = "reshape";
		layer->kind = NULL;
		layer->copy = true;
	}
	return true;
}

static bool pool(struct onnx_step *step)
{
	const struct onnx_value *const input = step_input(step, 0);
	struct window window;
	unsigned kernels;
	if (!input || !is_image(step, &input->shape))
		return input ? false : step_error(step, "has no input");
	if (!step_list(step, "kernel_shape", -1, &kernels))
		return step_error(step, "has no kernel_shape");
	if (!window_read(step, &input->shape, &window) || !places(step, &window))
		return false;
	struct onnx_shape y = input->shape;
	for (unsigned d = 0; d < window.dimensions; d++)
		y.dims[d + 2] = window.y[d];
	if (!step_shape(step, 0, &y))
		return false;
	return step->is_constant || pool_layer(step, &window);
}

static bool global(struct onnx_step *step)
{
	const struct onnx_value *const input = step_input(step, 0);
	if (!input || !is_image(step, &input->shape))
		return input ? false : step_error(step, "has no input");
	struct onnx_shape y = input->shape;
	for (unsigned d = 2; d < y.rank; d++)
		y.dims[d] = 1;
	if (!step_shape(step, 0, &y) || step->is_constant)
		return step->is_constant;
	struct onnx_layer *const layer = step_layer(step, 0, "pool", step->operator->kind);
	if (layer)
		layer->global = true;
	return layer != NULL;
}

const struct onnx_operator onnx_windows[] = {
	{"Conv", convolution, NULL, 0},
	{"ConvTranspose", transposed_convolution, NULL, TRANSPOSED},
	{"MaxPool", pool, "max", 0},
	{"AveragePool", pool, "avg", 0},
	{"LpPool", pool, "avg", 0},
	{"GlobalAveragePool", global, "avg", 0},
	{"GlobalMaxPool", global, "max", 0},
	{"GlobalLpPool", global, "avg", 0},
	{NULL, NULL, NULL, 0},
};

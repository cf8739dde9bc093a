/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by cuDNN's operation graphs, as PyTorch has them. */
#include <stdlib.h>

#ifdef WITH_CUDNN
#include "cudnn_parts.h"

enum operand { X = 1, W, Y }; /* their unique ids */

struct plan_graph {
	struct convolution convolution;
	part x, w, y, shape, operation;
	struct engine engine;
};

/* Makes the descriptor of a tensor without gaps. */
static enum ready tensor_make(
	struct run *run, const struct convolution *c, part *made, int64_t id, const int extents[EXTENTS_MAX])
{
	struct tensor tensor = {.id = id, .type = dnn_type(c->precision), .dimensions = c->dimensions + 2};
	int64_t stride = 1;
	for (int i = 0; i < tensor.dimensions; i++)
		tensor.sizes[i] = extents[i];
	if (c->channels_last) {
		tensor.strides[1] = 1;
		stride = tensor.sizes[1];
	}
	for (int i = tensor.dimensions - 1; i > 0; i--)
		if (i > 1 || !c->channels_last) {
			tensor.strides[i] = stride;
			stride *= tensor.sizes[i];
		}
	tensor.strides[0] = stride;
	return part_tensor(run, made, &tensor);
}

static enum ready tensors_make(struct run *run, struct plan_graph *p)
{
	const struct convolution *const c = &p->convolution;
	int x[EXTENTS_MAX], w[EXTENTS_MAX], y[EXTENTS_MAX];
	dnn_extents(x, c->batch, c->channels, c->x, c->dimensions);
	dnn_extents(w, c->filters, c->channels / c->groups, c->kernel, c->dimensions);
	dnn_extents(y, c->batch, c->filters, c->y, c->dimensions);
	TRY(tensor_make(run, c, &p->x, X, x));
	TRY(tensor_make(run, c, &p->w, W, w));
	return tensor_make(run, c, &p->y, Y, y);
}

/* Makes the descriptor of kernel positions; what is missing behind is padded, where padding differs by side. */
static enum ready shape_make(struct run *run, struct plan_graph *p)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	static const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
	const struct convolution *const c = &p->convolution;
	const int64_t n = c->dimensions;
	int64_t before[3], after[3], stride[3], dilation[3];
	for (int i = 0; i < c->dimensions; i++) {
		const int reach = c->dilation[i] * (c->kernel[i] - 1) + 1;
		const int lacking = (c->y[i] - 1) * c->stride[i] + reach - c->x[i] - c->pad[i];
		const bool is_even = (c->x[i] + 2 * c->pad[i] - reach) / c->stride[i] + 1 == c->y[i];
		if (!is_even && lacking < 0)
			return run_say(run, ABSENT, "%d positions leave out a part of the input", c->y[i]);
		before[i] = c->pad[i];
		after[i] = is_even ? c->pad[i] : lacking;
		stride[i] = c->stride[i];
		dilation[i] = c->dilation[i];
	}
	TRY(part_make(run, &p->shape, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &n));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, n, before));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, n, after));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, n, stride));
	TRY(part_set(run, p->shape, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, n, dilation));
	return part_final(run, p->shape);
}

/* The three passes are operations of their own, with attributes of their own for the same six facts. */
static const struct {
	cudnnBackendDescriptorType_t type;
	cudnnBackendAttributeName_t shape, x, w, y, alpha, beta;
} operations[] = {
	[PASS_FORWARD] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
		CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
		CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
		CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
		CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
	[PASS_BACKWARD_DATA] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
	[PASS_BACKWARD_FILTER] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
		CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
};

static enum ready operation_make(struct run *run, struct plan_graph *p)
{
	static const float one = 1, zero = 0;
	const enum pass pass = p->convolution.pass;
	TRY(part_make(run, &p->operation, operations[pass].type));
	TRY(part_set_part(run, p->operation, operations[pass].shape, p->shape));
	TRY(part_set_part(run, p->operation, operations[pass].x, p->x));
	TRY(part_set_part(run, p->operation, operations[pass].w, p->w));
	TRY(part_set_part(run, p->operation, operations[pass].y, p->y));
	TRY(part_set(run, p->operation, operations[pass].alpha, CUDNN_TYPE_FLOAT, 1, &one));
	TRY(part_set(run, p->operation, operations[pass].beta, CUDNN_TYPE_FLOAT, 1, &zero));
	TRY(part_final(run, p->operation));
	return engine_graph(run, &p->engine, &p->operation, 1);
}

static enum ready make_graph(struct run *run, const struct convolution *convolution, void **made)
{
	struct plan_graph *const p = calloc(1, sizeof *p);
	*made = p;
	if (!p)
		return run_say(run, FAILED, "no memory on the host");
	p->convolution = *convolution;
	TRY(tensors_make(run, p));
	TRY(shape_make(run, p));
	return operation_make(run, p);
}

static void free_graph(void *made)
{
	struct plan_graph *const p = made;
	part *const parts[] = {&p->operation, &p->shape, &p->y, &p->w, &p->x};
	engine_free(&p->engine);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		part_drop(parts[i]);
	free(p);
}

static enum ready choose_graph(struct run *run, void *made)
{
	struct plan_graph *const p = made;
	return engine_choose(run, &p->engine, p->convolution.precision, dnn_workspace_most);
}

static enum ready enqueue_graph(struct run *run, const void *made, void *x, void *w, void *y)
{
	static const int64_t ids[] = {X, W, Y};
	const struct plan_graph *const p = made;
	void *const operands[] = {x, w, y};
	return engine_enqueue(run, &p->engine, sizeof ids / sizeof *ids, ids, operands);
}

const struct cudnn_interface cudnn_graph = {make_graph, choose_graph, enqueue_graph, free_graph};
#endif

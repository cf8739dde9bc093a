/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions by cuDNN's operation graphs, as PyTorch has them: engines in the order of heuristic A, those of the fallback after them; the
 * first is taken whose arithmetic is no coarser than asked for and for which a plan can be made.
 */
#include <stdlib.h>
#include <string.h>

#ifdef WITH_CUDNN
#include "cudnn_library.h"

enum { CHOICES = 16, NOTES = 16, ALIGNMENT_BYTES = 16 };
enum operand { X = 1, W, Y }; /* their unique ids */
typedef cudnnBackendDescriptor_t part;

struct plan_graph {
	struct convolution convolution;
	part x, w, y, shape, operation, graph, heuristic, choice, engine, plan;
	void *workspace;
	int64_t workspace_bytes;
};

static enum ready set(struct run *run, part to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	return DNN(run, cudnnBackendSetAttribute(to, name, type, count, values));
}

static enum ready set_part(struct run *run, part to, cudnnBackendAttributeName_t name, part value)
{
	return set(run, to, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

static void drop(part *of)
{
	if (*of)
		(void)dnn.cudnnBackendDestroyDescriptor(*of);
	*of = NULL;
}

/* Makes the descriptor of a tensor without gaps. */
static enum ready tensor_make(struct run *run, const struct convolution *c, part *tensor, int64_t id,
	const int extents[EXTENTS_MAX])
{
	const int64_t alignment = ALIGNMENT_BYTES;
	const cudnnDataType_t type = dnn_type(c->precision);
	const int count = c->dimensions + 2;
	int64_t sizes[EXTENTS_MAX], strides[EXTENTS_MAX], stride = 1;
	for (int i = 0; i < count; i++)
		sizes[i] = extents[i];
	if (c->channels_last) {
		strides[1] = 1;
		stride = sizes[1];
	}
	for (int i = count - 1; i > 0; i--)
		if (i > 1 || !c->channels_last) {
			strides[i] = stride;
			stride *= sizes[i];
		}
	strides[0] = stride;
	TRY(DNN(run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, tensor)));
	TRY(set(run, *tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id));
	TRY(set(run, *tensor, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type));
	TRY(set(run, *tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment));
	TRY(set(run, *tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, count, sizes));
	TRY(set(run, *tensor, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, count, strides));
	return DNN(run, cudnnBackendFinalize(*tensor));
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
	TRY(DNN(run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, &p->shape)));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &n));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, n, before));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, n, after));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, n, stride));
	TRY(set(run, p->shape, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, n, dilation));
	return DNN(run, cudnnBackendFinalize(p->shape));
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
	TRY(DNN(run, cudnnBackendCreateDescriptor(operations[pass].type, &p->operation)));
	TRY(set_part(run, p->operation, operations[pass].shape, p->shape));
	TRY(set_part(run, p->operation, operations[pass].x, p->x));
	TRY(set_part(run, p->operation, operations[pass].w, p->w));
	TRY(set_part(run, p->operation, operations[pass].y, p->y));
	TRY(set(run, p->operation, operations[pass].alpha, CUDNN_TYPE_FLOAT, 1, &one));
	TRY(set(run, p->operation, operations[pass].beta, CUDNN_TYPE_FLOAT, 1, &zero));
	TRY(DNN(run, cudnnBackendFinalize(p->operation)));
	TRY(DNN(run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, &p->graph)));
	TRY(set_part(run, p->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, p->operation));
	TRY(set(run, p->graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &dnn_handle));
	return DNN(run, cudnnBackendFinalize(p->graph));
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
	part *const parts[] = {&p->plan, &p->engine, &p->choice, &p->heuristic, &p->graph, &p->operation,
		&p->shape, &p->y, &p->w, &p->x};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		drop(parts[i]);
	if (p->workspace)
		(void)cudaFree(p->workspace);
	free(p);
}

/* Returns whether an engine's arithmetic is no coarser than asked for: plain fp32 stays off tensor cores, tf32 may take them. */
static bool is_fine_enough(struct plan_graph *p)
{
	cudnnBackendNumericalNote_t notes[NOTES];
	int64_t count = 0;
	const bool is_float = p->convolution.precision->item == ITEM_FP32,
		   is_plain = strcmp(p->convolution.precision->name, "fp32") == 0;
	drop(&p->engine);
	if (dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &p->engine) !=
			CUDNN_STATUS_SUCCESS ||
		dnn.cudnnBackendGetAttribute(p->choice, CUDNN_ATTR_ENGINECFG_ENGINE,
			CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &p->engine) != CUDNN_STATUS_SUCCESS ||
		dnn.cudnnBackendGetAttribute(p->engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
			CUDNN_TYPE_NUMERICAL_NOTE, NOTES, &count, notes) != CUDNN_STATUS_SUCCESS)
		return false;
	for (int64_t i = 0; i < count && i < NOTES; i++)
		if ((is_float && notes[i] == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS) ||
			(is_plain && notes[i] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE))
			return false;
	return true;
}

/* Makes a plan of p->choice; false: the engine does not work here, or wants too large a workspace. */
static bool plan_make(struct plan_graph *p)
{
	int64_t count = 0;
	drop(&p->plan);
	return dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &p->plan) ==
		       CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendSetAttribute(p->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
		       &dnn_handle) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendSetAttribute(p->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
		       CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &p->choice) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendFinalize(p->plan) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendGetAttribute(p->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
		       CUDNN_TYPE_INT64, 1, &count, &p->workspace_bytes) == CUDNN_STATUS_SUCCESS &&
	       p->workspace_bytes <= (int64_t)dnn_workspace_most;
}

/* Asks a heuristic for engines; p->plan is of the first that works, NULL where none does. */
static enum ready plan_of_mode(struct run *run, struct plan_graph *p, cudnnBackendHeurMode_t mode)
{
	part choices[CHOICES] = {NULL};
	int64_t count = 0;
	drop(&p->heuristic);
	TRY(DNN(run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, &p->heuristic)));
	TRY(set_part(run, p->heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, p->graph));
	TRY(set(run, p->heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode));
	TRY(DNN(run, cudnnBackendFinalize(p->heuristic)));
	enum ready ready = READY;
	for (int i = 0; i < CHOICES && ready == READY; i++)
		ready = DNN(
			run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &choices[i]));
	if (ready == READY)
		ready = DNN(run, cudnnBackendGetAttribute(p->heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
					 CUDNN_TYPE_BACKEND_DESCRIPTOR, CHOICES, &count, choices));
	bool works = false;
	for (int i = 0; i < CHOICES; i++)
		if (ready == READY && !works && i < count) {
			drop(&p->choice);
			p->choice = choices[i];
			works = is_fine_enough(p) && plan_make(p);
		} else {
			drop(&choices[i]);
		}
	if (!works)
		drop(&p->plan);
	return ready;
}

static enum ready choose_graph(struct run *run, void *made)
{
	static const cudnnBackendHeurMode_t modes[] = {CUDNN_HEUR_MODE_INSTANT, CUDNN_HEUR_MODE_FALLBACK};
	struct plan_graph *const p = made;
	for (size_t i = 0; i < sizeof modes / sizeof *modes && !p->plan; i++)
		TRY(plan_of_mode(run, p, modes[i]));
	if (!p->plan)
		return run_say(run, ABSENT, "cuDNN has no engine for this layer");
	if (p->workspace_bytes > 0)
		TRY(CUDA(run, cudaMalloc(&p->workspace, (size_t)p->workspace_bytes)));
	return READY;
}

/* Each call has operands of its own, and so a pack of them. */
static enum ready enqueue_graph(struct run *run, const void *made, void *x, void *w, void *y)
{
	static const int64_t ids[] = {X, W, Y};
	const struct plan_graph *const p = made;
	void *const operands[] = {x, w, y};
	const int64_t count = sizeof ids / sizeof *ids;
	part pack = NULL;
	TRY(DNN(run, cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack)));
	enum ready ready = set(run, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids);
	if (ready == READY)
		ready = set(run, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count,
			operands);
	if (ready == READY)
		ready = set(
			run, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &p->workspace);
	if (ready == READY)
		ready = DNN(run, cudnnBackendFinalize(pack));
	if (ready == READY)
		ready = DNN(run, cudnnBackendExecute(dnn_handle, p->plan, pack));
	drop(&pack);
	return ready;
}

const struct cudnn_interface cudnn_graph = {make_graph, choose_graph, enqueue_graph, free_graph};
#endif

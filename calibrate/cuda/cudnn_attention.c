/* SPDX-License-Identifier: BSD-3-Clause */
#include "cudnn_attention.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static size_t item_bytes(const struct precision *precision, enum attention_items items)
{
	return items == ITEMS ? precision->bytes : sizeof(float);
}

struct attention_arrays attention_arrays(const struct attention *attention, const struct precision *precision)
{
	static const enum attention_tensor both[] = {Q, K_T, V, O, STATS, NONE},
					   gradients[] = {D_O, D_Q, D_K, D_V, NONE}, none[] = {NONE};
	const enum attention_tensor *const lists[] = {both, attention->is_backward ? gradients : none};
	struct attention_arrays arrays = {.bytes = 0};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const enum attention_tensor *tensor = lists[i]; *tensor; tensor++) {
			const struct attention_layout layout = attention_layout(attention, *tensor);
			arrays.at[*tensor] = arrays.bytes;
			arrays.bytes += aligned(
				attention_count(attention, *tensor) * item_bytes(precision, layout.items));
		}
	arrays.at[V_T] = arrays.at[V];
	return arrays;
}

#ifdef WITH_CUDNN
#include "cudnn_parts.h"
#endif

#if defined WITH_CUDNN && CUDNN_MAJOR >= 9

struct attention_plan {
	struct attention attention;
	const struct precision *precision;
	struct attention_arrays arrays;
	part tensors[ATTENTION_TENSORS], kinds[ATTENTION_OPERATIONS_MAX],
		operations[ATTENTION_OPERATIONS_MAX];
	struct engine engine;
	float values[ATTENTION_TENSORS];
	void *scratch[ATTENTION_TENSORS];
};

static enum ready tensor_make(struct run *run, struct attention_plan *p, enum attention_tensor tensor)
{
	static const cudnnDataType_t types[] = {
		[FLOATS] = CUDNN_DATA_FLOAT, [INDICES] = CUDNN_DATA_INT32, [FLAGS] = CUDNN_DATA_BOOLEAN};
	if (tensor == NONE || p->tensors[tensor])
		return READY;
	const struct attention_layout layout = attention_layout(&p->attention, tensor);
	struct tensor made = {.id = tensor,
		.type = layout.items == ITEMS ? dnn_type(p->precision) : types[layout.items],
		.dimensions = ATTENTION_RANK,
		.is_virtual = layout.home == VIRTUAL,
		.is_value = layout.home == VALUE};
	for (int i = 0; i < ATTENTION_RANK; i++) {
		made.sizes[i] = layout.sizes[i];
		made.strides[i] = layout.strides[i];
	}
	if (layout.home == SCRATCH || layout.home == SUMMED)
		TRY(CUDA(run,
			cudaMalloc(&p->scratch[tensor], attention_count(&p->attention, tensor) *
								item_bytes(p->precision, layout.items))));
	return part_tensor(run, &p->tensors[tensor], &made);
}

static enum ready product_make(struct run *run, struct attention_plan *p, const struct attention_operation *o,
	part *kind, part *made)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	TRY(part_make(run, kind, CUDNN_BACKEND_MATMUL_DESCRIPTOR));
	TRY(part_set(run, *kind, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type));
	TRY(part_final(run, *kind));
	TRY(part_make(run, made, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_MATMUL_DESC, *kind));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_MATMUL_ADESC, p->tensors[o->x]));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_MATMUL_BDESC, p->tensors[o->b]));
	return part_set_part(run, *made, CUDNN_ATTR_OPERATION_MATMUL_CDESC, p->tensors[o->y]);
}

static enum ready transpose_make(struct run *run, struct attention_plan *p,
	const struct attention_operation *o, part *kind, part *made)
{
	(void)kind;
	TRY(part_make(run, made, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, p->tensors[o->x]));
	return part_set_part(run, *made, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, p->tensors[o->y]);
}

static enum ready reduction_make(struct run *run, struct attention_plan *p,
	const struct attention_operation *o, part *kind, part *made)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	const cudnnReduceTensorOp_t how =
		o->action == MOST ? CUDNN_REDUCE_TENSOR_MAX : CUDNN_REDUCE_TENSOR_ADD;
	TRY(part_make(run, kind, CUDNN_BACKEND_REDUCTION_DESCRIPTOR));
	TRY(part_set(run, *kind, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &how));
	TRY(part_set(run, *kind, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type));
	TRY(part_final(run, *kind));
	TRY(part_make(run, made, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_REDUCTION_DESC, *kind));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, p->tensors[o->x]));
	return part_set_part(run, *made, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, p->tensors[o->y]);
}

static const cudnnPointwiseMode_t modes[] = {
	[MULTIPLY] = CUDNN_POINTWISE_MUL,
	[SUBTRACT] = CUDNN_POINTWISE_SUB,
	[ADD] = CUDNN_POINTWISE_ADD,
	[DIVIDE] = CUDNN_POINTWISE_DIV,
	[EXPONENTIAL] = CUDNN_POINTWISE_EXP,
	[LOGARITHM] = CUDNN_POINTWISE_LOG,
	[COPY] = CUDNN_POINTWISE_IDENTITY,
	[ROW_NUMBER] = CUDNN_POINTWISE_GEN_INDEX,
	[COLUMN_NUMBER] = CUDNN_POINTWISE_GEN_INDEX,
	[IS_AT_LEAST] = CUDNN_POINTWISE_CMP_GE,
	[CHOOSE] = CUDNN_POINTWISE_BINARY_SELECT,
};

static enum ready pointwise_make(struct run *run, struct attention_plan *p,
	const struct attention_operation *o, part *kind, part *made)
{
	const bool is_number = o->action == ROW_NUMBER || o->action == COLUMN_NUMBER;
	const int64_t axis = o->action == ROW_NUMBER ? ATTENTION_RANK - 2 : ATTENTION_RANK - 1;
	const cudnnDataType_t type = is_number                  ? CUDNN_DATA_INT32
				     : o->action == IS_AT_LEAST ? CUDNN_DATA_BOOLEAN
								: CUDNN_DATA_FLOAT;
	TRY(part_make(run, kind, CUDNN_BACKEND_POINTWISE_DESCRIPTOR));
	TRY(part_set(run, *kind, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &modes[o->action]));
	TRY(part_set(run, *kind, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &type));
	if (is_number)
		TRY(part_set(run, *kind, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &axis));
	TRY(part_final(run, *kind));
	TRY(part_make(run, made, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, *kind));
	TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, p->tensors[o->x]));
	if (o->b)
		TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, p->tensors[o->b]));
	if (o->t)
		TRY(part_set_part(run, *made, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, p->tensors[o->t]));
	return part_set_part(run, *made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, p->tensors[o->y]);
}

static enum ready operation_make(struct run *run, struct attention_plan *p,
	const struct attention_operation *o, part *kind, part *made)
{
	const enum attention_tensor used[] = {o->x, o->b, o->t, o->y};
	for (size_t i = 0; i < sizeof used / sizeof *used; i++)
		TRY(tensor_make(run, p, used[i]));
	TRY((o->action == PRODUCT                         ? product_make
		: o->action == TRANSPOSE                  ? transpose_make
		: o->action == MOST || o->action == TOTAL ? reduction_make
							  : pointwise_make)(run, p, o, kind, made));
	return part_final(run, *made);
}

enum ready attention_plan_make(struct run *run, const struct attention *attention,
	const struct precision *precision, struct attention_plan **plan)
{
	struct attention_operation operations[ATTENTION_OPERATIONS_MAX];
	TRY(dnn_load(run));
	if (!dnn_has_graphs())
		return run_say(run, ABSENT, "fused attention is an operation graph of cuDNN 9; here is %s",
			dnn_version());
	struct attention_plan *const p = calloc(1, sizeof *p);
	*plan = p;
	if (!p)
		return run_say(run, FAILED, "no memory on the host");
	p->attention = *attention;
	p->precision = precision;
	p->arrays = attention_arrays(attention, precision);
	p->values[SCALE] = 1 / sqrtf((float)attention->head);
	p->values[LOWEST] = -FLT_MAX; /* finite, so that differences of two of them are */
	p->values[KEPT] = 1;
	const size_t count = attention_operations(attention, operations);
	for (size_t i = 0; i < count; i++)
		TRY(operation_make(run, p, &operations[i], &p->kinds[i], &p->operations[i]));
	TRY(engine_graph(run, &p->engine, p->operations, (int64_t)count));
	/* An engine that is not fused writes scores to its workspace. */
	const size_t scores = attention_count(attention, SCORES) * precision->bytes;
	return engine_choose(
		run, &p->engine, precision, scores < dnn_workspace_most ? scores - 1 : dnn_workspace_most);
}

enum ready attention_enqueue(struct run *run, struct attention_plan *p, unsigned char *base)
{
	int64_t ids[ATTENTION_TENSORS], count = 0;
	void *operands[ATTENTION_TENSORS];
	for (int i = NONE + 1; i < ATTENTION_TENSORS; i++) {
		const enum attention_tensor tensor = (enum attention_tensor)i;
		const struct attention_layout layout = attention_layout(&p->attention, tensor);
		if (!p->tensors[tensor] || layout.home == VIRTUAL)
			continue;
		if (layout.home == SUMMED)
			TRY(CUDA(run, cudaMemsetAsync(p->scratch[tensor], 0,
					      attention_count(&p->attention, tensor) *
						      item_bytes(p->precision, layout.items),
					      device.stream)));
		ids[count] = tensor;
		operands[count++] = layout.home == ARRAY   ? base + p->arrays.at[tensor]
				    : layout.home == VALUE ? &p->values[tensor]
							   : p->scratch[tensor];
	}
	return engine_enqueue(run, &p->engine, count, ids, operands);
}

void attention_plan_free(struct attention_plan *plan)
{
	if (!plan)
		return;
	engine_free(&plan->engine);
	for (size_t i = 0; i < ATTENTION_OPERATIONS_MAX; i++) {
		part_drop(&plan->operations[i]);
		part_drop(&plan->kinds[i]);
	}
	for (size_t i = 0; i < ATTENTION_TENSORS; i++) {
		part_drop(&plan->tensors[i]);
		if (plan->scratch[i])
			(void)cudaFree(plan->scratch[i]);
	}
	free(plan);
}

#else

enum ready attention_plan_make(struct run *run, const struct attention *attention,
	const struct precision *precision, struct attention_plan **plan)
{
	(void)attention, (void)precision;
	*plan = NULL;
	return run_say(run, ABSENT, "built without cuDNN 9: install its headers and build again");
}

enum ready attention_enqueue(struct run *run, struct attention_plan *plan, unsigned char *base)
{
	(void)plan, (void)base;
	return run_say(run, ABSENT, "built without cuDNN 9");
}

void attention_plan_free(struct attention_plan *plan)
{
	(void)plan;
}
#endif

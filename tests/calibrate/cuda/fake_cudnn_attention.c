/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs of several operations, of which the made-up cuDNN runs attention in one kernel: products of the scores that are seen, in blocks of 128
 * queries and keys, at a share of the rate of products. FAKE_UNFUSED: kernels of their own write all scores and read them again.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake_device.h"
#include "fake_graph.h"

enum { RANK = 4, BLOCK = 128 };
static const double start_s = 5e-6, flop_per_s = 1e14, bytes_per_s = 1e11, share_forward = 0.1,
		    share_backward = 0.08;

enum { OPERANDS = 4 };
/* Attributes of an operation that are tensors, the result last. */
static const struct {
	cudnnBackendDescriptorType_t type;
	cudnnBackendAttributeName_t how, operands[OPERANDS];
	int needed; /* operands before the result that there must be */
} kinds[] = {
	{CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, CUDNN_ATTR_OPERATION_MATMUL_DESC,
		{CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_ATTR_OPERATION_MATMUL_BDESC, 0,
			CUDNN_ATTR_OPERATION_MATMUL_CDESC},
		2},
	{CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR,
		{CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
			CUDNN_ATTR_OPERATION_POINTWISE_TDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC},
		1},
	{CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, CUDNN_ATTR_OPERATION_REDUCTION_DESC,
		{CUDNN_ATTR_OPERATION_REDUCTION_XDESC, 0, 0, CUDNN_ATTR_OPERATION_REDUCTION_YDESC}, 1},
	{CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, 0,
		{CUDNN_ATTR_OPERATION_RESHAPE_XDESC, 0, 0, CUDNN_ATTR_OPERATION_RESHAPE_YDESC}, 1},
};

static int kind_of(cudnnBackendDescriptorType_t type)
{
	int kind = (int)(sizeof kinds / sizeof *kinds) - 1;
	while (kind >= 0 && kinds[kind].type != type)
		kind--;
	return kind;
}

bool is_attention_operation(cudnnBackendDescriptorType_t type)
{
	return kind_of(type) >= 0;
}

/* Returns an operand of an operation, the result as the last; NULL: it has none. */
static const struct part *operand_of(const struct part *operation, int operand)
{
	const cudnnBackendAttributeName_t name = kinds[kind_of(operation->type)].operands[operand];
	return name ? part_of(operation, name) : NULL;
}

static void sizes_of(const struct part *tensor, int64_t sizes[DIMENSIONS_MAX])
{
	if (numbers_of(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes) != RANK)
		sizes[0] = sizes[1] = sizes[2] = sizes[3] = -1;
}

static bool is_flag(const struct part *tensor, cudnnBackendAttributeName_t name)
{
	const struct attribute *const attribute = attribute_find(tensor, name);
	return attribute && attribute->values[0];
}

static bool is_product_right(const struct part *operation)
{
	int64_t a[DIMENSIONS_MAX], b[DIMENSIONS_MAX], c[DIMENSIONS_MAX];
	sizes_of(operand_of(operation, 0), a);
	sizes_of(operand_of(operation, 1), b);
	sizes_of(operand_of(operation, OPERANDS - 1), c);
	return a[3] == b[2] && c[2] == a[2] && c[3] == b[3] && a[0] == b[0] && c[1] == a[1] &&
	       a[1] % b[1] == 0;
}

cudnnStatus_t attention_check(const struct part *operation)
{
	const int kind = kind_of(operation->type);
	const struct part *const result = operand_of(operation, OPERANDS - 1);
	int64_t x[DIMENSIONS_MAX], y[DIMENSIONS_MAX];
	if (!result || (kinds[kind].how && !part_of(operation, kinds[kind].how)))
		return graph_wrong("an operation without result or description");
	for (int i = 0; i < kinds[kind].needed; i++)
		if (!operand_of(operation, i))
			return graph_wrong("an operation without operand");
	if (operation->type == CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
		return is_product_right(operation) ? CUDNN_STATUS_SUCCESS : graph_wrong("a product");
	sizes_of(result, y);
	for (int i = 0; i < OPERANDS - 1; i++) {
		if (!operand_of(operation, i))
			continue;
		sizes_of(operand_of(operation, i), x);
		const bool turns = operation->type == CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR,
			   reduces = operation->type == CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR;
		for (int j = 0; j < RANK; j++)
			if (turns         ? x[j] != y[j < 2 ? j : 5 - j]
				: reduces ? x[j] % y[j] > 0
					  : x[j] != y[j] && x[j] != 1)
				return graph_wrong("extents of an operation");
	}
	return CUDNN_STATUS_SUCCESS;
}

static int times_written(const struct part *const *operations, int64_t count, const struct part *tensor)
{
	int times = 0;
	for (int64_t i = 0; i < count; i++)
		times += operand_of(operations[i], OPERANDS - 1) == tensor;
	return times;
}

cudnnStatus_t attention_check_graph(const struct part *graph)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	for (int64_t i = 0; i < count; i++)
		for (int j = 0; j < OPERANDS; j++) {
			const struct part *const tensor = operand_of(operations[i], j);
			if (!tensor)
				continue;
			const int times = times_written(operations, count, tensor);
			if (times > 1 || (times == 0 && is_flag(tensor, CUDNN_ATTR_TENSOR_IS_VIRTUAL)))
				return graph_wrong("a tensor that nothing writes, or two operations");
		}
	return CUDNN_STATUS_SUCCESS;
}

/* Returns all operations of products, were all scores seen. */
static double products_flop(const struct part *graph)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	int64_t a[DIMENSIONS_MAX], c[DIMENSIONS_MAX];
	double flop = 0;
	for (int64_t i = 0; i < count; i++) {
		if (operations[i]->type != CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
			continue;
		sizes_of(operand_of(operations[i], 0), a);
		sizes_of(operand_of(operations[i], OPERANDS - 1), c);
		flop += 2.0 * (double)(c[0] * c[1]) * (double)(c[2] * c[3]) * (double)a[3];
	}
	return flop;
}

/* Returns the scores, the result of the first product of a graph of forward, and of backward's, too. */
static const struct part *scores_of(const struct part *graph)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	for (int64_t i = 0; i < count; i++)
		if (operations[i]->type == CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
			return operand_of(operations[i], OPERANDS - 1);
	return NULL;
}

size_t attention_score_bytes(const struct part *graph)
{
	const struct part *const scores = scores_of(graph);
	return scores ? tensor_bytes(scores) / 2 : 0; /* of fp32, where they are written in 16 bits */
}

static bool operands_hold(const struct part *graph, const struct part *pack)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	for (int64_t i = 0; i < count; i++)
		for (int j = 0; j < OPERANDS; j++) {
			const struct part *const tensor = operand_of(operations[i], j);
			if (!tensor || is_flag(tensor, CUDNN_ATTR_TENSOR_IS_VIRTUAL))
				continue;
			const void *const operand = operand_find(pack, tensor);
			if (!operand ||
				(!is_flag(tensor, CUDNN_ATTR_TENSOR_IS_BY_VALUE) &&
					!fake_check("operand of attention", operand, tensor_bytes(tensor))))
				return false;
		}
	return true;
}

cudnnStatus_t attention_execute(const struct part *graph, const struct part *pack)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	bool is_backward = false; /* it alone has transposed scores */
	for (int64_t i = 0; i < count; i++)
		is_backward |= operations[i]->type == CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR;
	const double flop = products_flop(graph), share = is_backward ? share_backward : share_forward;
	const double passes = is_backward ? 8 : 4, bytes = passes * (double)attention_score_bytes(graph);
	int64_t sizes[DIMENSIONS_MAX];
	if (!operands_hold(graph, pack))
		return graph_wrong("operands of attention");
	sizes_of(scores_of(graph), sizes);
	const double seen = (double)(sizes[3] + BLOCK) / 2 / (double)sizes[3];
	fake_work(start_s + (getenv("FAKE_UNFUSED") ? flop / flop_per_s + bytes / bytes_per_s
						    : seen * flop / flop_per_s / share));
	return CUDNN_STATUS_SUCCESS;
}

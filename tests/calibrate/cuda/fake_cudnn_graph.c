/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuDNN's operation graphs of one convolution or of attention, without the arithmetic: a descriptor keeps what is set, and what does not fit
 * is told when it is finalized. Heuristic A offers an engine that does not work, one with too large a workspace, one that makes operands
 * narrow, one on tensor cores and one of ordinary units, which is eight times as slow; the fallback one that is twice as slow.
 * FAKE_HEURISTIC=none: A has no engine.
 */
#include <cudnn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"
#include "fake_graph.h"

static const double slower[] = {[NARROW] = 1, [TENSOR_CORES] = 1, [ORDINARY] = 8, [LAST_RESORT] = 2};
static const int64_t workspace_bytes = 4096;

cudnnStatus_t graph_wrong(const char *what)
{
	fprintf(stderr, "FAKE: cuDNN: graph: %s\n", what);
	return CUDNN_STATUS_BAD_PARAM;
}

static size_t bytes_of(cudnnBackendAttributeType_t type)
{
	return type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_HANDLE || type == CUDNN_TYPE_VOID_PTR ||
			       type == CUDNN_TYPE_BACKEND_DESCRIPTOR
		       ? 8
	       : type == CUDNN_TYPE_BOOLEAN ? sizeof(bool)
					    : 4;
}

const struct attribute *attribute_find(const struct part *part, cudnnBackendAttributeName_t name)
{
	for (unsigned i = 0; part && i < part->count; i++)
		if (part->attributes[i].name == name)
			return &part->attributes[i];
	return NULL;
}

const struct part *part_of(const struct part *part, cudnnBackendAttributeName_t name)
{
	const struct attribute *const attribute = attribute_find(part, name);
	const struct part *found = NULL;
	if (attribute)
		memcpy(&found, attribute->values, sizeof found);
	return found && (found->is_final || found->type == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR) ? found : NULL;
}

int64_t numbers_of(const struct part *part, cudnnBackendAttributeName_t name, int64_t *numbers)
{
	const struct attribute *const attribute = attribute_find(part, name);
	if (!attribute || attribute->type != CUDNN_TYPE_INT64)
		return 0;
	memcpy(numbers, attribute->values, (size_t)attribute->count * sizeof *numbers);
	return attribute->count;
}

static bool is_one(const struct part *part, cudnnBackendAttributeName_t name, float value)
{
	const struct attribute *const attribute = attribute_find(part, name);
	return attribute && attribute->type == CUDNN_TYPE_FLOAT &&
	       memcmp(attribute->values, &value, sizeof value) == 0;
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *made)
{
	struct part *const part = calloc(1, sizeof *part);
	part->type = type;
	*made = (cudnnBackendDescriptor_t)(void *)part;
	return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t part)
{
	free(part);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	struct part *const part = (void *)to;
	const size_t bytes = (size_t)count * bytes_of(type);
	if (part->is_final || part->count == ATTRIBUTES_MAX || count < 1 || bytes > BYTES_MAX ||
		attribute_find(part, name))
		return graph_wrong("an attribute that is set late, twice or is too long");
	struct attribute *const attribute = &part->attributes[part->count++];
	*attribute = (struct attribute){.name = name, .type = type, .count = count};
	memcpy(attribute->values, values, bytes);
	return CUDNN_STATUS_SUCCESS;
}

/* Strides of a tensor without gaps, channels first or last. */
static bool is_tight(const int64_t *sizes, const int64_t *strides, int64_t count, bool channels_last)
{
	int64_t stride = channels_last ? sizes[1] : 1;
	if (channels_last && strides[1] != 1)
		return false;
	for (int64_t i = count - 1; i > 0; i--) {
		if (channels_last && i == 1)
			continue;
		if (strides[i] != stride)
			return false;
		stride *= sizes[i];
	}
	return strides[0] == stride;
}

/* Strides of a tensor whose last two dimensions change places. */
static bool is_turned(const int64_t *sizes, const int64_t *strides)
{
	return strides[2] == 1 && strides[3] == sizes[2] && strides[1] == sizes[2] * sizes[3] &&
	       strides[0] == sizes[1] * strides[1];
}

static cudnnStatus_t check_tensor(const struct part *tensor)
{
	int64_t sizes[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
	const int64_t count = numbers_of(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
	if (count < 4 || count != numbers_of(tensor, CUDNN_ATTR_TENSOR_STRIDES, strides))
		return graph_wrong("sizes of a tensor");
	if (!attribute_find(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID) ||
		!attribute_find(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE) ||
		!attribute_find(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT))
		return graph_wrong("a tensor without id, type or alignment");
	if (!is_tight(sizes, strides, count, false) && !is_tight(sizes, strides, count, true) &&
		!is_turned(sizes, strides))
		return graph_wrong("strides of a tensor");
	return CUDNN_STATUS_SUCCESS;
}

/* The operands and the shape of a convolution of any pass. */
struct layer {
	const struct part *shape, *operand[3]; /* x, w, y */
	int64_t sizes[3][DIMENSIONS_MAX], count;
};

static bool layer_of(const struct part *operation, struct layer *layer)
{
	static const struct {
		cudnnBackendDescriptorType_t type;
		cudnnBackendAttributeName_t shape, operand[3], alpha, beta;
	} kinds[] = {
		{CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
			CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
			{CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
				CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
				CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
			CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
			CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
		{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
			{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
				CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
				CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
		{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
			{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
				CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
				CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY},
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
			CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
	};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (kinds[k].type != operation->type)
			continue;
		layer->shape = part_of(operation, kinds[k].shape);
		for (int i = 0; i < 3; i++) {
			layer->operand[i] = part_of(operation, kinds[k].operand[i]);
			layer->count =
				numbers_of(layer->operand[i], CUDNN_ATTR_TENSOR_DIMENSIONS, layer->sizes[i]);
			if (layer->count < 4)
				return false;
		}
		return layer->shape && is_one(operation, kinds[k].alpha, 1) &&
		       is_one(operation, kinds[k].beta, 0);
	}
	return false;
}

static cudnnStatus_t check_operation(const struct part *operation)
{
	struct layer l;
	int64_t before[DIMENSIONS_MAX], after[DIMENSIONS_MAX], stride[DIMENSIONS_MAX],
		dilation[DIMENSIONS_MAX], n;
	if (!layer_of(operation, &l))
		return graph_wrong("a convolution that lacks something, or scales it");
	if (numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, &n) != 1 || n != l.count - 2 ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, after) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, stride) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_DILATIONS, dilation) != n)
		return graph_wrong("dimensions of a convolution");
	const int64_t *const x = l.sizes[0], *const w = l.sizes[1], *const y = l.sizes[2];
	if (x[1] % w[1] || w[0] % (x[1] / w[1]) || y[0] != x[0] || y[1] != w[0])
		return graph_wrong("channels, filters or batch");
	for (int64_t i = 0; i < n; i++)
		if ((x[2 + i] + before[i] + after[i] - dilation[i] * (w[2 + i] - 1) - 1) / stride[i] + 1 !=
			y[2 + i])
			return graph_wrong("positions of the result");
	return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_plan(const struct part *plan)
{
	const struct part *const choice = part_of(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
	if (!choice || !attribute_find(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE))
		return graph_wrong("a plan without engine or handle");
	return choice->engine == BROKEN ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

int64_t operations_of(const struct part *graph, const struct part *operations[OPERATIONS_MAX])
{
	const struct attribute *const attribute = attribute_find(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);
	if (!attribute)
		return 0;
	memcpy(operations, attribute->values, (size_t)attribute->count * sizeof *operations);
	return attribute->count;
}

/* Graphs of several operations are of attention. */
static bool is_attention(const struct part *graph)
{
	const struct part *operations[OPERATIONS_MAX];
	return operations_of(graph, operations) > 1;
}

static cudnnStatus_t check_graph(const struct part *graph)
{
	const struct part *operations[OPERATIONS_MAX];
	const int64_t count = operations_of(graph, operations);
	if (count < 1 || !attribute_find(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE))
		return graph_wrong("a graph without operation or handle");
	for (int64_t i = 0; i < count; i++)
		if (!operations[i]->is_final || (count > 1 && !is_attention_operation(operations[i]->type)))
			return graph_wrong("an operation that is not final, or of another graph");
	return count > 1 ? attention_check_graph(graph) : CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t of)
{
	struct part *const part = (void *)of;
	const cudnnBackendDescriptorType_t type = part->type;
	cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
	if (type == CUDNN_BACKEND_TENSOR_DESCRIPTOR)
		status = check_tensor(part);
	else if (type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR ||
		 type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ||
		 type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR)
		status = check_operation(part);
	else if (is_attention_operation(type))
		status = attention_check(part);
	else if (type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
		status = check_plan(part);
	else if (type == CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR)
		status = check_graph(part);
	else if (type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR &&
		 (!part_of(part, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH) ||
			 !attribute_find(part, CUDNN_ATTR_ENGINEHEUR_MODE)))
		status = graph_wrong("a heuristic without graph or mode");
	part->is_final = status == CUDNN_STATUS_SUCCESS;
	return status;
}

/* Fills in the engines of a heuristic, into descriptors that the caller has made. */
static cudnnStatus_t offer(const struct part *heuristic, int64_t requested, int64_t *count, void *values)
{
	cudnnBackendHeurMode_t mode;
	struct part *choices[ENGINES];
	const bool has_none = getenv("FAKE_HEURISTIC") != NULL;
	if (requested < ENGINES)
		return graph_wrong("too few engines asked for");
	const struct attribute *const asked = attribute_find(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE);
	if (!asked)
		return graph_wrong("a heuristic without mode");
	memcpy(&mode, asked->values, sizeof mode);
	memcpy(choices, values, sizeof choices);
	const bool is_last = mode == CUDNN_HEUR_MODE_FALLBACK;
	*count = is_last ? 1 : has_none ? 0 : ENGINES;
	for (int64_t i = 0; i < *count; i++) {
		choices[i]->engine = is_last ? LAST_RESORT : (enum engine)i;
		choices[i]->graph = part_of(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
		choices[i]->is_final = true;
	}
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const of, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t requested, int64_t *count, void *values)
{
	static const cudnnBackendNumericalNote_t narrow = CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
						 tensor = CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
	const struct part *const part = (const void *)of;
	struct part *engine;
	(void)type;
	*count = 1;
	if (!part->is_final)
		return graph_wrong("an attribute of what is not finalized");
	if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS)
		return offer(part, requested, count, values);
	if (name == CUDNN_ATTR_ENGINECFG_ENGINE) {
		memcpy(&engine, values, sizeof engine);
		engine->engine = part->engine;
		engine->is_final = true;
	} else if (name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE) {
		*count = part->engine == NARROW || part->engine == TENSOR_CORES;
		memcpy(values, part->engine == NARROW ? &narrow : &tensor, sizeof narrow);
	} else if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) {
		const struct part *const choice = part_of(part, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
		const bool is_large = choice && choice->engine == LARGE;
		const int64_t most = is_large && is_attention(choice->graph)
					     ? (int64_t)attention_score_bytes(choice->graph)
					     : (int64_t)1 << 40;
		const int64_t bytes = is_large ? most : workspace_bytes;
		memcpy(values, &bytes, sizeof bytes);
	} else {
		return graph_wrong("an attribute that is not here");
	}
	return CUDNN_STATUS_SUCCESS;
}

size_t tensor_bytes(const struct part *tensor)
{
	const struct attribute *const attribute = attribute_find(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE);
	cudnnDataType_t type = CUDNN_DATA_FLOAT;
	int64_t sizes[DIMENSIONS_MAX];
	const int64_t count = numbers_of(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
	if (attribute)
		memcpy(&type, attribute->values, sizeof type);
	size_t bytes = type == CUDNN_DATA_FLOAT ? 4 : 2;
	for (int64_t i = 0; i < count; i++)
		bytes *= (size_t)sizes[i];
	return bytes;
}

void *operand_find(const struct part *pack, const struct part *tensor)
{
	int64_t ids[OPERATIONS_MAX], id;
	const struct attribute *const pointers = attribute_find(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
	const int64_t count = numbers_of(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
	void *operands[OPERATIONS_MAX];
	if (!pointers || pointers->count != count ||
		numbers_of(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, &id) != 1)
		return NULL;
	memcpy(operands, pointers->values, (size_t)count * sizeof *operands);
	for (int64_t i = 0; i < count; i++)
		if (ids[i] == id)
			return operands[i];
	return NULL;
}

/* Takes a start and the work of a layer, 2 y (w without its filters), at a rate: as fake_cudnn.c. */
static cudnnStatus_t convolution_execute(const struct part *choice, const struct part *pack)
{
	static const double start_s = 5e-6, flop_per_s = 8e13;
	const struct part *operations[OPERATIONS_MAX];
	struct layer layer;
	double flop = 2;
	if (operations_of(choice->graph, operations) != 1 || !layer_of(operations[0], &layer))
		return graph_wrong("a plan that cannot run");
	for (int i = 0; i < 3; i++)
		if (!fake_check("operand of a graph", operand_find(pack, layer.operand[i]),
			    tensor_bytes(layer.operand[i])))
			return graph_wrong("operands");
	for (int64_t i = 0; i < layer.count; i++)
		flop *= (double)layer.sizes[2][i] * (i > 0 ? (double)layer.sizes[1][i] : 1);
	fake_work(start_s + slower[choice->engine] * flop / flop_per_s);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendExecute(
	cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t of)
{
	const struct part *const choice =
					 part_of((const void *)plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG),
				 *const pack = (const void *)of;
	const struct attribute *const room = attribute_find(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
	void *workspace = NULL;
	if (!handle || !choice || choice->engine < NARROW || !pack->is_final || !room)
		return graph_wrong("a plan that cannot run");
	memcpy(&workspace, room->values, sizeof workspace);
	if (!fake_check("workspace of a graph", workspace, (size_t)workspace_bytes))
		return graph_wrong("workspace");
	return is_attention(choice->graph) ? attention_execute(choice->graph, pack)
					   : convolution_execute(choice, pack);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuDNN's operation graphs of one convolution, without the arithmetic: a descriptor keeps what is set, and what does not fit is told when
 * it is finalized. Heuristic A offers an engine that does not work, one with too large a workspace, one that makes operands narrow, one on
 * tensor cores and one of ordinary units, which is eight times as slow; the fallback one that is twice as slow. FAKE_HEURISTIC=none: A has
 * no engine.
 */
#include <cudnn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"

enum { ATTRIBUTES_MAX = 12, BYTES_MAX = 64, DIMENSIONS_MAX = 5 };
enum engine { BROKEN, LARGE, NARROW, TENSOR_CORES, ORDINARY, ENGINES, LAST_RESORT = ENGINES };
static const double slower[] = {[NARROW] = 1, [TENSOR_CORES] = 1, [ORDINARY] = 8, [LAST_RESORT] = 2};
static const int64_t workspace_bytes = 4096;

struct attribute {
	cudnnBackendAttributeName_t name;
	cudnnBackendAttributeType_t type;
	int64_t count;
	unsigned char values[BYTES_MAX];
};
struct part {
	cudnnBackendDescriptorType_t type;
	bool is_final;
	struct attribute attributes[ATTRIBUTES_MAX];
	unsigned count;
	enum engine engine;           /* of an engine and its configuration */
	const struct part *operation; /* that a configuration is for */
};

static cudnnStatus_t wrong(const char *what)
{
	fprintf(stderr, "FAKE: cuDNN: graph: %s\n", what);
	return CUDNN_STATUS_BAD_PARAM;
}

static size_t bytes_of(cudnnBackendAttributeType_t type)
{
	return type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_HANDLE || type == CUDNN_TYPE_VOID_PTR ||
			       type == CUDNN_TYPE_BACKEND_DESCRIPTOR
		       ? 8
		       : 4;
}

static const struct attribute *find(const struct part *part, cudnnBackendAttributeName_t name)
{
	for (unsigned i = 0; part && i < part->count; i++)
		if (part->attributes[i].name == name)
			return &part->attributes[i];
	return NULL;
}

static const struct part *part_of(const struct part *part, cudnnBackendAttributeName_t name)
{
	const struct attribute *const attribute = find(part, name);
	const struct part *found = NULL;
	if (attribute)
		memcpy(&found, attribute->values, sizeof found);
	return found && (found->is_final || found->type == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR) ? found : NULL;
}

/* Returns how many numbers an attribute has; 0: it is not there. */
static int64_t numbers_of(const struct part *part, cudnnBackendAttributeName_t name, int64_t *numbers)
{
	const struct attribute *const attribute = find(part, name);
	if (!attribute || attribute->type != CUDNN_TYPE_INT64)
		return 0;
	memcpy(numbers, attribute->values, (size_t)attribute->count * sizeof *numbers);
	return attribute->count;
}

static bool is_one(const struct part *part, cudnnBackendAttributeName_t name, float value)
{
	const struct attribute *const attribute = find(part, name);
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
		find(part, name))
		return wrong("an attribute that is set late, twice or is too long");
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

static cudnnStatus_t check_tensor(const struct part *tensor)
{
	int64_t sizes[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
	const int64_t count = numbers_of(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
	if (count < 4 || count != numbers_of(tensor, CUDNN_ATTR_TENSOR_STRIDES, strides))
		return wrong("sizes of a tensor");
	if (!find(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID) || !find(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE) ||
		!find(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT))
		return wrong("a tensor without id, type or alignment");
	if (!is_tight(sizes, strides, count, false) && !is_tight(sizes, strides, count, true))
		return wrong("strides of a tensor");
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
		return wrong("a convolution that lacks something, or scales it");
	if (numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, &n) != 1 || n != l.count - 2 ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, after) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, stride) != n ||
		numbers_of(l.shape, CUDNN_ATTR_CONVOLUTION_DILATIONS, dilation) != n)
		return wrong("dimensions of a convolution");
	const int64_t *const x = l.sizes[0], *const w = l.sizes[1], *const y = l.sizes[2];
	if (x[1] % w[1] || w[0] % (x[1] / w[1]) || y[0] != x[0] || y[1] != w[0])
		return wrong("channels, filters or batch");
	for (int64_t i = 0; i < n; i++)
		if ((x[2 + i] + before[i] + after[i] - dilation[i] * (w[2 + i] - 1) - 1) / stride[i] + 1 !=
			y[2 + i])
			return wrong("positions of the result");
	return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_plan(const struct part *plan)
{
	const struct part *const choice = part_of(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
	if (!choice || !find(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE))
		return wrong("a plan without engine or handle");
	return choice->engine == BROKEN ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
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
	else if (type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
		status = check_plan(part);
	else if (type == CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR &&
		 (!part_of(part, CUDNN_ATTR_OPERATIONGRAPH_OPS) ||
			 !find(part, CUDNN_ATTR_OPERATIONGRAPH_HANDLE)))
		status = wrong("a graph without operation or handle");
	else if (type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR &&
		 (!part_of(part, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH) ||
			 !find(part, CUDNN_ATTR_ENGINEHEUR_MODE)))
		status = wrong("a heuristic without graph or mode");
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
		return wrong("too few engines asked for");
	const struct attribute *const asked = find(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE);
	if (!asked)
		return wrong("a heuristic without mode");
	memcpy(&mode, asked->values, sizeof mode);
	memcpy(choices, values, sizeof choices);
	const bool is_last = mode == CUDNN_HEUR_MODE_FALLBACK;
	*count = is_last ? 1 : has_none ? 0 : ENGINES;
	for (int64_t i = 0; i < *count; i++) {
		choices[i]->engine = is_last ? LAST_RESORT : (enum engine)i;
		choices[i]->operation = part_of(part_of(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH),
			CUDNN_ATTR_OPERATIONGRAPH_OPS);
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
		return wrong("an attribute of what is not finalized");
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
		const int64_t bytes = is_large ? (int64_t)1 << 40 : workspace_bytes;
		memcpy(values, &bytes, sizeof bytes);
	} else {
		return wrong("an attribute that is not here");
	}
	return CUDNN_STATUS_SUCCESS;
}

static size_t item_bytes(const struct part *tensor)
{
	const struct attribute *const attribute = find(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE);
	cudnnDataType_t type = CUDNN_DATA_FLOAT;
	if (attribute)
		memcpy(&type, attribute->values, sizeof type);
	return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

/* Returns whether a pack has room for the operands of a layer, by their ids, and the workspace. */
static bool operands_hold(const struct part *pack, const struct layer *layer)
{
	int64_t ids[DIMENSIONS_MAX];
	void *operands[3], *workspace;
	const struct attribute *const pointers = find(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS),
				      *const room = find(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
	if (!pack->is_final || numbers_of(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids) != 3 || !pointers ||
		pointers->count != 3 || !room)
		return false;
	memcpy(operands, pointers->values, sizeof operands);
	memcpy(&workspace, room->values, sizeof workspace);
	for (int i = 0; i < 3; i++) {
		int64_t id;
		size_t bytes = item_bytes(layer->operand[i]);
		for (int64_t j = 0; j < layer->count; j++)
			bytes *= (size_t)layer->sizes[i][j];
		if (numbers_of(layer->operand[i], CUDNN_ATTR_TENSOR_UNIQUE_ID, &id) != 1 || id != ids[i] ||
			!fake_check("operand of a graph", operands[i], bytes))
			return false;
	}
	return fake_check("workspace of a graph", workspace, (size_t)workspace_bytes);
}

/* Takes a start and the work of a layer, 2 y (w without its filters), at a rate: as fake_cudnn.c. */
cudnnStatus_t cudnnBackendExecute(
	cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack)
{
	static const double start_s = 5e-6, flop_per_s = 8e13;
	const struct part *const choice =
		part_of((const void *)plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
	struct layer layer;
	double flop = 2;
	if (!handle || !choice || !layer_of(choice->operation, &layer) || choice->engine < NARROW)
		return wrong("a plan that cannot run");
	if (!operands_hold((const void *)pack, &layer))
		return wrong("operands");
	for (int64_t i = 0; i < layer.count; i++)
		flop *= (double)layer.sizes[2][i] * (i > 0 ? (double)layer.sizes[1][i] : 1);
	fake_work(start_s + slower[choice->engine] * flop / flop_per_s);
	return CUDNN_STATUS_SUCCESS;
}

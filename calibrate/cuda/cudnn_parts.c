/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef WITH_CUDNN
#include "cudnn_parts.h"

static const int64_t alignment_bytes = 16;

enum ready part_make(struct run *run, part *made, cudnnBackendDescriptorType_t type)
{
	return DNN(run, cudnnBackendCreateDescriptor(type, made));
}

enum ready part_set(struct run *run, part to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	return DNN(run, cudnnBackendSetAttribute(to, name, type, count, values));
}

enum ready part_set_part(struct run *run, part to, cudnnBackendAttributeName_t name, part value)
{
	return part_set(run, to, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

enum ready part_final(struct run *run, part of)
{
	return DNN(run, cudnnBackendFinalize(of));
}

void part_drop(part *of)
{
	if (*of)
		(void)dnn.cudnnBackendDestroyDescriptor(*of);
	*of = NULL;
}

enum ready part_tensor(struct run *run, part *made, const struct tensor *tensor)
{
	TRY(part_make(run, made, CUDNN_BACKEND_TENSOR_DESCRIPTOR));
	TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &tensor->id));
	TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &tensor->type));
	TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment_bytes));
	TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, tensor->dimensions,
		tensor->sizes));
	TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, tensor->dimensions,
		tensor->strides));
	if (tensor->is_virtual)
		TRY(part_set(run, *made, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1,
			&tensor->is_virtual));
	if (tensor->is_value)
		TRY(part_set(
			run, *made, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &tensor->is_value));
	return part_final(run, *made);
}
#endif

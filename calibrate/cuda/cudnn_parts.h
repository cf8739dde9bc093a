/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors of cuDNN's operation graphs ("parts"), and the engine that runs a graph. */
#ifndef CALIBRATE_CUDA_CUDNN_PARTS_H
#define CALIBRATE_CUDA_CUDNN_PARTS_H

#include "cudnn_library.h"

typedef cudnnBackendDescriptor_t part;

enum ready part_make(struct run *run, part *made, cudnnBackendDescriptorType_t type);
enum ready part_set(struct run *run, part to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values);
enum ready part_set_part(struct run *run, part to, cudnnBackendAttributeName_t name, part value);
enum ready part_final(struct run *run, part of);
void part_drop(part *of);

/* One array of items, or one number that is given with its value. */
struct tensor {
	int64_t id;
	cudnnDataType_t type;
	int64_t sizes[EXTENTS_MAX], strides[EXTENTS_MAX];
	int dimensions;
	bool is_virtual; /* between two operations, without memory of its own */
	bool is_value;
};
enum ready part_tensor(struct run *run, part *made, const struct tensor *tensor);

/* A graph of operations, and the plan to run it. */
struct engine {
	part graph, heuristic, choice, engine, plan;
	void *workspace;
	int64_t workspace_bytes;
};
enum ready engine_graph(struct run *run, struct engine *engine, const part *operations, int64_t count);
/*
 * Takes the first engine that works, in the order of heuristic A, those of the fallback after them, as PyTorch does: its arithmetic is no
 * coarser than that of `precision`, and its workspace has `most_bytes` at most.
 */
enum ready engine_choose(
	struct run *run, struct engine *engine, const struct precision *precision, size_t most_bytes);
enum ready engine_enqueue(struct run *run, const struct engine *engine, int64_t count, const int64_t *ids,
	void *const *operands);
void engine_free(struct engine *engine);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of operation graphs of the made-up cuDNN: they keep what is set. */
#ifndef TESTS_CALIBRATE_CUDA_FAKE_GRAPH_H
#define TESTS_CALIBRATE_CUDA_FAKE_GRAPH_H

#include <cudnn.h>
#include <stdbool.h>
#include <stdint.h>

enum { ATTRIBUTES_MAX = 12, BYTES_MAX = 256, DIMENSIONS_MAX = 5, OPERATIONS_MAX = BYTES_MAX / 8 };
enum engine { BROKEN, LARGE, NARROW, TENSOR_CORES, ORDINARY, ENGINES, LAST_RESORT = ENGINES };

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
	enum engine engine;       /* of an engine and its configuration */
	const struct part *graph; /* that a configuration is for */
};

cudnnStatus_t graph_wrong(const char *what);
/* NULL: it was not set. */
const struct attribute *attribute_find(const struct part *part, cudnnBackendAttributeName_t name);
/* NULL: it was not set, or is not final. */
const struct part *part_of(const struct part *part, cudnnBackendAttributeName_t name);
/* Returns how many numbers an attribute has; 0: it is not there. */
int64_t numbers_of(const struct part *part, cudnnBackendAttributeName_t name, int64_t *numbers);
/* Fills in the operations of a graph; returns how many. */
int64_t operations_of(const struct part *graph, const struct part *operations[OPERATIONS_MAX]);
/* Bytes of a tensor, and where a pack has it, by its id; NULL: it has not. */
size_t tensor_bytes(const struct part *tensor);
void *operand_find(const struct part *pack, const struct part *tensor);

/* fake_cudnn_attention.c: operations of graphs of several, and what these take. */
bool is_attention_operation(cudnnBackendDescriptorType_t type);
cudnnStatus_t attention_check(const struct part *operation);
/* Checks that operations follow from one another. */
cudnnStatus_t attention_check_graph(const struct part *graph);
/* Bytes of all scores, which engines that are not fused write. */
size_t attention_score_bytes(const struct part *graph);
/* Checks the operands and does the work. */
cudnnStatus_t attention_execute(const struct part *graph, const struct part *pack);

#endif

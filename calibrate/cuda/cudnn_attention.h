/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused attention by cuDNN: one pass over one shape. */
#ifndef CALIBRATE_CUDA_CUDNN_ATTENTION_H
#define CALIBRATE_CUDA_CUDNN_ATTENTION_H

#include "attention_graph.h"
#include "device.h"
#include "precision.h"

struct attention_plan;

/* Where operands of a call begin behind one address; that of K is K_T's, and that of V_T is V's. */
struct attention_arrays {
	size_t at[ATTENTION_TENSORS], bytes;
};
struct attention_arrays attention_arrays(
	const struct attention *attention, const struct precision *precision);

/* Makes the graph and takes the engine that cuDNN expects to be fastest; ABSENT where cuDNN is not here, or cannot fuse this. */
enum ready attention_plan_make(struct run *run, const struct attention *attention,
	const struct precision *precision, struct attention_plan **plan);
enum ready attention_enqueue(struct run *run, struct attention_plan *plan, unsigned char *base);
void attention_plan_free(struct attention_plan *plan);

#endif

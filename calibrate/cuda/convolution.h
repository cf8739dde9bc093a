/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by cuDNN: one layer, one pass, one layout. */
#ifndef CALIBRATE_CUDA_CONVOLUTION_H
#define CALIBRATE_CUDA_CONVOLUTION_H

#include "device.h"
#include "precision.h"

enum pass { PASS_FORWARD, PASS_BACKWARD_DATA, PASS_BACKWARD_FILTER };

struct convolution {
	const struct precision *precision;
	enum pass pass;
	bool channels_last;
	int batch, dimensions, channels, filters, groups;
	int x[3], y[3], kernel[3], stride[3], pad[3], dilation[3]; /* the first `dimensions` count */
};

/* NULL: built without cuDNN's header. */
struct cudnn_plan;

/* Descriptors; ABSENT where cuDNN is not here, or cannot do this. */
enum ready cudnn_plan_make(struct run *run, const struct convolution *convolution, struct cudnn_plan **plan);
/* Takes the algorithm that cuDNN expects to be fastest. */
enum ready cudnn_plan_choose(struct run *run, struct cudnn_plan *plan);
enum ready cudnn_plan_enqueue(struct run *run, const struct cudnn_plan *plan, void *x, void *w, void *y);
void cudnn_plan_free(struct cudnn_plan *plan);
/* Adds the library's version to the environment, if it is here. */
void cudnn_begin(void);
void cudnn_end(void);

#endif

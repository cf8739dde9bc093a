/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a training step does besides products: passes over memory. Each says how often it reads or writes an item, as
 * paradl counts it; `rows` are positions of all samples.
 */
#ifndef STEP_PASSES_H
#define STEP_PASSES_H

#include "cpu/lowering.h"

void pass_bias(float *y, const float *bias, size_t rows, size_t filters);          /* 2 y */
void pass_bias_gradient(const float *dy, float *db, size_t rows, size_t filters);  /* y */
void pass_relu(const float *x, float *y, size_t count);                            /* 2 x */
void pass_relu_gradient(const float *y, const float *dy, float *dx, size_t count); /* 3 x */
/* x + y forward, 2 (x + y) backward. The maximum's gradient goes to the first item that is the maximum. */
void pass_pool(const struct convolution *c, bool mean, const float *x, float *y);
void pass_max_gradient(
	const struct convolution *c, const float *x, const float *y, const float *dy, float *dx);
void pass_mean_gradient(const struct convolution *c, const float *dy, float *dx);
/*
 * Cross-entropy of softmax; target of each sample; `scale`d gradients to dx, which is kept for backward. The sum of the
 * samples' losses.
 */
double pass_loss(
	const float *x, const unsigned *targets, size_t samples, size_t classes, float scale, float *dx);
/* sgd: w -= rate g (12 bytes a weight); with a velocity v = momentum v + g, w -= rate v (20 bytes). */
void pass_sgd(float *w, const float *g, size_t count, float rate);
void pass_momentum(float *w, const float *g, float *v, size_t count, float rate, float momentum);
void pass_add(float *sum, const float *items, size_t count); /* 3 items */

/* Channels [first, first + width) of `all` in each row, to or from rows of their own: 2 of them. */
struct channels {
	size_t rows, all, first, width;
};
void pass_slice(const struct channels *channels, const float *whole, float *slice);
void pass_merge(const struct channels *channels, const float *slice, float *whole);

/* Blocks of `length` items, `from_step` apart, to blocks `to_step` apart. */
struct blocks {
	size_t count, length, from_step, to_step;
};
void pass_blocks(const struct blocks *blocks, const float *from, float *to);
void pass_blocks_add(const struct blocks *blocks, const float *from, float *to);

#endif

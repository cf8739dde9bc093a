/* SPDX-License-Identifier: BSD-3-Clause */
/* Some items of what the passes of a convolution computed, against its definition. */
#ifndef CALIBRATE_SPOTS_H
#define CALIBRATE_SPOTS_H

#include "lowering.h"

bool spots_forward(const struct convolution *c, const float *x, const float *w, const float *y);
bool spots_backward_data(const struct convolution *c, const float *dy, const float *w, const float *dx);
bool spots_backward_filter(const struct convolution *c, const float *x, const float *dy, const float *dw);

#endif

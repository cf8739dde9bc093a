/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolution by explicit lowering (Chellapilla et al. 2006; "im2col"): the items that each output position reads are
 * copied to one row of a matrix of patches, and a product does the rest. With b samples, o output positions, K' items
 * of a kernel, and C, F channels and filters of one group:
 *
 *   forward          Y  (b o, F)   = P  (b o, C K')  W^T        M = b o  N = F     K = C K'
 *   backward-data    dP (b o, C K') = dY (b o, F)    W          M = b o  N = C K'  K = F      then dP is added up into dX
 *   backward-filter  dW (F, C K')  = dY^T            P          M = F    N = C K'  K = b o
 *
 * Layouts, the last index fastest: x[batch][x0][x1][x2][channels], y[batch][y0][y1][y2][filters],
 * w[filters][k0][k1][k2][channels / groups]. What two dimensions lack is 1 (and pad 0), at any place.
 *
 * `pad` is in front; behind, what y reads beyond x is zero, however far. So a part of a tensor that came with its halo
 * has pad 0 at the inner faces and its own extents.
 */
#ifndef CALIBRATE_LOWERING_H
#define CALIBRATE_LOWERING_H

#include <stdbool.h>
#include <stddef.h>

enum { CONVOLUTION_DIMENSIONS = 3 };

struct convolution {
	size_t batch, channels, filters, groups;
	size_t kernel[CONVOLUTION_DIMENSIONS], stride[CONVOLUTION_DIMENSIONS], pad[CONVOLUTION_DIMENSIONS],
		dilation[CONVOLUTION_DIMENSIONS];
	size_t x[CONVOLUTION_DIMENSIONS], y[CONVOLUTION_DIMENSIONS];
};

/* NULL, or what is wrong: extents of 0, groups that divide nothing, products that BLAS cannot count. */
const char *convolution_wrong(const struct convolution *c);

size_t convolution_volume(const struct convolution *c);    /* K': items of a kernel in one channel */
size_t convolution_positions(const struct convolution *c); /* o: of one sample */
size_t convolution_x_items(const struct convolution *c);   /* of the whole batch */
size_t convolution_y_items(const struct convolution *c);   /* of the whole batch */
size_t convolution_weights(const struct convolution *c);   /* F C / groups K' */
/*
 * Floats of `work` below: the patches of one group. 0 where x is its own matrix of patches (K' = 1, no stride, no pad);
 * `work` may then be NULL.
 */
size_t convolution_patches(const struct convolution *c);

/* Results replace what was there. x, y, w, dx, dy, dw do not overlap. */
void convolution_forward(const struct convolution *c, const float *x, const float *w, float *y, float *work);
void convolution_backward_data(
	const struct convolution *c, const float *dy, const float *w, float *dx, float *work);
void convolution_backward_filter(
	const struct convolution *c, const float *x, const float *dy, float *dw, float *work);

/* The two halves of the above that are no product: patches of a group, and their items added to dx. */
void convolution_gather(const struct convolution *c, size_t group, const float *x, float *patches);
void convolution_scatter(const struct convolution *c, size_t group, const float *patches, float *dx);

#endif

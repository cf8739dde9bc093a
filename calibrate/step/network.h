/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The network that is trained, read from the lines of a file of cases, one layer a line, each fed by the one before:
 *
 *   convolution channels=3 filters=32 kernel=3,3 stride=1,1 pad=1,1 x=32,32 y=32,32 groups=1 bias=1
 *   linear channels=2048 filters=10 bias=1
 *   relu
 *   max-pool kernel=2,2 stride=2,2 pad=0,0 x=32,32 y=16,16
 *   mean-pool ...
 *   softmax-loss
 *
 * Tensors are [sample][x0][x1][x2][channels], the last index fastest; a linear layer is a convolution of one position.
 */
#ifndef STEP_NETWORK_H
#define STEP_NETWORK_H

#include "bench.h"
#include "cpu/lowering.h"

enum { LAYERS_MAX = 128 };
enum layer_kind { LAYER_CONVOLUTION, LAYER_LINEAR, LAYER_RELU, LAYER_MAX_POOL, LAYER_MEAN_POOL, LAYER_LOSS };

struct step_layer {
	enum layer_kind kind;
	struct convolution shape; /* of one sample; of layers without a window x and y are alike */
	bool bias;
};

struct network {
	struct step_layer layers[LAYERS_MAX];
	unsigned count;
};

/* NULL, or why these lines are no network (a text in `reason`); lines of kind "plan" are passed over. */
const char *network_read(struct network *network, const struct case_line *cases, size_t case_count,
	char reason[REASON_LENGTH]);

size_t layer_x_items(const struct step_layer *layer); /* of one sample */
size_t layer_y_items(const struct step_layer *layer);
bool layer_has_weights(const struct step_layer *layer);

#endif

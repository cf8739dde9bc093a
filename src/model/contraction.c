/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A contraction y[F] = sum over (C/g) * K' of w * x at P positions (K' = kernel_volume, g = groups):
 *     weights F (C/g) K' (+ F with a bias);  forward 2 F (C/g) K' P flop
 *     backward-data and backward-weight as much again each
 * A bias is a pass over y of its own: forward reads and writes y (2|y|), backward sums dL/dy (1|y|).
 * Backward-weight reads x; backward-data reads only w.
 */
#include "model/layer_type.h"

void contraction_work(bool bias, struct layer *layer, struct layer_keeps *keeps)
{
	const double y_items = tensor_items(&layer->y);
	const double filter = (double)layer->channels / layer->groups * layer->kernel_volume;
	layer->weight_items = layer->filters * (filter + (bias ? 1 : 0));
	layer->weight_tensors = bias ? 2 : 1;
	layer->forward_flop = 2 * layer->filters * filter * layer->positions;
	layer->backward_flop =
		layer->forward_flop * ((layer->backward_data ? 1 : 0) + (layer->backward_weight ? 1 : 0));
	layer->forward_items = bias ? 2 * y_items : 0;
	layer->backward_items = bias && layer->backward_weight ? y_items : 0;
	keeps->x = layer->backward_weight;
}

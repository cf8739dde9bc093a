/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of the fullest device at its peak moment.
 *     calibrated  weights (frozen ones too), gradients (with the buffers the exchange packs into), optimizer states in
 *                 fp32 (and the master copy of mixed precision), activations: each tensor that backward reads once,
 *                 plus the gradients of activations in flight at the worst moment of backward; the framework's workspace
 *     ideal       2 delta sum(B (|x| + |y|) + |w|), Table III of ParaDL: everything and its gradient, no reuse
 * in_flight: micro-batches whose activations are held (GPipe: all of them; with recomputation one, plus what entered
 * the stage of the others: boundary_items).
 */
#include "oracle/oracle.h"

void memory_fill(const struct evaluation *evaluation, const struct stage_sums *sums, double in_flight,
	double boundary_items, struct paradl_memory *memory)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_framework *framework = oracle->framework;
	const double item = evaluation->item_bytes, weight = precision_weight_bytes(oracle->precision);
	if (oracle->rules.ideal) {
		memory->weights_bytes = memory->gradients_bytes = item * sums->weight_items;
		memory->activations_bytes = 2 * item * sums->kept_items * in_flight;
		memory->optimizer_bytes = memory->workspace_bytes = 0;
		return;
	}
	memory->weights_bytes = weight * (sums->weight_items + sums->frozen_items);
	memory->gradients_bytes = weight * sums->weight_items * (1 + framework->gradient_buffers);
	memory->optimizer_bytes =
		(4 * oracle->optimizer->states + precision_master_bytes(oracle->precision)) *
		sums->weight_items;
	memory->activations_bytes =
		item * (sums->kept_items * (in_flight - 1) + sums->peak_items + boundary_items);
	memory->workspace_bytes = framework->workspace_bytes;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges attention that takes as long as kernels of its own for products and for the softmax would, which write scores to
 * memory and read them again: fused kernels are there to be faster. Of all scores, masked ones too, forward writes and
 * reads S and P, and backward, which has five products, reads or writes S, P and their gradients eight times.
 */
#include <string.h>

#include "fit/verdict/verdict.h"

static const double item_bytes = 2, forward_products = 2, forward_passes = 4, backward_products = 5,
		    backward_passes = 8;

static const char *text_of(const struct cell *cell, const char *name)
{
	const char *const text = sample_text(cell->point, name);
	return text ? text : "";
}

/* Returns the seconds of a pass that is not fused; 0: rates of products or memory are not known. */
static double separate_s(const struct calibration *calibration, const struct cell *cell)
{
	const double memory = verdict_memory_rate(calibration);
	const struct cell *const product =
		verdict_best_product(calibration->cells, text_of(cell, "precision"));
	if (!product || !(memory > 0))
		return 0;
	const bool is_backward = strcmp(text_of(cell, "kind"), "backward") == 0;
	const double rate = product->point->flop / product->seconds,
		     seq = sample_number(cell->point, "seq", 0);
	const double scores = sample_number(cell->point, "sequences", 0) *
			      sample_number(cell->point, "heads", 0) * seq * seq;
	const double flop = (is_backward ? backward_products : forward_products) * 2 * scores *
			    sample_number(cell->point, "head", 0);
	const double bytes = (is_backward ? backward_passes : forward_passes) * scores * item_bytes;
	return flop / rate + bytes / memory;
}

void judge_attention(struct calibration *calibration)
{
	const struct cell *first = NULL;
	size_t count = 0, slow = 0;
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const struct cell *const cell = &calibration->cells->items[i];
		const double separate =
			strcmp(cell->point->bench, "attention") == 0 ? separate_s(calibration, cell) : 0;
		count += separate > 0;
		if (separate > 0 && cell->seconds >= separate && slow++ == 0)
			first = cell;
	}
	if (2 * slow <= count)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "attention-unfused", cell_place(calibration, first),
		"version of the library and of the driver (cuDNN 9, flash-attention 2 or later), the "
		"device's "
		"generation, widths of heads that kernels are made for"};
	verdict_say(calibration, &head,
		"%zu of %zu passes of attention take as long as kernels that write scores to memory", slow,
		count);
}

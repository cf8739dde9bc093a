/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimizer moves more memory for each weight than a fused one, or another is used. */
#include "study/diagnose.h"

static double bytes_now(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->optimizer->bytes_per_weight;
}

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_WEIGHT_UPDATE] > 0;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 10;
	*high = assumed * 200;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->times[PARADL_WEIGHT_UPDATE] *= value / bytes_now(diagnosing);
	return true;
}

const struct cause cause_update = {
	.name = "update",
	.summary = "a weight update that moves more memory than projected",
	.category = "compute",
	.kind = PARADL_LIMITATION,
	.origin = "",
	.quantity = "the bytes that the update moves for each weight",
	.dimension = DIMENSION_BYTES,
	.check = "a fused optimizer (fused=True, apex), one that goes tensor by tensor on the host "
		 "(foreach=False), "
		 "--optimizer of this command, states in host memory",
	.phases = 1 << PARADL_WEIGHT_UPDATE,
	.applies = applies,
	.assumed = bytes_now,
	.range = range,
	.change = change,
};

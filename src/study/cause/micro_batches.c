/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline runs with another number of micro-batches than assumed. */
#include <math.h>

#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->plan.degree[PARADL_PIPELINE] > 1;
}

/* Divisors of the local batch, as sizes of a micro-batch. */
static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double batch = diagnosing->estimate->local_batch;
	unsigned index = (unsigned)value;
	for (unsigned size = 1; size <= batch && size <= 65536; ++size) {
		if (fmod(batch, size) > 0 || index-- > 0)
			continue;
		model->plan.micro = size;
		model->changed = true;
		return true;
	}
	return false;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	struct counterfactual model = {.changed = false};
	const double batch = diagnosing->estimate->local_batch;
	if (!change(diagnosing, value, &model))
		return "";
	return arena_printf(diagnosing->arena,
		"there were %.0f micro-batches of %.0f samples instead of %.0f", batch / model.plan.micro,
		model.plan.micro, diagnosing->estimate->micro_batches);
}

const struct cause cause_micro_batches = {
	.name = "micro-batches",
	.summary = "another number of micro-batches than assumed",
	.category = "compute",
	.kind = PARADL_LIMITATION,
	.origin = "",
	.check = "micro-batch size or chunks of the program, and micro= of the plan",
	.phases = 1 << PARADL_BUBBLE | 1 << PARADL_STAGE_TRANSFER | PHASES_PASSES,
	.applies = applies,
	.change = change,
	.call = call,
};

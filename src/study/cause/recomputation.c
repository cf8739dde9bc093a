/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Activations are computed again in backward, which the plan does not say. */
#include "study/diagnose.h"

static const enum paradl_recompute ways[] = {
	PARADL_RECOMPUTE_FULL, PARADL_RECOMPUTE_SELECTIVE, PARADL_RECOMPUTE_NONE};
enum { WAYS = sizeof ways / sizeof ways[0] };

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->model->tokens || diagnosing->estimate->plan.degree[PARADL_PIPELINE] > 1;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const unsigned index = (unsigned)value;
	if (index >= WAYS)
		return false;
	(void)diagnosing;
	model->plan.recompute = ways[index];
	model->changed = true;
	return true;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	static const char *const names[WAYS] = {"whole blocks were computed again (recompute=full)",
		"attention scores were computed again (recompute=selective)",
		"nothing was computed again (recompute=none)"};
	(void)diagnosing;
	return names[(unsigned)value];
}

const struct cause cause_recomputation = {
	.name = "recomputation",
	.summary = "other recomputation than projected",
	.category = "compute",
	.kind = PARADL_LIMITATION,
	.origin = "",
	.check = "gradient checkpointing in the training program, and recompute= of the plan",
	.phases = 1 << PARADL_RECOMPUTE | 1 << PARADL_BACKWARD | 1 << PARADL_BUBBLE,
	.applies = applies,
	.change = change,
	.call = call,
};

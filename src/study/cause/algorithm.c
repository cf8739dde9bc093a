/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library uses another algorithm for the allreduce of gradients. */
#include "study/diagnose.h"

/* Those of NCCL, RCCL and the usual MPI libraries. */
static const char *const names[] = {"ring", "double-tree", "tree", "nvls", "sharp", "rabenseifner",
	"doubling", "leader", "ring-segmented", "linear"};
enum { NAMES = sizeof names / sizeof names[0] };

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0 && !diagnosing->estimate->plan.zero;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	if (value >= NAMES)
		return false;
	model->options.algorithm = names[(unsigned)value];
	model->changed = true;
	return true;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	return arena_printf(diagnosing->arena, "gradients went by allreduce-%s instead of %s",
		names[(unsigned)value],
		diagnosing->estimate->gradient_algorithm ? diagnosing->estimate->gradient_algorithm
							 : "what is assumed");
}

const struct cause cause_algorithm = {
	.name = "algorithm",
	.summary = "another collective algorithm than assumed",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.check = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING, NCCL_ALGO and NCCL_PROTO, or the coll module of "
		 "the MPI "
		 "library",
	.cost = 0.03, /* one of ten */
	.phases = 1 << PARADL_GRADIENT_EXCHANGE,
	.applies = applies,
	.change = change,
	.call = call,
};

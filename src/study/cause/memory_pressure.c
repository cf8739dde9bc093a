/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory is nearly full: the allocator gives back and asks again, or pages move between host and device. */
#include "study/diagnose.h"

static const double full_share = 0.9;

static bool applies(const struct diagnosing *diagnosing)
{
	const struct paradl_estimate *estimate = diagnosing->estimate;
	return estimate->capacity_bytes > 0 && estimate->memory_bytes > full_share * estimate->capacity_bytes;
}

static double none(const struct diagnosing *diagnosing)
{
	(void)diagnosing;
	return 1;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed;
	*high = 100;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	model->times[PARADL_FORWARD] *= value;
	model->times[PARADL_BACKWARD] *= value;
	model->times[PARADL_RECOMPUTE] *= value;
	return true;
}

/* That it does not fit is more than that it is tight. */
static double evidence(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->fits ? 1 : 2;
}

const struct cause cause_memory_pressure = {
	.name = "memory-pressure",
	.summary = "memory that is nearly full",
	.category = "memory",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "how much longer passes take, for want of memory",
	.check = "torch.cuda.memory_stats(): num_alloc_retries; unified memory (cudaMallocManaged) moves "
		 "pages "
		 "instead of failing; a smaller batch",
	.phases = PHASES_PASSES,
	.applies = applies,
	.assumed = none,
	.range = range,
	.change = change,
	.evidence = evidence,
};

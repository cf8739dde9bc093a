/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halos pass through host memory, where device-to-device messages are assumed, or more slowly than assumed. */
#include "study/diagnose.h"

/* As fitted to ABCI's programs, which staged halos over MPI. */
static const double usual_latency_s = 0.27e-3, usual_bytes_per_s = 3.6e9;

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->plan.degree[PARADL_SPATIAL] > 1;
}

static double rate(const struct diagnosing *diagnosing)
{
	const struct rules *rules = diagnosing_rules(diagnosing);
	return rules->staged && rules->segment_count ? rules->segments[0].bytes_per_s : usual_bytes_per_s;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 100;
	*high = assumed * 4;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	if (!rules->staged || !rules->segment_count) {
		rules->staged = true;
		rules->segment_count = 1;
		rules->segments[0] = (struct message_segment){0, usual_latency_s, usual_bytes_per_s};
	}
	for (unsigned i = 0; i < rules->segment_count; ++i)
		rules->segments[i].bytes_per_s *= value / rate(diagnosing);
	model->changed = true;
	return true;
}

const struct cause cause_halo_staging = {
	.name = "halo-staging",
	.summary = "halos that pass through host memory",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the rate of messages through host memory",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "whether the MPI library takes device pointers (ompi_info --parsable --all | grep "
		 "cuda_support; "
		 "MPICH_GPU_SUPPORT_ENABLED), copies to the host around halos (nsys)",
	.phases = 1 << PARADL_HALO_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = applies,
	.assumed = rate,
	.range = range,
	.change = change,
};

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
	const struct paradl_framework *framework = diagnosing->oracle->framework;
	return framework->staged && framework->segment_count ? framework->segments[0].bytes_per_s
							     : usual_bytes_per_s;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 100;
	*high = assumed * 4;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct paradl_framework *framework = &model->framework;
	if (!framework->staged || !framework->segment_count) {
		framework->staged = true;
		framework->segment_count = 1;
		framework->segments[0] = (struct message_segment){0, usual_latency_s, usual_bytes_per_s};
	}
	for (unsigned i = 0; i < framework->segment_count; ++i)
		framework->segments[i].bytes_per_s *= value / rate(diagnosing);
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

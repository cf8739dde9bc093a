/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that come late: the others wait for them in the next exchange. */
#include <math.h>

#include "study/diagnose.h"

/* Where the waiting shows. */
static unsigned waiting_phase(const struct diagnosing *diagnosing)
{
	if (diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0)
		return PARADL_GRADIENT_EXCHANGE;
	return diagnosing->part_s[PARADL_HALO_EXCHANGE] > 0 ? PARADL_HALO_EXCHANGE
							    : PARADL_ACTIVATION_EXCHANGE;
}

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->communication_s > 0;
}

static double assumed_s(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->waiting_s;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = 0;
	*high = assumed + 2 * diagnosing->part_s[PARADL_PART_TOTAL];
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->more_s[waiting_phase(diagnosing)] += value - assumed_s(diagnosing);
	return true;
}

/* Of several ranks: how much later than the median the slowest computes, against the longest that an exchange can wait. */
static double evidence(const struct diagnosing *diagnosing)
{
	static const double alike = 0.01;
	double late_s = 0, all_s = 0;
	if (diagnosing->measurement->ranks < 2)
		return 0.5;
	for (size_t i = 0; i < diagnosing->measurement->count; ++i) {
		const struct paradl_measured_time *time = &diagnosing->measurement->times[i];
		const unsigned compute = PHASES_COMPUTE;
		if (time->part >= PARADL_PHASE_COUNT ? time->part == PARADL_PART_COMPUTE
						     : (compute & 1U << time->part) != 0) {
			late_s += time->most_s - time->seconds;
			all_s += time->seconds;
		}
	}
	return late_s > 4 * alike * all_s ? 2 : late_s < alike * all_s ? 0 : 1;
}

const struct cause cause_straggler = {
	.name = "straggler",
	.summary = "ranks that come late to exchanges",
	.category = "scaling",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.quantity = "waiting for the slowest rank in each iteration",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "times of compute of each rank (one trace a rank): one slow node (clocks, ECC, a busy "
		 "processor), or "
		 "unequal work",
	.phases = PHASES_COMMUNICATION,
	.applies = applies,
	.assumed = assumed_s,
	.range = range,
	.change = change,
	.evidence = evidence,
};

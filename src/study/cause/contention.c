/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other traffic on the same links. Times of what crosses nodes are phi times longer, as with links that slow, but not at all
 * times: steps differ.
 */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1 && diagnosing->estimate->communication_s > 0;
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
	counterfactual_rates(model, true, 1 / value);
	return true;
}

/* Steps that differ speak for it, and steps that are all alike against it. */
static double evidence(const struct diagnosing *diagnosing)
{
	static const double differ = 1.2, alike = 1.03;
	double most = 0;
	for (size_t i = 0; i < diagnosing->measurement->count; ++i) {
		const struct paradl_measured_time *time = &diagnosing->measurement->times[i];
		const unsigned communication = PHASES_COMMUNICATION;
		const bool sends = time->part == PARADL_PART_COMMUNICATION ||
				   (time->part < PARADL_PHASE_COUNT && communication & 1U << time->part);
		if (sends && time->quickest_s > 0 && time->slowest_s / time->quickest_s > most)
			most = time->slowest_s / time->quickest_s;
	}
	return most > differ ? 2 : most > 0 && most < alike ? 0 : 0.9;
}

const struct cause cause_contention = {
	.name = "contention",
	.summary = "other traffic on the links between nodes",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.quantity = "contention phi between nodes",
	.check = "the same job at another time and on neighbouring nodes (one leaf switch); congestion "
		 "counters of the "
		 "switches; adaptive routing",
	.phases = PHASES_COMMUNICATION,
	.applies = applies,
	.assumed = none,
	.range = range,
	.change = change,
	.evidence = evidence,
};

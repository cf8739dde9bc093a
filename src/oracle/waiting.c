/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for the slowest node. Each call of each node is late by a random delay; delays add up like a random walk
 * between synchronisations (the square root), and the group waits for the latest of n nodes (the maximum of n
 * exponential delays grows as ln n). With c calls per iteration and s synchronisations, c / s calls between two:
 *     waiting = jitter * ln(n) * sqrt(c / s) * s = jitter ln(n) sqrt(c s)
 * One constant reproduces both the whole-step allreduce of data parallelism and per-layer collectives. It is a range:
 * estimates give the iteration with it ("typical") and without ("quiet").
 */
#include <math.h>

#include "oracle/oracle.h"

double waiting_s(const struct evaluation *evaluation, const struct stage_sums *sums, bool gradients)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (oracle->rules.ideal || oracle->options.quiet_network || !(oracle->framework->jitter_s > 0))
		return 0;
	const struct paradl_plan *plan = &evaluation->plan;
	const double calls = sums->layers * evaluation->micro_batches;
	double nodes = 1, syncs = 1;
	if (gradients) {
		const unsigned replicas = (1u << PARADL_DATA | 1u << PARADL_SPATIAL) & evaluation->axes;
		nodes = replicas ? group_of(oracle->machine, plan, replicas).nodes : 1;
	} else {
		for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
			nodes = evaluation->nodes[axis] > nodes ? evaluation->nodes[axis] : nodes;
		syncs = sums->calls * evaluation->micro_batches;
	}
	return nodes > 1 && syncs > 0 ? oracle->framework->jitter_s * log(nodes) * sqrt(calls * syncs) : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for the slowest node. A node's lateness is a random walk in time (the square root of the time since the last
 * synchronisation), and a group waits for the latest of its n nodes; the lateness is heavy-tailed, so the maximum
 * grows as a power of n (n^(1/a) for a Pareto tail of exponent a). With s synchronisations in T seconds of work:
 *     waiting = jitter (n^growth - 1) sqrt(T / s) s = jitter (n^growth - 1) sqrt(T s)      jitter: of one second
 * One constant covers the whole-step allreduce of data parallelism and per-layer collectives. It is a range: an
 * estimate gives the iteration with it ("typical") and without ("quiet").
 */
#include <math.h>

#include "oracle/oracle.h"

double waiting_s(const struct evaluation *evaluation, const struct stage_sums *sums, bool gradients)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (oracle->rules.ideal || oracle->options.quiet_network || !(oracle->framework->jitter_s > 0))
		return 0;
	const struct paradl_plan *plan = &evaluation->plan;
	const double work_s = (sums->forward_s + sums->backward_s) * evaluation->micro_batches;
	double nodes = 1, syncs = 1;
	if (gradients) {
		const unsigned replicas = (1u << PARADL_DATA | 1u << PARADL_SPATIAL) & evaluation->axes;
		nodes = replicas ? group_of(oracle->machine, plan, replicas).nodes : 1;
	} else {
		for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
			nodes = evaluation->nodes[axis] > nodes ? evaluation->nodes[axis] : nodes;
		syncs = sums->calls * evaluation->micro_batches;
	}
	if (nodes < 2 || !(syncs > 0))
		return 0;
	const double slowest = pow(nodes, oracle->framework->jitter_growth) - 1;
	return oracle->framework->jitter_s * slowest * sqrt(work_s * syncs);
}

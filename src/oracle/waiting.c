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

/* jitter (n^growth - 1) */
double nodes_late_s(const struct paradl_oracle *oracle, unsigned nodes)
{
	const struct rules *rules = &oracle->rules;
	if (nodes < 2 || oracle->options.quiet_network || !(rules->jitter_s > 0))
		return 0;
	return rules->jitter_s * (pow(nodes, rules->jitter_growth) - 1);
}

void waiting_compile(struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	unsigned nodes = 1;
	for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
		nodes = evaluation->nodes[axis] > nodes ? evaluation->nodes[axis] : nodes;
	evaluation->calls_late_s = nodes_late_s(oracle, nodes);
	evaluation->gradients_late_s = nodes_late_s(oracle, evaluation->gradient_nodes);
}

double waiting_s(double late_s, double work_s, double synchronisations)
{
	return late_s > 0 ? late_s * sqrt(work_s * synchronisations) : 0;
}

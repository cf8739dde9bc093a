/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exchange of workers that read samples of their own, until all know which samples are hidden, by the algorithms
 * and curves of gradients:
 *
 *     replicated     allreduce(8 N v bytes)                            v float64 of each sample
 *     distributed    allreduce(N / 8 bytes) + 64 allreduce(8 bytes)
 *
 * Replicated: the v numbers of all samples are summed up; then all workers choose alike among all samples.
 * Distributed: a worker keeps the numbers of its own samples, and counts how many of these are below a loss. 64
 * halvings find the loss below which lie as many samples as may be hidden, because there are no more than 2^64
 * float64; then one bit of each sample says whether it is hidden.
 */
#include "base/error.h"
#include "oracle/oracle.h"
#include "study/job/hide.h"

enum { HALVINGS = 64, VECTORS = 4 };

struct hide_exchange hide_exchange(bool distributed, double samples, unsigned vectors)
{
	if (vectors == 0)
		return (struct hide_exchange){0, 0};
	return distributed ? (struct hide_exchange){samples / 8, HALVINGS}
			   : (struct hide_exchange){8 * samples * vectors, 0};
}

bool hide_exchange_times(struct paradl_oracle *oracle, const struct paradl_plan *plan, bool distributed,
	double samples, double exchange_s[4], struct paradl_error *error)
{
	struct curve curve;
	for (unsigned vectors = 0; vectors < VECTORS; vectors++)
		exchange_s[vectors] = 0;
	if (plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] == 1)
		return true;
	if (!oracle_sum_curve(oracle, plan, 1U << PARADL_DATA | 1U << PARADL_EXPERT, &curve, error))
		return false;
	for (unsigned vectors = 1; vectors < VECTORS; vectors++) {
		const struct hide_exchange exchange = hide_exchange(distributed, samples, vectors);
		exchange_s[vectors] = curve_s(&curve, exchange.bytes);
		if (exchange.counts > 0)
			exchange_s[vectors] += exchange.counts * curve_s(&curve, sizeof(double));
	}
	return true;
}

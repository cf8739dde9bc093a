/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What summing up a vector with a float64 for each sample takes: an allreduce among the workers that read samples of their
 * own, by the algorithms and curves that gradients have.
 */
#include "base/error.h"
#include "job/hide.h"
#include "oracle/oracle.h"

bool hide_exchange(struct paradl_oracle *oracle, const struct paradl_plan *plan, double samples,
	double exchange_s[4], struct paradl_error *error)
{
	const unsigned readers = 1U << PARADL_DATA | 1U << PARADL_EXPERT;
	struct evaluation evaluation;
	struct curve ring;
	const struct curve *curve = &ring;
	for (unsigned vectors = 0; vectors < 4; vectors++)
		exchange_s[vectors] = 0;
	if (plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] == 1)
		return true;
	if (!evaluation_begin(&evaluation, oracle, plan, 0, error))
		return false;
	const struct group group = group_of(oracle->machine, plan, readers);
	if (oracle->rules.ideal)
		nominal_ring(oracle->machine, &group, 2, &ring);
	else if (!exchange_curve(&evaluation, &group, &oracle->choices->gradient.choice, &curve, error))
		return false;
	for (unsigned vectors = 1; vectors < 4; vectors++)
		exchange_s[vectors] = curve_s(curve, 8 * vectors * samples);
	return true;
}

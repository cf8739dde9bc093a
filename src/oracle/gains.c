/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the choice of an algorithm for the gradients is worth: the plan is estimated again as with --algo ring, which libraries fall
 * back on, and with --algo auto, which takes all there are. A gain is a share of the step, so what backward hides gains nothing.
 */
#include <string.h>

#include "base/error.h"
#include "oracle/oracle.h"
#include "oracle/training.h"

static const double least_gain = 0.02; /* of the step: less is not worth a setting */

/* Estimates the plan by an oracle that differs in --algo alone; false where the algorithm does not work for it. */
static bool estimate_by(const struct paradl_oracle *oracle, const char *algorithm,
	const struct paradl_plan *plan, struct paradl_arena *arena, struct paradl_estimate *estimate)
{
	struct paradl_oracle *other = oracle_clone(oracle, arena, NULL);
	if (!other)
		return false;
	other->options.algorithm = algorithm;
	return choices_make(other, NULL) && paradl_estimate(other, plan, estimate, NULL) &&
	       estimate->gradient_algorithm;
}

bool paradl_algorithm_gains(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_algorithm_gains *gains, struct paradl_error *error)
{
	struct paradl_estimate other;
	const struct result *result = result_of(oracle, plan, error);
	*gains = (struct paradl_algorithm_gains){.library = choices_library(oracle)};
	if (!result)
		return false;
	const struct paradl_estimate *own = &result->estimate;
	/* Measured curves are of what the library did; the model's times are no measure of these. */
	if (oracle->options.algorithm || !own->gradient_algorithm ||
		!collective_find(ALLREDUCE, own->gradient_algorithm))
		return true;
	if (!strstr(own->gradient_algorithm, "ring") && estimate_by(oracle, "ring", plan, arena, &other) &&
		other.iteration_s > own->iteration_s * (1 + least_gain)) {
		gains->taken = own->gradient_algorithm;
		gains->ring_s = other.iteration_s;
	}
	if (own->phase_s[PARADL_GRADIENT_EXCHANGE] > least_gain * own->iteration_s &&
		estimate_by(oracle, "auto", plan, arena, &other) &&
		other.iteration_s < own->iteration_s * (1 - least_gain)) {
		gains->outside = other.gradient_algorithm;
		gains->outside_s = other.iteration_s;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one evaluation of a plan leaves: layers with their costs, units, stages with their terms, the schedule (scratch of
 * evaluation.net), the step with its exchanges, and the estimate. Explanations, layers and timelines read it.
 */
#ifndef ORACLE_RESULT_H
#define ORACLE_RESULT_H

#include "oracle/training.h"

struct result {
	struct evaluation evaluation;
	struct step step; /* of training */
	struct paradl_estimate estimate;
};

/*
 * Returns the result of this plan: the oracle's latest, if that is of this plan and nothing was evaluated since, else a new
 * one. Good until the oracle evaluates another plan. NULL with an error where the plan cannot run.
 */
const struct result *result_of(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error);

#endif

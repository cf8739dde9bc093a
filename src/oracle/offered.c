/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a training program has what a plan asks for. Estimates do not care. */
#include "oracle/oracle.h"

bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size)
{
	struct paradl_plan asked = *plan;
	if (oracle->rules.ideal || oracle->options.inference)
		return true;
	if (asked.schedule == PARADL_SCHEDULE_DEFAULT)
		asked.schedule = oracle->model->tokens ? PARADL_1F1B : PARADL_GPIPE;
	return framework_offers_plan(oracle->framework, &asked, text, size);
}

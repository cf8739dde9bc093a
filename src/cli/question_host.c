/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file compares what plans keep in the memory of hosts with what hosts have. */
#include "base/quantity.h"
#include "cli/question.h"

/* Returns the bytes of optimizer states on a host: those that its devices would hold if they were not offloaded. */
static double host_states_bytes(const struct question *question, const struct paradl_plan *plan)
{
	const double of_host = question->head.machine.devices_per_host, devices = paradl_plan_devices(plan);
	struct paradl_plan kept = *plan;
	struct paradl_estimate estimate;
	if (!(plan->offload & PARADL_OFFLOAD_OPTIMIZER))
		return 0;
	kept.offload &= ~(unsigned)PARADL_OFFLOAD_OPTIMIZER;
	return paradl_estimate(question->oracle, &kept, &estimate, NULL)
		       ? estimate.memory.optimizer_bytes * (devices < of_host ? devices : of_host)
		       : 0;
}

bool question_host_holds(const struct question *question, const struct paradl_plan *plan)
{
	const double has = question->head.machine.host_memory_bytes;
	return !(has > 0) || host_states_bytes(question, plan) <= has;
}

void question_warn_host(
	struct session *session, const struct question *question, const struct paradl_plan *plan)
{
	char needs[32], has[32];
	if (question_host_holds(question, plan))
		return;
	quantity_format(needs, sizeof needs, host_states_bytes(question, plan), DIMENSION_BYTES);
	quantity_format(has, sizeof has, question->head.machine.host_memory_bytes, DIMENSION_BYTES);
	session_warn(session, "optimizer states take %s of the memory of a host, which has %s", needs, has);
}

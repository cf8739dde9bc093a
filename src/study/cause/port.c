/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A port of each node, or a link of each device, carries nothing. */
#include "study/diagnose.h"

static const struct level *level_of(const struct diagnosing *diagnosing)
{
	const struct paradl_machine *machine = diagnosing->oracle->machine;
	return &machine->levels[machine->level_count > 1 && diagnosing_nodes(diagnosing) > 1 ? 1 : 0];
}

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1 && !diagnosing->oracle->machine->network &&
	       level_of(diagnosing)->ports > 1;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const unsigned ports = level_of(diagnosing)->ports;
	const unsigned left = ports >> ((unsigned)value + 1);
	if (value >= 3 || left < 1)
		return false;
	for (unsigned i = 1; i < model->machine.level_count; ++i)
		if (model->machine.levels[i].ports > left)
			model->machine.levels[i].ports = left;
	model->curve_times *= (double)ports / left;
	model->changed = true;
	return true;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	const unsigned ports = level_of(diagnosing)->ports;
	return arena_printf(diagnosing->arena, "only %u of the %u ports of each node carried traffic",
		ports >> ((unsigned)value + 1), ports);
}

const struct cause cause_port = {
	.name = "port",
	.summary = "ports of the nodes that carry nothing",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.check = "counters of all ports (ibstat, /sys/class/infiniband/*/ports/*/counters) during the run; "
		 "NCCL_IB_HCA "
		 "and NCCL_DEBUG=INFO, which lists the devices in use",
	.phases = PHASES_COMMUNICATION,
	.applies = applies,
	.change = change,
	.call = call,
};

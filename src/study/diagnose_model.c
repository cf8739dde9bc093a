/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file changes the model and estimates again: it copies machine and framework, and works in an arena of its own.
 */
#include <math.h>
#include <string.h>

#include "study/diagnose.h"

unsigned part_phases(unsigned part)
{
	switch (part) {
	case PARADL_PART_COMPUTE:
		return PHASES_COMPUTE | 1U << PARADL_BUBBLE;
	case PARADL_PART_COMMUNICATION:
		return PHASES_COMMUNICATION;
	case PARADL_PART_TOTAL:
		return (1U << PARADL_PHASE_COUNT) - 1;
	default:
		return 1U << part;
	}
}

const char *paradl_part_name(unsigned part)
{
	static const char *const names[] = {"compute", "communication", "total"};
	return part < PARADL_PHASE_COUNT ? paradl_phase_name((enum paradl_phase)part)
					 : names[part - PARADL_PART_COMPUTE];
}

/*
 * Fills phase_s and hidden_s. The estimate says how much of gradient exchange is hidden; the rest of hidden time is
 * that of layer-wise calls.
 */
void counterfactual_phases(struct counterfactual *model, const struct paradl_estimate *estimate)
{
	double *phase_s = model->phase_s;
	model->hidden_s[0] = estimate->gradient_hidden_s;
	model->hidden_s[1] =
		estimate->communication_s - estimate->exposed_communication_s - estimate->gradient_hidden_s;
	memcpy(phase_s, estimate->phase_s, sizeof estimate->phase_s);
	phase_s[PARADL_GRADIENT_EXCHANGE] = fmax(0, phase_s[PARADL_GRADIENT_EXCHANGE] - model->hidden_s[0]);
	phase_s[PARADL_ACTIVATION_EXCHANGE] =
		fmax(0, phase_s[PARADL_ACTIVATION_EXCHANGE] - model->hidden_s[1]);
}

static void parts_fill(const struct paradl_measurement *measurement, const double phase_s[PARADL_PHASE_COUNT],
	double outside_s, double part_s[PARTS])
{
	/* No tool tells recomputation in backward from the rest of backward, unless it was timed alone. */
	const bool joins = !measured_time(measurement, PARADL_RECOMPUTE);
	for (unsigned part = 0; part < PARADL_PART_COUNT; ++part) {
		unsigned phases = part_phases(part);
		if (part == PARADL_PART_TOTAL && measurement->without_input)
			phases &= ~(1U << PARADL_INPUT);
		part_s[part] = part == PARADL_PART_TOTAL ? outside_s : 0;
		for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
			if (phases & 1U << phase)
				part_s[part] += phase_s[phase];
	}
	if (joins)
		part_s[PARADL_BACKWARD] += phase_s[PARADL_RECOMPUTE];
}

void counterfactual_begin(const struct diagnosing *diagnosing, struct counterfactual *model)
{
	const struct paradl_oracle *oracle = diagnosing->oracle;
	*model = (struct counterfactual){.machine = *oracle->machine,
		.framework = *oracle->framework,
		.options = oracle->options,
		.plan = diagnosing->estimate->plan,
		.curve_times = {1, 1}};
	if (oracle->machine->network)
		model->network = *oracle->machine->network;
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
		model->times[phase] = 1;
	counterfactual_phases(model, diagnosing->estimate);
}

/*
 * Multiplies the times of measured curves, inside a node and across nodes: they were measured on the machine as it
 * is, and a change of its rates changes them alike. False: out of memory.
 */
static bool curves_scale(struct paradl_arena *arena, struct paradl_machine *machine, const double times[2])
{
	struct measured_curve *curves = arena_alloc(arena, machine->curve_count + 1, sizeof *curves);
	if (!curves)
		return false;
	for (unsigned i = 0; i < machine->curve_count; ++i) {
		curves[i] = machine->curves[i];
		const double of_these = times[curves[i].nodes > 1];
		if ((of_these > 1 || of_these < 1) && !points_scale(arena, &curves[i].points, of_these, 1))
			return false;
	}
	machine->curves = curves;
	return true;
}

static bool estimate_again(
	struct paradl_arena *arena, struct counterfactual *model, const struct paradl_model *network)
{
	struct paradl_error error = {.status = PARADL_OK};
	struct paradl_estimate estimate;
	struct paradl_machine machine = model->machine;
	if (machine.network)
		machine.network = &model->network;
	if (!curves_scale(arena, &machine, model->curve_times))
		return false;
	device_derive(&machine.device);
	struct paradl_oracle *oracle =
		paradl_oracle_create(arena, network, &machine, &model->framework, &model->options, &error);
	if (!oracle || !paradl_estimate(oracle, &model->plan, &estimate, &error))
		return false;
	counterfactual_phases(model, &estimate);
	return true;
}

bool counterfactual_run(
	const struct diagnosing *diagnosing, struct counterfactual *model, double part_s[PARTS])
{
	double phase_s[PARADL_PHASE_COUNT];
	if (model->changed) {
		struct paradl_arena *arena = arena_create_beside(diagnosing->oracle->arena);
		const bool ran = arena && estimate_again(arena, model, diagnosing->oracle->model);
		paradl_arena_free(arena);
		if (!ran)
			return false;
		model->changed = false;
	}
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
		phase_s[phase] = fmax(0, model->phase_s[phase] * model->times[phase] + model->more_s[phase]);
	parts_fill(diagnosing->measurement, phase_s, model->outside_s, part_s);
	part_s[PART_BUSY_GRADIENTS] = part_s[PARADL_GRADIENT_EXCHANGE] + model->hidden_s[0];
	part_s[PART_BUSY_CALLS] = part_s[PARADL_ACTIVATION_EXCHANGE] + model->hidden_s[1];
	return true;
}

static void link_scale(struct link_class *link, double factor)
{
	link->bytes_per_s *= factor;
	link->sustained_bytes_per_s *= factor;
	link->flow_bytes_per_s *= factor;
}

void counterfactual_rates(struct counterfactual *model, bool between, double factor)
{
	struct paradl_machine *machine = &model->machine;
	const unsigned first = between && machine->level_count > 1 ? 1 : 0;
	const unsigned end = between ? machine->level_count : 1;
	for (unsigned i = first; i < end; ++i) {
		machine->levels[i].bandwidth_bytes_per_s *= factor;
		machine->levels[i].ring_bytes_per_s *= factor;
	}
	if (machine->network && between) {
		link_scale(&model->network.links[LINK_PORT], factor);
		link_scale(&model->network.links[LINK_SWITCH], factor);
		link_scale(&model->network.links[LINK_GLOBAL], factor);
	} else if (machine->network) {
		link_scale(&model->network.links[LINK_DEVICE], factor);
		link_scale(&model->network.links[LINK_PCIE], factor);
	}
	model->curve_times[between] /= factor;
	if (!between)
		machine->device.link.bytes_per_s *= factor;
	model->changed = true;
}

double machine_ring_bytes_per_s(const struct paradl_machine *machine, bool between)
{
	if (machine->network) {
		const struct link_class *link = &machine->network->links[between ? LINK_PORT : LINK_DEVICE];
		return link->sustained_bytes_per_s > 0 ? link->sustained_bytes_per_s : link->bytes_per_s;
	}
	return machine->levels[between && machine->level_count > 1 ? 1 : 0].ring_bytes_per_s;
}

unsigned diagnosing_nodes(const struct diagnosing *diagnosing)
{
	const unsigned each = diagnosing->oracle->machine->devices_per_node;
	return (diagnosing->estimate->devices + each - 1) / each;
}

const struct paradl_measured_time *measured_time(const struct paradl_measurement *measurement, unsigned part)
{
	for (size_t i = 0; i < measurement->count; ++i)
		if (measurement->times[i].part == part)
			return &measurement->times[i];
	return NULL;
}

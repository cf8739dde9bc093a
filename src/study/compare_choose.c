/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds how many devices of a machine meet a deadline, or are through first for a budget. From one node on,
 * numbers are whole nodes. They double until the deadline is met; then bisection finds the least number between, as
 * if more devices were never slower. For a budget all doublings are tried.
 */
#include "study/studies.h"

#include <stdio.h>

static bool holds(const struct compare *compare, const struct paradl_compare_cell *cell)
{
	const struct paradl_compare_request *const request = compare->request;
	if (!cell->runs ||
		(request->deadline_s > 0 && cell->amounts[PARADL_AMOUNT_TIME].value > request->deadline_s))
		return false;
	const double cost = cell->amounts[PARADL_AMOUNT_COST].value;
	return !(request->budget > 0) || (cell->cost_compares && cost >= 0 && cost <= request->budget);
}

/* Returns the next number of devices: 1, 2, 4 ... of a node, then 1, 2, 4 ... nodes, then all; 0 past the last. */
static unsigned doubled(const struct paradl_machine *machine, unsigned devices)
{
	const unsigned node = machine->devices_per_node;
	if (devices >= machine->devices)
		return 0;
	unsigned next = devices ? 2 * devices : 1;
	if (devices < node && next > node)
		next = node;
	return next > machine->devices ? machine->devices : next;
}

/*
 * Finds the least number of whole nodes that meets the deadline, between `below`, which does not, and the cell's,
 * which does. False: error is set.
 */
static bool least_between(
	struct compare *compare, unsigned below, struct paradl_compare_cell *cell, unsigned node)
{
	while (cell->devices - below > node && cell->devices > node) {
		const unsigned middle = (below / node + cell->devices / node) / 2 * node;
		struct paradl_compare_cell tried = *cell;
		if (middle <= below || middle >= cell->devices)
			break;
		if (!compare_fill(compare, &tried, middle))
			return false;
		if (holds(compare, &tried))
			*cell = tried;
		else
			below = middle;
	}
	return true;
}

bool compare_choose(struct compare *compare, struct paradl_compare_cell *cell)
{
	const struct paradl_oracle *const oracle = compare_oracle(compare, cell);
	if (!oracle)
		return compare_fill(compare, cell, 0);
	const struct paradl_machine *const machine = oracle->machine;
	const bool budget = compare->request->budget > 0;
	struct paradl_compare_cell best = *cell, tried = *cell;
	unsigned below = 0;
	for (unsigned devices = doubled(machine, 0); devices; devices = doubled(machine, devices)) {
		if (!compare_fill(compare, &tried, devices))
			return false;
		if (!holds(compare, &tried)) {
			below = best.runs ? below : devices;
			continue;
		}
		if (!best.runs ||
			tried.amounts[PARADL_AMOUNT_TIME].value < best.amounts[PARADL_AMOUNT_TIME].value)
			best = tried;
		if (!budget)
			break;
	}
	if (best.runs) {
		*cell = best;
		return budget || least_between(compare, below, cell, machine->devices_per_node);
	}
	*cell = tried;
	cell->devices = 0;
	cell->runs = false;
	if (!*cell->reason)
		snprintf(cell->reason, sizeof cell->reason, "%s",
			budget && !cell->cost_compares ? "no price that compares"
						       : "no number of GPUs that it has does it");
	return true;
}

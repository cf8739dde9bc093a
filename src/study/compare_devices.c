/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds how many devices of a machine meet a deadline or answer at a rate, or are through first for a budget. Numbers double until
 * the deadline is met or the rate answered, from one host on as whole hosts; then the numbers of paradl_devices_next() between the last two are
 * tried, and bisection finds the least below the first that meets it, as if more devices were never slower. For a budget
 * all doublings are tried, then the numbers between the best one and the next.
 */
#include <stdio.h>

#include "base/quantity.h"
#include "study/studies.h"

/*
 * Returns the cost of a cell in the currency of the budget, which holds for machines that are rented and for those that are
 * bought; negative: not known.
 */
static double budget_cost(const struct compare *compare, const struct paradl_compare_cell *cell)
{
	const struct paradl_compare_request *const request = compare->request;
	const double cost = cell->amounts[PARADL_AMOUNT_COST].value;
	if (cell->cost_compares || !request->worths)
		return cell->cost_compares ? cost : -1;
	return request->worths[cell->machine] > 0 ? cost * request->worths[cell->machine] : -1;
}

static bool holds(const struct compare *compare, const struct paradl_compare_cell *cell)
{
	const struct paradl_compare_request *const request = compare->request;
	if (!cell->runs ||
		(request->deadline_s > 0 && cell->amounts[PARADL_AMOUNT_TIME].value > request->deadline_s))
		return false;
	const double cost = request->budget > 0 ? budget_cost(compare, cell) : 0;
	return !(request->budget > 0) || (cost >= 0 && cost <= request->budget);
}

/* Returns the next number of devices: 1, 2, 4 ... of a host, then 1, 2, 4 ... hosts, then all; 0 past the last. */
static unsigned doubled(const struct paradl_machine *machine, unsigned devices)
{
	const unsigned host = machine->devices_per_host;
	if (devices >= machine->devices)
		return 0;
	unsigned next = devices ? 2 * devices : 1;
	if (devices < host && next > host)
		next = host;
	return next > machine->devices ? machine->devices : next;
}

/* Replaces the cell by the least number of devices, more than `below`, that meets the deadline. */
static bool least_above(struct compare *compare, const struct paradl_machine *machine, unsigned below,
	struct paradl_compare_cell *cell)
{
	struct paradl_compare_cell tried = *cell;
	unsigned devices;
	while ((devices = paradl_devices_between(machine->devices_per_host, below, cell->devices)) > 0) {
		if (!compare_fill(compare, &tried, devices))
			return false;
		if (holds(compare, &tried))
			*cell = tried;
		else
			below = devices;
	}
	return true;
}

/* Replaces the cell by one of the numbers of devices up to `above` that holds the budget and is through earlier. */
static bool first_between(struct compare *compare, const struct paradl_machine *machine, unsigned above,
	struct paradl_compare_cell *cell)
{
	const unsigned host = machine->devices_per_host;
	unsigned devices = cell->devices;
	struct paradl_compare_cell tried = *cell;
	while ((devices = paradl_devices_next(host, machine->devices, devices)) < above) {
		if (!compare_fill(compare, &tried, devices))
			return false;
		if (holds(compare, &tried) &&
			tried.amounts[PARADL_AMOUNT_TIME].value < cell->amounts[PARADL_AMOUNT_TIME].value)
			*cell = tried;
	}
	return true;
}

/* Says how far a machine is from the deadline or the budget: by `nearest`, with which it costs or takes least. */
static void tell_nearest(const struct compare *compare, const struct paradl_machine *machine,
	const struct paradl_compare_cell *nearest, struct paradl_compare_cell *cell)
{
	const bool budget = compare->request->budget > 0;
	const double cost = nearest->amounts[PARADL_AMOUNT_COST].value;
	char text[32] = "";
	if (*cell->reason && !nearest->runs)
		return;
	if (budget && budget_cost(compare, cell) < 0)
		snprintf(cell->reason, sizeof cell->reason, "no price that compares");
	else if (!nearest->runs)
		snprintf(cell->reason, sizeof cell->reason, "no number of GPUs that it has does it");
	else if (budget)
		snprintf(cell->reason, sizeof cell->reason, "it costs at least %.*f %.16s, on %u GPUs",
			cost < 100 ? 2 : 0, cost, machine->currency, nearest->devices);
	else {
		quantity_format(
			text, sizeof text, nearest->amounts[PARADL_AMOUNT_TIME].value, DIMENSION_TIME);
		snprintf(cell->reason, sizeof cell->reason, "it takes at least %s, on %u GPUs", text,
			nearest->devices);
	}
}

/* Keeps a number of devices that takes, or costs, less than those that were tried. */
static void keep_nearest(const struct paradl_compare_cell *tried, enum paradl_amount limited,
	struct paradl_compare_cell *nearest)
{
	const double value = tried->amounts[limited].value;
	if (tried->runs && value >= 0 && (!nearest->runs || value < nearest->amounts[limited].value))
		*nearest = *tried;
}

bool compare_choose(struct compare *compare, struct paradl_compare_cell *cell)
{
	const struct paradl_oracle *const oracle = compare_oracle(compare, cell);
	if (!oracle)
		return compare_fill(compare, cell, 0);
	const struct paradl_machine *const machine = oracle->machine;
	const bool budget = compare->request->budget > 0;
	struct paradl_compare_cell best = *cell, tried = *cell, nearest = *cell;
	unsigned below = 0;
	for (unsigned devices = doubled(machine, 0); devices; devices = doubled(machine, devices)) {
		if (!compare_fill(compare, &tried, devices))
			return false;
		if (!holds(compare, &tried)) {
			below = best.runs ? below : devices;
			keep_nearest(&tried, budget ? PARADL_AMOUNT_COST : PARADL_AMOUNT_TIME, &nearest);
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
		return budget ? first_between(compare, machine, doubled(machine, best.devices), cell)
			      : least_above(compare, machine, below, cell);
	}
	*cell = tried;
	cell->devices = 0;
	cell->runs = false;
	tell_nearest(compare, machine, &nearest, cell);
	return true;
}

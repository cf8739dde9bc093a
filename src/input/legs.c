/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seconds of one step on each resource. Opening, requesting and reading a file of the shared file system are three limits of the
 * same fetch: the largest counts. Fetches from different places run beside one another, but for a loader that does all in
 * turn, which adds them up.
 */
#include "input/input.h"

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Without stragglers. */
static double leg_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource, bool cold)
{
	const double node_s = cold ? rates->cold_node_s[resource] : rates->node_s[resource];
	const double system_s = cold ? rates->cold_system_s[resource] : rates->system_s[resource];
	if (resource == PARADL_RESOURCE_HOST_LINK)
		return node_s * (load->device_samples > 0 ? load->device_samples
							  : load->node_samples * load->nodes / load->devices);
	if (resource == PARADL_RESOURCE_CORES && setting->options.workers > 0) /* of the devices that work */
		return node_s * load->node_samples * setting->machine->devices_per_node * load->nodes /
		       load->devices;
	return larger(node_s * load->node_samples, system_s * load->batch);
}

static double exchange_s(const struct input_rates *rates, const struct input_load *load)
{
	const double bundles = rates->exchange_bundle * load->reader_samples;
	return rates->exchange_step_s * (bundles < 1 ? bundles : 1) +
	       rates->exchange_sample_s * load->reader_samples;
}

void input_legs_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, bool cold, struct input_legs *legs)
{
	double tier_s = leg_s(setting, rates, load, PARADL_RESOURCE_SHARED, cold);
	for (unsigned r = PARADL_RESOURCE_SHARED + 1; r <= PARADL_RESOURCE_LOCAL; r++)
		tier_s = larger(tier_s, leg_s(setting, rates, load, r, cold));
	const double peers_s = leg_s(setting, rates, load, PARADL_RESOURCE_PEERS, cold),
		     memory_s = leg_s(setting, rates, load, PARADL_RESOURCE_MEMORY, cold);
	const double other_s = setting->options.in_turn ? peers_s + memory_s : larger(peers_s, memory_s);
	const double late_s = tier_s * rates->latest;
	legs->fetch_s = setting->options.in_turn ? tier_s + other_s : larger(tier_s, other_s);
	legs->straggler_s =
		(setting->options.in_turn ? late_s + other_s : larger(late_s, other_s)) - legs->fetch_s;
	legs->preparation_s = leg_s(setting, rates, load, PARADL_RESOURCE_CORES, cold);
	legs->transfer_s = leg_s(setting, rates, load, PARADL_RESOURCE_HOST_LINK, cold);
	legs->exchange_s = exchange_s(rates, load);
	legs->wire_s = rates->exchange_wire_s * load->reader_samples;
}

double input_resource_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource)
{
	if (resource == PARADL_RESOURCE_DEVICES)
		return 0;
	if (resource == PARADL_RESOURCE_EXCHANGE)
		return exchange_s(rates, load) + rates->exchange_wire_s * load->reader_samples;
	const double seconds = leg_s(setting, rates, load, resource, false);
	return resource <= PARADL_RESOURCE_LOCAL ? seconds * rates->latest : seconds;
}

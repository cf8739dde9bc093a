/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An estimate has power and price. A device draws what the resource that holds it up leaves it to do:
 *     power     idle + sum over activities of share (power in it - idle)
 *     compute   busy: large products run into the power limit. Share: flop / (peak x what products sustain), as if the
 *               rest were spread evenly over the devices; recomputing, at most another forward pass
 *     memory    all other time of kernels
 *     waiting   exchanges that nothing hides, bubbles, input
 * with the powers of the device profile (machine/device.c derives those that it leaves out). To this come idle
 * devices of the same nodes, hosts, the nodes' share of the machine's network and storage, and the facility's overhead
 * on all of that. The network's gear draws the same whatever it carries: in the profiles that say both, 70 to 100 % of
 * the power of links is static. Each part grows with the times of its phases, so that bounds of times are bounds of
 * energy (search). Clocks and limits set by hand and temperature are not modelled, nor is communication behind
 * compute, which the power limit covers.
 */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "network/graph/inventory.h"
#include "oracle/evaluation.h"

enum { SECONDS_PER_HOUR = 3600, WATT_PER_KILOWATT = 1000 };

static const double rounding = 1e-12; /* share, for rounding */

NAME_FUNCTION(paradl_activity_name, enum paradl_activity, "compute", "memory", "exchange", "bubble", "input")

/* Returns whether the profile says anything of power or price of the network, which is only built if it does. */
static bool network_says(const struct machine_network *network, bool asks_prices)
{
	bool says = network && (network->switch_watt > 0 || network->port_watt > 0);
	for (unsigned i = 0; network && i < LINK_KINDS; ++i)
		says |= network->links[i].idle_watt > 0 || (asks_prices && network->links[i].price > 0);
	return says;
}

bool gear_prepare(struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct paradl_machine *const machine = oracle->machine;
	const struct machine_price *const price = &machine->price;
	const bool asks_prices = price->node > 0 && !(price->network > 0);
	struct gear gear = {0};
	if (network_says(machine->network, asks_prices)) {
		const struct network *const network = network_create(oracle->arena, machine, error);
		if (!network)
			return size_hint(machine->changes, error);
		if (!inventory_gear(oracle->arena, network, &gear))
			return out_of_memory(error);
	}
	oracle->network_watt = gear.outside_watt;
	oracle->network_price = asks_prices ? fmax(gear.price, 0) : price->network;
	return true;
}

/* Fills the shares of inference, whose kernels say themselves what bounds them. */
static void inference_shares(const struct paradl_estimate *estimate, double *share)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const double computing = estimate->compute_s / estimate->iteration_s;
	share[PARADL_STREAMING] = fmin(inference->memory_share, computing);
	share[PARADL_STARVING] = fmin(inference->launch_share, computing - share[PARADL_STREAMING]);
	const double rest = computing - share[PARADL_STREAMING] - share[PARADL_STARVING];
	share[PARADL_COMPUTING] = rest > rounding ? rest : 0;
}

static void training_shares(
	const struct paradl_oracle *oracle, const struct paradl_estimate *estimate, double *share)
{
	const struct device *const device = &oracle->machine->device;
	const struct paradl_model *const model = oracle->model;
	const enum paradl_precision precision = oracle->precision;
	const double sustained = oracle->rules.ideal ? 1
				 : model->tokens     ? device->product.sustained[precision]
						     : device->contraction_share[precision];
	const double rate = device->peak_flop_per_s[precision] * sustained * estimate->devices;
	const double *const phase_s = estimate->phase_s;
	const double forward_s = estimate->plan.batch * model->forward_flop / rate;
	const double backward_s = estimate->plan.batch * model->backward_flop / rate;
	const double products_s =
		fmin(forward_s + backward_s, phase_s[PARADL_FORWARD] + phase_s[PARADL_BACKWARD]) +
		fmin(forward_s, phase_s[PARADL_RECOMPUTE]);
	share[PARADL_COMPUTING] = products_s / estimate->iteration_s;
	share[PARADL_STREAMING] = (estimate->compute_s - products_s) / estimate->iteration_s;
	share[PARADL_STARVING] = phase_s[PARADL_INPUT] / estimate->iteration_s;
}

static void shares_fill(
	const struct paradl_oracle *oracle, const struct paradl_estimate *estimate, double *share)
{
	if (oracle->options.inference)
		inference_shares(estimate, share);
	else
		training_shares(oracle, estimate, share);
	share[PARADL_EXCHANGING] = fmax(0, estimate->exposed_communication_s / estimate->iteration_s);
	double others = 0; /* idling still is 0 */
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; ++i)
		others += share[i];
	share[PARADL_IDLING] = 1 - others > rounding ? 1 - others : 0;
}

void paradl_power(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_power *power)
{
	const struct paradl_machine *const machine = oracle->machine;
	const struct device *const device = &machine->device;
	const double nodes = share(estimate->devices, machine->devices_per_host, false);
	const double part = nodes * machine->devices_per_host / machine->devices; /* of the machine, in use */
	*power = (struct paradl_power){.nodes = nodes, .total_watt = -1, .pue = machine->pue};
	if (!(estimate->iteration_s > 0) || !(device->busy_watt > 0))
		return;
	shares_fill(oracle, estimate, power->share);
	power->idle_watt = nodes * machine->devices_per_host * device->idle_watt;
	power->host_watt = nodes * machine->node_watt;
	power->network_watt = oracle->network_watt * part;
	power->storage_watt = machine->storage_watt * part;
	double sum = power->idle_watt + power->host_watt + power->network_watt + power->storage_watt;
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; ++i) {
		power->device_watt[i] = i == PARADL_COMPUTING   ? device->busy_watt
					: i == PARADL_STREAMING ? device->memory_watt
								: device->waiting_watt;
		power->dynamic_watt[i] =
			estimate->devices * power->share[i] * (power->device_watt[i] - device->idle_watt);
		sum += power->dynamic_watt[i];
	}
	power->cooling_watt = (machine->pue - 1) * sum;
	power->total_watt = machine->pue * sum;
}

double standby_watt(const struct paradl_power *power)
{
	return power->total_watt < 0 ? -1
				     : power->pue * (power->idle_watt + power->host_watt +
							    power->network_watt + power->storage_watt);
}

void paradl_price(
	const struct paradl_oracle *oracle, const struct paradl_estimate *estimate, struct paradl_price *bill)
{
	const struct paradl_machine *const machine = oracle->machine;
	const struct machine_price *const price = &machine->price;
	const double nodes = share(estimate->devices, machine->devices_per_host, false);
	const double part = nodes * machine->devices_per_host / machine->devices; /* of the machine, in use */
	const double watt = estimate->watt;
	*bill = (struct paradl_price){.nodes = nodes,
		.owned = price->owned,
		.rent_per_hour = nodes * price->rent_per_node_hour,
		.energy_per_kwh = price->energy_per_kwh,
		.total_per_hour = -1};
	if (!(machine->price_per_node_hour > 0))
		return;
	if (bill->owned) {
		struct machine_price unkept = *price;
		unkept.maintenance = 0;
		const double network = part * oracle->network_price;
		bill->node_per_hour = owned_per_hour(&unkept, nodes * price->node);
		bill->network_per_hour = owned_per_hour(&unkept, network);
		bill->maintenance_per_hour = owned_per_hour(price, nodes * price->node + network) -
					     bill->node_per_hour - bill->network_per_hour;
		bill->staff_per_hour = hours_of_year(price, part * price->staff);
	}
	if (price->energy_per_kwh > 0 && watt < 0)
		return;
	bill->energy_per_hour =
		price->energy_per_kwh > 0 ? watt / WATT_PER_KILOWATT * price->energy_per_kwh : 0;
	bill->total_per_hour = bill->rent_per_hour + bill->node_per_hour + bill->network_per_hour +
			       bill->maintenance_per_hour + bill->staff_per_hour + bill->energy_per_hour;
}

void expense_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate)
{
	struct paradl_power power;
	struct paradl_price price;
	paradl_power(oracle, estimate, &power);
	estimate->watt = power.total_watt;
	paradl_price(oracle, estimate, &price);
	estimate->cost_per_hour = price.total_per_hour;
	estimate->energy_joule_per_epoch = estimate->cost_per_epoch = -1;
	if (estimate->epoch_s > 0 && estimate->watt >= 0)
		estimate->energy_joule_per_epoch = estimate->epoch_s * estimate->watt;
	if (estimate->epoch_s > 0 && estimate->cost_per_hour >= 0)
		estimate->cost_per_epoch = estimate->epoch_s / SECONDS_PER_HOUR * estimate->cost_per_hour;
}

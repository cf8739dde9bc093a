/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the time of a step from rates and a load.
 *
 * The seconds of one step on each resource are its stages. Opening, requesting and reading a file of the shared file
 * system are three limits of the same fetch: the largest counts. Fetches from different places overlap, except with a
 * loader that does all in turn, which adds them up.
 *
 * Loaders read, prepare and copy samples for later steps while the process that trains computes, takes batches over
 * and exchanges; so the slower of the two counts. A loader that works in turn takes their sum:
 *
 *     training  max(busy, exchange that hides behind compute) + rest of the exchange + a batch taken over
 *     beside    max(fetch of the slowest reader, preparation, transfer, training)
 *     in turn   fetch of the slowest reader + preparation + transfer + training
 *
 * With few batches in the buffer more is lost where both take about as long: the step is then the maximum of the above
 * and training + stall of the buffer. A producer of rate x fills a buffer of n, a consumer of rate y empties it:
 * M/M/1/n, as tf.data has it (Murray et al., VLDB'21).
 *
 *     P[empty] = (1 - x/y) / (1 - (x/y)^(n+1)), 1 / (n + 1) where x = y
 *     latency  = P[empty] / x
 *
 * The waiting time of a step is split as DS-Analyzer does (Mohan et al., VLDB'21), in the order exchange, preparation
 * (and transfer), fetch, stragglers: each part is the time by which the step would be shorter if it were free and all
 * after it were free. The parts add up.
 *
 * At the start of an epoch the loader processes begin anew: no step can start until they have the first batch, and the
 * gradient exchange of the first step waits for the slowest of them.
 *
 *     start     loader_epoch E[slowest of M] / mean
 */
#include <math.h>

#include "oracle/input/input.h"

double buffer_empty(double x, double y, double n)
{
	const double step = log(x / y); /* differences from 1 keep their digits where x is near y */
	return fabs(step) > 0 ? expm1(step) / expm1((n + 1) * step) : 1 / (n + 1);
}

double buffer_stall_s(double producer_s, double consumer_s, double n)
{
	if (!(producer_s > 0))
		return 0;
	if (!(consumer_s > 0))
		return producer_s;
	return producer_s * buffer_empty(1 / producer_s, 1 / consumer_s, n);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Returns the seconds of one step on a resource, in the mean of its readers: the slowest ends when the system has read all. */
static double leg_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource, bool cold)
{
	const double node_s = cold ? rates->cold_node_s[resource] : rates->node_s[resource];
	const double system_s = cold ? rates->cold_system_s[resource] : rates->system_s[resource];
	if (resource == PARADL_RESOURCE_HOST_LINK)
		return node_s * (load->device_samples > 0 ? load->device_samples
							  : load->node_samples * load->nodes / load->devices);
	if (resource == PARADL_RESOURCE_CORES && setting->options.workers > 0) /* only working devices' */
		return node_s * load->node_samples * setting->machine->devices_per_host * load->nodes /
		       load->devices;
	return larger(node_s * load->node_samples, system_s * load->batch / rates->latest);
}

static double exchange_s(
	const struct input_rates *rates, const struct input_exchange *exchange, const struct input_load *load)
{
	const double bundles = rates->exchange_bundle * load->reader_samples;
	return exchange->step_s * (bundles < 1 ? bundles : 1) + exchange->sample_s * load->reader_samples;
}

void input_stages_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, bool cold, struct input_stages *stages)
{
	double tier_s = leg_s(setting, rates, load, PARADL_RESOURCE_SHARED, cold);
	for (unsigned r = PARADL_RESOURCE_SHARED + 1; r <= PARADL_RESOURCE_LOCAL; r++)
		tier_s = larger(tier_s, leg_s(setting, rates, load, r, cold));
	const double peers_s = leg_s(setting, rates, load, PARADL_RESOURCE_PEERS, cold),
		     memory_s = leg_s(setting, rates, load, PARADL_RESOURCE_MEMORY, cold);
	const double other_s = setting->options.in_turn ? peers_s + memory_s : larger(peers_s, memory_s);
	const double late_s = tier_s * rates->latest;
	stages->fetch_s = setting->options.in_turn ? tier_s + other_s : larger(tier_s, other_s);
	stages->straggler_s =
		(setting->options.in_turn ? late_s + other_s : larger(late_s, other_s)) - stages->fetch_s;
	stages->preparation_s = leg_s(setting, rates, load, PARADL_RESOURCE_CORES, cold);
	stages->transfer_s = leg_s(setting, rates, load, PARADL_RESOURCE_HOST_LINK, cold);
	stages->exchange_s = exchange_s(rates, &rates->exchange, load);
	stages->behind_s = exchange_s(rates, &rates->exchange_behind, load);
	stages->loader_s = setting->rules->loader_step_s;
}

double input_resource_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource)
{
	if (resource == PARADL_RESOURCE_DEVICES)
		return 0;
	if (resource == PARADL_RESOURCE_EXCHANGE)
		return exchange_s(rates, &rates->exchange, load) +
		       exchange_s(rates, &rates->exchange_behind, load);
	const double seconds = leg_s(setting, rates, load, resource, false);
	return resource <= PARADL_RESOURCE_LOCAL ? seconds * rates->latest : seconds;
}

static double beyond(double part_s, double *step_s)
{
	const double more_s = part_s > *step_s ? part_s - *step_s : 0;
	*step_s += more_s;
	return more_s;
}

/* Returns the seconds of the process that trains: compute, exchange and taking batches over, while loaders go on. */
static double training_s(const struct input_stages *stages, double busy_s, struct input_stalls *stalls)
{
	double step_s = busy_s;
	stalls->exchange_s = beyond(stages->behind_s, &step_s) + stages->exchange_s;
	stalls->preparation_s = stages->loader_s;
	return busy_s + stalls->exchange_s + stalls->preparation_s;
}

static double in_turn(const struct input_stages *stages, double busy_s, struct input_stalls *stalls)
{
	const double step_s = training_s(stages, busy_s, stalls);
	stalls->preparation_s += stages->preparation_s + stages->transfer_s;
	stalls->fetch_s = stages->fetch_s;
	stalls->straggler_s = stages->straggler_s;
	return step_s + stages->preparation_s + stages->transfer_s + stalls->fetch_s + stalls->straggler_s;
}

static double overlapped(
	const struct input_stages *stages, double prefetch, double busy_s, struct input_stalls *stalls)
{
	const double fetch_s = stages->fetch_s + stages->straggler_s,
		     prepared_s = stages->preparation_s > stages->transfer_s ? stages->preparation_s
									     : stages->transfer_s,
		     own_s = training_s(stages, busy_s, stalls);
	double step_s = own_s;
	stalls->preparation_s += beyond(prepared_s, &step_s);
	stalls->fetch_s = beyond(stages->fetch_s, &step_s);
	stalls->straggler_s = beyond(fetch_s, &step_s);
	if (prefetch > 0) {
		const bool fetching = fetch_s > prepared_s;
		const double stall_s = buffer_stall_s(fetching ? fetch_s : prepared_s, own_s, prefetch);
		*(fetching ? &stalls->fetch_s : &stalls->preparation_s) += beyond(own_s + stall_s, &step_s);
	}
	return step_s;
}

double input_stages_step(const struct input_setting *setting, const struct input_stages *stages,
	double busy_s, struct input_stalls *stalls)
{
	return setting->options.in_turn ? in_turn(stages, busy_s, stalls)
					: overlapped(stages, setting->options.prefetch, busy_s, stalls);
}

double loader_epoch_s(const struct input_setting *setting, double readers, double *late_s)
{
	const double start_s = setting->rules->loader_epoch_s;
	*late_s = start_s * (straggler_factor(setting->rules->loader_variation, readers) - 1);
	return start_s;
}

double input_stages_alone_s(const struct input_setting *setting, const struct input_stages *stages)
{
	struct input_stalls stalls;
	return setting->options.in_turn ? in_turn(stages, 0, &stalls) : overlapped(stages, 0, 0, &stalls);
}

double input_step(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s)
{
	struct input_stages stages;
	struct input_stalls stalls;
	if (setting->lacking)
		return busy_s;
	input_stages_fill(setting, rates, load, false, &stages);
	return input_stages_step(setting, &stages, busy_s, &stalls);
}

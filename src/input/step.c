/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the parts of a step to the step. Samples are read, prepared and copied for later steps while devices are busy, so the
 * slowest part counts; in turn, their sum:
 *
 *     beside    max(fetch of the slowest reader, preparation, transfer, busy, wire of the exchange) + rest of the exchange
 *     in turn   fetch of the slowest reader + preparation + transfer + max(busy, wire) + rest of the exchange
 *
 * With few batches in the buffer more is lost near the knee: max(that, busy + stall of the buffer). What the step waits for is
 * split as DS-Analyzer does (Mohan et al., VLDB'21): each part is what the step would be shorter if it and all after it were
 * free, in the order preparation (and transfer), fetch, stragglers, exchange. The parts add up.
 */
#include "input/input.h"

static double beyond(double part_s, double *step_s)
{
	const double more_s = part_s > *step_s ? part_s - *step_s : 0;
	*step_s += more_s;
	return more_s;
}

static double in_turn(const struct input_legs *legs, double busy_s, struct input_stalls *stalls)
{
	double step_s = busy_s;
	stalls->exchange_s = beyond(legs->wire_s, &step_s) + legs->exchange_s;
	stalls->preparation_s = legs->preparation_s + legs->transfer_s;
	stalls->fetch_s = legs->fetch_s;
	stalls->straggler_s = legs->straggler_s;
	return step_s + legs->exchange_s + stalls->preparation_s + stalls->fetch_s + stalls->straggler_s;
}

static double overlapped(
	const struct input_legs *legs, double prefetch, double busy_s, struct input_stalls *stalls)
{
	const double fetch_s = legs->fetch_s + legs->straggler_s,
		     prepared_s =
			     legs->preparation_s > legs->transfer_s ? legs->preparation_s : legs->transfer_s;
	double step_s = busy_s;
	stalls->preparation_s = beyond(prepared_s, &step_s);
	stalls->fetch_s = beyond(legs->fetch_s, &step_s);
	stalls->straggler_s = beyond(fetch_s, &step_s);
	if (prefetch > 0) {
		const bool fetching = fetch_s > prepared_s;
		const double stall_s = buffer_stall_s(fetching ? fetch_s : prepared_s, busy_s, prefetch);
		*(fetching ? &stalls->fetch_s : &stalls->preparation_s) += beyond(busy_s + stall_s, &step_s);
	}
	stalls->exchange_s = beyond(legs->wire_s, &step_s) + legs->exchange_s;
	return step_s + legs->exchange_s;
}

double input_legs_step(const struct input_setting *setting, const struct input_legs *legs, double busy_s,
	struct input_stalls *stalls)
{
	return setting->options.in_turn ? in_turn(legs, busy_s, stalls)
					: overlapped(legs, setting->options.prefetch, busy_s, stalls);
}

double input_legs_alone_s(const struct input_setting *setting, const struct input_legs *legs)
{
	struct input_stalls stalls;
	return setting->options.in_turn ? in_turn(legs, 0, &stalls) : overlapped(legs, 0, 0, &stalls);
}

double input_step(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s)
{
	struct input_legs legs;
	struct input_stalls stalls;
	if (setting->lacking)
		return busy_s;
	input_legs_fill(setting, rates, load, false, &legs);
	return input_legs_step(setting, &legs, busy_s, &stalls);
}

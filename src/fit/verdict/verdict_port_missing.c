/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges whether only one network port of several is in use. Pairs of devices of two nodes that send at the same time
 * together get the rate of all ports, and a large allreduce passes its bus bandwidth through them. Neither exceeds
 * the rate of one port where the others are not used.
 */
#include "fit/verdict/verdict.h"
#include "machine/machine.h"

static const double least_bytes = 4 << 20, least_share = 0.4, most_share = 1.1;

static bool is_judged(const struct series *series, const struct level *far)
{
	const double bytes = cell_bytes(series_last(series));
	if (series->nodes < 2 || bytes < least_bytes)
		return false;
	if (series_is(series, "point-to-point"))
		return series->nodes == 2 && series->groups >= far->ports;
	return series_is(series, "allreduce") && series_is_library(series, "nccl") &&
	       series->devices / series->nodes >= far->ports;
}

static void judge_series(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	const struct level *far = verdict_far_level(calibration);
	if (!far || far->ports < 2)
		return;
	if (!is_judged(series, far))
		return;
	const double rate =
		series_is(series, "allreduce")
			? series_best_bus_rate(series)
			: series->groups * cell_bytes(series_last(series)) / series_last(series)->seconds;
	const double share = rate / far->bandwidth_bytes_per_s;
	if (share < least_share || share > most_share)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "port-missing",
		cell_place(calibration, series_last(series)),
		"NCCL_IB_HCA and UCX_NET_DEVICES name all ports; state of each port (ibstat); "
		"binding of "
		"processes to the port nearest to their device; rails cabled to the same switches"};
	verdict_say(calibration, &head,
		"%s: a node's exchange runs at %s, what one of its %u ports of %s carries",
		series_name(calibration, series), verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S),
		far->ports, verdict_quantity(calibration, far->bandwidth_bytes_per_s, DIMENSION_BYTES_PER_S));
}

void judge_port_missing(struct calibration *calibration)
{
	series_each(calibration, judge_series);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges large exchanges that take much longer, or much less, than the profile before says: its measured curves or,
 * without one, the best algorithm over its network. A factor of two is beyond the error of the model at large sizes.
 */
#include <string.h>

#include "fit/verdict/verdict.h"
#include "machine/machine.h"
#include "paradl/network.h"

static const double least_bytes = 8 << 20, slow = 2, very_slow = 4, fast = 0.4;

static const char *const operations[] = {[PARADL_ALLREDUCE] = "allreduce",
	[PARADL_ALLGATHER] = "allgather",
	[PARADL_REDUCE_SCATTER] = "reduce-scatter",
	[PARADL_BROADCAST] = "broadcast",
	[PARADL_REDUCE] = "reduce",
	[PARADL_ALL_TO_ALL] = "all-to-all"};

/* Returns the seconds that the profile expects; 0: it has no such operation or group, or no time was found. */
static double expected_s(
	const struct calibration *calibration, const struct series *series, struct paradl_network *network)
{
	const double bytes = cell_bytes(series_last(series));
	struct paradl_error ignored = {0};
	struct paradl_collective_table table;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
		if (!operations[i] || !series_is(series, operations[i]))
			continue;
		const struct paradl_collective_request request = {.operation = (enum paradl_operation)i,
			.ranks = series->devices,
			.concurrent = series->groups,
			.bytes = &bytes,
			.count = 1};
		if (paradl_collective(network, &request, calibration->arena, &table, &ignored))
			return table.rows[0].time_s;
	}
	return 0;
}

/* Returns whether the network has such groups, which are neighbours: whole nodes, or devices of one node. */
static bool is_judged(const struct calibration *calibration, const struct series *series)
{
	const struct paradl_machine *machine = calibration->before;
	const unsigned here = series->devices / series->nodes;
	return series->groups == 1 && strcmp(series->buffer, "host") != 0 && series->devices >= 2 &&
	       series->devices <= machine->devices && cell_bytes(series_last(series)) >= least_bytes &&
	       (series->nodes == 1 ? here <= machine->devices_per_node : here == machine->devices_per_node);
}

static void say(struct calibration *calibration, const struct series *series, double expected)
{
	const double measured = series_last(series)->seconds, factor = measured / expected;
	const struct verdict_head head = {factor > very_slow ? PARADL_BAD
					  : factor > slow    ? PARADL_SUSPECT
							     : PARADL_NOTE,
		"bus-bandwidth", cell_place(calibration, series_last(series)),
		factor > slow ? "links and ports that are down, GPUDirect (nvidia-peermem), access control "
				"services of PCIe "
				"(ACS off), the library's version and NCCL_* variables, other jobs"
			      : "reductions in the network (SHARP, NVLS), or a profile of another machine"};
	verdict_say(calibration, &head,
		"%s: %s take %s, %.2g times what the profile says; bus bandwidth %s instead of %s",
		series_name(calibration, series),
		verdict_quantity(calibration, cell_bytes(series_last(series)), DIMENSION_BYTES),
		verdict_quantity(calibration, measured, DIMENSION_TIME), factor,
		verdict_quantity(
			calibration, series_bus_rate(series, series_last(series)), DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, series_bus_rate(series, series_last(series)) * factor,
			DIMENSION_BYTES_PER_S));
}

void judge_bus_bandwidth(struct calibration *calibration)
{
	struct series_list list;
	struct paradl_network *network = NULL;
	if (!calibration->before)
		return;
	calibration->failed |= !series_make(calibration, &list, calibration->error);
	for (size_t i = 0; !calibration->failed && i < list.count; ++i) {
		const struct series *series = &list.items[i];
		if (!is_judged(calibration, series))
			continue;
		if (!network)
			network = paradl_network_create(
				calibration->arena, calibration->before, calibration->error);
		calibration->failed = !network;
		if (!network)
			return;
		const double expected = expected_s(calibration, series, network);
		const double factor = expected > 0 ? series_last(series)->seconds / expected : 1;
		if (factor > slow || factor < fast)
			say(calibration, series, expected);
	}
}

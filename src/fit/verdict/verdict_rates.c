/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges rates that are more than the hardware carries. Between nodes, no pair is faster than all ports of a node. An
 * allreduce of two nodes, or one that the network reduces, sends each byte once and may seem to be. Between devices, a
 * copy as fast as their own memory (1439 GB/s was published as a link's) is one within a device; no device's links
 * carry 1000 GB/s in one direction.
 *
 * Judges large exchanges that take much longer, or much less, than the profile before says: its measured curves or,
 * without one, the best algorithm over its network. A factor of two is beyond the error of the model at large sizes.
 *
 * Judges a device that is slower or faster than the profile before says: its link to the host (at half the rate, lanes
 * or a generation are missing), its memory, and its matrix products (at half the rate, clocks are held down; above the
 * peak, it was another number format).
 */
#include <stdio.h>
#include <string.h>

#include "fit/verdict/verdict.h"
#include "machine/machine.h"
#include "paradl/network.h"

static const double least_line_bytes = 1 << 20, slack = 1.05, most_link_rate = 1000e9, memory_share = 0.4;

static void say_line(struct calibration *calibration, const struct series *series, double rate, double line)
{
	const bool reduces = series_is(series, "allreduce");
	const struct verdict_head head = {reduces ? PARADL_NOTE : PARADL_SUSPECT, "beyond-line-rate",
		cell_place(calibration, series_last(series)),
		reduces ? "two nodes send each byte once, and switches that reduce (SHARP) make it so for "
			  "more: fit neither "
			  "to larger numbers of nodes"
			: "the profile's ports and bandwidth; ranks that shared a node; sizes of one rank "
			  "taken for those of all"};
	verdict_say(calibration, &head, "%s: %s, more than the %s of a node's ports",
		series_name(calibration, series), verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, line, DIMENSION_BYTES_PER_S));
}

static void judge_line(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	const struct level *far = verdict_far_level(calibration);
	if (!far)
		return;
	const struct cell *last = series_last(series);
	const double line = far->bandwidth_bytes_per_s * far->ports;
	if (series->nodes < 2 || cell_bytes(last) < least_line_bytes || series_is(series, "halo"))
		return;
	const double rate =
		series_bus_rate(series, last) * (series_is(series, "point-to-point") ? series->groups : 1);
	if (rate > slack * line)
		say_line(calibration, series, rate, line);
}

double verdict_memory_rate(const struct calibration *calibration)
{
	const struct paradl_fitted_number *number =
		fitted_number_find(calibration, PARADL_FITTED_DEVICE, "memory_rate");
	if (number)
		return number->value;
	return calibration->before ? calibration->before->device.memory_bytes_per_s : 0;
}

/* Returns bytes / s of a large copy between devices; 0 for all else, such as copies to and from hosts. */
static double peer_rate(const struct cell *cell)
{
	const struct sample_point *point = cell->point;
	const char *kind = sample_text(point, "kind"), *buffer = sample_text(point, "buffer");
	const double bytes = sample_number(point, "size", sample_number(point, "bytes", 0));
	const bool is_peer = strcmp(point->bench, "transfer") == 0 && kind && strcmp(kind, "peer") == 0;
	const bool is_pair =
		strcmp(point->bench, "point-to-point") == 0 && buffer && strcmp(buffer, "device") == 0;
	return (is_peer || is_pair) && bytes >= least_line_bytes ? bytes / cell->seconds : 0;
}

static void judge_copies(struct calibration *calibration)
{
	const double memory = verdict_memory_rate(calibration);
	const struct cell *worst = NULL;
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const struct cell *cell = &calibration->cells->items[i];
		const double rate = peer_rate(cell), from = sample_number(cell->point, "from", -1);
		const bool is_self = from >= 0 && !(sample_number(cell->point, "to", -2) > from) &&
				     !(sample_number(cell->point, "to", -2) < from);
		const bool is_odd = rate > most_link_rate || (memory > 0 && rate > memory_share * memory);
		if (rate > 0 && (is_self || is_odd) && (!worst || rate > peer_rate(worst)))
			worst = cell;
	}
	if (!worst)
		return;
	const struct verdict_head head = {PARADL_BAD, "self-copy", cell_place(calibration, worst),
		"source and destination are on two devices: ranks bound to devices one by one "
		"(CUDA_VISIBLE_DEVICES, "
		"local rank), --gpus-per-task"};
	verdict_say(calibration, &head,
		"%s: a copy between devices runs at %s%s%s, as only copies within one do", worst->point->name,
		verdict_quantity(calibration, peer_rate(worst), DIMENSION_BYTES_PER_S),
		memory > 0 ? " beside a memory of " : "",
		memory > 0 ? verdict_quantity(calibration, memory, DIMENSION_BYTES_PER_S) : "");
}

void judge_line_rate(struct calibration *calibration)
{
	series_each(calibration, judge_line);
	judge_copies(calibration);
}

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

static const double large_copy = 16 << 20, low_link = 0.7, low_memory = 0.75, low_product = 0.6, above = 1.05;
static const double least_flop = 1e9;

/* Finds the fastest large copy from or to the host by one device at a time, and its rate; NULL: none. */
static const struct cell *host_copy(const struct cells *cells, double *rate)
{
	const struct cell *best = NULL;
	*rate = 0;
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		const char *kind =
			strcmp(cell->point->bench, "transfer") == 0 ? sample_text(cell->point, "kind") : NULL;
		const double bytes = sample_number(cell->point, "size", cell->point->bytes);
		if (!kind || (strcmp(kind, "to-device") != 0 && strcmp(kind, "to-host") != 0) ||
			bytes < large_copy || sample_number(cell->point, "groups", 1) > 1 ||
			bytes / cell->seconds < *rate)
			continue;
		best = cell;
		*rate = bytes / cell->seconds;
	}
	return best;
}

static void judge_link(struct calibration *calibration)
{
	const double expected = calibration->before ? calibration->before->device.link.host_bytes_per_s : 0;
	double rate;
	const struct cell *cell = host_copy(calibration->cells, &rate);
	if (!cell || !(expected > 0) || rate > low_link * expected)
		return;
	const double share = rate / expected;
	const char *what = share > 0.4 && share < 0.6 ? "half of it: 8 lanes of 16, or one generation less"
			   : share > 0.2 && share < 0.3
				   ? "a quarter: 4 lanes of 16, 8 and one generation less, or two generations"
				   : "less than is usual";
	const struct verdict_head head = {share < 0.6 ? PARADL_BAD : PARADL_SUSPECT, "pcie-width",
		cell_place(calibration, cell),
		"width and speed of the link under load: nvidia-smi -q -d PCIE, lspci -vv (LnkSta); the "
		"slot; memory on "
		"the device's own socket (numactl); pinned memory"};
	verdict_say(calibration, &head,
		"copies between host and device reach %s where the profile says %s: %s",
		verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, expected, DIMENSION_BYTES_PER_S), what);
}

static void judge_memory(struct calibration *calibration)
{
	const struct paradl_fitted_number *number =
		fitted_number_find(calibration, PARADL_FITTED_DEVICE, "memory_rate");
	const double expected = calibration->before ? calibration->before->device.memory_bytes_per_s : 0;
	if (!number || !(expected > 0) || number->value > low_memory * expected)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "memory-rate", "memory_rate",
		"other processes on the device, memory clocks, channels that are not filled, error "
		"correction, several "
		"ranks that share one memory"};
	verdict_say(calibration, &head, "memory moves %s where the profile says %s (%.0f %%)",
		verdict_quantity(calibration, number->value, DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, expected, DIMENSION_BYTES_PER_S),
		100 * number->value / expected);
}

const struct cell *verdict_best_product(const struct cells *cells, const char *name)
{
	const struct cell *best = NULL;
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		const char *format = strcmp(cell->point->bench, "gemm") == 0
					     ? sample_text(cell->point, "precision")
					     : NULL;
		if (!format || strcmp(format, name) != 0 || cell->point->flop < least_flop ||
			sample_number(cell->point, "busy", 1) > 1)
			continue;
		if (!best || cell->point->flop / cell->seconds > best->point->flop / best->seconds)
			best = cell;
	}
	return best;
}

static void judge_product(struct calibration *calibration, enum paradl_precision precision)
{
	const struct device *device = &calibration->before->device;
	const double peak = device->peak_flop_per_s[precision];
	const double sustained = device->product.sustained[precision];
	const double share = sustained > 0 ? sustained : device->efficiency;
	const struct cell *cell =
		peak > 0 ? verdict_best_product(calibration->cells, paradl_precision_name(precision)) : NULL;
	const double rate = cell ? cell->point->flop / cell->seconds : 0;
	if (!cell || (rate > low_product * peak * share && rate < above * peak))
		return;
	const bool is_fast = rate > peak;
	const struct verdict_head head = {is_fast ? PARADL_BAD : PARADL_SUSPECT, "product-rate",
		cell_place(calibration, cell),
		is_fast ? "the number format that was computed in (tf32 for fp32: NVIDIA_TF32_OVERRIDE=0), "
			  "operands of zeros, "
			  "the device's name"
			: "clocks and power limits (nvidia-smi -q -d CLOCK,POWER,PERFORMANCE), temperature, "
			  "the number "
			  "format, the library's version, other processes"};
	verdict_say(calibration, &head, "%s: the fastest product runs at %s where the profile says %s%s",
		paradl_precision_name(precision), verdict_quantity(calibration, rate, DIMENSION_FLOP_PER_S),
		verdict_quantity(calibration, is_fast ? peak : peak * share, DIMENSION_FLOP_PER_S),
		is_fast ? " at most" : "");
}

void judge_device_rates(struct calibration *calibration)
{
	judge_link(calibration);
	judge_memory(calibration);
	for (unsigned i = 0; calibration->before && i < PARADL_PRECISION_COUNT; ++i)
		judge_product(calibration, (enum paradl_precision)i);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges rates that are more than the hardware carries. Between nodes, no pair is faster than all ports of a node. An
 * allreduce of two nodes, or one that the network reduces, sends each byte once and may seem to be. Between devices,
 * a copy as fast as their own memory (1439 GB/s was published as a link's) is one within a device; no device's links
 * carry 1000 GB/s in one direction.
 */
#include <string.h>

#include "fit/verdict/verdict.h"
#include "machine/machine.h"

static const double least_bytes = 1 << 20, slack = 1.05, most_link_rate = 1000e9, memory_share = 0.4;

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
	if (series->nodes < 2 || cell_bytes(last) < least_bytes || series_is(series, "halo"))
		return;
	const double rate =
		series_bus_rate(series, last) * (series_is(series, "point-to-point") ? series->groups : 1);
	if (rate > slack * line)
		say_line(calibration, series, rate, line);
}

/* Returns the rate of the device's own memory, as measured now or as the profile before has it; 0: not known. */
static double memory_rate(const struct calibration *calibration)
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
	return (is_peer || is_pair) && bytes >= least_bytes ? bytes / cell->seconds : 0;
}

static void judge_copies(struct calibration *calibration)
{
	const double memory = memory_rate(calibration);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges a device that is slower or faster than the profile before says: its link to the host (at half the rate,
 * lanes or a generation are missing), its memory, and its matrix products (at half the rate, clocks are held down;
 * above the peak, it was another number format).
 */
#include <stdio.h>
#include <string.h>

#include "fit/verdict/verdict.h"
#include "machine/machine.h"

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

/* Finds the fastest product of a number format with one device at work on its host; NULL: none. */
static const struct cell *best_product(const struct cells *cells, enum paradl_precision precision)
{
	const struct cell *best = NULL;
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		const char *format = strcmp(cell->point->bench, "gemm") == 0
					     ? sample_text(cell->point, "precision")
					     : NULL;
		if (!format || strcmp(format, paradl_precision_name(precision)) != 0 ||
			cell->point->flop < least_flop || sample_number(cell->point, "busy", 1) > 1)
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
	const struct cell *cell = peak > 0 ? best_product(calibration->cells, precision) : NULL;
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

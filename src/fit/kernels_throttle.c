/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what the power limit leaves of the rate of products, after all other constants. */
#include <math.h>
#include <string.h>

#include "fit/kernels_fitting.h"
#include "machine/format.h"

/* Returns whether rows of a number format were measured at the clock of long work: their rates need no lowering. */
static bool runs_long(const struct kernel_fitting *fitting, enum paradl_precision precision)
{
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		if (row->precision == precision && row->is_long)
			return true;
	}
	return false;
}

/*
 * Sets the throttled share of all formats to the same value while the other constants are sought, since few of their
 * rows are long; to 1 where all are.
 */
void kernels_throttle_alike(const struct kernel_fitting *fitting)
{
	const double usual = 0.85;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double share = runs_long(fitting, (enum paradl_precision)i) ? 1 : usual;
		for (size_t d = 0; d < fitting->rows->device_count; ++d)
			fitting->devices[d].product.throttled[i] = share;
	}
}

/* Returns the share of the product rate at which a row runs; its device must have a throttled share of 1. */
static double throttled_share(const struct kernel_fitting *fitting, const struct kernel_row *row)
{
	const struct device *device = &fitting->devices[row->device];
	const double arithmetic_s =
		2 * row->m * row->n * row->k * row->count * device->product_rates.s_per_flop[row->precision];
	return 1 / fmax(1, 1 + (row->seconds - kernel_row_s(device, row)) / arithmetic_s);
}

/*
 * Stores the share of the rate that the power limit leaves to large products of one format that take long, if there
 * are ten or more; else puts back the numbers of the files.
 */
void kernels_throttled_store(
	const struct kernel_fitting *fitting, const struct kernel_constant *constant, struct kernel_fit *fit)
{
	const size_t fewest = 10;
	const double large = 1024;
	double sum = 0;
	size_t count = 0;
	struct place place;
	if (!device_place(constant->name, &place))
		return;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		kernel_constant_put(&fitting->devices[d], &place, 1);
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		if (row->precision != constant->precision || row->seconds < throttle_s || row->m < large ||
			row->n < large || row->k < large)
			continue;
		sum += log(throttled_share(fitting, row));
		++count;
	}
	const bool is_long = runs_long(fitting, constant->precision), is_known = count >= fewest || is_long;
	const double share = is_long ? 1 : exp(sum / (double)count);
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		for (unsigned i = 0; i < place.count && !is_known; ++i)
			*(double *)(void *)((char *)&fitting->devices[d] + place.offsets[i]) =
				*(const double *)(const void *)((const char *)&fitting->files[d] +
								place.offsets[i]);
	if (!is_known)
		return;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		kernel_constant_put(&fitting->devices[d], &place, share);
	fit->constants[fit->count] = constant;
	fit->values[fit->count++] = share;
}

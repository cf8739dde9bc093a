/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what the power limit leaves of the rate of products, after all other constants. */
#include <math.h>
#include <string.h>

#include "fit/kernels_fitting.h"
#include "machine/format.h"

/* Returns whether rows of a number format were measured at the clock of long work, as those of a calibration. */
static bool runs_long(const struct kernel_fitting *fitting, enum paradl_precision precision)
{
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		if (row->precision == precision && row->is_long)
			return true;
	}
	return false;
}

/* Returns whether two rows are one product, the first from rest, the second at the clock of long work. */
static bool are_states(const struct kernel_row *rested, const struct kernel_row *settled)
{
	return !rested->is_long && settled->is_long && rested->device == settled->device &&
	       rested->precision == settled->precision &&
	       !(rested->m < settled->m || rested->m > settled->m) &&
	       !(rested->n < settled->n || rested->n > settled->n) &&
	       !(rested->k < settled->k || rested->k > settled->k) &&
	       !(rested->count < settled->count || rested->count > settled->count);
}

/*
 * Returns what the power limit leaves of a format's rate where the same products were measured from rest and at the clock of long work: the
 * geometric mean of the ratios of their times, at most 1; also 1 where none was.
 */
static double settled_share_of_rows(
	const struct kernel_fitting *fitting, const struct kernel_constant *constant)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < fitting->count; ++i)
		for (size_t j = 0; j < fitting->count; ++j) {
			const struct kernel_row *const rested = &fitting->rows->items[fitting->selected[i]];
			const struct kernel_row *const settled = &fitting->rows->items[fitting->selected[j]];
			if (rested->precision != constant->precision || !are_states(rested, settled))
				continue;
			sum += log(rested->seconds / settled->seconds);
			++count;
		}
	return count ? fmin(constant->high, fmax(constant->low, exp(sum / (double)count))) : 1;
}

/*
 * Sets the throttled share of all formats to the same value while the other constants are sought, since few of their
 * rows are long; to what was measured of it, or 1, where all are.
 */
void kernels_throttle_alike(const struct kernel_fitting *fitting)
{
	const double usual = 0.85;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double share = runs_long(fitting, (enum paradl_precision)i) ? 1 : usual;
		for (size_t d = 0; d < fitting->rows->device_count; ++d)
			fitting->devices[d].product.throttled[i] = share;
	}
	for (size_t i = 0; i < fitting->all_count; ++i) {
		const struct kernel_constant *const constant = &fitting->all[i];
		struct place place;
		if (constant->kind != KERNEL_GEMM || !constant->throttles ||
			!runs_long(fitting, constant->precision) || !device_place(constant->name, &place))
			continue;
		for (size_t d = 0; d < fitting->rows->device_count; ++d)
			kernel_constant_put(
				&fitting->devices[d], &place, settled_share_of_rows(fitting, constant));
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
	const double share = is_long ? settled_share_of_rows(fitting, constant) : exp(sum / (double)count);
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

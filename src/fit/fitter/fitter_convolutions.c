/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits how fast convolutions run. The model is device_contraction_s itself, on the products that
 * oracle/image_kernels.c makes of a layer. Its values are half-lengths that all formats share, a rate for each
 * format, and passes over the matrix of patches if the measured convolutions made one. Shares of the peak are those
 * of the rate while all devices of the node are at work.
 */
#include <stdio.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"

enum { LENGTHS = 3, PATH_LENGTH = 80, FEW = 2 };
static const double rate_unit = 1e9;

struct convolutions {
	struct device device;
	struct cell_list list;
	struct formats_seen formats;
	const unsigned *slots;
	struct contraction *rows;
	bool patches;
	double start[FITTED_MAX];
	unsigned count;
	double residual;
};

/* Returns the matrix product of one pass of a convolution, as oracle/image_kernels.c makes it. */
static struct contraction contraction_of(const struct convolutions *convolutions, const struct cell *cell)
{
	const double batch = cell_number(cell, "batch", 1), volume = cell_number(cell, "volume", 1);
	const double groups = cell_number(cell, "groups", 1);
	const double f = cell_number(cell, "filters", 1) / groups,
		     c = cell_number(cell, "channels", 1) / groups;
	const double bo = batch * cell_number(cell, "positions", 1);
	const double x_items = batch * cell_number(cell, "x_positions", 1) * c * groups;
	const double item =
		cell_says(cell, "precision", "fp32") || cell_says(cell, "precision", "tf32") ? 4 : 2;
	const bool lowered = cell_number(cell, "patch_items", 0) > 0 && volume > 1;
	const bool winograd = cell_number(cell, "dimensions", 0) > 1 && volume > 8 && volume < 10 &&
			      cell_number(cell, "dimensions", 0) < 3 && cell_number(cell, "stride", 1) < 2;
	struct contraction product = {.m = bo,
		.n = f,
		.k = c * volume,
		.groups = groups,
		.bytes = (x_items + bo * f * groups + f * groups * c * volume) * item,
		.speed_up = winograd ? convolutions->device.winograd : 1,
		.patch_bytes = lowered ? bo * c * groups * volume * item : 0};
	if (cell_says(cell, "pass", "backward-data")) {
		product.n = lowered ? c * volume : c;
		product.k = lowered ? f : f * volume;
	} else if (cell_says(cell, "pass", "backward-filter")) {
		product.m = c * volume;
		product.k = bo;
		product.tile_m = true;
	}
	return product;
}

static void model(void *context, const double *values, double *seconds)
{
	struct convolutions *convolutions = context;
	struct device *device = &convolutions->device;
	const unsigned formats = convolutions->formats.count;
	const double *rates = values + LENGTHS, *rest = rates + formats;
	device->half = (struct half_lengths){values[0], values[1], values[2]};
	for (unsigned i = 0; i < formats; ++i)
		device->s_per_flop[convolutions->formats.precision[i]] = 1 / (rates[i] * rate_unit);
	device->patches = convolutions->patches ? *rest++ : 0;
	for (size_t i = 0; i < convolutions->list.count; ++i) {
		const double s = device_contraction_s(device,
			convolutions->formats.precision[convolutions->slots[i]], &convolutions->rows[i]);
		seconds[i] = cell_is_busy(convolutions->list.items[i], &convolutions->list) ? s * *rest : s;
	}
}

/*
 * Fits once to `seconds`. The values are the half-lengths, the passes over patches, the rate of each format with one
 * device alone, then the rate of each with all at work. The first fit also sets where later fits start.
 */
static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct convolutions *convolutions = context;
	const unsigned formats = convolutions->formats.count;
	double found[FITTED_MAX];
	struct relative_fit problem = {.model = model,
		.context = convolutions,
		.seconds = seconds,
		.rows = convolutions->list.count,
		.count = convolutions->count};
	for (unsigned i = 0; i < convolutions->count; ++i)
		found[i] = convolutions->start[i];
	if (!relative_fit(&problem, found, error))
		return false;
	for (unsigned i = 0; first && i < convolutions->count; ++i)
		convolutions->start[i] = found[i];
	if (first)
		convolutions->residual = problem.residual;
	const double slowdown = convolutions->list.busiest > 1 ? found[convolutions->count - 1] : 1;
	for (unsigned i = 0; i < LENGTHS; ++i)
		values[i] = found[i];
	values[LENGTHS] = convolutions->patches ? found[LENGTHS + formats] : 0;
	for (unsigned i = 0; i < formats; ++i) {
		values[LENGTHS + 1 + i] = found[LENGTHS + i] * rate_unit;
		values[LENGTHS + 1 + formats + i] = values[LENGTHS + 1 + i] / slowdown;
	}
	return true;
}

static bool begin(
	const struct calibration *calibration, struct convolutions *convolutions, struct paradl_error *error)
{
	struct cell_list *list = &convolutions->list;
	cells_at_work(list, (size_t)FEW * (LENGTHS + 2));
	convolutions->slots = formats_of(calibration, list, &convolutions->formats);
	convolutions->rows = arena_alloc(calibration->arena, list->count + 1, sizeof *convolutions->rows);
	if (!convolutions->slots || !convolutions->rows)
		return out_of_memory(error);
	device_so_far(calibration, &convolutions->device);
	for (unsigned i = 0; i < LENGTHS; ++i)
		convolutions->start[i] = 8;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		double *rate = &convolutions->start[LENGTHS + convolutions->slots[i]];
		const double here = cell->point->flop / cell->seconds / rate_unit;
		convolutions->rows[i] = contraction_of(convolutions, cell);
		convolutions->patches |= convolutions->rows[i].patch_bytes > 0;
		*rate = here > *rate ? here : *rate;
	}
	convolutions->count = LENGTHS + convolutions->formats.count;
	if (convolutions->patches)
		convolutions->start[convolutions->count++] = 1;
	if (list->busiest > 1)
		convolutions->start[convolutions->count++] = 1.1;
	return true;
}

static bool shares_put(struct calibration *calibration, const struct convolutions *convolutions,
	const struct fitted_value *rates, const struct fit_source *source, struct paradl_error *error)
{
	const unsigned formats = convolutions->formats.count;
	char path[PATH_LENGTH];
	for (unsigned i = 0; i < formats; ++i) {
		const char *name = convolutions->formats.name[i];
		const enum paradl_precision precision = convolutions->formats.precision[i];
		const double peak =
			peak_settle(calibration, "convolution", name, precision, &rates[i], source, error);
		if (peak < 0)
			return false;
		const struct fitted_value share = share_of(&rates[formats + i], peak);
		snprintf(path, sizeof path,
			precision == PARADL_FP32 ? "contraction/efficiency" : "contraction/sustained/%s",
			name);
		if (!number_put(calibration, PARADL_FITTED_DEVICE, path, "", &share, source, error))
			return false;
	}
	return true;
}

bool fit_convolutions(struct calibration *calibration, struct paradl_error *error)
{
	static const char *const paths[] = {
		"contraction/half/m", "contraction/half/n", "contraction/half/k", "contraction/patches"};
	struct convolutions convolutions = {.residual = 0};
	struct launch_times times;
	struct fitted_value values[2 * FITTED_MAX];
	if (!cells_of(calibration, "convolution", &convolutions.list, error) ||
		!begin(calibration, &convolutions, error))
		return false;
	if (convolutions.list.count < (size_t)FEW * convolutions.count)
		return true;
	if (!launch_times_make(
		    calibration->arena, convolutions.list.items, convolutions.list.count, &times, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, &convolutions,
			LENGTHS + 1 + 2 * convolutions.formats.count, values, error))
		return false;
	const struct fit_source source = {&times, convolutions.residual};
	for (unsigned i = 0; i < LENGTHS + (convolutions.patches ? 1u : 0u); ++i)
		if (!number_put(calibration, PARADL_FITTED_DEVICE, paths[i], "", &values[i], &source, error))
			return false;
	return shares_put(calibration, &convolutions, values + LENGTHS + 1, &source, error);
}

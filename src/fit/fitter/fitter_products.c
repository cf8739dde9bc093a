/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits how fast matrix products run, from their shapes. The model is device_gemm_s itself. All formats share
 * half-lengths. Each format has a rate of its own. Shares of the peak are those of the rate while all devices of the
 * node are at work. Where the device's units are known, tiled_products.c does it, unless products are too few: then
 * rates alone are fitted. Rates are those of settled clocks; from rest they are as much higher as burst.c says.
 */
#include <stdio.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"

enum { SHARED = 3, PATH_LENGTH = 80, FEW = 4 };
/* Values of a fit: those that all formats share, a rate for each format, and the slowdown, if there is one. */
enum { HALF_M, HALF_N, HALF_K };
static const double rate_unit = 1e9;

struct products {
	struct device device;
	struct cell_list list;
	struct formats_seen formats;
	const unsigned *slots;
	bool tiles, shapes; /* tiles: units are known; shapes: enough of them to fit half-lengths */
	double start[FITTED_MAX];
	unsigned count;
	double residual;
};

static unsigned shared_count(const struct products *products)
{
	return products->shapes ? SHARED : 0;
}

static void model(void *context, const double *values, double *seconds)
{
	struct products *products = context;
	struct device *device = &products->device;
	const double *rates = values + shared_count(products);
	if (products->shapes)
		device->product.half = (struct half_lengths){values[HALF_M], values[HALF_N], values[HALF_K]};
	for (unsigned i = 0; i < products->formats.count; ++i) {
		device->peak_flop_per_s[products->formats.precision[i]] = rates[i] * rate_unit;
		device->product.sustained[products->formats.precision[i]] = 1;
	}
	device_product_derive(device);
	for (size_t i = 0; i < products->list.count; ++i) {
		const struct cell *cell = products->list.items[i];
		const double s = device_gemm_s(device, products->formats.precision[products->slots[i]],
			cell_number(cell, "m", 1), cell_number(cell, "n", 1), cell_number(cell, "k", 1),
			cell_number(cell, "count", 1), cell->point->bytes);
		seconds[i] = cell_is_busy(cell, &products->list) ? s * rates[products->formats.count] : s;
	}
}

/*
 * Fits once to `seconds`. The values are the shared ones, the rate of each format with one device alone, then the
 * rate of each with all at work. The first fit also sets where later fits start.
 */
static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct products *products = context;
	double found[FITTED_MAX];
	const unsigned shared = shared_count(products), formats = products->formats.count;
	struct relative_fit problem = {.model = model,
		.context = products,
		.seconds = seconds,
		.rows = products->list.count,
		.count = products->count};
	for (unsigned i = 0; i < products->count; ++i)
		found[i] = products->start[i];
	if (!relative_fit(&problem, found, error))
		return false;
	for (unsigned i = 0; first && i < products->count; ++i)
		products->start[i] = found[i];
	if (first)
		products->residual = problem.residual;
	const double slowdown = products->list.busiest > 1 ? found[shared + formats] : 1;
	for (unsigned i = 0; i < shared; ++i)
		values[i] = found[i];
	for (unsigned i = 0; i < formats; ++i) {
		values[shared + i] = found[shared + i] * rate_unit;
		values[shared + formats + i] = values[shared + i] / slowdown;
	}
	return true;
}

/* Sets where the fit starts: rates at the best that was measured, half-lengths at 8. */
static bool begin(
	const struct calibration *calibration, struct products *products, struct paradl_error *error)
{
	cells_at_work(&products->list, (size_t)FEW * (SHARED + 1));
	products->slots = formats_of(calibration, &products->list, &products->formats);
	if (!products->slots)
		return out_of_memory(error);
	device_so_far(calibration, &products->device);
	products->tiles = products->device.product.units > 0;
	const unsigned rates = products->formats.count + (products->list.busiest > 1);
	products->shapes = !products->tiles && products->list.count >= (size_t)FEW * (SHARED + rates);
	const unsigned shared = shared_count(products);
	for (unsigned i = 0; i < shared; ++i)
		products->start[i] = 8;
	for (size_t i = 0; i < products->list.count; ++i) {
		const struct cell *cell = products->list.items[i];
		double *rate = &products->start[shared + products->slots[i]];
		const double here = cell->point->flop / cell->seconds / rate_unit;
		*rate = here > *rate ? here : *rate;
	}
	products->count = shared + rates;
	if (products->list.busiest > 1)
		products->start[products->count - 1] = 1.1;
	return true;
}

static bool lengths_put(struct calibration *calibration, const char *block, const struct fitted_value *values,
	const struct fit_source *source, struct paradl_error *error)
{
	static const char *const names[SHARED] = {"m", "n", "k"};
	char path[PATH_LENGTH];
	for (unsigned i = 0; i < SHARED; ++i) {
		snprintf(path, sizeof path, "%s/half/%s", block, names[i]);
		if (!number_put(calibration, PARADL_FITTED_DEVICE, path, "", &values[i], source, error))
			return false;
	}
	return true;
}

/*
 * Returns whether the numbers of products hold for contractions too: no convolution was measured, and the device's
 * units, which run tiles of products, are not known.
 */
static bool stands_for_contractions(const struct calibration *calibration, const struct products *products)
{
	for (size_t i = 0; i < calibration->cells->count; ++i)
		if (cell_says(&calibration->cells->items[i], "pass", "forward") &&
			cell_number(&calibration->cells->items[i], "volume", 0) > 0)
			return false;
	return !products->tiles;
}

/*
 * Adds what the power limit leaves of a format's rate. Where it was not measured, steps run at the rates measured here: samples run without
 * pause, so the limit has lowered them already; that is added only where the device's profile said otherwise before.
 */
static bool throttled_put(struct calibration *calibration, const char *name, enum paradl_precision precision,
	const struct settled_share *settled, const struct fit_source *source, struct paradl_error *error)
{
	const struct fitted_value all = {.value = 1, .low = 1, .high = 1};
	const struct fit_source measured = {&settled->times, -1};
	char path[PATH_LENGTH];
	if (!settled->is_known &&
		(!calibration->before || !(calibration->before->device.product.throttled[precision] < 1)))
		return true;
	snprintf(path, sizeof path, "product/throttled/%s", name);
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "",
		settled->is_known ? &settled->value : &all, settled->is_known ? &measured : source, error);
}

/* Returns a rate of settled clocks as it is from rest. */
static struct fitted_value rate_from_rest(
	const struct fitted_value *rate, const struct settled_share *settled)
{
	const double share = settled->is_known ? settled->value.value : 1;
	return (struct fitted_value){rate->value / share, rate->low / share, rate->high / share};
}

static bool rates_put(struct calibration *calibration, const struct products *products,
	const struct fitted_value *values, const struct fit_source *source, struct paradl_error *error)
{
	const bool stands = stands_for_contractions(calibration, products);
	const unsigned formats = products->formats.count;
	char path[PATH_LENGTH];
	for (unsigned i = 0; i < formats; ++i) {
		const char *name = products->formats.name[i];
		const enum paradl_precision precision = products->formats.precision[i];
		struct settled_share settled;
		if (!settled_share(calibration, name, &settled, error))
			return false;
		const struct fitted_value alone = rate_from_rest(&values[i], &settled),
					  together = rate_from_rest(&values[formats + i], &settled);
		const double peak = peak_settle(calibration, "gemm", name, precision, &alone, source, error);
		if (peak < 0)
			return false;
		const struct fitted_value share = share_of(&values[formats + i], peak),
					  rested = share_of(&together, peak);
		snprintf(path, sizeof path, "product/sustained/%s", name);
		if (!number_put(calibration, PARADL_FITTED_DEVICE, path, "", &rested, source, error))
			return false;
		if (!throttled_put(calibration, name, precision, &settled, source, error))
			return false;
		snprintf(path, sizeof path,
			precision == PARADL_FP32 ? "contraction/efficiency" : "contraction/sustained/%s",
			name);
		if (stands && !number_put(calibration, PARADL_FITTED_DEVICE, path, "", &share, source, error))
			return false;
	}
	return true;
}

/* Leaves out products whose file does not say how much work they were, as they have no rate. An outlier says so. */
static bool leave_unknown_out(
	struct calibration *calibration, struct cell_list *list, struct paradl_error *error)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		if (cell->point->flop > 0) {
			list->items[kept++] = cell;
			continue;
		}
		struct paradl_outlier *outlier = outlier_add(calibration, error);
		if (!outlier)
			return false;
		*outlier = (struct paradl_outlier){.file = cell->point->launch->file,
			.line = cell->point->line,
			.point = cell->point->name,
			.text = "a product without its \"flop\": no rate comes of it"};
	}
	list->count = kept;
	return true;
}

bool fit_products(struct calibration *calibration, struct paradl_error *error)
{
	struct products products = {.residual = 0};
	struct launch_times times;
	struct fitted_value values[2 * FITTED_MAX];
	if (!cells_of(calibration, "gemm", &products.list, error))
		return false;
	if (products_are_tiled(calibration, products.list.count) &&
		!cells_of_products(calibration, &products.list, error))
		return false;
	if (!leave_unknown_out(calibration, &products.list, error) || !begin(calibration, &products, error))
		return false;
	if (products_are_tiled(calibration, products.list.count))
		return tiled_products_fit(
			calibration, &products.list, products.slots, &products.formats, error);
	if (products.list.count < products.count || !products.list.count)
		return true;
	const unsigned shared = shared_count(&products);
	if (!launch_times_make(calibration->arena, products.list.items, products.list.count, &times, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, &products,
			shared + 2 * products.formats.count, values, error))
		return false;
	const struct fit_source source = {&times, products.residual};
	if ((shared && !lengths_put(calibration, "product", values, &source, error)) ||
		!rates_put(calibration, &products, values + shared, &source, error))
		return false;
	return !shared || !stands_for_contractions(calibration, &products) ||
	       lengths_put(calibration, "contraction", values, &source, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits products on a device whose multiprocessors are known by the same code, and so to the same numbers, as published
 * times of kernels (kernels_fit.c): a launch, waves, small tiles, splits, shares of the rates of products and of memory.
 */
#include <string.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"
#include "fit/kernels_profile.h"

/* Twenty-five published products predict the others about as well as all 120 do (tests/cli/kernels.t). */
enum { ENOUGH = 24 };

bool products_are_tiled(const struct calibration *calibration, size_t products)
{
	return calibration->before && calibration->before->device.product.units > 0 && products >= ENOUGH;
}

struct tiled {
	struct paradl_arena *arena;
	struct device device; /* device before the fit, with settled peaks */
	struct kernel_rows rows;
	bool *used;
	const char *device_name;
	struct kernel_fit found; /* first fit, of all launches together */
};

/* Fits to `seconds`; values are those of the constants that the first fit has found, in the device's units. */
static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct tiled *const tiled = context;
	struct device device = tiled->device;
	struct kernel_fit fit = {.count = 0};
	if (!first)
		fit = tiled->found;
	for (size_t i = 0; i < tiled->rows.count; ++i)
		tiled->rows.items[i].seconds = seconds[i];
	if (!kernels_fit(tiled->arena, &tiled->rows, tiled->used, &device, &fit, error))
		return false;
	if (first)
		tiled->found = fit;
	for (size_t i = 0; i < FITTED_MAX; ++i)
		values[i] = 0;
	for (size_t i = 0; i < tiled->found.count && i < FITTED_MAX; ++i) {
		const struct kernel_constant *const constant = tiled->found.constants[i];
		values[i] = tiled->found.values[i];
		for (size_t j = 0; j < fit.count; ++j)
			if (fit.constants[j] == constant)
				values[i] = fit.values[j];
		values[i] *= kernel_constant_scale(constant, &tiled->device);
	}
	return true;
}

/* Raises peaks that are known to be too low to the best rate that was measured, since shares are of 1 at most. */
static bool peaks_settle(struct calibration *calibration, struct tiled *tiled, const struct cell_list *list,
	const unsigned *slots, const struct formats_seen *formats, const struct fit_source *source,
	struct paradl_error *error)
{
	for (unsigned f = 0; f < formats->count; ++f) {
		double best = 0;
		for (size_t i = 0; i < list->count; ++i) {
			const struct cell *const cell = list->items[i];
			if (slots[i] == f && cell->point->flop / cell->seconds > best)
				best = cell->point->flop / cell->seconds;
		}
		const struct fitted_value rate = {best, best, best};
		const double peak = peak_settle(
			calibration, "gemm", formats->name[f], formats->precision[f], &rate, source, error);
		if (peak < 0)
			return false;
		tiled->device.peak_flop_per_s[formats->precision[f]] = peak;
	}
	device_derive(&tiled->device);
	return true;
}

static bool rows_make(struct tiled *tiled, struct cell_list *list, unsigned *kept_slots,
	const unsigned *slots, const struct formats_seen *formats)
{
	size_t kept = 0;
	tiled->rows = (struct kernel_rows){
		.items = arena_alloc(tiled->arena, list->count + 1, sizeof *tiled->rows.items),
		.devices = &tiled->device_name,
		.device_count = 1};
	tiled->used = arena_alloc(tiled->arena, list->count + 1, sizeof(bool));
	if (!tiled->rows.items || !tiled->used)
		return false;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *const cell = list->items[i];
		if (!kernel_row_of_cell(cell, formats->precision[slots[i]], &tiled->rows.items[kept]))
			continue;
		tiled->used[kept] = true;
		kept_slots[kept] = slots[i];
		list->items[kept++] = cell;
	}
	list->count = tiled->rows.count = kept;
	return true;
}

/* Returns a dotted name as a path. */
static const char *path_of(struct paradl_arena *arena, const char *name)
{
	char *const path = arena_text(arena, name);
	for (char *at = path; at && *at; ++at)
		if (*at == '.')
			*at = '/';
	return path;
}

static bool numbers_put(struct calibration *calibration, const struct tiled *tiled,
	const struct fitted_value *values, const struct fit_source *source, struct paradl_error *error)
{
	static const char bf16[] = "product.sustained.bf16", fp16[] = "product/sustained/fp16";
	bool has_fp16 = false; /* fp16 runs as bf16 does where it was not measured */
	for (size_t i = 0; i < tiled->found.count; ++i)
		has_fp16 |= tiled->found.constants[i]->precision == PARADL_FP16;
	for (size_t i = 0; i < tiled->found.count; ++i) {
		const struct kernel_constant *const constant = tiled->found.constants[i];
		const char *const path = path_of(calibration->arena, constant->name);
		if (!path)
			return out_of_memory(error);
		if (!number_put(calibration, PARADL_FITTED_DEVICE, path, constant->unit, &values[i], source,
			    error))
			return false;
		if (strcmp(constant->name, bf16) == 0 && !has_fp16 &&
			!number_put(calibration, PARADL_FITTED_DEVICE, fp16, "", &values[i], source, error))
			return false;
	}
	return true;
}

bool tiled_products_fit(struct calibration *calibration, struct cell_list *list, const unsigned *slots,
	const struct formats_seen *formats, struct paradl_error *error)
{
	struct tiled tiled = {.arena = calibration->arena, .device_name = ""};
	struct launch_times times;
	struct fitted_value values[FITTED_MAX];
	unsigned *const kept = arena_alloc(calibration->arena, list->count + 1, sizeof *kept);
	device_so_far(calibration, &tiled.device);
	if (!kept || !rows_make(&tiled, list, kept, slots, formats))
		return out_of_memory(error);
	if (!launch_times_make(calibration->arena, list->items, list->count, &times, error))
		return false;
	struct fit_source source = {&times, -1};
	if (!peaks_settle(calibration, &tiled, list, kept, formats, &source, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, &tiled, FITTED_MAX, values, error))
		return false;
	source.residual = tiled.found.residual[KERNEL_GEMM];
	return numbers_put(calibration, &tiled, values, &source, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fitter/fitter.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { PATH_LENGTH = 80 };

double cell_number(const struct cell *cell, const char *parameter, double otherwise)
{
	return sample_number(cell->point, parameter, otherwise);
}

bool cell_says(const struct cell *cell, const char *parameter, const char *text)
{
	const char *said = sample_text(cell->point, parameter);
	return said && strcmp(said, text) == 0;
}

static bool is_searched(const struct cell *cell)
{
	return cell_says(cell, "algorithm", "best") || cell_says(cell, "algorithm", "find");
}

static bool is_usual(const struct cell *cell)
{
	return cell_says(cell, "algorithm", "default") || cell_says(cell, "algorithm", "heuristic");
}

/*
 * Sets `busiest` to 1 unless some cells were busy and some were not: only then can the cost of being busy be
 * determined.
 */
static void busy_settle(struct cell_list *list)
{
	size_t busy = 0;
	for (size_t i = 0; i < list->count; ++i)
		busy += cell_number(list->items[i], "busy", 1) > 1;
	if (busy == 0 || busy == list->count)
		list->busiest = 1;
}

bool cells_of(const struct calibration *calibration, const char *bench, struct cell_list *list,
	struct paradl_error *error)
{
	const struct cells *cells = calibration->cells;
	bool usual = false;
	*list = (struct cell_list){
		.items = arena_alloc(calibration->arena, cells->count + 1, sizeof(struct cell *)),
		.busiest = 1};
	if (!list->items)
		return out_of_memory(error);
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		if (strcmp(cell->point->bench, bench) != 0 || !(cell->seconds > 0))
			continue;
		const double busy = cell_number(cell, "busy", 1);
		list->busiest = busy > list->busiest ? busy : list->busiest;
		usual |= is_usual(cell);
		list->items[list->count++] = cell;
	}
	size_t kept = 0;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		const double busy = cell_number(cell, "busy", 1);
		if ((busy > 1 && busy < list->busiest) || (usual && is_searched(cell)))
			continue;
		list->items[kept++] = cell;
	}
	list->count = kept;
	busy_settle(list);
	return true;
}

bool cell_is_busy(const struct cell *cell, const struct cell_list *list)
{
	return list->busiest > 1 && cell_number(cell, "busy", 1) > 1;
}

void cells_at_work(struct cell_list *list, size_t enough)
{
	size_t busy = 0, kept = 0;
	for (size_t i = 0; i < list->count; ++i)
		busy += cell_is_busy(list->items[i], list);
	if (busy < enough || busy == 0)
		return;
	for (size_t i = 0; i < list->count; ++i)
		if (cell_is_busy(list->items[i], list))
			list->items[kept++] = list->items[i];
	list->count = kept;
	list->busiest = 1;
}

static const struct {
	const char *name;
	enum paradl_precision precision;
} known_formats[] = {
	{"fp32", PARADL_FP32},
	{"tf32", PARADL_TF32},
	{"fp16", PARADL_FP16},
	{"bf16", PARADL_BF16},
	{"fp8", PARADL_FP8_MIXED},
	{"mxfp8", PARADL_MXFP8_MIXED},
	{"fp4", PARADL_FP4_MIXED},
};

static unsigned format_slot(const struct cell *cell, struct formats_seen *formats)
{
	for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; ++i) {
		if (!cell_says(cell, "precision", known_formats[i].name))
			continue;
		unsigned slot = 0;
		while (slot < formats->count && formats->precision[slot] != known_formats[i].precision)
			++slot;
		if (slot == formats->count) {
			formats->precision[slot] = known_formats[i].precision;
			formats->name[slot] = known_formats[i].name;
			++formats->count;
		}
		return slot;
	}
	return PARADL_PRECISION_COUNT;
}

unsigned *formats_of(
	const struct calibration *calibration, struct cell_list *list, struct formats_seen *formats)
{
	unsigned *slots = arena_alloc(calibration->arena, list->count + 1, sizeof *slots);
	size_t kept = 0;
	*formats = (struct formats_seen){.count = 0};
	for (size_t i = 0; slots && i < list->count; ++i) {
		const unsigned slot = format_slot(list->items[i], formats);
		if (slot == PARADL_PRECISION_COUNT)
			continue;
		slots[kept] = slot;
		list->items[kept++] = list->items[i];
	}
	list->count = kept;
	busy_settle(list);
	return slots;
}

static double found(const struct calibration *calibration, const char *path, double otherwise)
{
	const struct paradl_fitted_number *number =
		fitted_number_find(calibration, PARADL_FITTED_DEVICE, path);
	return number ? number->value : otherwise;
}

static void memory_so_far(const struct calibration *calibration, struct device *device)
{
	char up_to[PATH_LENGTH], rate[PATH_LENGTH];
	const double before = device->memory_bytes_per_s;
	device->memory_bytes_per_s = found(calibration, "memory_rate", before);
	for (unsigned i = 0; i < MEMORY_LEVELS_MAX; ++i) {
		snprintf(up_to, sizeof up_to, "memory_rates/%u/up_to", i);
		snprintf(rate, sizeof rate, "memory_rates/%u/rate", i);
		const double bytes = found(calibration, up_to, 0);
		if (!(bytes > 0))
			break;
		device->memory_levels[i] = (struct memory_level){
			.up_to_bytes = bytes, .bytes_per_s = found(calibration, rate, 0)};
		device->memory_level_count = i + 1;
	}
}

void device_so_far(const struct calibration *calibration, struct device *device)
{
	static const double no_limit = 1e30;
	*device = calibration->before
			  ? calibration->before->device
			  : (struct device){.memory_bytes_per_s = no_limit,
				    .tile = 1,
				    .depth_tile = 1,
				    .winograd = 1,
				    .product = {.half_tile = 0.92, .memory_share = 1, .wave_share = 1}};
	memory_so_far(calibration, device);
	device->launch_s = found(calibration, "contraction/launch", device->launch_s);
	device->product.launch_s = found(calibration, "product/launch", device->product.launch_s);
	device->half.m = found(calibration, "contraction/half/m", device->half.m);
	device->half.n = found(calibration, "contraction/half/n", device->half.n);
	device->half.k = found(calibration, "contraction/half/k", device->half.k);
	device_derive(device);
}

/* Returns the highest rate, in flop/s, of all cells of a bench in a format, alone or with all at work. */
static double best_rate(const struct cells *cells, const char *bench, const char *format)
{
	double best = 0;
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		if (strcmp(cell->point->bench, bench) != 0 || !cell_says(cell, "precision", format) ||
			!(cell->seconds > 0))
			continue;
		const double rate = cell->point->flop / cell->seconds;
		best = rate > best ? rate : best;
	}
	return best;
}

double peak_settle(struct calibration *calibration, const char *bench, const char *format,
	enum paradl_precision precision, const struct fitted_value *rate, const struct fit_source *source,
	struct paradl_error *error)
{
	char path[PATH_LENGTH];
	snprintf(path, sizeof path, "peak/%s", format);
	const double known = calibration->before ? calibration->before->device.peak_flop_per_s[precision] : 0;
	const double best = best_rate(calibration->cells, bench, format);
	const double most = best > rate->value ? best : rate->value;
	const double settled = found(calibration, path, 0);
	if (settled > 0)
		return settled;
	if (!(most > known))
		return known;
	const struct fitted_value value = {
		most, most * (rate->low / rate->value), most * (rate->high / rate->value)};
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "flop/s", &value, source, error) ? most
												    : -1;
}

struct fitted_value share_of(const struct fitted_value *rate, double peak)
{
	const double most = rate->high < peak ? rate->high : peak;
	return (struct fitted_value){(rate->value < peak ? rate->value : peak) / peak,
		(rate->low < peak ? rate->low : peak) / peak, most / peak};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits the rates that streaming kernels sustain: copy, scale, add and triad, at all footprints. Neighbouring footprints
 * are joined where the rate rises with the footprint (pool adjacent violators), then levels are joined while neighbours
 * differ by less than a quarter. The last level is memory, the others are caches. A cache goes up to the geometric mean
 * of the footprints on both sides of the step. For a device whose units are known, only memory counts: the time that
 * its kernels take for little data is their start-up.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"

enum { PATH_LENGTH = 80 };
static const double least_step = 1.25;

/* One footprint, or several that were joined to a level. */
struct footprint {
	double bytes, ln_rate, weight;
	size_t first, end; /* its rows are [first, end); rows ascend in footprint */
};

struct memory {
	struct cell_list list;
	struct footprint *levels;
	size_t count;
	double *scratch;
};

static double footprint_of(const struct cell *cell)
{
	return cell_number(cell, "footprint", cell->point->bytes);
}

static int compare(const void *left, const void *right)
{
	const struct cell *a = *(const struct cell *const *)left, *b = *(const struct cell *const *)right;
	const double x = footprint_of(a), y = footprint_of(b);
	return (x > y) - (x < y);
}

static bool streams(const struct cell *cell)
{
	return (cell_says(cell, "kind", "copy") || cell_says(cell, "kind", "scale") ||
		       cell_says(cell, "kind", "add") || cell_says(cell, "kind", "triad")) &&
	       cell->point->bytes > 0 && footprint_of(cell) > 0;
}

/* Keeps the streaming rows with all devices at work where there are enough of them, else the others; sorts them. */
static void rows_choose(struct memory *memory)
{
	enum { ENOUGH = 4 };
	size_t busy = 0, kept = 0;
	for (size_t i = 0; i < memory->list.count; ++i)
		busy += streams(memory->list.items[i]) && cell_is_busy(memory->list.items[i], &memory->list);
	for (size_t i = 0; i < memory->list.count; ++i) {
		const struct cell *cell = memory->list.items[i];
		if (streams(cell) && cell_is_busy(cell, &memory->list) == (busy >= ENOUGH))
			memory->list.items[kept++] = cell;
	}
	memory->list.count = kept;
	qsort(memory->list.items, kept, sizeof(struct cell *), compare);
}

/* Returns the median of ln(bytes / s) of rows [first, end). */
static double ln_rate(const struct memory *memory, const double *seconds, size_t first, size_t end)
{
	for (size_t i = first; i < end; ++i)
		memory->scratch[i - first] = log(memory->list.items[i]->point->bytes / seconds[i]);
	return robust_median(memory->scratch, end - first);
}

static void join(struct memory *memory, size_t i)
{
	struct footprint *a = &memory->levels[i], *b = a + 1;
	const double weight = a->weight + b->weight;
	a->ln_rate = (a->ln_rate * a->weight + b->ln_rate * b->weight) / weight;
	a->weight = weight;
	a->end = b->end;
	--memory->count;
	for (size_t k = i + 1; k < memory->count; ++k)
		memory->levels[k] = memory->levels[k + 1];
}

/*
 * Returns the first of the two neighbouring levels whose rates fall least or rise most, and in *step the natural
 * logarithm of the ratio of the first rate to the second.
 */
static size_t nearest(const struct memory *memory, double *step)
{
	size_t at = 0;
	*step = HUGE_VAL;
	for (size_t i = 0; i + 1 < memory->count; ++i) {
		const double here = memory->levels[i].ln_rate - memory->levels[i + 1].ln_rate;
		if (here >= *step)
			continue;
		*step = here;
		at = i;
	}
	return at;
}

static void levels_make(struct memory *memory, const double *seconds, bool caches)
{
	const struct cell *const *rows = memory->list.items;
	memory->count = 0;
	for (size_t first = 0, end; first < memory->list.count; first = end) {
		const double bytes = footprint_of(rows[first]);
		for (end = first + 1; end < memory->list.count && footprint_of(rows[end]) <= bytes;)
			++end;
		memory->levels[memory->count++] =
			(struct footprint){bytes, ln_rate(memory, seconds, first, end), 1, first, end};
	}
	double step;
	for (size_t at = nearest(memory, &step);
		memory->count > 1 && (step < log(least_step) || memory->count > MEMORY_LEVELS_MAX);
		at = nearest(memory, &step))
		join(memory, at);
	while (!caches && memory->count > 1) {
		memory->levels[0] = memory->levels[memory->count - 1];
		memory->count = 1;
	}
}

static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct memory *memory = context;
	(void)first;
	(void)error;
	for (size_t i = 0; i < memory->count; ++i)
		values[i] = exp(ln_rate(memory, seconds, memory->levels[i].first, memory->levels[i].end));
	return true;
}

static double residual_of(const struct memory *memory)
{
	size_t rows = 0;
	for (size_t i = 0; i < memory->count; ++i)
		for (size_t k = memory->levels[i].first; k < memory->levels[i].end; ++k) {
			const struct cell *cell = memory->list.items[k];
			memory->scratch[rows++] =
				fabs(exp(memory->levels[i].ln_rate) * cell->seconds / cell->point->bytes - 1);
		}
	return robust_median(memory->scratch, rows);
}

/* Adds the rate of cache `i`, and the footprint up to which it holds. */
static bool level_put(struct calibration *calibration, const struct memory *memory, size_t i,
	const struct fitted_value *rate, const struct fit_source *source, struct paradl_error *error)
{
	char path[PATH_LENGTH];
	const double inside = footprint_of(memory->list.items[memory->levels[i].end - 1]);
	const double outside = footprint_of(memory->list.items[memory->levels[i + 1].first]);
	const double bytes = floor(sqrt(inside * outside));
	const struct fitted_value up_to = {bytes, inside, outside};
	snprintf(path, sizeof path, "memory_rates/%zu/up_to", i);
	if (!number_put(calibration, PARADL_FITTED_DEVICE, path, "B", &up_to, source, error))
		return false;
	snprintf(path, sizeof path, "memory_rates/%zu/rate", i);
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "B/s", rate, source, error);
}

bool fit_memory(struct calibration *calibration, struct paradl_error *error)
{
	struct memory memory = {.count = 0};
	struct launch_times times;
	struct fitted_value rates[FITTED_MAX];
	if (!cells_of(calibration, "memory", &memory.list, error))
		return false;
	rows_choose(&memory);
	const size_t rows = memory.list.count;
	double *seconds = arena_alloc(calibration->arena, rows + 1, sizeof *seconds);
	memory.scratch = arena_alloc(calibration->arena, rows + 1, sizeof *memory.scratch);
	memory.levels = arena_alloc(calibration->arena, rows + 1, sizeof *memory.levels);
	if (!seconds || !memory.scratch || !memory.levels)
		return out_of_memory(error);
	if (!rows)
		return true;
	for (size_t i = 0; i < rows; ++i)
		seconds[i] = memory.list.items[i]->seconds;
	levels_make(
		&memory, seconds, !(calibration->before && calibration->before->device.product.units > 0));
	if (!launch_times_make(calibration->arena, memory.list.items, rows, &times, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, &memory, memory.count, rates, error))
		return false;
	const struct fit_source source = {&times, residual_of(&memory)};
	/* medians over launches must not rise with the footprint either */
	for (size_t i = memory.count - 1; i-- > 0;)
		rates[i].value = fmax(rates[i].value, rates[i + 1].value);
	for (size_t i = 0; i + 1 < memory.count; ++i)
		if (!level_put(calibration, &memory, i, &rates[i], &source, error))
			return false;
	return number_put(calibration, PARADL_FITTED_DEVICE, "memory_rate", "B/s", &rates[memory.count - 1],
		&source, error);
}

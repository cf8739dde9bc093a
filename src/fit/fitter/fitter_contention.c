/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits how much k pairs of devices of two nodes slow one another down, from messages that are mostly bytes:
 *     phi(k) = (t_k - a) / (t_1 - a),   the median over the LARGEST sizes that both were measured at
 * where a is the start-up of one pair alone (levels/1/latency); a is 0 where no start-up was found.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/verdict/verdict.h"

enum { LARGEST = 3, LEVEL = 1 };
static const double mostly_bytes = 4; /* least time of bytes over start-up, where such sizes exist */

/* The context of an estimate. Its cells are pairs of one size: one group alone, then all groups together. */
struct slowdown {
	double start_s;
	unsigned sizes;
};

static bool slowdown_estimate(
	struct paradl_arena *arena, const void *context, const double *seconds, double *values)
{
	const struct slowdown *slowdown = context;
	double *ratios = arena_alloc(arena, slowdown->sizes, sizeof *ratios);
	if (!ratios)
		return false;
	for (size_t i = 0; i < slowdown->sizes; ++i) {
		const double alone = seconds[2 * i] - slowdown->start_s;
		const double together = seconds[2 * i + 1] - slowdown->start_s;
		ratios[i] =
			alone > 0 && together > 0 ? together / alone : seconds[2 * i + 1] / seconds[2 * i];
	}
	values[0] = robust_median(ratios, slowdown->sizes);
	return true;
}

static bool is_alone(const struct series *alone, const struct series *series)
{
	return alone->groups == 1 && alone->nodes == series->nodes && alone->devices == series->devices &&
	       series_is(alone, series->operation) && strcmp(alone->library, series->library) == 0 &&
	       strcmp(alone->buffer, series->buffer) == 0 && strcmp(alone->distance, series->distance) == 0 &&
	       strcmp(alone->way, series->way) == 0;
}

static const struct cell *cell_at(const struct series *series, double bytes)
{
	for (unsigned i = 0; i < series->count; ++i)
		if (fabs(cell_bytes(series->cells[i]) - bytes) < 0.5)
			return series->cells[i];
	return NULL;
}

/*
 * Picks the cells of up to LARGEST common sizes, the largest first, and returns the number of sizes. The largest
 * always counts, the others unless they are mostly start-up.
 */
static unsigned sizes_pick(
	const struct series *alone, const struct series *series, double start_s, const struct cell **cells)
{
	size_t sizes = 0;
	for (unsigned i = series->count; i-- > 0 && sizes < LARGEST;) {
		const struct cell *one = cell_at(alone, cell_bytes(series->cells[i]));
		if (!one || (sizes && one->seconds < (1 + mostly_bytes) * start_s))
			continue;
		cells[2 * sizes] = one;
		cells[2 * sizes++ + 1] = series->cells[i];
	}
	return (unsigned)sizes;
}

/* The cells that a number follows from. */
struct evidence {
	const struct cell *const *cells;
	unsigned count;
};

static bool number_put(struct calibration *calibration, unsigned row, const char *key,
	const struct interval *value, bool is_range, const struct evidence *evidence,
	struct paradl_error *error)
{
	struct paradl_fitted_number *number = fitted_number_add(calibration, error);
	if (!number)
		return false;
	*number = (struct paradl_fitted_number){.file = PARADL_FITTED_MACHINE,
		.path = arena_printf(calibration->arena, "levels/%d/contention/%u/%s", LEVEL, row, key),
		.unit = "",
		.value = value->value,
		.low = value->low,
		.high = value->high,
		.is_range = is_range,
		.points = evidence->count,
		.residual = -1,
		.was = -1};
	number->from = cells_origin(calibration->arena, evidence->cells, evidence->count, &number->launches);
	return (number->path && number->from) || out_of_memory(error);
}

static bool slowdown_fit(struct calibration *calibration, const struct series *alone,
	const struct series *series, unsigned *row, struct paradl_error *error)
{
	const struct paradl_fitted_number *latency =
		fitted_number_find(calibration, PARADL_FITTED_MACHINE, "levels/1/latency");
	const struct cell *cells[2 * LARGEST];
	struct slowdown slowdown = {.start_s = latency ? latency->value : 0};
	struct interval phi = {0};
	bool is_range;
	slowdown.sizes = sizes_pick(alone, series, slowdown.start_s, cells);
	if (!slowdown.sizes)
		return true;
	const struct estimator estimator = {slowdown_estimate, &slowdown, 1};
	if (!intervals_make(cells, 2 * slowdown.sizes, &estimator, &phi, &is_range, error))
		return false;
	const double groups = series->groups;
	const struct interval exactly = {groups, groups, groups};
	const struct evidence evidence = {cells, 2 * slowdown.sizes};
	const unsigned at = (*row)++;
	return number_put(calibration, at, "groups", &exactly, false, &evidence, error) &&
	       number_put(calibration, at, "slowdown", &phi, is_range, &evidence, error);
}

static bool is_pairs(const struct series *series)
{
	return series_is(series, "point-to-point") && series->nodes > 1 && series->groups > 1 &&
	       strcmp(series->way, "block") == 0;
}

/* Fits the slowdowns of messages between memories of kind `buffer`, in ascending order of groups. */
static bool fit_of(struct calibration *calibration, const struct series_list *list, const char *buffer,
	unsigned *row, struct paradl_error *error)
{
	unsigned done = 1;
	for (;;) {
		const struct series *next = NULL, *alone = NULL;
		for (size_t i = 0; i < list->count; ++i) {
			const struct series *series = &list->items[i];
			if (is_pairs(series) && strcmp(series->buffer, buffer) == 0 &&
				series->groups > done && (!next || series->groups < next->groups))
				next = series;
		}
		if (!next)
			return true;
		done = next->groups;
		for (size_t i = 0; i < list->count && !alone; ++i)
			if (is_alone(&list->items[i], next))
				alone = &list->items[i];
		if (alone && !slowdown_fit(calibration, alone, next, row, error))
			return false;
	}
}

bool fit_contention(struct calibration *calibration, struct paradl_error *error)
{
	struct series_list list;
	unsigned row = 0;
	if (!series_make(calibration, &list, error) || !fit_of(calibration, &list, "device", &row, error))
		return false;
	return row || fit_of(calibration, &list, "host", &row, error);
}

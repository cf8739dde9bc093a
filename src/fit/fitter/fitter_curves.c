/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes curves of the times of messages and collectives over sizes, as they were measured: one curve for each
 * operation, library, buffer and layout, of one group alone. Where two devices of a node were measured at several
 * distances, the widest counts ("node", not "socket").
 */
#include <string.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/verdict/verdict.h"

enum { POINTS_MAX = 512 }; /* the limit of machine/blocks.c */

static bool is_curve(const struct series *series)
{
	static const char *const operations[] = {"point-to-point", "allreduce", "allgather", "reduce-scatter",
		"all-to-all", "broadcast", "reduce"};
	bool known = false;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
		known = known || series_is(series, operations[i]);
	return known && series->groups == 1 && series->nodes >= 1 && series->devices >= 2 &&
	       series->devices % series->nodes == 0 && strcmp(series->way, "block") == 0;
}

static bool same_curve(const struct series *a, const struct series *b)
{
	return a->nodes == b->nodes && a->devices == b->devices && strcmp(a->operation, b->operation) == 0 &&
	       strcmp(a->library, b->library) == 0 && strcmp(a->buffer, b->buffer) == 0;
}

/*
 * Returns whether another series of the same curve takes precedence: one of distance "node" over one of any other
 * distance, else the earlier in the list.
 */
static bool is_beaten(const struct series_list *list, size_t at)
{
	for (size_t i = 0; i < list->count; ++i) {
		const struct series *other = &list->items[i], *series = &list->items[at];
		if (i == at || !is_curve(other) || !same_curve(other, series))
			continue;
		const bool wide = strcmp(series->distance, "node") == 0,
			   other_wide = strcmp(other->distance, "node") == 0;
		if (wide != other_wide ? other_wide : i < at)
			return true;
	}
	return false;
}

/*
 * Picks the cell of most launches at each size from 1 byte on, ascending, and returns their number (to POINTS_MAX).
 */
static unsigned cells_pick(const struct series *series, const struct cell **cells)
{
	unsigned count = 0;
	for (unsigned i = 0; i < series->count && count < POINTS_MAX; ++i) {
		const struct cell *cell = series->cells[i];
		if (cell_bytes(cell) < 1)
			continue;
		if (!count || cell_bytes(cell) > cell_bytes(cells[count - 1]))
			cells[count++] = cell;
		else if (cell->launches > cells[count - 1]->launches)
			cells[count - 1] = cell;
	}
	return count;
}

static bool points_fill(struct paradl_arena *arena, const struct cell *const *cells, unsigned count,
	struct paradl_fitted_curve *curve)
{
	double *numbers = arena_alloc(arena, 4 * (size_t)count, sizeof *numbers);
	unsigned *flags = arena_alloc(arena, count, sizeof *flags);
	if (!numbers || !flags)
		return false;
	curve->bytes = numbers;
	curve->time_s = numbers + count;
	curve->low_s = numbers + 2 * (size_t)count;
	curve->high_s = numbers + 3 * (size_t)count;
	curve->flags = flags;
	curve->point_count = count;
	for (unsigned i = 0; i < count; ++i) {
		numbers[i] = cell_bytes(cells[i]);
		numbers[count + i] = cells[i]->seconds;
		numbers[2 * count + i] = cells[i]->low_s;
		numbers[3 * count + i] = cells[i]->high_s;
		flags[i] = cells[i]->flags;
		if (cells[i]->launches > curve->launches)
			curve->launches = cells[i]->launches;
	}
	return true;
}

static bool curve_make(
	struct calibration *calibration, const struct series *series, struct paradl_error *error)
{
	const struct cell **cells = arena_alloc(calibration->arena, series->count, sizeof(struct cell *));
	if (!cells)
		return out_of_memory(error);
	const unsigned count = cells_pick(series, cells);
	if (count < 2)
		return true;
	struct paradl_fitted_curve *curve = fitted_curve_add(calibration, error);
	if (!curve)
		return false;
	curve->operation = series->operation;
	curve->library = *series->library ? series->library : cells[0]->point->launch->program;
	curve->buffer = *series->buffer ? series->buffer : "host";
	curve->nodes = series->nodes;
	curve->devices = series->devices;
	curve->groups = 1;
	if (!points_fill(calibration->arena, cells, count, curve))
		return out_of_memory(error);
	return curve_fit(calibration->arena, curve, error);
}

/*
 * Makes the curves of device memory, or those of other memory. Device memory comes first: where a profile has several
 * libraries, the first is used.
 */
static bool fit_of(struct calibration *calibration, const struct series_list *list, bool on_device,
	struct paradl_error *error)
{
	for (size_t i = 0; i < list->count; ++i)
		if ((strcmp(list->items[i].buffer, "device") == 0) == on_device &&
			is_curve(&list->items[i]) && !is_beaten(list, i) &&
			!curve_make(calibration, &list->items[i], error))
			return false;
	return true;
}

bool fit_curves(struct calibration *calibration, struct paradl_error *error)
{
	struct series_list list;
	return series_make(calibration, &list, error) && fit_of(calibration, &list, true, error) &&
	       fit_of(calibration, &list, false, error);
}

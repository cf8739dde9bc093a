/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates from rest and after clocks have settled: a product is measured in both states (bench "burst"), and what the power limit leaves of its
 * rate is the ratio of both times. All other products are measured as settled.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"

enum { RESTED, SETTLED, STATES };
static const char *const kinds[STATES] = {"rested", "settled"};

bool cell_is_rested(const struct cell *cell)
{
	return strcmp(cell->point->bench, "burst") == 0 && cell_says(cell, "kind", kinds[RESTED]);
}

bool cells_of_products(
	const struct calibration *calibration, struct cell_list *list, struct paradl_error *error)
{
	struct cell_list more;
	if (!cells_of(calibration, "gemm", list, error) || !cells_of(calibration, "burst", &more, error))
		return false;
	/* Each list has room for all cells. */
	for (size_t i = 0; i < more.count; ++i)
		list->items[list->count++] = more.items[i];
	return true;
}

static bool share_of_states(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	(void)context;
	(void)first;
	(void)error;
	values[0] = fmin(1, seconds[RESTED] / seconds[SETTLED]);
	return true;
}

bool settled_share(const struct calibration *calibration, const char *format, struct settled_share *share,
	struct paradl_error *error)
{
	struct cell_list list;
	*share = (struct settled_share){.is_known = false};
	if (!cells_of(calibration, "burst", &list, error))
		return false;
	const struct cell **const pair = arena_alloc(calibration->arena, STATES, sizeof(struct cell *));
	if (!pair)
		return out_of_memory(error);
	for (size_t i = 0; i < list.count; ++i)
		for (size_t state = 0; state < STATES; ++state)
			if (cell_says(list.items[i], "precision", format) &&
				cell_says(list.items[i], "kind", kinds[state]))
				pair[state] = list.items[i];
	share->is_known = pair[RESTED] && pair[SETTLED];
	return !share->is_known ||
	       (launch_times_make(calibration->arena, pair, STATES, &share->times, error) &&
		       launch_times_fit(calibration->arena, &share->times, share_of_states, NULL, 1,
			       &share->value, error));
}

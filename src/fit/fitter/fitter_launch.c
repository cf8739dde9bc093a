/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits the least time of a kernel: that of a kernel that does nothing, from the end of the one before it ("stream"),
 * or that of an empty call ("call") where there are no kernels.
 */
#include "base/error.h"
#include "fit/fitter/fitter.h"

static bool median_of_rows(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	(void)context;
	(void)first;
	(void)error;
	values[0] = seconds[0];
	return true;
}

static const struct cell *kind_find(const struct cell_list *list, const char *kind)
{
	for (size_t i = 0; i < list->count; ++i)
		if (cell_says(list->items[i], "kind", kind))
			return list->items[i];
	return NULL;
}

bool fit_launch(struct calibration *calibration, struct paradl_error *error)
{
	struct cell_list list;
	struct launch_times times;
	struct fitted_value value;
	if (!cells_of(calibration, "launch", &list, error))
		return false;
	const struct cell *cell = kind_find(&list, "stream");
	if (!cell)
		cell = kind_find(&list, "call");
	if (!cell)
		return true;
	if (!launch_times_make(calibration->arena, &cell, 1, &times, error) ||
		!launch_times_fit(calibration->arena, &times, median_of_rows, NULL, 1, &value, error))
		return false;
	const struct fit_source source = {&times, -1};
	struct cell_list products;
	if (!cells_of(calibration, "gemm", &products, error))
		return false;
	/* Tiled products have a launch of their own, which is fitted to them. */
	return number_put(calibration, PARADL_FITTED_DEVICE, "contraction/launch", "s", &value, &source,
		       error) &&
	       (products_are_tiled(calibration, products.count) ||
		       number_put(calibration, PARADL_FITTED_DEVICE, "product/launch", "s", &value, &source,
			       error));
}

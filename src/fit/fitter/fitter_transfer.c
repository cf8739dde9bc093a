/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits link/host_rate: the rate between one device and host memory, in each direction, while all devices that were
 * measured copy. It is the harmonic mean of both directions, from the largest pinned copies. Fits also link/rate
 * where the profile has no link yet: the harmonic mean over all pairs of devices, from the largest copies between
 * them.
 */
#include <string.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"

struct copies {
	const struct cell **items;
	unsigned count;
};

static double size_of(const struct cell *cell)
{
	return cell_number(cell, "size", cell->point->bytes);
}

/* Returns whether a copy is preferred to `best`: more groups copy at the same time, or as many and more bytes. */
static bool is_better(const struct cell *cell, const struct cell *best)
{
	if (!best)
		return true;
	const double groups = cell_number(cell, "groups", 1), most = cell_number(best, "groups", 1);
	return groups > most || (!(groups < most) && size_of(cell) > size_of(best));
}

static const struct cell *largest(const struct cell_list *list, const char *kind)
{
	const struct cell *best = NULL;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		if (cell_says(cell, "kind", kind) && cell_number(cell, "pinned", 1) > 0 &&
			size_of(cell) > 0 && is_better(cell, best))
			best = cell;
	}
	return best;
}

/* Finds the copies between devices that are as large as the largest, with as many groups. */
static void peers_find(const struct cell_list *list, struct copies *peers)
{
	const struct cell *const best = largest(list, "peer");
	for (size_t i = 0; best && i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		if (cell_says(cell, "kind", "peer") && !is_better(best, cell))
			peers->items[peers->count++] = cell;
	}
}

static bool rate(void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	const struct copies *copies = context;
	double s_per_byte = 0;
	(void)first;
	(void)error;
	for (unsigned i = 0; i < copies->count; ++i)
		s_per_byte += seconds[i] / size_of(copies->items[i]) / copies->count;
	values[0] = 1 / s_per_byte;
	return true;
}

static bool rate_put(
	struct calibration *calibration, struct copies *copies, const char *path, struct paradl_error *error)
{
	struct launch_times times;
	struct fitted_value value;
	if (!launch_times_make(calibration->arena, copies->items, copies->count, &times, error) ||
		!launch_times_fit(calibration->arena, &times, rate, copies, 1, &value, error))
		return false;
	const struct fit_source source = {&times, -1};
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "B/s", &value, &source, error);
}

bool fit_transfer(struct calibration *calibration, struct paradl_error *error)
{
	static const char *const directions[] = {"to-device", "to-host"};
	struct cell_list list;
	const struct cell *both[2];
	struct copies copies = {.items = both}, peers = {.count = 0};
	if (!cells_of(calibration, "transfer", &list, error))
		return false;
	peers.items = arena_alloc(calibration->arena, list.count + 1, sizeof(struct cell *));
	if (!peers.items)
		return out_of_memory(error);
	for (unsigned i = 0; i < 2; ++i) {
		const struct cell *cell = largest(&list, directions[i]);
		if (cell)
			copies.items[copies.count++] = cell;
	}
	const bool linked = calibration->before && calibration->before->device.link.bytes_per_s > 0;
	peers_find(&list, &peers);
	if (!linked && peers.count && !rate_put(calibration, &peers, "link/rate", error))
		return false;
	/* a link needs a rate to have a host rate */
	return !copies.count || !(linked || peers.count) ||
	       rate_put(calibration, &copies, "link/host_rate", error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits the levels of the machine, 0 inside a node and 1 between nodes, from messages between two devices that take t
 * = a + b bytes:
 *     latency     a of the first segment of the curve over sizes
 *     bandwidth   1 / b of the last segment; at least the rate of a ring, which a device's link has carried, and where
 *                 no two devices alone were measured, at least that of the profile before
 *     ring        2 (p - 1) / p / b of the last segment of an allreduce of p devices, of the node or of most nodes, for
 *                 each port of a node
 * Messages between device memories count where they were measured, else those between host memories. But accelerators
 * have host memory behind a link of their own ("host_rate"): inside a node of them, messages between host memories
 * say nothing about the links of devices.
 *
 * Fits link/host_rate: the rate between one device and host memory, in each direction, while all devices that were
 * measured copy. It is the harmonic mean of both directions, from the largest pinned copies. Fits also link/rate where
 * the profile has no link yet: the harmonic mean over all pairs of devices, from the largest copies between them.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"
#include "fit/verdict/verdict.h"
#include "machine/machine.h"

enum { LEAST_POINTS = 3 };

/* The places of the first and the last segment of a series. */
struct ends {
	const double *bytes;
	unsigned first_count, last, last_count;
	double work; /* bytes that pass a link for each byte of the vector */
};

enum { LATENCY, RATE, VALUES };

static bool ends_estimate(
	struct paradl_arena *arena, const void *context, const double *seconds, double *values)
{
	const struct ends *ends = context;
	const double *bytes = ends->bytes;
	struct robust_line first, last;
	if (!robust_line_fit(arena, bytes, seconds, NULL, ends->first_count, &first, NULL) ||
		!robust_line_fit(
			arena, bytes + ends->last, seconds + ends->last, NULL, ends->last_count, &last, NULL))
		return false;
	double least = seconds[0];
	for (unsigned i = 1; i < ends->first_count; ++i)
		least = fmin(least, seconds[i]);
	values[LATENCY] = first.a > 0 ? first.a : least;
	values[RATE] = last.b > 0 ? ends->work / last.b : 0;
	return true;
}

static bool is_of_level(const struct series *series, const char *operation, unsigned level)
{
	return series_is(series, operation) && series->groups == 1 && (series->nodes > 1) == (level == 1) &&
	       series->count >= LEAST_POINTS && series->devices >= 2 && strcmp(series->way, "block") == 0;
}

static bool is_better(const struct series *series, const struct series *best)
{
	const bool device = strcmp(series->buffer, "device") == 0;
	if (device != (strcmp(best->buffer, "device") == 0))
		return device;
	if (series->nodes != best->nodes)
		return series->nodes > best->nodes;
	if (series->devices != best->devices)
		return series->devices > best->devices;
	return strcmp(series->distance, "node") == 0 && strcmp(best->distance, "node") != 0;
}

/*
 * Chooses the series of an operation at a level: one of device memory first, then the most nodes, the most devices,
 * and distance "node". With `host_too`, other memory counts as well. Returns NULL where there is none.
 */
static const struct series *series_choose(
	const struct series_list *list, const char *operation, unsigned level, bool host_too)
{
	const struct series *best = NULL;
	for (size_t i = 0; i < list->count; ++i) {
		const struct series *series = &list->items[i];
		if (!is_of_level(series, operation, level) ||
			(!host_too && strcmp(series->buffer, "device") != 0))
			continue;
		if (!best || is_better(series, best))
			best = series;
	}
	return best;
}

struct fitted_ends {
	const struct series *series;
	struct interval values[VALUES];
	bool is_range;
	double residual;
};

/*
 * Fits latency and rate of a series; `work` is the bytes that pass a link for each byte of the vector. The rate is 0,
 * which is none, where the largest size still is mostly start-up.
 */
static bool ends_fit(struct calibration *calibration, const struct series *series, double work,
	struct fitted_ends *fitted, struct paradl_error *error)
{
	double *bytes = arena_alloc(calibration->arena, series->count, sizeof *bytes);
	double *time_s = arena_alloc(calibration->arena, series->count, sizeof *time_s);
	if (!bytes || !time_s)
		return out_of_memory(error);
	for (unsigned i = 0; i < series->count; ++i) {
		bytes[i] = cell_bytes(series->cells[i]);
		time_s[i] = series->cells[i]->seconds;
	}
	struct paradl_fitted_curve curve = {.bytes = bytes, .time_s = time_s, .point_count = series->count};
	if (!curve_fit(calibration->arena, &curve, error))
		return false;
	struct ends ends = {.bytes = bytes, .work = work};
	while (ends.first_count < series->count && bytes[ends.first_count] <= curve.segments[0].upto_bytes)
		++ends.first_count;
	const struct paradl_fitted_segment *last = &curve.segments[curve.segment_count - 1];
	while (bytes[ends.last] < last->from_bytes)
		++ends.last;
	ends.last_count = series->count - ends.last;
	const struct estimator estimator = {ends_estimate, &ends, VALUES};
	fitted->series = series;
	fitted->residual = curve.segment_error;
	if (!intervals_make(
		    series->cells, series->count, &estimator, fitted->values, &fitted->is_range, error))
		return false;
	if (!(last->s_per_byte * bytes[series->count - 1] > last->a_s))
		fitted->values[RATE].value = 0;
	return true;
}

static bool level_put(struct calibration *calibration, unsigned level, const char *key, const char *unit,
	const struct fitted_ends *fitted, const struct interval *value, struct paradl_error *error)
{
	if (!fitted->series || !(value->value > 0))
		return true;
	struct paradl_fitted_number *number = fitted_number_add(calibration, error);
	if (!number)
		return false;
	number->file = PARADL_FITTED_MACHINE;
	number->path = arena_printf(calibration->arena, "levels/%u/%s", level, key);
	number->unit = unit;
	number->value = value->value;
	number->low = value->low;
	number->high = value->high;
	number->is_range = fitted->is_range;
	number->points = fitted->series->count;
	number->residual = fitted->residual;
	number->from = cells_origin(
		calibration->arena, fitted->series->cells, fitted->series->count, &number->launches);
	number->was = -1;
	return (number->path && number->from) || out_of_memory(error);
}

/* Returns whether host memory counts at a level. */
static bool host_counts(const struct calibration *calibration, unsigned level)
{
	const struct paradl_machine *const before = calibration->before;
	return level > 0 || !before || !(before->device.link.host_bytes_per_s > 0);
}

static const struct series *pair_of_level(
	const struct calibration *calibration, const struct series_list *list, unsigned level)
{
	return series_choose(list, "point-to-point", level, host_counts(calibration, level));
}

/* Returns the allreduce of a level, of device memory where messages between two devices are; NULL: there is none. */
static const struct series *ring_of_level(
	const struct calibration *calibration, const struct series_list *list, unsigned level)
{
	const struct series *const pair = pair_of_level(calibration, list, level);
	const struct series *const all =
		series_choose(list, "allreduce", level, host_counts(calibration, level));
	const bool differs = all && pair && strcmp(all->buffer, pair->buffer) != 0;
	return differs && strcmp(pair->buffer, "device") == 0 ? NULL : all;
}

const struct series *ring_of_node(const struct calibration *calibration, const struct series_list *list)
{
	return ring_of_level(calibration, list, 0);
}

static bool level_fit(struct calibration *calibration, const struct series_list *list, unsigned level,
	struct paradl_error *error)
{
	const struct paradl_machine *before = calibration->before;
	const struct series *const pair = pair_of_level(calibration, list, level);
	const struct series *const all = ring_of_level(calibration, list, level);
	const double ports = level && before && before->level_count > 1 ? before->levels[1].ports : 1;
	struct fitted_ends of_pair = {.series = NULL}, of_ring = {.series = NULL};
	if (pair && !ends_fit(calibration, pair, 1, &of_pair, error))
		return false;
	if (all &&
		!ends_fit(calibration, all, 2 * (all->devices - 1.) / all->devices / ports, &of_ring, error))
		return false;
	const struct interval *ring = &of_ring.values[RATE], *single = &of_pair.values[RATE];
	if (pair && !level_put(calibration, level, "latency", "s", &of_pair, &of_pair.values[LATENCY], error))
		return false;
	const bool ring_faster = all && ring->value > single->value;
	const bool tells = pair || !before || level >= before->level_count ||
			   ring->value > before->levels[level].bandwidth_bytes_per_s;
	if (tells && !level_put(calibration, level, "bandwidth", "B/s", ring_faster ? &of_ring : &of_pair,
			     ring_faster ? ring : single, error))
		return false;
	return !all || level_put(calibration, level, "ring", "B/s", &of_ring, ring, error);
}

bool fit_links(struct calibration *calibration, struct paradl_error *error)
{
	struct series_list list;
	return series_make(calibration, &list, error) && level_fit(calibration, &list, 0, error) &&
	       level_fit(calibration, &list, 1, error);
}

struct copies {
	const struct cell **items;
	unsigned count;
};

static double size_of(const struct cell *cell)
{
	return cell_number(cell, "size", cell->point->bytes);
}

/* Returns whether a copy is preferred to `best`: more groups copy at the same time, or as many and more bytes. */
static bool copy_is_better(const struct cell *cell, const struct cell *best)
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
			size_of(cell) > 0 && copy_is_better(cell, best))
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
		if (cell_says(cell, "kind", "peer") && !copy_is_better(best, cell))
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

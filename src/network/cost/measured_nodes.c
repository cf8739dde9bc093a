/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times follow a law over sizes and numbers of nodes:
 *     between two points of the measured sizes: T is linear in bytes
 *     outside the measured sizes:               a + b bytes of the first or last of three fitted segments,
 *                                               joined to the end point
 *     over nodes n:                             T = f(n) bytes / R + rest
 *     between two numbers of nodes:             the rest is linear in log2 n
 *     beyond the most nodes N:                  rest(N) + T(N) v log2(n / N),  v >= 0
 * Here f is the factor of the bus bandwidth, 2 (P - 1) / P of an allreduce over P devices. R is the best bus
 * bandwidth of any of the curves that use the same wires: those of one node, or those of more. v is the growth of
 * the rest per doubling of the nodes, relative to T(N): the slope of a least-squares line in log2 nodes over all
 * counts but one node, and the median of these slopes over five neighbouring sizes, since single measurements of the
 * growth are noise. So the time of the wires follows from the devices, and only the rest, start-up and software, is
 * carried from one node to several.
 *
 * A count whose bus bandwidth at a large size is out of line with the count before or after it was measured on a
 * slow node or link: at that size no others are derived from it.
 *
 * Accuracy between sizes: with every other size of 141 published curves predicted by the rest, the median error is
 * 1.8 % for T linear in bytes and 2.9 % for log T linear in log bytes. With each count but the least of ABCI's left
 * out in turn, the median error is 10.2 % at 1 MiB and more, and bands that depend on the size hold nine of ten; but
 * the law was chosen by these.
 */
#include "network/cost/measured_curves.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void set_insert(struct set *set, const struct measured_curve *curve)
{
	unsigned at = set->count;
	for (unsigned i = 0; i < set->count; ++i)
		if (set->curves[i]->nodes == curve->nodes)
			return;
	if (set->count == COUNTS_MAX || curve->points.count < 1)
		return;
	for (; at > 0 && set->curves[at - 1]->nodes > curve->nodes; --at)
		set->curves[at] = set->curves[at - 1];
	set->curves[at] = curve;
	++set->count;
}

/* Finds the best bus bandwidth over all counts: of one node, and of several. */
static void set_rates(struct set *set)
{
	set->node_rate = set->rate = 0;
	for (unsigned i = 0; i < set->count; ++i) {
		const struct measured_curve *curve = set->curves[i];
		const double factor = bus_factor(set->operation, curve->devices);
		double *rate = curve->nodes > 1 ? &set->rate : &set->node_rate;
		for (unsigned k = 0; k < curve->points.count; ++k)
			*rate = fmax(*rate, factor * curve->points.x[k] / curve->points.y[k]);
	}
	if (!(set->rate > 0))
		set->rate = set->node_rate;
}

size_t library_name_length(const char *library)
{
	size_t length = 0;
	while (library[length] && !(library[length] == ' ' && isdigit((unsigned char)library[length + 1])))
		++length;
	return length;
}

bool libraries_agree(const char *a, const char *b)
{
	const size_t length = library_name_length(a);
	return length == library_name_length(b) && strncmp(a, b, length) == 0;
}

void set_gather(
	const struct paradl_machine *machine, const char *library, unsigned node_devices, struct set *set)
{
	for (unsigned i = 0; i < machine->curve_count; ++i) {
		const struct measured_curve *curve = &machine->curves[i];
		if (curve->devices / curve->nodes != node_devices ||
			strcmp(curve->operation, operation_names[set->operation]) != 0 ||
			(library && !libraries_agree(library, curve->library)))
			continue;
		library = curve->library;
		set_insert(set, curve);
	}
	set_rates(set);
}

static bool set_has(const struct set *set, unsigned nodes)
{
	for (unsigned i = 0; i < set->count; ++i)
		if (set->curves[i]->nodes == nodes)
			return true;
	return false;
}

/*
 * Returns the time outside the points: the fitted segment, scaled so that it meets the end point. The error by which
 * the fit misses its points grows with the distance, by as much again for each length of the segment (in the
 * logarithm of the size).
 */
static double outside(const struct points *points, double bytes, double *residual)
{
	struct segments fit;
	segments_fit(points, SEGMENTS_USUAL, &fit);
	const double *const sizes = points->x;
	const bool above = bytes > sizes[0];
	const struct fitted_segment *segment = &fit.segments[above ? fit.count - 1 : 0];
	const unsigned end = above ? points->count - 1 : 0;
	const double span = log(sizes[segment->last] / sizes[segment->first]);
	*residual = segment->residual * (1 + fabs(log(fmax(bytes, 1) / sizes[end])) / span);
	return points->y[end] * line_s(&segment->line, bytes) / line_s(&segment->line, sizes[end]);
}

double time_at(const struct points *points, double bytes, enum measured_origin *origin, double *residual)
{
	const unsigned i = points_below(points, bytes);
	*origin = MEASURED;
	if (i < points->count && !(bytes > points->x[i]))
		return points->y[i];
	*origin = INTERPOLATED;
	if (i < points->count && i + 1 < points->count)
		return points_between(points, i, bytes);
	*origin = EXTRAPOLATED;
	return outside(points, bytes, residual);
}

double curve_at(const struct measured_curve *curve, double bytes)
{
	enum measured_origin origin;
	double residual;
	return time_at(&curve->points, bytes, &origin, &residual);
}

/* Returns the seconds on the wires, at the best rate that was measured through them. */
static double bus_s(const struct set *set, unsigned nodes, double bytes)
{
	const unsigned each = set->curves[0]->devices / set->curves[0]->nodes;
	const double devices = (double)nodes * each;
	return bus_factor(set->operation, devices) * bytes / (nodes > 1 ? set->rate : set->node_rate);
}

static double rest_s(const struct set *set, unsigned i, double bytes)
{
	return curve_at(set->curves[i], bytes) - bus_s(set, set->curves[i]->nodes, bytes);
}

static double bus_rate(const struct set *set, unsigned i, double bytes)
{
	const struct measured_curve *curve = set->curves[i];
	return bus_factor(set->operation, curve->devices) * bytes / curve_at(curve, bytes);
}

/*
 * Returns the rate of a count relative to the better one of its neighbours', among those beyond one node; 1 if there
 * are none.
 */
static double neighbour_share(const struct set *set, unsigned i, double bytes)
{
	double best = 0;
	if (set->curves[i]->nodes == 1)
		return 1;
	if (i > 0 && set->curves[i - 1]->nodes > 1)
		best = bus_rate(set, i - 1, bytes);
	if (i + 1 < set->count)
		best = fmax(best, bus_rate(set, i + 1, bytes));
	return best > 0 ? bus_rate(set, i, bytes) / best : 1;
}

void set_drop(struct set *set, unsigned i)
{
	--set->count;
	for (; i < set->count; ++i)
		set->curves[i] = set->curves[i + 1];
}

void set_straighten(struct set *set, double bytes)
{
	while (bytes >= measured_large_bytes) {
		unsigned worst = 0;
		double least = measured_least_share;
		for (unsigned i = 0; i < set->count; ++i) {
			const double share = neighbour_share(set, i, bytes);
			if (share < least) {
				least = share;
				worst = i + 1;
			}
		}
		if (!worst)
			return;
		set_drop(set, worst - 1);
	}
}

double growth_at(const struct set *set, double bytes)
{
	double n = 0, x = 0, t = 0, xx = 0, xt = 0;
	if (set->count < 2)
		return 0;
	const unsigned first = set->curves[0]->nodes == 1 && set->count > 2;
	for (unsigned i = first; i < set->count; ++i) {
		const double doublings = log2(set->curves[i]->nodes), time_s = rest_s(set, i, bytes);
		n += 1;
		x += doublings;
		t += time_s;
		xx += doublings * doublings;
		xt += doublings * time_s;
	}
	return (n * xt - x * t) / (n * xx - x * x) / curve_at(set->curves[set->count - 1], bytes);
}

double nodes_s(const struct set *set, unsigned nodes, double bytes, double growth, double *gap)
{
	const unsigned last = set->count - 1;
	unsigned high = 0;
	*gap = 0;
	while (high < last && set->curves[high]->nodes < nodes)
		++high;
	const double wire_s = bus_s(set, nodes, bytes), to_s = rest_s(set, high, bytes);
	if (set->curves[high]->nodes < nodes) {
		const double last_s = curve_at(set->curves[high], bytes);
		const double doublings = log2((double)nodes / set->curves[high]->nodes);
		const double beyond_s = wire_s + to_s + last_s * fmax(growth, 0) * doublings;
		*gap = fabs(beyond_s - last_s) / last_s;
		return beyond_s;
	}
	if (high == 0)
		return wire_s + to_s;
	const double low_nodes = set->curves[high - 1]->nodes, from_s = rest_s(set, high - 1, bytes);
	const double along = log(nodes / low_nodes) / log(set->curves[high]->nodes / low_nodes);
	const double time_s = wire_s + from_s + (to_s - from_s) * along;
	*gap = fabs(to_s - from_s) * fmin(along, 1 - along) / time_s;
	return time_s;
}

bool measured_slow(const struct paradl_machine *machine, unsigned curve, struct measured_slow *slow)
{
	const struct measured_curve *own = &machine->curves[curve];
	unsigned operation = 0;
	*slow = (struct measured_slow){0};
	while (operation < OPERATION_COUNT && strcmp(operation_names[operation], own->operation) != 0)
		++operation;
	if (operation == OPERATION_COUNT || own->nodes < 2)
		return false;
	struct set set = {.operation = (enum operation)operation};
	set_gather(machine, own->library, own->devices / own->nodes, &set);
	for (unsigned i = 0; i < own->points.count; ++i) {
		const double bytes = own->points.x[i];
		struct set line = set;
		double gap;
		slow->sizes += bytes >= measured_large_bytes;
		set_straighten(&line, bytes);
		if (!line.count || set_has(&line, own->nodes))
			continue;
		const double times =
			own->points.y[i] / nodes_s(&line, own->nodes, bytes, growth_at(&line, bytes), &gap);
		++slow->slow_sizes;
		if (times > slow->times) {
			slow->times = times;
			slow->bytes = bytes;
		}
	}
	return slow->slow_sizes > 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the measured range of sizes, between two points:      T is linear in bytes
 * outside of it:                  a + b bytes of the first or last of three segments fitted, joined to the end point
 * between two numbers of nodes:                            T is linear in log2 nodes
 * beyond the most nodes N:                                 T = T(N) (1 + v log2(nodes / N)),  v >= 0
 * where v is the growth per doubling of the nodes, relative to T(N): the slope of a least-squares line in log2 nodes
 * over all counts but one node (whose devices do not use the network), and the median of that over five neighbouring
 * sizes, since single measurements of it are noise. Between sizes: of 141 published curves, every other size predicted by
 * the rest, the median error is 1.8 % for T linear in bytes and 2.9 % for log T linear in log bytes. The law of nodes was chosen on 1 and 2 against 4 nodes of ABCI (12 curves), where
 * growth in proportion to nodes and none at all are worse; on 2 and 4 against 8 nodes its median error is 6 %.
 */
#include "network/measured.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/segments.h"

enum { COUNTS_MAX = 32, POINTS_MAX = SEGMENTS_POINTS_MAX, NEIGHBOURS = 2 };

/* Curves of one operation, layout and library, ascending in nodes. */
struct set {
	const struct measured_curve *curves[COUNTS_MAX];
	unsigned count;
};

/* Times at some number of nodes, at the sizes of one of the curves. */
struct row {
	const struct measured_curve *grid;
	double time_s[POINTS_MAX];
	unsigned points;
};

static void set_insert(struct set *set, const struct measured_curve *curve)
{
	unsigned at = set->count;
	for (unsigned i = 0; i < set->count; ++i)
		if (set->curves[i]->nodes == curve->nodes)
			return;
	if (set->count == COUNTS_MAX || curve->points < 1)
		return;
	for (; at > 0 && set->curves[at - 1]->nodes > curve->nodes; --at)
		set->curves[at] = set->curves[at - 1];
	set->curves[at] = curve;
	++set->count;
}

static bool set_find(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct set *set)
{
	const char *library = NULL;
	set->count = 0;
	if (nodes < 1 || devices % nodes)
		return false;
	for (unsigned i = 0; i < machine->curve_count; ++i) {
		const struct measured_curve *curve = &machine->curves[i];
		if (curve->devices / curve->nodes != devices / nodes ||
			strcmp(curve->operation, operation_names[operation]) != 0 ||
			(library && strcmp(library, curve->library) != 0))
			continue;
		library = curve->library;
		set_insert(set, curve);
	}
	if (!set->count || nodes < set->curves[0]->nodes)
		return false;
	return set->count > 1 || nodes == set->curves[0]->nodes;
}

/* Between points i and i + 1. */
static double between(const double *bytes, const double *time_s, unsigned i, double at_bytes)
{
	const double along = (at_bytes - bytes[i]) / (bytes[i + 1] - bytes[i]);
	return time_s[i] + (time_s[i + 1] - time_s[i]) * along;
}

/*
 * Outside of the points: the fitted segment, scaled so that it meets the end point. What it misses its points by grows
 * with the distance, by as much again for each length of the segment (in the logarithm of the size).
 */
static double outside(
	const double *bytes, const double *time_s, unsigned points, double at_bytes, double *residual)
{
	struct segments fit;
	segments_fit(bytes, time_s, points, SEGMENTS_USUAL, &fit);
	const bool above = at_bytes > bytes[0];
	const struct segment *segment = &fit.segments[above ? fit.count - 1 : 0];
	const unsigned end = above ? points - 1 : 0;
	const double span = log(bytes[segment->last] / bytes[segment->first]);
	*residual = segment->residual * (1 + fabs(log(fmax(at_bytes, 1) / bytes[end])) / span);
	return time_s[end] * segment_s(segment, at_bytes) / segment_s(segment, bytes[end]);
}

/* The last point that is not above; UINT_MAX when all are. */
static unsigned point_below(const double *bytes, unsigned points, double at_bytes)
{
	unsigned i = 0;
	while (i < points && bytes[i] <= at_bytes)
		++i;
	return i - 1;
}

static double curve_at(const struct measured_curve *curve, double bytes)
{
	const unsigned last = curve->points - 1, i = point_below(curve->bytes, curve->points, bytes);
	double residual;
	if (i <= last && !(bytes > curve->bytes[i]))
		return curve->time_s[i];
	if (i < last)
		return between(curve->bytes, curve->time_s, i, bytes);
	return outside(curve->bytes, curve->time_s, curve->points, bytes, &residual);
}

static double median(double *values, unsigned count)
{
	for (unsigned i = 1; i < count; ++i)
		for (unsigned j = i; j > 0 && values[j] < values[j - 1]; --j) {
			const double swap = values[j];
			values[j] = values[j - 1];
			values[j - 1] = swap;
		}
	return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : 0;
}

/* Growth per doubling of the nodes at one size, relative to the time at the most nodes. */
static double growth_at(const struct set *set, double bytes)
{
	const unsigned first = set->curves[0]->nodes == 1 && set->count > 2;
	double n = 0, x = 0, t = 0, xx = 0, xt = 0, time_s = 0;
	for (unsigned i = first; i < set->count; ++i) {
		const double doublings = log2(set->curves[i]->nodes);
		time_s = curve_at(set->curves[i], bytes);
		n += 1;
		x += doublings;
		t += time_s;
		xx += doublings * doublings;
		xt += doublings * time_s;
	}
	return (n * xt - x * t) / (n * xx - x * x) / time_s;
}

/* Beyond the most nodes, at the sizes of their curve. */
static void row_beyond(const struct set *set, unsigned nodes, struct row *row)
{
	double growth[POINTS_MAX] = {0};
	const struct measured_curve *last = set->curves[set->count - 1];
	const double doublings = log2((double)nodes / last->nodes);
	row->grid = last;
	const unsigned points = last->points < POINTS_MAX ? last->points : POINTS_MAX;
	row->points = points;
	/* cppcheck-suppress knownConditionTrueFalse */
	for (unsigned i = 0; i < points; ++i)
		growth[i] = growth_at(set, last->bytes[i]);
	for (unsigned i = 0; i < row->points; ++i) {
		double near[2 * NEIGHBOURS + 1];
		unsigned count = 0;
		for (unsigned j = i > NEIGHBOURS ? i - NEIGHBOURS : 0; j < row->points && j <= i + NEIGHBOURS;
			++j)
			near[count++] = growth[j];
		const double v = median(near, count);
		row->time_s[i] = last->time_s[i] * (1 + (v > 0 ? v : 0) * doublings);
	}
}

/* Between two numbers of nodes, at the sizes of the larger's curve. The relative distance to the nearer is *gap. */
static void row_between(const struct measured_curve *low, const struct measured_curve *high, unsigned nodes,
	struct row *row, double *gap)
{
	double gaps[POINTS_MAX];
	const double along = log((double)nodes / low->nodes) / log((double)high->nodes / low->nodes);
	row->grid = high;
	row->points = high->points < POINTS_MAX ? high->points : POINTS_MAX;
	for (unsigned i = 0; i < row->points; ++i) {
		const double from = curve_at(low, high->bytes[i]), to = high->time_s[i];
		row->time_s[i] = from + (to - from) * along;
		gaps[i] = fabs(to - from) * fmin(along, 1 - along) / row->time_s[i];
	}
	*gap = median(gaps, row->points);
}

/* What the law misses the most nodes by when fitted without them, per doubling; with two counts, all that it adds. */
static double beyond_band(const struct set *set, const struct row *row, unsigned nodes)
{
	double errors[POINTS_MAX];
	struct row without;
	const struct measured_curve *last = set->curves[set->count - 1];
	const double doublings = log2((double)nodes / last->nodes);
	if (set->count < 3) {
		for (unsigned i = 0; i < row->points; ++i)
			errors[i] = row->time_s[i] / last->time_s[i] - 1;
		return median(errors, row->points);
	}
	struct set fewer = *set;
	--fewer.count;
	row_beyond(&fewer, last->nodes, &without);
	for (unsigned i = 0; i < without.points; ++i) {
		const double truth = curve_at(last, without.grid->bytes[i]);
		errors[i] = fabs(without.time_s[i] - truth) / truth;
	}
	return median(errors, without.points) * doublings / log2((double)last->nodes / without.grid->nodes);
}

/* The times at this number of nodes, and how far they may be off for want of a measurement there. */
static void row_of(const struct set *set, unsigned nodes, struct row *row, double *band)
{
	unsigned i = 0;
	while (i < set->count && set->curves[i]->nodes < nodes)
		++i;
	*band = 0;
	if (i == set->count) {
		row_beyond(set, nodes, row);
		*band = beyond_band(set, row, nodes);
	} else if (set->curves[i]->nodes > nodes) {
		row_between(set->curves[i - 1], set->curves[i], nodes, row, band);
	} else {
		row->grid = set->curves[i];
		row->points = row->grid->points < POINTS_MAX ? row->grid->points : POINTS_MAX;
		memcpy(row->time_s, row->grid->time_s, row->points * sizeof *row->time_s);
	}
}

/* By how much a point is off the line between its neighbours: twice the distance of interpolation, so rather too much. */
static double roughness(const struct row *row)
{
	double errors[POINTS_MAX];
	unsigned count = 0;
	for (unsigned i = 1; i + 1 < row->points; ++i) {
		const double bytes[] = {row->grid->bytes[i - 1], row->grid->bytes[i + 1]};
		const double time_s[] = {row->time_s[i - 1], row->time_s[i + 1]};
		const double guess = between(bytes, time_s, 0, row->grid->bytes[i]);
		errors[count++] = fabs(guess - row->time_s[i]) / row->time_s[i];
	}
	return median(errors, count);
}

/* The time at a size, and the relative error to expect when that is not a point. */
static double row_at(const struct row *row, double bytes, enum measured_origin *origin, double *band)
{
	const double *sizes = row->grid->bytes;
	const unsigned i = point_below(sizes, row->points, bytes);
	*band = 0;
	*origin = MEASURED;
	if (i < row->points && !(bytes > sizes[i]))
		return row->time_s[i];
	if (i < row->points && i + 1 < row->points) {
		*origin = INTERPOLATED;
		*band = roughness(row);
		return between(sizes, row->time_s, i, bytes);
	}
	*origin = EXTRAPOLATED;
	return outside(sizes, row->time_s, row->points, bytes, band);
}

bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, struct measured_time *time)
{
	struct set set;
	struct row row = {0};
	double nodes_band, bytes_band;
	if (!(bytes >= 0) || !set_find(machine, operation, nodes, devices, &set))
		return false;
	row_of(&set, nodes, &row, &nodes_band);
	time->seconds = row_at(&row, bytes, &time->origin, &bytes_band);
	time->band = hypot(nodes_band, bytes_band);
	if (nodes > set.curves[set.count - 1]->nodes)
		time->origin = EXTRAPOLATED;
	else if (time->origin == MEASURED && row.grid->nodes != nodes)
		time->origin = INTERPOLATED;
	return true;
}

/* The most that points strictly between two kept ones miss their chord, relative. */
static double chord_miss(const struct row *row, unsigned from, unsigned to)
{
	const double *bytes = row->grid->bytes;
	const double slope = (row->time_s[to] - row->time_s[from]) / (bytes[to] - bytes[from]);
	double most = 0;
	for (unsigned i = from + 1; i < to; ++i) {
		const double chord = row->time_s[from] + slope * (bytes[i] - bytes[from]);
		most = fmax(most, fabs(chord - row->time_s[i]) / row->time_s[i]);
	}
	return most;
}

/* Leaves out the points missed least until `room` are left. */
static unsigned knots_choose(const struct row *row, unsigned short *knots, unsigned room)
{
	unsigned count = row->points;
	for (unsigned i = 0; i < count; ++i)
		knots[i] = (unsigned short)i;
	while (count > room) {
		unsigned best = 1;
		double least = DBL_MAX;
		for (unsigned i = 1; i + 1 < count; ++i) {
			const double miss = chord_miss(row, knots[i - 1], knots[i + 1]);
			if (miss < least) {
				least = miss;
				best = i;
			}
		}
		--count;
		memmove(&knots[best], &knots[best + 1], (count - best) * sizeof *knots);
	}
	return count;
}

static void add(struct curve *curve, double upto_bytes, double a_s, double b_s_per_byte)
{
	curve->segments[curve->count++] =
		(struct curve_segment){.upto_bytes = upto_bytes, .a_s = a_s, .b_s_per_byte = b_s_per_byte};
}

bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve)
{
	struct set set;
	struct row row;
	struct segments fit;
	unsigned short knots[POINTS_MAX];
	double band;
	*curve = (struct curve){0};
	if (!set_find(machine, operation, nodes, devices, &set))
		return false;
	row_of(&set, nodes, &row, &band);
	const double *bytes = row.grid->bytes, *time_s = row.time_s;
	const unsigned count = knots_choose(&row, knots, CURVE_MAX - 1), last = row.points - 1;
	segments_fit(bytes, time_s, row.points, SEGMENTS_USUAL, &fit);
	const struct segment *low = &fit.segments[0], *high = &fit.segments[fit.count - 1];
	const double below = time_s[0] / segment_s(low, bytes[0]),
		     above = time_s[last] / segment_s(high, bytes[last]);
	add(curve, bytes[0], below * low->a_s, below * low->b_s_per_byte);
	for (unsigned i = 0; i + 1 < count; ++i) {
		const unsigned from = knots[i], to = knots[i + 1];
		const double slope = (time_s[to] - time_s[from]) / (bytes[to] - bytes[from]);
		add(curve, bytes[to], time_s[from] - slope * bytes[from], slope);
	}
	add(curve, DBL_MAX, above * high->a_s, above * high->b_s_per_byte);
	return true;
}

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
 * growth in proportion to nodes and none at all are worse; on 2 and 4 against 8 nodes its median error is 6 %. With each count but the least
 * left out in turn it is 13 % of 1 MiB and more, and bands that depend on the size hold nine of ten.
 */
#include "network/measured.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/segments.h"

/* Derived: with these, found on curves of one machine, nine of ten times of the other's are inside (tests/validation/counts_out.py). */
static const double wider = 1.75, least_band = 0.15;

enum { COUNTS_MAX = 32, POINTS_MAX = SEGMENTS_POINTS_MAX, NEIGHBOURS = 2 };

/* Curves of one operation, layout and library, ascending in nodes. */
struct set {
	const struct measured_curve *curves[COUNTS_MAX];
	unsigned count;
};

/* Times at some number of nodes, at the sizes of one of the curves. */
struct row {
	unsigned nodes; /* of that curve */
	struct points points;
	double time_s[POINTS_MAX]; /* that points.y is, unless they are those of a curve */
	double band
		[POINTS_MAX]; /* how far they may be off for want of a measurement at this number of nodes */
};

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

/*
 * Outside of the points: the fitted segment, scaled so that it meets the end point. What it misses its points by grows
 * with the distance, by as much again for each length of the segment (in the logarithm of the size).
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

/* The time at a size; outside of the points, what the fit misses its own by. */
static double time_at(
	const struct points *points, double bytes, enum measured_origin *origin, double *residual)
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

static double curve_at(const struct measured_curve *curve, double bytes)
{
	enum measured_origin origin;
	double residual;
	return time_at(&curve->points, bytes, &origin, &residual);
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

/* The medians over neighbouring sizes, since single ones are noise. */
static void smooth(const double *values, unsigned count, double *smoothed)
{
	for (unsigned i = 0; i < count; ++i) {
		double near[2 * NEIGHBOURS + 1];
		unsigned taken = 0;
		for (unsigned j = i > NEIGHBOURS ? i - NEIGHBOURS : 0; j < count && j <= i + NEIGHBOURS; ++j)
			near[taken++] = values[j];
		smoothed[i] = median(near, taken);
	}
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

/* Takes the sizes of a curve, for times of its own. */
static void row_begin(struct row *row, const struct measured_curve *curve)
{
	const unsigned count = curve->points.count < POINTS_MAX ? curve->points.count : POINTS_MAX;
	row->nodes = curve->nodes;
	row->points = (struct points){curve->points.x, row->time_s, count};
}

/* Beyond the most nodes, at the sizes of their curve. */
static void row_beyond(const struct set *set, unsigned nodes, struct row *row)
{
	double growth[POINTS_MAX] = {0}, growth_smooth[POINTS_MAX];
	const struct measured_curve *last = set->curves[set->count - 1];
	const double doublings = log2((double)nodes / last->nodes);
	row_begin(row, last);
	const unsigned points = row->points.count;
	/* cppcheck-suppress knownConditionTrueFalse */
	for (unsigned i = 0; i < points; ++i)
		growth[i] = growth_at(set, row->points.x[i]);
	smooth(growth, points, growth_smooth);
	for (unsigned i = 0; i < points; ++i)
		row->time_s[i] = last->points.y[i] * (1 + fmax(growth_smooth[i], 0) * doublings);
}

/* Between two numbers of nodes, at the sizes of the larger's curve: off by the relative distance to the nearer. */
static void row_between(
	const struct measured_curve *low, const struct measured_curve *high, unsigned nodes, struct row *row)
{
	double gaps[POINTS_MAX];
	const double along = log((double)nodes / low->nodes) / log((double)high->nodes / low->nodes);
	row_begin(row, high);
	for (unsigned i = 0; i < row->points.count; ++i) {
		const double from = curve_at(low, row->points.x[i]), to = high->points.y[i];
		row->time_s[i] = from + (to - from) * along;
		gaps[i] = fabs(to - from) * fmin(along, 1 - along) / row->time_s[i];
	}
	smooth(gaps, row->points.count, row->band);
}

/* What the law misses the most nodes by when fitted without them, per doubling; with two counts, all that it adds. */
static void beyond_band(const struct set *set, unsigned nodes, struct row *row)
{
	double errors[POINTS_MAX];
	struct row without;
	const struct measured_curve *last = set->curves[set->count - 1];
	const double doublings = log2((double)nodes / last->nodes);
	struct set fewer = *set;
	--fewer.count;
	if (set->count > 2)
		row_beyond(&fewer, last->nodes, &without);
	const double scale = set->count > 2 ? doublings / log2((double)last->nodes / without.nodes) : 1;
	for (unsigned i = 0; i < row->points.count; ++i) {
		enum measured_origin origin;
		double residual;
		const double truth = last->points.y[i];
		const double guess = set->count > 2
					     ? time_at(&without.points, row->points.x[i], &origin, &residual)
					     : row->time_s[i];
		errors[i] = scale * fabs(guess - truth) / truth;
	}
	smooth(errors, row->points.count, row->band);
}

/* Neighbours know too little of a number of nodes that was not measured: one run may be slow as a whole. */
static void band_widen(struct row *row)
{
	for (unsigned i = 0; i < row->points.count; ++i)
		row->band[i] = wider * fmax(row->band[i], least_band);
}

/* The times at this number of nodes. */
static void row_of(const struct set *set, unsigned nodes, struct row *row)
{
	unsigned i = 0;
	while (i < set->count && set->curves[i]->nodes < nodes)
		++i;
	if (i < set->count && set->curves[i]->nodes == nodes) {
		row_begin(row, set->curves[i]);
		row->points.y = set->curves[i]->points.y;
		memset(row->band, 0, sizeof row->band);
		return;
	}
	if (i == set->count) {
		row_beyond(set, nodes, row);
		beyond_band(set, nodes, row);
	} else {
		row_between(set->curves[i - 1], set->curves[i], nodes, row);
	}
	band_widen(row);
}

/* The band of the nearest size from below, or the least. */
static double band_at(const struct row *row, double bytes)
{
	unsigned i = 0;
	while (i + 1 < row->points.count && row->points.x[i + 1] <= bytes)
		++i;
	return row->band[i];
}

/* By how much a point is off the line between its neighbours: twice the distance of interpolation, so rather too much. */
static double roughness(const struct points *points)
{
	double errors[POINTS_MAX];
	const double *const x = points->x, *const y = points->y;
	unsigned count = 0;
	for (unsigned i = 1; i + 1 < points->count; ++i)
		errors[count++] = fabs(straight(x[i - 1], y[i - 1], x[i + 1], y[i + 1], x[i]) - y[i]) / y[i];
	return median(errors, count);
}

bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, struct measured_time *time)
{
	struct set set;
	struct row row = {0};
	double bytes_band = 0;
	if (!(bytes >= 0) || !set_find(machine, operation, nodes, devices, &set))
		return false;
	row_of(&set, nodes, &row);
	time->seconds = time_at(&row.points, bytes, &time->origin, &bytes_band);
	if (time->origin == INTERPOLATED)
		bytes_band = roughness(&row.points);
	time->band = hypot(band_at(&row, bytes), bytes_band);
	if (nodes > set.curves[set.count - 1]->nodes)
		time->origin = EXTRAPOLATED;
	else if (time->origin == MEASURED && row.nodes != nodes)
		time->origin = INTERPOLATED;
	return true;
}

/* The most that points strictly between two kept ones miss their chord, relative. */
static double chord_miss(const struct points *points, unsigned from, unsigned to)
{
	const double *const x = points->x, *const y = points->y;
	const double slope = (y[to] - y[from]) / (x[to] - x[from]);
	double most = 0;
	for (unsigned i = from + 1; i < to; ++i) {
		const double chord = y[from] + slope * (x[i] - x[from]);
		most = fmax(most, fabs(chord - y[i]) / y[i]);
	}
	return most;
}

/* Leaves out the points missed least until `room` are left. */
static unsigned knots_choose(const struct points *points, unsigned short *knots, unsigned room)
{
	unsigned count = points->count;
	for (unsigned i = 0; i < count; ++i)
		knots[i] = (unsigned short)i;
	while (count > room) {
		unsigned best = 1;
		double least = DBL_MAX;
		for (unsigned i = 1; i + 1 < count; ++i) {
			const double miss = chord_miss(points, knots[i - 1], knots[i + 1]);
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
		(struct segment){.upto_bytes = upto_bytes, .line = {a_s, b_s_per_byte}};
}

bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve)
{
	struct set set;
	struct row row;
	struct segments fit;
	unsigned short knots[POINTS_MAX];
	*curve = (struct curve){0};
	if (!set_find(machine, operation, nodes, devices, &set))
		return false;
	row_of(&set, nodes, &row);
	const double *bytes = row.points.x, *time_s = row.points.y;
	const unsigned count = knots_choose(&row.points, knots, CURVE_MAX - 1), last = row.points.count - 1;
	segments_fit(&row.points, SEGMENTS_USUAL, &fit);
	const struct line *low = &fit.segments[0].line, *high = &fit.segments[fit.count - 1].line;
	const double below = time_s[0] / line_s(low, bytes[0]),
		     above = time_s[last] / line_s(high, bytes[last]);
	add(curve, bytes[0], below * low->a_s, below * low->b_s_per_byte);
	for (unsigned i = 0; i + 1 < count; ++i) {
		const unsigned from = knots[i], to = knots[i + 1];
		const double slope = (time_s[to] - time_s[from]) / (bytes[to] - bytes[from]);
		add(curve, bytes[to], time_s[from] - slope * bytes[from], slope);
	}
	add(curve, DBL_MAX, above * high->a_s, above * high->b_s_per_byte);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times over the sizes of measured curves, at any number of nodes (measured_nodes.c), and by how much they may be
 * off.
 */
#include "network/cost/measured_curves.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * How much wider bands are than errors, and the least error. Derived: nine of ten times are inside with 1.9 on one
 * machine's curves and with 2.85 on another's (tests/validation/counts_out.py).
 */
static const double wider = 2.4, least_band = 0.15;

enum { POINTS_MAX = SEGMENTS_POINTS_MAX, NEIGHBOURS = 2 };

/* Times at some number of nodes, at the sizes of one of the curves. */
struct row {
	unsigned nodes; /* number of nodes of that curve */
	struct points points;
	double time_s[POINTS_MAX]; /* the values of points.y, unless those are of a curve */
	double band
		[POINTS_MAX]; /* relative error of the times, as nothing was measured at this number of nodes */
};

/* Returns whether a library of a profile, "open mpi 4.0.5", is some version of "openmpi". */
static bool is_version_of(const char *text, const char *name)
{
	const size_t length = library_name_length(text);
	for (size_t i = 0; i < length; ++i)
		if (text[i] != ' ' && text[i] != *name++)
			return false;
	return !*name;
}

/* Returns the first library of that name that the operation was measured of; NULL: none. */
static const char *library_find(const struct paradl_machine *machine, enum operation operation,
	unsigned node_devices, const char *name)
{
	for (unsigned i = 0; i < machine->curve_count; ++i) {
		const struct measured_curve *const curve = &machine->curves[i];
		if (curve->devices / curve->nodes == node_devices && is_version_of(curve->library, name) &&
			strcmp(curve->operation, operation_names[operation]) == 0)
			return curve->library;
	}
	return NULL;
}

static bool set_find(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, const char *library, struct set *set)
{
	*set = (struct set){.operation = operation};
	if (nodes < 1 || devices % nodes)
		return false;
	if (library && !(library = library_find(machine, operation, devices / nodes, library)))
		return false;
	set_gather(machine, library, devices / nodes, set);
	if (!set->count || nodes < set->curves[0]->nodes)
		return false;
	return set->count > 1 || nodes == set->curves[0]->nodes;
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

/* Smooths values by the median over neighbouring sizes, since single values are noise. */
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

/*
 * Makes the times at a number of nodes, at the sizes of the next larger count's curve, or of the last one. The band
 * is the relative change from the nearest count.
 */
static void row_make(const struct set *set, unsigned nodes, struct row *row)
{
	double growth[POINTS_MAX] = {0}, growth_smooth[POINTS_MAX], gaps[POINTS_MAX] = {0};
	unsigned at = 0;
	while (at + 1 < set->count && set->curves[at]->nodes < nodes)
		++at;
	const struct measured_curve *curve = set->curves[at];
	const unsigned count = curve->points.count < POINTS_MAX ? curve->points.count : POINTS_MAX;
	row->nodes = curve->nodes;
	row->points = (struct points){curve->points.x, row->time_s, count};
	for (unsigned i = 0; i < count; ++i) {
		struct set line = *set;
		set_straighten(&line, curve->points.x[i]);
		growth[i] = growth_at(&line, curve->points.x[i]);
	}
	smooth(growth, count, growth_smooth);
	for (unsigned i = 0; i < count; ++i) {
		struct set line = *set;
		set_straighten(&line, curve->points.x[i]);
		row->time_s[i] = nodes_s(&line, nodes, curve->points.x[i], growth_smooth[i], &gaps[i]);
	}
	memcpy(row->band, gaps, count * sizeof *gaps);
}

/*
 * Sets the bands of a row to the greatest error with which the law predicts any count that is left out, widened, and
 * to no less than what the law adds here.
 */
static void row_uncertain(const struct set *set, struct row *row)
{
	double errors[POINTS_MAX] = {0}, missed[POINTS_MAX], added[POINTS_MAX];
	for (unsigned k = 1; k < set->count && set->count > 2; ++k) {
		struct row without = {0};
		struct set fewer = *set;
		set_drop(&fewer, k);
		row_make(&fewer, set->curves[k]->nodes, &without);
		for (unsigned i = 0; i < row->points.count; ++i) {
			enum measured_origin origin;
			double residual;
			const double bytes = row->points.x[i], truth = curve_at(set->curves[k], bytes);
			const double guess = time_at(&without.points, bytes, &origin, &residual);
			errors[i] = fmax(errors[i], fabs(guess - truth) / truth);
		}
	}
	smooth(errors, row->points.count, missed);
	smooth(row->band, row->points.count, added);
	/* A single run may be slow as a whole, which its neighbours do not tell: hence least_band. */
	for (unsigned i = 0; i < row->points.count; ++i)
		row->band[i] = fmax(wider * fmax(missed[i], least_band), added[i]);
}

/* Finds the times at this number of nodes; false: no curve has them, so they are made. */
static bool row_of(const struct set *set, unsigned nodes, struct row *row)
{
	for (unsigned i = 0; i < set->count; ++i)
		if (set->curves[i]->nodes == nodes) {
			*row = (struct row){.nodes = nodes, .points = set->curves[i]->points};
			if (row->points.count > POINTS_MAX)
				row->points.count = POINTS_MAX;
			return true;
		}
	row_make(set, nodes, row);
	return false;
}

/* Returns the band of the nearest size from below, or of the least size. */
static double band_at(const struct row *row, double bytes)
{
	unsigned i = 0;
	while (i + 1 < row->points.count && row->points.x[i + 1] <= bytes)
		++i;
	return row->band[i];
}

/*
 * Returns the median distance of a point from the line between its neighbours, relative to its time. These are twice
 * as far apart as in interpolation, so it is rather too much.
 */
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
	unsigned devices, double bytes, const char *library, struct measured_time *time)
{
	struct set set;
	struct row row = {0};
	double bytes_band = 0;
	if (!(bytes >= 0) || !set_find(machine, operation, nodes, devices, library, &set))
		return false;
	if (!row_of(&set, nodes, &row))
		row_uncertain(&set, &row);
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

bool measured_covers(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes)
{
	struct set set;
	unsigned i = 0;
	if (!set_find(machine, operation, nodes, devices, NULL, &set))
		return false;
	while (i < set.count && set.curves[i]->nodes < nodes)
		++i;
	const struct points *points = i < set.count ? &set.curves[i]->points : NULL;
	return points && bytes >= points->x[0] && bytes <= points->x[points->count - 1];
}

/*
 * Returns by how much points strictly between two kept ones miss their chord, at the most, relative to their times.
 */
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

/* Leaves out the points that are missed least until `room` are left; returns how many are left. */
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
	struct row row = {0};
	struct segments fit;
	unsigned short knots[POINTS_MAX];
	*curve = (struct curve){0};
	if (!set_find(machine, operation, nodes, devices, NULL, &set))
		return false;
	(void)row_of(&set, nodes, &row);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipeline takes the sum of its stages and, for every further micro-batch, the slowest stage again. For a given
 * limit on the slowest stage, the least sum is a shortest path over (stages, units). Limits are tried in ascending
 * order, from the least one with which there is a path until further ones cannot pay (Zheng et al., Alpa, 2022).
 */
#include "search/stage_partition.h"

#include <math.h>
#include <stdlib.h>

struct path {
	double *sum_s;    /* least sum: [stages * (units + 1) + units] */
	unsigned *before; /* units of the stages before, on the path with that sum */
};

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Returns the least sum of stages that take at most limit_s each; INFINITY: there is no path. */
static double path_find(const struct stage_problem *problem, double limit_s, const struct path *path)
{
	const unsigned units = problem->units, stages = problem->stages;
	for (unsigned i = 0; i <= units; ++i)
		path->sum_s[i] = i ? (double)INFINITY : 0;
	for (unsigned stage = 0; stage < stages; ++stage) {
		const double *before_s = path->sum_s + (size_t)stage * (units + 1);
		double *after_s = path->sum_s + (size_t)(stage + 1) * (units + 1);
		unsigned *before = path->before + (size_t)(stage + 1) * (units + 1);
		for (unsigned i = 0; i <= units; ++i)
			after_s[i] = (double)INFINITY;
		for (unsigned first = stage; first < units; ++first) {
			const double *cost_s = problem->cost_s + stage_index(units, stage, first, 0);
			for (unsigned end = first + 1; isfinite(before_s[first]) && end <= units; ++end)
				if (cost_s[end] <= limit_s && before_s[first] + cost_s[end] < after_s[end]) {
					after_s[end] = before_s[first] + cost_s[end];
					before[end] = first;
				}
		}
	}
	return path->sum_s[(size_t)stages * (units + 1) + units];
}

/* Fills the ends of the path's stages; returns the time of the slowest one. */
static double path_read(const struct stage_problem *problem, const struct path *path, unsigned *ends)
{
	double largest_s = 0;
	unsigned end = problem->units;
	for (unsigned stage = problem->stages; stage-- > 0;) {
		const unsigned first = path->before[(size_t)(stage + 1) * (problem->units + 1) + end];
		largest_s = fmax(largest_s, problem->cost_s[stage_index(problem->units, stage, first, end)]);
		ends[stage] = end;
		end = first;
	}
	return largest_s;
}

/*
 * Returns whether this cost is listed already: stages and units are mostly alike, so it may equal that of the stage
 * before, or that of as many units one position earlier.
 */
static bool is_known(const struct stage_problem *problem, unsigned stage, unsigned first, unsigned end)
{
	const double s = problem->cost_s[stage_index(problem->units, stage, first, end)];
	const double earlier = stage && first >= stage
				       ? problem->cost_s[stage_index(problem->units, stage - 1, first, end)]
				       : -1;
	const double left =
		first > stage ? problem->cost_s[stage_index(problem->units, stage, first - 1, end - 1)] : -1;
	return !(s < earlier || s > earlier) || !(s < left || s > left);
}

/* Collects all distinct costs in ascending order; returns how many there are. */
static size_t limits_fill(const struct stage_problem *problem, double *limits)
{
	const unsigned units = problem->units;
	size_t count = 0, kept = 0;
	for (unsigned stage = 0; stage < problem->stages; ++stage)
		for (unsigned first = stage; first < units; ++first)
			for (unsigned end = first + 1; end <= units; ++end) {
				const double s = problem->cost_s[stage_index(units, stage, first, end)];
				if (isfinite(s) && !is_known(problem, stage, first, end))
					limits[count++] = s;
			}
	qsort(limits, count, sizeof *limits, compare);
	for (size_t i = 0; i < count; ++i)
		if (!kept || limits[i] > limits[kept - 1])
			limits[kept++] = limits[i];
	return kept;
}

/* Returns the index of the first limit with which there is a path; `count` if there is none. */
static size_t limit_least(
	const struct stage_problem *problem, const struct path *path, const double *limits, size_t count)
{
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (isfinite(path_find(problem, limits[middle], path)))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

double stage_cut(const struct stage_problem *problem, struct paradl_arena *scratch, unsigned *ends)
{
	const size_t cells = (size_t)(problem->stages + 1) * (problem->units + 1);
	const struct path path = {
		arena_alloc(scratch, cells, sizeof(double)), arena_alloc(scratch, cells, sizeof(unsigned))};
	double *limits = arena_alloc(
		scratch, (size_t)problem->stages * problem->units * (problem->units + 1) / 2, sizeof *limits);
	unsigned *found = arena_alloc(scratch, problem->stages, sizeof *found);
	const double more = problem->micro_batches - 1;
	double best_s = (double)INFINITY;
	if (!path.sum_s || !path.before || !limits || !found)
		return -1;
	const size_t count = limits_fill(problem, limits);
	const double least_s = path_find(problem, (double)INFINITY, &path);
	for (size_t i = limit_least(problem, &path, limits, count); i < count;) {
		const double first_s = limits[i];
		if (least_s + more * first_s >= best_s)
			break;
		while (i + 1 < count && limits[i + 1] <= first_s * (1 + problem->step))
			++i;
		const double sum_s = path_find(problem, limits[i++], &path);
		const double s = sum_s + more * path_read(problem, &path, found);
		if (s < best_s) {
			best_s = s;
			for (unsigned k = 0; k < problem->stages; ++k)
				ends[k] = found[k];
		}
	}
	return best_s;
}

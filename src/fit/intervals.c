/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/estimators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>

#include "base/error.h"
#include "fit/calibration.h"

enum { REPLICATES = 400, INTERVAL_LAUNCHES = 4 };
static const unsigned long seed = 1;

/* The distinct launches of some cells, and the index among them of each launch of each cell. */
struct roster {
	const struct sample_launch **launches;
	unsigned count;
	unsigned **index;
	const struct cell *const *cells;
	unsigned cell_count;
	double *scratch, *seconds;
	unsigned *drawn; /* how often each launch was drawn */
};

static unsigned launch_index(struct roster *roster, const struct sample_launch *launch)
{
	for (unsigned i = roster->count; i-- > 0;)
		if (roster->launches[i] == launch)
			return i;
	roster->launches[roster->count] = launch;
	return roster->count++;
}

static bool roster_make(
	struct paradl_arena *arena, const struct cell *const *cells, unsigned count, struct roster *roster)
{
	size_t most = 0;
	for (unsigned i = 0; i < count; ++i)
		most += cells[i]->launches;
	*roster = (struct roster){.launches = arena_alloc(arena, most, sizeof(struct sample_launch *)),
		.index = arena_alloc(arena, count, sizeof *roster->index),
		.cells = cells,
		.cell_count = count,
		.seconds = arena_alloc(arena, count, sizeof(double))};
	if (!roster->launches || !roster->index || !roster->seconds)
		return false;
	for (unsigned i = 0; i < count; ++i) {
		roster->index[i] = arena_alloc(arena, cells[i]->launches, sizeof(unsigned));
		if (!roster->index[i])
			return false;
		for (unsigned j = 0; j < cells[i]->launches; ++j)
			roster->index[i][j] = launch_index(roster, cells[i]->points[j]->launch);
	}
	roster->drawn = arena_alloc(arena, roster->count, sizeof(unsigned));
	/* A cell takes the most room when every draw is a launch that has it. */
	roster->scratch = arena_alloc(arena, (size_t)roster->count + most, sizeof(double));
	return roster->drawn && roster->scratch;
}

/*
 * Fills the seconds of each cell over the launches that were drawn, or over all launches where none of those has the
 * cell.
 */
static void seconds_fill(struct roster *roster)
{
	for (unsigned i = 0; i < roster->cell_count; ++i) {
		const struct cell *cell = roster->cells[i];
		size_t count = 0;
		for (unsigned j = 0; j < cell->launches; ++j)
			for (unsigned times = roster->drawn[roster->index[i][j]]; times-- > 0;)
				roster->scratch[count++] = cell->launch_s[j];
		roster->seconds[i] = count ? robust_median(roster->scratch, count) : cell->seconds;
	}
}

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/*
 * Fills replicates[value][n]: the values of each draw of launches or, for a range, of each launch alone. Returns
 * false when out of memory.
 */
static bool replicates_fill(struct paradl_arena *arena, struct roster *roster,
	const struct estimator *estimator, bool is_range, unsigned count, double **replicates)
{
	double values[ESTIMATES_MAX];
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	if (!random)
		return false;
	gsl_rng_set(random, seed);
	bool fine = true;
	for (unsigned n = 0; fine && n < count; ++n) {
		struct paradl_arena *scratch = arena_create_within(arena);
		for (unsigned i = 0; i < roster->count; ++i)
			roster->drawn[i] = is_range && i == n;
		for (unsigned i = 0; !is_range && i < roster->count; ++i)
			++roster->drawn[gsl_rng_uniform_int(random, roster->count)];
		seconds_fill(roster);
		fine = scratch && estimator->estimate(scratch, estimator->context, roster->seconds, values);
		for (unsigned v = 0; fine && v < estimator->values; ++v)
			replicates[v][n] = values[v];
	}
	gsl_rng_free(random);
	return fine;
}

static void interval_set(
	struct interval *interval, double *replicates, unsigned count, bool is_range, unsigned launches)
{
	qsort(replicates, count, sizeof *replicates, compare);
	const unsigned tail = is_range ? 0 : count / 40;
	const double low = replicates[tail], high = replicates[count - 1 - tail];
	interval->low = interval->high = interval->value;
	if (!(low > 0) || !(interval->value > 0))
		return;
	const double wider = is_range ? 1 : interval_widening(launches);
	interval->low = interval->value * pow(fmin(low / interval->value, 1), wider);
	interval->high = interval->value * pow(fmax(high / interval->value, 1), wider);
}

static bool intervals_fill(struct paradl_arena *arena, struct roster *roster,
	const struct estimator *estimator, struct interval *intervals, bool is_range)
{
	double values[ESTIMATES_MAX], *replicates[ESTIMATES_MAX];
	const unsigned count = is_range ? roster->count : REPLICATES;
	for (unsigned i = 0; i < roster->cell_count; ++i)
		roster->seconds[i] = roster->cells[i]->seconds;
	if (!estimator->estimate(arena, estimator->context, roster->seconds, values))
		return false;
	for (unsigned v = 0; v < estimator->values; ++v) {
		intervals[v].value = values[v];
		replicates[v] = arena_alloc(arena, count, sizeof(double));
		if (!replicates[v])
			return false;
	}
	if (!replicates_fill(arena, roster, estimator, is_range, count, replicates))
		return false;
	for (unsigned v = 0; v < estimator->values; ++v)
		interval_set(&intervals[v], replicates[v], count, is_range, roster->count);
	return true;
}

bool intervals_make(const struct cell *const *cells, unsigned count, const struct estimator *estimator,
	struct interval *intervals, bool *is_range, struct paradl_error *error)
{
	struct roster roster;

	struct paradl_arena *scratch = paradl_arena_create();
	bool fine = scratch && count && roster_make(scratch, cells, count, &roster);
	if (fine) {
		*is_range = roster.count < INTERVAL_LAUNCHES;
		fine = intervals_fill(scratch, &roster, estimator, intervals, *is_range);
	}
	paradl_arena_free(scratch);
	return fine || out_of_memory(error);
}

const char *cells_origin(
	struct paradl_arena *arena, const struct cell *const *cells, unsigned count, unsigned *launches)
{
	struct paradl_arena *scratch = paradl_arena_create();
	struct roster roster;
	const char *text = NULL;
	*launches = 0;
	if (scratch && count && roster_make(scratch, cells, count, &roster)) {
		const struct sample_launch *last = roster.launches[0];
		for (unsigned i = 1; i < roster.count; ++i)
			if (strcmp(roster.launches[i]->date, last->date) > 0)
				last = roster.launches[i];
		const size_t program = strlen(last->program);
		const bool ours = strncmp(last->id, last->program, program) == 0 && last->id[program] == '.';
		*launches = roster.count;
		text = arena_printf(arena, "%s%s, %u launch%s%s%.10s", ours ? "calibrate " : "",
			last->program, roster.count, roster.count > 1 ? "es" : "", *last->date ? ", " : "",
			last->date);
	}
	paradl_arena_free(scratch);
	return text;
}

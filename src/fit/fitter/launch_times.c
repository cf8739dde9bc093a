/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fitter/fitter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>

#include "base/error.h"
#include "fit/calibration.h"

enum { DRAWS = 200, LAUNCHES_FOR_AN_INTERVAL = 4 };
static const double tail = 0.025;
static const unsigned long seed = 1;

static double median_s(struct paradl_arena *arena, const struct sample_point *point)
{
	double *copy = arena_alloc(arena, point->count, sizeof *copy);
	if (!copy)
		return -1;
	memcpy(copy, point->seconds, point->count * sizeof *copy);
	return robust_median(copy, point->count);
}

static unsigned launch_index(
	const struct sample_launch **launches, unsigned *count, const struct sample_launch *launch)
{
	unsigned i = 0;
	while (i < *count && launches[i] != launch)
		++i;
	if (i == *count)
		launches[(*count)++] = launch;
	return i;
}

static const char *latest(const struct sample_launch **launches, unsigned count)
{
	const char *date = "";
	for (unsigned i = 0; i < count; ++i)
		if (launches[i]->date && strcmp(launches[i]->date, date) > 0)
			date = launches[i]->date;
	return date;
}

static const char *source_text(
	struct paradl_arena *arena, const struct sample_launch **launches, unsigned count)
{
	const char *date = latest(launches, count), *program = launches[0]->program;
	const bool foreign = strcmp(launches[0]->id, program) == 0; /* as reader/words.c names them */
	return arena_printf(arena, "%s%s, %u launch%s%s%.10s", foreign ? "" : "calibrate ", program, count,
		count > 1 ? "es" : "", *date ? ", " : "", date);
}

bool launch_times_make(struct paradl_arena *arena, const struct cell *const *cells, size_t rows,
	struct launch_times *times, struct paradl_error *error)
{
	size_t most = 0;
	for (size_t i = 0; i < rows; ++i)
		most += cells[i]->launches;
	const struct sample_launch **launches = arena_alloc(arena, most + 1, sizeof(struct sample_launch *));
	*times = (struct launch_times){.cells = cells, .rows = rows};
	if (!launches)
		return out_of_memory(error);
	for (size_t i = 0; i < rows; ++i)
		for (unsigned l = 0; l < cells[i]->launches; ++l)
			(void)launch_index(launches, &times->launches, cells[i]->points[l]->launch);
	times->median_s = arena_alloc(arena, rows * times->launches + 1, sizeof *times->median_s);
	times->from = times->launches ? source_text(arena, launches, times->launches) : "";
	if (!times->median_s || !times->from)
		return out_of_memory(error);
	for (size_t i = 0; i < rows; ++i)
		for (unsigned l = 0; l < cells[i]->launches; ++l) {
			unsigned count = times->launches;
			const struct sample_point *point = cells[i]->points[l];
			const double s = median_s(arena, point);
			if (s < 0)
				return out_of_memory(error);
			times->median_s[i * count + launch_index(launches, &count, point->launch)] = s;
		}
	return true;
}

/* Fills the median of each row over the drawn launches, or its value in `otherwise` where none of them has it. */
static void draw_fill(const struct launch_times *times, const unsigned *drawn, unsigned count,
	const double *otherwise, double *scratch, double *seconds)
{
	for (size_t i = 0; i < times->rows; ++i) {
		unsigned found = 0;
		for (unsigned l = 0; l < count; ++l) {
			const double s = times->median_s[i * times->launches + drawn[l]];
			if (s > 0)
				scratch[found++] = s;
		}
		seconds[i] = found ? robust_median(scratch, found) : otherwise[i];
	}
}

struct draws {
	unsigned count, *drawn; /* number of draws; drawn: launches of one draw */
	double *scratch, *all, *seconds, *values;
};

static bool draws_create(struct paradl_arena *arena, const struct launch_times *times, size_t values,
	struct draws *draws, struct paradl_error *error)
{
	const unsigned launches = times->launches;
	draws->count = launches >= LAUNCHES_FOR_AN_INTERVAL ? DRAWS : launches > 1 ? launches : 0;
	draws->drawn = arena_alloc(arena, launches + 1, sizeof *draws->drawn);
	draws->scratch = arena_alloc(arena, launches + DRAWS, sizeof *draws->scratch);
	draws->all = arena_alloc(arena, times->rows + 1, sizeof *draws->all);
	draws->seconds = arena_alloc(arena, times->rows + 1, sizeof *draws->seconds);
	draws->values = arena_alloc(arena, (DRAWS + 1) * values, sizeof *draws->values);
	return (draws->drawn && draws->scratch && draws->all && draws->seconds && draws->values) ||
	       out_of_memory(error);
}

static bool draws_fit(const struct launch_times *times, struct draws *draws, refit *fit, void *context,
	size_t count, struct paradl_error *error)
{
	const unsigned launches = times->launches;
	const bool interval = launches >= LAUNCHES_FOR_AN_INTERVAL;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	if (!random)
		return out_of_memory(error);
	gsl_rng_set(random, seed);
	bool fine = true;
	for (unsigned d = 0; fine && d < draws->count; ++d) {
		draws->drawn[0] = d;
		for (unsigned l = 0; interval && l < launches; ++l)
			draws->drawn[l] = (unsigned)gsl_rng_uniform_int(random, launches);
		draw_fill(times, draws->drawn, interval ? launches : 1, draws->all, draws->scratch,
			draws->seconds);
		fine = fit(context, draws->seconds, false, draws->values + (d + 1) * count, error);
	}
	gsl_rng_free(random);
	return fine;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void interval_fill(
	const struct draws *draws, unsigned launches, size_t i, size_t count, struct fitted_value *value)
{
	const bool is_range = launches < LAUNCHES_FOR_AN_INTERVAL;
	value->value = value->low = value->high = draws->values[i];
	if (!draws->count)
		return;
	for (unsigned d = 0; d < draws->count; ++d)
		draws->scratch[d] = draws->values[(d + 1) * count + i];
	qsort(draws->scratch, draws->count, sizeof *draws->scratch, compare);
	const unsigned skip = is_range ? 0 : (unsigned)(tail * draws->count);
	const double low = draws->scratch[skip], high = draws->scratch[draws->count - 1 - skip];
	value->low = low < value->low ? low : value->low;
	value->high = high > value->high ? high : value->high;
	if (is_range || !(value->low > 0))
		return;
	/* as in cell_statistics.c: launches that are drawn again differ less than launches do */
	const double wider = interval_widening(launches);
	value->low = value->value * pow(value->low / value->value, wider);
	value->high = value->value * pow(value->high / value->value, wider);
}

bool launch_times_fit(struct paradl_arena *arena, const struct launch_times *times, refit *fit, void *context,
	size_t count, struct fitted_value *values, struct paradl_error *error)
{
	struct draws draws;
	if (!draws_create(arena, times, count, &draws, error))
		return false;
	for (unsigned l = 0; l < times->launches; ++l)
		draws.drawn[l] = l;
	draw_fill(times, draws.drawn, times->launches, draws.all, draws.scratch, draws.all);
	if (!fit(context, draws.all, true, draws.values, error) ||
		!draws_fit(times, &draws, fit, context, count, error))
		return false;
	for (size_t i = 0; i < count; ++i)
		interval_fill(&draws, times->launches, i, count, &values[i]);
	return true;
}

bool number_put(struct calibration *calibration, enum paradl_fitted_file file, const char *path,
	const char *unit, const struct fitted_value *value, const struct fit_source *source,
	struct paradl_error *error)
{
	const char *kept = arena_text(calibration->arena, path);
	struct paradl_fitted_number *number = kept ? fitted_number_add(calibration, error) : NULL;
	if (!number)
		return out_of_memory(error);
	*number = (struct paradl_fitted_number){.file = file,
		.path = kept,
		.unit = unit,
		.value = value->value,
		.low = value->low,
		.high = value->high,
		.is_range = source->times->launches < LAUNCHES_FOR_AN_INTERVAL,
		.points = (unsigned)source->times->rows,
		.launches = source->times->launches,
		.residual = source->residual,
		.from = source->times->from,
		.was = -1};
	return true;
}

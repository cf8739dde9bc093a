/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/estimators.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>

#include "base/error.h"

enum { ITERATIONS_MAX = 200, ROUNDS = 6 };
static const double usual_tolerance = 1e-9, bisquare = 4.685, normal = 0.6745;
static const double least_deviation = 1e-4; /* deviation of exact times, which is rounding */

struct search {
	struct relative_fit *fit;
	double *values;
	gsl_vector *seconds;
};

/*
 * Computes ln(model / measured) at the roots of the values. GSL also passes columns of its Jacobian as `residuals`,
 * whose items are not contiguous.
 */
static int residuals_call(const gsl_vector *roots, void *context, gsl_vector *residuals)
{
	struct search *search = context;
	struct relative_fit *fit = search->fit;
	for (size_t i = 0; i < fit->count; ++i)
		search->values[i] = gsl_vector_get(roots, i) * gsl_vector_get(roots, i);
	fit->model(fit->context, search->values, search->seconds->data);
	for (size_t i = 0; i < fit->rows; ++i) {
		const double r = log(gsl_vector_get(search->seconds, i) / fit->seconds[i]);
		if (!isfinite(r))
			return GSL_EDOM;
		gsl_vector_set(residuals, i, r);
	}
	return GSL_SUCCESS;
}

static double median_size(const gsl_vector *residuals, gsl_vector *sorted)
{
	for (size_t i = 0; i < residuals->size; ++i)
		gsl_vector_set(sorted, i, fabs(gsl_vector_get(residuals, i)));
	gsl_sort_vector(sorted);
	return gsl_stats_median_from_sorted_data(sorted->data, 1, sorted->size);
}

static void reweigh(const gsl_vector *residuals, double median, gsl_vector *weights)
{
	const double deviation = fmax(median / normal, least_deviation);
	for (size_t i = 0; i < residuals->size; ++i) {
		const double u = gsl_vector_get(residuals, i) / (bisquare * deviation);
		gsl_vector_set(weights, i, fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0);
	}
}

struct space {
	gsl_multifit_nlinear_workspace *solver;
	gsl_vector *roots, *weights, *sorted, *residuals, *seconds;
};

static void space_free(struct space *space)
{
	enum { VECTORS = 5 };
	gsl_vector *const vectors[VECTORS] = {
		space->roots, space->weights, space->sorted, space->residuals, space->seconds};
	for (size_t i = 0; i < VECTORS; ++i)
		if (vectors[i])
			gsl_vector_free(vectors[i]);
	if (space->solver)
		gsl_multifit_nlinear_free(space->solver);
}

static bool space_create(const struct relative_fit *fit, struct space *space)
{
	const gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
	*space = (struct space){
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, fit->rows, fit->count),
		gsl_vector_alloc(fit->count), gsl_vector_alloc(fit->rows), gsl_vector_alloc(fit->rows),
		gsl_vector_alloc(fit->rows), gsl_vector_alloc(fit->rows)};
	return space->solver && space->roots && space->weights && space->sorted && space->residuals &&
	       space->seconds;
}

static bool rounds_run(struct search *search, struct space *space, struct paradl_error *error)
{
	struct relative_fit *fit = search->fit;
	const double tolerance = fit->tolerance > 0 ? fit->tolerance : usual_tolerance;
	gsl_multifit_nlinear_fdf function = {
		.f = residuals_call, .n = fit->rows, .p = fit->count, .params = search};
	gsl_vector_set_all(space->weights, 1);
	for (int round = 0; round < ROUNDS; ++round) {
		int reason;
		if (gsl_multifit_nlinear_winit(space->roots, space->weights, &function, space->solver) !=
			GSL_SUCCESS)
			return error_set(error, PARADL_INFEASIBLE,
				"a fit cannot begin: times or sizes are not above 0");
		(void)gsl_multifit_nlinear_driver(
			ITERATIONS_MAX, tolerance, tolerance, 0, NULL, NULL, &reason, space->solver);
		gsl_vector_memcpy(space->roots, gsl_multifit_nlinear_position(space->solver));
		/* The solver's own residuals are weighted. */
		if (residuals_call(space->roots, search, space->residuals) != GSL_SUCCESS)
			return error_set(
				error, PARADL_INFEASIBLE, "a fit runs away: times and shapes disagree");
		fit->residual = median_size(space->residuals, space->sorted);
		reweigh(space->residuals, fit->residual, space->weights);
	}
	return true;
}

bool relative_fit(struct relative_fit *fit, double *values, struct paradl_error *error)
{
	struct search search = {.fit = fit, .values = values};
	struct space space = {0};
	if (fit->rows < fit->count)
		return error_set(
			error, PARADL_INFEASIBLE, "%zu points cannot say %zu numbers", fit->rows, fit->count);
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	bool fine = space_create(fit, &space) || out_of_memory(error);
	search.seconds = space.seconds;
	for (size_t i = 0; fine && i < fit->count; ++i)
		gsl_vector_set(space.roots, i, sqrt(values[i]));
	fine = fine && rounds_run(&search, &space, error);
	for (size_t i = 0; fine && i < fit->count; ++i)
		values[i] = gsl_vector_get(space.roots, i) * gsl_vector_get(space.roots, i);
	space_free(&space);
	gsl_set_error_handler(handler);
	return fine;
}

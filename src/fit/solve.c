/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levenberg-Marquardt (GSL). Bounds by a change of variables, u = (1 + sin z) / 2. The only file that includes GSL.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/error.h"
#include "fit/fit.h"

enum { ITERATIONS_MAX = 80 };
static const double edge = 1e-3;       /* of the range: how near to a bound a search begins */
static const double tolerance = 1e-7;  /* of the variables, and of the gradient */
static const double seed_spread = 0.1; /* of the range, of further starts around the best */
static const unsigned long seed = 1;

/* What GSL's callbacks work on. */
struct search {
	struct fit_problem *problem;
	double *unit, *jacobian;
};

static void unit_of(const gsl_vector *z, double *unit)
{
	for (size_t i = 0; i < z->size; ++i)
		unit[i] = (1 + sin(gsl_vector_get(z, i))) / 2;
}

static void angle_of(const double *unit, gsl_vector *z)
{
	for (size_t i = 0; i < z->size; ++i) {
		const double inside = unit[i] < edge ? edge : unit[i] > 1 - edge ? 1 - edge : unit[i];
		gsl_vector_set(z, i, asin(2 * inside - 1));
	}
}

static int residuals_call(const gsl_vector *z, void *context, gsl_vector *residuals)
{
	struct search *search = context;
	unit_of(z, search->unit);
	return problem_residuals(search->problem, search->unit, residuals->data) ? GSL_SUCCESS : GSL_EFAILED;
}

static int jacobian_call(const gsl_vector *z, void *context, gsl_matrix *jacobian)
{
	struct search *search = context;
	unit_of(z, search->unit);
	if (!problem_jacobian(search->problem, search->unit, search->jacobian))
		return GSL_EFAILED;
	for (size_t i = 0; i < jacobian->size1; ++i)
		for (size_t k = 0; k < jacobian->size2; ++k)
			gsl_matrix_set(jacobian, i, k,
				search->jacobian[i * jacobian->size2 + k] * cos(gsl_vector_get(z, k)) / 2);
	return GSL_SUCCESS;
}

static bool minimize(struct search *search, double *unit, double *cost, struct paradl_error *error)
{
	const size_t columns = search->problem->constants->count;
	const gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf function = {.f = residuals_call,
		.df = jacobian_call,
		.n = problem_residual_count(search->problem),
		.p = columns,
		.params = search};
	gsl_multifit_nlinear_workspace *space =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, function.n, columns);
	gsl_vector *z = gsl_vector_alloc(columns);
	int reason;
	bool fine = space && z;
	if (fine) {
		angle_of(unit, z);
		fine = gsl_multifit_nlinear_init(z, &function, space) == GSL_SUCCESS;
	}
	if (fine) {
		gsl_multifit_nlinear_driver(
			ITERATIONS_MAX, tolerance, tolerance, 0, NULL, NULL, &reason, space);
		const gsl_vector *residuals = gsl_multifit_nlinear_residual(space);
		*cost = 0;
		for (size_t i = 0; i < residuals->size; ++i)
			*cost += gsl_vector_get(residuals, i) * gsl_vector_get(residuals, i) / 2;
		unit_of(gsl_multifit_nlinear_position(space), unit);
	}
	if (z)
		gsl_vector_free(z);
	if (space)
		gsl_multifit_nlinear_free(space);
	if (search->problem->error.status != PARADL_OK) {
		*error = search->problem->error;
		return false;
	}
	return fine || error_set(error, PARADL_NO_MEMORY, "out of memory");
}

static bool search_create(struct paradl_arena *arena, struct fit_problem *problem, struct search *search,
	struct paradl_error *error)
{
	const size_t columns = problem->constants->count;
	*search = (struct search){problem, arena_alloc(arena, columns, sizeof(double)),
		arena_alloc(arena, problem_residual_count(problem) * columns, sizeof(double))};
	return (search->unit && search->jacobian) || error_set(error, PARADL_NO_MEMORY, "out of memory");
}

bool solve(struct paradl_arena *arena, struct fit_problem *problem, double *unit, double *cost,
	struct paradl_error *error)
{
	struct search search;
	if (!search_create(arena, problem, &search, error))
		return false;
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	const bool fine = minimize(&search, unit, cost, error);
	gsl_set_error_handler(handler);
	return fine;
}

/* Once from where `unit` is, then from places around the best. */
static bool search_around(struct search *search, unsigned times, gsl_rng *random, double *trial, double *unit,
	double *cost, struct paradl_error *error)
{
	const size_t count = search->problem->constants->count;
	if (!minimize(search, unit, cost, error))
		return false;
	for (unsigned n = 0; n < times; ++n) {
		double other = 0;
		for (size_t i = 0; i < count; ++i)
			trial[i] = unit[i] + gsl_ran_gaussian(random, seed_spread);
		if (!minimize(search, trial, &other, error))
			return false;
		if (other < *cost) {
			*cost = other;
			memcpy(unit, trial, count * sizeof *unit);
		}
	}
	return true;
}

bool solve_again(struct paradl_arena *arena, struct fit_problem *problem, unsigned times, double *unit,
	double *cost, struct paradl_error *error)
{
	struct search search;
	double *trial = arena_alloc(arena, problem->constants->count, sizeof *trial);
	if (!trial || !search_create(arena, problem, &search, error))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	bool fine = random || error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (random) {
		gsl_rng_set(random, seed);
		fine = search_around(&search, times, random, trial, unit, cost, error);
		gsl_rng_free(random);
	}
	gsl_set_error_handler(handler);
	return fine;
}

/*
 * Covariance C = (J^T J)^-1, J with the priors' rows. Without rows the variance of a constant would be that of its prior
 * alone; known = 1 - C_ii / that. Standard error: sqrt(C_ii s^2), s^2 = sum of squares / degrees of freedom.
 */
static bool errors_fill(const struct search *search, const double *residuals, double *error_of, double *known)
{
	const size_t columns = search->problem->constants->count, rows = search->problem->data->count;
	gsl_matrix *normal = gsl_matrix_calloc(columns, columns);
	const gsl_matrix_const_view jacobian =
		gsl_matrix_const_view_array(search->jacobian, rows + columns, columns);
	const double prior = search->jacobian[rows * columns];
	double squares = 0, free_rows = 0;
	for (size_t i = 0; i < rows; ++i) {
		squares += residuals[i] * residuals[i];
		free_rows += search->problem->weight[i] > 0;
	}
	const double s2 = squares / (free_rows > 1 + (double)columns ? free_rows - (double)columns : 1);
	bool fine = normal;
	if (fine) {
		gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, &jacobian.matrix, &jacobian.matrix, 0, normal);
		fine = gsl_linalg_cholesky_decomp1(normal) == GSL_SUCCESS &&
		       gsl_linalg_cholesky_invert(normal) == GSL_SUCCESS;
	}
	for (size_t i = 0; fine && i < columns; ++i) {
		const double variance = gsl_matrix_get(normal, i, i);
		error_of[i] = sqrt(variance * s2);
		known[i] = 1 - variance * prior * prior;
	}
	if (normal)
		gsl_matrix_free(normal);
	return fine;
}

bool solve_errors(struct paradl_arena *arena, struct fit_problem *problem, const double *unit,
	double *error_of, double *known, struct paradl_error *error)
{
	struct search search;
	double *residuals = arena_alloc(arena, problem_residual_count(problem), sizeof *residuals);
	if (!residuals || !search_create(arena, problem, &search, error))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!problem_residuals(problem, unit, residuals) ||
		!problem_jacobian(problem, unit, search.jacobian)) {
		*error = problem->error;
		return false;
	}
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	const bool fine = errors_fill(&search, residuals, error_of, known);
	gsl_set_error_handler(handler);
	return fine || error_set(error, PARADL_NO_MEMORY, "out of memory");
}

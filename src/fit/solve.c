/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches from several starts: most descend for a while, the last ones and the best of all to the end. Then computes
 * how well the rows determine the constants found.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/error.h"
#include "fit/descent.h"

/*
 * Number of last starts that descend to the end: the cost jumps where stages are cut elsewhere, and each finds
 * another end.
 */
enum { TO_THE_END = 2 };
static const double seed_spread = 0.1; /* spread of further starts around the best, as a share of the range */
static const unsigned long seed = 1;

bool solve(struct paradl_arena *arena, struct fit_problem *problem, double *unit, double *cost,
	struct paradl_error *error)
{
	struct descent *descent = descent_create(arena, problem, error);
	return descent && descent_run(descent, true, unit, cost, error);
}

/* The constants at which a further start begins. */
struct trial {
	double *unit;
	size_t count;
};

/* Descends from `unit`, then from starts around the best so far, and to the end from the best of all. */
static bool search_around(struct descent *descent, unsigned times, gsl_rng *random, struct trial *trial,
	double *unit, double *cost, struct paradl_error *error)
{
	if (!descent_run(descent, times == 0, unit, cost, error))
		return false;
	for (unsigned n = 0; n < times; ++n) {
		double other = 0;
		for (size_t i = 0; i < trial->count; ++i)
			trial->unit[i] = unit[i] + gsl_ran_gaussian(random, seed_spread);
		if (!descent_run(descent, times - n <= TO_THE_END, trial->unit, &other, error))
			return false;
		if (other < *cost) {
			*cost = other;
			memcpy(unit, trial->unit, trial->count * sizeof *unit);
		}
	}
	return times == 0 || descent_run(descent, true, unit, cost, error);
}

bool solve_again(struct paradl_arena *arena, struct fit_problem *problem, unsigned times, double *unit,
	double *cost, struct paradl_error *error)
{
	struct trial trial = {.count = problem->constants->count};
	struct descent *descent = descent_create(arena, problem, error);
	trial.unit = arena_alloc(arena, trial.count, sizeof *trial.unit);
	if (!trial.unit || !descent)
		return out_of_memory(error);
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_set_error_handler(handler);
	if (!random)
		return out_of_memory(error);
	gsl_rng_set(random, seed);
	const bool fine = search_around(descent, times, random, &trial, unit, cost, error);
	gsl_rng_free(random);
	return fine;
}

/*
 * Computes standard errors and known shares from the covariance C = (J^T J)^-1, where J includes the priors' rows.
 * Without other rows the variance of a constant would be that of its prior alone; known = 1 - C_ii / that. The
 * standard error is sqrt(C_ii s^2), s^2 = sum of squares / degrees of freedom. Returns false when out of memory.
 */
static bool errors_fill(const struct fit_problem *problem, const double *residuals, const double *derivatives,
	double *error_of, double *known)
{
	const size_t columns = problem->constants->count, rows = problem->data->count;
	gsl_matrix *normal = gsl_matrix_calloc(columns, columns);
	const gsl_matrix_const_view jacobian =
		gsl_matrix_const_view_array(derivatives, rows + columns, columns);
	const double prior = derivatives[rows * columns];
	double squares = 0, free_rows = 0;
	for (size_t i = 0; i < rows; ++i) {
		squares += residuals[i] * residuals[i];
		free_rows += problem->weight[i] > 0;
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
	const size_t count = problem_residual_count(problem);
	double *residuals = arena_alloc(arena, count, sizeof *residuals);
	double *jacobian = arena_alloc(arena, count * problem->constants->count, sizeof *jacobian);
	if (!residuals || !jacobian)
		return out_of_memory(error);
	if (!problem_residuals(problem, unit, residuals) || !problem_jacobian(problem, unit, jacobian)) {
		*error = problem->error;
		return false;
	}
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	const bool fine = errors_fill(problem, residuals, jacobian, error_of, known);
	gsl_set_error_handler(handler);
	return fine || out_of_memory(error);
}

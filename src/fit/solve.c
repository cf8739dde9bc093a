/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches from several starts for least squares: most descend for a while, the last ones and the best of all to the
 * end. Then computes how well the rows determine the constants found.
 */
#include "fit/fitting.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/error.h"

/*
 * Descends by the Levenberg-Marquardt method with Nielsen's damping (K. Madsen, H. B. Nielsen, O. Tingleff, "Methods for
 * Non-Linear Least Squares Problems", 2004, 3.2), and with bounds: a step goes to the least point of the damped model
 * within them.
 *
 * Derivatives by differences cost as much as a dozen steps. They are computed at the first point. After each step,
 * taken or not, those of each row are changed to agree with the change of its time over that step (3.5, "secant"). A
 * descent that goes to the end computes them again wherever a step gains next to nothing; any other descent ends
 * there.
 */

enum { STEPS_MAX = 200, SWEEPS_MAX = 500 };
/*
 * A step must gain at least this share of the cost. A start that is better than others is so by more than the first.
 * A constant that is off by its standard error costs a share of 1 / (rows - constants), which is far more than the
 * second.
 */
static const double least_gain_before = 1e-2, least_gain_at_the_end = 1e-5;
static const double first_damping =
	0.1; /* share of the second derivatives: starts are some tenths of a range off */
/*
 * Shortest step, as a share of the range, that corrects slopes: a shorter one shows jumps, where stages are cut
 * elsewhere.
 */
static const double telling = 0.03;
static const double settled =
	1e-4; /* share of the range by which constants may miss the least point of the model */

/* The memory for one descent after another. */
struct descent {
	struct fit_problem *problem;
	double *unit, *log_time, *residuals, cost; /* the point reached */
	double *trial, *trial_residuals;           /* the point that the next step goes to */
	double *slopes;                            /* derivatives of log times by `unit`, rows x constants */
	double *normal, *gradient, *tilt;          /* the model here; its first derivatives at `trial` */
	double damping, growth;                    /* damping factor; its growth when a step gains nothing */
};

/* Allocates the memory of descents of a problem; returns NULL with an error when out of memory. */
static struct descent *descent_create(
	struct paradl_arena *arena, struct fit_problem *problem, struct paradl_error *error)
{
	const size_t rows = problem->data->count, columns = problem->constants->count;
	struct descent *descent = arena_alloc(arena, 1, sizeof *descent);
	double *numbers = arena_alloc(arena,
		(rows + columns) * 2 + rows + rows * columns + columns * columns + columns * 4,
		sizeof *numbers);
	if (!descent || !numbers)
		return out_of_memory_null(error);
	descent->problem = problem;
	descent->residuals = numbers;
	descent->trial_residuals = descent->residuals + rows + columns;
	descent->log_time = descent->trial_residuals + rows + columns;
	descent->slopes = descent->log_time + rows;
	descent->normal = descent->slopes + rows * columns;
	descent->unit = descent->normal + columns * columns;
	descent->trial = descent->unit + columns;
	descent->gradient = descent->trial + columns;
	descent->tilt = descent->gradient + columns;
	return descent;
}

static double limited(double unit)
{
	return unit < 0 ? 0 : unit > 1 ? 1 : unit;
}

/* Moves to the point that was tried. */
static void place_take(struct descent *descent, double cost)
{
	const size_t rows = descent->problem->data->count, columns = descent->problem->constants->count;
	memcpy(descent->unit, descent->trial, columns * sizeof *descent->unit);
	memcpy(descent->log_time, descent->problem->log_time, rows * sizeof *descent->log_time);
	memcpy(descent->residuals, descent->trial_residuals, (rows + columns) * sizeof *descent->residuals);
	descent->cost = cost;
}

static bool trial_run(struct descent *descent, double *cost)
{
	if (!problem_residuals(descent->problem, descent->trial, descent->trial_residuals))
		return false;
	*cost = 0;
	for (size_t i = 0; i < problem_residual_count(descent->problem); ++i)
		*cost += descent->trial_residuals[i] * descent->trial_residuals[i] / 2;
	return true;
}

/* Moves one constant of `trial` to where the damped model is least; returns the distance. */
static double constant_settle(struct descent *descent, size_t index)
{
	const size_t columns = descent->problem->constants->count;
	const double *normal = descent->normal + index * columns;
	const double damping = descent->damping * normal[index], before = descent->trial[index];
	const double tilt = descent->tilt[index] + damping * (before - descent->unit[index]);
	descent->trial[index] = limited(before - tilt / (normal[index] + damping));
	const double moved = descent->trial[index] - before;
	for (size_t i = 0; i < columns; ++i)
		descent->tilt[i] += normal[i] * moved;
	return fabs(moved);
}

/*
 * Finds the point that the next step goes to, one constant after another (Gauss-Seidel); returns the gain that the
 * model expects.
 */
static double step_find(struct descent *descent)
{
	const size_t columns = descent->problem->constants->count;
	double most = 1, gain = 0;
	problem_normal(descent->problem, descent->log_time, descent->residuals, descent->slopes,
		descent->normal, descent->gradient);
	memcpy(descent->trial, descent->unit, columns * sizeof *descent->trial);
	memcpy(descent->tilt, descent->gradient, columns * sizeof *descent->tilt);
	for (unsigned n = 0; n < SWEEPS_MAX && most > settled; ++n) {
		most = 0;
		for (size_t i = 0; i < columns; ++i)
			most = fmax(most, constant_settle(descent, i));
	}
	for (size_t i = 0; i < columns; ++i)
		gain -= (descent->trial[i] - descent->unit[i]) * (descent->gradient[i] + descent->tilt[i]) /
			2;
	return gain;
}

/*
 * Changes a row's slopes to agree with the change of its log time over the step. Each slope changes by a share of
 * itself, and the sum of the squares of these shares is as small as it can be. A row that does not depend on a
 * constant stays so.
 */
static void row_learn(const struct descent *descent, double change, double *slopes)
{
	double length = 0, squares = 0;
	for (size_t i = 0; i < descent->problem->constants->count; ++i) {
		const double moved = descent->trial[i] - descent->unit[i], part = slopes[i] * moved;
		change -= part;
		squares += part * part;
		length += slopes[i] < 0 || slopes[i] > 0 ? moved * moved : 0;
	}
	if (length < telling * telling || !(squares > 0))
		return;
	for (size_t i = 0; i < descent->problem->constants->count; ++i)
		slopes[i] +=
			slopes[i] * slopes[i] * (descent->trial[i] - descent->unit[i]) * change / squares;
}

/*
 * Tries a step whose expected gain is given, and takes it if it gains anything; *gain is 0 if not. Returns false with
 * an error.
 */
static bool step_try(struct descent *descent, double expected, double *gain)
{
	const struct fit_problem *problem = descent->problem;
	double cost;
	if (!trial_run(descent, &cost))
		return false;
	for (size_t i = 0; i < problem->data->count; ++i)
		if (problem->weight[i] > 0)
			row_learn(descent, problem->log_time[i] - descent->log_time[i],
				descent->slopes + i * problem->constants->count);
	if (cost < descent->cost) {
		*gain = descent->cost - cost;
		const double off = 2 * *gain / expected - 1;
		descent->damping *= fmax(1. / 3, 1 - off * off * off);
		descent->growth = 2;
		place_take(descent, cost);
	} else {
		*gain = 0;
		descent->damping *= descent->growth;
		descent->growth *= 2;
	}
	return true;
}

static bool slopes_make(struct descent *descent)
{
	return problem_slopes(descent->problem, descent->unit, descent->slopes);
}

static bool steps_run(struct descent *descent, bool to_the_end)
{
	const double least_gain = to_the_end ? least_gain_at_the_end : least_gain_before;
	bool fresh = true; /* the slopes were computed at this point */
	descent->damping = first_damping;
	descent->growth = 2;
	for (unsigned n = 0; n < STEPS_MAX; ++n) {
		const double least = least_gain * descent->cost, expected = step_find(descent);
		double gain = 0;
		if (expected > least && !step_try(descent, expected, &gain))
			return false;
		if (gain > least)
			fresh = false;
		else if (!fresh && to_the_end) {
			if (!slopes_make(descent))
				return false;
			fresh = true;
		} else if (!fresh || gain > 0 || expected <= least)
			break;
	}
	return true;
}

/*
 * Descends from `unit`, moved within its bounds: to the end, or only while steps gain much without new derivatives.
 * Puts the point reached into `unit`, and half the sum of squares there into *cost. Returns false with an error.
 */
static bool descent_run(
	struct descent *descent, bool to_the_end, double *unit, double *cost, struct paradl_error *error)
{
	const size_t columns = descent->problem->constants->count;
	for (size_t i = 0; i < columns; ++i)
		descent->trial[i] = limited(unit[i]);
	bool fine = trial_run(descent, cost);
	if (fine) {
		place_take(descent, *cost);
		fine = slopes_make(descent) && steps_run(descent, to_the_end);
	}
	if (!fine) {
		*error = descent->problem->error;
		return false;
	}
	memcpy(unit, descent->unit, columns * sizeof *unit);
	*cost = descent->cost;
	return true;
}

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is the Levenberg-Marquardt method with Nielsen's damping (K. Madsen, H. B. Nielsen, O. Tingleff, "Methods for
 * Non-Linear Least Squares Problems", 2004, 3.2), and with bounds: a step goes to the least point of the damped model
 * within them.
 *
 * Derivatives by differences cost as much as a dozen steps. They are computed at the first point. After each step,
 * taken or not, those of each row are changed to agree with the change of its time over that step (3.5, "secant"). A
 * descent that goes to the end computes them again wherever a step gains next to nothing; any other descent ends
 * there.
 */
#include "fit/descent.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

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

struct descent {
	struct fit_problem *problem;
	double *unit, *log_time, *residuals, cost; /* the point reached */
	double *trial, *trial_residuals;           /* the point that the next step goes to */
	double *slopes;                            /* derivatives of log times by `unit`, rows x constants */
	double *normal, *gradient, *tilt;          /* the model here; its first derivatives at `trial` */
	double damping, growth;                    /* damping factor; its growth when a step gains nothing */
};

struct descent *descent_create(
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

bool descent_run(
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

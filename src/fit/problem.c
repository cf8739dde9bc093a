/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fit minimizes half the sum of squares of
 *     rows      w rho(e / 6 %), e = ln(projected / measured), w = 1 / sqrt(rows of the set): every set has one vote;
 *               rho(x)^2 = ln(1 + x^2), of a Cauchy distribution: rows that are far off have another cause, and pull
 *               less
 *     priors    0.1 (u - u_prior) / (1/4), u = (constant - low) / (high - low): where no rows depend on it, a constant
 *               stays at its prior
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "fit/fitting.h"
#include "oracle/oracle.h"

static const double scale = 0.06;
static const double prior_weight = 0.1 / 0.25;
/* Share of the range for numerical derivatives: large enough to even out the jumps where stages are cut elsewhere. */
static const double step = 1e-2;

double problem_value(const struct fit_constant *constant, double unit)
{
	return constant->low + unit * (constant->high - constant->low);
}

double problem_prior(const struct fit_constant *constant)
{
	return (constant->prior - constant->low) / (constant->high - constant->low);
}

bool problem_create(struct paradl_arena *arena, const struct fit_data *data,
	const struct fit_constants *constants, struct fit_problem *problem, struct paradl_error *error)
{
	*problem = (struct fit_problem){
		.data = data,
		.constants = constants,
		.weight = arena_alloc(arena, data->count, sizeof *problem->weight),
		.log_time = arena_alloc(arena, data->count, sizeof *problem->log_time),
		.stale = arena_alloc(arena, data->count, sizeof *problem->stale),
		.unit = arena_alloc(arena, constants->count, sizeof *problem->unit),
		.parts = arena_alloc(arena, constants->count, sizeof *problem->parts),
	};
	if (!problem->weight || !problem->log_time || !problem->stale || !problem->unit || !problem->parts)
		return out_of_memory(error);
	for (size_t i = 0; i < data->count; ++i)
		problem->stale[i] = true;
	for (size_t i = 0; i < constants->count; ++i)
		problem->unit[i] = (double)NAN; /* the values of the profiles are in force */
	problem_weigh(problem, SIZE_MAX);
	return true;
}

void problem_weigh(struct fit_problem *problem, size_t left_out)
{
	const struct fit_data *data = problem->data;
	for (size_t i = 0; i < data->count; ++i)
		problem->weight[i] = data->rows[i].set == left_out
					     ? 0
					     : 1 / sqrt((double)data->set_rows[data->rows[i].set]);
}

static void constant_put(const struct fit_constant *constant, double value)
{
	for (size_t i = 0; i < constant->target_count; ++i)
		*constant->targets[i].value = constant->targets[i].factor * value;
}

static void devices_derive(const struct fit_data *data)
{
	for (size_t i = 0; i < data->machine_count; ++i)
		device_derive(&data->machines[i]->device);
}

/* Notes that a constant has moved, so that only its rows are run again. */
static void constant_moved(struct fit_problem *problem, size_t index, double unit)
{
	const struct fit_constant *constant = &problem->constants->items[index];
	for (size_t i = 0; i < constant->row_count; ++i)
		problem->stale[constant->rows[i]] = true;
	problem->unit[index] = unit;
}

void problem_set_values(struct fit_problem *problem, const double *values)
{
	for (size_t i = 0; i < problem->constants->count; ++i) {
		constant_put(&problem->constants->items[i], values[i]);
		constant_moved(problem, i, (double)NAN);
	}
	devices_derive(problem->data);
}

void problem_set(struct fit_problem *problem, const double *unit)
{
	for (size_t i = 0; i < problem->constants->count; ++i) {
		const struct fit_constant *constant = &problem->constants->items[i];
		const bool same = !(unit[i] < problem->unit[i]) && !(unit[i] > problem->unit[i]);
		if (same && !isnan(problem->unit[i]))
			continue;
		constant_put(constant, problem_value(constant, unit[i]));
		constant_moved(problem, i, unit[i]);
	}
	devices_derive(problem->data);
}

static bool row_run(struct fit_problem *problem, size_t index, double *log_time)
{
	struct paradl_estimate estimate;
	double seconds;
	const struct projection *projection = &problem->data->rows[index].projection;
	++problem->projections;
	oracle_framework_changed(projection->oracle);
	if (projection->twice)
		oracle_framework_changed(projection->twice);
	if (!projection_run(projection, &estimate, &seconds, &problem->error))
		return false;
	if (!(seconds > 0))
		return error_set(&problem->error, PARADL_INFEASIBLE, "a measured row takes no time");
	*log_time = log(seconds);
	return true;
}

bool problem_run(struct fit_problem *problem, bool all)
{
	for (size_t i = 0; i < problem->data->count; ++i) {
		if (!problem->stale[i] || !(all || problem->weight[i] > 0))
			continue;
		if (!row_run(problem, i, &problem->log_time[i]))
			return false;
		problem->stale[i] = false;
	}
	return true;
}

size_t problem_residual_count(const struct fit_problem *problem)
{
	return problem->data->count + problem->constants->count;
}

/* Returns sign(x) sqrt(ln(1 + x^2)), rho of a residual; soft_slope returns its derivative. */
static double soft(double x)
{
	return copysign(sqrt(log1p(x * x)), x);
}

static double soft_slope(double x)
{
	const double square = x * x;
	return square > 1e-12 ? fabs(x) / ((1 + square) * sqrt(log1p(square))) : 1;
}

static double deviation(const struct fit_problem *problem, size_t row, double log_time)
{
	return (log_time - problem->data->rows[row].log_measured) / scale;
}

bool problem_residuals(struct fit_problem *problem, const double *unit, double *residuals)
{
	const size_t rows = problem->data->count;
	problem_set(problem, unit);
	if (!problem_run(problem, false))
		return false;
	for (size_t i = 0; i < rows; ++i)
		residuals[i] =
			problem->weight[i] > 0
				? problem->weight[i] * soft(deviation(problem, i, problem->log_time[i]))
				: 0;
	for (size_t i = 0; i < problem->constants->count; ++i)
		residuals[rows + i] = prior_weight * (unit[i] - problem_prior(&problem->constants->items[i]));
	return true;
}

/* Fills one column of slopes: runs the rows that depend on the constant with that moved inwards. */
static bool column_fill(struct fit_problem *problem, size_t index, double *slopes)
{
	const struct fit_constant *constant = &problem->constants->items[index];
	const double moved = problem->unit[index] < 0.5 ? step : -step;
	constant_put(constant, problem_value(constant, problem->unit[index] + moved));
	devices_derive(problem->data);
	bool fine = true;
	for (size_t i = 0; i < constant->row_count && fine; ++i) {
		const size_t row = constant->rows[i];
		double log_time = 0;
		if (!(problem->weight[row] > 0))
			continue;
		fine = row_run(problem, row, &log_time);
		slopes[row * problem->constants->count + index] = (log_time - problem->log_time[row]) / moved;
	}
	constant_put(constant, problem_value(constant, problem->unit[index]));
	return fine;
}

bool problem_slopes(struct fit_problem *problem, const double *unit, double *slopes)
{
	const size_t columns = problem->constants->count;
	problem_set(problem, unit);
	if (!problem_run(problem, false))
		return false;
	memset(slopes, 0, problem->data->count * columns * sizeof *slopes);
	for (size_t i = 0; i < columns; ++i)
		if (!column_fill(problem, i, slopes))
			return false;
	devices_derive(problem->data);
	return true;
}

/* Returns the derivative of a row's residual by the logarithm of its time. */
static double pull(const struct fit_problem *problem, size_t row, double log_time)
{
	return problem->weight[row] * soft_slope(deviation(problem, row, log_time)) / scale;
}

bool problem_jacobian(struct fit_problem *problem, const double *unit, double *jacobian)
{
	const size_t rows = problem->data->count, columns = problem->constants->count;
	if (!problem_slopes(problem, unit, jacobian))
		return false;
	memset(jacobian + rows * columns, 0, columns * columns * sizeof *jacobian);
	for (size_t i = 0; i < rows; ++i)
		for (size_t k = 0; k < columns && problem->weight[i] > 0; ++k)
			jacobian[i * columns + k] *= pull(problem, i, problem->log_time[i]);
	for (size_t i = 0; i < columns; ++i)
		jacobian[(rows + i) * columns + i] = prior_weight;
	return true;
}

/* Adds a row's part to the normal matrix and to the gradient; most constants have no part in a row. */
static void normal_add(const struct fit_problem *problem, double pulls, double residual, const double *slopes,
	double *normal, double *gradient)
{
	const size_t columns = problem->constants->count;
	size_t *parts = problem->parts, count = 0;
	for (size_t i = 0; i < columns; ++i)
		if (slopes[i] < 0 || slopes[i] > 0)
			parts[count++] = i;
	for (size_t i = 0; i < count; ++i) {
		const double slope = pulls * slopes[parts[i]];
		gradient[parts[i]] += slope * residual;
		for (size_t k = 0; k < count; ++k)
			normal[parts[i] * columns + parts[k]] += slope * pulls * slopes[parts[k]];
	}
}

void problem_normal(const struct fit_problem *problem, const double *log_time, const double *residuals,
	const double *slopes, double *normal, double *gradient)
{
	const size_t rows = problem->data->count, columns = problem->constants->count;
	memset(normal, 0, columns * columns * sizeof *normal);
	for (size_t i = 0; i < columns; ++i) {
		normal[i * columns + i] = prior_weight * prior_weight;
		gradient[i] = prior_weight * residuals[rows + i];
	}
	for (size_t i = 0; i < rows; ++i)
		if (problem->weight[i] > 0)
			normal_add(problem, pull(problem, i, log_time[i]), residuals[i], slopes + i * columns,
				normal, gradient);
}

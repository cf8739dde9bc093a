/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a whole fit: loads rows and constants, searches, and fills the results. Values are rounded to four digits
 * before they are scored, so that profiles with these values have the same errors.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "fit/fitting.h"

enum { DIGITS = 4 };
/* Least share of the knowledge about a constant that rows contribute; with less it is "not identified". */
static const double least_known = 0.5;
static const double bound_share = 0.005; /* share of the range: a value nearer to a bound is at it */

struct run {
	struct paradl_arena *arena;
	struct fit_data data;
	struct fit_constants constants;
	struct fit_problem problem;
	struct paradl_fit_constant *results;
	struct paradl_fit_place **places; /* places of each constant */
	struct paradl_fit_set *sets;
	double *unit, *trial, *values, *error_of, *known;
	struct left_out left_out;
};

static bool constants_find(
	struct run *run, const struct paradl_lookup *lookup, const char *path, struct paradl_error *error)
{
	if (path)
		return constants_load(run->arena, path, &run->constants, error);
	for (const char *const *directory = lookup->directories; directory && *directory; ++directory) {
		const char *shipped =
			arena_printf(run->arena, "%s/hw-profiles/fit-constants.csv", *directory);
		if (!shipped)
			return out_of_memory(error);
		if (constants_load(run->arena, shipped, &run->constants, error))
			return true;
		if (error->status != PARADL_IO)
			return false;
	}
	error_set(error, PARADL_IO, "hw-profiles/fit-constants.csv is not there");
	error_hint(error, "name a list of free constants with --constants");
	return false;
}

static bool run_create(struct run *run, struct paradl_error *error)
{
	const size_t constants = run->constants.count;
	run->results = arena_alloc(run->arena, constants, sizeof *run->results);
	run->places = arena_alloc(run->arena, constants, sizeof(struct paradl_fit_place *));
	run->sets = arena_alloc(run->arena, run->data.set_count, sizeof *run->sets);
	run->unit = arena_alloc(run->arena, constants, sizeof *run->unit);
	run->trial = arena_alloc(run->arena, constants, sizeof *run->trial);
	run->values = arena_alloc(run->arena, constants, sizeof *run->values);
	run->error_of = arena_alloc(run->arena, constants, sizeof *run->error_of);
	run->known = arena_alloc(run->arena, constants, sizeof *run->known);
	run->left_out.is_free = arena_alloc(run->arena, run->data.set_count, sizeof(bool));
	run->left_out.unit = arena_alloc(run->arena, run->data.set_count * constants, sizeof(double));
	run->left_out.log_time = arena_alloc(run->arena, run->data.count, sizeof(double));
	if (!run->left_out.is_free || !run->left_out.unit || !run->left_out.log_time)
		return out_of_memory(error);
	if (!run->results || !run->places || !run->sets || !run->unit || !run->trial || !run->values ||
		!run->error_of || !run->known)
		return out_of_memory(error);
	for (size_t i = 0; i < run->data.set_count; ++i)
		run->sets[i] = (struct paradl_fit_set){.name = run->data.sets[i],
			.rows = run->data.set_rows[i],
			.left_out = -1,
			.inside = -1,
			.half_width = -1};
	for (size_t i = 0; i < constants; ++i)
		run->unit[i] = problem_prior(&run->constants.items[i]);
	return true;
}

/* Returns the mean error of a set at the times last run, and its bias, in percent. */
static double set_error(const struct run *run, size_t set, double *bias)
{
	double sum = 0, errors = 0;
	for (size_t i = 0; i < run->data.count; ++i) {
		if (run->data.rows[i].set != set)
			continue;
		const double deviation = expm1(run->problem.log_time[i] - run->data.rows[i].log_measured);
		sum += deviation;
		errors += fabs(deviation);
	}
	*bias = 100 * sum / (double)run->data.set_rows[set];
	return 100 * errors / (double)run->data.set_rows[set];
}

static bool sets_score(struct run *run, bool before, struct paradl_error *error)
{
	if (!problem_run(&run->problem, true)) {
		*error = run->problem.error;
		return false;
	}
	for (size_t i = 0; i < run->data.set_count; ++i) {
		const double mean = set_error(run, i, &run->sets[i].bias);
		if (before)
			run->sets[i].before = mean;
		else
			run->sets[i].after = mean;
	}
	return true;
}

static double rounded(double value)
{
	double result = value;
	if (value > 0) {
		char text[DECIMAL_LENGTH];
		const char *end;
		decimal_read(decimal_general(text, sizeof text, value, DIGITS), 0, &result, &end);
	}
	return result;
}

static const char *unit_name(const struct json_field *field)
{
	if (field->type != JSON_TO_QUANTITY)
		return "";
	return field->dimension == DIMENSION_TIME ? "s" : field->dimension == DIMENSION_BYTES ? "B" : "B/s";
}

static bool places_fill(struct run *run, size_t index, struct paradl_error *error)
{
	const struct fit_constant *constant = &run->constants.items[index];
	struct paradl_fit_place *places = arena_alloc(run->arena, constant->place_count, sizeof *places);
	if (!places)
		return out_of_memory(error);
	for (size_t i = 0; i < constant->place_count; ++i)
		places[i] = (struct paradl_fit_place){
			.file = constant->places[i].file, .name = constant->places[i].name, .before = -1};
	if (constant->target_count)
		places[0].before = *constant->targets[0].value / constant->targets[0].factor *
				   constant->places[0].factor;
	run->places[index] = places;
	run->results[index] = (struct paradl_fit_constant){
		.unit = unit_name(constant->places[0].where.field),
		.meaning = constant->meaning,
		.prior = constant->prior,
		.low = constant->low,
		.high = constant->high,
		.places = places,
		.place_count = constant->place_count,
		.rows = constant->row_count,
	};
	return true;
}

static void result_fill(struct run *run, size_t index)
{
	const struct fit_constant *constant = &run->constants.items[index];
	struct paradl_fit_constant *result = &run->results[index];
	struct paradl_fit_place *places = run->places[index];
	const double unit = run->unit[index];
	result->value = run->values[index];
	result->standard_error = run->error_of[index] * (constant->high - constant->low);
	result->known = run->known[index];
	result->identified = run->known[index] >= least_known;
	result->bound = unit < bound_share ? -1 : unit > 1 - bound_share ? 1 : 0;
	for (size_t i = 0; i < constant->place_count; ++i) {
		places[i].value = rounded(constant->places[i].factor * result->value);
		places[i].bound = result->bound;
	}
}

static bool results_fill(struct run *run, struct paradl_error *error)
{
	if (!solve_errors(run->arena, &run->problem, run->unit, run->error_of, run->known, error))
		return false;
	for (size_t i = 0; i < run->constants.count; ++i)
		run->values[i] = rounded(problem_value(&run->constants.items[i], run->unit[i]));
	problem_set_values(&run->problem, run->values);
	for (size_t i = 0; i < run->constants.count; ++i)
		result_fill(run, i);
	return sets_score(run, false, error);
}

/*
 * Puts the priors in force; sets *moves to whether the set's times depend on free constants. Returns false with an
 * error.
 */
static bool priors_put(struct run *run, size_t set, bool *moves, struct paradl_error *error)
{
	double bias;
	for (size_t i = 0; i < run->constants.count; ++i)
		run->trial[i] = problem_prior(&run->constants.items[i]);
	problem_set(&run->problem, run->trial);
	if (!problem_run(&run->problem, true)) {
		*error = run->problem.error;
		return false;
	}
	const double change = set_error(run, set, &bias) - run->sets[set].after;
	*moves = change < 0 || change > 0 || fabs(bias - run->sets[set].bias) > 0;
	return true;
}

/* Keeps the constants in force, and the times of the set's rows under them. */
static void left_out_keep(struct run *run, size_t set)
{
	const size_t constants = run->constants.count;
	run->left_out.is_free[set] = true;
	memcpy(run->left_out.unit + set * constants, run->trial, constants * sizeof *run->trial);
	for (size_t i = 0; i < run->data.count; ++i)
		if (run->data.rows[i].set == set)
			run->left_out.log_time[i] = run->problem.log_time[i];
}

/* Fits again without each set, starting from the priors, and scores the set that was left out. */
static bool each_leave_out(struct run *run, const struct paradl_fit_request *request, struct paradl_fit *fit,
	struct paradl_error *error)
{
	for (size_t set = 0; set < run->data.set_count; ++set) {
		double cost, bias;
		bool moves;
		if (!priors_put(run, set, &moves, error))
			return false;
		if (!moves)
			continue;
		problem_weigh(&run->problem, set);
		if (!solve_again(run->arena, &run->problem, request->restarts / 4, run->trial, &cost, error))
			return false;
		problem_set(&run->problem, run->trial);
		if (!problem_run(&run->problem, true)) {
			*error = run->problem.error;
			return false;
		}
		run->sets[set].left_out = set_error(run, set, &bias);
		left_out_keep(run, set);
	}
	return bands_fill(run->arena, &run->problem, &run->left_out, run->sets, fit, error);
}

static bool set_named(const struct run *run, const char *name, size_t *set, struct paradl_error *error)
{
	char quoted[80];
	for (*set = 0; *set < run->data.set_count; ++*set)
		if (strcmp(run->data.sets[*set], name) == 0)
			return true;
	error_set(error, PARADL_USAGE, "no set %s has rows to fit to",
		error_quote(quoted, sizeof quoted, name));
	error_hint(error, "sets are named in the column \"set\"");
	return false;
}

static bool run_prepare(struct run *run, const char *csv_path, const struct paradl_lookup *lookup,
	const struct paradl_fit_request *request, struct paradl_error *error)
{
	if (!constants_find(run, lookup, request->constants, error) ||
		!data_load(run->arena, csv_path, lookup, &run->data, error) ||
		!constants_bind(run->arena, &run->data, &run->constants, error) || !run_create(run, error) ||
		!problem_create(run->arena, &run->data, &run->constants, &run->problem, error))
		return false;
	for (size_t i = 0; i < run->constants.count; ++i)
		if (!places_fill(run, i, error))
			return false;
	return sets_score(run, true, error);
}

/* Computes half the sum of squares at run->unit. Returns false with an error. */
static bool objective(struct run *run, double *cost, struct paradl_error *error)
{
	const size_t count = problem_residual_count(&run->problem);
	double *residuals = arena_alloc(run->arena, count, sizeof *residuals);
	if (!residuals)
		return out_of_memory(error);
	if (!problem_residuals(&run->problem, run->unit, residuals)) {
		*error = run->problem.error;
		return false;
	}
	*cost = 0;
	for (size_t i = 0; i < count; ++i)
		*cost += residuals[i] * residuals[i] / 2;
	return true;
}

bool paradl_fit(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	const struct paradl_fit_request *request, struct paradl_fit *fit, struct paradl_error *error)
{
	struct run run = {.arena = arena};
	size_t left_out = SIZE_MAX;
	*fit = (struct paradl_fit){.inside = -1, .half_width = -1};
	if (!run_prepare(&run, csv_path, lookup, request, error) ||
		(request->leave_out && !set_named(&run, request->leave_out, &left_out, error)))
		return false;
	problem_weigh(&run.problem, left_out);
	if (!objective(&run, &fit->objective_before, error) ||
		!solve_again(arena, &run.problem, request->restarts, run.unit, &fit->objective, error) ||
		!results_fill(&run, error))
		return false;
	if (left_out != SIZE_MAX)
		run.sets[left_out].left_out = run.sets[left_out].after;
	if (request->leave_each_out && !each_leave_out(&run, request, fit, error))
		return false;
	fit->constants = run.results;
	fit->constant_count = run.constants.count;
	fit->sets = run.sets;
	fit->set_count = run.data.set_count;
	fit->rows = run.data.count;
	fit->skipped = run.data.skipped;
	return true;
}

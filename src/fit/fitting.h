/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits constants of devices and frameworks to measured training times. A constant is free within physical bounds.
 * Rows of the measurements are prepared once, so that a change of constants costs only the evaluation of the plans
 * that depend on them.
 */
#ifndef FIT_FITTING_H
#define FIT_FITTING_H

#include "fit/validate/measurements.h"
#include "machine/format.h"
#include "machine/framework.h"
#include "machine/machine.h"
#include "paradl/fit.h"

/* A number of a profile that follows a constant. */
struct fit_place {
	const char *file; /* profile: "devices/a100-sxm4-80gb" */
	const char *name; /* keys in the profile: "product.sustained.fp16" */
	struct place where;
	double factor; /* the number over the constant */
};

/* A double in memory that follows a constant. */
struct fit_target {
	double *value;
	double factor; /* the double over the constant */
};

/* A free constant, in SI units. */
struct fit_constant {
	const char *meaning;
	double prior, low, high;
	struct fit_place *places;
	size_t place_count;
	struct fit_target *targets;
	size_t target_count;
	size_t *rows; /* indices of the rows whose time may depend on the constant */
	size_t row_count;
};

struct fit_constants {
	struct fit_constant *items;
	size_t count;
};

/* Reads the free constants from hw-profiles/fit-constants.csv or a file like it. Returns false with an error. */
bool constants_load(struct paradl_arena *arena, const char *path, struct fit_constants *constants,
	struct paradl_error *error);

/* A measured row that constants are fitted to. */
struct fit_row {
	struct projection projection;
	double log_measured;            /* logarithm of the measured seconds */
	size_t set, machine, framework; /* indices into the lists of fit_data */
};

struct fit_data {
	struct fit_row *rows;
	size_t count, skipped;
	const char **sets;
	size_t *set_rows; /* number of rows in each set */
	size_t set_count;
	struct paradl_machine **machines;        /* the fit's own copies, which constants change */
	const struct paradl_machine **originals; /* the machines that were copied */
	size_t machine_count;
	struct paradl_framework **frameworks;
	size_t framework_count;
};

/* Reads the rows that have a measured time and can be projected. Returns false with an error, also without any. */
bool data_load(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	struct fit_data *data, struct paradl_error *error);
/* Finds the targets and rows of each constant. Returns false with an error. */
bool constants_bind(struct paradl_arena *arena, const struct fit_data *data, struct fit_constants *constants,
	struct paradl_error *error);

/* The least-squares problem (problem.c); the vector `unit` holds the constants as shares of their ranges. */
struct fit_problem {
	const struct fit_data *data;
	const struct fit_constants *constants;
	double *weight;            /* weight of each row; 0: the row is left out */
	double *log_time;          /* logarithm of each row's seconds, as last run */
	bool *stale;               /* for each row, whether a constant that it depends on has moved since */
	double *unit;              /* the constants in force; NAN: not set as shares of their ranges */
	size_t *parts;             /* scratch: constants that a row depends on */
	size_t projections;        /* number of rows run so far, with repetitions */
	struct paradl_error error; /* error of a row that failed */
};

bool problem_create(struct paradl_arena *arena, const struct fit_data *data,
	const struct fit_constants *constants, struct fit_problem *problem, struct paradl_error *error);
/* Weighs the rows so that each set has one vote; the set `left_out` (SIZE_MAX: no set) has none. */
void problem_weigh(struct fit_problem *problem, size_t left_out);
/* Puts constants in force, given as shares of their ranges; evaluates nothing. */
void problem_set(struct fit_problem *problem, const double *unit);
/* Puts constants in force, given as values in SI units; evaluates nothing. */
void problem_set_values(struct fit_problem *problem, const double *values);
/*
 * Brings the times of all rows up to date, with `all` also those without weight; runs only rows whose constants have
 * moved. Returns false with problem->error.
 */
bool problem_run(struct fit_problem *problem, bool all);
size_t problem_residual_count(const struct fit_problem *problem);
/*
 * Computes the residuals at the constants `unit`: of the rows first, then the weighted distance of each constant from
 * its prior. Returns false with problem->error.
 */
bool problem_residuals(struct fit_problem *problem, const double *unit, double *residuals);
/* Computes the derivatives of the logarithms of times by `unit`, rows x constants, from differences. */
bool problem_slopes(struct fit_problem *problem, const double *unit, double *slopes);
/* Computes the derivatives of all residuals by `unit`, residuals x constants. */
bool problem_jacobian(struct fit_problem *problem, const double *unit, double *jacobian);
/*
 * Computes J^T J and J^T r of the Jacobian J and the residuals r for rows with the given log times, from the
 * derivatives `slopes` of these: the Gauss-Newton approximation of the second derivatives of half the sum of squares,
 * and its first derivatives.
 */
void problem_normal(const struct fit_problem *problem, const double *log_time, const double *residuals,
	const double *slopes, double *normal, double *gradient);
double problem_prior(const struct fit_constant *constant);
double problem_value(const struct fit_constant *constant, double unit);

/*
 * Finds least squares from the start `unit`, into which it puts the best constants found (solve.c); *cost is half the
 * sum of squares. Returns false with an error.
 */
bool solve(struct paradl_arena *arena, struct fit_problem *problem, double *unit, double *cost,
	struct paradl_error *error);
/* Searches as `solve` does, then again from `times` seeded starts around the best constants so far. */
bool solve_again(struct paradl_arena *arena, struct fit_problem *problem, unsigned times, double *unit,
	double *cost, struct paradl_error *error);
/*
 * Computes for each constant its standard error, as a share of its range, and the share of what is known about it
 * that the rows contribute. Returns false with an error.
 */
bool solve_errors(struct paradl_arena *arena, struct fit_problem *problem, const double *unit,
	double *error_of, double *known, struct paradl_error *error);

/*
 * Measures the errors of projections of sets that were left out of the fit, and whether their likely error covers
 * them.
 */

/* The fits to all sets but one. */
struct left_out {
	bool *is_free; /* for each set, whether its times depend on free constants */
	double *unit;  /* constants of the fit without each set, as shares of their ranges, set after set */
	double *log_time; /* logarithm of each row's seconds, by the fit without its set */
};

/*
 * Fills the share of rows within their likely error and the median half-width of that, for each set and for all, and
 * lists the knowledge to put into profiles (fit->knowledge). Changes the frameworks of the data. Returns false with an
 * error.
 */
bool bands_fill(struct paradl_arena *arena, struct fit_problem *problem, const struct left_out *left_out,
	struct paradl_fit_set *sets, struct paradl_fit *fit, struct paradl_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants of devices and frameworks from measured training times. A constant is free within physical bounds; rows of
 * the measurements are kept ready, so that a change of constants costs only the plans that depend on them.
 */
#ifndef FIT_FIT_H
#define FIT_FIT_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "machine/place.h"
#include "validate/projection.h"

/* A number of a profile that follows a constant. */
struct fit_place {
	const char *file; /* "devices/a100-sxm4-80gb" */
	const char *name; /* "product.sustained.fp16" */
	struct place where;
	double factor; /* the number / the constant */
};

/* A double in memory that follows a constant. */
struct fit_target {
	double *value;
	double factor;
};

struct fit_constant {
	const char *meaning;
	double prior, low, high;
	struct fit_place *places;
	size_t place_count;
	struct fit_target *targets;
	size_t target_count;
	size_t *rows; /* whose time may depend on it */
	size_t row_count;
};

struct fit_constants {
	struct fit_constant *items;
	size_t count;
};

/* hw-profiles/fit-constants.csv or a file like it. */
bool constants_load(struct paradl_arena *arena, const char *path, struct fit_constants *constants,
	struct paradl_error *error);

/* One measured row that constants are fitted to. */
struct fit_row {
	struct projection projection;
	double log_measured; /* of seconds */
	size_t set, machine, framework;
};

struct fit_data {
	struct fit_row *rows;
	size_t count, skipped;
	const char **sets;
	size_t *set_rows; /* in each set */
	size_t set_count;
	struct paradl_machine **machines;        /* copies of ours, which constants change */
	const struct paradl_machine **originals; /* what they are copies of */
	size_t machine_count;
	struct paradl_framework **frameworks;
	size_t framework_count;
};

/* Rows with a measured time that can be projected. */
bool data_load(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	struct fit_data *data, struct paradl_error *error);
/* Finds the targets and rows of each constant. */
bool constants_bind(struct paradl_arena *arena, const struct fit_data *data, struct fit_constants *constants,
	struct paradl_error *error);

/* What is minimized, problem.c; the vector `unit` holds the constants as shares of their ranges. */
struct fit_problem {
	const struct fit_data *data;
	const struct fit_constants *constants;
	double *weight;            /* of each row; 0: left out */
	double *log_time;          /* of each row, when it was last run */
	bool *stale;               /* of each row: a constant that it depends on has moved since */
	double *unit;              /* constants that are in force; NAN: not set by shares of ranges */
	size_t *parts;             /* constants that a row depends on, scratch */
	size_t projections;        /* of rows, run so far */
	struct paradl_error error; /* of a row that failed meanwhile */
};

bool problem_create(struct paradl_arena *arena, const struct fit_data *data,
	const struct fit_constants *constants, struct fit_problem *problem, struct paradl_error *error);
/* Each set of rows has one vote; the set `left_out` (SIZE_MAX: none) has none. */
void problem_weigh(struct fit_problem *problem, size_t left_out);
/* Puts constants in force; evaluates nothing. */
void problem_set(struct fit_problem *problem, const double *unit);
/* Puts their values in force, in SI units. */
void problem_set_values(struct fit_problem *problem, const double *values);
/* Times of all rows, those without weight too if `all`; only rows whose constants have moved are run. */
bool problem_run(struct fit_problem *problem, bool all);
size_t problem_residual_count(const struct fit_problem *problem);
/* Residuals at constants: rows first, then how far each constant is from what is known beforehand. */
bool problem_residuals(struct fit_problem *problem, const double *unit, double *residuals);
/* Derivatives of the logarithms of times by `unit`, row by row, from differences. */
bool problem_slopes(struct fit_problem *problem, const double *unit, double *slopes);
/* Derivatives of the residuals, row by row. */
bool problem_jacobian(struct fit_problem *problem, const double *unit, double *jacobian);
/*
 * J^T J and J^T r of the Jacobian J and the residuals r where the rows take such times, from the derivatives of those:
 * what Gauss and Newton take for the second derivatives of half the sum of squares, and its first ones.
 */
void problem_normal(const struct fit_problem *problem, const double *log_time, const double *residuals,
	const double *slopes, double *normal, double *gradient);
double problem_prior(const struct fit_constant *constant);
double problem_value(const struct fit_constant *constant, double unit);

/* Least squares from `unit`, solve.c: the best constants found go there; *cost is half the sum of squares. */
bool solve(struct paradl_arena *arena, struct fit_problem *problem, double *unit, double *cost,
	struct paradl_error *error);
/* The same, and again from seeded places around the best. */
bool solve_again(struct paradl_arena *arena, struct fit_problem *problem, unsigned times, double *unit,
	double *cost, struct paradl_error *error);
/* Of each constant, as shares of its range: standard error; share of what is known of it that rows say. */
bool solve_errors(struct paradl_arena *arena, struct fit_problem *problem, const double *unit,
	double *error_of, double *known, struct paradl_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calibration turns measured points into numbers of profiles. Readers (reader/) bring files into one form. cells.c
 * combines the launches of each point into a cell. Fitters (fitter/) make numbers and curves from cells. Verdicts
 * (verdict/) judge the machine by them. calibration_write.c puts the numbers and curves into profiles.
 *
 * paradl-samples(5) lists the names of cells and their parameters.
 */
#ifndef FIT_CALIBRATION_H
#define FIT_CALIBRATION_H

#include "base/arena.h"
#include "base/json.h"
#include "paradl/fit.h"

struct sample_parameter {
	const char *name, *text; /* text: NULL where the value is a number */
	double number;           /* value where text is NULL */
};

/* A run of a measuring program, or one file of another tool. */
struct sample_launch {
	const char *file, *id;             /* path of the file; id: "mpi.0", or the name of another tool */
	const char *program, *host, *date; /* "" where the file does not say */
	const struct sample_parameter *environment;
	unsigned environment_count;
};

/* A point in one launch. */
struct sample_point {
	const struct sample_launch *launch;
	int line;          /* line in the launch's file */
	const char *bench; /* "allreduce", "gemm", ... */
	const char *name;  /* name of the point, the same in every launch */
	const struct sample_parameter *parameters;
	unsigned parameter_count;
	double flop, bytes;       /* work of one call; 0: none */
	double clock_mhz;         /* clock of the GPU's multiprocessors while it was measured; 0: not known */
	double watt, celsius;     /* power and temperature of the GPU then; 0: not known */
	const double *seconds;    /* seconds of one call, for each sample in the order measured */
	unsigned count;           /* number of samples; 0: the point failed */
	const char *failed;       /* reason why it failed, or NULL */
	bool again;               /* it failed by losing its program, and was measured again */
	const char *const *flags; /* flags such as "throttled", NULL-terminated */
};

/* All points and launches of the files given. */
struct sample_set {
	struct sample_point *points;
	size_t count;
	struct sample_launch **launches;
	size_t launch_count;
	size_t torn; /* number of lines, rows and runs that a killed program left unfinished, which are skipped */
};

bool sample_flagged(const struct sample_point *point, const char *flag);
double sample_number(const struct sample_point *point, const char *parameter, double otherwise);
const char *sample_text(const struct sample_point *point, const char *parameter); /* NULL: no such text */

/*
 * Adds a zeroed launch or point to a set and returns it (samples_load.c); NULL when out of memory. Pointers into `points`
 * become invalid when a point is added.
 */
struct sample_launch *sample_launch_add(struct paradl_arena *arena, struct sample_set *set);
struct sample_point *sample_point_add(struct paradl_arena *arena, struct sample_set *set);
/* Returns all points sorted by launch, name and line; NULL when out of memory. */
const struct sample_point **samples_by_name(struct paradl_arena *arena, const struct sample_set *set);
/*
 * Returns whether the point at an index was measured, or tried, again further down in the same launch; `points` are
 * those of samples_by_name.
 */
bool sample_is_repeated(const struct sample_point *const *points, size_t count, size_t at);

/* A format of files: reader/NAME.c and a line in reader/list.def. The first reader that knows a text reads it. */
struct sample_reader {
	const char *name, *summary;
	bool (*knows)(const char *text, size_t length);
	bool (*read)(struct paradl_arena *arena, const char *text, size_t length, const char *path,
		struct sample_set *set, struct paradl_error *error);
};
#define X(id) extern const struct sample_reader reader_##id;
#include "fit/reader/list.def"
#undef X

bool samples_load(
	struct paradl_arena *arena, const char *path, struct sample_set *set, struct paradl_error *error);

enum cell_flag {
	CELL_NOISY = 1,        /* (p90 - p10) / median of the samples is above 20 % in most launches */
	CELL_BIMODAL = 2,      /* launches, or samples, are in two groups with a gap of more than 25 % */
	CELL_NOT_MONOTONE = 4, /* a larger message is faster by more than 10 % */
	CELL_OUTLIERS = 8,     /* some launches or samples are far from the others */
	CELL_FEW_LAUNCHES = 16 /* fewer than 4 launches: low_s..high_s is their range, not an interval */
};

/* A point over all launches: the median of medians, and a 95 % interval by resampling launches, then samples. */
struct cell {
	const struct sample_point *point; /* the point in the first launch that has it; for its parameters */
	const struct sample_point *const *points;
	const double *
		launch_s; /* median of each of `points`; of two modes, that of the mode other launches agree with */
	unsigned launches;
	double seconds, low_s, high_s;
	double best_s, spread; /* least median of a launch; (p90 - p10) / median of all samples */
	unsigned flags;        /* set of enum cell_flag */
};

struct cells {
	const struct cell *items;
	size_t count;
	const struct sample_set *set;
};

/*
 * Makes the cells of a set, sorted by program, bench, parameters (the size last) and name, so that the order of files
 * does not matter. A point that failed counts only as the same launch measured it later; a point that a launch
 * measured twice is an error.
 */
bool cells_make(struct paradl_arena *arena, const struct sample_set *set, struct cells *cells,
	struct paradl_error *error);
/* Returns whether two cells differ at most in the size of messages or copies, and so are points of one curve. */
bool cells_same_but_size(const struct cell *cell, const struct cell *other);

/*
 * The lists that fitters and verdicts add to (calibration.c). `result` has the lengths of the lists, and points to the
 * same lists as constants.
 */
struct calibration {
	struct paradl_arena *arena;
	const struct cells *cells;
	const struct paradl_machine *before; /* the profile that is to be changed; NULL: a new one is made */
	struct paradl_calibration *result;
	struct paradl_fitted_number *numbers;
	struct paradl_fitted_curve *curves;
	struct paradl_outlier *outliers;
	struct paradl_verdict *verdicts;
	struct paradl_error *error; /* error of a verdict, filled once one has failed */
	bool failed;                /* a verdict has failed */
};
/* Adds a zeroed row to a list and returns it; NULL with an error when out of memory. */
struct paradl_fitted_number *fitted_number_add(struct calibration *calibration, struct paradl_error *error);
struct paradl_fitted_curve *fitted_curve_add(struct calibration *calibration, struct paradl_error *error);
struct paradl_outlier *outlier_add(struct calibration *calibration, struct paradl_error *error);
/* Adds all outliers of the cells (cells.c). */
bool cells_outliers(struct calibration *calibration, struct paradl_error *error);
struct paradl_verdict *verdict_add(struct calibration *calibration, struct paradl_error *error);
/* Returns the number at `path` that an earlier fitter has found; NULL when none has. */
const struct paradl_fitted_number *fitted_number_find(
	const struct calibration *calibration, enum paradl_fitted_file file, const char *path);

/*
 * Makes numbers or curves from the cells that the fitter knows, and ignores all others (fitter/NAME.c). Fitters run
 * in the order of fitter/list.def.
 */
#define X(id) bool fit_##id(struct calibration *calibration, struct paradl_error *error);
#include "fit/fitter/list.def"
#undef X

/*
 * Judges the cells and the fitted numbers (verdict/NAME.c), and adds a verdict only where something is wrong or
 * notable.
 */
#define X(id) void judge_##id(struct calibration *calibration);
#include "fit/verdict/list.def"
#undef X

/* A line a + b x through times, and the median size of its relative errors. */
struct robust_line {
	double a, b, residual;
};
/*
 * Fits a line to points ascending in x (robust.c): the least sum of w rho((a + b x) / t - 1) with a, b >= 0. Errors
 * are relative, and rho is bisquare beyond 4.685 robust standard deviations. A `weight` of NULL means 1 for all
 * points. Returns false with an error, also where a size is negative, or a time or weight is not above 0.
 */
bool robust_line_fit(struct paradl_arena *arena, const double *x, const double *t, const double *weight,
	size_t count, struct robust_line *line, struct paradl_error *error);
double robust_median(double *values, size_t count); /* sorts the values; 0 for none */

/*
 * Fills all members of a cell but its points and their number, which are set before. Returns false when out of
 * memory.
 */
bool cell_fill(struct paradl_arena *arena, struct cell *cell);
/* Says why a launch differs from the others; returns NULL when it does not, or when out of memory. */
const char *cell_outlier_text(struct paradl_arena *arena, const struct cell *cell, unsigned launch);
/* Returns the factor that widens an interval from launches drawn again, for a number of launches of 2 or more. */
double interval_widening(unsigned launches);

#endif

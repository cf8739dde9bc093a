/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From measured points to numbers of profiles. Readers (reader/) bring files into one form, cells.c sums up what the launches
 * say of each point, fitters (fitter/) make numbers and curves of cells, verdicts (verdict/) judge the machine by them, and
 * calibration_write.c puts all of it into profiles.
 *
 * What cells are called and which parameters they have is said in paradl-samples(5).
 */
#ifndef FIT_CALIBRATION_H
#define FIT_CALIBRATION_H

#include "base/arena.h"
#include "base/json.h"

struct sample_parameter {
	const char *name, *text; /* text NULL: a number */
	double number;
};

/* One run of a measuring program, or one file of another tool. */
struct sample_launch {
	const char *file, *id;             /* "mpi.0"; of other tools their name */
	const char *program, *host, *date; /* "" where nothing says so */
	const struct sample_parameter *environment;
	unsigned environment_count;
};

/* One point in one launch. */
struct sample_point {
	const struct sample_launch *launch;
	int line;          /* of the launch's file */
	const char *bench; /* "allreduce", "gemm", ... */
	const char *name;  /* the same in every launch */
	const struct sample_parameter *parameters;
	unsigned parameter_count;
	double flop, bytes;       /* work of one call; 0: none */
	double clock_mhz;         /* of the multiprocessors of a GPU meanwhile; 0: not known */
	const double *seconds;    /* of one call, in the order measured */
	unsigned count;           /* 0: it failed */
	const char *failed;       /* why; else NULL */
	bool again;               /* failed by losing its program, and measured again */
	const char *const *flags; /* NULL-terminated: "throttled" */
};

struct sample_set {
	struct sample_point *points;
	size_t count;
	struct sample_launch **launches;
	size_t launch_count;
	size_t torn; /* last lines that a killed program left unfinished, passed over */
};

bool sample_flagged(const struct sample_point *point, const char *flag);
double sample_number(const struct sample_point *point, const char *parameter, double otherwise);
const char *sample_text(const struct sample_point *point, const char *parameter); /* NULL: none */

/* samples.c: growing a set; NULL: out of memory. Pointers into `points` move when it grows. */
struct sample_launch *sample_launch_add(struct paradl_arena *arena, struct sample_set *set);
struct sample_point *sample_point_add(struct paradl_arena *arena, struct sample_set *set);
/* All points by launch, name and line; NULL: out of memory. */
const struct sample_point **samples_by_name(struct paradl_arena *arena, const struct sample_set *set);
/* Whether the same was measured, or tried, again further down in the same launch; `points` as of samples_by_name. */
bool sample_is_repeated(const struct sample_point *const *points, size_t count, size_t at);

/* A format of files, reader/NAME.c and a line in reader/list.def; the first that knows a text reads it. */
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
	CELL_NOISY = 1,        /* (p90 - p10) / median of samples above 20 % in most launches */
	CELL_BIMODAL = 2,      /* launches, or samples, in two groups with a gap of more than 25 % */
	CELL_NOT_MONOTONE = 4, /* a larger message is faster by more than 10 % */
	CELL_OUTLIERS = 8,     /* launches or samples that the fit does not follow */
	CELL_FEW_LAUNCHES = 16 /* fewer than 4: low_s..high_s is the range, no interval */
};

/* A point over all launches: the median of medians, and a 95 % interval by resampling launches, then samples. */
struct cell {
	const struct sample_point *point; /* of the first launch that has it; for parameters */
	const struct sample_point *const *points;
	const double *
		launch_s; /* of each of `points`: its median; with two modes, of the one that others agree with */
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
 * Sorted by program, bench, parameters (the size last) and name, so that the order of files does not matter. What a launch
 * measured after it had failed stands for both; measured twice is an error.
 */
bool cells_make(struct paradl_arena *arena, const struct sample_set *set, struct cells *cells,
	struct paradl_error *error);
/* The same but for the size of messages or copies: points of one curve. */
bool cells_same_but_size(const struct cell *cell, const struct cell *other);

/*
 * calibration.c: what fitters and verdicts add to. `result` has the same lists once all have run; until then its counts and
 * these pointers are what there is.
 */
struct calibration {
	struct paradl_arena *arena;
	const struct cells *cells;
	const struct paradl_machine *before; /* the profile that is to be changed; NULL: a new one */
	struct paradl_calibration *result;
	struct paradl_fitted_number *numbers;
	struct paradl_fitted_curve *curves;
	struct paradl_outlier *outliers;
	struct paradl_verdict *verdicts;
	struct paradl_error *error; /* of judges; filled once they have failed */
	bool failed;
};
/* NULL: out of memory, error is set. Each returns a zeroed row to be filled. */
struct paradl_fitted_number *fitted_number_add(struct calibration *calibration, struct paradl_error *error);
struct paradl_fitted_curve *fitted_curve_add(struct calibration *calibration, struct paradl_error *error);
struct paradl_outlier *outlier_add(struct calibration *calibration, struct paradl_error *error);
bool cells_outliers(struct calibration *calibration, struct paradl_error *error); /* cells.c: adds them */
struct paradl_verdict *verdict_add(struct calibration *calibration, struct paradl_error *error);
/* A number that a fitter before has found; NULL: none has. */
const struct paradl_fitted_number *fitted_number_find(
	const struct calibration *calibration, enum paradl_fitted_file file, const char *path);

/* Makes numbers or curves of the cells it knows, and nothing of others: fitter/NAME.c, in the order of fitter/list.def. */
#define X(id) bool fit_##id(struct calibration *calibration, struct paradl_error *error);
#include "fit/fitter/list.def"
#undef X

/* Judges what was measured and fitted: verdict/NAME.c; adds a verdict only where it has something to say. */
#define X(id) void judge_##id(struct calibration *calibration);
#include "fit/verdict/list.def"
#undef X

/*
 * robust.c. Points ascending in x; `weight` NULL: all 1. The least of sum w rho((a + b x) / t - 1), a, b >= 0: relative
 * errors, bisquare beyond 4.685 robust standard deviations. Residual: median of the relative errors' sizes.
 */
struct robust_line {
	double a, b, residual;
};
bool robust_line_fit(struct paradl_arena *arena, const double *x, const double *t, const double *weight,
	size_t count, struct robust_line *line, struct paradl_error *error);
double robust_median(double *values, size_t count); /* sorts them */

#endif

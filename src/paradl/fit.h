/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements: projections against them, and numbers of profiles from them.
 * It may change with every version of the library.
 */
#ifndef PARADL_FIT_H
#define PARADL_FIT_H

#include "paradl/oracle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- validation: projections against a CSV of measurements ------------------------------------- */

struct paradl_accuracy {
	double compute, communication, total; /* accuracies, 0..1; negative: not measured */
};

/* A row with unit "request" is of serving: total_s is of each token, first_s until the first. */
struct paradl_measured_row {
	const char *model, *hw, *strategy, *family, *framework, *set, *includes, *unit, *source;
	int line;
	double batch;
	struct {
		double compute_s, communication_s, total_s, memory_bytes, first_s;
	} measured, projected; /* values per unit; negative: none */
	struct paradl_accuracy accuracy;
	const char *skipped; /* reason why the row is skipped, or NULL */
	const char *id;      /* name as a published result has it; NULL: none */
	/*
	 * For published results: options of the plan that the source does not print ("vpp, recompute") and for which
	 * a likely value was searched; words that were not understood. NULL: none.
	 */
	const char *incomplete, *unread;
	/*
	 * Likely errors of total_s and first_s: nine of ten measured times are within this share of the projection,
	 * wider by what the row leaves open; negative: nothing is claimed.
	 */
	double error_share, first_error_share;
	/* Whether the program's timers do not separate compute from communication: then neither is scored. */
	bool total_only;
	bool unfit; /* whether the plan ran, but is projected not to fit in memory */
};

/* Word of published results that was not understood, or that the nearest known one stands for. */
struct paradl_word {
	const char *column, *text, *problem;
	size_t rows;
};

struct paradl_score {
	const char *name; /* name of a family or a set; "" for the summary */
	size_t rows, skipped;
	struct paradl_accuracy mean;
	/* Errors of totals and of memory, percent; memory negative: not measured. */
	double mape, bias, memory_mape;
	/* Ranking over groups of rows that differ in strategy only; tau -2: there is no group. */
	double kendall_tau, regret_mean, regret_max;
	double median, worst; /* median and largest error of totals, percent */
	size_t groups;
	/*
	 * Mean errors in percent, negative where there are no rows: of the rows that are projected, of those whose
	 * plan is printed and of those whose plan is not. (mape counts a skipped row as 100 %.)
	 */
	double projected_mape, complete_mape, incomplete_mape;
	size_t incomplete;
	/* Share of the projected rows whose measured total is within the likely error; negative: there are none. */
	double inside;
	/* The same three of the time to the first token; negative: no row has one. */
	double first_mape, first_median, first_inside;
	size_t unfit; /* projected rows of plans that ran, but are projected not to fit in memory */
};

struct paradl_validation {
	const struct paradl_measured_row *rows;
	size_t count;
	struct paradl_score summary;
	const struct paradl_score *by_strategy, *by_set;
	size_t strategy_count, set_count;
	/* Share of pairs of one group that are ranked as measured; negative: there is no pair. */
	double rank_pairs_right;
	size_t rank_pairs;
	/*
	 * Whether these are results in the columns of published tables; ranking in the summary is then the mean over
	 * sets.
	 */
	bool published;
	size_t left_out; /* published rows that are not complete enough to score */
	const struct paradl_word *words;
	size_t word_count;
};

struct paradl_lookup {
	const char *const *directories; /* directories with models/, hw-profiles/ in them; NULL-terminated */
	const char *hw, *framework;     /* override those of the rows; NULL = nothing is overridden */
	struct paradl_options options;
	bool all_rows; /* whether to score published results that are not complete, too */
};
PARADL_API bool paradl_validate(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, struct paradl_validation *validation, struct paradl_error *error);

/* ---- constants from measurements --------------------------------------------------------------- */

/* Number of a profile that a fit has set. */
struct paradl_fit_place {
	const char *file, *name; /* file and path of the number: "devices/a100-sxm4-80gb", "product.wave" */
	/* Values in SI units; before: as the profile has it, negative where no row uses it. */
	double before, value;
	int bound; /* place of the constant within its range: -1 at the lower bound, 1 at the upper, 0 inside */
};

struct paradl_fit_constant {
	const char *unit, *meaning; /* unit: "s", "B", "B/s" or "" */
	double value, prior, low, high;
	double standard_error;
	/* Share of the knowledge about the constant that comes from the rows, not from the prior. */
	double known;
	bool identified;
	int bound;
	/* Numbers that the constant sets; the first gives it its name. */
	const struct paradl_fit_place *places;
	size_t place_count;
	size_t rows; /* number of rows that depend on it */
};

struct paradl_fit_set {
	const char *name;
	size_t rows;
	/* Mean error, percent; before: with the profiles as they are. */
	double before, after;
	double bias; /* bias after the fit */
	/* Mean error under a fit to the other sets; negative: not asked for, or no constant is free. */
	double left_out;
	/* Share of its rows that are then within their likely error, which rests on the other sets, too. */
	double inside;
	/* Median of these likely errors; inside and half_width are negative as left_out is. */
	double half_width;
};

/* Statement of a profile on its errors. */
struct paradl_fit_knowledge {
	const char *file;    /* file of the profile: "frameworks/nemo-2024" */
	const char *checked; /* runs that it was compared with, as JSON; NULL: those of a family */
	double known_error;  /* mean error of rows in sets that were left out */
};

struct paradl_fit {
	const struct paradl_fit_constant *constants;
	const struct paradl_fit_set *sets;
	size_t constant_count, set_count;
	size_t rows, skipped; /* number of rows; skipped: those that cannot be projected */
	/* With leave_each_out, over all sets that were left out; else negative, and no knowledge. */
	double inside, half_width;
	const struct paradl_fit_knowledge *knowledge;
	size_t knowledge_count;
	double objective_before, objective; /* half the sum of squared residuals; before: at the priors */
};

struct paradl_fit_request {
	const char *constants; /* path of the list of free constants; NULL: the shipped list */
	const char *leave_out; /* set that is left out of the fit; NULL: none */
	bool leave_each_out;   /* whether to fit again without each set */
	unsigned restarts;     /* number of further starts of the search */
};
PARADL_API bool paradl_fit(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, const struct paradl_fit_request *request, struct paradl_fit *fit,
	struct paradl_error *error);
/* Returns the index-th of the files that paradl_fit_write changes, "devices/NAME"; NULL past the last. It may come again. */
PARADL_API const char *paradl_fit_file(const struct paradl_fit *fit, size_t index);
/* Writes the constants into DIRECTORY/devices/NAME.json and DIRECTORY/frameworks/NAME.json. */
PARADL_API bool paradl_fit_write(struct paradl_arena *arena, const struct paradl_fit *fit,
	const char *directory, struct paradl_error *error);

/* ---- calibration: numbers of a machine from measured points ------------------------------------ */

/* Files that numbers go to: the machine's profile, and its device's beside it. */
enum paradl_fitted_file { PARADL_FITTED_MACHINE, PARADL_FITTED_DEVICE };

/* Number of a profile with its origin. */
struct paradl_fitted_number {
	enum paradl_fitted_file file;
	const char *path; /* path of the number: "levels/0/latency" */
	const char *unit; /* unit: "s", "B/s", "flop/s", "B", "W" or "" */
	/* Value in SI units; low..high: 95 % over launches, or their range; equal: not known. */
	double value, low, high;
	bool is_range;             /* whether low..high is the range, of fewer than 4 launches */
	unsigned points, launches; /* numbers of points and launches that it rests on */
	double residual;           /* median relative error of the fit; negative: nothing was fitted */
	const char *from;          /* origin: "calibrate mpi, 5 launches, 2026-11-22" */
	double was;                /* value in the profile before; negative: it had none */
	const char *was_from;      /* origin of that value; NULL: none */
};

/*
 * Segment of a curve of times over sizes at one number of nodes: a_s + s_per_byte * bytes, and straight between one
 * segment and the next.
 */
struct paradl_fitted_segment {
	double from_bytes, a_s, s_per_byte;
	double upto_bytes; /* last point of the segment */
};
enum { PARADL_FITTED_SEGMENTS_MAX = 4 };
struct paradl_fitted_curve {
	const char *operation, *library, *buffer; /* buffer is "host" or "device" */
	unsigned nodes, devices, groups; /* devices of one group; number of groups at the same time */
	unsigned point_count, launches;
	/* Points, ascending in bytes; bytes are those of the whole vector. */
	const double *bytes, *time_s, *low_s, *high_s;
	const unsigned *flags; /* flags of each point: set of enum paradl_point_flag */
	struct paradl_fitted_segment segments[PARADL_FITTED_SEGMENTS_MAX];
	unsigned segment_count;
	/* Median relative errors; held out: of every other size; negative: too few points. */
	double segment_error, held_out_error, interpolation_error;
};
enum paradl_point_flag {
	PARADL_POINT_NOISY = 1,
	PARADL_POINT_BIMODAL = 2,
	PARADL_POINT_NOT_MONOTONE = 4,
	PARADL_POINT_OUTLIERS = 8,
	PARADL_POINT_FEW_LAUNCHES = 16
};

/* Point that a fit does not follow. */
struct paradl_outlier {
	const char *file;
	int line;
	const char *point, *text; /* text says why: "3.1 times the other launches" */
};

enum paradl_severity { PARADL_NOTE, PARADL_SUSPECT, PARADL_BAD };
struct paradl_verdict {
	enum paradl_severity severity;
	const char *judge; /* name of the check: "tcp-fallback" */
	const char *text;  /* finding, with the number that it rests on */
	const char *check; /* advice on what to look at or try */
	const char *where; /* place: "FILE:LINE", "levels/1/latency" or NULL */
	/* Whether a profile from these samples would be wrong and look right; paradl_calibration_refused. */
	bool refuses;
};

struct paradl_calibration {
	const struct paradl_fitted_number *numbers;
	const struct paradl_fitted_curve *curves;
	const struct paradl_outlier *outliers;
	const struct paradl_verdict *verdicts;
	size_t number_count, curve_count, outlier_count, verdict_count;
	size_t files, launches, points, failed, torn; /* numbers of items read */
	const char *samples, *hosts; /* texts for origins: "sha256 3fb2...", "g0001" or "4 hosts" */
};

/*
 * Fits numbers to files of samples (paradl-samples(5)), or to output of nccl-tests, the OSU benchmarks, fio and IOR.
 * `machine`, the profile that is to be changed, says what is known and expected; NULL: a new machine.
 */
PARADL_API bool paradl_calibration_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_machine *machine, struct paradl_calibration *calibration,
	struct paradl_error *error);
/*
 * Returns the verdict for which no profile should be written from the calibration: "contended", "residual"; NULL:
 * none.
 */
PARADL_API const char *paradl_calibration_refused(const struct paradl_calibration *calibration);
/*
 * Puts numbers and curves into `machine` and its device, with their origins, and writes them to `path` and
 * devices/NAME.json beside it; NULL: a new machine. All of a file changes, or nothing; the device is written first.
 */
PARADL_API bool paradl_calibration_write(struct paradl_arena *arena,
	const struct paradl_calibration *calibration, const struct paradl_machine *machine, const char *path,
	struct paradl_error *error);

/*
 * Writes the times of the layers of `model` (NULL: the only one that was measured) that samples have, as a file for
 * paradl_options.layer_times; paradl-layer-times(5).
 */
PARADL_API bool paradl_calibration_layer_times(struct paradl_arena *arena, const char *const *paths,
	size_t count, const char *model, const char *path, struct paradl_error *error);

/* ---- kernels: device files against times of single kernels ------------------------------------- */

/* Ways to leave rows out of a fit, which tell what it is worth beyond them. */
enum paradl_kernels_left_out {
	PARADL_LEAVE_FOLDS,   /* leaves out a fifth of the shapes, five times */
	PARADL_LEAVE_DEVICES, /* leaves out each device, which gets the constants that all others share */
	PARADL_LEAVE_SHAPES   /* leaves out all but `shapes` random rows of each kind and number format */
};

struct paradl_kernels_request {
	const char *const *directories; /* directories with hw-profiles/ in them; NULL-terminated */
	const char *device;             /* device whose rows alone are read; NULL: all */
	const char *device_path;        /* file of the device; NULL: hw-profiles/devices/NAME.json */
	bool single; /* whether rows of several devices are an error: a file is to be written */
	bool fit;    /* whether to fit; else device files are only scored */
	enum paradl_kernels_left_out left_out;
	size_t shapes;
	size_t draws; /* number of draws of shapes, one after the other */
	unsigned long seed;
};

/* Errors of kernels of one kind, number format and size, as shares: |modelled / measured - 1|. */
struct paradl_kernel_errors {
	const char *device, *kind, *precision, *size; /* "all": for all devices, or sizes, together */
	size_t rows;
	double mean, median, bias; /* errors of the device file; bias: median of modelled / measured - 1 */
	double fitted_mean, fitted_median; /* errors of the fit; negative: nothing was fitted */
	double left_out_mean, left_out_median;
	double left_out_low, left_out_high; /* least and largest mean over draws of shapes */
	double left_out_ratio;              /* left_out_mean / fitted_mean */
	/* Mean share of the modelled time that brings inputs to a narrow format, with its launch. */
	double quantizing;
};

/* Number of a device file. */
struct paradl_kernel_number {
	const char *device, *path, *unit; /* path is "product/wave"; unit is "s", "B", "B/s" or "" */
	double value, low, high;          /* value and 95 % range by leaving out folds; equal: not known */
	double was;                       /* value in the device file; negative: it has none */
	size_t rows;
};

/*
 * Kernel with its times. The modelled time uses constants that were fitted without this kernel, where it was left
 * out.
 */
struct paradl_kernel_point {
	const char *device, *kind, *precision, *shape;
	double flop, bytes; /* operations and bytes that are needed at least */
	double measured_s, modelled_s;
};

/* Limit of the kernels of a device: its peak in a number format ("flop/s"), or its memory ("B/s"). */
struct paradl_kernel_roof {
	const char *device, *what, *unit;
	double rate; /* rate of the limit; 0: not known */
};

struct paradl_kernels_passed {
	const char *what; /* kind and number format of the rows: "gemm int8_wo" */
	size_t rows;
};

struct paradl_kernels {
	const struct paradl_kernel_errors *errors;
	const struct paradl_kernel_number *numbers;
	const struct paradl_kernels_passed *passed; /* rows of number formats without a formula */
	const struct paradl_kernel_point *points;   /* points of all rows */
	const struct paradl_kernel_roof *roofs;
	size_t error_count, number_count, passed_count, point_count, roof_count, rows;
	const char *samples;             /* digests of the files that were read */
	const char *const *device_paths; /* paths of the device files that were scored */
};

/* Returns whether a file is a table of kernel times (paradl-fit(1)). */
PARADL_API bool paradl_kernels_known(struct paradl_arena *arena, const char *path);
/* Scores device files on tables of kernel times, and fits the numbers in them that are about kernels. */
PARADL_API bool paradl_kernels_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_kernels_request *request, struct paradl_kernels *kernels,
	struct paradl_error *error);
/* Writes the numbers of the only device to `path`, into a copy of its file if there is none yet. */
PARADL_API bool paradl_kernels_write(struct paradl_arena *arena, const struct paradl_kernels *kernels,
	const char *path, struct paradl_error *error);

#ifdef __cplusplus
}
#endif

#endif

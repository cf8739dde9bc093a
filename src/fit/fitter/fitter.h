/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitters share this: times of cells by launch, cells that count, and the device known so far. */
#ifndef FIT_FITTER_FITTER_H
#define FIT_FITTER_FITTER_H

#include "fit/calibration.h"
#include "machine/machine.h"

/*
 * Keeps the times of cells by launch, and fits values to them with their intervals across launches. The estimate
 * rests on the median of each cell over launches. With four or more launches the whole fit is done again for 200
 * draws of launches with replacement, and the interval is the middle 95 %, widened as in cell_statistics.c. With fewer it is done for each launch
 * alone, and the interval is the whole range.
 */

enum { FITTED_MAX = 24 };

struct fitted_value {
	double value, low, high;
};

struct launch_times {
	const struct cell *const *cells;
	size_t rows;
	unsigned launches;
	double *median_s; /* median seconds, rows x launches; 0: the launch has no such point */
	const char *from; /* origin: "calibrate cpu, 5 launches, 2026-11-22" */
};

bool launch_times_make(struct paradl_arena *arena, const struct cell *const *cells, size_t rows,
	struct launch_times *times, struct paradl_error *error);

/*
 * A function that fits `values` to one time for each row. `first` is true for the estimate, whose values may be the
 * start of the later fits.
 */
typedef bool refit(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error);
bool launch_times_fit(struct paradl_arena *arena, const struct launch_times *times, refit *fit, void *context,
	size_t count, struct fitted_value *values, struct paradl_error *error);

/* The evidence for a number. */
struct fit_source {
	const struct launch_times *times;
	double residual; /* residual of the fit; negative: nothing was fitted */
};
bool number_put(struct calibration *calibration, enum paradl_fitted_file file, const char *path,
	const char *unit, const struct fitted_value *value, const struct fit_source *source,
	struct paradl_error *error);

/* A ring that was measured inside a node, and what the cables of the profile before give it: fitter_cables.c. */
struct series;
struct series_list;
struct node_cables {
	const struct paradl_fitted_number
		*ring;               /* NULL: none was fitted, or the profile has no such cables */
	const struct series *series; /* what it was fitted to */
	double modelled;             /* bus bandwidth of the profile's cables */
};
bool cables_of_node(struct calibration *calibration, const struct series_list *list,
	struct node_cables *cables, struct paradl_error *error);
/* Returns the allreduce that levels/0/ring is fitted to; NULL: there is none. */
const struct series *ring_of_node(const struct calibration *calibration, const struct series_list *list);

/*
 * Helps the fitters of products, convolutions and memory: chooses the cells that count, and describes the device
 * known so far.
 */

struct cell_list {
	const struct cell **items;
	size_t count;
	double busiest; /* most processes that measured at the same time; 1: all cells are in the same state */
};

/*
 * Collects the cells of a bench that were measured alone or with all devices busy. Where cells differ in their
 * algorithm ("default" and "best", "heuristic" and "find"), it takes those that programs get without asking, where
 * there are any. Returns false with an error when out of memory.
 */
bool cells_of(const struct calibration *calibration, const char *bench, struct cell_list *list,
	struct paradl_error *error);
double cell_number(const struct cell *cell, const char *parameter, double otherwise);
bool cell_says(const struct cell *cell, const char *parameter, const char *text);

/* Returns whether a cell was measured while all others were at work, in a list where some cells were not. */
bool cell_is_busy(const struct cell *cell, const struct cell_list *list);

/*
 * Drops the cells measured alone where at least `enough` were measured with all at work, which is how training runs:
 * shares and memory then are of the same state. Otherwise both stay, and the cost of all being at work is one factor.
 */
void cells_at_work(struct cell_list *list, size_t enough);

/* The number formats that occur; a mixed one computes in the format it is named after. */
struct formats_seen {
	enum paradl_precision precision[PARADL_PRECISION_COUNT];
	const char *name[PARADL_PRECISION_COUNT]; /* name in device files */
	unsigned count;
};
/*
 * Drops cells whose format no device has; returns the index into `formats` of each cell that stays, NULL when out of
 * memory.
 */
unsigned *formats_of(
	const struct calibration *calibration, struct cell_list *list, struct formats_seen *formats);

/*
 * Fills a device with the numbers of the profile and those that earlier fitters have found, and derives the rest.
 * Without a profile, it has no memory limit and no tiles.
 */
void device_so_far(const struct calibration *calibration, struct device *device);

/*
 * Returns the peak, in flop/s, that shares refer to: a fitted one, or the known one. Where that is missing or less
 * than the rate of the device's best shape, measured or by the fit, it adds that rate as a new number. Returns a
 * negative value with an error when out of memory.
 */
double peak_settle(struct calibration *calibration, const char *bench, const char *format,
	enum paradl_precision precision, const struct fitted_value *rate, const struct fit_source *source,
	struct paradl_error *error);
/*
 * Fills a row of kernels (fit/kernels_profile.h) from a cell of the bench "gemm" (kernels_samples.c). Returns whether
 * the cell has sizes and a time.
 */
struct kernel_row;
bool kernel_row_of_cell(const struct cell *cell, enum paradl_precision precision, struct kernel_row *row);

/*
 * Returns whether products are fitted as times of kernels are: the device's units, which run tiles of products, are
 * known, and there are enough products (tiled_products.c).
 */
bool products_are_tiled(const struct calibration *calibration, size_t products);
/*
 * Fits what the device file says of products to all cells of a list, by the fit of tables of kernels, and puts the
 * numbers. Returns false with an error.
 */
bool tiled_products_fit(struct calibration *calibration, struct cell_list *list, const unsigned *slots,
	const struct formats_seen *formats, struct paradl_error *error);

/*
 * Products in both states of a device's clock (burst.c): collects all of them; says of one whether it was measured from rest; gives what
 * the power limit leaves of a format's rate, where both states were measured.
 */
struct settled_share {
	bool is_known;
	struct fitted_value value;
	struct launch_times times;
};
bool cells_of_products(
	const struct calibration *calibration, struct cell_list *list, struct paradl_error *error);
bool cell_is_rested(const struct cell *cell);
bool settled_share(const struct calibration *calibration, const char *format, struct settled_share *share,
	struct paradl_error *error);

/* Returns a rate and its interval over a peak, at most 1. */
struct fitted_value share_of(const struct fitted_value *rate, double peak);

#endif

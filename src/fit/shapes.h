/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fitters of products, convolutions and memory share: which cells count, and the device as it is known so far. */
#ifndef FIT_SHAPES_H
#define FIT_SHAPES_H

#include "fit/launch_times.h"
#include "machine/machine.h"

struct cell_list {
	const struct cell **items;
	size_t count;
	double busiest; /* processes that measured at the same time, at most; 1: each was alone */
};

/*
 * Cells of a bench, alone or with all others busy. Of several algorithms ("default" and "best", "heuristic" and "find")
 * those that programs get without asking, where there are any.
 */
bool cells_of(const struct calibration *calibration, const char *bench, struct cell_list *list,
	struct paradl_error *error);
double cell_number(const struct cell *cell, const char *parameter, double otherwise);
bool cell_says(const struct cell *cell, const char *parameter, const char *text);

/* Measured while all others were at work, of a list where others were not. */
bool cell_is_busy(const struct cell *cell, const struct cell_list *list);

/*
 * Leaves those alone out where as many as `enough` were measured with all at work, which is how training runs: shares and
 * memory are then of the same state. Otherwise both stay, and what being at work costs is one factor.
 */
void cells_at_work(struct cell_list *list, size_t enough);

/* Number formats that occur; a mixed one computes in the format it is named after. */
struct formats_seen {
	enum paradl_precision precision[PARADL_PRECISION_COUNT];
	const char *name[PARADL_PRECISION_COUNT]; /* as files of devices have it */
	unsigned count;
};
/* Drops cells whose format no device has; `slot` of each that stays: its index. */
unsigned *formats_of(
	const struct calibration *calibration, struct cell_list *list, struct formats_seen *formats);

/* As the profile has it, with what fitters before have found; derived. Without any: no memory limit, no tiles. */
void device_so_far(const struct calibration *calibration, struct device *device);

/*
 * The peak that shares are of: as it is known, or where that is nothing or less than what was seen, a new number: what the
 * device's best shape reaches, measured or by the fit. Negative: out of memory, error is set.
 */
double peak_settle(struct calibration *calibration, const char *bench, const char *format,
	enum paradl_precision precision, const struct fitted_value *rate, const struct fit_source *source,
	struct paradl_error *error);
/* Rates over a peak, 1 at most. */
struct fitted_value share_of(const struct fitted_value *rate, double peak);

#endif

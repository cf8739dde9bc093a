/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges share this: times over sizes as they were measured, and the means to add a verdict. */
#ifndef FIT_VERDICT_VERDICT_H
#define FIT_VERDICT_VERDICT_H

#include "fit/calibration.h"

/* Cells that differ in their size only, ascending in it: one curve as it was measured. */
struct series {
	const char *operation, *library, *buffer, *distance, *way; /* "" where not known; way: "block" */
	unsigned nodes, devices, groups;                           /* devices: those of one group */
	const struct cell **cells;
	unsigned count;
};
struct series_list {
	struct series *items;
	size_t count;
};
/*
 * Makes the series of all cells of communication that have sizes, but not of those of one host or pair of devices,
 * which verdict_slow.c and verdict_rates.c judge. Returns false when out of memory.
 */
bool series_make(const struct calibration *calibration, struct series_list *list, struct paradl_error *error);
/* Judges one series; `list` has the others. */
typedef void series_judge(
	struct calibration *calibration, const struct series_list *list, const struct series *series);
/* Makes the series and has each judged, until the calibration has failed. */
void series_each(struct calibration *calibration, series_judge *judge);

double cell_bytes(const struct cell *cell);
/* Returns the cell of the largest size. */
const struct cell *series_last(const struct series *series);
/* Returns the least seconds of all sizes up to `most_bytes`; 0: there is no such size. */
double series_small_s(const struct series *series, double most_bytes);
/*
 * Returns the bytes / s that pass a device's link, the "bus bandwidth": bytes / time, times 2 (n - 1) / n for an
 * allreduce, (n - 1) / n for allgather, reduce-scatter and all-to-all, else 1.
 */
double series_bus_rate(const struct series *series, const struct cell *cell);
double series_best_bus_rate(const struct series *series);
bool series_is(const struct series *series, const char *operation);
/* Returns whether the library is `name`, in any version: "nccl" matches "nccl 2.28.3". */
bool series_is_library(const struct series *series, const char *name);
/*
 * Returns the name for people, as in "allreduce, nccl 2.28.3, 2 nodes, 16 devices"; the operation when out of memory.
 */
const char *series_name(const struct calibration *calibration, const struct series *series);

/* Returns "FILE:LINE" of a point or of the first point of a cell; "" when out of memory. */
const char *point_place(const struct calibration *calibration, const struct sample_point *point);
const char *cell_place(const struct calibration *calibration, const struct cell *cell);
/* Returns "12.5 GB/s" or "3.2 us" in the calibration's arena; "" when out of memory. */
const char *verdict_quantity(const struct calibration *calibration, double value, enum dimension dimension);

/* Finds the fastest product of a number format with one device at work on its host; NULL: none. */
const struct cell *verdict_best_product(const struct cells *cells, const char *name);
/* Returns the rate of the device's own memory, as measured now or as the profile before has it; 0: not known. */
double verdict_memory_rate(const struct calibration *calibration);

struct level;
/*
 * Returns the innermost level between nodes of the profile before; NULL: there is no profile, or it has no such
 * level.
 */
const struct level *verdict_far_level(const struct calibration *calibration);

struct verdict_head {
	enum paradl_severity severity;
	const char *judge, *where, *check;
};
/* Adds a verdict. The calibration fails when out of memory. */
void verdict_say(struct calibration *calibration, const struct verdict_head *head, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Marks the last verdict: because of it, no profile should be written. */
void verdict_refuses(struct calibration *calibration);
/* Fails the calibration because memory ran out, which ends all judging. */
void verdict_out_of_memory(struct calibration *calibration);

#endif

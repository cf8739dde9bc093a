/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What judges share: times over sizes as they were measured, and how a verdict is put down. */
#ifndef FIT_VERDICT_VERDICT_H
#define FIT_VERDICT_VERDICT_H

#include "fit/calibration.h"

/* Cells that differ in their size only, ascending in it: one curve as it was measured. */
struct series {
	const char *operation, *library, *buffer, *distance, *way; /* "" where nothing says so */
	unsigned nodes, devices, groups;                           /* devices of one group */
	const struct cell **cells;
	unsigned count;
};
struct series_list {
	struct series *items;
	size_t count;
};
/* Of all cells of communication that have sizes; per pair of hosts (slow_node.c) is left out. */
bool series_make(const struct calibration *calibration, struct series_list *list, struct paradl_error *error);
/* Judges each of them; `list` has the others. */
typedef void series_judge(
	struct calibration *calibration, const struct series_list *list, const struct series *series);
void series_each(struct calibration *calibration, series_judge *judge);

double cell_bytes(const struct cell *cell);
const struct cell *series_last(const struct series *series);
/* Least time up to so many bytes; 0: no such size. */
double series_small_s(const struct series *series, double most_bytes);
/*
 * The rate that bytes pass a device's link at, "bus bandwidth": bytes / time times 2 (n - 1) / n for an allreduce, (n - 1) / n
 * for allgather, reduce-scatter and all-to-all, else 1.
 */
double series_bus_rate(const struct series *series, const struct cell *cell);
double series_best_bus_rate(const struct series *series);
bool series_is(const struct series *series, const char *operation);
bool series_is_library(const struct series *series, const char *name); /* "nccl" of "nccl 2.28.3" */
/* "allreduce of nccl 2.28.3, 2 nodes, 16 devices" */
const char *series_name(const struct calibration *calibration, const struct series *series);

/* "FILE:LINE" of a point, and of the first point of a cell; "" when out of memory. */
const char *point_place(const struct calibration *calibration, const struct sample_point *point);
const char *cell_place(const struct calibration *calibration, const struct cell *cell);
/* "12.5 GB/s", "3.2 us" in the calibration's arena; "" when out of memory. */
const char *verdict_quantity(const struct calibration *calibration, double value, enum dimension dimension);

/* What is known of the machine: the innermost level between nodes; NULL: nothing. */
struct level;
const struct level *verdict_far_level(const struct calibration *calibration);

struct verdict_head {
	enum paradl_severity severity;
	const char *judge, *where, *check;
};
/* Adds a verdict. Where memory runs out, the calibration has failed. */
void verdict_say(struct calibration *calibration, const struct verdict_head *head, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Says of the last verdict that no profile should be written. */
void verdict_refuses(struct calibration *calibration);
/* Ends all judging: memory ran out. */
void verdict_out_of_memory(struct calibration *calibration);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline as lanes, one for each device of a pipeline: what texts and pictures of it share. */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include "report/report.h"

/* enum paradl_work, then nothing at all. */
enum { LANE_IDLE = PARADL_WORK_COUNT, LANE_LOOKS };
struct lane_look {
	const char *label;
	enum paradl_phase phase; /* whose colour it has */
	const char *shade;       /* where there is no colour */
	char ascii;
};
extern const struct lane_look lane_looks[LANE_LOOKS];

/*
 * The shares of a piece of time that a device spends on each; together 1. Its events begin at index `first` or later; returns
 * an index from which to look for later times and devices.
 */
size_t lane_shares(const struct paradl_timeline *timeline, size_t first, unsigned device, double begin_s,
	double end_s, double shares[LANE_LOOKS]);
/* One look for each of so many equal parts of the step, about as often as it has a share where there is more than one. */
size_t lane_columns(const struct paradl_timeline *timeline, size_t first, unsigned device,
	unsigned char *looks, size_t columns);
/* Of all devices, from the step's beginning to its end. */
double lane_idle_share(const struct paradl_timeline *timeline);

#endif

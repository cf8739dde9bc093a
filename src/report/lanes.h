/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts and pictures share this view of a timeline: a lane for each device of a pipeline. */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include "report/report.h"

/* The looks of a lane: those of enum paradl_work, then idle. */
enum { LANE_IDLE = PARADL_WORK_COUNT, LANE_LOOKS };
struct lane_look {
	const char *label;
	enum paradl_phase phase; /* phase whose colour the look has */
	const char *shade;       /* glyph without colour */
	char ascii;
};
extern const struct lane_look lane_looks[LANE_LOOKS];

/*
 * Computes the shares of the time from `begin_s` to `end_s` that a device spends on each look; their sum is 1. The
 * device's events begin at index `first` or later. Returns an index from which to look for later times and devices.
 */
size_t lane_shares(const struct paradl_timeline *timeline, size_t first, unsigned device, double begin_s,
	double end_s, double shares[LANE_LOOKS]);
/*
 * Chooses a look for each of `columns` equal parts of the step. Where parts have several looks, each look appears
 * about as often as its share of the time says. Returns an index as lane_shares() does.
 */
size_t lane_columns(const struct paradl_timeline *timeline, size_t first, unsigned device,
	unsigned char *looks, size_t columns);
/* Returns the share of time that all devices together are idle, from the step's beginning to its end. */
double lane_idle_share(const struct paradl_timeline *timeline);

#endif

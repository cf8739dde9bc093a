/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each phase has one look, the same in the terminal and in every picture: one of the Okabe-Ito colours, which
 * colour-blind readers can tell apart, and the glyph of its kind where there is no colour.
 */
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include "paradl/oracle.h"
#include "report/report.h"
#include "report/typeset.h"

struct phase_look {
	const char *label;   /* name for people */
	const char *kind;    /* compute, communication, bubble or input */
	const char *shade;   /* glyph of the kind */
	unsigned rgb;        /* 0xRRGGBB */
	unsigned char xterm; /* nearest of the 256 terminal colours */
	char ascii;          /* ASCII glyph of the kind */
};
extern const struct phase_look phase_looks[PARADL_PHASE_COUNT];

/* The classes of memory, in the order in which pictures stack them. */
enum { MEMORY_CLASSES = 10 };
struct memory_look {
	const char *label;
	size_t offset; /* offset of the class in struct paradl_memory */
	unsigned rgb;
};
extern const struct memory_look memory_looks[MEMORY_CLASSES];
double memory_class_bytes(const struct paradl_memory *memory, size_t index);

/* Fills what each phase takes of an iteration, without what compute hides of exchanges: all together, the iteration. */
void phases_shown(const struct paradl_estimate *estimate, double shown_s[PARADL_PHASE_COUNT]);
/*
 * Returns the phases of an iteration as one stacked bar, `columns` wide for `full_s` seconds; a longer bar is
 * cut and ends in an arrow. Coloured bars resolve eighths of a column, shades and ASCII whole columns.
 */
const char *bar_phases(
	struct report_sink *sink, const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns);
/* Returns the legend of the colours or shades, for the phases that `used` marks. */
const char *bar_legend(struct report_sink *sink, const bool used[PARADL_PHASE_COUNT]);

/* Texts and pictures share this view of a timeline: a lane for each device of a pipeline. */

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
/*
 * Shares of a step that devices are idle: the mean of all, and of the busiest. That is what phases call bubble and stage
 * transfer; others are also idle while they wait for it.
 */
struct lane_idle {
	double mean, busiest;
};
struct lane_idle lane_idle(const struct paradl_timeline *timeline);

#endif

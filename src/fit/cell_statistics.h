/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_CELL_STATISTICS_H
#define FIT_CELL_STATISTICS_H

#include "fit/calibration.h"

/* All of a cell but its points, which are there. False: out of memory. */
bool cell_fill(struct paradl_arena *arena, struct cell *cell);
/* Why a launch is not what the others are; NULL: it is (or out of memory). */
const char *cell_outlier_text(struct paradl_arena *arena, const struct cell *cell, unsigned launch);
/* How much wider than what launches drawn again say an interval of so few (>= 2) has to be. */
double interval_widening(unsigned launches);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_CELL_STATISTICS_H
#define FIT_CELL_STATISTICS_H

#include "fit/calibration.h"

/*
 * Fills all members of a cell but its points and their number, which are set before. Returns false when out of
 * memory.
 */
bool cell_fill(struct paradl_arena *arena, struct cell *cell);
/* Says why a launch differs from the others; returns NULL when it does not, or when out of memory. */
const char *cell_outlier_text(struct paradl_arena *arena, const struct cell *cell, unsigned launch);
/* Returns the factor that widens an interval from launches drawn again, for a number of launches of 2 or more. */
double interval_widening(unsigned launches);

#endif

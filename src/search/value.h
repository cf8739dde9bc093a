/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan is worth, and whether it is what was asked for. */
#ifndef SEARCH_VALUE_H
#define SEARCH_VALUE_H

#include "search/branch.h"

/* Deadline, budget, latencies. A lower bound on a plan's times is refused only if the plan would be. */
bool wishes_hold(const struct quest *quest, const struct paradl_estimate *estimate);
/* The values of the front's goals; 0 for others. */
void traded_fill(const struct quest *quest, const struct paradl_estimate *estimate, double *traded);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of estimates for callers of any version of the library. */
#ifndef LIBRARY_PLAN_FIGURES_H
#define LIBRARY_PLAN_FIGURES_H

#include "paradl/oracle.h"

/* Fills a caller's figures with those of an estimate. */
void figures_fill(const struct paradl_estimate *estimate, struct paradl_figures *figures);

#endif

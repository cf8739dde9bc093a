/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_BAR_H
#define REPORT_BAR_H

#include "paradl/oracle.h"
#include "report/typeset.h"

/*
 * Returns the phases of an iteration as one stacked bar, `columns` wide for `full_s` seconds; a longer bar is
 * cut and ends in an arrow. Coloured bars resolve eighths of a column, shades and ASCII whole columns.
 */
const char *bar_phases(
	struct report_sink *sink, const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns);
/* Returns the legend of the colours or shades, for the phases that `used` marks. */
const char *bar_legend(struct report_sink *sink, const bool used[PARADL_PHASE_COUNT]);

#endif

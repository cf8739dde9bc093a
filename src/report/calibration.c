/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that all formats have for calibrations. */
#include "report/report.h"

const char *report_severity(enum paradl_severity severity)
{
	static const char *const names[] = {
		[PARADL_NOTE] = "note", [PARADL_SUSPECT] = "suspect", [PARADL_BAD] = "bad"};
	return names[severity];
}

const char *const report_point_flags[POINT_FLAGS] = {
	"noisy", "bimodal", "not monotone", "outliers", "few launches"};

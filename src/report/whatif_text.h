/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats and pictures share these functions for estimates in which something is changed. */
#ifndef REPORT_WHATIF_TEXT_H
#define REPORT_WHATIF_TEXT_H

#include "report/typeset.h"

/* A row of a tornado: the change of a result for less and for more of one input, with all others as they are. */
struct report_tornado_row {
	const char *label; /* name of the input: "memory bandwidth" */
	double low_share,
		high_share; /* shares by which less and more of the input change the result, -0.11; infinite: none */
	const char *low_note, *high_note; /* reason why there is no result; NULL: "not feasible" */
};
struct report_tornado {
	const struct report_head *head;
	const char *result; /* name of the result: "time of an epoch" */
	const char *value;  /* its value without changes: "34.7 s" */
	const char *plan;   /* the plan, "data=64", after "the best plan, now " if it is searched for */
	double vary_share;  /* share by which inputs vary: 0.2 multiplies them by 0.8 and 1.2 */
	const struct report_tornado_row *rows;
	size_t count;
};

/* Returns the name of the result that is compared, "time of an epoch". */
const char *whatif_goal(const struct report_whatif *report, const struct paradl_estimate *estimate);
/* Returns the result of an estimate that whatif_goal() names, "34.7 s". */
const char *whatif_value(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate);
/* Returns a relative change as text: "+14.1 %", "x2.5" (from 100 % on), "0". */
const char *whatif_change(struct report_sink *sink, double change);
/* Returns the time of an epoch, or of an iteration, "34.7 s per epoch". */
const char *whatif_time(struct report_sink *sink, const struct paradl_estimate *estimate);
/* Returns an energy in kilowatt-hours, "5 kWh". */
const char *whatif_energy(struct report_sink *sink, double joule);
/* Fills the picture with the rows that have an effect; returns false if out of memory. */
bool whatif_tornado(
	struct report_sink *sink, const struct report_whatif *report, struct report_tornado *picture);

#endif

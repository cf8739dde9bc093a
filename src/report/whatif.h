/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What formats and pictures share of estimates with something changed. */
#ifndef REPORT_WHATIF_H
#define REPORT_WHATIF_H

#include "report/typeset.h"

/* What moves a result: each input with less of it, and with more, all others as they are. */
struct report_tornado_row {
	const char *label; /* of the input: "memory bandwidth" */
	double low_share,
		high_share; /* by what share the result changes: -0.11; infinite: it has none then */
	const char *low_note, *high_note; /* why there is none; NULL: "not feasible" */
};
struct report_tornado {
	const struct report_head *head;
	const char *result; /* "time per epoch" */
	const char *value;  /* "34.7 s" */
	const char *plan;   /* "data=64", or what else is kept */
	double vary_share;  /* 0.2: inputs are multiplied by 0.8 and 1.2 */
	const struct report_tornado_row *rows;
	size_t count;
};

/* "time of an epoch": what is compared, and how much of it there is without changes. */
const char *whatif_goal(const struct report_whatif *report, const struct paradl_estimate *estimate);
const char *whatif_value(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate);
/* "+14.1 %", "×2.5", "0" */
const char *whatif_change(struct report_sink *sink, double change);
/* "34.7 s per epoch" */
const char *whatif_time(struct report_sink *sink, const struct paradl_estimate *estimate);
const char *whatif_energy(struct report_sink *sink, double joule); /* "5.00 kWh" */
/* The rows with an effect, to be drawn. False: out of memory. */
bool whatif_tornado(
	struct report_sink *sink, const struct report_whatif *report, struct report_tornado *picture);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines side by side, as a document. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/report.h"

struct report_compare {
	const struct report_head *head; /* of it command, inputs, assumptions and warnings */
	const struct paradl_model_info *models;
	const struct paradl_machine_info *machines;
	const double *samples;     /* of each model */
	const char *currency;      /* the common one; NULL: none */
	double deadline_s, budget; /* 0: not asked for */
	bool by_cost;              /* the table is in the order of cost, and so is rank */
	const struct paradl_comparison *comparison;
};

#endif

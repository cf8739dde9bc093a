/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "report/html/html.h"

/*
 * Writes the whole page of an advice: the answer, drawings, rankings, details of the best plan, the command that
 * starts it, assumptions and inputs.
 */
void html_page(struct report_sink *sink, const struct report_page *page);

/* Writes the whole page that compares machines side by side: drawings, tables, assumptions and inputs. */
void html_compare(struct report_sink *sink, const struct report_compare *report,
	const struct report_figure *figures, size_t figure_count);
/* Writes the end of a page: assumptions, warnings, the command, and the input files with their checksums. */
void html_foot(struct report_sink *sink, const struct report_head *head);

/* Writes the table of plans that run, best first, with a bar of phases for each. */
void html_ranking(struct report_sink *sink, const struct report_advice *advice);
/* Writes the table of plans that do not run, with the reason and what would make each run. */
void html_infeasible(struct report_sink *sink, const struct paradl_ranking *ranking);
/* Writes the table of the best plan for each number of GPUs. */
void html_scaling(struct report_sink *sink, const struct report_advice *scaling);
/* Writes the table of the phases of a plan, with the formulas of their terms. */
void html_phases(struct report_sink *sink, const struct report_estimate *report);

#endif

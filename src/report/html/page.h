/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "report/html/html.h"

/* The whole page: answer, drawings, rankings, the best plan in depth, how to start it, what all this rests on. */
void html_page(struct report_sink *sink, const struct report_page *page);

/* Machines side by side: tables, drawings, what they rest on. */
void html_compare(struct report_sink *sink, const struct report_compare *report,
	const struct report_figure *figures, size_t figure_count);
/* What ends a page: assumptions, warnings, where it is from. */
void html_foot(struct report_sink *sink, const struct report_head *head);

/* Its tables. */
void html_ranking(struct report_sink *sink, const struct report_advice *advice);
void html_infeasible(struct report_sink *sink, const struct paradl_ranking *ranking);
void html_scaling(struct report_sink *sink, const struct report_advice *scaling);
void html_phases(struct report_sink *sink, const struct report_estimate *report);

#endif

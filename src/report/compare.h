/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines side by side, as a document. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/typeset.h"

/* Of a machine; value negative: not known. Costs are those that compare. */
typedef struct paradl_range (*compare_amount)(const struct paradl_compare_cell *cell);
struct paradl_range compare_time(const struct paradl_compare_cell *cell);
struct paradl_range compare_cost(const struct paradl_compare_cell *cell);
struct paradl_range compare_joule(const struct paradl_compare_cell *cell);

/* `cells`: those of one question, a machine each. "1", and "1=" of several. */
const char *compare_rank_text(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which, bool by_cost);
/* Indices of cells, the least first; those that do not run come last. */
void compare_sort(const struct report_compare *report, const struct paradl_compare_cell *cells, bool by_cost,
	size_t *order);
/* How machines are paid for whose costs compare, "rent"; "" where none has a price. */
const char *compare_basis(const struct report_compare *report);
/* Are some machines rented and others bought? */
bool compare_is_mixed(const struct report_compare *report);
/* Are more devices paid for than used anywhere? */
bool compare_pays_more(const struct report_compare *report);
/* "100 G tokens"; ", in 30.0 d" */
const char *compare_job_text(struct report_sink *sink, const struct report_compare *report, size_t model);
const char *compare_wish_text(struct report_sink *sink, const struct report_compare *report);

#endif

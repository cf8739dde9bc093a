/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines side by side, as a document. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/typeset.h"

/* An amount of a machine; value negative: not known. Costs are those that compare. */
struct paradl_range compare_range(const struct paradl_compare_cell *cell, enum paradl_amount amount);

/* `cells`: those of one question, a machine each. "1", and "1=" of several. */
const char *compare_rank_text(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which, enum paradl_amount amount);
/* Indices of cells, the least first; those that do not run come last. */
void compare_sort(const struct report_compare *report, const struct paradl_compare_cell *cells,
	enum paradl_amount amount, size_t *order);
/* How machines are paid for whose costs compare, "rent"; "" where none has a price. */
const char *compare_basis(const struct report_compare *report);
/* Are some machines rented and others bought? */
bool compare_is_mixed(const struct report_compare *report);
/* Are more devices paid for than used anywhere? */
bool compare_pays_more(const struct report_compare *report);
/* "100 G tokens"; of inference "12 requests/s, prompts of 1,024 tokens, answers of 128"; ", in 30.0 d" */
const char *compare_job_text(struct report_sink *sink, const struct report_compare *report, size_t model);
const char *compare_wish_text(struct report_sink *sink, const struct report_compare *report);
const char *compare_machine(struct report_sink *sink, const struct report_compare *report, size_t machine);
/* The index of the least; negative: none is known. */
int compare_least(const struct paradl_compare_cell *cells, size_t count, enum paradl_amount amount);
/* "job", "million tokens": what costs and energies are of. */
const char *compare_unit(const struct report_compare *report, size_t model);
/* "133 tokens": those of a GPU in a second, of inference. */
const char *compare_speed(
	struct report_sink *sink, const struct report_compare *report, size_t model, double work_s);

/* What is said of the least of an amount, in the order of enum paradl_amount. */
struct compare_saying {
	const char *label, *takes, *much;
};
extern const struct compare_saying compare_sayings[PARADL_AMOUNT_COUNT];
/* "A; equal within what is known: B; C takes 2.31 times as long"; NULL: nothing is known, or worth saying. */
const char *compare_first(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, enum paradl_amount amount);
/* What each group of numbers alone leaves open of the time: "framework ±12 %, compute measured ±3.5 %"; "" for nothing. */
const char *compare_doubts(struct report_sink *sink, const struct paradl_compare_cell *cell);

#endif

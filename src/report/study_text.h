/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of comparisons and what-ifs that formats and pictures share. */
#ifndef REPORT_STUDY_TEXT_H
#define REPORT_STUDY_TEXT_H

#include "paradl/study.h"
#include "report/typeset.h"

/* The functions here describe a comparison of machines, for all formats that print it. */

/* Returns an amount of a machine and its range; the value is negative if nothing runs or a cost does not compare. */
struct paradl_range compare_range(const struct paradl_compare_cell *cell, enum paradl_amount amount);

/*
 * Returns the rank of cell `which`: "1", "1=" if several machines share it, "-" if it has none. `cells` are those of
 * one model and one number of devices, a cell for each machine.
 */
const char *compare_rank_text(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which, enum paradl_amount amount);
/* Sorts cells by an amount: `order` receives their indices, the least first; cells that do not run come last. */
void compare_sort(const struct report_compare *report, const struct paradl_compare_cell *cells,
	enum paradl_amount amount, size_t *order);
/* Returns how the machines whose costs compare are paid for, "rent"; "" if none has a price. */
const char *compare_basis(const struct report_compare *report);
/* Returns whether some machines are rented and others bought. */
bool compare_is_mixed(const struct report_compare *report);
/* Returns whether any cell pays for more devices than it uses. */
bool compare_pays_more(const struct report_compare *report);
/* Returns the work: "100 B tokens"; for inference "12 requests/s, prompts of 1,024 tokens, answers of 128". */
const char *compare_job_text(struct report_sink *sink, const struct report_compare *report, size_t model);
/* Returns the latency targets, the deadline and the budget: ", in 30.0 d, for 1,000 EUR"; "" if there are none. */
const char *compare_constraint_text(struct report_sink *sink, const struct report_compare *report);
const char *compare_machine(struct report_sink *sink, const struct report_compare *report, size_t machine);
/* Returns the index of the cell with the least amount; negative if none is known. */
int compare_least(const struct paradl_compare_cell *cells, size_t count, enum paradl_amount amount);
/* Returns the unit of work that costs and energies are given for: "job", "million tokens" or "million samples". */
const char *compare_unit(const struct report_compare *report, size_t model);
/* Returns the throughput of one GPU, "133 tokens/s", from `work_s`, the GPU seconds of a token (or sample). */
const char *compare_speed(
	struct report_sink *sink, const struct report_compare *report, size_t model, double work_s);

/* The words for the machine with the least of an amount, in the order of enum paradl_amount. */
struct compare_saying {
	const char *label, *takes, *much;
};
extern const struct compare_saying compare_sayings[PARADL_AMOUNT_COUNT];
/*
 * Returns the best machine for an amount and the next ones, "A; equal within what is known: B; C takes 2.31 times as
 * long"; NULL if nothing is known or worth a line.
 */
const char *compare_first(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, enum paradl_amount amount);
/*
 * Returns the uncertainty of the time from each group of numbers alone, "framework +-12 %, compute measured +-3.5 %",
 * and of the cost from power and prices; "" if there is none.
 */
const char *compare_uncertainties(struct report_sink *sink, const struct paradl_compare_cell *cell);

/* Formats and pictures share these functions for estimates in which something is changed. */

/* A row of a tornado: the change of a result for less and for more of one input, with all others as they are. */
struct report_tornado_row {
	const char *label; /* name of the input: "memory bandwidth" */
	double low_share,
		high_share; /* shares by which less and more of the input change the result, -0.11; infinite: none */
	const char *low_note, *high_note; /* why there is no result, or that it does not fit; NULL: neither */
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

/* Returns the name of an input, with its factors if they differ from 1 - vary and 1 + vary, as for whole numbers. */
const char *whatif_input(struct report_sink *sink, const struct paradl_whatif_row *row, double vary);
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
/* Returns how many rows are shown: those after them change nothing that can be seen in print. */
size_t whatif_shown(const struct paradl_tornado *tornado);
/* Fills the picture with the rows that are shown; returns false if out of memory. */
bool whatif_tornado(
	struct report_sink *sink, const struct report_whatif *report, struct report_tornado *picture);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validation against published results: hundreds of rows, so sets are shown, and rows only as CSV or JSON. */
#include <string.h>

#include "report/text.h"

/* "12 rows: why", each reason where it first occurs. */
static void print_reasons(struct report_sink *sink, const struct paradl_validation *validation)
{
	enum { INDENT = 3 };
	const struct paradl_measured_row *const rows = validation->rows;
	for (size_t i = 0; i < validation->count; i++) {
		size_t before = 0, alike = 0;
		if (!rows[i].skipped)
			continue;
		for (size_t j = 0; j < validation->count; j++)
			if (rows[j].skipped && strcmp(rows[i].skipped, rows[j].skipped) == 0) {
				++alike;
				before += j < i;
			}
		if (before)
			continue;
		putc(' ', sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "%zu row%s skipped, the first in line %d: %s", alike,
				alike == 1 ? "" : "s", rows[i].line, rows[i].skipped));
	}
}

void text_published(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	struct columns columns;
	if (!sink->style.brief)
		print_reasons(sink, validation);
	columns_start(&columns, sink, NULL, &record_set_score,
		"set,rows,skipped,mape,median,max,bias,memory_mape,kendall_tau,regret_mean,regret_max");
	columns_list(&columns, &record_summary, "by_set", validation);
	columns_row(&columns, &validation->summary)[0] = "all";
	columns_print(&columns);
	if (validation->left_out)
		fprintf(sink->file, "\n %s\n",
			typeset(sink, "%zu rows are not complete enough to score (--all-rows)",
				validation->left_out));
}

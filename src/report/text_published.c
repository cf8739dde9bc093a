/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_published() prints a validation against published results. It shows sets, because there are hundreds of rows;
 * CSV and JSON have the rows.
 */
#include <string.h>

#include "report/text.h"

/* Prints each reason to skip rows once, where it first occurs, "12 rows skipped, the first in line 7: why". */
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

/* Prints the errors of rows for whose plans the source does not print all options, and of the others. */
static void print_incomplete(struct report_sink *sink, const struct paradl_score *summary)
{
	const char *const others = summary->complete_mape >= 0
					   ? typeset(sink, ", the others %.1f %%", summary->complete_mape)
					   : "";
	if (!(summary->incomplete_mape >= 0))
		return;
	fputs("\n ", sink->file);
	typeset_wrapped(sink, 3,
		typeset(sink,
			"%zu row%s with options that the source does not print, for which likely values were "
			"taken: error %.1f %%%s",
			summary->incomplete, summary->incomplete == 1 ? "" : "s", summary->incomplete_mape,
			others));
}

static void print_unread(struct report_sink *sink, const struct paradl_validation *validation)
{
	if (sink->style.brief || !validation->word_count)
		return;
	fputs("\n words that were not understood\n", sink->file);
	for (size_t i = 0; i < validation->word_count; i++) {
		const struct paradl_word *const word = &validation->words[i];
		putc(' ', sink->file);
		typeset_wrapped(sink, 3,
			typeset(sink, "%s \"%s\", %zu row%s: %s", word->column, word->text, word->rows,
				word->rows == 1 ? "" : "s", word->problem));
	}
}

void text_published(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	struct columns columns;
	if (!sink->style.brief)
		print_reasons(sink, validation);
	columns_start(&columns, sink, NULL, &record_set_score,
		validation->summary.skipped ? "set,rows,skipped,projected_mape,mape,median,max,bias,inside,"
					      "memory_mape,kendall_tau,regret_mean,regret_max"
					    : "set,rows,projected_mape,median,max,bias,inside,memory_mape,"
					      "kendall_tau,regret_mean,regret_max");
	columns_list(&columns, &record_summary, "by_set", validation);
	columns_row(&columns, &validation->summary)[0] = "all";
	columns_print(&columns);
	print_incomplete(sink, &validation->summary);
	print_unread(sink, validation);
	if (validation->left_out)
		fprintf(sink->file, "\n %s\n",
			typeset(sink, "%zu rows are not complete enough to score (--all-rows)",
				validation->left_out));
}

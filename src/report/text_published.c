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

static const char *percent(struct report_sink *sink, double value)
{
	return value < 0 ? "-" : typeset(sink, "%.1f %%", value);
}

static void add_set(struct table *table, const char *name, const struct paradl_score *set)
{
	struct report_sink *const sink = table->sink;
	const char **const cells = table_row(table);
	const bool ranked = set->kendall_tau > -2, projected = set->worst > 0;
	cells[0] = typeset(sink, "%s", name);
	cells[1] = typeset(sink, "%zu", set->rows);
	cells[2] = set->skipped ? typeset(sink, "%zu", set->skipped) : "-";
	cells[3] = set->mape > 0 ? percent(sink, set->mape) : "-";
	cells[4] = projected ? percent(sink, set->median) : "-";
	cells[5] = projected ? percent(sink, set->worst) : "-";
	cells[6] = projected ? typeset(sink, "%+.1f %%", set->bias) : "-";
	cells[7] = percent(sink, set->memory_mape);
	cells[8] = ranked ? typeset(sink, "%.2f", set->kendall_tau) : "-";
	cells[9] = ranked ? percent(sink, set->regret_mean) : "-";
	cells[10] = ranked ? percent(sink, set->regret_max) : "-";
}

void text_published(struct report_sink *sink, const struct report_validation *report)
{
	static const struct table_column columns[] = {
		{"set", TABLE_LEFT, 0, 0},
		{"rows", TABLE_RIGHT, 0, 0},
		{"skip", TABLE_RIGHT, 1, 0},
		{"error", TABLE_RIGHT, 0, 0},
		{"median", TABLE_RIGHT, 4, 0},
		{"worst", TABLE_RIGHT, 3, 0},
		{"bias", TABLE_RIGHT, 0, 0},
		{"memory", TABLE_RIGHT, 0, 0},
		{"tau", TABLE_RIGHT, 0, 0},
		{"regret", TABLE_RIGHT, 0, 0},
		{"most", TABLE_RIGHT, 2, 0},
	};
	const struct paradl_validation *const validation = report->validation;
	struct table table;
	if (!sink->style.brief)
		print_reasons(sink, validation);
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < validation->set_count; i++)
		add_set(&table, validation->by_set[i].name, &validation->by_set[i]);
	add_set(&table, "all", &validation->summary);
	table_print(&table);
	if (validation->left_out)
		fprintf(sink->file, "\n %s\n",
			typeset(sink, "%zu rows are not complete enough to score (--all-rows)",
				validation->left_out));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitted constants and the errors of each set, for people. */
#include <string.h>

#include "report/table.h"
#include "report/text.h"

static const char *value_text(struct report_sink *sink, double value, const char *unit)
{
	if (value < 0)
		return "-";
	if (strcmp(unit, "s") == 0 && value > 0)
		return typeset_quantity(sink, value, DIMENSION_TIME);
	if (strcmp(unit, "B/s") == 0)
		return typeset_quantity(sink, value, DIMENSION_BYTES_PER_S);
	return typeset(sink, "%.3g%s%s", value, *unit ? " " : "", unit);
}

static const char *remark(const struct paradl_fit_constant *constant)
{
	if (constant->rows == 0)
		return "no rows";
	if (constant->bound)
		return constant->bound < 0 ? "at its lower bound" : "at its upper bound";
	return constant->identified ? "" : "not identified";
}

static void print_constants(struct report_sink *sink, const struct paradl_fit *fit)
{
	static const struct table_column columns[] = {
		{"profile", TABLE_LEFT, 0, 12},
		{"constant", TABLE_LEFT, 0, 0},
		{"value", TABLE_RIGHT, 0, 0},
		{"± error", TABLE_RIGHT, 2, 0},
		{"prior", TABLE_RIGHT, 1, 0},
		{"from", TABLE_RIGHT, 3, 0},
		{"to", TABLE_RIGHT, 3, 0},
		{"rows", TABLE_RIGHT, 4, 0},
		{"", TABLE_LEFT, 0, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < fit->constant_count; i++) {
		const struct paradl_fit_constant *const constant = &fit->constants[i];
		const struct paradl_fit_place *const place = &constant->places[0];
		const char *const slash = strchr(place->file, '/');
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s", slash ? slash + 1 : place->file);
		cells[1] = typeset(sink, "%s", place->name);
		cells[2] = value_text(sink, constant->value, constant->unit);
		cells[3] = value_text(sink, constant->standard_error, constant->unit);
		cells[4] = value_text(sink, constant->prior, constant->unit);
		cells[5] = value_text(sink, constant->low, constant->unit);
		cells[6] = value_text(sink, constant->high, constant->unit);
		cells[7] = typeset(sink, "%zu", constant->rows);
		cells[8] = remark(constant);
	}
	table_print(&table);
}

static void print_sets(struct report_sink *sink, const struct paradl_fit *fit)
{
	static const struct table_column columns[] = {
		{"set", TABLE_LEFT, 0, 0},
		{"rows", TABLE_RIGHT, 0, 0},
		{"error before", TABLE_RIGHT, 0, 0},
		{"after", TABLE_RIGHT, 0, 0},
		{"bias", TABLE_RIGHT, 0, 0},
		{"left out", TABLE_RIGHT, 0, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < fit->set_count; i++) {
		const struct paradl_fit_set *const set = &fit->sets[i];
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s", set->name);
		cells[1] = typeset(sink, "%zu", set->rows);
		cells[2] = typeset(sink, "%.1f %%", set->before);
		cells[3] = typeset(sink, "%.1f %%", set->after);
		cells[4] = typeset(sink, "%+.1f %%", set->bias);
		cells[5] = set->left_out < 0 ? "-" : typeset(sink, "%.1f %%", set->left_out);
	}
	table_print(&table);
}

void text_fit(struct report_sink *sink, const struct report_fit *report)
{
	const struct paradl_fit *const fit = report->fit;
	print_constants(sink, fit);
	putc('\n', sink->file);
	print_sets(sink, fit);
	if (sink->style.brief)
		return;
	fprintf(sink->file, "\n %s\n",
		typeset(sink, "%zu rows%s, objective %.4g (%.4g at the priors)", fit->rows,
			fit->skipped ? typeset(sink, ", %zu more cannot be projected", fit->skipped) : "",
			fit->objective, fit->objective_before));
	if (report->into)
		fprintf(sink->file, " %s\n",
			typeset(sink, "constants are in the profiles of %s", report->into));
}

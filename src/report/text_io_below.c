/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_io_below() prints what stands below the table of input modes: room, fixes, amounts needed, resources, terms,
 * then modes that are impossible, and the risk for accuracy.
 */
#include <math.h>

#include "report/table.h"
#include "report/text.h"

/* ---- modes that are impossible, and the risk of those that do not shuffle all samples ---- */

static void print_impossible(struct report_sink *sink, const struct paradl_input_table *table)
{
	for (size_t k = 0; k < table->count; ++k)
		for (size_t i = 0; i < table->cases[k].row_count; ++i) {
			const struct paradl_input_row *const row = &table->cases[k].rows[i];
			const char *const way = text_io_way(sink, &row->way);
			if (row->input.possible)
				continue;
			typeset_labelled(sink, "impossible",
				table->count == 1
					? typeset(sink, "%s: %s", way, row->input.reason)
					: typeset(sink, "%s on %s GPUs: %s", way,
						  typeset_whole(sink, table->cases[k].estimate.devices),
						  row->input.reason));
		}
}

/* Returns the input mode with the highest risk for accuracy (most risk_points); NULL if no mode has a risk. */
static const struct paradl_input_row *riskiest(const struct paradl_input_table *table)
{
	const struct paradl_input_row *worst = NULL;
	for (size_t k = 0; k < table->count; ++k)
		for (size_t i = 0; i < table->cases[k].row_count; ++i) {
			const struct paradl_input_row *const row = &table->cases[k].rows[i];
			if (row->input.possible && row->input.risk != PARADL_RISK_NONE &&
				(!worst || row->input.risk_points > worst->input.risk_points))
				worst = row;
		}
	return worst;
}

static void print_risk(struct report_sink *sink, const struct paradl_input_table *table)
{
	const struct paradl_input_row *const row = riskiest(table);
	if (!row)
		return;
	const char *const has =
		typeset(sink, "%s for accuracy with %s: a worker keeps %s samples, %s of each of %s classes",
			paradl_risk_name(row->input.risk), text_io_way(sink, &row->way),
			typeset_whole(sink, row->samples_per_reader),
			text_io_times(sink, row->samples_per_class), typeset_whole(sink, table->classes));
	if (row->input.risk == PARADL_RISK_LOW) {
		typeset_labelled(sink, "risk", has);
		return;
	}
	typeset_labelled(sink, "risk",
		typeset(sink,
			"%s. Seen (IPDPS'22, ResNet-50 on ImageNet-1K): with 0.63 of each class local "
			"shuffling "
			"lost 10 points of top-1, partial:0.1 lost 4, partial:0.3 under 1; from 1.25 on, "
			"next to "
			"nothing. One study: a warning, not a prediction",
			has));
}

/* ---- room ---- */

static const char *pays(struct report_sink *sink, const struct paradl_input_row *row)
{
	if (row->break_even_epochs < 0)
		return "never";
	if (!(row->break_even_epochs > 0))
		return "-";
	return typeset(sink, "%s epochs", text_io_times(sink, row->break_even_epochs));
}

static void print_room(struct report_sink *sink, const struct report_io *report)
{
	enum { FROM, PAYS = 5 };
	const struct paradl_input_case *const at = &report->table->cases[0];
	struct columns columns;
	columns_start(&columns, sink, report, &record_io_way,
		"from,own_bytes,stored_bytes_per_node,room_bytes,staging_s,pays,first_epoch_s,start,"
		"validation");
	for (size_t i = 0; i < at->row_count; ++i) {
		if (!at->rows[i].input.possible)
			continue;
		const char **const cells = columns_row(&columns, &at->rows[i]);
		cells[FROM] = text_io_way(sink, &at->rows[i].way);
		cells[PAYS] = pays(sink, &at->rows[i]);
	}
	putc('\n', sink->file);
	columns_print(&columns);
}

/* ---- fixes ---- */

static void print_fixes(struct report_sink *sink, const struct paradl_input_case *at)
{
	if (at->fix_count == 0)
		return;
	putc('\n', sink->file);
	columns_show(sink, NULL, &record_io_case, "fixes", at,
		"text,option,step_s,saved_share,utilisation,binding");
}

/* ---- amounts needed ---- */

static const char *amount(struct report_sink *sink, double value, int dimension)
{
	if (dimension == 1)
		return typeset_quantity(sink, value, DIMENSION_BYTES);
	return dimension == 2 ? typeset(sink, "%.3g", value) : typeset_whole(sink, value);
}

static const char *needed(struct report_sink *sink, const struct paradl_input_need *need)
{
	if (need->needs < 0)
		return "no amount";
	return need->needs < HUGE_VAL ? amount(sink, need->needs, need->dimension) : "any";
}

static void print_needs(struct report_sink *sink, const struct paradl_input_case *at)
{
	enum { NEEDS = 1, HAS };
	struct columns columns;
	if (at->need_count == 0)
		return;
	columns_start(&columns, sink, NULL, &record_io_need, "text,needs,has");
	for (size_t i = 0; i < at->need_count; ++i) {
		const struct paradl_input_need *const need = &at->needs[i];
		const char **const cells = columns_row(&columns, need);
		cells[NEEDS] = needed(sink, need);
		if (need->has >= 0)
			cells[HAS] = amount(sink, need->has, need->dimension);
	}
	putc('\n', sink->file);
	columns_print(&columns);
}

/* ---- resources ---- */

static void print_resources(struct report_sink *sink, const struct paradl_input *input)
{
	static const struct table_column columns[] = {
		{"resource", TABLE_LEFT, 0, 16},
		{"per step", TABLE_RIGHT, 0, 0},
		{"samples", TABLE_RIGHT, 0, 0},
		{"bytes", TABLE_RIGHT, 1, 0},
		{"of what is needed", TABLE_RIGHT, 0, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
		table_column(&table, &columns[i]);
	for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; ++r) {
		const double seconds = input->resource_s[r];
		if (!(seconds > 0))
			continue;
		const double times = input->busy_s / seconds;
		const char **const cells = table_row(&table);
		cells[0] = paradl_resource_text((enum paradl_resource)r);
		cells[1] = typeset_quantity(sink, seconds, DIMENSION_TIME);
		cells[2] = typeset(sink, "%s/s", typeset_count(sink, times * input->samples_per_s));
		cells[3] = typeset_quantity(sink, times * input->bytes_per_s, DIMENSION_BYTES_PER_S);
		cells[4] = typeset(sink, "%s×", text_io_times(sink, times));
	}
	putc('\n', sink->file);
	table_print(&table);
}

static void print_terms(struct report_sink *sink, const struct paradl_explanation *explanation)
{
	enum { INDENT = 5 };
	putc('\n', sink->file);
	for (size_t i = 0; i < explanation->count; ++i) {
		const struct paradl_term *const term = &explanation->terms[i];
		fputs("   ", sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "%s = %s = %s", term->formula, term->numbers,
				typeset_quantity(sink, term->seconds, DIMENSION_TIME)));
	}
}

void text_io_below(struct report_sink *sink, const struct report_io *report)
{
	const struct paradl_input_table *const table = report->table;
	const struct paradl_input_case *const last = &table->cases[table->count - 1];
	const bool possible = last->rows[0].input.possible;
	if (sink->style.brief)
		return;
	if (table->count == 1) {
		if (possible && table->samples > 0)
			print_room(sink, report);
		print_fixes(sink, last);
		print_needs(sink, last);
		if (report->shows_resources && possible)
			print_resources(sink, &last->rows[0].input);
		if (report->shows_terms)
			print_terms(sink, last->explanation);
	}
	putc('\n', sink->file);
	print_impossible(sink, table);
	print_risk(sink, table);
	text_assumptions(sink, report->head);
}

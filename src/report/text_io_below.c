/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands below the table of ways: what cannot be, risk, fixes, what it takes, resources, terms. */
#include <math.h>

#include "report/column.h"
#include "report/text.h"

/* ---- ways that cannot be, and the risk of those that do not shuffle all ---- */

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

/* The row whose workers have the fewest samples of those that are at risk. */
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

static const char *bytes(struct report_sink *sink, double value)
{
	return value > 0 ? typeset_quantity(sink, value, DIMENSION_BYTES) : "-";
}

static const char *pays(struct report_sink *sink, const struct paradl_input_row *row)
{
	if (row->break_even_epochs < 0)
		return "never";
	if (!(row->break_even_epochs > 0))
		return "-";
	return typeset(sink, "%s epochs", text_io_times(sink, row->break_even_epochs));
}

static void print_room(struct report_sink *sink, const struct paradl_input_table *all)
{
	static const struct table_column columns[] = {
		{"samples from", TABLE_LEFT, 0, 0},
		{"per worker", TABLE_RIGHT, 3, 0},
		{"per node", TABLE_RIGHT, 0, 0},
		{"of", TABLE_RIGHT, 2, 0},
		{"staging", TABLE_RIGHT, 0, 0},
		{"pays after", TABLE_RIGHT, 0, 0},
		{"first epoch", TABLE_RIGHT, 0, 0},
	};
	const struct paradl_input_case *const at = &all->cases[0];
	const double total_bytes = all->samples * all->sample_bytes;
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < at->row_count; ++i) {
		const struct paradl_input_row *const row = &at->rows[i];
		const struct paradl_input *const input = &row->input;
		if (!input->possible)
			continue;
		const char **const cells = table_row(&table);
		cells[0] = text_io_way(sink, &row->way);
		cells[1] = bytes(sink, input->share_per_reader * total_bytes);
		cells[2] = bytes(sink, input->stored_bytes_per_node);
		cells[3] = input->stored_bytes_per_node > 0 ? bytes(sink, input->capacity_bytes) : "-";
		cells[4] =
			input->staging_s > 0 ? typeset_quantity(sink, input->staging_s, DIMENSION_TIME) : "-";
		cells[5] = pays(sink, row);
		cells[6] = typeset_quantity(sink, input->first_epoch_s, DIMENSION_TIME);
	}
	putc('\n', sink->file);
	table_print(&table);
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

/* ---- what it takes ---- */

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
	static const struct table_column columns[] = {
		{"what it takes", TABLE_LEFT, 0, 32},
		{"needed", TABLE_RIGHT, 0, 0},
		{"there", TABLE_RIGHT, 1, 0},
	};
	struct table table;
	if (at->need_count == 0)
		return;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < at->need_count; ++i) {
		const struct paradl_input_need *const need = &at->needs[i];
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s", need->text);
		cells[1] = needed(sink, need);
		cells[2] = need->has < 0 ? "-" : amount(sink, need->has, need->dimension);
	}
	putc('\n', sink->file);
	table_print(&table);
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
			print_room(sink, table);
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

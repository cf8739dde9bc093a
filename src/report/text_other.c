/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validations and listings. */
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "report/text.h"

static const char *percent_or_dash(struct report_sink *sink, double share)
{
	return share < 0 ? "-" : typeset_percent(sink, share);
}

static double devices_of(const char *strategy)
{
	struct paradl_plan plan;
	struct paradl_error error;
	return strategy && paradl_plan_parse(strategy, &plan, &error) ? paradl_plan_devices(&plan) : -1;
}

enum {
	ROW_MODEL,
	ROW_STRATEGY,
	ROW_GPUS,
	ROW_MEASURED,
	ROW_PROJECTED,
	ROW_ERROR,
	ROW_COMPUTE,
	ROW_EXCHANGE,
	ROW_SET
};

static void add_measured(struct table *table, const struct paradl_measured_row *row)
{
	struct report_sink *const sink = table->sink;
	const char **const cells = table_row(table);
	const double devices = devices_of(row->strategy);
	const double measured = row->measured.total_s, projected = row->projected.total_s;
	cells[ROW_MODEL] = typeset(sink, "%s", row->model);
	cells[ROW_STRATEGY] = typeset(sink, "%s", row->strategy);
	cells[ROW_GPUS] = devices > 0 ? typeset_whole(sink, devices) : "-";
	cells[ROW_MEASURED] = typeset_quantity(sink, measured, DIMENSION_TIME);
	cells[ROW_PROJECTED] = typeset_quantity(sink, projected, DIMENSION_TIME);
	cells[ROW_ERROR] = measured > 0 && projected >= 0
				   ? typeset(sink, "%+.1f %%", 100 * (projected / measured - 1))
				   : "-";
	cells[ROW_COMPUTE] = percent_or_dash(sink, row->accuracy.compute);
	cells[ROW_EXCHANGE] = percent_or_dash(sink, row->accuracy.communication);
	cells[ROW_SET] = row->set ? typeset(sink, "%s", row->set) : "";
}

static void print_rows(struct report_sink *sink, const struct paradl_validation *validation)
{
	static const struct table_column columns[] = {
		{"model", TABLE_LEFT, 2, 0},
		{"strategy", TABLE_LEFT, 0, 0},
		{"GPUs", TABLE_RIGHT, 1, 0},
		{"measured", TABLE_RIGHT, 0, 0},
		{"projected", TABLE_RIGHT, 0, 0},
		{"error", TABLE_RIGHT, 0, 0},
		{"compute", TABLE_RIGHT, 3, 0},
		{"communication", TABLE_RIGHT, 3, 0},
		{"set", TABLE_LEFT, 4, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < validation->count; i++)
		if (!validation->rows[i].skipped)
			add_measured(&table, &validation->rows[i]);
	table_print(&table);
}

static void print_skipped(struct report_sink *sink, const struct paradl_validation *validation)
{
	enum { INDENT = 3 };
	bool titled = false;
	for (size_t i = 0; i < validation->count; i++) {
		const struct paradl_measured_row *const row = &validation->rows[i];
		if (!row->skipped)
			continue;
		if (!titled)
			fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_DIM, "skipped"));
		titled = true;
		putc(' ', sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "line %d, %s %s: %s", row->line, row->model ? row->model : "",
				row->strategy ? row->strategy : "", row->skipped));
	}
}

static void add_score(struct table *table, const char *name, const struct paradl_score *score)
{
	struct report_sink *const sink = table->sink;
	const char **const cells = table_row(table);
	cells[0] = name;
	cells[1] = typeset(sink, "%zu", score->rows);
	cells[2] = percent_or_dash(sink, score->mean.compute);
	cells[3] = percent_or_dash(sink, score->mean.communication);
	cells[4] = percent_or_dash(sink, score->mean.total);
}

static void print_strategies(struct report_sink *sink, const struct paradl_validation *validation)
{
	static const struct table_column columns[] = {
		{"mean accuracy", TABLE_LEFT, 0, 0},
		{"rows", TABLE_RIGHT, 1, 0},
		{"compute", TABLE_RIGHT, 2, 0},
		{"communication", TABLE_RIGHT, 2, 0},
		{"total", TABLE_RIGHT, 0, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < validation->strategy_count; i++)
		add_score(&table, typeset(sink, "%s", validation->by_strategy[i].name),
			&validation->by_strategy[i]);
	add_score(&table, "all", &validation->summary);
	putc('\n', sink->file);
	table_print(&table);
}

static void add_set(struct table *table, const struct paradl_score *set)
{
	struct report_sink *const sink = table->sink;
	const char **const cells = table_row(table);
	cells[0] = typeset(sink, "%s", *set->name ? set->name : "-");
	cells[1] = typeset(sink, "%zu", set->rows);
	cells[2] = typeset(sink, "%.1f %%", set->mape);
	cells[3] = set->skipped < set->rows ? typeset(sink, "%+.1f %%", set->bias) : "-";
	cells[4] = set->memory_mape < 0 ? "-" : typeset(sink, "%.1f %%", set->memory_mape);
	cells[5] = set->kendall_tau > -2 ? typeset(sink, "%.2f", set->kendall_tau) : "-";
	cells[6] = set->kendall_tau > -2
			   ? typeset(sink, "%.1f %%, at most %.1f %%", set->regret_mean, set->regret_max)
			   : "-";
}

static void print_sets(struct report_sink *sink, const struct paradl_validation *validation)
{
	static const struct table_column columns[] = {
		{"set", TABLE_LEFT, 0, 0},
		{"rows", TABLE_RIGHT, 3, 0},
		{"error", TABLE_RIGHT, 0, 0},
		{"bias", TABLE_RIGHT, 1, 0},
		{"memory error", TABLE_RIGHT, 4, 0},
		{"rank order", TABLE_RIGHT, 2, 0},
		{"loss of its choice", TABLE_LEFT, 2, 0},
	};
	struct table table;
	if (validation->set_count == 0)
		return;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < validation->set_count; i++)
		add_set(&table, &validation->by_set[i]);
	putc('\n', sink->file);
	table_print(&table);
}

static void print_summary(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	const double total = validation->summary.mean.total;
	const double right = validation->rank_pairs_right * (double)validation->rank_pairs;
	const char *const skipped = validation->summary.skipped > 0
					    ? typeset(sink, ", %zu skipped", validation->summary.skipped)
					    : "";
	const char *const order = validation->rank_pairs == 0 || validation->published
					  ? ""
					  : typeset(sink, ", rank order right in %.0f of %zu pairs", right,
						    validation->rank_pairs);
	fprintf(sink->file, "\n %s\n",
		typeset(sink, "mean accuracy %s (%zu row%s%s)%s; tolerance %s: %s",
			total < 0 ? "unknown" : typeset(sink, "%.1f %%", 100 * total),
			validation->summary.rows, validation->summary.rows == 1 ? "" : "s", skipped, order,
			typeset_percent(sink, report->tolerance),
			total >= 1 - report->tolerance ? "met" : "missed"));
}

/* How far launches are apart, without which an error says little. */
static void print_runs(struct report_sink *sink, const struct report_validation *report)
{
	static const struct table_column columns[] = {
		{"launches of", TABLE_LEFT, 0, 0},
		{"number", TABLE_RIGHT, 1, 0},
		{"median", TABLE_RIGHT, 0, 0},
		{"least", TABLE_RIGHT, 2, 0},
		{"most", TABLE_RIGHT, 2, 0},
		{"spread", TABLE_RIGHT, 0, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < report->runs->count; i++) {
		const struct report_run *const run = &report->runs->items[i];
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s", run->plan);
		cells[1] = typeset(sink, "%u", run->launches);
		cells[2] = typeset_quantity(sink, run->median_s, DIMENSION_TIME);
		cells[3] = typeset_quantity(sink, run->least_s, DIMENSION_TIME);
		cells[4] = typeset_quantity(sink, run->most_s, DIMENSION_TIME);
		cells[5] = typeset_percent(sink, (run->most_s - run->least_s) / run->median_s);
	}
	putc('\n', sink->file);
	table_print(&table);
	fprintf(sink->file, "\n %s\n",
		typeset(sink, "median error of the totals %.1f %%", report->validation->summary.median));
}

void text_validation(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	if (validation->published)
		text_published(sink, report);
	else if (validation->summary.skipped < validation->count)
		print_rows(sink, validation);
	if (!sink->style.brief && !validation->published) {
		print_skipped(sink, validation);
		print_strategies(sink, validation);
		print_sets(sink, validation);
	}
	if (report->runs && !sink->style.brief)
		print_runs(sink, report);
	print_summary(sink, report);
}

static const char *cell_text(
	struct report_sink *sink, const struct result_field *field, const struct field_value *value)
{
	if (field_is_text(field))
		return value->text ? typeset(sink, "%s", value->text) : "";
	if (!(value->number > 0))
		return "-";
	if (field->kind == FIELD_NUMBER)
		return typeset_quantity(sink, value->number, DIMENSION_FLOP);
	if (field->kind == FIELD_MONEY)
		return typeset(sink, "%.2f", value->number);
	if (field->kind == FIELD_COUNT && !(value->number < 9999.5))
		return typeset_count(sink, value->number);
	return column_text(sink, field, value, NULL);
}

static const char **add_listed(struct table *table, const struct report_listing *listing, size_t row)
{
	const struct result_record *const record = listing_record(listing);
	const char **const cells = table_row(table);
	for (size_t i = 0; i < record->count; i++) {
		const struct field_value value = listing_value(listing, &record->fields[i], row);
		cells[i] = cell_text(table->sink, &record->fields[i], &value);
	}
	return cells;
}

static const char *name_of(const struct report_listing *listing, size_t row)
{
	return listing_value(listing, &listing_record(listing)->fields[0], row).text;
}

/* Where the number of a repetition stands in a layer's name, "block/12/attn"; 0: nowhere. */
static size_t repetition_at(const char *name, unsigned *number)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		const size_t digits = strspn(slash + 1, "0123456789");
		if (digits && digits < 9 && slash[1 + digits] == '/') {
			*number = (unsigned)strtoul(slash + 1, NULL, 10);
			return (size_t)(slash - name) + 1;
		}
	}
	return 0;
}

/* Two rows but for the number of the repetition in their names. */
static bool rows_alike(const struct report_listing *listing, size_t a, size_t b)
{
	const struct result_record *const record = listing_record(listing);
	const char *const x = name_of(listing, a), *const y = name_of(listing, b);
	unsigned number;
	const size_t at = repetition_at(x, &number), other = repetition_at(y, &number);
	if (at == 0 || at != other || strncmp(x, y, at) != 0 ||
		strcmp(strchr(x + at, '/'), strchr(y + at, '/')) != 0)
		return false;
	for (size_t j = 1; j < record->count; j++) {
		const struct field_value u = listing_value(listing, &record->fields[j], a),
					 v = listing_value(listing, &record->fields[j], b);
		if (u.text && v.text ? strcmp(u.text, v.text) != 0
				     : u.text != v.text || u.number < v.number || u.number > v.number)
			return false;
	}
	return true;
}

/*
 * counts[i]: how often row i stands for itself and the same layer of later repetitions of its block; 0: it is one of
 * these. False if nothing repeats.
 */
static bool count_repetitions(const struct report_listing *listing, size_t *shown_by, size_t *counts)
{
	size_t before = 0, first = 0;
	unsigned last = 0;
	bool any = false;
	for (size_t i = 0; i < listing->row_count; i++) {
		const char *const name = name_of(listing, i);
		unsigned number = 0;
		const size_t at = repetition_at(name, &number);
		const bool begins = i == 0 || at == 0 || number != last ||
				    strncmp(name, name_of(listing, i - 1), at) != 0;
		if (begins) {
			before = first;
			first = i;
		}
		last = number;
		const size_t same = before + (i - first);
		const bool repeats = same < first && rows_alike(listing, same, i);
		shown_by[i] = repeats ? shown_by[same] : i;
		counts[i] = 0;
		counts[shown_by[i]]++;
		any = any || repeats;
	}
	return any;
}

/* The repetitions of a block are one row for each layer of it. */
static bool list_repetitions(
	struct report_sink *sink, const struct report_listing *listing, struct table *table)
{
	static const struct table_column count_column = {"count", TABLE_RIGHT, 0, 0};
	size_t *const shown_by = arena_alloc(sink->arena, listing->row_count + 1, sizeof *shown_by);
	size_t *const counts = arena_alloc(sink->arena, listing->row_count + 1, sizeof *counts);
	if (!listing->model || !shown_by || !counts || !count_repetitions(listing, shown_by, counts))
		return false;
	table_column(table, &count_column);
	for (size_t i = 0; i < listing->row_count; i++) {
		if (!counts[i])
			continue;
		const char **const cells = add_listed(table, listing, i);
		cells[listing_record(listing)->count] = typeset(sink, "%zu", counts[i]);
	}
	return true;
}

void text_listing(struct report_sink *sink, const struct report_listing *listing)
{
	const struct result_record *const record = listing_record(listing);
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < record->count; i++) {
		const struct table_column look = column_look(&record->fields[i]);
		table_column(&table, &look);
	}
	const bool folded = list_repetitions(sink, listing, &table);
	for (size_t i = 0; !folded && i < listing->row_count; i++)
		add_listed(&table, listing, i);
	if (listing->model && !sink->style.brief)
		fprintf(sink->file, "%s\n\n",
			typeset(sink, "%s: %s parameters, %s/sample, %zu layers", listing->model->name,
				typeset_count(sink, listing->model->parameters),
				typeset_quantity(
					sink, listing->model->forward_flop_per_sample, DIMENSION_FLOP),
				listing->model->layer_count));
	table_print(&table);
}

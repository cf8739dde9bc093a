/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_validation() prints validations, text_listing() listings of models, machines and others. text_published() prints
 * a validation against published results. It shows sets, because there are hundreds of rows; CSV and JSON have the
 * rows.
 */
#include <stdlib.h>
#include <string.h>

#include "report/table.h"
#include "report/text.h"

/* Returns whether there are rows of serving, whose first tokens were measured. */
static bool has_first(const struct paradl_validation *validation)
{
	return validation->summary.first_mape >= 0;
}

/* Returns whether rows are of several machines. */
static bool has_machines(const struct paradl_validation *validation)
{
	const char *first = NULL;
	for (size_t i = 0; i < validation->count; i++) {
		const struct paradl_measured_row *const row = &validation->rows[i];
		const char *const machine = row->skipped ? NULL : row->hw;
		if (first && machine && strcmp(first, machine) != 0)
			return true;
		first = first ? first : machine;
	}
	return false;
}

static void print_rows(struct report_sink *sink, const struct paradl_validation *validation)
{
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_validated,
		typeset(sink, "model,%sstrategy,gpus,measured_total_s,projected_total_s,error,%s,set",
			has_machines(validation) ? "hw," : "",
			has_first(validation) ? "measured_first_s,projected_first_s,first_error"
					      : "compute_accuracy,communication_accuracy"));
	for (size_t i = 0; i < validation->count; i++)
		if (!validation->rows[i].skipped)
			columns_row(&columns, &validation->rows[i]);
	columns_print(&columns);
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

static void print_strategies(struct report_sink *sink, const struct paradl_validation *validation)
{
	struct columns columns;
	columns_start(
		&columns, sink, NULL, &record_strategy_score, "strategy,rows,compute,communication,total");
	columns_list(&columns, &record_summary, "by_strategy", validation);
	columns_row(&columns, &validation->summary)[0] = "all";
	putc('\n', sink->file);
	columns_print(&columns);
}

static void print_sets(struct report_sink *sink, const struct paradl_validation *validation)
{
	if (validation->set_count == 0)
		return;
	putc('\n', sink->file);
	columns_show(sink, NULL, &record_summary, "by_set", validation,
		validation->summary.skipped ? "set,rows,skipped,projected_mape,mape,bias,inside,memory_mape,"
					      "kendall_tau,regret_mean,regret_max"
					    : "set,rows,projected_mape,bias,inside,memory_mape,kendall_tau,"
					      "regret_mean,regret_max");
}

/* Prints the errors of served requests: of the time of each token, and of the first token. */
static void print_tokens(struct report_sink *sink, const struct paradl_score *all)
{
	static const char *const names[] = {"each token", "first token"};
	const double medians[] = {all->median, all->first_median}, means[] = {all->mape, all->first_mape},
		     insides[] = {all->inside, all->first_inside};
	putc('\n', sink->file);
	for (size_t i = 0; i < 2; i++)
		typeset_labelled(sink, names[i],
			typeset(sink, "error %.1f %% in the middle, %.1f %% on average%s%s", medians[i],
				means[i], all->skipped ? " (skipped rows as 100 %)" : "",
				insides[i] < 0 ? ""
					       : typeset(sink, "; %s inside of the likely error",
							 typeset_percent(sink, insides[i]))));
}

static void print_summary(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	const double total = validation->summary.mean.total;
	const double right = validation->rank_pairs_right * (double)validation->rank_pairs;
	const char *const skipped = validation->summary.skipped > 0 ? typeset(sink, ", %zu skipped as 0 %%",
									      validation->summary.skipped)
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

/* Prints how far the launches of each plan are apart, without which an error says little. */
static void print_runs(struct report_sink *sink, const struct report_validation *report)
{
	struct columns columns;
	columns_start(
		&columns, sink, NULL, &record_validated_run, "plan,launches,median_s,least_s,most_s,spread");
	for (size_t i = 0; i < report->runs->count; i++)
		columns_row(&columns, &report->runs->items[i]);
	putc('\n', sink->file);
	columns_print(&columns);
	fprintf(sink->file, "\n %s\n",
		typeset(sink, "median error of the totals %.1f %%", report->validation->summary.median));
}

static void print_totals_only(struct report_sink *sink, const struct paradl_validation *validation)
{
	size_t rows = 0;
	for (size_t i = 0; i < validation->count; ++i)
		rows += validation->rows[i].total_only;
	if (rows)
		fprintf(sink->file, "\n %s\n",
			typeset(sink,
				"%zu rows are scored on their totals only: timers of the program begin "
				"before the "
				"device has done what came before",
				rows));
}

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

/* Prints a validation against published results: sets instead of rows, and each reason to skip rows once. */
static void text_published(struct report_sink *sink, const struct report_validation *report)
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
		print_totals_only(sink, validation);
		if (has_first(validation))
			print_tokens(sink, &validation->summary);
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

/* Returns where the number of a repetition begins in a layer's name, "block/12/attn", and stores it; 0: nowhere. */
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

/* Returns whether two rows are equal except for the number of the repetition in their names. */
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
 * Counts the repetitions of layers: counts[i] is how often row i stands for itself and the same layer of later
 * repetitions of its block, 0 if row shown_by[i] stands for it. Returns false if nothing repeats.
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

/*
 * Adds one row, with a count, for all repetitions of each layer of a block. Returns false, with no row added, if
 * nothing repeats, the listing is not of a model's layers, or memory has run out.
 */
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
			typeset(sink, "%s: %s parameters, %s, %zu layers", listing->model->name,
				typeset_count(sink, listing->model->parameters),
				typeset_sample(sink, listing->model), listing->model->layer_count));
	table_print(&table);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions print a sweep for people; its first columns are the swept keys. */
#include <string.h>

#include "report/sweep_document.h"
#include "report/text.h"

enum { ROWS_SHOWN = 500, LIMIT_WIDTH_LEAST = 14 /* "needs 133 GiB..." */ };

static const char *usual(const struct report_sweep *report)
{
	const bool costs = report->goal == PARADL_COST;
	if (report->head->inference)
		return costs ? "*,strategy,iteration_s,token_s,tokens_per_s,cost_per_million_tokens,price_"
			       "basis,"
			       "memory_bytes,memory_share,limited_by"
			     : "*,strategy,iteration_s,token_s,tokens_per_s,memory_bytes,memory_share,"
			       "limited_by";
	return costs ? "*,strategy,iteration_s,epoch_s,cost_per_epoch,price_basis,samples_per_s,memory_bytes,"
		       "memory_share,limited_by"
		     : "*,strategy,iteration_s,epoch_s,samples_per_s,memory_bytes,memory_share,limited_by";
}

static const char *cell_text(
	struct report_sink *sink, const struct sweep_column *column, const struct sweep_cells *cells)
{
	if (!column->look)
		return typeset_clean(sink, column->key->texts[cells->point->places[column->place]]);
	if (column->look->kind == FIELD_LIMIT && cells->point->reason)
		return typeset_clean(sink, cells->point->reason);
	return ranking_text(sink, column->look, &cells->row);
}

/* Writes the cells of a point with tabs between them. */
static void write_row(
	struct report_sink *sink, const struct report_sweep *report, const struct paradl_sweep_row *row)
{
	struct sweep_cells cells;
	sweep_cells_fill(&cells, report, row);
	for (size_t i = 0; i < report->layout_count; i++) {
		if (i > 0)
			putc('\t', sink->file);
		fputs(cell_text(sink, &report->layout[i], &cells), sink->file);
	}
}

static void begin(struct report_sweep_document *document)
{
	const struct report_sweep *const report = document->report;
	document->table = arena_alloc(document->sink->arena, 1, sizeof *document->table);
	document->sink->out_of_memory |= !document->table;
	if (!document->table)
		return;
	table_start(document->table, document->sink);
	document->table->asked = report->columns;
	for (size_t i = 0; i < report->layout_count; i++) {
		const struct sweep_column *const column = &report->layout[i];
		const struct result_field *const field = sweep_field(column);
		const struct result_field *const before = i > 0 ? report->layout[i - 1].look : NULL;
		struct table_column look = column_look_asked(field, before);
		/* Swept keys, costs that are asked for, and the reason why a point is not feasible always stay. */
		if (column->is_varied || field->kind == FIELD_LIMIT ||
			(field->kind == FIELD_MONEY && report->goal == PARADL_COST))
			look.drop = 0;
		if (field->kind == FIELD_LIMIT)
			look.least = LIMIT_WIDTH_LEAST;
		table_column(document->table, &look);
	}
}

static void add(struct report_sweep_document *document, const char *text, size_t length)
{
	struct paradl_arena *const arena = document->sink->arena;
	if (!document->table || document->points >= ROWS_SHOWN)
		return;
	const char **const cells = table_row(document->table);
	for (size_t i = 0; i < document->report->layout_count; i++) {
		const char *const tab = memchr(text, '\t', length);
		const size_t own = tab ? (size_t)(tab - text) : length;
		cells[i] = arena_copy(arena, text, own);
		if (!cells[i]) {
			document->sink->out_of_memory = true;
			cells[i] = "";
		}
		text += own + (tab != NULL);
		length -= own + (tab != NULL);
	}
}

static const char *describe(struct report_sink *sink, const struct report_sweep *report)
{
	const char *text = typeset(
		sink, "%s point%s", typeset_whole(sink, report->points), report->points > 1 ? "s" : "");
	for (size_t i = 0; i < report->key_count; i++) {
		const struct paradl_sweep_key *const key = &report->keys[i];
		text = key->count > 1 ? typeset(sink, "%s, %s %s to %s", text, key->key, key->texts[0],
						key->texts[key->count - 1])
				      : typeset(sink, "%s, %s %s", text, key->key, key->texts[0]);
	}
	return text;
}

/*
 * Leaves out how machines are paid for where all are paid for alike and nobody asked. Returns whether some are rented
 * and others bought, of points whose costs are shown.
 */
static bool settle_basis(struct report_sweep_document *document)
{
	const struct report_sweep *const report = document->report;
	for (size_t i = 0; i < report->layout_count; i++) {
		if (strcmp(sweep_field(&report->layout[i])->name, "price_basis") != 0)
			continue;
		const bool mixed = table_is_mixed(document->table, i);
		if (!mixed && !report->columns)
			table_drop(document->table, i);
		return mixed;
	}
	return false;
}

static void end(struct report_sweep_document *document)
{
	struct report_sink *const sink = document->sink;
	const struct report_sweep *const report = document->report;
	const double more = report->points - ROWS_SHOWN, infeasible = report->points - report->feasible;
	if (!document->table)
		return;
	if (!sink->style.brief) {
		text_title(sink, report->head, describe(sink, report));
		putc('\n', sink->file);
	}
	const bool mixed = settle_basis(document);
	for (size_t i = report->columns ? 0 : report->layout_count; i-- > 0;)
		if (sweep_field(&report->layout[i])->if_any)
			table_drop_empty(document->table, i);
	table_print(document->table);
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	if (more > 0)
		typeset_labelled(sink, "more",
			typeset(sink, "%s points; --csv, --json and --jsonl have all",
				typeset_whole(sink, more)));
	if (infeasible > 0)
		typeset_labelled(sink, "not feasible",
			typeset(sink, "%s of %s points", typeset_whole(sink, infeasible),
				typeset_whole(sink, report->points)));
	if (mixed)
		typeset_labelled(sink, "cost",
			"of machines that are rented and of machines that are bought: the two do not compare "
			"(--set hw.price.basis=rent, or purchase, where they have both)");
	text_assumptions(sink, report->head);
}

const struct report_sweep_lines text_sweep_lines = {usual, write_row, begin, add, end};

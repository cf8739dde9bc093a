/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search as one table: its results, its front and its map, which a first column tells apart. */
#include "report/csv.h"

struct search_table {
	struct csv_line line;
	struct report_sink *sink;
	const struct ranking_column *columns[RANKING_COLUMNS_MAX];
	size_t count;
};

static void write_row(struct search_table *table, const char *part, const struct ranking_row *row)
{
	csv_text(&table->line, part);
	csv_ranking_row(&table->line, table->sink, table->columns, table->count, row);
}

static void write_plans(struct search_table *table, const char *part, struct ranking_row row,
	const struct paradl_estimate *estimates, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		row.estimate = &estimates[i];
		row.rank = i + 1;
		write_row(table, part, &row);
	}
}

void csv_search(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	const struct ranking_row row = {.advice = &advice, .ranking = &ranking};
	struct search_table table = {.line = {sink->file, false}, .sink = sink};
	table.count = csv_columns(&advice, table.columns);
	csv_text(&table.line, "part");
	for (size_t i = 0; i < table.count; i++)
		csv_text(&table.line, table.columns[i]->name);
	csv_end(&table.line);
	write_plans(&table, "best", row, search->results, search->count);
	write_plans(&table, "front", row, search->front, search->front_count);
	for (size_t i = 0; i < search->cell_count; i++) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		const struct paradl_infeasible gap = report_map_gap(report, cell);
		const struct paradl_ranking place = {
			.devices = cell->devices, .results = search->results, .count = search->count};
		write_row(&table, "map",
			&(struct ranking_row){.advice = &advice,
				.ranking = &place,
				.rank = 1,
				.estimate = cell->runs ? &cell->best : NULL,
				.infeasible = cell->runs ? NULL : &gap});
	}
	if (search->count == 0 && *search->closest.strategy)
		write_row(&table, "closest",
			&(struct ranking_row){
				.advice = &advice, .ranking = &ranking, .infeasible = &search->closest});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the documents in which plans are rows as in a ranking: one plan in depth, searches, a plan for each layer. */
#include "result/ranking.h"

#include <stdint.h>
#include <string.h>

/* Makes the document of one plan in depth; estimate.def has its fields. */

static const char *price_basis(unsigned owned)
{
	return price_basis_names[owned];
}

/* Returns the plan of an estimate, or the reason why it cannot run, as a row of a ranking; NULL: out of memory. */
static const struct ranking_row *estimate_row(const struct result_at *at)
{
	const struct report_estimate *const report = at->in->document;
	struct {
		struct report_advice advice;
		struct paradl_ranking ranking;
		struct ranking_row row;
	} *const store = field_store(at, sizeof *store);
	if (!store)
		return NULL;
	store->ranking = (struct paradl_ranking){.devices = report->estimate ? report->estimate->devices : 0,
		.batch = report->estimate ? report->estimate->plan.batch : 0,
		.results = report->estimate,
		.count = report->estimate != NULL};
	store->advice = (struct report_advice){.head = report->head,
		.rankings = &store->ranking,
		.count = 1,
		.job = report->job,
		.runs = report->run,
		.file = report->parts ? report->parts->file : NULL};
	store->row = (struct ranking_row){.advice = &store->advice,
		.ranking = &store->ranking,
		.estimate = report->estimate,
		.infeasible = report->estimate ? NULL : report->infeasible,
		.rank = 1};
	return &store->row;
}

static bool estimate_line(const struct result_at *at, size_t index, struct field_value *value)
{
	value->row = index == 0 ? estimate_row(at) : NULL;
	return value->row != NULL;
}

static bool estimate_gap(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_estimate *const report = at->in->document;
	value->row = report->estimate || index > 0 ? NULL : estimate_row(at);
	return value->row != NULL;
}

#define NAMES   estimate
#define RECORDS "result/estimate.def"
#include "result/define.h"

static struct result_rows estimate_table(const void *document, bool is_table)
{
	const struct report_estimate *const report = document;
	struct result_rows rows = {.row = report};
	if (is_table && report->timeline)
		rows = (struct result_rows){
			.list = record_field(&record_timeline, "events"), .row = report->timeline->timeline};
	else if (is_table && report->parts && report->show_layers)
		rows = (struct result_rows){
			.list = record_field(&record_parts, "parts"), .row = report->parts};
	else if (is_table && (report->layers || (report->show_terms && report->explanation)))
		rows.list = record_field(&record_estimate_result, report->layers ? "layers" : "terms");
	else
		rows.list = record_field(&record_estimate_rows, is_table ? "table" : "results");
	if (rows.list->record == &record_result)
		ranking_choose_columns(&rows, &(struct report_advice){.job = report->job});
	return rows;
}

const struct result_document document_estimate = {.schema = "paradl-estimate-2",
	.title = "paradl estimate --json: one plan",
	.doc = "See paradl-estimate(1). One result, or none and the reason in infeasible.",
	.record = &record_estimate,
	.table = &record_result,
	.rows = estimate_table};

/* Makes documents of searches, and of plans for each layer; search.def has their fields. */

enum part { PART_BEST, PART_FRONT, PART_MAP, PART_CLOSEST, PART_COUNT };

/* A row of a search, with the advice and the ranking that it belongs to. */
struct search_row {
	enum part part;
	struct ranking_row row;
	struct report_advice advice;
	struct paradl_ranking ranking;
	struct paradl_infeasible gap;
};

static const char *part_name(unsigned part)
{
	static const char *const names[PART_COUNT] = {"best", "front", "map", "closest"};
	return names[part];
}

static struct search_row *new_row(const struct result_at *at, enum part part)
{
	const struct report_search *const report = at->in->document;
	struct search_row *const row = field_store(at, sizeof *row);
	if (!row)
		return NULL;
	row->part = part;
	row->advice = report_search_advice(report, &row->ranking);
	row->row = (struct ranking_row){.advice = &row->advice, .ranking = &row->ranking, .rank = 1};
	return row;
}

/* Returns one of the best plans, or of the front, as a row; NULL when out of memory. */
static struct search_row *plan_row(const struct result_at *at, enum part part, size_t index)
{
	const struct paradl_search *const search = ((const struct report_search *)at->in->document)->search;
	struct search_row *const row = new_row(at, part);
	if (!row)
		return NULL;
	row->row.estimate = part == PART_FRONT ? &search->front[index] : &search->results[index];
	row->row.rank = index + 1;
	return row;
}

static struct search_row *cell_row(const struct result_at *at, const struct paradl_map_cell *cell)
{
	const struct report_search *const report = at->in->document;
	struct search_row *const row = new_row(at, PART_MAP);
	if (!row)
		return NULL;
	row->ranking = (struct paradl_ranking){.devices = cell->devices,
		.results = report->search->results,
		.count = report->search->count,
		.goal = report->request->goal};
	row->gap = report_map_gap(report, cell);
	row->row.estimate = cell->runs ? &cell->best : NULL;
	row->row.infeasible = cell->runs ? NULL : &row->gap;
	return row;
}

/* Returns the plan that comes closest where nothing runs, as a row; NULL when out of memory. */
static struct search_row *closest_row(
	const struct result_at *at, const struct paradl_infeasible *closest, unsigned devices)
{
	struct search_row *const row = new_row(at, PART_CLOSEST);
	if (!row)
		return NULL;
	row->ranking.devices = devices;
	row->row.infeasible = closest;
	return row;
}

static bool give(const struct search_row *row, struct field_value *value)
{
	value->row = row ? &row->row : NULL;
	return row != NULL;
}

static bool best_results(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_search *const report = at->in->document;
	return index < report->search->count && give(plan_row(at, PART_BEST, index), value);
}

static bool front_results(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_search *const report = at->in->document;
	return index < report->search->front_count && give(plan_row(at, PART_FRONT, index), value);
}

static bool cell_results(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_map_cell *const cell = at->row;
	return index == 0 && cell->runs && give(cell_row(at, cell), value);
}

static bool has_closest(const struct report_search *report)
{
	return report->search->count == 0 && *report->search->closest.strategy;
}

static bool closest_infeasible(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_search *const report = at->in->document;
	return index == 0 && has_closest(report) && give(closest_row(at, &report->search->closest, 0), value);
}

static bool fewest_below(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_fewest *const fewest = at->row;
	return index == 0 && fewest->below > 0 &&
	       give(closest_row(at, &fewest->closest, fewest->below), value);
}

static bool search_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_search *const report = at->in->document;
	const struct paradl_search *const search = report->search;
	const struct search_row *row = NULL;
	if (index < search->count)
		row = plan_row(at, PART_BEST, index);
	else if ((index -= search->count) < search->front_count)
		row = plan_row(at, PART_FRONT, index);
	else if ((index -= search->front_count) < search->cell_count)
		row = cell_row(at, &search->cells[index]);
	else if (index == search->cell_count && has_closest(report))
		row = closest_row(at, &search->closest, 0);
	value->row = row;
	return row != NULL;
}

/* ---- plans for each layer ---- */

/*
 * Returns an estimate as a row, with the text `strategy` in place of its plan unless NULL; NULL when out of memory.
 */
static const struct ranking_row *alone(
	const struct result_at *at, const struct paradl_estimate *estimate, const char *strategy)
{
	struct search_row *const row = field_store(at, sizeof *row);
	if (!row)
		return NULL;
	row->ranking = (struct paradl_ranking){
		.devices = estimate->devices, .batch = estimate->plan.batch, .results = estimate, .count = 1};
	row->advice = (struct report_advice){
		.head = at->in->head, .rankings = &row->ranking, .count = 1, .file = strategy};
	row->row = (struct ranking_row){
		.advice = &row->advice, .ranking = &row->ranking, .estimate = estimate, .rank = 1};
	return &row->row;
}

static const struct ranking_row *layers_row(const struct result_at *at)
{
	const struct report_layers *const report = at->in->document;
	return alone(at, &report->search->estimate, report->parts->file ? report->parts->file : "");
}

static bool uniform_result(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_estimate *const uniform =
		&((const struct report_layers *)at->in->document)->search->uniform;
	value->row = index == 0 && uniform->devices > 0 ? alone(at, uniform, NULL) : NULL;
	return value->row != NULL;
}

static bool single_result(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_estimate *const single =
		&((const struct report_layers *)at->in->document)->search->single;
	value->row = index == 0 && single->devices > 0 ? alone(at, single, NULL) : NULL;
	return value->row != NULL;
}

#define NAMES   search
#define RECORDS "result/search.def"
#include "result/define.h"

static struct result_rows search_table(const void *document, bool is_table)
{
	const struct report_search *const report = document;
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	struct result_rows rows = {.list = record_field(&record_search_rows, "rows"), .row = document};
	if (is_table)
		ranking_choose_columns(&rows, &advice);
	return rows;
}

static struct result_rows layers_table(const void *document, bool is_table)
{
	const struct report_layers *const report = document;
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_parts, "parts"), .row = report->parts};
}

const struct result_document document_search = {.schema = "paradl-search-2",
	.title = "paradl search --json: the best of all plans, proven",
	.doc = "See paradl-search(1). Numbers are in SI units and never rounded; null is what is not known "
	       "or was not asked for.",
	.record = &record_search,
	.table = &record_search_row,
	.rows = search_table};

const struct result_document document_layers = {.schema = "paradl-layers-2",
	.title = "paradl search --per-layer --json: the best plan for each layer, proven",
	.doc = "See paradl-search(1). Numbers are in SI units and never rounded; null is what is not known.",
	.record = &record_layers,
	.table = &record_part,
	.rows = layers_table};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows of advise, estimate, search and sweep, and the document of advise; ranking.def has their fields. */
#include "result/ranking.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "result/launch/launch.h"

/* A whole training that is asked about, and its run by one plan. */
struct job_row {
	const struct paradl_run_request *job;
	const struct paradl_run *run;
};

static double known_or_absent(double value)
{
	return value > 0 ? value : FIELD_ABSENT;
}

const char *result_goal_name(unsigned goal)
{
	static const char *const names[] = {[PARADL_TIME] = "time",
		[PARADL_MEMORY] = "memory",
		[PARADL_COST] = "cost",
		[PARADL_ENERGY] = "energy",
		[PARADL_THROUGHPUT] = "throughput"};
	return goal < sizeof names / sizeof names[0] ? names[goal] : NULL;
}

const char *result_limit_kind(unsigned is_limitation)
{
	return is_limitation ? "limitation" : "bottleneck";
}

static const char *launcher_name(unsigned index)
{
	return launchers[index] ? launchers[index]->name : NULL;
}

/* Returns whether the estimate is one of inference and, with `is_text`, whether tokens are generated. */
static bool served(const struct paradl_estimate *estimate, bool is_text)
{
	return estimate->inference.prompts_s > 0 && (!is_text || estimate->inference.output_tokens > 0);
}

/* Returns tokens per second of all devices, generated ones for inference; negative: there are none. */
static double result_tokens_per_s(const struct report_head *head, const struct paradl_estimate *estimate)
{
	if (served(estimate, false))
		return served(estimate, true) ? estimate->inference.tokens_per_s : -1;
	return report_tokens(head, estimate->samples_per_s);
}

/* ---- the whole training ---- */

static const struct paradl_run *result_run_of(const struct ranking_row *row)
{
	return report_run_of(row->advice, row->estimate);
}

static bool result_has_job(const struct ranking_row *row)
{
	return row->advice->job;
}

static double result_job_time(const struct ranking_row *row)
{
	const struct paradl_run *const run = result_run_of(row);
	return run && run->possible ? run->time_s : -1;
}

static double result_job_cost(const struct ranking_row *row)
{
	const struct paradl_run *const run = result_run_of(row);
	return run && run->possible ? run->cost : -1;
}

static const struct job_row *result_run(const struct result_at *at)
{
	const struct ranking_row *const row = at->row;
	const struct paradl_run *const run = row->advice->job ? result_run_of(row) : NULL;
	struct job_row *const job = run ? field_store(at, sizeof *job) : NULL;
	if (job)
		*job = (struct job_row){row->advice->job, run};
	return job;
}

/* ---- compared with other plans ---- */

static const char *result_strategy(const struct result_at *at)
{
	const struct ranking_row *const row = at->row;
	if (row->strategy)
		return row->strategy;
	if (!row->estimate)
		return row->infeasible ? row->infeasible->strategy : NULL;
	return row->advice->file ? row->advice->file : field_plan(at, &row->estimate->plan);
}

static double result_ratio(const struct ranking_row *row)
{
	if (row->ranking->count == 0)
		return FIELD_ABSENT;
	const double best = report_value(row->advice, &row->ranking->results[0]);
	return best > 0 ? report_value(row->advice, row->estimate) / best : FIELD_ABSENT;
}

/* Returns the best plan on the least number of GPUs that can do it at all, or NULL. */
static const struct paradl_estimate *scaling_base(const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->rankings[i].count > 0)
			return &advice->rankings[i].results[0];
	return NULL;
}

static double result_speedup(const struct ranking_row *row)
{
	const struct paradl_estimate *const base = scaling_base(row->advice);
	if (!row->advice->is_sweep || !base || !(base->samples_per_s > 0) ||
		row->advice->head->rate_per_s > 0) /* all answer what comes */
		return -1;
	return row->estimate->samples_per_s / base->samples_per_s;
}

static double result_efficiency(const struct ranking_row *row)
{
	const struct paradl_estimate *const base = scaling_base(row->advice);
	const double speedup = result_speedup(row);
	if (!base || speedup < 0 || row->estimate->devices == 0)
		return -1;
	return speedup * base->devices / row->estimate->devices;
}

/* ---- lists ---- */

static bool unchecked_text(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct ranking_row *const row = at->row;
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; i++)
		if (row->estimate->unchecked & 1u << i && index-- == 0) {
			value->text = paradl_unchecked_text((enum paradl_unchecked)i);
			return true;
		}
	return false;
}

/* Gives a list word by word, as one program starts another with them: an option and its value are two words. */
static bool launch_word(
	const struct result_at *at, const struct launch_list *list, size_t index, struct field_value *value)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *const item = list->items[i], *const blank = strchr(item, ' ');
		if (blank && index-- == 0) {
			snprintf(at->in->scratch, SCRATCH_BYTES, "%.*s", (int)(blank - item), item);
			value->text = at->in->scratch;
			return true;
		}
		if (index-- == 0) {
			value->text = blank ? blank + 1 : item;
			return true;
		}
	}
	return false;
}

static bool command_word(const struct result_at *at, size_t index, struct field_value *value)
{
	return launch_word(at, &((const struct launch *)at->row)->command, index, value);
}

static bool flag_word(const struct result_at *at, size_t index, struct field_value *value)
{
	return launch_word(at, &((const struct launch *)at->row)->flags, index, value);
}

static const struct launch *result_launch(const struct result_at *at)
{
	const struct ranking_row *const row = at->row;
	if (!at->in->head->launcher || row->advice->file)
		return NULL;
	struct launch *const launch = field_store(at, sizeof *launch);
	return launch && launch_plan(launch, at->in->head, row->estimate) ? launch : NULL;
}

/* ---- rows ---- */

bool ranking_item(const struct result_at *at, const struct ranking_row *row, struct field_value *value)
{
	struct ranking_row *const copy = field_store(at, sizeof *copy);
	if (copy)
		*copy = *row;
	value->row = copy;
	return copy != NULL;
}

static size_t shown(const struct report_advice *advice, const struct paradl_ranking *ranking)
{
	return advice->top > 0 && advice->top < ranking->count ? advice->top : ranking->count;
}

static bool advice_item(
	const struct result_at *at, size_t index, bool plans, bool gaps, struct field_value *value)
{
	const struct report_advice *const advice = at->in->document;
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		const size_t results = plans ? shown(advice, ranking) : 0,
			     others = gaps ? ranking->infeasible_count : 0;
		struct ranking_row row = {.advice = advice, .ranking = ranking};
		if (index < results) {
			row.estimate = &ranking->results[index];
			row.rank = index + 1;
			return ranking_item(at, &row, value);
		}
		if (index - results < others) {
			row.infeasible = &ranking->infeasible[index - results];
			return ranking_item(at, &row, value);
		}
		index -= results + others;
	}
	return false;
}

static bool advice_results(const struct result_at *at, size_t index, struct field_value *value)
{
	return advice_item(at, index, true, false, value);
}

static bool advice_infeasible(const struct result_at *at, size_t index, struct field_value *value)
{
	return advice_item(at, index, false, true, value);
}

static bool advice_rows(const struct result_at *at, size_t index, struct field_value *value)
{
	return advice_item(at, index, true, true, value);
}

#define NAMES   ranking
#define RECORDS "result/ranking.def"
#include "result/define.h"

bool ranking_is_column(const struct result_field *field)
{
	return field_is_column(field) || field->kind == FIELD_BAR;
}

static const struct result_field *find(const char *name, size_t length)
{
	for (size_t i = 0; i < record_result.count; i++)
		if (ranking_is_column(&record_result.fields[i]) &&
			strlen(record_result.fields[i].name) == length &&
			strncmp(record_result.fields[i].name, name, length) == 0)
			return &record_result.fields[i];
	return NULL;
}

static bool unknown_column(const char *name, size_t length, struct paradl_error *error)
{
	const char *names[COLUMNS_MAX];
	char typed[40];
	size_t count = 0;
	snprintf(typed, sizeof typed, "%.*s", (int)(length < sizeof typed ? length : sizeof typed - 1), name);
	for (size_t i = 0; i < record_result.count; i++)
		if (ranking_is_column(&record_result.fields[i]))
			names[count++] = record_result.fields[i].name;
	const char *const near = suggest(typed, names, count);
	if (near)
		return error_set(
			error, PARADL_USAGE, "--columns knows no '%s'; did you mean '%s'?", typed, near);
	error_set(error, PARADL_USAGE, "--columns knows no '%s'", typed);
	error_hint(error, "the first line of 'paradl advise ... --csv' names every column");
	return false;
}

bool ranking_columns_parse(
	const char *list, const struct result_field *columns[], size_t *count, struct paradl_error *error)
{
	*count = 0;
	for (const char *name = list;;) {
		const size_t length = strcspn(name, ",");
		const struct result_field *const column = find(name, length);
		if (!column)
			return unknown_column(name, length, error);
		if (*count == COLUMNS_MAX)
			return error_set(
				error, PARADL_USAGE, "--columns names more than %d columns", COLUMNS_MAX);
		columns[(*count)++] = column;
		if (!name[length])
			return true;
		name += length + 1;
	}
}

void ranking_choose_columns(struct result_rows *rows, const struct report_advice *advice)
{
	struct paradl_error error;
	if (advice->columns &&
		ranking_columns_parse(advice->columns, rows->columns, &rows->column_count, &error))
		return;
	for (size_t i = 0; i < record_result.count; i++) {
		const struct result_field *const field = &record_result.fields[i];
		const bool is_job = strncmp(field->name, "job_", 4) == 0,
			   is_run = strncmp(field->name, "run_", 4) == 0;
		if (field_is_column(field) && (!is_job || advice->job) && (!is_run || advice->job))
			rows->columns[rows->column_count++] = field;
	}
}

static struct result_rows advice_table(const void *document, bool is_table)
{
	struct result_rows rows = {.list = record_field(&record_advise_rows, "results"), .row = document};
	if (is_table)
		ranking_choose_columns(&rows, document);
	return rows;
}

const struct result_document document_advise = {.schema = "paradl-advise-2",
	.title = "paradl advise --json: strategies for some numbers of GPUs, best first",
	.doc = "See paradl-advise(1). Numbers are in SI units and never rounded; null is what is not known "
	       "or not modelled.",
	.record = &record_advise,
	.table = &record_result,
	.rows = advice_table};

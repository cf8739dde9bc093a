/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paradl compare --json, and one object per row. */
#include "report/compare.h"
#include "report/json.h"

static double known(double value)
{
	return value > 0 ? value : -1;
}

static void write_range(
	struct json_writer *writer, const char *key, const struct paradl_range *range, bool is_known)
{
	if (!is_known || range->value < 0) {
		json_write_null(writer, key);
		return;
	}
	json_begin_object(writer, key);
	json_write_number(writer, "value", range->value);
	json_write_number(writer, "low", range->low);
	json_write_number(writer, "high", range->high);
	json_end_object(writer);
}

static void write_doubts(struct json_writer *writer, const struct paradl_uncertainty *doubts)
{
	json_begin_array(writer, "doubts");
	for (unsigned i = 0; i < PARADL_DOUBT_COUNT; i++) {
		if (!(doubts->share[i] > 0))
			continue;
		json_begin_object(writer, NULL);
		json_write_text(writer, "of", paradl_doubt_name((enum paradl_doubt)i));
		json_write_text(writer, "origin", doubts->origin[i]);
		json_write_number(writer, "share", doubts->share[i]);
		write_range(writer, i < PARADL_DOUBT_POWER ? "iteration_s" : "cost_per_iteration",
			&doubts->effect[i], true);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_plan(struct json_writer *writer, const struct paradl_estimate *estimate)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&estimate->plan, plan, sizeof plan);
	json_write_text(writer, "strategy", plan);
	json_write_number(writer, "batch", estimate->plan.batch);
	json_write_number(writer, "iteration_s", estimate->iteration_s);
	json_write_number(writer, "memory_bytes", estimate->memory_bytes);
	json_positive(writer, "power_watt", estimate->watt);
	json_positive(writer, "cost_per_hour", estimate->cost_per_hour);
	json_write_text(writer, "limited_by", estimate->limited_by.text);
	json_write_number(writer, "limited_share", estimate->limited_by.share);
}

static void write_cell(struct json_writer *writer, const struct report_compare *report,
	const struct paradl_compare_cell *cell)
{
	const struct paradl_machine_info *const machine = &report->machines[cell->machine];
	json_begin_object(writer, NULL);
	json_write_text(writer, "model", report->models[cell->model].name);
	json_write_text(writer, "hw", machine->name);
	json_positive(writer, "gpus", known(cell->devices));
	json_write_bool(writer, "feasible", cell->runs);
	json_write_text(writer, "reason", cell->runs ? NULL : cell->reason);
	json_positive(writer, "time_rank", known(cell->time_rank));
	json_positive(writer, "cost_rank", known(cell->cost_rank));
	json_positive(writer, "energy_rank", known(cell->joule_rank));
	write_range(writer, "time_s", &cell->time_s, cell->runs);
	write_range(writer, "cost", &cell->cost, cell->runs);
	json_write_text(writer, "currency",
		!cell->runs || cell->cost.value < 0 ? NULL
		: cell->cost_compares               ? report->currency
						    : machine->currency);
	write_range(writer, "energy_joule", &cell->joule, cell->runs);
	if (cell->runs) {
		write_plan(writer, &cell->estimate);
		write_doubts(writer, &cell->uncertainty);
	}
	json_end_object(writer);
}

static size_t cell_count(const struct paradl_comparison *comparison)
{
	return comparison->model_count * comparison->device_count * comparison->machine_count;
}

static void write_head(struct json_writer *writer, const struct report_head *head)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "schema", "paradl-compare-1");
	json_write_text(writer, "paradl", paradl_version());
	json_list(writer, "command", &head->command);
	json_inputs(writer, head);
}

static void write_crossings(struct json_writer *writer, const struct report_compare *report)
{
	json_begin_array(writer, "crossings");
	for (size_t i = 0; i < report->comparison->crossing_count; i++) {
		const struct paradl_compare_crossing *const at = &report->comparison->crossings[i];
		json_begin_object(writer, NULL);
		json_write_text(writer, "model", report->models[at->model].name);
		json_positive(writer, "before_gpus", known(at->before));
		json_positive(writer, "gpus", known(at->devices));
		json_write_text(writer, "from", report->machines[at->from].name);
		json_write_text(writer, "to", report->machines[at->to].name);
		json_write_bool(writer, "clear", at->clear);
		json_end_object(writer);
	}
	json_end_array(writer);
}

void json_compare(struct report_sink *sink, const struct report_compare *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	write_head(&writer, report->head);
	json_write_text(&writer, "currency", report->currency);
	json_positive(&writer, "deadline_s", known(report->deadline_s));
	json_positive(&writer, "budget", known(report->budget));
	json_begin_array(&writer, "results");
	for (size_t i = 0; i < cell_count(report->comparison); i++)
		write_cell(&writer, report, &report->comparison->cells[i]);
	json_end_array(&writer);
	write_crossings(&writer, report);
	json_list(&writer, "assumptions", &report->head->assumptions);
	json_list(&writer, "warnings", &report->head->warnings);
	json_end_object(&writer);
}

void jsonl_compare(struct report_sink *sink, const struct report_compare *report)
{
	struct json_writer writer = json_writer_for(sink, true);
	for (size_t i = 0; i < cell_count(report->comparison); i++)
		write_cell(&writer, report, &report->comparison->cells[i]);
}

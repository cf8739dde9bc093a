/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

static const char *goal_name(enum paradl_goal goal)
{
	static const char *const names[] = {[PARADL_TIME] = "time",
		[PARADL_MEMORY] = "memory",
		[PARADL_COST] = "cost",
		[PARADL_ENERGY] = "energy",
		[PARADL_THROUGHPUT] = "throughput"};
	return names[goal];
}

static void write_plans(struct json_writer *writer, const char *key, const struct report_head *head,
	const struct paradl_estimate *estimates, size_t count)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < count; i++) {
		json_begin_result(writer, head, &estimates[i], i + 1);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_space(struct json_writer *writer, const struct paradl_search *search)
{
	static const char *const names[PARADL_CUT_COUNT] = {"cannot_run", "memory", "bound"};
	json_begin_object(writer, "space");
	json_write_number(writer, "plans", search->plans);
	json_write_number(writer, "evaluated", search->evaluated);
	json_begin_object(writer, "cut");
	for (unsigned i = 0; i < PARADL_CUT_COUNT; i++)
		json_write_number(writer, names[i], search->cut[i]);
	json_end_object(writer);
	json_end_object(writer);
}

static void write_proof(struct json_writer *writer, const struct paradl_search *search)
{
	json_positive(writer, "margin", search->count > 1 ? search->margin : -1);
	json_write_number(writer, "equal", (double)search->equal);
	json_positive(writer, "lower_bound", search->count > 0 ? search->lower_bound : -1);
	json_positive(writer, "gap", search->count > 0 ? search->gap : -1);
	write_space(writer, search);
}

static void write_cell(
	struct json_writer *writer, const struct report_search *report, const struct paradl_map_cell *cell)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "gpus", cell->devices);
	json_begin_array(writer, "degrees");
	json_write_number(writer, NULL, cell->degree[0]);
	json_write_number(writer, NULL, cell->degree[1]);
	json_end_array(writer);
	json_write_bool(writer, "runs", cell->runs);
	json_write_bool(writer, "fits", cell->runs && cell->fits);
	json_begin_array(writer, "results");
	if (cell->runs) {
		json_begin_result(writer, report->head, &cell->best, 1);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

static void write_map(struct json_writer *writer, const struct report_search *report)
{
	if (!report->request->map) {
		json_write_null(writer, "map");
		return;
	}
	json_begin_object(writer, "map");
	json_begin_array(writer, "axes");
	json_write_text(writer, NULL, report_map_axis(report, 0));
	json_write_text(writer, NULL, report_map_axis(report, 1));
	json_end_array(writer);
	json_begin_array(writer, "cells");
	for (size_t i = 0; i < report->search->cell_count; i++)
		write_cell(writer, report, &report->search->cells[i]);
	json_end_array(writer);
	json_end_object(writer);
}

/* The time and cost are those of the best plan. */
static void write_job(struct json_writer *writer, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	const struct paradl_estimate *const best = search->count > 0 ? &search->results[0] : NULL;
	const struct paradl_search_request *const request = report->request;
	if (!(report->samples > 0)) {
		json_write_null(writer, "job");
		return;
	}
	json_begin_object(writer, "job");
	json_write_number(writer, "samples", report->samples);
	json_positive(writer, "tokens", report->tokens > 0 ? report->tokens : -1);
	json_positive(writer, "deadline_s", request->deadline_s > 0 ? request->deadline_s : -1);
	json_positive(writer, "budget", request->budget > 0 ? request->budget : -1);
	json_positive(writer, "time_s", best ? report_job_s(best, report->samples) : -1);
	json_positive(writer, "cost", best ? report_job_cost(best, report->samples) : -1);
	json_end_object(writer);
}

static void write_fewest(struct json_writer *writer, const struct report_fewest *fewest)
{
	if (!fewest) {
		json_write_null(writer, "fewest");
		return;
	}
	json_begin_object(writer, "fewest");
	json_positive(writer, "gpus", fewest->devices > 0 ? (double)fewest->devices : -1);
	json_begin_array(writer, "below");
	if (fewest->below > 0)
		json_infeasible(writer, &fewest->closest, fewest->below, false);
	json_end_array(writer);
	json_end_object(writer);
}

void json_search(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_document(&writer, "paradl-search-1", report->head);
	json_write_text(&writer, "goal", goal_name(report->request->goal));
	write_plans(&writer, "results", report->head, search->results, search->count);
	json_begin_array(&writer, "infeasible");
	if (search->count == 0 && *search->closest.strategy)
		json_infeasible(&writer, &search->closest, -1, false);
	json_end_array(&writer);
	write_proof(&writer, search);
	write_plans(&writer, "front", report->head, search->front, search->front_count);
	write_map(&writer, report);
	write_job(&writer, report);
	write_fewest(&writer, report->fewest);
	json_end_document(&writer, report->head);
}

static void write_rows(struct report_sink *sink, const struct report_head *head, const char *part,
	const struct paradl_estimate *estimates, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		json_begin_result(&writer, head, &estimates[i], i + 1);
		json_write_text(&writer, "part", part);
		json_end_object(&writer);
	}
}

void jsonl_search(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	write_rows(sink, report->head, "best", search->results, search->count);
	write_rows(sink, report->head, "front", search->front, search->front_count);
	for (size_t i = 0; i < search->cell_count; i++) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		const struct paradl_infeasible gap = report_map_gap(report, cell);
		struct json_writer writer = json_writer_for(sink, true);
		if (cell->runs)
			write_rows(sink, report->head, "map", &cell->best, 1);
		else
			json_infeasible(&writer, &gap, cell->devices, true);
	}
	if (search->count == 0 && *search->closest.strategy) {
		struct json_writer writer = json_writer_for(sink, true);
		json_infeasible(&writer, &search->closest, -1, true);
	}
}

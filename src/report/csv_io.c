/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each plan and way to feed it; with --explain a row for each term. */
#include <math.h>

#include "report/csv.h"

static const char *const names[] = {"gpus", "strategy", "batch", "store", "shuffle", "exchanged_share",
	"possible", "reason", "readers", "nodes", "share_per_reader", "stored_bytes_per_node",
	"capacity_bytes_per_node", "cached_share", "staging_s", "busy_s", "step_s", "stall_fetch_s",
	"stall_preparation_s", "stall_straggler_s", "stall_exchange_s", "utilisation", "first_epoch_s",
	"epoch_s", "epochs", "finish_s", "break_even_epochs", "binding", "next", "bytes_per_s",
	"samples_per_s", "risk", "risk_points", "samples_per_reader", "samples_per_class"};

static double known(double value)
{
	return value > 0 ? value : -1;
}

static void write_times(
	struct csv_line *line, const struct report_io *report, const struct paradl_input_row *row)
{
	const struct paradl_input *const input = &row->input;
	csv_number(line, input->staging_s);
	csv_number(line, input->busy_s);
	csv_number(line, input->step_s);
	csv_number(line, input->stall_fetch_s);
	csv_number(line, input->stall_preparation_s);
	csv_number(line, input->stall_straggler_s);
	csv_number(line, input->stall_exchange_s);
	csv_number(line, input->utilisation);
	csv_number(line, known(input->first_epoch_s));
	csv_number(line, known(input->epoch_s));
	csv_number(line, report->table->epochs);
	csv_number(line, known(row->finish_s));
	csv_number(line, row->break_even_epochs);
	csv_text(line, paradl_resource_name(input->binding));
	csv_text(line, paradl_resource_name(input->next));
}

static void write_row(struct csv_line *line, const struct report_io *report,
	const struct paradl_input_case *at, const struct paradl_input_row *row)
{
	const struct paradl_input *const input = &row->input;
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&at->estimate.plan, plan, sizeof plan);
	csv_number(line, at->estimate.devices);
	csv_text(line, plan);
	csv_number(line, at->estimate.plan.batch);
	csv_text(line, paradl_store_name(row->way.store));
	csv_text(line, paradl_shuffle_name(row->way.shuffle));
	csv_number(line, row->way.exchanged);
	csv_text(line, input->possible ? "true" : "false");
	csv_text(line, input->possible ? NULL : input->reason);
	csv_number(line, input->readers);
	csv_number(line, input->nodes);
	csv_number(line, input->share_per_reader);
	csv_number(line, input->stored_bytes_per_node);
	csv_number(line, known(input->capacity_bytes));
	csv_number(line, input->cached_share);
	write_times(line, report, row);
	csv_number(line, input->bytes_per_s);
	csv_number(line, input->samples_per_s);
	csv_text(line, paradl_risk_name(input->risk));
	csv_number(line, input->risk_points);
	csv_number(line, known(row->samples_per_reader));
	csv_number(line, known(row->samples_per_class));
	csv_end(line);
}

static void write_terms(struct csv_line *line, const struct report_io *report)
{
	static const char *const columns[] = {"gpus", "formula", "numbers", "seconds"};
	csv_header(line, columns, sizeof columns / sizeof columns[0]);
	for (size_t k = 0; k < report->table->count; ++k) {
		const struct paradl_input_case *const at = &report->table->cases[k];
		for (size_t i = 0; i < at->explanation->count; ++i) {
			csv_number(line, at->estimate.devices);
			csv_text(line, at->explanation->terms[i].formula);
			csv_text(line, at->explanation->terms[i].numbers);
			csv_number(line, at->explanation->terms[i].seconds);
			csv_end(line);
		}
	}
}

void csv_io(struct report_sink *sink, const struct report_io *report)
{
	struct csv_line line = {sink->file, false};
	if (report->shows_terms) {
		write_terms(&line, report);
		return;
	}
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t k = 0; k < report->table->count; ++k)
		for (size_t i = 0; i < report->table->cases[k].row_count; ++i)
			write_row(&line, report, &report->table->cases[k], &report->table->cases[k].rows[i]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each epoch; compared, one for each sampler. */
#include "report/csv.h"

static void write_epochs(struct csv_line *line, const struct paradl_hide *hide)
{
	static const char *const names[] = {
		"epoch", "cap", "candidates", "moved_back", "hidden", "rate_factor", "time_s", "saved_s"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < hide->count; i++) {
		const struct paradl_hide_epoch *const row = &hide->rows[i];
		const double numbers[] = {row->epoch, row->cap, row->candidates, row->moved_back, row->hidden,
			row->rate_factor, row->time_s, row->saved_s};
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			csv_signed(line, numbers[j]);
		csv_end(line);
	}
}

static void write_samplers(struct csv_line *line, const struct paradl_hide *hide)
{
	static const char *const names[] = {"sampler", "fraction", "mean_cap", "mean_spared", "reads",
		"forward", "backward", "steps", "probe_s", "exchange_s", "order_s", "candidates_s", "epoch_s",
		"training_s", "saved_s", "saved_share", "saved_share_if_input_were_free",
		"host_memory_bytes"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < hide->training_count; i++) {
		const struct paradl_hide_training *const row = &hide->trainings[i];
		const double numbers[] = {row->mean_cap, row->mean_hidden, row->reads, row->forward,
			row->backward, row->steps, row->probe_s, row->exchange_s, row->order_s,
			row->candidates_s, row->epoch_s, row->training_s, row->saved_s, row->saved_share,
			row->free_saved_share, row->memory_bytes};
		csv_text(line, row->sampler);
		csv_number(line, row->fraction);
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			csv_signed(line, numbers[j]);
		csv_end(line);
	}
}

void csv_hide(struct report_sink *sink, const struct report_hide *report)
{
	struct csv_line line = {sink->file, false};
	if (report->compares)
		write_samplers(&line, report->hide);
	else
		write_epochs(&line, report->hide);
}

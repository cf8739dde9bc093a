/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One rectangular table (RFC 4180, lines end in LF): a header, SI units, every digit, nothing for what
 * is not known.
 */
#include <string.h>

#include "base/decimal.h"
#include "report/column.h"
#include "report/csv.h"
#include "report/sweep.h"

static void begin_field(struct csv_line *line)
{
	if (line->has_field)
		putc(',', line->file);
	line->has_field = true;
}

void csv_end(struct csv_line *line)
{
	putc('\n', line->file);
	line->has_field = false;
}

void csv_text(struct csv_line *line, const char *text)
{
	begin_field(line);
	if (!text || !text[strcspn(text, ",\"\r\n")]) {
		fputs(text ? text : "", line->file);
		return;
	}
	putc('"', line->file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', line->file);
		putc(*text, line->file);
	}
	putc('"', line->file);
}

void csv_number(struct csv_line *line, double value)
{
	begin_field(line);
	if (value >= 0) {
		char digits[DECIMAL_LENGTH];
		fputs(decimal_shortest(digits, sizeof digits, value), line->file);
	}
}

void csv_signed(struct csv_line *line, double value)
{
	char digits[DECIMAL_LENGTH];
	begin_field(line);
	fprintf(line->file, "%s%s", value < 0 ? "-" : "",
		decimal_shortest(digits, sizeof digits, value < 0 ? -value : value));
}

void csv_ranking_row(struct csv_line *line, struct report_sink *sink,
	const struct ranking_column *const *columns, size_t count, const struct ranking_row *row)
{
	for (size_t i = 0; i < count; i++) {
		const struct column_value value = ranking_value(sink, columns[i], row);
		if (columns[i]->kind == COLUMN_TEXT || columns[i]->kind == COLUMN_LIMIT)
			csv_text(line, value.text);
		else
			csv_number(line, value.number);
	}
	csv_end(line);
}

size_t csv_columns(const struct report_advice *advice, const struct ranking_column *columns[])
{
	struct paradl_error error;
	size_t count = 0;
	if (advice->columns && ranking_columns_parse(advice->columns, columns, &count, &error))
		return count;
	for (size_t i = 0; i < ranking_column_count; i++)
		if (ranking_column_applies(&ranking_columns[i], advice))
			columns[count++] = &ranking_columns[i];
	return count;
}

static void write_advice(struct report_sink *sink, const struct report_advice *advice)
{
	const struct ranking_column *columns[RANKING_COLUMNS_MAX];
	const size_t count = csv_columns(advice, columns);
	struct csv_line line = {sink->file, false};
	for (size_t i = 0; i < count; i++)
		csv_text(&line, columns[i]->name);
	csv_end(&line);
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		struct ranking_row row = {.advice = advice, .ranking = ranking};
		for (size_t j = 0; j < ranking->count && (advice->top == 0 || j < advice->top); j++) {
			row.estimate = &ranking->results[j];
			row.rank = j + 1;
			csv_ranking_row(&line, sink, columns, count, &row);
		}
		row.estimate = NULL;
		for (size_t j = 0; j < ranking->infeasible_count; j++) {
			row.infeasible = &ranking->infeasible[j];
			csv_ranking_row(&line, sink, columns, count, &row);
		}
	}
}

void csv_header(struct csv_line *line, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		csv_text(line, names[i]);
	csv_end(line);
}

static void write_layers(struct csv_line *line, const struct paradl_layer_table *layers)
{
	static const char *const names[] = {"name", "type", "count", "split", "forward_s", "backward_s",
		"weight_update_s", "communication_s", "weights_bytes", "activations_bytes"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < layers->count; i++) {
		const struct paradl_layer_estimate *const row = &layers->rows[i];
		const double numbers[] = {row->forward_s, row->backward_s, row->weight_update_s,
			row->communication_s, row->weights_bytes, row->activations_bytes};
		csv_text(line, row->name);
		csv_text(line, row->type);
		csv_number(line, row->count);
		csv_text(line, row->split);
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			csv_number(line, numbers[j]);
		csv_end(line);
	}
}

static void write_terms(struct csv_line *line, const struct paradl_explanation *explanation)
{
	static const char *const names[] = {"phase", "formula", "numbers", "seconds"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < explanation->count; i++) {
		const struct paradl_term *const term = &explanation->terms[i];
		csv_text(line, paradl_phase_name(term->phase));
		csv_text(line, term->formula);
		csv_text(line, term->numbers);
		csv_number(line, term->seconds);
		csv_end(line);
	}
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	struct csv_line line = {sink->file, false};
	if (report->layers) {
		write_layers(&line, report->layers);
	} else if (report->timeline) {
		csv_timeline(sink, report->timeline->timeline);
	} else if (report->parts && report->show_layers) {
		csv_parts(sink, report->parts);
	} else if (report->show_terms && report->explanation) {
		write_terms(&line, report->explanation);
	} else {
		const struct paradl_ranking ranking = {
			.devices = report->estimate ? report->estimate->devices : 0,
			.batch = report->estimate ? report->estimate->plan.batch : 0,
			.results = report->estimate,
			.count = report->estimate != NULL,
			.infeasible = report->infeasible,
			.infeasible_count = report->estimate == NULL,
		};
		const struct report_advice advice = {.head = report->head,
			.rankings = &ranking,
			.count = 1,
			.job = report->job,
			.runs = report->run,
			.file = report->parts ? report->parts->file : NULL};
		write_advice(sink, &advice);
	}
}

static void write_measured(struct csv_line *line, const struct paradl_measured_row *row)
{
	const double measured[] = {row->measured.compute_s, row->measured.communication_s,
		row->measured.total_s, row->measured.memory_bytes};
	const double projected[] = {row->projected.compute_s, row->projected.communication_s,
		row->projected.total_s, row->projected.memory_bytes};
	csv_number(line, row->line);
	csv_text(line, row->model);
	csv_text(line, row->hw);
	csv_text(line, row->strategy);
	csv_text(line, row->family);
	csv_number(line, row->batch > 0 ? row->batch : -1);
	csv_text(line, row->unit);
	csv_text(line, row->set);
	for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
		csv_number(line, measured[i]);
	for (size_t i = 0; i < sizeof projected / sizeof projected[0]; i++)
		csv_number(line, row->skipped ? -1 : projected[i]);
	csv_number(line, row->accuracy.compute);
	csv_number(line, row->accuracy.communication);
	csv_number(line, row->accuracy.total);
	csv_text(line, row->skipped);
	csv_text(line, row->id);
	if (!row->skipped && row->measured.total_s > 0)
		csv_signed(line, row->projected.total_s / row->measured.total_s - 1);
	else
		csv_text(line, NULL);
	csv_end(line);
}

static void write_validation(struct report_sink *sink, const struct report_validation *report)
{
	static const char *const names[] = {"line", "model", "hw", "strategy", "family", "batch", "unit",
		"set", "measured_compute_s", "measured_communication_s", "measured_total_s",
		"measured_memory_bytes", "projected_compute_s", "projected_communication_s",
		"projected_total_s", "projected_memory_bytes", "compute_accuracy", "communication_accuracy",
		"total_accuracy", "skipped", "id", "error"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < report->validation->count; i++)
		write_measured(&line, &report->validation->rows[i]);
}

static void write_listing(struct report_sink *sink, const struct report_listing *listing)
{
	struct csv_line line = {sink->file, false};
	for (size_t i = 0; i < listing->column_count; i++)
		csv_text(&line, listing->columns[i].key);
	csv_end(&line);
	for (size_t i = 0; i < listing->row_count * listing->column_count; i++) {
		const struct listing_column *const column = &listing->columns[i % listing->column_count];
		if (column->kind == LISTING_TEXT)
			csv_text(&line, listing->cells[i].text);
		else
			csv_number(&line, listing->cells[i].number);
		if ((i + 1) % listing->column_count == 0)
			csv_end(&line);
	}
}

static void write_check(struct report_sink *sink, const struct report_check *check)
{
	static const char *const names[] = {"path", "valid", "format", "finding"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < check->count; i++) {
		const struct checked_file *const file = &check->files[i];
		const size_t rows = file->findings.count > 0 ? file->findings.count : 1;
		for (size_t j = 0; j < rows; j++) {
			const char *finding = file->valid ? NULL : file->error.message;
			csv_text(&line, file->path);
			csv_number(&line, file->valid);
			csv_text(&line, file->valid ? file->findings.format : NULL);
			csv_text(&line, j < file->findings.count ? file->findings.warnings[j] : finding);
			csv_end(&line);
		}
	}
}

const struct report_format report_csv = {
	.name = "csv",
	.extension = ".csv",
	.summary = "one table, SI units, every digit",
	.advice = write_advice,
	.search = csv_search,
	.estimate = write_estimate,
	.layers = csv_layers,
	.validation = write_validation,
	.fit = csv_fit,
	.calibration = csv_calibration,
	.listing = write_listing,
	.check = write_check,
	.collective = csv_collective,
	.calibrate = csv_calibrate,
	.hide = csv_hide,
	.diagnosis = csv_diagnosis,
	.federate = csv_federate,
	.io = csv_io,
	.sweep = &csv_sweep,
};

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

void csv_header(struct csv_line *line, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		csv_text(line, names[i]);
	csv_end(line);
}

static void write_advice(struct report_sink *sink, const struct report_advice *advice)
{
	csv_put_document(sink, &document_advise, advice->head, advice);
}

static void write_search(struct report_sink *sink, const struct report_search *report)
{
	csv_put_document(sink, &document_search, report->head, report);
}

static void write_layers(struct report_sink *sink, const struct report_layers *report)
{
	csv_put_document(sink, &document_layers, report->head, report);
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	csv_put_document(sink, &document_estimate, report->head, report);
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

static void write_collective(struct report_sink *sink, const struct report_collective *report)
{
	csv_put_document(sink, &document_collective, report->head, report);
}

static void write_validation(struct report_sink *sink, const struct report_validation *report)
{
	csv_put_document(sink, &document_validate, report->head, report);
}

static void write_fit(struct report_sink *sink, const struct report_fit *report)
{
	csv_put_document(sink, &document_fit, report->head, report);
}

static void write_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	csv_put_document(sink, &document_calibration, report->head, report);
}

static void write_check(struct report_sink *sink, const struct report_check *check)
{
	csv_put_document(sink, &document_check, NULL, check);
}

static void write_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	csv_put_document(sink, &document_calibrate, NULL, report);
}

static void write_io(struct report_sink *sink, const struct report_io *report)
{
	csv_put_document(sink, &document_io, report->head, report);
}

static void write_hide(struct report_sink *sink, const struct report_hide *report)
{
	csv_put_document(sink, &document_hide, report->head, report);
}

const struct report_format report_csv = {
	.name = "csv",
	.extension = ".csv",
	.summary = "one table, SI units, every digit",
	.advice = write_advice,
	.search = write_search,
	.estimate = write_estimate,
	.layers = write_layers,
	.validation = write_validation,
	.fit = write_fit,
	.calibration = write_calibration,
	.listing = write_listing,
	.check = write_check,
	.collective = write_collective,
	.calibrate = write_calibrate,
	.hide = write_hide,
	.diagnosis = csv_diagnosis,
	.federate = csv_federate,
	.io = write_io,
	.sweep = &csv_sweep,
	.compare = csv_compare,
	.whatif = csv_whatif,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes documents of calibrations; calibration.def has their fields. */
#include "result/documents.h"
#include "result/ranking.h"

enum { NUMBER_UNITS = 6, SEVERITY_COUNT = PARADL_BAD + 1 };

/* A point of a curve. */
struct point_row {
	const struct paradl_fitted_curve *curve;
	size_t index;
};

/* A fitted number or a curve; the other is NULL. */
struct calibration_row {
	const struct paradl_fitted_number *number;
	const struct paradl_fitted_curve *curve;
};

const char *report_severity(enum paradl_severity severity)
{
	static const char *const names[] = {
		[PARADL_NOTE] = "note", [PARADL_SUSPECT] = "suspect", [PARADL_BAD] = "bad"};
	return names[severity];
}

const char *const report_point_flags[POINT_FLAGS] = {
	"noisy", "bimodal", "not monotone", "outliers", "few launches"};

static const char *severity_name(unsigned severity)
{
	return report_severity((enum paradl_severity)severity);
}

static const char *file_name(unsigned file)
{
	return file == PARADL_FITTED_DEVICE ? "device" : "machine";
}

static const char *number_unit(unsigned unit)
{
	static const char *const units[NUMBER_UNITS] = {"", "s", "B", "B/s", "flop/s", "W"};
	return units[unit];
}

static bool curve_points(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_fitted_curve *const curve = at->row;
	struct point_row *const row = index < curve->point_count ? field_store(at, sizeof *row) : NULL;
	if (row)
		*row = (struct point_row){curve, index};
	value->row = row;
	return row != NULL;
}

static bool point_flags(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct point_row *const row = at->row;
	for (unsigned flag = 0; row->curve->flags && flag < POINT_FLAGS; flag++)
		if (row->curve->flags[row->index] >> flag & 1 && index-- == 0) {
			value->text = report_point_flags[flag];
			return true;
		}
	return false;
}

static bool numbers_and_curves(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_calibration *const calibration =
		((const struct report_calibration *)at->row)->calibration;
	const size_t numbers = calibration->number_count, rows = numbers + calibration->curve_count;
	struct calibration_row *const row = index < rows ? field_store(at, sizeof *row) : NULL;
	if (row && index < numbers)
		*row = (struct calibration_row){.number = &calibration->numbers[index]};
	else if (row)
		*row = (struct calibration_row){.curve = &calibration->curves[index - numbers]};
	value->row = row;
	return row != NULL;
}

#define RECORDS "result/calibration.def"
#include "result/define.h"

static struct result_rows calibration_table(const void *document, bool is_table)
{
	const struct report_calibration *const report = document;
	if (is_table)
		return (struct result_rows){.list = record_field(&record_calibration_answer, "numbers"),
			.row = report->calibration};
	return (struct result_rows){.list = record_field(&record_calibration_rows, "rows"), .row = report};
}

static struct result_rows calibrate_table(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_calibrate, "programs"), .row = document};
}

const struct result_document document_calibration = {.schema = "paradl-calibration-1",
	.title = "paradl fit FILES --json: a machine's numbers and curves out of samples",
	.doc = "See paradl-fit(1). Values are in SI units; shares and errors are not in percent.",
	.record = &record_calibration,
	.table = &record_fitted_number,
	.rows = calibration_table};

const struct result_document document_calibrate = {.schema = "paradl-calibrate-1",
	.title = "paradl calibrate --json: what was measured, or would be",
	.doc = "See paradl-calibrate(1). The samples themselves are in the file: paradl-samples(5).",
	.record = &record_calibrate,
	.table = &record_measured_program,
	.rows = calibrate_table};

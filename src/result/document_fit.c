/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the documents of measurements: calibrations, fitted constants, device files and projections against them. */
#include "result/documents.h"
#include "result/field.h"
#include "result/ranking.h"

#include <string.h>

/* Makes documents of calibrations; calibration.def has their fields. */

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

#define NAMES   calibration
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

/* Makes the document of constants fitted to measured training times; fit.def has its fields. */

enum { FIT_UNITS = 4 };

static const char *fit_unit(unsigned unit)
{
	static const char *const units[FIT_UNITS] = {"", "s", "B", "B/s"};
	return units[unit];
}

static const char *bound_name(unsigned is_upper)
{
	return is_upper ? "upper" : "lower";
}

static const char *fit_remark(const struct paradl_fit_constant *constant)
{
	if (constant->rows == 0)
		return "no rows";
	if (constant->bound)
		return constant->bound < 0 ? "at its lower bound" : "at its upper bound";
	return constant->identified ? NULL : "not identified";
}

static bool fit_sets(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_fit *const fit = ((const struct report_fit *)at->row)->fit;
	if (index >= fit->set_count)
		return false;
	*value = (struct field_value){.text = fit->sets[index].name, .row = &fit->sets[index]};
	return true;
}

#define NAMES   fit
#define RECORDS "result/fit.def"
#include "result/define.h"

static struct result_rows fit_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_fit, "constants"), .row = document};
}

const struct result_document document_fit = {.schema = "paradl-fit-1",
	.title = "paradl fit --json: constants fitted to measured training times",
	.doc = "See paradl-fit(1). Values are in SI units.",
	.record = &record_fit,
	.table = &record_fit_constant,
	.rows = fit_rows};

/* Makes the document of device files against times of kernels; kernels.def has its fields. */

enum { KERNEL_UNITS = 4, ROOF_UNITS = 2 };

static const char *kernel_unit(unsigned unit)
{
	static const char *const units[KERNEL_UNITS] = {"", "s", "B", "B/s"};
	return units[unit];
}

static const char *roof_unit(unsigned unit)
{
	static const char *const units[ROOF_UNITS] = {"flop/s", "B/s"};
	return units[unit];
}

#define NAMES   kernels
#define RECORDS "result/kernels.def"
#include "result/define.h"

static struct result_rows kernel_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_kernels, "errors"), .row = document};
}

const struct result_document document_kernels = {.schema = "paradl-kernels-1",
	.title = "paradl validate --kernels --json: device files against times of kernels",
	.doc = "See paradl-fit(1), KERNELS. Errors are shares of the measured time.",
	.record = &record_kernels,
	.table = &record_kernel_errors,
	.rows = kernel_rows};

/* Makes the document of projections against measurements; validation.def has its fields. */

/* Returns the relative error of a projected time; NaN where the row was skipped or nothing was measured. */
static double error_between(const struct paradl_measured_row *row, double measured_s, double projected_s)
{
	return row->skipped || !(measured_s > 0) ? (double)NAN : projected_s / measured_s - 1;
}

static double error_of(const struct paradl_measured_row *row)
{
	return error_between(row, row->measured.total_s, row->projected.total_s);
}

static double first_error_of(const struct paradl_measured_row *row)
{
	return error_between(row, row->measured.first_s, row->projected.first_s);
}

/*
 * Returns 1 where the measured time is within the error of the projected one, else 0; NaN where either is not known.
 */
static double inside_between(
	const struct paradl_measured_row *row, double measured_s, double projected_s, double error_share)
{
	if (row->skipped || !(measured_s > 0) || error_share < 0)
		return (double)NAN;
	return fabs(measured_s - projected_s) <= error_share * projected_s;
}

static double inside_of(const struct paradl_measured_row *row)
{
	return inside_between(row, row->measured.total_s, row->projected.total_s, row->error_share);
}

static double first_inside_of(const struct paradl_measured_row *row)
{
	return inside_between(row, row->measured.first_s, row->projected.first_s, row->first_error_share);
}

/* Returns the GPUs of a plan; -1 where the text is no plan. */
static double strategy_gpus(const char *strategy)
{
	struct paradl_plan plan;
	struct paradl_error error;
	return strategy && paradl_plan_parse(strategy, &plan, &error) ? paradl_plan_devices(&plan) : -1;
}

static bool give_score(
	const struct paradl_score *scores, size_t count, size_t index, struct field_value *value)
{
	if (index >= count)
		return false;
	*value = (struct field_value){.text = scores[index].name, .row = &scores[index]};
	return true;
}

static bool strategy_scores(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_validation *const validation = at->row;
	return give_score(validation->by_strategy, validation->strategy_count, index, value);
}

static bool set_scores(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_validation *const validation = at->row;
	return give_score(validation->by_set, validation->set_count, index, value);
}

#define NAMES   validation
#define RECORDS "result/validation.def"
#include "result/define.h"

static struct result_rows validated_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_validate, "rows"), .row = document};
}

const struct result_document document_validate = {.schema = "paradl-validate-1",
	.title = "paradl validate --json: projections against measurements",
	.doc = "See paradl-validate(1). Accuracy is 1 - |projected - measured| / measured, at least 0; null: "
	       "not measured.",
	.record = &record_validate,
	.table = &record_validated,
	.rows = validated_rows};

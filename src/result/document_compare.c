/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of machines side by side; compare.def has its fields. */
#include "result/ranking.h"

/* One source of the uncertainty of a cell. */
struct uncertainty_row {
	const struct paradl_uncertainty *uncertainty;
	enum paradl_uncertainty_source source;
};

const char *const price_basis_names[PRICE_BASES] = {"rent", "purchase"};

/* Returns how the machine of a cell is paid for, or NULL where that is not known. */
static const char *cell_basis(const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const struct paradl_machine_info *const machine = &report->machines[cell->machine];
	return machine->price_per_device_hour > 0 ? price_basis_names[machine->owned] : NULL;
}

const char *report_precision(const struct report_compare *report, size_t model)
{
	return paradl_precision_name(report->precision < 0 ? report->models[model].precision
							   : (enum paradl_precision)report->precision);
}

double report_devices_paid(const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const unsigned of_host = report->machines[cell->machine].devices_per_host;
	if (cell->devices == 0 || of_host == 0)
		return -1;
	const unsigned hosts = (cell->devices + of_host - 1) / of_host;
	return (double)hosts * of_host;
}

/* Returns the range, or NULL where it is not known. */
static const struct paradl_range *known_range(const struct paradl_range *range, bool is_known)
{
	return is_known && range->value >= 0 ? range : NULL;
}

static double range_value(const struct paradl_range *range)
{
	return range ? range->value : -1;
}

static double range_low(const struct paradl_range *range)
{
	return range ? range->low : -1;
}

static double range_high(const struct paradl_range *range)
{
	return range ? range->high : -1;
}

/* Returns tokens per second and GPU, generated ones for inference; negative: there are none. */
static double compare_tokens_per_s(
	const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const double sequence = report->models[cell->model].sequence;
	const struct paradl_inference *const served = &cell->estimate.inference;
	if (served->prompts_s > 0)
		return served->output_tokens > 0 ? served->tokens_per_s / cell->estimate.devices : -1;
	return sequence > 0 ? cell->estimate.samples_per_s * sequence / cell->estimate.devices : -1;
}

static size_t cell_count(const struct paradl_comparison *comparison)
{
	return comparison->model_count * comparison->device_count * comparison->machine_count;
}

static bool uncertain_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_uncertainty *const uncertainty =
		&((const struct paradl_compare_cell *)at->row)->uncertainty;
	for (unsigned i = 0; i < PARADL_SOURCE_COUNT; i++) {
		if (!(uncertainty->share[i] > 0) || index-- > 0)
			continue;
		struct uncertainty_row *const row = field_store(at, sizeof *row);
		if (row)
			*row = (struct uncertainty_row){uncertainty, i};
		value->row = row;
		return row != NULL;
	}
	return false;
}

#define RECORDS "result/compare.def"
#include "result/define.h"

static struct result_rows compare_table(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_compare, "results"), .row = document};
}

const struct result_document document_compare = {.schema = "paradl-compare-1",
	.title = "paradl compare --json: machines side by side",
	.doc = "See paradl-compare(1). SI units; what is not known is null.",
	.record = &record_compare,
	.table = &record_compare_result,
	.rows = compare_table};

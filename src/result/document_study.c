/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the documents of studies: machines side by side, sweeps, changed inputs, measured phases beside projected ones. */
#include "result/ranking.h"

#include <stdint.h>

/* Makes the document of machines side by side; compare.def has its fields. */

/* One source of the uncertainty of a cell. */
struct uncertainty_row {
	const struct paradl_uncertainty *uncertainty;
	enum paradl_uncertainty_source source;
};

const char *const price_basis_names[PRICE_BASES] = {"rent", "purchase"};

const char *machine_price_basis(const struct paradl_machine_info *machine)
{
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

#define NAMES   compare
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

/* Makes the document of sweeps; sweep.def has its fields, but for those of points, which are columns of rankings. */

static bool dimension_values(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_sweep_key *const key = at->row;
	if (index >= key->count)
		return false;
	if (key->numbers)
		value->number = key->numbers[index];
	else
		value->text = key->texts[index];
	return true;
}

#define NAMES   sweep
#define RECORDS "result/sweep.def"
#include "result/define.h"

const struct result_document document_sweep = {.schema = "paradl-sweep-1",
	.title = "paradl sweep --json: a row for each point of a grid",
	.doc = "See paradl-sweep(1). Numbers are in SI units and never rounded; null is what is not known or "
	       "not modelled. model, hw and assumptions are those of the first point.",
	.record = &record_sweep,
	.table = &record_result};

/* Makes the document of estimates with something changed; whatif.def has its fields. */

/* Returns the change of a point as a share; infinity where its plan cannot run. */
static double point_change(const struct paradl_whatif_point *point)
{
	return point->runs ? point->change : HUGE_VAL;
}

/* Returns the seconds of a phase; after the last phase, those of the iteration. */
static double phase_s(const struct paradl_estimate *estimate, size_t phase)
{
	return phase < PARADL_PHASE_COUNT ? estimate->phase_s[phase] : estimate->iteration_s;
}

static bool phase_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_whatif_pair *const pair = at->row;
	struct phase_row *const row = index <= PARADL_PHASE_COUNT ? field_store(at, sizeof *row) : NULL;
	value->row = row;
	if (!row)
		return false;
	row->name = index < PARADL_PHASE_COUNT ? paradl_phase_name((enum paradl_phase)index) : "iteration";
	row->before_s = phase_s(&pair->before, index);
	row->after_s = pair->after.runs ? phase_s(&pair->after.estimate, index) : -1;
	row->best_s = pair->has_best && pair->best.runs ? phase_s(&pair->best.estimate, index) : -1;
	return true;
}

#define NAMES   whatif
#define RECORDS "result/whatif.def"
#include "result/define.h"

static struct result_rows whatif_table(const void *document, bool is_table)
{
	const struct report_whatif *const report = document;
	(void)is_table;
	if (report->tornado)
		return (struct result_rows){
			.list = record_field(&record_whatif_tornado, "inputs"), .row = report->tornado};
	if (report->target)
		return (struct result_rows){
			.list = record_field(&record_whatif_target, "inputs"), .row = report->target};
	return (struct result_rows){.list = record_field(&record_whatif_rows, "phases"), .row = report->pair};
}

const struct result_document document_whatif = {.schema = "paradl-whatif-1",
	.title = "paradl whatif --json: estimates with something changed",
	.doc = "See paradl-whatif(1). SI units; what is not known is null.",
	.record = &record_whatif,
	.table = &record_whatif_row,
	.rows = whatif_table};

/* Makes the document of measured phases beside projected ones; diagnose.def has its fields. */

/* A phase or a layer: its measured and its projected time. */
struct diagnose_row {
	bool is_layer;
	const char *name;
	struct paradl_diagnosis_row gap;
	const struct paradl_cause *cause; /* cause of the gap; its name NULL: none is known */
	const struct paradl_measured_time *spread;
};

static const struct paradl_measured_time not_measured = {
	.least_s = -1, .most_s = -1, .quickest_s = -1, .slowest_s = -1, .busy_s = -1, .calls = -1};

static const struct paradl_cause no_cause = {.assumed = -1, .as_if = -1};

static const char *row_kind(unsigned is_layer)
{
	return is_layer ? "layer" : "phase";
}

static const char *cause_category(unsigned index)
{
	static const char *const names[] = {
		"communication", "compute", "memory", "scaling", "input", "measurement"};
	return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

static const char *cause_origin(unsigned index)
{
	static const char *const names[] = {"framework", "system"};
	return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

static bool cause_phase(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_cause *const cause = at->row;
	for (unsigned part = 0; part < PARADL_PART_COUNT; part++)
		if (cause->parts & 1U << part && index-- == 0) {
			value->text = paradl_part_name(part);
			return true;
		}
	return false;
}

static const struct paradl_measured_time *measured_time(
	const struct paradl_measurement *measurement, unsigned part)
{
	for (size_t i = 0; i < measurement->count; i++)
		if (measurement->times[i].part == part)
			return &measurement->times[i];
	return &not_measured;
}

static bool row_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_diagnosis *const report = at->in->document;
	const struct paradl_diagnosis *const diagnosis = report->diagnosis;
	if (index >= diagnosis->row_count + diagnosis->layer_count)
		return false;
	struct diagnose_row *const row = field_store(at, sizeof *row);
	value->row = row;
	if (!row)
		return false;
	if (index < diagnosis->row_count) {
		const struct paradl_diagnosis_row *const phase = &diagnosis->rows[index];
		*row = (struct diagnose_row){.name = paradl_part_name(phase->part),
			.gap = *phase,
			.cause = phase->cause >= 0 ? &diagnosis->causes[phase->cause] : &no_cause,
			.spread = measured_time(report->measurement, phase->part)};
		return true;
	}
	const struct paradl_diagnosis_layer *const layer = &diagnosis->layers[index - diagnosis->row_count];
	*row = (struct diagnose_row){.is_layer = true,
		.name = layer->name,
		.gap = {.measured_s = layer->measured_s,
			.projected_s = layer->projected_s,
			.gap_s = layer->gap_s,
			.share = layer->share,
			.tolerance_s = -1,
			.explained_s = -1},
		.cause = &no_cause,
		.spread = &not_measured};
	return true;
}

#define NAMES   diagnose
#define RECORDS "result/diagnose.def"
#include "result/define.h"

static struct result_rows diagnose_table(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_diagnose_rows, "rows"), .row = document};
}

const struct result_document document_diagnose = {.schema = "paradl-diagnose-1",
	.title = "paradl diagnose --json: measured phases beside projected ones",
	.doc = "See paradl-diagnose(1). SI units; what is not known is null.",
	.record = &record_diagnose,
	.table = &record_diagnose_row,
	.rows = diagnose_table};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of measured phases beside projected ones; diagnose.def has its fields. */
#include <stdint.h>

#include "result/ranking.h"

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

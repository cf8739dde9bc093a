/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One JSON object per row and line; a plan that cannot run is a row too. */
#include "report/json.h"
#include "report/sweep.h"

static void write_advice(struct report_sink *sink, const struct report_advice *advice)
{
	json_put_rows(sink, &document_advise, advice->head, advice);
}

static void write_search(struct report_sink *sink, const struct report_search *report)
{
	json_put_rows(sink, &document_search, report->head, report);
}

static void write_layers(struct report_sink *sink, const struct report_layers *report)
{
	json_put_rows(sink, &document_layers, report->head, report);
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	json_put_rows(sink, &document_estimate, report->head, report);
}

static void write_listing(struct report_sink *sink, const struct report_listing *listing)
{
	for (size_t i = 0; i < listing->row_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		json_listing_row(&writer, listing, &listing->cells[i * listing->column_count]);
	}
}

static void write_collective(struct report_sink *sink, const struct report_collective *report)
{
	json_put_rows(sink, &document_collective, report->head, report);
}

static void write_validation(struct report_sink *sink, const struct report_validation *report)
{
	json_put_rows(sink, &document_validate, report->head, report);
}

static void write_fit(struct report_sink *sink, const struct report_fit *report)
{
	json_put_rows(sink, &document_fit, report->head, report);
}

static void write_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	json_put_rows(sink, &document_calibration, report->head, report);
}

static void write_check(struct report_sink *sink, const struct report_check *check)
{
	json_put_rows(sink, &document_check, NULL, check);
}

static void write_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	json_put_rows(sink, &document_calibrate, NULL, report);
}

static void write_io(struct report_sink *sink, const struct report_io *report)
{
	json_put_rows(sink, &document_io, report->head, report);
}

static void write_hide(struct report_sink *sink, const struct report_hide *report)
{
	json_put_rows(sink, &document_hide, report->head, report);
}

const struct report_format report_jsonl = {
	.name = "jsonl",
	.extension = ".jsonl",
	.summary = "one JSON object per row and line",
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
	.diagnosis = jsonl_diagnosis,
	.federate = jsonl_federate,
	.io = write_io,
	.sweep = &jsonl_sweep,
	.compare = jsonl_compare,
	.whatif = jsonl_whatif,
};

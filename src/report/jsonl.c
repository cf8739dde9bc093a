/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One JSON object per row and line; a plan that cannot run is a row too. */
#include "report/json.h"
#include "report/sweep.h"

static void write_advice(struct report_sink *sink, const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		for (size_t j = 0; j < json_shown(advice, ranking); j++) {
			struct json_writer writer = json_writer_for(sink, true);
			json_begin_result(&writer, advice->head, &ranking->results[j], j + 1);
			json_run(&writer, advice->head, advice->job,
				report_run_of(advice, &ranking->results[j]));
			json_end_object(&writer);
		}
		for (size_t j = 0; j < ranking->infeasible_count; j++) {
			struct json_writer writer = json_writer_for(sink, true);
			json_infeasible(&writer, &ranking->infeasible[j], ranking->devices, true);
		}
	}
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	struct json_writer writer = json_writer_for(sink, true);
	if (report->estimate) {
		json_begin_estimate(&writer, report);
		json_run(&writer, report->head, report->job, report->run);
		json_end_object(&writer);
	} else {
		json_infeasible(&writer, report->infeasible, -1, true);
	}
}

static void write_validation(struct report_sink *sink, const struct report_validation *report)
{
	for (size_t i = 0; i < report->validation->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		json_measured_row(&writer, &report->validation->rows[i]);
	}
}

static void write_listing(struct report_sink *sink, const struct report_listing *listing)
{
	for (size_t i = 0; i < listing->row_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		json_listing_row(&writer, listing, &listing->cells[i * listing->column_count]);
	}
}

static void write_check(struct report_sink *sink, const struct report_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		json_checked_file(&writer, &check->files[i]);
	}
}

const struct report_format report_jsonl = {
	.name = "jsonl",
	.extension = ".jsonl",
	.summary = "one JSON object per row and line",
	.advice = write_advice,
	.search = jsonl_search,
	.estimate = write_estimate,
	.layers = jsonl_layers,
	.validation = write_validation,
	.fit = jsonl_fit,
	.calibration = jsonl_calibration,
	.listing = write_listing,
	.check = write_check,
	.collective = jsonl_collective,
	.calibrate = jsonl_calibrate,
	.hide = jsonl_hide,
	.diagnosis = jsonl_diagnosis,
	.federate = jsonl_federate,
	.io = jsonl_io,
	.sweep = &jsonl_sweep,
	.compare = jsonl_compare,
};

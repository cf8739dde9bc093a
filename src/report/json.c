/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"
#include "report/sweep.h"

void json_list(struct json_writer *writer, const char *key, const struct text_list *list)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < list->count; i++)
		json_write_text(writer, NULL, list->items[i]);
	json_end_array(writer);
}

void json_inputs(struct json_writer *writer, const struct report_head *head)
{
	json_begin_array(writer, "inputs");
	for (size_t i = 0; i < head->input_count; i++) {
		json_begin_object(writer, NULL);
		json_write_text(writer, "path", head->inputs[i].path);
		json_write_text(writer, "sha256", *head->inputs[i].sha256 ? head->inputs[i].sha256 : NULL);
		json_end_object(writer);
	}
	json_end_array(writer);
}

void json_begin_document(struct json_writer *writer, const char *schema, const struct report_head *head)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "schema", schema);
	json_write_text(writer, "paradl", paradl_version());
	json_list(writer, "command", &head->command);
	json_inputs(writer, head);
	json_begin_object(writer, "model");
	json_write_text(writer, "name", head->model.name);
	json_write_number(writer, "parameters", head->model.parameters);
	json_write_number(writer, "forward_flop_per_sample", head->model.forward_flop_per_sample);
	json_end_object(writer);
	json_begin_object(writer, "hw");
	json_write_text(writer, "name", head->machine.name);
	json_write_number(writer, "gpus", head->machine.devices);
	json_write_text(writer, "framework", head->framework.name);
	json_end_object(writer);
}

void json_end_document(struct json_writer *writer, const struct report_head *head)
{
	json_list(writer, "assumptions", &head->assumptions);
	json_list(writer, "warnings", &head->warnings);
	json_end_object(writer);
}

static void write_advice(struct report_sink *sink, const struct report_advice *advice)
{
	json_put_document(sink, &document_advise, advice->head, advice);
}

static void write_search(struct report_sink *sink, const struct report_search *report)
{
	json_put_document(sink, &document_search, report->head, report);
}

static void write_layers(struct report_sink *sink, const struct report_layers *report)
{
	json_put_document(sink, &document_layers, report->head, report);
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	json_put_document(sink, &document_estimate, report->head, report);
}

static void write_io(struct report_sink *sink, const struct report_io *report)
{
	json_put_document(sink, &document_io, report->head, report);
}

static void write_hide(struct report_sink *sink, const struct report_hide *report)
{
	json_put_document(sink, &document_hide, report->head, report);
}

static void write_collective(struct report_sink *sink, const struct report_collective *report)
{
	json_put_document(sink, &document_collective, report->head, report);
}

static void write_validation(struct report_sink *sink, const struct report_validation *report)
{
	json_put_document(sink, &document_validate, report->head, report);
}

static void write_fit(struct report_sink *sink, const struct report_fit *report)
{
	json_put_document(sink, &document_fit, report->head, report);
}

static void write_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	json_put_document(sink, &document_calibration, report->head, report);
}

static void write_check(struct report_sink *sink, const struct report_check *check)
{
	json_put_document(sink, &document_check, NULL, check);
}

static void write_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	json_put_document(sink, &document_calibrate, NULL, report);
}

const struct report_format report_json = {
	.name = "json",
	.extension = ".json",
	.summary = "one JSON document, SI units, every digit",
	.names_inputs = true,
	.advice = write_advice,
	.search = write_search,
	.estimate = write_estimate,
	.layers = write_layers,
	.validation = write_validation,
	.fit = write_fit,
	.calibration = write_calibration,
	.listing = json_listing,
	.check = write_check,
	.collective = write_collective,
	.calibrate = write_calibrate,
	.hide = write_hide,
	.diagnosis = json_diagnosis,
	.federate = json_federate,
	.io = write_io,
	.sweep = &json_sweep,
	.compare = json_compare,
	.whatif = json_whatif,
};

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
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_document(&writer, "paradl-advise-1", advice->head);
	json_begin_array(&writer, "results");
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		for (size_t j = 0; j < json_shown(advice, ranking); j++) {
			json_begin_result(&writer, advice->head, &ranking->results[j], j + 1);
			json_run(&writer, advice->head, advice->job,
				report_run_of(advice, &ranking->results[j]));
			json_end_object(&writer);
		}
	}
	json_end_array(&writer);
	json_begin_array(&writer, "infeasible");
	for (size_t i = 0; i < advice->count; i++)
		for (size_t j = 0; j < advice->rankings[i].infeasible_count; j++)
			json_infeasible(&writer, &advice->rankings[i].infeasible[j],
				advice->rankings[i].devices, false);
	json_end_array(&writer);
	if (advice->layers) {
		json_begin_object(&writer, "per_layer");
		json_write_number(&writer, "iteration_s", advice->layers->estimate.iteration_s);
		json_write_number(&writer, "memory_bytes", advice->layers->estimate.memory_bytes);
		json_write_number(&writer, "parts", (double)advice->layers->best.part_count);
		json_end_object(&writer);
	}
	json_end_document(&writer, advice->head);
}

static void write_layers(struct json_writer *writer, const struct paradl_layer_table *layers)
{
	json_begin_array(writer, "layers");
	for (size_t i = 0; i < layers->count; i++) {
		const struct paradl_layer_estimate *const row = &layers->rows[i];
		json_begin_object(writer, NULL);
		json_write_text(writer, "name", row->name);
		json_write_text(writer, "type", row->type);
		json_write_number(writer, "count", row->count);
		json_write_text(writer, "split", row->split);
		json_write_number(writer, "forward_s", row->forward_s);
		json_write_number(writer, "backward_s", row->backward_s);
		json_write_number(writer, "weight_update_s", row->weight_update_s);
		json_write_number(writer, "communication_s", row->communication_s);
		json_write_number(writer, "weights_bytes", row->weights_bytes);
		json_write_number(writer, "activations_bytes", row->activations_bytes);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_terms(struct json_writer *writer, const struct paradl_explanation *explanation)
{
	json_begin_array(writer, "terms");
	for (size_t i = 0; i < explanation->count; i++) {
		const struct paradl_term *const term = &explanation->terms[i];
		json_begin_object(writer, NULL);
		json_write_text(writer, "phase", paradl_phase_name(term->phase));
		json_write_text(writer, "formula", term->formula);
		json_write_text(writer, "numbers", term->numbers);
		json_write_number(writer, "seconds", term->seconds);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_document(&writer, "paradl-estimate-1", report->head);
	json_begin_array(&writer, "results");
	if (report->estimate) {
		json_begin_estimate(&writer, report);
		json_run(&writer, report->head, report->job, report->run);
		if (report->parts)
			json_parts(&writer, report->parts);
		if (report->layers)
			write_layers(&writer, report->layers);
		if (report->timeline)
			json_timeline(&writer, report->timeline->timeline);
		if (report->show_terms && report->explanation)
			write_terms(&writer, report->explanation);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_begin_array(&writer, "infeasible");
	if (!report->estimate)
		json_infeasible(&writer, report->infeasible, -1, false);
	json_end_array(&writer);
	json_end_document(&writer, report->head);
}

const struct report_format report_json = {
	.name = "json",
	.extension = ".json",
	.summary = "one JSON document, SI units, every digit",
	.names_inputs = true,
	.advice = write_advice,
	.search = json_search,
	.estimate = write_estimate,
	.layers = json_layers,
	.validation = json_validation,
	.fit = json_fit,
	.calibration = json_calibration,
	.listing = json_listing,
	.check = json_check,
	.collective = json_collective,
	.calibrate = json_calibrate,
	.hide = json_hide,
	.diagnosis = json_diagnosis,
	.federate = json_federate,
	.io = json_io,
	.sweep = &json_sweep,
	.compare = json_compare,
	.whatif = json_whatif,
};

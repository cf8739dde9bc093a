/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan of parts, and the search that found it. */
#include "report/json.h"
#include "report/parts.h"

/* Up to and without the closing brace. */
static void begin_part(struct json_writer *writer, const struct report_parts *parts, size_t index)
{
	const struct paradl_layered_part *const part = &parts->layered->parts[index];
	const struct paradl_layered_row *const row = &parts->explanation->rows[index];
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&part->plan, plan, sizeof plan);
	json_begin_object(writer, NULL);
	json_write_text(writer, "from", paradl_model_layer(parts->model, part->first).name);
	json_write_text(writer, "to", paradl_model_layer(parts->model, part->end - 1).name);
	json_write_number(writer, "layers", part->end - part->first);
	json_write_number(writer, "stage", part->stage);
	json_write_text(writer, "plan", plan);
	json_write_number(writer, "forward_s", row->forward_s);
	json_write_number(writer, "backward_s", row->backward_s);
	json_write_number(writer, "update_s", row->update_s);
	json_write_number(writer, "exchange_s", row->exchange_s);
	json_write_number(writer, "halo_s", row->halo_s);
	json_write_number(writer, "gradient_s", row->gradient_s);
	json_write_number(writer, "redistribute_s", parts_moves_into_s(parts, index));
	json_write_number(writer, "weights_bytes", row->weights_bytes);
	json_write_number(writer, "activations_bytes", row->activations_bytes);
}

static void write_others(struct json_writer *writer, const struct report_parts *parts, size_t index)
{
	json_begin_array(writer, "others");
	for (size_t k = 0; k < parts->explanation->other_count; k++) {
		char plan[PARADL_PLAN_TEXT];
		paradl_plan_format(&parts->others[k], plan, sizeof plan);
		json_begin_object(writer, NULL);
		json_write_text(writer, "plan", plan);
		json_positive(writer, "seconds", parts_other_s(parts, index, k));
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_move(struct json_writer *writer, const struct report_parts *parts,
	const struct paradl_redistribution *move)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "from", paradl_model_layer(parts->model, move->from).name);
	json_write_text(writer, "to", paradl_model_layer(parts->model, move->to).name);
	json_write_number(writer, "gpus", move->devices);
	json_write_number(writer, "forward_bytes", move->bytes[0]);
	json_write_number(writer, "forward_s", move->s[0]);
	json_write_bool(writer, "forward_gathers", move->gathers[0]);
	json_write_number(writer, "backward_bytes", move->bytes[1]);
	json_write_number(writer, "backward_s", move->s[1]);
	json_write_bool(writer, "backward_gathers", move->gathers[1]);
	json_end_object(writer);
}

void json_parts(struct json_writer *writer, const struct report_parts *parts)
{
	json_begin_array(writer, "parts");
	for (size_t i = 0; i < parts->layered->part_count; i++) {
		begin_part(writer, parts, i);
		if (parts->explanation->other_count > 0)
			write_others(writer, parts, i);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_begin_array(writer, "redistributions");
	for (size_t i = 0; i < parts->explanation->move_count; i++)
		write_move(writer, parts, &parts->explanation->moves[i]);
	json_end_array(writer);
}

static void write_proof(struct json_writer *writer, const struct paradl_layered_search *search)
{
	json_positive(writer, "objective_s", search->objective_s > 0 ? search->objective_s : -1);
	json_positive(writer, "objective_usual_s", search->objective_s > 0 ? search->objective_usual_s : -1);
	json_positive(writer, "lower_bound_s", search->objective_s > 0 ? search->lower_bound_s : -1);
	json_positive(
		writer, "gap", search->best.stages > 1 ? -1 : search->gap); /* nothing is proved of stages */
	json_begin_array(writer, "ways");
	for (unsigned i = 0; i < search->way_count; i++) {
		char plan[PARADL_PLAN_TEXT];
		paradl_plan_format(&search->ways[i], plan, sizeof plan);
		json_write_text(writer, NULL, plan);
	}
	json_end_array(writer);
	json_write_number(writer, "evaluated", (double)search->evaluated);
	json_write_number(writer, "labels", (double)search->labels);
}

void json_layers(struct report_sink *sink, const struct report_layers *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	const struct paradl_layered_search *const search = report->search;
	json_begin_document(&writer, "paradl-layers-1", report->head);
	write_proof(&writer, search);
	json_begin_array(&writer, "results");
	json_begin_named_result(
		&writer, report->head, report->parts->file ? report->parts->file : "", &search->estimate, 1);
	json_parts(&writer, report->parts);
	json_end_object(&writer);
	json_end_array(&writer);
	json_begin_array(&writer, "uniform");
	if (search->uniform.devices > 0) {
		json_begin_result(&writer, report->head, &search->uniform, 1);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_begin_array(&writer, "single");
	if (search->single.devices > 0) {
		json_begin_result(&writer, report->head, &search->single, 1);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_end_document(&writer, report->head);
}

void jsonl_layers(struct report_sink *sink, const struct report_layers *report)
{
	for (size_t i = 0; i < report->parts->layered->part_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		begin_part(&writer, report->parts, i);
		json_end_object(&writer);
	}
}

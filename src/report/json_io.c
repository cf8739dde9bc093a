/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to feed plans as JSON. */
#include <math.h>

#include "report/json.h"

static void write_known(struct json_writer *writer, const char *key, double value)
{
	json_positive(writer, key, value > 0 ? value : -1);
}

static void write_resources(struct json_writer *writer, const struct paradl_input *input)
{
	json_begin_object(writer, "resources_s");
	for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; ++r)
		json_write_number(
			writer, paradl_resource_name((enum paradl_resource)r), input->resource_s[r]);
	json_end_object(writer);
}

static void write_step(struct json_writer *writer, const struct paradl_input *input)
{
	json_write_number(writer, "busy_s", input->busy_s);
	json_write_number(writer, "step_s", input->step_s);
	json_write_number(writer, "utilisation", input->utilisation);
	json_begin_object(writer, "stalls_s");
	json_write_number(writer, "fetch", input->stall_fetch_s);
	json_write_number(writer, "preparation", input->stall_preparation_s);
	json_write_number(writer, "straggler", input->stall_straggler_s);
	json_write_number(writer, "exchange", input->stall_exchange_s);
	json_end_object(writer);
	write_resources(writer, input);
	json_write_text(writer, "binding", paradl_resource_name(input->binding));
	json_write_text(writer, "next", paradl_resource_name(input->next));
}

/* Members of a row; the caller ends the object. */
static void begin_row(struct json_writer *writer, const struct paradl_input_row *row)
{
	const struct paradl_input *const input = &row->input;
	json_begin_object(writer, NULL);
	json_write_text(writer, "store", paradl_store_name(row->way.store));
	json_write_text(writer, "shuffle", paradl_shuffle_name(row->way.shuffle));
	json_write_number(writer, "exchanged_share", row->way.exchanged);
	json_write_bool(writer, "possible", input->possible);
	json_write_text(writer, "reason", input->possible ? NULL : input->reason);
	json_write_number(writer, "readers", input->readers);
	json_write_number(writer, "nodes", input->nodes);
	json_write_number(writer, "share_per_reader", input->share_per_reader);
	json_write_number(writer, "stored_bytes_per_node", input->stored_bytes_per_node);
	write_known(writer, "capacity_bytes_per_node", input->capacity_bytes);
	json_write_number(writer, "cached_share", input->cached_share);
	json_write_number(writer, "staging_s", input->staging_s);
	write_step(writer, input);
	write_known(writer, "first_epoch_s", input->first_epoch_s);
	write_known(writer, "epoch_s", input->epoch_s);
	write_known(writer, "finish_s", row->finish_s);
	json_positive(writer, "break_even_epochs", row->break_even_epochs);
	json_write_text(writer, "risk", paradl_risk_name(input->risk));
	json_write_number(writer, "risk_points", input->risk_points);
	write_known(writer, "samples_per_reader", row->samples_per_reader);
	write_known(writer, "samples_per_class", row->samples_per_class);
}

static void write_fixes(struct json_writer *writer, const struct paradl_input_case *at)
{
	json_begin_array(writer, "fixes");
	for (size_t i = 0; i < at->fix_count; ++i) {
		const struct paradl_input_fix *const fix = &at->fixes[i];
		json_begin_object(writer, NULL);
		json_write_text(writer, "name", fix->name);
		json_write_text(writer, "text", fix->text);
		json_write_text(writer, "option", fix->option);
		json_write_number(writer, "step_s", fix->step_s);
		json_write_number(writer, "saved_share", fix->saved_share);
		json_write_number(writer, "utilisation", fix->utilisation);
		json_write_text(writer, "binding", paradl_resource_name(fix->binding));
		json_end_object(writer);
	}
	json_end_array(writer);
}

/* needs null: no amount is enough, or nothing ever binds; `enough` tells which. */
static void write_needs(struct json_writer *writer, const struct paradl_input_case *at)
{
	json_begin_array(writer, "needs");
	for (size_t i = 0; i < at->need_count; ++i) {
		const struct paradl_input_need *const need = &at->needs[i];
		json_begin_object(writer, NULL);
		json_write_text(writer, "name", need->name);
		json_positive(writer, "has", need->has);
		json_positive(writer, "needs", need->needs < HUGE_VAL ? need->needs : -1);
		json_write_bool(writer, "enough", !(need->needs < 0));
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_plan(struct json_writer *writer, const struct paradl_input_case *at)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&at->estimate.plan, plan, sizeof plan);
	json_write_number(writer, "gpus", at->estimate.devices);
	json_write_text(writer, "strategy", plan);
	json_write_number(writer, "batch", at->estimate.plan.batch);
}

static void write_case(
	struct json_writer *writer, const struct report_io *report, const struct paradl_input_case *at)
{
	json_begin_object(writer, NULL);
	write_plan(writer, at);
	json_write_number(writer, "bytes_per_s", at->rows[0].input.bytes_per_s);
	json_write_number(writer, "samples_per_s", at->rows[0].input.samples_per_s);
	json_begin_array(writer, "ways");
	for (size_t i = 0; i < at->row_count; ++i) {
		begin_row(writer, &at->rows[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	write_fixes(writer, at);
	write_needs(writer, at);
	if (report->shows_terms) {
		json_begin_array(writer, "terms");
		for (size_t i = 0; i < at->explanation->count; ++i) {
			const struct paradl_term *const term = &at->explanation->terms[i];
			json_begin_object(writer, NULL);
			json_write_text(writer, "formula", term->formula);
			json_write_text(writer, "numbers", term->numbers);
			json_write_number(writer, "seconds", term->seconds);
			json_end_object(writer);
		}
		json_end_array(writer);
	}
	json_end_object(writer);
}

void json_io(struct report_sink *sink, const struct report_io *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	const struct paradl_input_table *const table = report->table;
	json_begin_document(&writer, "paradl-io-1", report->head);
	json_begin_object(&writer, "dataset");
	write_known(&writer, "samples", table->samples);
	write_known(&writer, "sample_bytes", table->sample_bytes);
	write_known(&writer, "classes", table->classes);
	json_end_object(&writer);
	json_write_number(&writer, "epochs", table->epochs);
	json_begin_array(&writer, "cases");
	for (size_t i = 0; i < table->count; ++i)
		write_case(&writer, report, &table->cases[i]);
	json_end_array(&writer);
	json_end_document(&writer, report->head);
}

void jsonl_io(struct report_sink *sink, const struct report_io *report)
{
	for (size_t k = 0; k < report->table->count; ++k)
		for (size_t i = 0; i < report->table->cases[k].row_count; ++i) {
			struct json_writer writer = json_writer_for(sink, true);
			begin_row(&writer, &report->table->cases[k].rows[i]);
			write_plan(&writer, &report->table->cases[k]);
			json_end_object(&writer);
		}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training with fewer samples as JSON. */
#include "report/json.h"

static void write_steps(struct json_writer *writer, const char *key, const struct paradl_steps *steps)
{
	json_begin_array(writer, key);
	for (unsigned i = 0; i < steps->count; i++) {
		json_begin_object(writer, NULL);
		json_write_number(writer, "from_epoch", steps->from[i]);
		json_write_number(writer, "value", steps->value[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_epoch(struct json_writer *writer, const struct paradl_hide_epoch *row)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "epoch", row->epoch);
	json_write_number(writer, "cap", row->cap);
	json_write_number(writer, "candidates", row->candidates);
	json_write_number(writer, "moved_back", row->moved_back);
	json_write_number(writer, "hidden", row->hidden);
	json_write_number(writer, "rate_factor", row->rate_factor);
	json_write_number(writer, "time_s", row->time_s);
	json_write_number(writer, "saved_s", row->saved_s);
	json_end_object(writer);
}

static void write_training(struct json_writer *writer, const struct paradl_hide_training *training)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "sampler", training->sampler);
	json_write_text(writer, "source", training->source);
	json_positive(writer, "fraction", training->fraction);
	json_write_number(writer, "mean_cap", training->mean_cap);
	json_write_number(writer, "mean_spared", training->mean_hidden);
	json_write_number(writer, "reads", training->reads);
	json_write_number(writer, "forward", training->forward);
	json_write_number(writer, "backward", training->backward);
	json_write_number(writer, "steps", training->steps);
	json_write_number(writer, "probe_s", training->probe_s);
	json_write_number(writer, "exchange_s", training->exchange_s);
	json_write_number(writer, "order_s", training->order_s);
	json_write_number(writer, "candidates_s", training->candidates_s);
	json_write_number(writer, "epoch_s", training->epoch_s);
	json_write_number(writer, "training_s", training->training_s);
	json_write_number(writer, "saved_s", training->saved_s);
	json_write_number(writer, "saved_share", training->saved_share);
	json_write_number(writer, "saved_share_if_input_were_free", training->free_saved_share);
	json_write_number(writer, "host_memory_bytes", training->memory_bytes);
	json_end_object(writer);
}

static void write_step(struct json_writer *writer, const struct paradl_hide *hide)
{
	json_begin_object(writer, "step");
	json_write_number(writer, "busy_s", hide->step_s);
	json_write_number(writer, "with_input_s", hide->fed_step_s);
	json_write_number(writer, "forward_s", hide->forward_s);
	json_write_number(writer, "backward_s", hide->backward_s);
	json_write_number(writer, "update_s", hide->update_s);
	json_write_number(writer, "hidden_s", hide->hidden_step_s);
	json_write_number(writer, "hidden_with_input_s", hide->fed_hidden_step_s);
	json_write_number(writer, "samples_per_s", hide->samples_per_s);
	json_write_number(writer, "hidden_samples_per_s", hide->hidden_samples_per_s);
	json_write_text(
		writer, "binding", hide->input.known ? paradl_resource_name(hide->input.binding) : NULL);
	json_write_text(writer, "hidden_binding",
		hide->input.known ? paradl_resource_name(hide->hidden_binding) : NULL);
	json_end_object(writer);
}

void json_hide(struct report_sink *sink, const struct report_hide *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	const struct paradl_hide *const hide = report->hide;
	char strategy[PARADL_PLAN_TEXT];
	paradl_plan_format(&hide->estimate.plan, strategy, sizeof strategy);
	json_begin_document(&writer, "paradl-hide-1", report->head);
	json_write_text(&writer, "strategy", strategy);
	json_write_number(&writer, "gpus", hide->estimate.devices);
	json_write_number(&writer, "batch", hide->estimate.plan.batch);
	json_write_number(&writer, "samples", hide->samples);
	json_write_number(&writer, "epochs", hide->epochs);
	json_write_number(&writer, "warm_up_epochs", hide->warm_up);
	json_write_text(&writer, "sampler", hide->trainings[hide->chosen].sampler);
	json_write_number(&writer, "tau", hide->tau);
	json_write_number(&writer, "backward_over_forward", hide->ratio);
	json_write_number(&writer, "hidden_cost", hide->hidden_cost);
	write_steps(&writer, "schedule", &hide->caps);
	write_steps(&writer, "retention", &hide->retention);
	json_write_number(&writer, "scale", hide->scale);
	write_step(&writer, hide);
	json_write_number(&writer, "exchange_bytes", hide->exchange_bytes);
	json_write_number(&writer, "plain_epoch_s", hide->plain_epoch_s);
	json_write_number(&writer, "plain_training_s", hide->plain_training_s);
	json_write_text(&writer, "verdict", paradl_hide_verdict_name(hide->verdict));
	json_begin_array(&writer, "rows");
	for (size_t i = 0; i < hide->count; i++)
		write_epoch(&writer, &hide->rows[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "samplers");
	for (size_t i = 0; i < hide->training_count; i++)
		write_training(&writer, &hide->trainings[i]);
	json_end_array(&writer);
	json_end_document(&writer, report->head);
}

void jsonl_hide(struct report_sink *sink, const struct report_hide *report)
{
	const struct paradl_hide *const hide = report->hide;
	const size_t count = report->compares ? hide->training_count : hide->count;
	for (size_t i = 0; i < count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		if (report->compares)
			write_training(&writer, &hide->trainings[i]);
		else
			write_epoch(&writer, &hide->rows[i]);
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with something changed as JSON. */
#include "report/json.h"
#include "report/whatif.h"

/* What an estimate is, in short. */
static void write_answer(struct json_writer *writer, const char *key, const struct paradl_estimate *estimate)
{
	char strategy[PARADL_PLAN_TEXT];
	json_begin_object(writer, key);
	paradl_plan_format(&estimate->plan, strategy, sizeof strategy);
	json_write_text(writer, "strategy", strategy);
	json_write_number(writer, "gpus", estimate->devices);
	json_write_number(writer, "batch", estimate->plan.batch);
	json_write_number(writer, "iteration_s", estimate->iteration_s);
	json_positive(writer, "epoch_s", estimate->epoch_s > 0 ? estimate->epoch_s : -1);
	json_begin_object(writer, "phases_s");
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		json_write_number(writer, paradl_phase_name((enum paradl_phase)i), estimate->phase_s[i]);
	json_end_object(writer);
	json_write_number(writer, "memory_bytes", estimate->memory_bytes);
	json_write_bool(writer, "fits", estimate->fits);
	json_positive(writer, "energy_joule_per_epoch", estimate->energy_joule_per_epoch);
	json_positive(writer, "cost_per_epoch", estimate->cost_per_epoch);
	json_write_text(writer, "limited_by", estimate->limited_by.text);
	json_end_object(writer);
}

static void write_point(struct json_writer *writer, const char *key, const struct paradl_whatif_point *point)
{
	json_begin_object(writer, key);
	json_write_number(writer, "times", point->times);
	if (point->runs) {
		json_write_number(writer, "change", point->change);
		write_answer(writer, "answer", &point->estimate);
		json_write_null(writer, "reason");
	} else {
		json_write_null(writer, "change");
		json_write_null(writer, "answer");
		json_write_text(writer, "reason", point->reason);
	}
	json_end_object(writer);
}

static void write_input(struct json_writer *writer, const struct paradl_whatif_input *input)
{
	json_write_text(writer, "input", input->name);
	json_write_text(writer, "text", input->text);
	json_begin_array(writer, "keys");
	for (size_t i = 0; i < input->key_count; i++)
		json_write_text(writer, NULL, input->keys[i]);
	json_end_array(writer);
}

static void write_row(struct json_writer *writer, const struct paradl_whatif_row *row)
{
	json_begin_object(writer, NULL);
	write_input(writer, &row->input);
	json_write_number(writer, "span", row->span);
	write_point(writer, "low", &row->low);
	write_point(writer, "high", &row->high);
	json_end_object(writer);
}

static void write_need(struct json_writer *writer, const struct paradl_whatif_need *need)
{
	json_begin_object(writer, NULL);
	write_input(writer, &need->input);
	json_write_bool(writer, "reached", need->reached);
	json_write_number(writer, "times", need->times);
	json_write_number(writer, "value", need->stops);
	write_answer(writer, "answer", &need->estimate);
	json_end_object(writer);
}

static void write_pair(struct json_writer *writer, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	json_begin_object(writer, "pair");
	json_write_text(writer, "upgrade", report->upgrade ? report->upgrade->name : NULL);
	write_answer(writer, "before", &pair->before);
	write_point(writer, "after", &pair->after);
	if (pair->has_best)
		write_point(writer, "best", &pair->best);
	else
		json_write_null(writer, "best");
	json_positive(writer, "equal_gpus", pair->equal_devices > 0 ? pair->equal_devices : -1);
	json_end_object(writer);
}

static void write_target(struct json_writer *writer, const struct paradl_whatif_target *target)
{
	json_begin_object(writer, "target");
	json_write_text(writer, "measure", paradl_measure_name(target->measure));
	json_write_number(writer, "wanted", target->wanted);
	json_write_number(writer, "has", target->has);
	write_answer(writer, "answer", &target->estimate);
	json_begin_array(writer, "inputs");
	for (size_t i = 0; i < target->count; i++)
		write_need(writer, &target->rows[i]);
	json_end_array(writer);
	json_end_object(writer);
}

static void write_tornado(struct json_writer *writer, const struct paradl_tornado *tornado)
{
	json_begin_object(writer, "tornado");
	json_write_number(writer, "vary", tornado->vary);
	write_answer(writer, "answer", &tornado->estimate);
	json_begin_array(writer, "inputs");
	for (size_t i = 0; i < tornado->count; i++)
		write_row(writer, &tornado->rows[i]);
	json_end_array(writer);
	json_end_object(writer);
}

static const char *goal_name(enum paradl_goal goal)
{
	static const char *const names[] = {"time", "memory", "cost", "energy", "throughput"};
	return names[goal];
}

void json_whatif(struct report_sink *sink, const struct report_whatif *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_document(&writer, "paradl-whatif-1", report->head);
	json_write_text(&writer, "goal", goal_name(report->goal));
	json_write_bool(&writer, "best", report->is_best);
	if (report->tornado)
		write_tornado(&writer, report->tornado);
	else if (report->target)
		write_target(&writer, report->target);
	else
		write_pair(&writer, report);
	json_end_document(&writer, report->head);
}

/* An object for each input; of two settings, both. */
void jsonl_whatif(struct report_sink *sink, const struct report_whatif *report)
{
	for (size_t i = 0; report->tornado && i < report->tornado->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_row(&writer, &report->tornado->rows[i]);
	}
	for (size_t i = 0; report->target && i < report->target->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_need(&writer, &report->target->rows[i]);
	}
	if (report->pair) {
		struct json_writer writer = json_writer_for(sink, true);
		write_answer(&writer, NULL, &report->pair->before);
		writer = json_writer_for(sink, true);
		write_point(&writer, NULL, &report->pair->after);
	}
}

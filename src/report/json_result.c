/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

struct json_writer json_writer_for(const struct report_sink *sink, bool compact)
{
	return (struct json_writer){.file = sink->file, .compact = compact};
}

void json_positive(struct json_writer *writer, const char *key, double value)
{
	if (value < 0)
		json_write_null(writer, key);
	else
		json_write_number(writer, key, value);
}

size_t json_shown(const struct report_advice *advice, const struct paradl_ranking *ranking)
{
	return advice->top > 0 && advice->top < ranking->count ? advice->top : ranking->count;
}

/* null where input is not modelled. */
static double input_value(const struct paradl_estimate *estimate, double seconds)
{
	return estimate->input_known ? seconds : -1;
}

static void write_phases(struct json_writer *writer, const struct paradl_estimate *estimate)
{
	json_begin_object(writer, "phases_s");
	json_positive(writer, "input", input_value(estimate, estimate->phase_s[PARADL_INPUT]));
	for (size_t i = 0; i < PARADL_INPUT; i++)
		json_write_number(writer, paradl_phase_name((enum paradl_phase)i), estimate->phase_s[i]);
	json_end_object(writer);
}

/* Of networks of tokens, and plans with options. */
static void write_moment(struct json_writer *writer, const struct paradl_memory *memory)
{
	json_write_number(writer, "logits_bytes", memory->logits_bytes);
	json_write_number(writer, "communication_bytes", memory->communication_bytes);
	json_write_number(writer, "context_bytes", memory->context_bytes);
	json_write_number(writer, "fragmentation_bytes", memory->fragmentation_bytes);
	json_write_number(writer, "stage", memory->stage > 0 ? memory->stage : 1);
	json_write_number(writer, "in_flight", memory->in_flight);
	json_write_text(writer, "moment", paradl_moment_name(memory->moment));
}

static void write_memory(struct json_writer *writer, const struct paradl_estimate *estimate)
{
	json_write_number(writer, "memory_bytes", estimate->memory_bytes);
	json_begin_object(writer, "memory");
	json_write_number(writer, "weights_bytes", estimate->memory.weights_bytes);
	json_write_number(writer, "gradients_bytes", estimate->memory.gradients_bytes);
	json_write_number(writer, "optimizer_bytes", estimate->memory.optimizer_bytes);
	json_write_number(writer, "activations_bytes", estimate->memory.activations_bytes);
	json_write_number(writer, "workspace_bytes", estimate->memory.workspace_bytes);
	if (estimate->memory.moment != PARADL_MOMENT_PASS)
		write_moment(writer, &estimate->memory);
	if (estimate->inference.prompts_s > 0)
		json_write_number(writer, "cache_bytes", estimate->memory.cache_bytes);
	json_end_object(writer);
}

static void write_limit(struct json_writer *writer, const struct paradl_limit *limit)
{
	json_begin_object(writer, "limited_by");
	json_write_text(writer, "phase", paradl_phase_name(limit->phase));
	json_write_text(writer, "kind", limit->kind == PARADL_LIMITATION ? "limitation" : "bottleneck");
	json_write_text(writer, "text", limit->text);
	json_write_number(writer, "share", limit->share);
	json_write_text(writer, "improve", limit->improve);
	json_end_object(writer);
}

static void write_inference(struct json_writer *writer, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const bool is_text = inference->output_tokens > 0, is_tokens = inference->prompt_tokens > 0;
	json_begin_object(writer, "inference");
	json_positive(writer, "prompt_tokens", is_tokens ? inference->prompt_tokens : -1);
	json_positive(writer, "answer_tokens", is_text ? inference->output_tokens : -1);
	json_write_number(writer, "prompts_s", inference->prompts_s);
	json_positive(writer, "token_s", is_text ? inference->token_s : -1);
	json_positive(writer, "tokens_per_s", is_text ? inference->tokens_per_s : -1);
	json_positive(
		writer, "tokens_per_s_per_gpu", is_text ? inference->tokens_per_s / estimate->devices : -1);
	json_positive(writer, "prompt_tokens_per_s", is_tokens ? inference->prompt_tokens_per_s : -1);
	json_positive(writer, "token_mfu", is_text ? inference->token_flop_share : -1);
	json_positive(writer, "cache_bytes_per_token", is_text ? inference->cache_bytes_per_token : -1);
	json_write_number(writer, "memory_bound_share", inference->memory_share);
	json_write_number(writer, "launch_bound_share", inference->launch_share);
	json_write_number(writer, "largest_batch", inference->largest_batch);
	json_write_number(writer, "largest_batch_samples_per_s", inference->largest_batch_answers_per_s);
	json_positive(
		writer, "largest_batch_tokens_per_s", is_text ? inference->largest_batch_tokens_per_s : -1);
	json_end_object(writer);
}

void json_begin_result(struct json_writer *writer, const struct report_head *head,
	const struct paradl_estimate *estimate, size_t rank)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&estimate->plan, plan, sizeof plan);
	json_begin_named_result(writer, head, plan, estimate, rank);
	json_launch(writer, head, estimate);
}

void json_begin_estimate(struct json_writer *writer, const struct report_estimate *report)
{
	if (report->parts)
		json_begin_named_result(writer, report->head, report->parts->file, report->estimate, 1);
	else
		json_begin_result(writer, report->head, report->estimate, 1);
	json_power(writer, &report->power);
	json_price(writer, &report->price);
}

void json_begin_named_result(struct json_writer *writer, const struct report_head *head, const char *strategy,
	const struct paradl_estimate *estimate, size_t rank)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "rank", (double)rank);
	json_write_text(writer, "strategy", strategy);
	json_write_number(writer, "gpus", estimate->devices);
	json_write_number(writer, "batch", estimate->plan.batch);
	json_write_bool(writer, "feasible", estimate->fits);
	json_write_number(writer, "iteration_s", estimate->iteration_s);
	json_positive(writer, "epoch_s", estimate->epoch_s > 0 ? estimate->epoch_s : -1);
	json_write_number(writer, "compute_s", estimate->compute_s);
	json_write_number(writer, "communication_s", estimate->communication_s);
	json_write_number(writer, "exposed_communication_s", estimate->exposed_communication_s);
	json_positive(writer, "io_s", input_value(estimate, estimate->input_s));
	json_positive(writer, "exposed_io_s", input_value(estimate, estimate->phase_s[PARADL_INPUT]));
	json_write_number(writer, "bubble_s", estimate->phase_s[PARADL_BUBBLE]);
	write_phases(writer, estimate);
	write_memory(writer, estimate);
	json_write_number(writer, "samples_per_s", estimate->samples_per_s);
	json_write_number(writer, "flop_per_s_per_gpu", estimate->flop_per_s_per_device);
	json_write_number(writer, "mfu", estimate->mfu);
	json_positive(writer, "power_watt", estimate->watt);
	json_positive(writer, "cost_per_hour", estimate->cost_per_hour);
	json_positive(writer, "energy_joule_per_epoch", estimate->energy_joule_per_epoch);
	json_positive(writer, "cost_per_epoch", estimate->cost_per_epoch);
	json_write_text(writer, "currency", estimate->cost_per_hour < 0 ? NULL : head->machine.currency);
	write_limit(writer, &estimate->limited_by);
	if (estimate->inference.prompts_s > 0)
		write_inference(writer, estimate);
	json_write_number(writer, "waiting_s", estimate->waiting_s);
	json_write_number(writer, "iteration_quiet_s", estimate->iteration_quiet_s);
	json_write_number(writer, "memory_capacity_bytes", estimate->capacity_bytes);
	json_write_number(writer, "micro_batches", estimate->micro_batches);
	json_write_bool(writer, "uneven", estimate->uneven);
	json_positive(writer, "error_share", estimate->error_share);
	json_begin_array(writer, "unchecked");
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; i++)
		if (estimate->unchecked & 1u << i)
			json_write_text(writer, NULL, paradl_unchecked_text((enum paradl_unchecked)i));
	json_end_array(writer);
	if (estimate->gradient_algorithm) {
		json_begin_object(writer, "gradient_exchange");
		json_write_text(writer, "algorithm", estimate->gradient_algorithm);
		json_write_text(writer, "compression", estimate->gradient_compression);
		json_write_number(writer, "messages", estimate->gradient_messages);
		json_write_number(writer, "hidden_s", estimate->gradient_hidden_s);
		json_end_object(writer);
	} else {
		json_write_null(writer, "gradient_exchange");
	}
}

void json_infeasible(
	struct json_writer *writer, const struct paradl_infeasible *infeasible, double gpus, bool is_row)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "strategy", infeasible->strategy);
	if (is_row)
		json_write_bool(writer, "feasible", false);
	json_write_text(writer, "reason", infeasible->reason);
	json_write_text(writer, "needs", *infeasible->needs ? infeasible->needs : NULL);
	if (gpus >= 0)
		json_write_number(writer, "gpus", gpus);
	json_end_object(writer);
}

const char *report_error_code(enum paradl_status status)
{
	switch (status) {
	case PARADL_OK:
		break;
	case PARADL_NO_MEMORY:
		return "no-memory";
	case PARADL_IO:
		return "io";
	case PARADL_SYNTAX:
		return "syntax";
	case PARADL_SCHEMA:
		return "schema";
	case PARADL_USAGE:
		return "usage";
	case PARADL_INFEASIBLE:
		return "infeasible";
	case PARADL_NO_TOOL:
		return "no-tool";
	}
	return "internal";
}

static void write_error(struct json_writer *writer, const char *key, const struct paradl_error *error)
{
	json_begin_object(writer, key);
	json_write_text(writer, "code", report_error_code(error->status));
	json_write_text(writer, "message", error->message);
	json_write_text(writer, "file", *error->path ? error->path : NULL);
	json_positive(writer, "line", error->line > 0 ? error->line : -1);
	json_positive(writer, "column", error->column > 0 ? error->column : -1);
	json_write_text(writer, "pointer", error->line > 0 ? error->pointer : NULL);
	json_write_text(writer, "hint", *error->hint ? error->hint : NULL);
	json_end_object(writer);
}

void report_error_json(FILE *file, bool compact, const struct paradl_error *error)
{
	struct json_writer writer = {.file = file, .compact = compact};
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-error-1");
	write_error(&writer, "error", error);
	json_end_object(&writer);
}

void json_checked_file(struct json_writer *writer, const struct checked_file *file)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "path", file->path);
	json_write_bool(writer, "valid", file->valid);
	json_write_text(writer, "format", file->valid ? file->findings.format : NULL);
	json_begin_array(writer, "warnings");
	for (size_t i = 0; i < file->findings.count; i++)
		json_write_text(writer, NULL, file->findings.warnings[i]);
	json_end_array(writer);
	if (file->valid)
		json_write_null(writer, "error");
	else
		write_error(writer, "error", &file->error);
	json_end_object(writer);
}

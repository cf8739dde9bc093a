/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number of an estimate. */
#include "golden/golden.h"
#include "paradl/oracle.h"

#include <stdio.h>

void tell_plan(struct text *text, const struct paradl_plan *plan)
{
	char words[PARADL_PLAN_TEXT];
	paradl_plan_format(plan, words, sizeof words);
	text_word(text, "plan", words);
	text_number(text, "plan.batch", plan->batch);
}

static void tell_memory(struct text *text, const struct paradl_estimate *estimate)
{
	NUMBER(text, estimate, memory_bytes);
	NUMBER(text, estimate, capacity_bytes);
	NUMBER(text, estimate, memory.weights_bytes);
	NUMBER(text, estimate, memory.gradients_bytes);
	NUMBER(text, estimate, memory.optimizer_bytes);
	NUMBER(text, estimate, memory.activations_bytes);
	NUMBER(text, estimate, memory.logits_bytes);
	NUMBER(text, estimate, memory.workspace_bytes);
	NUMBER(text, estimate, memory.communication_bytes);
	NUMBER(text, estimate, memory.context_bytes);
	NUMBER(text, estimate, memory.fragmentation_bytes);
	NUMBER(text, estimate, memory.stage);
	NUMBER(text, estimate, memory.in_flight);
	NUMBER(text, estimate, memory.moment);
	NUMBER(text, estimate, memory.cache_bytes);
	NUMBER(text, estimate, fits);
}

static void tell_inference(struct text *text, const struct paradl_estimate *estimate)
{
	NUMBER(text, estimate, inference.prompt_tokens);
	NUMBER(text, estimate, inference.output_tokens);
	NUMBER(text, estimate, inference.prompts_s);
	NUMBER(text, estimate, inference.token_s);
	NUMBER(text, estimate, inference.first_error_share);
	NUMBER(text, estimate, inference.tokens_per_s);
	NUMBER(text, estimate, inference.prompt_tokens_per_s);
	NUMBER(text, estimate, inference.token_flop_share);
	NUMBER(text, estimate, inference.cache_bytes_per_token);
	NUMBER(text, estimate, inference.largest_batch);
	NUMBER(text, estimate, inference.largest_batch_answers_per_s);
	NUMBER(text, estimate, inference.largest_batch_tokens_per_s);
	NUMBER(text, estimate, inference.memory_share);
	NUMBER(text, estimate, inference.launch_share);
}

static void tell_times(struct text *text, const struct paradl_estimate *estimate)
{
	char name[64];
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i) {
		snprintf(name, sizeof name, "phase_s.%s", paradl_phase_name((enum paradl_phase)i));
		text_number(text, name, estimate->phase_s[i]);
	}
	NUMBER(text, estimate, compute_s);
	NUMBER(text, estimate, communication_s);
	NUMBER(text, estimate, exposed_communication_s);
	NUMBER(text, estimate, waiting_s);
	NUMBER(text, estimate, gradient_host_s);
	NUMBER(text, estimate, gradient_waiting_s);
	NUMBER(text, estimate, iteration_s);
	NUMBER(text, estimate, iteration_quiet_s);
	NUMBER(text, estimate, epoch_s);
	NUMBER(text, estimate, input_s);
	NUMBER(text, estimate, input_known);
	text_word(text, "gradient_algorithm", estimate->gradient_algorithm);
	text_word(text, "gradient_compression", estimate->gradient_compression);
	NUMBER(text, estimate, gradient_messages);
	NUMBER(text, estimate, gradient_hidden_s);
}

void tell_estimate(struct text *text, const struct paradl_estimate *estimate)
{
	tell_plan(text, &estimate->plan);
	NUMBER(text, estimate, devices);
	NUMBER(text, estimate, local_batch);
	NUMBER(text, estimate, micro_batches);
	NUMBER(text, estimate, uneven);
	tell_times(text, estimate);
	tell_memory(text, estimate);
	NUMBER(text, estimate, error_share);
	NUMBER(text, estimate, unchecked);
	NUMBER(text, estimate, samples_per_s);
	NUMBER(text, estimate, flop_per_s_per_device);
	NUMBER(text, estimate, mfu);
	NUMBER(text, estimate, watt);
	NUMBER(text, estimate, cost_per_hour);
	NUMBER(text, estimate, energy_joule_per_epoch);
	NUMBER(text, estimate, cost_per_epoch);
	NUMBER(text, estimate, limited_by.phase);
	NUMBER(text, estimate, limited_by.kind);
	NUMBER(text, estimate, limited_by.share);
	text_word(text, "limited_by.text", estimate->limited_by.text);
	text_word(text, "limited_by.improve", estimate->limited_by.improve);
	tell_inference(text, estimate);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "oracle/rules.h"

/* Adds what plans of every network may ask for. */
static void offered_resolve(const struct framework_training *training, struct rules *rules)
{
	rules->selective_share = training->selective_share;
	rules->overlap_gathers = training->overlap_gathers;
	rules->overlap_shards = training->overlap_shards;
	rules->overlap_tensor = training->overlap_tensor;
	rules->overlap_experts = training->overlap_experts;
	rules->overlap_context = training->overlap_context;
	rules->interference = training->interference;
	rules->scatter_gather = training->scatter_gather;
	rules->balanced = training->balanced;
}

static void images_resolve(const struct paradl_framework *framework, struct rules *rules)
{
	*rules = (struct rules){.schedule = PARADL_GPIPE,
		.micro_batches = framework->micro_batches,
		.links_queue = true,
		.recompute = PARADL_RECOMPUTE_NONE,
		.recompute_stages = framework->recompute,
		.host = HOST_STRETCHES,
		.host_call_s = framework->host_call_s,
		.redistribution_s = framework->collective_s,
		.gradient_passes = framework->gradient_passes,
		.gradient_tensor_s = framework->gradient_tensor_s,
		.bucket_bytes = framework->bucket_bytes,
		.spatial_leader = framework->spatial_leader,
		.overlap_gradients = framework->overlap,
		.jitter_s = framework->jitter_s,
		.jitter_growth = framework->jitter_growth,
		.own_maxima = true,
		.frees_early = true,
		.holds_inputs = true,
		.gradient_buffers = framework->gradient_buffers,
		.workspace_bytes = framework->workspace_bytes};
	offered_resolve(&framework->training, rules);
}

static void tokens_resolve(const struct paradl_framework *framework, struct rules *rules)
{
	const struct framework_training *training = &framework->training;
	*rules = (struct rules){.schedule = PARADL_1F1B,
		.micro_samples = 1,
		.stage_blocking = training->stage_blocking,
		.stage_start_s = training->stage_start_s,
		.recompute = training->recompute,
		.host = training->host_exposed > 0 ? HOST_BLOCKS : HOST_RUNS_AHEAD,
		.host_block_s = training->graphs ? 0 : training->host_layer_s,
		.host_moe_s = training->host_moe_layer_s,
		.host_collective_s = training->graphs ? 0 : training->host_collective_s,
		.host_micro_batch_s = training->graphs ? 0 : training->host_micro_batch_s,
		.host_sharpness = training->host_sharpness > 0 ? training->host_sharpness : 4.4,
		.host_exposed = training->host_exposed,
		.host_unsure = true,
		.library_starts = true,
		.collective_sync_s = training->collective_sync_s,
		.gradient_bytes = training->gradient_bytes,
		.bucket_bytes = training->bucket_bytes,
		.overlap_gradients = training->overlap_gradients,
		.step_s = training->step_s,
		.step_bytes = training->step_bytes,
		.moments = true,
		.context_bytes = training->context_bytes,
		.communicator_bytes = training->communicator_bytes,
		.fragmentation = training->fragmentation,
		.logits_bytes = training->logits_bytes,
		.step_memory_bytes = training->step_memory_bytes,
		.gradient_held_bytes = training->gradient_held_bytes,
		.workspace_bytes = framework->workspace_bytes,
		.stage_outputs = training->stage_outputs};
	offered_resolve(training, rules);
}

void rules_resolve(const struct paradl_framework *framework, bool tokens, bool ideal, struct rules *rules)
{
	if (ideal)
		*rules = (struct rules){.ideal = true,
			.schedule = PARADL_GPIPE,
			.micro_samples = tokens ? 1 : 0,
			.links_queue = true,
			.balanced = true,
			.recompute = PARADL_RECOMPUTE_NONE,
			.own_maxima = true};
	else if (tokens)
		tokens_resolve(framework, rules);
	else
		images_resolve(framework, rules);
}

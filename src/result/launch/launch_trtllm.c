/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the flags of TensorRT-LLM's trtllm-serve 1.0, and the file with the options that have no flags. --tp_size
 * counts all devices of a stage. With enable_attention_dp, each of them has sequences of its own, and numbers are
 * those of each. --ep_size deals experts out, and the rest of --tp_size cuts each expert. Formats of weights are the
 * checkpoint's. MPI starts it across nodes.
 */
#include <math.h>

#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define LINE(...)   launch_add(launch, &launch->file, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static const char file_name[] = "trtllm_options.yaml";

static void tell_command(struct launch *launch, const struct launch_job *job)
{
	struct launch_list *const command = &launch->command;
	if (job->nodes > 1) {
		launch_add(launch, command, "mpirun");
		launch_add(launch, command, "-n %u", job->estimate->devices);
		launch_add(launch, command, "--map-by ppr:%u:node", job->per_node);
		launch_add(launch, command, "trtllm-llmapi-launch");
	}
	launch_add(launch, command, "trtllm-serve");
	launch_add(launch, command, "\"$MODEL\"");
}

static void tell_axes(struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
{
	static const enum paradl_axis nesting[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_EXPERT, PARADL_TENSOR};
	FLAG("--tp_size %u", engine->tensor * engine->expert);
	FLAG("--pp_size %u", engine->pipeline);
	if (engine->has_experts)
		FLAG("--ep_size %u", engine->expert * (engine->deals ? engine->tensor : 1));
	if (job->nodes > 1)
		FLAG("--gpus_per_node %u", job->per_node);
	if (engine->data > 1)
		engine_replicas(launch, "trtllm", job, engine);
	if (engine->expert > 1 && engine->tensor > 1)
		CANNOT("trtllm gives each device sequences of its own, or none; nearest: expert=%u",
			engine->expert * engine->tensor);
	launch_nesting(launch, "trtllm", job->plan, nesting, sizeof nesting / sizeof nesting[0]);
}

static void tell_file(struct launch *launch, const struct engine_job *engine)
{
	launch->file_name = file_name;
	LINE("enable_attention_dp: %s", engine->expert > 1 ? "true" : "false");
	LINE("enable_chunked_prefill: true");
	if (engine->dtype && !engine->is_fp8 && !engine->is_fp4)
		LINE("dtype: %s", engine->dtype);
	LINE("kv_cache_config:");
	LINE("  dtype: %s", engine->is_cache_fp8 ? "fp8" : "auto");
	LINE("  enable_block_reuse: %s", engine->knows_prefix ? "true" : "false");
	LINE("  free_gpu_memory_fraction: %.3f", floor(1000 * engine->cache_share) / 1000);
	if (engine->guessed > 0) {
		LINE("speculative_config:");
		LINE("  decoding_type: NGram");
		LINE("  max_draft_len: %.15g", engine->guessed);
		LINE("  max_matching_ngram_size: 4");
	}
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "trtllm", job, &engine))
		return;
	tell_command(launch, job);
	tell_axes(launch, job, &engine);
	FLAG("--max_batch_size %.15g", engine.sequences);
	FLAG("--max_num_tokens %.15g", engine.chunk);
	FLAG("--max_seq_len %.15g", engine.length);
	FLAG("--extra_llm_api_options %s", file_name);
	tell_file(launch, &engine);
}

const struct launcher launcher_trtllm = {
	.name = "trtllm",
	.summary = "flags of TensorRT-LLM's trtllm-serve, and its options",
	.frameworks = "trtllm",
	.profile = "trtllm",
	.serves = true,
	.across = "Run it on one node; MPI starts the others, and the file must be on each.",
	.tell = tell,
};

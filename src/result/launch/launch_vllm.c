/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the flags of vLLM's server, as version 0.11 names them. Data is outermost, then pipeline, then tensor.
 * Replicas along data share experts, which --enable-expert-parallel deals out over data and tensor, so the expert
 * axis is data that shares experts. Numbers of sequences and tokens are those of each replica. Ray starts it across
 * nodes.
 */
#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_axes(struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
{
	static const enum paradl_axis nesting[] = {
		PARADL_DATA, PARADL_EXPERT, PARADL_PIPELINE, PARADL_TENSOR};
	const unsigned replicas = engine->data * engine->expert;
	FLAG("--tensor-parallel-size %u", engine->tensor);
	FLAG("--pipeline-parallel-size %u", engine->pipeline);
	FLAG("--data-parallel-size %u", replicas);
	if (engine->deals && replicas * engine->tensor > 1)
		FLAG("--enable-expert-parallel");
	if (job->nodes > 1)
		FLAG("--distributed-executor-backend ray");
	if (job->nodes > 1 && replicas > 1)
		FLAG("--data-parallel-backend ray");
	if (engine->has_experts && engine->data > 1)
		CANNOT("vllm shares experts among all replicas; nearest: expert=%u", replicas);
	if (engine->expert > 1 && engine->tensor > 1 && !engine->deals)
		CANNOT("vllm deals experts out to the tensor axis, too; nearest: without experts=tensor");
	launch_nesting(launch, "vllm", job->plan, nesting, sizeof nesting / sizeof nesting[0]);
}

static void tell_formats(struct launch *launch, const struct engine_job *engine)
{
	if (engine->dtype)
		FLAG("--dtype %s", engine->dtype);
	if (engine->is_fp8 || engine->is_fp4)
		FLAG("--quantization %s", engine->is_fp8 ? "fp8" : "modelopt_fp4");
	FLAG("--kv-cache-dtype %s", engine->is_cache_fp8 ? "fp8" : "auto");
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "vllm", job, &engine))
		return;
	launch_add(launch, &launch->command, "vllm");
	launch_add(launch, &launch->command, "serve");
	launch_add(launch, &launch->command, "\"$MODEL\"");
	tell_axes(launch, job, &engine);
	FLAG("--max-num-seqs %.15g", engine.sequences);
	FLAG("--enable-chunked-prefill");
	FLAG("--max-num-batched-tokens %.15g", engine.chunk);
	FLAG("--max-model-len %.15g", engine.length);
	FLAG("--gpu-memory-utilization %.3g", engine.memory_share);
	tell_formats(launch, &engine);
	FLAG(engine.knows_prefix ? "--enable-prefix-caching" : "--no-enable-prefix-caching");
	if (engine.guessed > 0) {
		FLAG("--speculative-config.method ngram");
		FLAG("--speculative-config.num_speculative_tokens %.15g", engine.guessed);
		FLAG("--speculative-config.prompt_lookup_max 4");
	}
}

const struct launcher launcher_vllm = {
	.name = "vllm",
	.summary = "flags of vLLM's server",
	.frameworks = "vllm",
	.profile = "vllm",
	.serves = true,
	.across = "Run it on one node of a Ray cluster that has all of them.",
	.tell = tell,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells serving engines how to run a plan: their settings, and the flags of vLLM, SGLang and TensorRT-LLM. */
#include "result/launch/launch.h"

#include <math.h>

/*
 * Fills the settings of serving engines, so that they run a plan as it was estimated. An engine runs as many
 * sequences at a time as a replica has clients; for requests that come at a rate, as many as fit in memory; or as the
 * plan says. Chunks of prompts, memory and formats are those of the rules of the framework. The estimate fills the share S of the memory M
 * with weights W, caches and working memory B. Shares of memory follow:
 *     all of it, of M                            S
 *     weights and caches, of M                   S - B / M
 *     caches, of the memory that W and B leave   (S M - W - B) / (M - W - B)
 */

static void fill_memory(const struct launch_job *job, struct engine_job *engine)
{
	const struct paradl_estimate *const estimate = job->estimate;
	const double all = estimate->capacity_bytes, share = job->head->framework.serve_memory,
		     weights = estimate->memory.weights_bytes,
		     working = estimate->memory_bytes - weights - estimate->memory.cache_bytes;
	engine->memory_share = share;
	engine->static_share = share - working / all;
	engine->cache_share = (share * all - weights - working) / (all - weights - working);
}

static void fill_formats(const struct launch_job *job, struct engine_job *engine)
{
	const enum paradl_precision precision = job->precision;
	const bool is_half = precision == PARADL_FP16 || precision == PARADL_FP16_MIXED;
	engine->is_fp8 = precision == PARADL_FP8_MIXED || precision == PARADL_MXFP8_MIXED;
	engine->is_fp4 = precision == PARADL_FP4_MIXED;
	engine->is_cache_fp8 = (engine->is_fp8 || engine->is_fp4) && job->head->framework.serve_narrow_cache;
	engine->dtype = precision == PARADL_TF32   ? NULL
			: precision == PARADL_FP32 ? "float32"
			: is_half                  ? "float16"
						   : "bfloat16";
}

/* Reports the options of the plan that no engine has. */
static void refuse_options(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine)
{
	const struct paradl_plan *const plan = job->plan;
	const struct report_head *const head = job->head;
	launch_divides(launch, program, job);
	if (!engine->dtype)
		launch_add(launch, &launch->cannot, "%s has no %s; nearest: fp32", program, head->precision);
	if (launcher_of(head->framework.name) != head->launcher)
		launch_add(launch, &launch->cannot,
			"%s serves otherwise than %s, as which this is estimated; nearest: --framework %s",
			program, head->framework.name, head->launcher->profile);
	if (plan->split_count)
		launch_add(launch, &launch->cannot, "%s deals blocks out itself, without split=...", program);
	if (plan->micro > 0 && plan->degree[PARADL_PIPELINE] > 1)
		launch_add(launch, &launch->cannot,
			"%s cuts steps into as many parts as stages, not micro=%.15g", program, plan->micro);
	if (plan->sequence && plan->degree[PARADL_TENSOR] > 1)
		launch_add(launch, &launch->cannot, "%s has no sequence=on; nearest: sequence=off", program);
}

bool engine_job_fill(
	struct launch *launch, const char *program, const struct launch_job *job, struct engine_job *engine)
{
	const unsigned axes =
		1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT | 1U << PARADL_TENSOR;
	const struct paradl_inference *const served = &job->estimate->inference;
	const struct report_head *const head = job->head;
	const unsigned *const degree = job->plan->degree;
	if (!launch_axes(launch, program, job, axes))
		return false;
	if (!(served->output_tokens > 0) || !(job->dimensions->blocks > 0)) {
		launch_add(launch, &launch->cannot,
			"%s serves transformers that generate text, and %s is none", program,
			head->model.name);
		return false;
	}
	const double seats = floor(served->largest_batch / job->replicas);
	*engine = (struct engine_job){.data = degree[PARADL_DATA],
		.expert = degree[PARADL_EXPERT],
		.tensor = degree[PARADL_TENSOR],
		.pipeline = degree[PARADL_PIPELINE],
		.has_experts = job->dimensions->experts > 0,
		.deals = job->dimensions->experts > 0 && !job->plan->expert_tensor,
		.sequences = fmax(1, head->rate_per_s > 0 || job->plan->seqs > 0
					     ? seats
					     : ceil(job->estimate->local_batch)),
		.chunk = job->plan->chunk ? job->plan->chunk : head->framework.serve_chunk,
		.balance = head->framework.serve_balance,
		.length = served->longest_tokens,
		.guessed = head->speculative_tokens,
		.knows_prefix = head->cached_prefix > 0};
	fill_memory(job, engine);
	fill_formats(job, engine);
	refuse_options(launch, program, job, engine);
	return true;
}

void engine_replicas(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine)
{
	launch_add(launch, &launch->cannot,
		"%s starts one of %u replicas that share nothing: start as many, on %u GPUs each, behind a "
		"balancer",
		program, engine->data, job->estimate->devices / engine->data);
}

/*
 * Writes the flags of vLLM's server, as version 0.11 names them. Data is outermost, then pipeline, then tensor.
 * Replicas along data share experts, which --enable-expert-parallel deals out over data and tensor, so the expert
 * axis is data that shares experts. Numbers of sequences and tokens are those of each replica. Ray starts it across
 * nodes.
 */

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void vllm_tell_axes(
	struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
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

static void vllm_tell_formats(struct launch *launch, const struct engine_job *engine)
{
	if (engine->dtype)
		FLAG("--dtype %s", engine->dtype);
	if (engine->is_fp8 || engine->is_fp4)
		FLAG("--quantization %s", engine->is_fp8 ? "fp8" : "modelopt_fp4");
	FLAG("--kv-cache-dtype %s", engine->is_cache_fp8 ? "fp8" : "auto");
}

static void vllm_tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "vllm", job, &engine))
		return;
	launch_add(launch, &launch->command, "vllm");
	launch_add(launch, &launch->command, "serve");
	launch_add(launch, &launch->command, "\"$MODEL\"");
	vllm_tell_axes(launch, job, &engine);
	FLAG("--max-num-seqs %.15g", engine.sequences);
	FLAG("--enable-chunked-prefill");
	FLAG("--max-num-batched-tokens %.15g", engine.chunk);
	FLAG("--max-model-len %.15g", engine.length);
	FLAG("--gpu-memory-utilization %.3g", engine.memory_share);
	vllm_tell_formats(launch, &engine);
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
	.tell = vllm_tell,
	.pools = &vllm_pools,
};

/*
 * Writes the flags of SGLang's server, as version 0.5 names them. --tp-size counts all devices of a stage. With
 * --enable-dp-attention these are cut into --dp-size parts with sequences of their own; else --dp-size counts whole
 * replicas. --ep-size deals experts out, and the rest of --tp-size cuts each expert. With attention by data, the
 * numbers of requests and tokens are those of all parts together.
 */

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void sglang_tell_axes(
	struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
{
	static const enum paradl_axis nesting[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_EXPERT, PARADL_TENSOR};
	const unsigned dealt = engine->expert * (engine->deals ? engine->tensor : 1);
	FLAG("--tp-size %u", engine->tensor * engine->expert);
	FLAG("--pp-size %u", engine->pipeline);
	FLAG("--dp-size %u", engine->expert > 1 ? engine->expert : engine->data);
	if (engine->expert > 1)
		FLAG("--enable-dp-attention");
	if (engine->has_experts)
		FLAG("--ep-size %u", dealt);
	if (job->nodes > 1) {
		FLAG("--nnodes %u", job->nodes);
		FLAG("--node-rank $NODE_RANK");
		FLAG("--dist-init-addr $MASTER_ADDR:20000");
	}
	if (engine->data > 1 && (engine->expert > 1 || job->nodes > 1))
		engine_replicas(launch, "sglang", job, engine);
	launch_nesting(launch, "sglang", job->plan, nesting, sizeof nesting / sizeof nesting[0]);
}

static void sglang_tell_formats(struct launch *launch, const struct engine_job *engine)
{
	if (engine->dtype)
		FLAG("--dtype %s", engine->dtype);
	if (engine->is_fp8 || engine->is_fp4)
		FLAG("--quantization %s", engine->is_fp8 ? "fp8" : "modelopt_fp4");
	FLAG("--kv-cache-dtype %s", engine->is_cache_fp8 ? "fp8_e4m3" : "auto");
}

static void tell_guesses(struct launch *launch, const struct engine_job *engine)
{
	if (!(engine->guessed > 0))
		return;
	FLAG("--speculative-algorithm NGRAM");
	FLAG("--speculative-num-draft-tokens %.15g", engine->guessed);
	if (engine->pipeline > 1 || engine->expert > 1)
		CANNOT("sglang guesses no tokens beside %s; nearest: without --speculative-tokens",
			engine->pipeline > 1 ? "pipelines" : "attention by data");
}

static void sglang_tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "sglang", job, &engine))
		return;
	launch_add(launch, &launch->command, "python");
	launch_add(launch, &launch->command, "-m sglang.launch_server");
	FLAG("--model-path \"$MODEL\"");
	sglang_tell_axes(launch, job, &engine);
	FLAG("--max-running-requests %.15g", engine.sequences * engine.expert);
	FLAG("--chunked-prefill-size %.15g", engine.chunk * engine.expert);
	FLAG("--max-prefill-tokens %.15g", fmax(engine.chunk, engine.length));
	FLAG("--context-length %.15g", engine.length);
	FLAG("--mem-fraction-static %.3f", floor(1000 * engine.static_share) / 1000);
	sglang_tell_formats(launch, &engine);
	if (!engine.knows_prefix)
		FLAG("--disable-radix-cache");
	tell_guesses(launch, &engine);
}

const struct launcher launcher_sglang = {
	.name = "sglang",
	.summary = "flags of SGLang's server",
	.frameworks = "sglang",
	.profile = "sglang",
	.serves = true,
	.across = "Run it on every node, with MASTER_ADDR=the first of them and NODE_RANK=0, 1, ...",
	.tell = sglang_tell,
	.pools = &sglang_pools,
};

/*
 * Writes the flags of TensorRT-LLM's trtllm-serve 1.0, and the file with the options that have no flags. --tp_size
 * counts all devices of a stage. With enable_attention_dp, each of them has sequences of its own, and numbers are
 * those of each. --ep_size deals experts out, and the rest of --tp_size cuts each expert. Formats of weights are the
 * checkpoint's. MPI starts it across nodes.
 */

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define LINE(...)   launch_add(launch, &launch->file, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static const char trtllm_file[] = "trtllm_options.yaml";

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

static void trtllm_tell_axes(
	struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
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
	launch->file_name = trtllm_file;
	LINE("enable_attention_dp: %s", engine->expert > 1 ? "true" : "false");
	if (engine->expert > 1 && engine->balance > 0) {
		LINE("attention_dp_config:");
		LINE("  enable_balance: true");
		LINE("  batching_wait_iters: 0");
		LINE("  timeout_iters: %.0f", engine->balance);
	}
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

static void trtllm_tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "trtllm", job, &engine))
		return;
	tell_command(launch, job);
	trtllm_tell_axes(launch, job, &engine);
	FLAG("--max_batch_size %.15g", engine.sequences);
	FLAG("--max_num_tokens %.15g", engine.chunk);
	FLAG("--max_seq_len %.15g", engine.length);
	FLAG("--extra_llm_api_options %s", trtllm_file);
	tell_file(launch, &engine);
}

const struct launcher launcher_trtllm = {
	.name = "trtllm",
	.summary = "flags of TensorRT-LLM's trtllm-serve, and its options",
	.frameworks = "trtllm",
	.profile = "trtllm",
	.serves = true,
	.across = "Run it on one node; MPI starts the others, and the file must be on each.",
	.tell = trtllm_tell,
	.pools = &trtllm_pools,
};

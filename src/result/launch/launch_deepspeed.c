/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the flags of Megatron-DeepSpeed's pretrain_gpt.py and the configuration of DeepSpeed 0.14. The pipeline is
 * outermost, then data, then tensor. Sequences are cut as Ulysses does (--ds-sequence-parallel-size), without tensor
 * and pipeline. Hybrid sharding is MiCS, which zero=3 alone has. A pipeline allows zero=1 at most.
 */
#include <math.h>
#include <string.h>

#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define LINE(...)   launch_add(launch, &launch->file, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_axes(struct launch *launch, const struct launch_job *job)
{
	static const enum paradl_axis nesting[] = {
		PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT, PARADL_CONTEXT, PARADL_TENSOR};
	const struct paradl_plan *const plan = job->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR], pipeline = plan->degree[PARADL_PIPELINE],
		       context = plan->degree[PARADL_CONTEXT], expert = plan->degree[PARADL_EXPERT];
	FLAG("--tensor-model-parallel-size %u", tensor);
	FLAG("--pipeline-model-parallel-size %u", pipeline);
	if (pipeline == 1)
		FLAG("--no-pipeline-parallel");
	if (plan->sequence)
		FLAG("--sequence-parallel");
	if (context > 1)
		FLAG("--ds-sequence-parallel-size %u", context);
	if (context > 1 && plan->context != PARADL_CONTEXT_ULYSSES)
		CANNOT("deepspeed cuts sequences along heads only; nearest: context=%u:ulysses", context);
	if (context > 1 && (tensor > 1 || pipeline > 1))
		CANNOT("deepspeed has no context axis beside tensor or pipeline; nearest: context alone");
	if (job->dimensions->experts > 0) {
		FLAG("--num-experts %.15g", job->dimensions->experts);
		FLAG("--topk %.15g", job->dimensions->top_k);
		FLAG("--moe-expert-parallel-size %u", expert);
		if (plan->dispatcher > PARADL_DISPATCHER_ALL_TO_ALL)
			CANNOT("deepspeed sends tokens by all-to-all; nearest: dispatcher=alltoall");
		if (plan->expert_tensor)
			FLAG("--enable-expert-tensor-parallelism");
		else if (tensor > 1)
			CANNOT("deepspeed leaves experts whole on each device of the tensor axis; nearest: "
			       "experts=tensor");
	}
	launch_nesting(launch, "deepspeed", plan, nesting, sizeof nesting / sizeof nesting[0]);
}

static void tell_schedule(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const double blocks = job->dimensions->blocks;
	if (plan->degree[PARADL_PIPELINE] == 1)
		return;
	if (plan->schedule != PARADL_SCHEDULE_DEFAULT && plan->schedule != PARADL_1F1B)
		CANNOT("deepspeed has no schedule but 1f1b; nearest: schedule=1f1b");
	if (plan->split_count)
		CANNOT("deepspeed deals blocks out itself, without split=...; nearest: stages of equal "
		       "blocks");
	else if (fmod(blocks, plan->degree[PARADL_PIPELINE]) > 0)
		CANNOT("deepspeed deals %.15g blocks out to %u stages in its own way", blocks,
			plan->degree[PARADL_PIPELINE]);
}

/* Reports blocks that DeepSpeed lacks. Its experts are as wide as other feed-forward layers, in every block. */
static void tell_limits_of_blocks(struct launch *launch, const struct paradl_dimensions *of)
{
	if (of->key_rank > 0)
		CANNOT("deepspeed has no latent attention; nearest: --flags megatron");
	if (of->qk_norm)
		CANNOT("deepspeed has no norms of queries and keys; nearest: --flags megatron");
	if (of->shared_width > 0)
		CANNOT("deepspeed's shared expert is as wide as the others, and weighted; nearest: --flags "
		       "megatron");
	if (of->dense_blocks > 0 || of->router_bias)
		CANNOT("deepspeed has experts in every block, or every other, and routers without bias");
}

static void tell_activation(struct launch *launch, const struct paradl_dimensions *of)
{
	if (of->gated && strcmp(of->activation, "silu") == 0)
		FLAG("--swiglu");
	else if (of->gated || strcmp(of->activation, "gelu") != 0)
		CANNOT("deepspeed has no flag for %s%s; nearest: %s", of->gated ? "gated " : "",
			of->activation, of->gated ? "silu" : "gelu");
}

static void tell_network(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	FLAG("--num-layers %.15g", of->blocks);
	FLAG("--hidden-size %.15g", of->hidden);
	FLAG("--num-attention-heads %.15g", of->heads);
	if (of->kv_heads < of->heads)
		FLAG("--num-key-value-heads %.15g", of->kv_heads);
	FLAG("--seq-length %.15g", of->tokens);
	FLAG("--max-position-embeddings %.15g", of->positions > 0 ? of->positions : of->tokens);
	if (of->head_dim * of->heads < of->hidden || of->head_dim * of->heads > of->hidden)
		FLAG("--kv-channels %.15g", of->head_dim);
	FLAG("--ffn-hidden-size %.15g", of->feed_forward > 0 ? of->feed_forward : of->expert_width);
	tell_activation(launch, of);
	FLAG("--normalization %s", strcmp(of->norm, "rms") == 0 ? "rmsnorm" : "layernorm");
	if (!(of->positions > 0))
		FLAG("--use-rotary-position-embeddings");
	if (of->rope_theta > 0)
		FLAG("--rope-theta %.15g", of->rope_theta);
	/* Without these flags a tenth is dropped, which costs time. */
	FLAG("--hidden-dropout %.15g", of->dropout);
	FLAG("--attention-dropout %.15g", of->attention_dropout);
	FLAG("--vocab-size %.15g", of->vocabulary);
	if (!of->tied)
		FLAG("--untie-embeddings-and-output-weights");
	if (!of->bias)
		FLAG("--disable-bias-linear");
	if (of->bias != of->qkv_bias)
		CANNOT("deepspeed has biases everywhere or nowhere; nearest: %s",
			of->bias ? "qkv_bias" : "none");
	tell_limits_of_blocks(launch, of);
}

static void tell_recomputation(struct launch *launch, const struct paradl_plan *plan)
{
	if (plan->recompute == PARADL_RECOMPUTE_SELECTIVE)
		FLAG("--recompute-granularity selective");
	if (plan->recompute == PARADL_RECOMPUTE_MODULES)
		CANNOT("deepspeed has no recompute=modules; nearest: recompute=full");
	if (plan->recompute < PARADL_RECOMPUTE_FULL)
		return;
	FLAG("--deepspeed-activation-checkpointing");
	FLAG("--recompute-granularity full");
	FLAG("--recompute-method %s", plan->recompute_blocks ? "block" : "uniform");
	FLAG("--recompute-num-layers %u", plan->recompute_blocks ? plan->recompute_blocks : 1);
}

static void tell_limits(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	if (plan->zero > 1 && plan->degree[PARADL_PIPELINE] > 1)
		CANNOT("deepspeed has no zero=%u with a pipeline; nearest: zero=1", plan->zero);
	if (plan->shard > 0 && plan->shard < replicas && plan->zero < 3)
		CANNOT("deepspeed has no shard=%u with zero=%u; nearest: zero=3 (MiCS)", plan->shard,
			plan->zero);
	if (plan->offload & PARADL_OFFLOAD_WEIGHTS && plan->zero < 3)
		CANNOT("deepspeed has offload=weights with zero=3 only; nearest: zero=3");
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER && plan->zero == 0)
		CANNOT("deepspeed has offload=optimizer with zero=1 to 3 only; nearest: zero=1");
	if (plan->offload & PARADL_OFFLOAD_ACTIVATIONS && plan->recompute != PARADL_RECOMPUTE_FULL)
		CANNOT("deepspeed has offload=activations with recomputation only; nearest: recompute=full");
	if (job->precision >= PARADL_FP8_MIXED)
		CANNOT("deepspeed has no %s of its own; nearest: bf16-mixed",
			paradl_precision_name(job->precision));
}

static void tell_file(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const bool fp16 = job->precision == PARADL_FP16 || job->precision == PARADL_FP16_MIXED;
	const bool fp32 = job->precision == PARADL_FP32 || job->precision == PARADL_TF32;
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	launch->file_name = "ds_config.json";
	LINE("{");
	LINE("  \"train_batch_size\": %.15g,", plan->batch);
	LINE("  \"train_micro_batch_size_per_gpu\": %.15g,", ceil(job->micro));
	LINE("  \"gradient_accumulation_steps\": %.15g,", job->micro_batches);
	if (!fp32)
		LINE("  \"%s\": { \"enabled\": true },", fp16 ? "fp16" : "bf16");
	if (plan->recompute >= PARADL_RECOMPUTE_FULL)
		LINE("  \"activation_checkpointing\": { \"partition_activations\": false, "
		     "\"cpu_checkpointing\": %s },",
			plan->offload & PARADL_OFFLOAD_ACTIVATIONS ? "true" : "false");
	LINE("  \"zero_optimization\": {");
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER && plan->zero > 0)
		LINE("    \"offload_optimizer\": { \"device\": \"cpu\" },");
	if (plan->offload & PARADL_OFFLOAD_WEIGHTS && plan->zero == 3)
		LINE("    \"offload_param\": { \"device\": \"cpu\" },");
	if (plan->shard > 0 && plan->shard < replicas && plan->zero == 3)
		LINE("    \"mics_shard_size\": %u,", plan->shard);
	LINE("    \"overlap_comm\": %s,", job->overlaps_gradients ? "true" : "false");
	LINE("    \"stage\": %u", plan->zero);
	LINE("  }");
	LINE("}");
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	struct launch_list *const command = &launch->command;
	const unsigned axes = 1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT |
			      1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	if (!launch_axes(launch, "deepspeed", job, axes))
		return;
	if (!launch_decoder(launch, "Megatron-DeepSpeed", job))
		return;
	const bool builds = launch_network(launch, "Megatron-DeepSpeed", job);
	if (builds) {
		launch_add(launch, command, "deepspeed");
		launch_add(launch, command, "--num_nodes=%u", job->nodes);
		launch_add(launch, command, "--num_gpus=%u", job->per_node);
		launch_add(launch, command, "pretrain_gpt.py");
	}
	FLAG("--deepspeed");
	FLAG("--deepspeed_config ds_config.json");
	FLAG("--zero-stage %u", plan->zero);
	tell_axes(launch, job);
	tell_schedule(launch, job);
	FLAG("--micro-batch-size %.15g", ceil(job->micro));
	FLAG("--global-batch-size %.15g", plan->batch);
	launch_batch(launch, "deepspeed", job);
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER)
		FLAG("--cpu-optimizer");
	tell_recomputation(launch, plan);
	if (job->precision == PARADL_FP16 || job->precision == PARADL_FP16_MIXED)
		FLAG("--fp16");
	else if (job->precision != PARADL_FP32 && job->precision != PARADL_TF32)
		FLAG("--bf16");
	launch_divides(launch, "deepspeed", job);
	if (builds)
		tell_network(launch, job);
	tell_limits(launch, job);
	tell_file(launch, job);
}

const struct launcher launcher_deepspeed = {
	.name = "deepspeed",
	.summary = "flags of Megatron-DeepSpeed, and DeepSpeed's configuration",
	.frameworks = "deepspeed megatron-deepspeed",
	.profile = "deepspeed",
	.across = "Run it on one node; DeepSpeed starts the others, those of its hostfile.",
	.tell = tell,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the flags of pretrain_gpt.py as Megatron-Core 0.12 names them. Most of them exist since 0.8; FSDP,
 * offloading, expert-tensor-parallel-size and stages that count the embedding exist since 0.10 or 0.11. Ranks are
 * nested pipeline, data, context, tensor. With --use-tp-pp-dp-mapping, which does not go with experts, data is
 * outside of pipeline. Experts have groups of their own: neighbours, whatever the dense axes are, of
 * expert-model-parallel-size x expert-tensor-parallel-size ranks. tests/launch/check.py builds the network of these
 * flags with megatron-core and compares its parameters.
 */
#include <math.h>
#include <string.h>

#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_attention(struct launch *launch, const struct paradl_dimensions *of)
{
	FLAG("--num-attention-heads %.15g", of->heads);
	if (of->key_rank > 0) {
		FLAG("--multi-latent-attention");
		if (of->query_rank > 0)
			FLAG("--q-lora-rank %.15g", of->query_rank);
		FLAG("--kv-lora-rank %.15g", of->key_rank);
		FLAG("--qk-head-dim %.15g", of->head_dim - of->rotary_dim);
		FLAG("--qk-pos-emb-head-dim %.15g", of->rotary_dim);
		FLAG("--v-head-dim %.15g", of->value_dim);
		FLAG("--rope-type rope");
	} else if (of->head_dim * of->heads < of->hidden || of->head_dim * of->heads > of->hidden) {
		FLAG("--kv-channels %.15g", of->head_dim);
	}
	if (of->kv_heads < of->heads) {
		FLAG("--group-query-attention");
		FLAG("--num-query-groups %.15g", of->kv_heads);
	}
	if (of->qk_norm || of->key_rank > 0)
		FLAG("--qk-layernorm");
}

static void tell_activation(struct launch *launch, const struct paradl_dimensions *of)
{
	const bool silu = strcmp(of->activation, "silu") == 0;
	if (of->gated && silu)
		FLAG("--swiglu");
	else if (!of->gated && strcmp(of->activation, "relu2") == 0)
		FLAG("--squared-relu");
	else if (of->gated || strcmp(of->activation, "gelu") != 0)
		CANNOT("megatron has no flag for %s%s; nearest: %s", of->gated ? "gated " : "",
			of->activation, of->gated ? "silu" : "gelu");
}

static void tell_mixture(struct launch *launch, const struct paradl_dimensions *of)
{
	if (!(of->experts > 0))
		return;
	FLAG("--num-experts %.15g", of->experts);
	FLAG("--moe-router-topk %.15g", of->top_k);
	FLAG("--moe-ffn-hidden-size %.15g", of->expert_width);
	FLAG("--moe-grouped-gemm");
	if (of->shared_width > 0)
		FLAG("--moe-shared-expert-intermediate-size %.15g", of->shared_width);
	if (of->shared_gate)
		FLAG("--moe-shared-expert-gate");
	if (of->router_bias) {
		FLAG("--moe-router-score-function sigmoid");
		FLAG("--moe-router-enable-expert-bias");
	}
	if (of->dense_blocks > 0)
		FLAG("--moe-layer-freq '([0]*%.15g+[1]*%.15g)'", of->dense_blocks,
			of->blocks - of->dense_blocks);
}

static void tell_network(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	FLAG("--num-layers %.15g", of->blocks);
	FLAG("--hidden-size %.15g", of->hidden);
	FLAG("--seq-length %.15g", of->tokens);
	FLAG("--max-position-embeddings %.15g", of->positions > 0 ? of->positions : of->tokens);
	tell_mixture(launch, of);
	tell_attention(launch, of);
	/* Without this flag, Megatron takes four times the width, which blocks with experts do not use. */
	FLAG("--ffn-hidden-size %.15g", of->feed_forward > 0 ? of->feed_forward : of->expert_width);
	tell_activation(launch, of);
	if (strcmp(of->norm, "rms") == 0)
		FLAG("--normalization RMSNorm");
	FLAG("--position-embedding-type %s", of->positions > 0 ? "learned_absolute" : "rope");
	if (of->rope_theta > 0)
		FLAG("--rotary-base %.15g", of->rope_theta);
	/* Without these flags a tenth is dropped, which costs time. */
	FLAG("--hidden-dropout %.15g", of->dropout);
	FLAG("--attention-dropout %.15g", of->attention_dropout);
	FLAG("--vocab-size %.15g", of->vocabulary);
	if (!of->tied)
		FLAG("--untie-embeddings-and-output-weights");
	if (!of->bias)
		FLAG("--disable-bias-linear");
	if (!of->bias && of->qkv_bias)
		FLAG("--add-qkv-bias");
	else if (of->bias && !of->qkv_bias)
		CANNOT("megatron has no biases without those of queries, keys and values; nearest: qkv_bias");
}

static void tell_stages(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned chunks = plan->schedule == PARADL_INTERLEAVED ? plan->chunks : 1;
	const double stages = (double)plan->degree[PARADL_PIPELINE] * chunks;
	char layout[LAYOUT_BYTES];
	switch (launch_stages(job, stages, layout)) {
	case BLOCKS_ALIKE:
		if (chunks > 1)
			FLAG("--num-layers-per-virtual-pipeline-stage %.15g",
				job->dimensions->blocks / stages);
		break;
	case BLOCKS_ENDS_LESS:
		FLAG("--account-for-embedding-in-pipeline-split");
		FLAG("--account-for-loss-in-pipeline-split");
		if (chunks > 1)
			FLAG("--num-layers-per-virtual-pipeline-stage %.15g",
				(job->dimensions->blocks + 2) / stages);
		break;
	case BLOCKS_LAID_OUT:
		FLAG("--pipeline-model-parallel-layout '%s'", layout);
		break;
	case BLOCKS_UNTOLD:
		CANNOT(LAUNCH_UNTOLD, "megatron", job->dimensions->blocks, stages);
		break;
	}
	if (plan->schedule == PARADL_GPIPE)
		CANNOT("megatron has no gpipe schedule; nearest: 1f1b, which holds less");
	else if (plan->schedule > PARADL_INTERLEAVED)
		CANNOT("megatron has no zero-bubble schedule; nearest: %s",
			plan->schedule == PARADL_ZERO_BUBBLE_V ? "interleaved:2" : "1f1b");
}

static void tell_context(struct launch *launch, const struct paradl_plan *plan)
{
	static const char *const ways[PARADL_CONTEXT_COUNT] = {"p2p", "all_gather", "a2a"};
	if (plan->degree[PARADL_CONTEXT] <= 1)
		return;
	FLAG("--context-parallel-size %u", plan->degree[PARADL_CONTEXT]);
	FLAG("--cp-comm-type %s", ways[plan->context]);
}

static void tell_experts(struct launch *launch, const struct launch_job *job)
{
	const unsigned tensor = job->plan->degree[PARADL_TENSOR], expert = job->plan->degree[PARADL_EXPERT];
	if (!(job->dimensions->experts > 0))
		return;
	FLAG("--expert-model-parallel-size %u", job->plan->expert_tensor ? expert : expert * tensor);
	FLAG("--expert-tensor-parallel-size %u", job->plan->expert_tensor ? tensor : 1);
	if (job->dispatcher == PARADL_DISPATCHER_ALL_TO_ALL) {
		FLAG("--moe-token-dispatcher-type alltoall");
	} else {
		FLAG("--moe-token-dispatcher-type flex");
		FLAG("--moe-flex-dispatcher-backend %s",
			job->dispatcher == PARADL_DISPATCHER_DEEPEP ? "deepep" : "hybridep");
	}
	if (expert > 1 && job->plan->degree[PARADL_CONTEXT] > 1)
		CANNOT("megatron deals experts out to neighbours along context before data; the plan along "
		       "data");
}

static void tell_axes(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	FLAG("--tensor-model-parallel-size %u", plan->degree[PARADL_TENSOR]);
	if (plan->sequence)
		FLAG("--sequence-parallel");
	if (plan->sequence && job->overlaps_tensor)
		FLAG("--tp-comm-overlap");
	FLAG("--pipeline-model-parallel-size %u", plan->degree[PARADL_PIPELINE]);
	if (plan->degree[PARADL_PIPELINE] > 1)
		tell_stages(launch, job);
	tell_context(launch, plan);
	tell_experts(launch, job);
	if (launch_data_outside(launch, "megatron", plan))
		FLAG("--use-tp-pp-dp-mapping");
}

/*
 * Tells the sharding: zero=1 is the distributed optimizer; 2 and 3 are Megatron's FSDP, which shards among all
 * replicas.
 */
static void tell_sharding(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	if (plan->zero > 0)
		FLAG("--use-distributed-optimizer");
	if (plan->zero > 1) {
		FLAG("--use-custom-fsdp");
		FLAG("--data-parallel-sharding-strategy %s",
			plan->zero == 2 ? "optim_grads" : "optim_grads_params");
		CANNOT("megatron has zero=%u from Megatron-Core 0.11 on only, as an experimental FSDP; "
		       "nearest: zero=1",
			plan->zero);
	}
	if (plan->shard > 0 && plan->shard < replicas && plan->zero == 1)
		FLAG("--num-distributed-optimizer-instances %.15g", replicas / plan->shard);
	else if (plan->shard > 0 && plan->shard < replicas)
		CANNOT("megatron shards gradients and weights among all replicas, not shard=%u", plan->shard);
	if (job->overlaps_gradients && replicas > 1) {
		FLAG("--overlap-grad-reduce");
		if (plan->zero > 0)
			FLAG("--overlap-param-gather");
	}
}

static void tell_recomputation(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned chunks = plan->schedule == PARADL_INTERLEAVED ? plan->chunks : 1;
	if (plan->recompute == PARADL_RECOMPUTE_SELECTIVE)
		FLAG("--recompute-granularity selective");
	if (plan->recompute == PARADL_RECOMPUTE_MODULES) {
		char modules[MODULES_BYTES];
		FLAG("--recompute-granularity selective");
		FLAG("--recompute-modules %s", launch_modules(job, ' ', modules));
	}
	if (plan->recompute != PARADL_RECOMPUTE_FULL)
		return;
	FLAG("--recompute-granularity full");
	FLAG("--recompute-method %s", plan->recompute_blocks ? "block" : "uniform");
	FLAG("--recompute-num-layers %u",
		plan->recompute_blocks ? (plan->recompute_blocks + chunks - 1) / chunks : 1);
	if (plan->recompute_blocks % chunks)
		CANNOT("megatron recomputes as many blocks in each of the %u stages of a device, not %u in "
		       "all",
			chunks, plan->recompute_blocks);
}

static void tell_offloading(struct launch *launch, const struct paradl_plan *plan)
{
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER) {
		FLAG("--optimizer-cpu-offload");
		FLAG("--use-precision-aware-optimizer");
		if (plan->zero == 0)
			CANNOT("megatron has offload=optimizer with the distributed optimizer only; nearest: "
			       "zero=1");
	}
	if (plan->offload & PARADL_OFFLOAD_WEIGHTS)
		CANNOT("megatron has no flag for offload=weights; nearest: zero=3");
	if (plan->offload & PARADL_OFFLOAD_ACTIVATIONS)
		CANNOT("megatron has no flag for offload=activations; nearest: recompute=full");
}

static void tell_precision(struct launch *launch, const struct launch_job *job)
{
	const enum paradl_precision precision = job->precision;
	if (precision == PARADL_FP16 || precision == PARADL_FP16_MIXED)
		FLAG("--fp16");
	else if (precision != PARADL_FP32 && precision != PARADL_TF32)
		FLAG("--bf16");
	if (precision == PARADL_FP8_MIXED) {
		FLAG("--fp8-format hybrid");
		if (job->plan->recompute == PARADL_RECOMPUTE_MODULES) /* which delayed scaling excludes */
			FLAG("--fp8-recipe tensorwise");
	} else if (precision == PARADL_MXFP8_MIXED) {
		FLAG("--fp8-format e4m3");
		FLAG("--fp8-recipe %s",
			job->head->machine.has_precision[PARADL_FP4_MIXED] ? "mxfp8" : "blockwise");
	} else if (precision == PARADL_FP4_MIXED) {
		CANNOT("megatron has no fp4-mixed before Megatron-Core 0.14; nearest: mxfp8-mixed");
	} else if (precision == PARADL_FP16 || precision == PARADL_BF16) {
		CANNOT("megatron has no %s without fp32 copies of weights; nearest: %s-mixed",
			paradl_precision_name(precision), paradl_precision_name(precision));
	}
}

/*
 * Adds what starts the program. One connection makes kernels of exchanges start in the order in which they are
 * queued. Tensor and context parallelism need that; it is not set with FSDP.
 */
static void tell_program(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	if (plan->zero < 2 && (plan->degree[PARADL_TENSOR] > 1 || plan->degree[PARADL_CONTEXT] > 1)) {
		launch_add(launch, &launch->command, "env");
		launch_add(launch, &launch->command, "CUDA_DEVICE_MAX_CONNECTIONS=1");
	}
	launch_torchrun(launch, job, "pretrain_gpt.py");
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned axes = 1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT |
			      1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	if (!launch_axes(launch, "megatron", job, axes))
		return;
	if (!launch_decoder(launch, "megatron", job))
		return;
	const bool builds = launch_network(launch, "megatron", job);
	if (builds)
		tell_program(launch, job);
	tell_axes(launch, job);
	FLAG("--micro-batch-size %.15g", ceil(job->micro));
	FLAG("--global-batch-size %.15g", plan->batch);
	launch_batch(launch, "megatron", job);
	tell_sharding(launch, job);
	tell_recomputation(launch, job);
	tell_offloading(launch, plan);
	tell_precision(launch, job);
	launch_divides(launch, "megatron", job);
	if (builds)
		tell_network(launch, job);
}

const struct launcher launcher_megatron = {
	.name = "megatron",
	.summary = "flags of Megatron-LM",
	.frameworks = "megatron-",
	.profile = "megatron-core+overlap-data",
	.tell = tell,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes overrides of configuration keys: those of NeMo 24 (megatron_gpt_pretraining.py) or, for profiles of
 * Megatron-Bridge, those of its ConfigContainer (0.1). Both start Megatron-Core, whose groups launch_megatron.c describes.
 */
#include <math.h>
#include <string.h>

#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static bool is_bridge(const struct launch_job *job)
{
	return strncmp(job->head->framework.name, "nemo-bridge", strlen("nemo-bridge")) == 0;
}

static void tell_pipeline(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned chunks = plan->schedule == PARADL_INTERLEAVED ? plan->chunks : 1;
	FLAG("model.pipeline_model_parallel_size=%u", plan->degree[PARADL_PIPELINE]);
	if (plan->degree[PARADL_PIPELINE] == 1)
		return;
	if (chunks > 1)
		FLAG("model.virtual_pipeline_model_parallel_size=%u", chunks);
	if (plan->schedule == PARADL_GPIPE || plan->schedule > PARADL_INTERLEAVED)
		CANNOT("nemo has the schedules 1f1b and interleaved only; nearest: schedule=%s",
			plan->schedule == PARADL_ZERO_BUBBLE_V ? "interleaved:2" : "1f1b");
	char layout[LAYOUT_BYTES];
	const enum stage_blocks blocks =
		launch_stages(job, (double)plan->degree[PARADL_PIPELINE] * chunks, layout);
	if (blocks == BLOCKS_UNTOLD) {
		CANNOT(LAUNCH_UNTOLD, "nemo", job->dimensions->blocks,
			plan->degree[PARADL_PIPELINE] * (double)chunks);
	} else if (blocks != BLOCKS_ALIKE && !is_bridge(job)) {
		CANNOT("nemo before Megatron-Bridge has stages of equal blocks only; nearest: a pipeline "
		       "that "
		       "divides %.15g blocks",
			job->dimensions->blocks);
	} else if (blocks == BLOCKS_ENDS_LESS) {
		FLAG("model.account_for_embedding_in_pipeline_split=true");
		FLAG("model.account_for_loss_in_pipeline_split=true");
	} else if (blocks == BLOCKS_LAID_OUT) {
		FLAG("\"model.pipeline_model_parallel_layout='%s'\"", layout);
	}
}

static void tell_dispatcher(struct launch *launch, const struct launch_job *job)
{
	const enum paradl_dispatcher dispatcher = job->dispatcher;
	if (dispatcher == PARADL_DISPATCHER_ALL_TO_ALL) {
		FLAG("model.moe_token_dispatcher_type=alltoall");
	} else if (is_bridge(job)) {
		FLAG("model.moe_token_dispatcher_type=flex");
		FLAG("model.moe_flex_dispatcher_backend=%s",
			dispatcher == PARADL_DISPATCHER_DEEPEP ? "deepep" : "hybridep");
	} else {
		CANNOT("nemo before Megatron-Bridge has no other dispatcher; nearest: dispatcher=alltoall");
	}
}

static void tell_experts(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR], context = plan->degree[PARADL_CONTEXT],
		       expert = plan->degree[PARADL_EXPERT];
	FLAG("model.expert_model_parallel_size=%u", plan->expert_tensor ? expert : expert * tensor);
	if (is_bridge(job))
		FLAG("model.expert_tensor_parallel_size=%u", plan->expert_tensor ? tensor : 1);
	else if (!plan->expert_tensor && tensor > 1)
		CANNOT("nemo before Megatron-Bridge cuts experts by the tensor axis; nearest: "
		       "experts=tensor");
	tell_dispatcher(launch, job);
	if (expert > 1 && context > 1)
		CANNOT("nemo deals experts out to neighbours along context before data; the plan "
		       "along data");
}

static void tell_axes(struct launch *launch, const struct launch_job *job)
{
	static const char *const ways[PARADL_CONTEXT_COUNT] = {"p2p", "all_gather", "a2a"};
	const struct paradl_plan *const plan = job->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR], context = plan->degree[PARADL_CONTEXT];
	FLAG("model.tensor_model_parallel_size=%u", tensor);
	FLAG("model.sequence_parallel=%s", plan->sequence ? "true" : "false");
	if (plan->sequence && job->overlaps_tensor)
		FLAG("%s=true", is_bridge(job) ? "comm_overlap.tp_comm_overlap" : "model.ub_tp_comm_overlap");
	tell_pipeline(launch, job);
	if (context > 1)
		FLAG("model.context_parallel_size=%u", context);
	if (context > 1 && is_bridge(job))
		FLAG("model.cp_comm_type=%s", ways[plan->context]);
	else if (context > 1 && plan->context != PARADL_CONTEXT_RING)
		CANNOT("nemo sends keys and values around a ring; nearest: context=%u", context);
	if (job->dimensions->experts > 0)
		tell_experts(launch, job);
	if (launch_data_outside(launch, "nemo", plan))
		FLAG("%s.use_tp_pp_dp_mapping=true", is_bridge(job) ? "dist" : "model");
}

static void tell_sharding(struct launch *launch, const struct launch_job *job)
{
	static const char *const strategies[] = {"no_shard", "optim", "optim_grads", "optim_grads_params"};
	const struct paradl_plan *const plan = job->plan;
	const bool bridge = is_bridge(job);
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	const char *const overlaps = job->overlaps_gradients && replicas > 1 ? "true" : "false";
	if (bridge) {
		FLAG("ddp.use_distributed_optimizer=%s", plan->zero > 0 ? "true" : "false");
		if (plan->zero > 1)
			FLAG("ddp.use_megatron_fsdp=true");
		FLAG("ddp.data_parallel_sharding_strategy=%s", strategies[plan->zero]);
		FLAG("ddp.overlap_grad_reduce=%s", overlaps);
		FLAG("ddp.overlap_param_gather=%s", plan->zero > 0 ? overlaps : "false");
	} else if (plan->zero < 2) {
		FLAG("model.optim.name=%s", plan->zero ? "distributed_fused_adam" : "fused_adam");
		FLAG("model.optim.overlap_grad_sync=%s", overlaps);
		if (plan->zero)
			FLAG("model.optim.overlap_param_sync=%s", overlaps);
	} else {
		FLAG("model.fsdp=true");
		FLAG("model.fsdp_sharding_strategy=%s", plan->zero == 3 ? "full" : "grad");
	}
	if (plan->shard > 0 && plan->shard < replicas)
		CANNOT("nemo shards among all replicas, not shard=%u; nearest: no shard=", plan->shard);
}

static void tell_memory(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const char *const prefix = is_bridge(job) ? "model.recompute_" : "model.activations_checkpoint_";
	const unsigned chunks = plan->schedule == PARADL_INTERLEAVED ? plan->chunks : 1;
	if (plan->recompute == PARADL_RECOMPUTE_SELECTIVE)
		FLAG("%sgranularity=selective", prefix);
	if (plan->recompute == PARADL_RECOMPUTE_MODULES && is_bridge(job)) {
		char modules[MODULES_BYTES];
		FLAG("%sgranularity=selective", prefix);
		FLAG("%smodules=[%s]", prefix, launch_modules(job, ',', modules));
	} else if (plan->recompute == PARADL_RECOMPUTE_MODULES) {
		FLAG("%sgranularity=selective", prefix);
		CANNOT("nemo before Megatron-Bridge has no recompute=modules; nearest: recompute=selective");
	}
	if (plan->recompute == PARADL_RECOMPUTE_FULL) {
		FLAG("%sgranularity=full", prefix);
		FLAG("%smethod=%s", prefix, plan->recompute_blocks ? "block" : "uniform");
		FLAG("%snum_layers=%u", prefix,
			plan->recompute_blocks ? (plan->recompute_blocks + chunks - 1) / chunks : 1);
	}
	if (plan->recompute_blocks % chunks)
		CANNOT("nemo recomputes as many blocks in each of the %u stages of a device, not %u in all",
			chunks, plan->recompute_blocks);
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER && is_bridge(job))
		FLAG("optimizer.optimizer_cpu_offload=true");
	else if (plan->offload & PARADL_OFFLOAD_OPTIMIZER)
		CANNOT("nemo has no offload=optimizer before Megatron-Bridge; nearest: zero=1");
	if (plan->offload & (PARADL_OFFLOAD_WEIGHTS | PARADL_OFFLOAD_ACTIVATIONS)) {
		FLAG("model.cpu_offloading=true");
		FLAG("model.cpu_offloading_weights=%s",
			plan->offload & PARADL_OFFLOAD_WEIGHTS ? "true" : "false");
		FLAG("model.cpu_offloading_activations=%s",
			plan->offload & PARADL_OFFLOAD_ACTIVATIONS ? "true" : "false");
	}
}

static void tell_precision(struct launch *launch, const struct launch_job *job)
{
	static const struct {
		const char *nemo, *bridge; /* NULL: there is none */
	} names[PARADL_PRECISION_COUNT] = {
		[PARADL_FP32] = {"32", "fp32"},
		[PARADL_TF32] = {"32", "fp32"},
		[PARADL_FP16] = {"16-mixed", "fp16_mixed"},
		[PARADL_BF16] = {"bf16-mixed", "bf16_mixed"},
		[PARADL_FP16_MIXED] = {"16-mixed", "fp16_mixed"},
		[PARADL_BF16_MIXED] = {"bf16-mixed", "bf16_mixed"},
		[PARADL_FP8_MIXED] = {"bf16-mixed", "bf16_with_fp8_delayed_scaling_mixed"},
		[PARADL_MXFP8_MIXED] = {NULL, "bf16_with_mxfp8_mixed"},
	};
	const bool bridge = is_bridge(job);
	const char *name = bridge ? names[job->precision].bridge : names[job->precision].nemo;
	if (name && job->precision == PARADL_MXFP8_MIXED &&
		!job->head->machine.has_precision[PARADL_FP4_MIXED])
		name = "bf16_with_fp8_subchannel_scaling_mixed";
	if (bridge && job->precision == PARADL_FP8_MIXED && job->plan->recompute == PARADL_RECOMPUTE_MODULES)
		name = "bf16_with_fp8_current_scaling_mixed"; /* delayed scaling excludes modules */
	if (!name)
		CANNOT("nemo has no %s in these versions; nearest: fp8-mixed",
			paradl_precision_name(job->precision));
	else
		FLAG("%s=%s", bridge ? "mixed_precision" : "trainer.precision", name);
	if (!bridge && job->precision == PARADL_FP8_MIXED) {
		FLAG("model.fp8=true");
		FLAG("model.fp8_hybrid=true");
	}
}

static void tell_experts_of(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	if (!(of->experts > 0))
		return;
	FLAG("model.num_moe_experts=%.15g", of->experts);
	FLAG("model.moe_router_topk=%.15g", of->top_k);
	FLAG("model.moe_ffn_hidden_size=%.15g", of->expert_width);
	if (of->shared_width > 0)
		FLAG("model.moe_shared_expert_intermediate_size=%.15g", of->shared_width);
	if (of->shared_gate)
		FLAG("model.moe_shared_expert_gate=true");
	if (of->router_bias) {
		FLAG("model.moe_router_score_function=sigmoid");
		FLAG("model.moe_router_enable_expert_bias=true");
	}
	if (of->dense_blocks > 0)
		FLAG("'model.moe_layer_freq=([0]*%.15g+[1]*%.15g)'", of->dense_blocks,
			of->blocks - of->dense_blocks);
}

/*
 * Tells the activation: NeMo has one key for activation and gate, Megatron-Bridge has the activation in its recipe.
 */
static void tell_activation(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	const bool silu = strcmp(of->activation, "silu") == 0, squared = strcmp(of->activation, "relu2") == 0;
	if (is_bridge(job)) {
		FLAG("model.gated_linear_unit=%s", of->gated ? "true" : "false");
		if (strcmp(of->activation, "gelu") != 0)
			CANNOT("Megatron-Bridge takes activation_func from its recipe, not from a key: it "
			       "must be %s",
				of->activation);
	} else if (of->gated && silu) {
		FLAG("model.activation=fast-swiglu");
	} else if (!of->gated && !silu && strcmp(of->activation, "relu") != 0) {
		FLAG("model.activation=%s", squared ? "squared-relu" : "gelu");
	} else {
		CANNOT("nemo has no %s%s; nearest: fast-swiglu", of->gated ? "gated " : "", of->activation);
	}
}

static void tell_blocks(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	const bool bridge = is_bridge(job), rms = strcmp(of->norm, "rms") == 0;
	FLAG("model.ffn_hidden_size=%.15g", of->feed_forward > 0 ? of->feed_forward : of->expert_width);
	FLAG("model.kv_channels=%.15g", of->head_dim);
	tell_activation(launch, job);
	FLAG("model.normalization=%s", bridge ? rms ? "RMSNorm" : "LayerNorm"
				       : rms  ? "rmsnorm"
					      : "layernorm");
	FLAG("model.hidden_dropout=%.15g", of->dropout);
	FLAG("model.attention_dropout=%.15g", of->attention_dropout);
	FLAG("model.position_embedding_type=%s", of->positions > 0 ? "learned_absolute" : "rope");
	if (of->rope_theta > 0)
		FLAG("model.rotary_base=%.15g", of->rope_theta);
	FLAG("model.share_embeddings_and_output_weights=%s", of->tied ? "true" : "false");
	FLAG("model.%s=%s", bridge ? "add_bias_linear" : "bias", of->bias ? "true" : "false");
	if (of->qkv_bias && !of->bias)
		FLAG("model.%s=true", bridge ? "add_qkv_bias" : "qkv_bias");
	else if (of->bias && !of->qkv_bias)
		CANNOT("nemo has no biases without those of queries, keys and values; nearest: qkv_bias");
	if (of->qk_norm)
		FLAG("model.qk_layernorm=true");
	if (bridge)
		FLAG("model.vocab_size=%.15g", of->vocabulary);
	if (of->key_rank > 0)
		CANNOT("nemo has latent attention in a recipe of its own; nearest: --flags megatron");
}

static void tell_network(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	FLAG("model.num_layers=%.15g", of->blocks);
	FLAG("model.hidden_size=%.15g", of->hidden);
	FLAG("model.num_attention_heads=%.15g", of->heads);
	FLAG("model.num_query_groups=%.15g", of->kv_heads);
	FLAG("%s=%.15g", is_bridge(job) ? "model.seq_length" : "model.encoder_seq_length", of->tokens);
	if (!is_bridge(job))
		FLAG("model.max_position_embeddings=%.15g", of->positions > 0 ? of->positions : of->tokens);
	tell_experts_of(launch, job);
	tell_blocks(launch, job);
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const unsigned axes = 1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT |
			      1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	const char *const batches = is_bridge(job) ? "train" : "model";
	if (!launch_axes(launch, "nemo", job, axes))
		return;
	if (!launch_decoder(launch, "nemo", job))
		return;
	const bool builds = launch_network(launch, "nemo", job);
	if (builds)
		launch_torchrun(launch, job, is_bridge(job) ? "pretrain.py" : "megatron_gpt_pretraining.py");
	if (!is_bridge(job)) {
		FLAG("trainer.num_nodes=%u", job->nodes);
		FLAG("trainer.devices=%u", job->per_node);
	}
	tell_axes(launch, job);
	FLAG("%s.micro_batch_size=%.15g", batches, ceil(job->micro));
	FLAG("%s.global_batch_size=%.15g", batches, job->plan->batch);
	launch_batch(launch, "nemo", job);
	tell_sharding(launch, job);
	tell_memory(launch, job);
	tell_precision(launch, job);
	launch_divides(launch, "nemo", job);
	if (builds)
		tell_network(launch, job);
}

const struct launcher launcher_nemo = {
	.name = "nemo",
	.summary = "configuration keys of NeMo and Megatron-Bridge",
	.frameworks = "nemo-",
	.profile = "nemo-2024",
	.tell = tell,
};

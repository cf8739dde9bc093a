/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the options of torchtitan 0.3. The mesh is nested
 * pipeline, replicated data, sharded data, context, tensor. Experts are dealt out to neighbours along the last three.
 * fully_shard keeps whole weights between passes (zero=2) or does not (zero=3); replicated data is zero=0. With a
 * pipeline, the local batch is that of all micro-batches of a step.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/launch/launch.h"

/* ---- the module with the network ---- */

/*
 * Writes a module for torchtitan's --module, which makes the network as one of torchtitan's own: llama3 (heads that
 * are together as wide as the network), qwen3 (other heads, norms of queries and keys, experts in every block) or
 * deepseek_v3 (latent attention, shared experts). All of these have RMS norms, a gated silu, rotary positions and no
 * biases.
 */

#define LINE(...) launch_add(launch, &launch->file, __VA_ARGS__)

/* A family of networks that torchtitan has. */
struct family {
	const char *name, *model, *base; /* base: configuration whose training options are taken */
	const char *builder, *rope, *head;
	double theta; /* base of rotary positions where the network does not say it */
};

static const struct family llama3 = {"llama3", "Llama3Model", "llama3_8b", "_build_llama3_layers",
	"ComplexRoPE", "_output_linear_init(dim)", 500000};
static const struct family qwen3 = {
	"qwen3", "Qwen3Model", "qwen3_14b", "_build_qwen3_layers", "CosSinRoPE", "_LINEAR_INIT", 1000000};
static const struct family qwen3_moe = {"qwen3", "Qwen3Model", "qwen3_30b_a3b", "_build_qwen3_moe_layers",
	"CosSinRoPE", "_LINEAR_INIT", 1000000};
static const struct family deepseek_v3 = {"deepseek_v3", "DeepSeekV3Model", "deepseek_v3_671b",
	"_build_dsv3_layers", "ComplexRoPE", "_output_linear_init(dim)", 10000};

static bool has_own_heads(const struct paradl_dimensions *of)
{
	return of->head_dim * of->heads < of->hidden || of->head_dim * of->heads > of->hidden;
}

static const struct family *family_of(const struct paradl_dimensions *of)
{
	if (of->key_rank > 0)
		return &deepseek_v3;
	if (of->experts > 0)
		return &qwen3_moe;
	return of->qk_norm || has_own_heads(of) ? &qwen3 : &llama3;
}

/* Returns the property that torchtitan's network with latent attention does not have, or NULL. */
static const char *lacking_beside_latent(const struct paradl_dimensions *of)
{
	if (!(of->experts > 0))
		return "latent attention without experts";
	if (!(of->shared_width > 0))
		return "latent attention without shared experts";
	return fmod(of->shared_width, of->expert_width) > 0 ? "shared experts of another width" : NULL;
}

/* Returns the property that none of torchtitan's networks has, or NULL. */
static const char *lacking(const struct paradl_dimensions *of)
{
	if (!of->gated || strcmp(of->activation, "silu") != 0)
		return "activation but gated silu";
	if (strcmp(of->norm, "rms") != 0 || of->positions > 0)
		return of->positions > 0 ? "learnt positions" : "layer norms";
	if (of->bias || of->qkv_bias)
		return "biases";
	if (of->shared_gate)
		return "gate of shared experts";
	if (of->key_rank > 0)
		return lacking_beside_latent(of);
	if (of->dense_blocks > 0 || of->shared_width > 0)
		return "shared experts, or blocks without experts, beside usual attention";
	return of->router_bias ? "sigmoid routers beside usual attention" : NULL;
}

static void tell_latent(struct launch *launch, const struct paradl_dimensions *of)
{
	LINE("        n_dense_layers=%.15g, dense_hidden_dim=%.15g, num_shared_experts=%.15g,",
		of->dense_blocks, of->feed_forward, of->shared_width / of->expert_width);
	LINE("        q_lora_rank=%.15g, kv_lora_rank=%.15g, qk_nope_head_dim=%.15g, qk_rope_head_dim=%.15g,",
		of->query_rank, of->key_rank, of->head_dim - of->rotary_dim, of->rotary_dim);
	LINE("        v_head_dim=%.15g, mscale=1.0, non_blocking_capacity_factor=None,", of->value_dim);
	LINE("        router_score_func=\"sigmoid\", router_route_norm=True, router_top_k=%.15g,", of->top_k);
}

static void tell_heads(struct launch *launch, const struct paradl_dimensions *of, const struct family *family)
{
	LINE("        n_kv_heads=%.15g,", of->kv_heads);
	if (family != &llama3)
		LINE("        head_dim=%.15g,", of->head_dim);
	if (of->experts > 0)
		LINE("        top_k=%.15g,", of->top_k);
}

static void tell_layers(struct launch *launch, const struct launch_job *job, const struct family *family)
{
	static const char *const backends[PARADL_DISPATCHER_COUNT] = {
		"standard", "standard", "deepep", "hybridep"};
	const struct paradl_dimensions *const of = job->dimensions;
	LINE("    rope = family.%s.Config(dim=%.15g, max_seq_len=tokens, theta=%.15g)%s", family->rope,
		of->key_rank > 0 ? of->rotary_dim : of->head_dim,
		of->rope_theta > 0 ? of->rope_theta : family->theta,
		of->rope_theta > 0 ? "" : "  # torchtitan's: the network does not say it");
	LINE("    layers = family.%s(", family->builder);
	LINE("        n_layers=%.15g, dim=dim, n_heads=%.15g, attn_backend=\"flex\", rope=rope,", of->blocks,
		of->heads);
	if (of->key_rank > 0)
		tell_latent(launch, of);
	else
		tell_heads(launch, of, family);
	if (of->experts > 0)
		LINE("        num_experts=%.15g, moe_hidden_dim=%.15g, moe_comm_backend=\"%s\")", of->experts,
			of->expert_width, backends[job->dispatcher]);
	else
		LINE("        hidden_dim=%.15g)", of->feed_forward);
	if (!of->qk_norm && (family == &qwen3 || family == &qwen3_moe)) {
		LINE("    for layer in layers:");
		LINE("        layer.attention.qk_norm = None");
	}
}

static void tell_model(struct launch *launch, const struct paradl_dimensions *of, const struct family *family)
{
	LINE("    model = family.%s.Config(", family->model);
	LINE("        dim=dim, vocab_size=vocabulary, enable_weight_tying=%s, layers=layers,",
		of->tied ? "True" : "False");
	LINE("        tok_embeddings=family.Embedding.Config(num_embeddings=vocabulary, embedding_dim=dim,");
	LINE("            param_init=family.%s),", of->tied ? "_EMBEDDING_SKIP_INIT" : "_EMBEDDING_INIT");
	LINE("        norm=family.RMSNorm.Config(normalized_shape=dim, param_init=family._NORM_INIT),");
	LINE("        lm_head=family.Linear.Config(in_features=dim, out_features=vocabulary,");
	LINE("            param_init=family.%s))", family->head);
}

/* Returns the number of stages of the whole pipeline, virtual ones counted. */
static double stages_of(const struct paradl_plan *plan)
{
	const double chunks = plan->schedule == PARADL_INTERLEAVED     ? plan->chunks
			      : plan->schedule == PARADL_ZERO_BUBBLE_V ? 2
								       : 1;
	return plan->degree[PARADL_PIPELINE] * chunks;
}

/* Writes the modules of each stage, of which options can only tell the number of blocks that all have. */
static void tell_modules(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_estimate *const estimate = job->estimate;
	char layout[LAYOUT_BYTES], line[160];
	if (job->plan->degree[PARADL_PIPELINE] == 1 ||
		launch_stages(job, stages_of(job->plan), layout) != BLOCKS_LAID_OUT)
		return;
	LINE("    blocks = [  # of each stage");
	for (unsigned i = 0; i < estimate->split_count;) {
		int length = 0;
		for (const unsigned end = i + 20; i < estimate->split_count && i < end; i++)
			length += snprintf(
				line + length, sizeof line - (size_t)length, " %u,", estimate->split[i]);
		LINE("       %s", line);
	}
	LINE("    ]");
	LINE("    stages = [[f\"layers.{sum(blocks[:stage]) + i}\" for i in range(blocks[stage])]");
	LINE("        for stage in range(len(blocks))]");
	LINE("    stages[0].insert(0, \"tok_embeddings\")");
	LINE("    stages[-1] += [\"norm\", \"lm_head\"]");
	LINE("    config.parallelism.module_fqns_per_model_part = stages");
}

/* Writes how products become those of fp8: the ones of each token, and those of experts; the head's stays. */
static void tell_converters(struct launch *launch, const struct launch_job *job)
{
	LINE("    compiled = config.compile.enable and \"model\" in config.compile.components");
	LINE("    model = fp8.Float8LinearConverter.Config(filter_fqns=[\"lm_head\", \"router.gate\"],");
	LINE("        model_compile_enabled=compiled).build().convert(model)");
	if (job->dimensions->experts > 0)
		LINE("    model = fp8.Float8GroupedExpertsConverter.Config(");
	if (job->dimensions->experts > 0)
		LINE("        model_compile_enabled=compiled).build().convert(model)");
}

static void tell_configuration(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	LINE("    config = base()");
	LINE("    config.compile = CompileConfig(enable=%s)",
		strstr(job->head->framework.name, "+compile") ? "True" : "False");
	if (job->precision == PARADL_FP8_MIXED)
		tell_converters(launch, job);
	LINE("    config.model_spec = replace(config.model_spec, flavor=\"network\", model=model)");
	LINE("    config.loss.loss_fn.global_vocab_size = vocabulary");
	LINE("    config.activation_checkpoint = %s",
		plan->recompute == PARADL_RECOMPUTE_FULL ? "FullAC.Config()"
		: plan->recompute >= PARADL_RECOMPUTE_SELECTIVE
			? "SelectiveAC.Config()" /* nearest to modules, too */
			: "None");
	tell_modules(launch, job);
	LINE("    return config");
}

/* Writes the module with the network. Returns false where torchtitan has no such network, and reports why. */
static bool titan_network(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	if (!launch_network(launch, "torchtitan", job))
		return false;
	const char *const lacks = lacking(of);
	if (lacks) {
		launch_add(launch, &launch->cannot,
			"torchtitan's networks of text have no %s; nearest: --flags megatron", lacks);
		return false;
	}
	const struct family *const family = family_of(of);
	launch->file_name = "paradl_network.py";
	LINE("from dataclasses import replace");
	if (job->precision == PARADL_FP8_MIXED)
		LINE("from torchtitan.components.quantization import float8 as fp8");
	LINE("from torchtitan.config import CompileConfig");
	LINE("from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC");
	LINE("from torchtitan.models import %s as family", family->name);
	LINE("from torchtitan.models.%s.config_registry import %s as base", family->name, family->base);
	LINE(" ");
	LINE("def network():");
	LINE("    dim, vocabulary, tokens = %.15g, %.15g, %.15g", of->hidden, of->vocabulary, of->tokens);
	tell_layers(launch, job, family);
	tell_model(launch, of, family);
	tell_configuration(launch, job);
	if (job->plan->recompute == PARADL_RECOMPUTE_MODULES)
		launch_add(launch, &launch->cannot,
			"torchtitan has no recompute=modules; nearest: recompute=selective");
	if (of->dropout > 0 || of->attention_dropout > 0)
		launch_add(launch, &launch->cannot,
			"torchtitan's networks of text drop nothing; nearest: a network without dropout");
	if (job->plan->recompute_blocks)
		launch_add(launch, &launch->cannot,
			"torchtitan recomputes all blocks or none; nearest: recompute=full");
	return true;
}

/* ---- options ---- */

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_sharding(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	const bool part = plan->shard > 0 && plan->shard < replicas;
	const double context = plan->degree[PARADL_CONTEXT];
	const double shard = plan->zero == 0 ? 1 : part ? plan->shard / context : job->replicas;
	if (plan->zero == 1)
		CANNOT("torchtitan shards gradients where it shards the optimizer; nearest: zero=2");
	if (shard < 1 || fmod(job->replicas, shard) > 0)
		CANNOT("torchtitan shards among whole groups of data, not shard=%u", plan->shard);
	FLAG("--parallelism.data_parallel_replicate_degree %.15g", floor(job->replicas / fmax(1, shard)));
	FLAG("--parallelism.data_parallel_shard_degree %.15g", fmax(1, shard));
	if (plan->zero > 0)
		FLAG("--parallelism.fsdp_reshard_after_forward %s", plan->zero == 3 ? "always" : "never");
	if (plan->offload && plan->zero > 0 &&
		plan->offload == (PARADL_OFFLOAD_WEIGHTS | PARADL_OFFLOAD_OPTIMIZER))
		FLAG("--training.enable_cpu_offload");
	else if (plan->offload)
		CANNOT("torchtitan offloads sharded weights with their optimizer, nothing else; nearest: "
		       "zero=3,offload=optimizer+weights");
}

static void tell_pipeline(struct launch *launch, const struct launch_job *job)
{
	static const char *const schedules[PARADL_SCHEDULE_COUNT] = {[PARADL_SCHEDULE_DEFAULT] = "1F1B",
		[PARADL_GPIPE] = "GPipe",
		[PARADL_1F1B] = "1F1B",
		[PARADL_INTERLEAVED] = "Interleaved1F1B",
		[PARADL_ZERO_BUBBLE_V] = "ZBVZeroBubble"};
	const struct paradl_plan *const plan = job->plan;
	const unsigned pipeline = plan->degree[PARADL_PIPELINE];
	if (pipeline == 1)
		return;
	FLAG("--parallelism.pipeline_parallel_degree %u", pipeline);
	FLAG("--training.disable_cuda_graphs"); /* torchtitan has no CUDA graphs of pipelines, and says so */
	if (schedules[plan->schedule])
		FLAG("--parallelism.pipeline_parallel_schedule %s", schedules[plan->schedule]);
	else
		CANNOT("torchtitan has no such schedule with one stage on each device; nearest: 1f1b");
	FLAG("--parallelism.pipeline_parallel_microbatch_size %.15g", ceil(job->micro));
	/* Where blocks do not divide, the embedding and the head may count as a block each; else the module has stages. */
	char layout[LAYOUT_BYTES];
	const double stages = stages_of(plan), blocks = job->dimensions->blocks;
	const enum stage_blocks are = launch_stages(job, stages, layout);
	if (are == BLOCKS_UNTOLD)
		CANNOT(LAUNCH_UNTOLD, "torchtitan", blocks, stages);
	if (are >= BLOCKS_LAID_OUT)
		return;
	const unsigned less = are == BLOCKS_ENDS_LESS;
	FLAG("--parallelism.pipeline_parallel_layers_per_stage %.15g", ceil((blocks + 2 * less) / stages));
	FLAG("--parallelism.pipeline_parallel_first_stage_less_layers %u", less);
	FLAG("--parallelism.pipeline_parallel_last_stage_less_layers %u", less);
}

static void tell_experts(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR], expert = plan->degree[PARADL_EXPERT];
	const unsigned degree = plan->expert_tensor ? expert : expert * tensor;
	if (!(job->dimensions->experts > 0))
		return;
	FLAG("--parallelism.expert_parallel_degree %u", degree);
	if (plan->expert_tensor && tensor > 1)
		CANNOT("torchtitan deals experts out to the tensor axis, too; nearest: without "
		       "experts=tensor");
	if (plan->zero == 0 && expert > 1)
		CANNOT("torchtitan has experts on replicas that share weights only; nearest: zero=2");
	if (expert > 1 && plan->degree[PARADL_CONTEXT] > 1)
		CANNOT("torchtitan deals experts out to neighbours along context before data; the plan along "
		       "data");
}

static void tell_axes(struct launch *launch, const struct launch_job *job)
{
	static const enum paradl_axis nesting[] = {
		PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT, PARADL_CONTEXT, PARADL_TENSOR};
	const struct paradl_plan *const plan = job->plan;
	const double local = job->micro * (plan->degree[PARADL_PIPELINE] > 1 ? job->micro_batches : 1);
	tell_sharding(launch, job);
	FLAG("--parallelism.tensor_parallel_degree %u", plan->degree[PARADL_TENSOR]);
	if (plan->degree[PARADL_TENSOR] > 1 && !plan->sequence)
		FLAG("--parallelism.no-enable-sequence-parallel");
	tell_pipeline(launch, job);
	tell_experts(launch, job);
	if (plan->degree[PARADL_CONTEXT] > 1)
		FLAG("--parallelism.context_parallel_degree %u", plan->degree[PARADL_CONTEXT]);
	if (plan->degree[PARADL_CONTEXT] > 1 && plan->context == PARADL_CONTEXT_ULYSSES)
		CANNOT("torchtitan sends keys and values, not heads; nearest: context=%u",
			plan->degree[PARADL_CONTEXT]);
	FLAG("--training.local_batch_size %.15g", ceil(local));
	FLAG("--training.global_batch_size %.15g", plan->batch);
	FLAG("--training.seq_len %.15g", job->dimensions->tokens);
	launch_nesting(launch, "torchtitan", plan, nesting, sizeof nesting / sizeof nesting[0]);
	launch_divides(launch, "torchtitan", job);
	launch_batch(launch, "torchtitan", job);
}

static void tell_precision(struct launch *launch, const struct launch_job *job)
{
	if (job->precision == PARADL_FP32 || job->precision == PARADL_TF32)
		FLAG("--training.mixed_precision_param float32");
	else if (job->precision == PARADL_BF16)
		FLAG("--training.dtype bfloat16");
	else if (job->precision != PARADL_BF16_MIXED && job->precision != PARADL_FP8_MIXED)
		CANNOT("torchtitan has %s, if at all, by converters of a module of its own; nearest: "
		       "bf16-mixed",
			paradl_precision_name(job->precision));
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const unsigned axes = 1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT |
			      1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	if (!(job->dimensions->blocks > 0)) {
		CANNOT("torchtitan trains transformers, and %s is none; nearest: --flags torchrun",
			job->head->model.name);
		return;
	}
	if (!launch_axes(launch, "torchtitan", job, axes) || !titan_network(launch, job))
		return;
	launch_torchrun(launch, job, "-m torchtitan.train");
	FLAG("--module paradl_network");
	FLAG("--config network");
	tell_axes(launch, job);
	tell_precision(launch, job);
}

const struct launcher launcher_torchtitan = {
	.name = "torchtitan",
	.summary = "options of torchtitan, and a module with the network",
	.frameworks = "torchtitan",
	.profile = "torchtitan",
	.tell = tell,
};

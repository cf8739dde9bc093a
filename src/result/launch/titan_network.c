/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a module for torchtitan's --module, which makes the network as one of torchtitan's own: llama3 (heads that
 * are together as wide as the network), qwen3 (other heads, norms of queries and keys, experts in every block) or
 * deepseek_v3 (latent attention, shared experts). All of these have RMS norms, a gated silu, rotary positions and no
 * biases.
 */
#include <math.h>
#include <string.h>

#include "result/launch/titan.h"

#define LINE(...) launch_add(launch, &launch->file, __VA_ARGS__)

/* A family of networks that torchtitan has. */
struct family {
	const char *name, *model, *base; /* base: configuration whose training options are taken */
	const char *builder, *rope, *theta, *head;
};

static const struct family llama3 = {"llama3", "Llama3Model", "llama3_8b", "_build_llama3_layers",
	"ComplexRoPE", "500000", "_output_linear_init(dim)"};
static const struct family qwen3 = {
	"qwen3", "Qwen3Model", "qwen3_14b", "_build_qwen3_layers", "CosSinRoPE", "1000000", "_LINEAR_INIT"};
static const struct family qwen3_moe = {"qwen3", "Qwen3Model", "qwen3_30b_a3b", "_build_qwen3_moe_layers",
	"CosSinRoPE", "1000000", "_LINEAR_INIT"};
static const struct family deepseek_v3 = {"deepseek_v3", "DeepSeekV3Model", "deepseek_v3_671b",
	"_build_dsv3_layers", "ComplexRoPE", "10000", "_output_linear_init(dim)"};

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
	LINE("    rope = family.%s.Config(dim=%.15g, max_seq_len=tokens, theta=%s)", family->rope,
		of->key_rank > 0 ? of->rotary_dim : of->head_dim, family->theta);
	LINE("    layers = family.%s(", family->builder);
	LINE("        n_layers=%.15g, dim=dim, n_heads=%.15g, attn_backend=\"flex\", rope=rope,", of->blocks,
		of->heads);
	if (of->key_rank > 0)
		tell_latent(launch, of);
	else
		tell_heads(launch, of, family);
	if (of->experts > 0)
		LINE("        num_experts=%.15g, moe_hidden_dim=%.15g, moe_comm_backend=\"%s\")", of->experts,
			of->expert_width, backends[job->plan->dispatcher]);
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

static void tell_configuration(struct launch *launch, const struct paradl_plan *plan)
{
	LINE("    config = base()");
	LINE("    config.model_spec = replace(config.model_spec, flavor=\"network\", model=model)");
	LINE("    config.loss.loss_fn.global_vocab_size = vocabulary");
	LINE("    config.activation_checkpoint = %s",
		plan->recompute == PARADL_RECOMPUTE_FULL        ? "FullAC.Config()"
		: plan->recompute == PARADL_RECOMPUTE_SELECTIVE ? "SelectiveAC.Config()"
								: "None");
	LINE("    return config");
}

bool titan_network(struct launch *launch, const struct launch_job *job)
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
	LINE("from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC");
	LINE("from torchtitan.models import %s as family", family->name);
	LINE("from torchtitan.models.%s.config_registry import %s as base", family->name, family->base);
	LINE(" ");
	LINE("def network():");
	LINE("    dim, vocabulary, tokens = %.15g, %.15g, %.15g", of->hidden, of->vocabulary, of->tokens);
	tell_layers(launch, job, family);
	tell_model(launch, of, family);
	tell_configuration(launch, job->plan);
	if (job->plan->recompute_blocks)
		launch_add(launch, &launch->cannot,
			"torchtitan recomputes all blocks or none; nearest: recompute=full");
	return true;
}

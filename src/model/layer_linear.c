/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers that are matrix products: a fully connected one, two with an activation between, experts of such pairs. */
#include "model/layer_type.h"

#include <limits.h>

/*
 * Fully connected layer. It takes an input with extents as one vector of all its items, but each token by itself, by
 * a product that the tensor axis does not cut.
 */

static const struct json_field linear_fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_BOOL("bias", bias),
};

static bool linear_tokens(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	layer->y.channels = keys->out.value;
	work_product(work, CUT_NOTHING, layer->x.channels, keys->out.value, keys->bias);
	layer->weight_tensors = keys->bias ? 2 : 1;
	layer->bias = keys->bias;
	tokens_finish(layer, 0, keeps);
	keeps->x = layer->backward_weight;
	return true;
}

static bool linear_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	const double items = tensor_items(&layer->x);
	if (layer->x.tokens)
		return linear_tokens(keys, context, layer, keeps, error);
	if (items > UINT_MAX)
		return json_error(
			keys->node, error, "its input has %.0f items, more than %u", items, UINT_MAX);
	layer->channels = (unsigned)items;
	layer->filters = keys->out.value;
	layer->kernel_volume = 1;
	layer->positions = 1;
	layer->y = (struct tensor){.channels = layer->filters, .extent = {1, 1, 1}};
	contraction_work(keys->bias, layer, keeps);
	return true;
}

const struct layer_type layer_type_linear = {
	.name = "linear",
	.summary = "fully connected layer",
	.class_ = LAYER_LINEAR,
	LAYER_FIELDS(linear_fields),
	.defaults = {.bias = true},
	.infer = linear_infer,
};

/*
 * Two products with an activation between; "gated" has a third one whose result multiplies it: act(x W) * (x V). The
 * activation reads and writes 2 items for each of `hidden`, gated 3; backward half as much again. Kept for backward:
 * the items that the activation reads (relu: none, as the sign of its result says as much) and its result,
 * which only the gradient of the second product's weights needs, as that of the first's needs the input.
 */

const char *const mlp_activations[] = {
	[MLP_RELU] = "relu", [MLP_RELU2] = "relu2", [MLP_GELU] = "gelu", [MLP_SILU] = "silu", NULL};

static const struct json_field mlp_fields[] = {
	LAYER_NODE("hidden", hidden.node, true),
	LAYER_BOOL("gated", gated),
	LAYER_CHOICE("act", act, mlp_activations),
	LAYER_BOOL("bias", bias),
};

/* Adds the two products of an MLP and the pass between them. */
static void work_mlp(
	struct token_work *work, const struct layer_keys *keys, double hidden, bool routed, double experts)
{
	const double width = routed ? work->routed_items : work->hidden_items,
		     columns = (keys->gated ? 2 : 1) * hidden;
	const double items = (keys->gated ? 3 : 2) * hidden;
	const unsigned first = work->kernel_count;
	work_product(work, CUT_COLUMNS, width, columns, keys->bias);
	work_pass(work, CUT_COLUMNS, items, 1.5 * items);
	work_product(work, CUT_ROWS, hidden, width, keys->bias);
	for (unsigned i = first; i < work->kernel_count; i++) {
		work->kernels[i].routed = routed;
		work->kernels[i].weight_items *= experts;
	}
}

/* Returns the items of a token that an MLP keeps beside its input. */
static double mlp_keeps(const struct layer *layer, const struct layer_keys *keys, double hidden)
{
	if (!keys->gated && keys->act == MLP_RELU)
		return hidden;
	return (keys->gated ? 2 : 1) * hidden + (layer->backward_weight ? hidden : 0);
}

static bool mlp_infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	work_mlp(work, keys, keys->hidden.value, false, 1);
	work->kept_cut_items = mlp_keeps(layer, keys, keys->hidden.value);
	work->sums_forward = work->sums_backward = 1;
	work->is_block = true;
	layer->weight_tensors = (keys->gated ? 3U : 2U) * (keys->bias ? 2U : 1U);
	layer->bias = keys->bias;
	tokens_finish(layer, 0, keeps);
	keeps->x = layer->backward_weight;
	return true;
}

const struct layer_type layer_type_mlp = {
	.name = "mlp",
	.summary = "two products with an activation between, perhaps gated",
	.class_ = LAYER_MLP,
	LAYER_FIELDS(mlp_fields),
	.defaults = {.act = MLP_GELU},
	.infer = mlp_infer,
};

/*
 * Mixture of experts: a router sends each token to top_k of the experts, each an MLP of width `hidden`; a shared
 * expert of width `shared` sees all tokens, perhaps weighted by a gate. router_bias is one number for each expert
 * that balances their load. Where expert_width is given, experts are that wide: a product makes tokens narrow before
 * they are sent, and another makes them wide after they came back (LatentMoE, NVIDIA Nemotron 3, 2025). The cost of
 * sorting tokens by expert depends on the library that carries them there: oracle/token_exchange.c. Kept in addition to the
 * items of MLPs: the copy and the expert's result for every routed token (the router's gradient needs it), and the
 * router's probabilities (fp32).
 */

static const struct json_field moe_fields[] = {
	LAYER_NODE("experts", experts.node, true),
	LAYER_NODE("top_k", top_k.node, true),
	LAYER_NODE("hidden", hidden.node, true),
	LAYER_NODE("shared", shared.node, false),
	LAYER_NODE("expert_width", expert_width.node, false),
	LAYER_BOOL("shared_gate", shared_gate),
	LAYER_BOOL("gated", gated),
	LAYER_CHOICE("act", act, mlp_activations),
	LAYER_BOOL("bias", bias),
	LAYER_BOOL("router_bias", router_bias),
	LAYER_BOOL("router_scale", router_scale),
	LAYER_NUMBER("capacity", capacity, 0, 1e6),
	LAYER_NUMBER("imbalance", imbalance, 1, 1e6),
};

static bool keys_fit(const struct layer_keys *keys, struct paradl_error *error)
{
	if (keys->top_k.value > keys->experts.value)
		return json_error(layer_place(keys, "top_k"), error, "top_k is %u, but there are %u experts",
			keys->top_k.value, keys->experts.value);
	if (keys->shared_gate && keys->shared.value == 0)
		return json_error(layer_place(keys, "shared_gate"), error,
			"shared_gate needs a shared expert: give its width as shared");
	return true;
}

/* Adds the scale of the router: a factor for each item before it and one for each expert after it (Gemma 4). */
static void router_scale(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	if (!keys->router_scale)
		return;
	work_pass(work, CUT_NOTHING, 2 * work->hidden_items, 3 * work->hidden_items);
	work_last(work)->weight_items = work->hidden_items + keys->experts.value;
	layer->weight_tensors += 2;
}

static bool moe_infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work || !keys_fit(keys, error))
		return false;
	const double narrow = keys->expert_width.node ? keys->expert_width.value : 0;
	const double width = work->hidden_items, experts = keys->experts.value, top_k = keys->top_k.value;
	const unsigned matrices = (keys->gated ? 3U : 2U) * (keys->bias ? 2U : 1U);
	work->experts = keys->experts.value;
	work->top_k = keys->top_k.value;
	layer->bias = keys->bias;
	work->capacity = keys->capacity;
	work->imbalance = keys->imbalance;
	work->routed_items = narrow > 0 ? narrow : width;
	work_product(work, CUT_NOTHING, width, experts, keys->router_bias);
	layer->weight_tensors = (keys->router_bias ? 2 : 1) + matrices * keys->experts.value;
	router_scale(keys, layer, work);
	if (narrow > 0)
		work_product(work, CUT_NOTHING, width, narrow, false);
	const double hidden = keys->hidden.value, kept = mlp_keeps(layer, keys, hidden);
	work_mlp(work, keys, hidden, true, experts);
	/* All activations but relu keep what they read, from which their result can be made once more. */
	const bool kept_before = kept > hidden && layer->backward_weight;
	work->kernels[work->kernel_count - 2].again = kept_before;
	work->dropped_routed_items = kept_before ? top_k * hidden : 0;
	work->dropped_items = context->normed && layer->backward_weight ? width : 0;
	work->result_items = top_k * work->routed_items;
	const double copied = layer->backward_weight ? work->routed_items : 0;
	work->kept_routed_items = top_k * (copied + kept) + work->result_items;
	if (narrow > 0) {
		work_product(work, CUT_NOTHING, narrow, width, false);
		layer->weight_tensors += 2;
	}
	if (keys->shared.value > 0) {
		work_mlp(work, keys, keys->shared.value, false, 1);
		work->kept_cut_items = mlp_keeps(layer, keys, keys->shared.value);
		layer->weight_tensors += matrices;
	}
	if (keys->shared_gate) {
		work_product(work, CUT_NOTHING, width, 1, false);
		layer->weight_tensors++;
	}
	work->sums_forward = work->sums_backward = 1;
	work->is_block = true;
	tokens_finish(layer, 2 * experts + (layer->backward_weight ? 2 * narrow : 0), keeps);
	keeps->x = layer->backward_weight;
	return true;
}

const struct layer_type layer_type_moe = {
	.name = "moe",
	.summary = "mixture of experts: routed and shared MLPs",
	.class_ = LAYER_MOE,
	LAYER_FIELDS(moe_fields),
	.defaults = {.act = MLP_GELU, .imbalance = 1},
	.infer = moe_infer,
};

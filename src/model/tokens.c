/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file has the code that layers of tokens share: kernels for one token, and their sums for a sample.
 *     product     2 rows columns flop forward; backward-data and backward-weight as much again each
 *     attention   queries x keys and scores x values: 2 heads (head_dim + value_dim) flop for each key that a query
 *                 sees, all s of them even where a mask hides half (published rates count so), at most `window` or
 *                 those of its `block`, or those `chosen`; twice that backward. An index that chooses them scores
 *                 all keys in addition: 2 index_heads index_dim for each (DeepSeek-V3.2, 2025). Keys of another
 *                 sequence are as many as that has tokens, and so are the products that make them
 */
#include <string.h>

#include "base/error.h"
#include "model/layer_type.h"

struct token_work *tokens_begin(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct paradl_error *error)
{
	if (!layer->x.tokens) {
		char shape[64];
		json_error(keys->node, error, "works on tokens, but its input is %s",
			tensor_format(&layer->x, shape, sizeof(shape)));
		error_hint(error, "an embedding makes tokens of an input");
		return NULL;
	}
	layer->y = layer->x;
	layer->work = context->work;
	context->work->tokens = layer->x.extent[0];
	context->work->hidden_items = layer->x.channels;
	return context->work;
}

static struct kernel *kernel_next(struct token_work *work)
{
	/* The longest list (MLA, or experts with shared ones and a gate) is shorter than KERNELS_MAX. */
	return &work->kernels[work->kernel_count < KERNELS_MAX ? work->kernel_count++ : KERNELS_MAX - 1];
}

void work_product(struct token_work *work, enum kernel_cut cut, double rows, double columns, bool bias)
{
	*kernel_next(work) = (struct kernel){
		.kind = KERNEL_PRODUCT,
		.cut = cut,
		.rows = rows,
		.columns = columns,
		.weight_items = rows * columns + (bias ? columns : 0),
	};
}

void work_pass(struct token_work *work, enum kernel_cut cut, double forward_items, double backward_items)
{
	*kernel_next(work) = (struct kernel){
		.kind = KERNEL_PASS,
		.cut = cut,
		.forward_items = forward_items,
		.backward_items = backward_items,
	};
}

void work_values(struct token_work *work, enum kernel_cut cut, double rows, double columns)
{
	work_product(work, cut, rows, columns, false);
	work_last(work)->weight_items = 0;
}

struct kernel *work_last(struct token_work *work)
{
	return &work->kernels[work->kernel_count - 1];
}

static double keys_seen(const struct token_work *work)
{
	return attention_reads(&work->attention, attention_span(work));
}

/* Adds the work and the weights of one kernel to the layer, over all tokens of a sample. */
static void kernel_sum(struct layer *layer, const struct token_work *work, const struct kernel *kernel)
{
	const struct attention *const attention = &work->attention;
	const double tokens =
		kernel->source ? attention->source_tokens : work->tokens * (kernel->routed ? work->top_k : 1);
	const double passes = (layer->backward_data ? 1 : 0) + (layer->backward_weight ? 1 : 0);
	double flop = 0;
	switch (kernel->kind) {
	case KERNEL_PRODUCT:
		flop = 2 * kernel->rows * kernel->columns * tokens;
		layer->backward_flop += passes * flop;
		break;
	case KERNEL_ATTENTION:
		flop = 2.0 * attention->heads * ((double)attention->head_dim + attention->value_dim) *
		       keys_seen(work) * tokens;
		flop += 2.0 * attention->index_heads * attention->index_dim * attention_span(work) * tokens;
		layer->backward_flop += passes > 0 ? 2 * flop : 0;
		break;
	case KERNEL_PASS:
		layer->forward_items += tokens * kernel->forward_items;
		layer->backward_items += tokens * kernel->backward_items;
		break;
	}
	layer->forward_flop += flop;
	layer->weight_items += kernel->weight_items;
}

void tokens_finish(struct layer *layer, double kept_items, struct layer_keeps *keeps)
{
	const struct token_work *const work = layer->work;
	for (unsigned i = 0; i < work->kernel_count; i++)
		kernel_sum(layer, work, &work->kernels[i]);
	/* A window saves nothing here: masked scores are stored, too. */
	const double scores = work->attention.flash ? 0 : work->kept_score_items * attention_span(work);
	keeps->items = work->tokens * (kept_items + work->kept_cut_items + work->kept_routed_items + scores) +
		       work->attention.source_tokens * work->kept_source_items;
}

void tokens_pass(const struct layer_context *context, struct layer *layer, double forward, double backward)
{
	struct token_work *const work = context->work;
	layer->work = work;
	work->tokens = layer->y.extent[0];
	work->hidden_items = layer->y.channels;
	work_pass(work, CUT_NOTHING, forward * layer->y.channels, backward * layer->y.channels);
	layer->forward_items = work->tokens * work->kernels[0].forward_items;
	layer->backward_items = work->tokens * work->kernels[0].backward_items;
}

static void attention_numbers(const struct attention *attention, double *numbers)
{
	const double values[] = {attention->heads, attention->kv_heads, attention->head_dim,
		attention->value_dim, attention->window, attention->block, attention->causal,
		attention->flash, attention->key_items, attention->latent_items, attention->chosen,
		attention->index_heads, attention->index_dim, attention->source_tokens,
		attention->source_width};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		numbers[i] = values[i];
}

static void kernel_numbers(const struct kernel *kernel, double *numbers)
{
	const double values[KERNEL_NUMBERS] = {kernel->kind, kernel->cut, kernel->routed, kernel->rows,
		kernel->columns, kernel->vocabulary, kernel->weight_items, kernel->forward_items,
		kernel->backward_items, kernel->chunked, kernel->source, kernel->again};
	for (size_t i = 0; i < KERNEL_NUMBERS; i++)
		numbers[i] = values[i];
}

struct work_bits work_bits(const struct token_work *work)
{
	double numbers[WORK_NUMBERS];
	struct work_bits bits;
	static const struct token_work none = {.tokens = 0};
	enum { SCALARS = 24, ATTENTION = 15 };
	_Static_assert(
		SCALARS + ATTENTION + KERNELS_MAX * KERNEL_NUMBERS == WORK_NUMBERS, "an array too short");
	const struct token_work *const from = work ? work : &none;
	const double values[SCALARS] = {from->tokens, from->hidden_items, from->kernel_count, from->experts,
		from->top_k, from->capacity, from->imbalance, from->sums_forward, from->sums_backward,
		from->small_sums, from->kept_cut_items, from->kept_score_items, from->kept_routed_items,
		from->tied, from->is_block, from->routed_items, from->state_items, from->state_heads,
		from->kept_source_items, from->dropped_items, from->dropped_cut_items,
		from->dropped_routed_items, from->result_items, work != NULL};
	for (size_t i = 0; i < SCALARS; i++)
		numbers[i] = values[i];
	attention_numbers(&from->attention, numbers + SCALARS);
	for (size_t i = 0; i < KERNELS_MAX; i++)
		kernel_numbers(&from->kernels[i], numbers + SCALARS + ATTENTION + i * KERNEL_NUMBERS);
	_Static_assert(sizeof(numbers) == sizeof(bits.bits), "a double has 64 bits");
	memcpy(bits.bits, numbers, sizeof(numbers));
	return bits;
}

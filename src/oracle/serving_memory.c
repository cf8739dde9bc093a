/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In inference, one device of a stage holds:
 *     weights      in the format they are stored in; embedding, norms and head in 16 bit; a tied head in another stage
 *                  than the embedding is a copy. No gradients, no optimizer
 *     cache        of each sequence, prompt and answer: keys and values of the heads that tensor leaves (at least
 *                  one), or the latent, whole on each; cut along context; a window keeps no more than itself. 16 bit
 *                  (fp32: 32). A recurrence keeps its state, however long the sequence
 *     activations  of the largest layer in a pass over prompts: its input, its output and what lies between; in
 *                  networks of images also what entered its branches. Nothing is kept for a backward. A prompt that is longer than
 *                  a chunk is read in several steps, and only the tokens of one of them are under way
 *     workspace    as in training, without what the allocator loses of weights and caches, which never move
 */
#include "oracle/inference.h"

#include <math.h>

#include "oracle/kernels.h"
#include "oracle/training.h"

double serving_cache_items(const struct attention *attention, double tensor)
{
	return serving_key_items(attention, tensor) + (attention->index_heads ? attention->index_dim : 0);
}

double serving_key_items(const struct attention *attention, double tensor)
{
	if (!attention->heads)
		return 0;
	if (attention->latent_items > 0)
		return attention->key_items;
	const double heads = share(attention->kv_heads, tensor, false);
	return heads * (attention->head_dim + attention->value_dim);
}

double serving_cache_tokens(const struct attention *attention, double tokens)
{
	return attention->window && attention->window < tokens ? attention->window : tokens;
}

double serving_item_bytes(const struct paradl_oracle *oracle)
{
	const bool is_narrow = precision_wide(oracle->precision) != oracle->precision;
	return is_narrow && oracle->rules.serve_narrow_cache ? 1
							     : precision_activation_bytes(oracle->precision);
}

enum attention_format serving_cache_format(const struct evaluation *evaluation)
{
	const bool is_narrow = evaluation->serving != SERVE_NOTHING &&
			       serving_item_bytes(evaluation->oracle) < evaluation->item_bytes;
	return is_narrow ? ATTENTION_NARROW_CACHE : ATTENTION_WIDE;
}

double serving_layer_bytes(const struct evaluation *evaluation, unsigned index, const struct layer_cost *cost)
{
	const struct layer *const layer = &evaluation->net->model->layers[index];
	const bool narrow = layer->class_ == LAYER_ATTENTION || layer->class_ == LAYER_RECURRENT ||
			    layer->class_ == LAYER_MLP || layer->class_ == LAYER_MOE || !layer->work;
	const enum paradl_precision precision =
		layer->work ? token_precision(evaluation, layer) : evaluation->oracle->precision;
	double items = cost->weight_items + cost->frozen_items;
	if (layer->work && layer->work->tied)
		items = evaluation->plan.degree[PARADL_PIPELINE] > 1 ? tied_items(evaluation) : 0;
	return items * precision_stored_bytes(narrow ? precision : precision_wide(precision));
}

/* Returns the tokens of a sequence that is under way: half of an answer is there, on average. */
static double sequence_tokens(const struct paradl_oracle *oracle)
{
	return oracle->prompt_tokens + oracle->output_tokens / (oracle->rules.serve_reserves ? 1 : 2);
}

/* Returns the items of a micro-batch's cache, as wide as keys and values; states are as wide as activations. */
static double layer_cache(const struct evaluation *evaluation, const struct layer *layer)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (!evaluation->generates || !layer->work)
		return 0;
	const double tokens = serving_cache_tokens(&layer->work->attention, sequence_tokens(oracle));
	const unsigned *const degree = evaluation->plan.degree;
	const double tensor = degree[PARADL_TENSOR];
	return evaluation->samples * tokens * serving_cache_items(&layer->work->attention, tensor) /
		       degree[PARADL_CONTEXT] +
	       evaluation->samples * layer->work->state_items / tensor * evaluation->item_bytes /
		       serving_item_bytes(oracle);
}

/* Returns the items that live during a pass through the layer. */
static double layer_activations(
	const struct evaluation *evaluation, const struct layer *layer, unsigned index)
{
	const struct layer_cost *cost = &evaluation->net->costs[index];
	if (layer->class_ == LAYER_LOSS)
		return 0;
	if (!layer->work)
		return cost->gradient_items;
	const double tensor = evaluation->plan.degree[PARADL_TENSOR];
	const double samples = evaluation->samples / evaluation->plan.degree[PARADL_CONTEXT];
	if (layer->class_ == LAYER_HEAD) {
		const double tokens = evaluation->generates ? 1 : layer->work->tokens;
		return evaluation->samples * tokens * (layer->x.channels + layer->y.channels / tensor);
	}
	return cost->kept_items + samples * (layer->x_items + layer->y_items);
}

void serving_layer_add(const struct evaluation *evaluation, unsigned index, double *term, double *kept)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	const double items = layer_activations(evaluation, layer, index);
	term[STAGE_STORED] += serving_layer_bytes(evaluation, index, &evaluation->net->costs[index]);
	*kept += layer_cache(evaluation, layer);
	if (items > term[STAGE_WORKING])
		term[STAGE_WORKING] = items;
}

double serving_branched_items(const struct evaluation *evaluation, unsigned unit)
{
	const struct paradl_model *model = evaluation->net->model;
	if (model->tokens || !unit || model->units[unit].end - model->units[unit].first < 2)
		return 0;
	return entering_items(evaluation, unit);
}

/* Returns the share of a pass over `samples` prompts that one step reads: no more than a chunk of tokens. */
static double step_share(const struct evaluation *evaluation, double samples)
{
	const struct paradl_model *model = evaluation->net->model;
	const double tokens = evaluation->generates ? samples * model->sequence : 0;
	const double chunk = serving_chunk(evaluation) * evaluation->plan.degree[PARADL_CONTEXT];
	return tokens > chunk ? chunk / tokens : 1;
}

/* Returns the memory of one device whose replica has `local` samples. */
static struct paradl_memory memory_of(
	const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank, double local)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double samples = share(local, serving_prompt_passes(evaluation, local), false);
	const double item_bytes = serving_item_bytes(evaluation->oracle);
	struct paradl_memory memory = {.weights_bytes = pipeline_rank->sums[STAGE_STORED],
		.cache_bytes = local * item_bytes * pipeline_rank->sums[STAGE_KEPT] / evaluation->samples,
		.activations_bytes = samples * step_share(evaluation, samples) * evaluation->item_bytes *
				     pipeline_rank->sums[STAGE_WORKING] / evaluation->samples};
	memory.workspace_bytes = rules->workspace_bytes +
				 device_context_bytes(evaluation, pipeline_rank->device) +
				 rules->fragmentation * memory.activations_bytes;
	return memory;
}

static bool has_room(
	const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank, double local)
{
	const struct paradl_memory memory = memory_of(evaluation, pipeline_rank, local);
	const struct paradl_oracle *oracle = evaluation->oracle;
	return memory_sum(&memory) <= oracle->rules.serve_memory * oracle->machine->device.memory_bytes;
}

/* Returns the most samples of a replica at which this device has room, as it has for every smaller number. */
static double largest_local(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank)
{
	double fits = 0, fails = 1;
	while (fails < PARADL_BATCH_TRIED && has_room(evaluation, pipeline_rank, fails)) {
		fits = fails;
		fails *= 2;
	}
	while (fails - fits > 1) {
		const double middle = floor((fits + fails) / 2);
		if (has_room(evaluation, pipeline_rank, middle))
			fits = middle;
		else
			fails = middle;
	}
	return fits;
}

double serving_largest(const struct evaluation *evaluation, unsigned pipeline_rank_count)
{
	double largest = HUGE_VAL;
	for (unsigned i = 0; i < pipeline_rank_count; ++i)
		largest = fmin(largest, largest_local(evaluation, &evaluation->net->pipeline_ranks[i]));
	return largest;
}

void serving_memory(const struct evaluation *evaluation, unsigned pipeline_rank_count, double local,
	struct paradl_estimate *estimate)
{
	for (unsigned i = 0; i < pipeline_rank_count; ++i) {
		const struct paradl_memory memory =
			memory_of(evaluation, &evaluation->net->pipeline_ranks[i], local);
		if (memory_sum(&memory) > memory_sum(&estimate->memory))
			estimate->memory = memory;
	}
}

double serving_cache_bytes(const struct evaluation *evaluation)
{
	const struct paradl_model *model = evaluation->net->model;
	const double tokens = sequence_tokens(evaluation->oracle);
	double items = 0;
	for (unsigned i = 0; evaluation->generates && i < model->layer_count; ++i) {
		const struct layer *layer = &model->layers[i];
		if (layer->work)
			items += layer->count * serving_cache_items(&layer->work->attention, 1) *
				 serving_cache_tokens(&layer->work->attention, tokens) / tokens;
	}
	return items * serving_item_bytes(evaluation->oracle);
}

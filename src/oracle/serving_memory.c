/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of inference on one device of a stage:
 *     weights      in the format they are stored in; embedding, norms and head in 16 bit; a tied head in another stage than
 *                  the embedding is a copy. No gradients, no optimizer
 *     cache        of each sequence, prompt and answer: keys and values of the heads that tensor leaves (at least one), or
 *                  the latent, whole on each; cut along context; a window keeps no more than itself. 16 bit (fp32: 32)
 *     activations  of the largest layer in a pass over prompts: its input, its output and what lies between; in networks of
 *                  images what entered its branches besides. Nothing is kept for a backward
 *     workspace    as in training, without what the allocator loses of weights and caches, which never move
 */
#include "oracle/serving_memory.h"

#include <math.h>

#include "oracle/inference.h"
#include "oracle/kernels.h"

struct demand {
	double weights_bytes, cache_bytes, activations_bytes; /* the last two of one sample */
};

static double layer_weights(const struct evaluation *evaluation, const struct layer *layer, unsigned index)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct layer_cost *cost = &evaluation->net->costs[index];
	const bool narrow = layer->class_ == LAYER_ATTENTION || layer->class_ == LAYER_MLP ||
			    layer->class_ == LAYER_MOE || !layer->work;
	const enum paradl_precision precision = evaluation->oracle->precision;
	double items = cost->weight_items + cost->frozen_items;
	if (layer->work && layer->work->tied) {
		items = 0;
		for (unsigned i = 0; plan->degree[PARADL_PIPELINE] > 1 && i < layer->work->kernel_count; ++i)
			items += layer->work->kernels[i].rows * layer->work->kernels[i].columns /
				 plan->degree[PARADL_TENSOR];
	}
	return items * serving_weight_bytes(narrow ? precision : sixteen_bit(precision));
}

static double layer_cache(const struct evaluation *evaluation, const struct layer *layer)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (!evaluation->generates || !layer->work)
		return 0;
	const double tokens =
		serving_cache_tokens(&layer->work->attention, oracle->prompt_tokens + oracle->output_tokens);
	return tokens * serving_cache_items(&layer->work->attention, evaluation->plan.degree[PARADL_TENSOR]) *
	       evaluation->item_bytes / evaluation->plan.degree[PARADL_CONTEXT];
}

/* Items of a pass. */
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

static double unit_activations(const struct evaluation *evaluation, unsigned index)
{
	const struct paradl_model *model = evaluation->net->model;
	const struct unit *unit = &model->units[index];
	double most = 0, entered = 0;
	for (unsigned i = unit->first; i < unit->end; ++i) {
		const double items =
			layer_activations(evaluation, &model->layers[model->order[i]], model->order[i]);
		most = items > most ? items : most;
	}
	if (!model->tokens && index > 0 && unit->end - unit->first > 1)
		entered = evaluation->samples * model->units[index - 1].boundary_items /
			  evaluation->plan.degree[PARADL_SPATIAL];
	return most + entered;
}

static struct demand stage_demand(const struct evaluation *evaluation, const struct stage *stage)
{
	const struct paradl_model *model = evaluation->net->model;
	struct demand demand = {0, 0, 0};
	double items = 0;
	for (unsigned u = stage->first; u < stage->end; ++u) {
		for (unsigned i = model->units[u].first; i < model->units[u].end; ++i) {
			const unsigned index = model->order[i];
			demand.weights_bytes += layer_weights(evaluation, &model->layers[index], index);
			demand.cache_bytes += layer_cache(evaluation, &model->layers[index]);
		}
		const double here = unit_activations(evaluation, u);
		items = here > items ? here : items;
	}
	demand.activations_bytes = items * evaluation->item_bytes / evaluation->samples;
	return demand;
}

static double workspace_bytes(const struct evaluation *evaluation)
{
	const struct paradl_framework *framework = evaluation->oracle->framework;
	const struct framework_training *training = &framework->training;
	unsigned groups = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		groups += axis != PARADL_DATA && evaluation->plan.degree[axis] > 1;
	return framework->workspace_bytes + training->context_bytes + groups * training->communicator_bytes;
}

static struct paradl_memory memory_of(
	const struct evaluation *evaluation, const struct demand *demand, double local)
{
	const double samples = share(local, serving_prompt_passes(evaluation, local), false);
	struct paradl_memory memory = {.weights_bytes = demand->weights_bytes,
		.cache_bytes = local * demand->cache_bytes,
		.activations_bytes = samples * demand->activations_bytes,
		.workspace_bytes = workspace_bytes(evaluation)};
	memory.workspace_bytes +=
		evaluation->oracle->framework->training.fragmentation * memory.activations_bytes;
	return memory;
}

static double sum(const struct paradl_memory *memory)
{
	return memory->weights_bytes + memory->cache_bytes + memory->activations_bytes +
	       memory->workspace_bytes;
}

/* The most samples of a replica at which this stage fits; every number below does. */
static double largest_local(const struct evaluation *evaluation, const struct demand *demand)
{
	const double capacity = evaluation->oracle->machine->device.memory_bytes, most = 1e9;
	double fits = 0, fails = 1;
	struct paradl_memory memory = memory_of(evaluation, demand, fails);
	while (fails < most && sum(&memory) <= capacity) {
		fits = fails;
		fails *= 2;
		memory = memory_of(evaluation, demand, fails);
	}
	while (fails - fits > 1) {
		const double middle = floor((fits + fails) / 2);
		memory = memory_of(evaluation, demand, middle);
		if (sum(&memory) <= capacity)
			fits = middle;
		else
			fails = middle;
	}
	return fits;
}

void serving_memory(const struct evaluation *evaluation, struct paradl_estimate *estimate, double *largest)
{
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	for (unsigned i = 0; i < stages; ++i) {
		const struct demand demand = stage_demand(evaluation, &evaluation->net->stages[i]);
		const struct paradl_memory memory = memory_of(evaluation, &demand, evaluation->local_batch);
		const double most = largest_local(evaluation, &demand);
		if (i == 0 || sum(&memory) > sum(&estimate->memory))
			estimate->memory = memory;
		if (i == 0 || most < *largest)
			*largest = most;
	}
}

double serving_cache_bytes(const struct evaluation *evaluation)
{
	const struct paradl_model *model = evaluation->net->model;
	double items = 0;
	for (unsigned i = 0; evaluation->generates && i < model->layer_count; ++i)
		if (model->layers[i].work)
			items += model->layers[i].count *
				 serving_cache_items(&model->layers[i].work->attention, 1);
	return items * evaluation->item_bytes;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks are made as plans run them: what each axis may cut of each layer, under a framework, and how far.
 *
 * Spatial pieces go through units from the start, as long as every layer of the unit may be cut and can hold them;
 * there, or earlier if the plan says so, they are gathered, and what follows runs whole on every device.
 */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "oracle/kernels.h"
#include "oracle/layered.h"
#include "oracle/stage.h"

enum { USUAL_ENDS = PARTS_KEPT * (PARTS_KEPT + 1) / 2 };

/* Returns whether two pieces fit along any dimension; a layer too small for that runs whole. */
static bool two_pieces_fit(const struct layer *layer)
{
	for (unsigned k = 0; k < layer->x.dimensions; ++k)
		if (strategy_spatial.limit(layer, k) > 1)
			return true;
	return false;
}

/* Returns whether this axis may cut this layer: ideal, always, as in Table III; else by the framework's table. */
static bool may_cut(const struct paradl_oracle *oracle, const struct layer *layer, enum paradl_axis axis)
{
	if (oracle->rules.ideal)
		return true;
	if (axis >= PARADL_EXPERT && axis <= PARADL_TENSOR)
		return layer->work && (axis != PARADL_EXPERT || layer->work->experts);
	const bool custom =
		layer->class_ == LAYER_CUSTOM; /* the layer's file says what may be cut, not a framework */
	if (!custom && !oracle->framework->splits[axis][layer->class_])
		return false;
	if (axis == PARADL_FILTER)
		return custom ? layer->splits & LAYER_SPLIT_FILTER : layer->kernel_volume > 0;
	if (axis == PARADL_CHANNEL && (layer->reads_input || layer->groups > 1))
		return false;
	if (axis == PARADL_CHANNEL)
		return custom ? layer->splits & LAYER_SPLIT_CHANNEL : layer->kernel_volume > 0;
	if (axis == PARADL_SPATIAL)
		return !layer->work && !layer->global && two_pieces_fit(layer) &&
		       (!custom || layer->splits & LAYER_SPLIT_SPATIAL);
	return true;
}

/* Returns the position after the last layer that any spatial pieces go through. */
static unsigned spatial_end(const struct paradl_oracle *oracle, const struct paradl_model *model)
{
	for (unsigned u = 0; u < model->unit_count; ++u)
		for (unsigned i = model->units[u].first; i < model->units[u].end; ++i)
			if (!may_cut(oracle, &model->layers[model->order[i]], PARADL_SPATIAL))
				return model->units[u].first;
	return model->order_count;
}

static void limit_least(struct axis_limit *limit, unsigned value, const struct layer *layer)
{
	if (!limit->layer || value < limit->limit)
		*limit = (struct axis_limit){value, layer};
}

/* Returns whether this layer limits spatial; the ideal model cuts every layer, but only windows limit it. */
static bool limits_spatial(const struct paradl_oracle *oracle, const struct layer *layer)
{
	const bool window = layer->class_ == LAYER_CONVOLUTION || layer->class_ == LAYER_POOL;
	return layer->x.dimensions > 0 && !layer->global && (!oracle->rules.ideal || window);
}

/* Fills how far spatial can cut, limited by layers of the first unit or (ideal, which never gathers) by all layers. */
static void spatial_limits(const struct paradl_oracle *oracle, struct prepared *net)
{
	const struct paradl_model *model = net->model;
	unsigned least[DIMENSIONS_MAX] = {UINT_MAX, UINT_MAX, UINT_MAX};
	for (unsigned u = 0; u < model->unit_count && model->units[u].first < net->spatial_end; ++u) {
		for (unsigned i = model->units[u].first; i < model->units[u].end; ++i) {
			const struct layer *layer = &model->layers[model->order[i]];
			for (unsigned k = 0; limits_spatial(oracle, layer) && k < DIMENSIONS_MAX; ++k) {
				const unsigned limit = strategy_spatial.limit(layer, k);
				least[k] = limit < least[k] ? limit : least[k];
				if (u == 0 || oracle->rules.ideal)
					limit_least(&net->spatial[k], limit, layer);
			}
		}
		memcpy(net->unit_pieces[u], least, sizeof least);
	}
}

bool limits_axis(const struct layer *layer, enum paradl_axis axis)
{
	const bool channels = layer->kernel_volume > 0 || layer->class_ == LAYER_CUSTOM;
	if (axis <= PARADL_TENSOR)
		return layer->work;
	return channels && (axis == PARADL_FILTER || !layer->reads_input);
}

static void limits_prepare(const struct paradl_oracle *oracle, struct prepared *net)
{
	for (unsigned i = 0; i < net->model->layer_count; ++i) {
		const struct layer *layer = &net->model->layers[i];
		const unsigned cut = net->cut[i];
		for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis) {
			if (!(cut & 1u << axis) || !limits_axis(layer, axis))
				continue;
			const unsigned limit = strategies[axis]->limit(layer, 0);
			limit_least(&net->limits[axis], limit, layer);
			if (limit != UINT_MAX)
				net->common[axis] = common_divisor(net->common[axis], limit);
		}
		const bool cuts_extents = cut & 1u << PARADL_SPATIAL && limits_spatial(oracle, layer);
		for (unsigned k = 0; cuts_extents && k < layer->x.dimensions; ++k)
			net->common_extents[k] = common_divisor(net->common_extents[k], layer->y.extent[k]);
	}
}

static void cuts_prepare(const struct paradl_oracle *oracle, struct prepared *net)
{
	const struct paradl_model *model = net->model;
	for (unsigned i = 0; i < model->layer_count; ++i) {
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			if (axis == PARADL_SPATIAL || may_cut(oracle, &model->layers[i], axis))
				net->cut[i] |= (unsigned char)(1u << axis);
		net->tied = net->tied || (model->layers[i].work && model->layers[i].work->tied);
	}
	for (unsigned i = net->spatial_end; i < model->order_count; ++i)
		net->cut[model->order[i]] &= (unsigned char)~(1u << PARADL_SPATIAL);
	limits_prepare(oracle, net);
	spatial_limits(oracle, net);
}

/*
 * Returns the seconds per byte of the update. A whole step lies between two updates of a weight, so that it is still
 * in a cache only where all that updates touch fits.
 */
static double update_s_per_byte(const struct paradl_oracle *oracle, const struct paradl_model *model)
{
	const struct device *device = &oracle->machine->device;
	double weights = 0;
	for (unsigned i = 0; i < model->layer_count; ++i)
		weights += model->layers[i].count * model->layers[i].weight_items;
	return oracle->rules.ideal ? device->s_per_byte
				   : device_s_per_byte(device, weights * oracle->optimizer->bytes_per_weight);
}

/* Builds the network of a variant, whose spatial pieces are gathered at its padded_end, 0: where none can go on. */
static bool prepare(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error)
{
	const struct model_variant *variant = &net->variant;
	const bool same = !variant->extent[0] && !variant->padded_pieces && !variant->sequence;
	const struct paradl_model *model =
		same ? oracle->model : model_build(oracle->arena, oracle->model->source, variant, error);
	if (!model)
		return false;
	net->spatial_end = variant->padded_end ? variant->padded_end : spatial_end(oracle, model);
	net->model = model_divide(oracle->arena, model, net->spatial_end);
	if (!net->model)
		return out_of_memory(error);
	net->cut = arena_alloc(oracle->arena, net->model->layer_count, 1);
	net->wholes = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->wholes);
	net->shards = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->shards);
	net->connected = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->connected);
	net->costs = net->connected;
	net->kernels = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->kernels);
	net->stage_work = arena_alloc(oracle->arena, net->model->unit_count + 1, sizeof *net->stage_work);
	if (!model->tokens && !stage_messages_reserve(net, oracle->arena))
		return out_of_memory(error);
	net->stage_ends = arena_alloc(oracle->arena, net->model->unit_count, sizeof *net->stage_ends);
	net->usual_ends = arena_alloc(oracle->arena, USUAL_ENDS, sizeof *net->usual_ends);
	net->unit_pieces = arena_alloc(oracle->arena, net->model->unit_count, sizeof *net->unit_pieces);
	if (!net->unit_pieces || !net->cut || !net->wholes || !net->shards || !net->connected ||
		!net->kernels || !net->stage_work || !net->stage_ends || !net->usual_ends)
		return out_of_memory(error);
	if (!training_prepare(oracle->arena, net, error))
		return false;
	for (unsigned i = 0; i < net->model->layer_count; ++i)
		net->wholes[i] = shard_whole(&net->model->layers[i], 1);
	net->update_s_per_byte = update_s_per_byte(oracle, net->model);
	cuts_prepare(oracle, net);
	return true;
}

static bool quirk_applies(const struct paradl_model *model, const struct input_quirk *quirk, unsigned axes)
{
	bool applies = quirk->families[axes];
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		applies = applies && (i < model->input.dimensions) == (quirk->extent[i] > 0);
	return applies;
}

/* Returns the network of a variant, from the cache or built. */
static struct prepared *prepared_find(
	struct paradl_oracle *oracle, const struct model_variant *variant, struct paradl_error *error)
{
	for (unsigned i = 0; i < oracle->prepared_count; ++i)
		if (memcmp(&oracle->prepared[i].variant, variant, sizeof *variant) == 0)
			return &oracle->prepared[i];
	/* With more variants than places, the last place is taken again; its predecessor stays in the arena. */
	const unsigned place =
		oracle->prepared_count < PREPARED_MAX ? oracle->prepared_count : PREPARED_MAX - 1;
	struct prepared net = {.variant = *variant};
	if (!oracle->prepared)
		oracle->prepared = arena_alloc(oracle->arena, PREPARED_MAX, sizeof *oracle->prepared);
	if (!oracle->prepared)
		return out_of_memory_null(error);
	if (!prepare(oracle, &net, error)) {
		/* The network as the file has it was accepted, so it is this plan's input that it cannot take. */
		if (error && error->status != PARADL_NO_MEMORY)
			error->status = PARADL_INFEASIBLE;
		return NULL;
	}
	if (!layer_times_match(oracle, &net, error))
		return NULL;
	stages_weigh(oracle, &net);
	oracle->prepared[place] = net;
	oracle->prepared_count = place + 1;
	return &oracle->prepared[place];
}

/* Returns the position after the last unit that these pieces can go through. */
static unsigned spatial_reach(const struct prepared *net, const unsigned pieces[DIMENSIONS_MAX])
{
	const struct paradl_model *model = net->model;
	for (unsigned u = 0; u < model->unit_count && model->units[u].first < net->spatial_end; ++u)
		for (unsigned k = 0; k < DIMENSIONS_MAX; ++k)
			if (pieces[k] > net->unit_pieces[u][k])
				return model->units[u].first;
	return net->spatial_end;
}

bool gather_known(const struct paradl_model *model, const char *name, struct paradl_error *error)
{
	if (name_index(name, model->names, model->order_count) < model->order_count)
		return true;
	error_set(error, PARADL_USAGE, "gather=%s: %s has no such layer%s", name, model->name,
		suggestion_of(name, model->names, model->order_count).clause);
	return error_hint(error, "\"paradl list\" of the model shows its layers");
}

/* Finds where a plan says that its pieces are gathered; reach: the position up to which they can go. */
static bool gather_find(const struct prepared *net, const char *name, unsigned reach, unsigned *end,
	struct paradl_error *error)
{
	const struct paradl_model *model = net->model;
	unsigned at = 0;
	if (!gather_known(model, name, error))
		return false;
	while (strcmp(model->names[at], name) != 0)
		++at;
	*end = model->units[unit_at(model, at)].end;
	if (at < reach && *end == at + 1)
		return true;
	if (at >= reach) {
		error_set(error, PARADL_INFEASIBLE, "gather=%s is too late: the pieces cannot go on after %s",
			name, model->names[reach - 1]);
		return error_hint(error,
			"gather=%s, which is where they are gathered anyhow, or an earlier layer",
			model->names[reach - 1]);
	}
	error_set(error, PARADL_INFEASIBLE,
		"gather=%s: there are several tensors to gather after it (branches stay together)", name);
	return error_hint(error, "gather=%s, where its branches have met", model->names[*end - 1]);
}

void prepared_changed(struct paradl_oracle *oracle)
{
	for (unsigned i = 0; i < oracle->prepared_count; ++i) {
		struct prepared *const net = &oracle->prepared[i];
		net->update_s_per_byte = update_s_per_byte(oracle, net->model);
		net->weighs_anew = true;
	}
}

/* Returns the network with the weights that a plan cuts stages by. */
static struct prepared *weighed(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, struct prepared *net)
{
	if (!net || !net->weighs_anew || plan->degree[PARADL_PIPELINE] < 2)
		return net;
	memset(net->usual_ends, 0, USUAL_ENDS * sizeof *net->usual_ends);
	stages_weigh(oracle, net);
	net->weighs_anew = false;
	return net;
}

struct prepared *oracle_prepare(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	struct model_variant variant = {.extent = {0}};
	const unsigned axes = plan_axes(plan);
	for (unsigned i = 0; !oracle->rules.ideal && i < oracle->framework->input_count; ++i)
		if (quirk_applies(oracle->model, &oracle->framework->inputs[i], axes))
			memcpy(variant.extent, oracle->framework->inputs[i].extent, sizeof variant.extent);
	if (oracle->cuts.padded_pools && plan->spatial[0] > 1) {
		variant.padded_kinds = oracle->cuts.padded_pools;
		variant.padded_pieces = plan->spatial[0];
	}
	if (oracle->prompt_tokens > 0)
		variant.sequence = (unsigned)oracle->prompt_tokens;
	struct prepared *net = prepared_find(oracle, &variant, error);
	if (!net || oracle->rules.ideal || !(axes & 1u << PARADL_SPATIAL))
		return weighed(oracle, plan, net);
	unsigned end = spatial_reach(net, plan->spatial);
	if (plan->gather[0] && end > 0 && !gather_find(net, plan->gather, end, &end, error))
		return NULL;
	if (end == net->spatial_end ||
		end == 0) /* 0: no layer can hold them, which makes the plan infeasible */
		return weighed(oracle, plan, net);
	variant.padded_end = end;
	return weighed(oracle, plan, prepared_find(oracle, &variant, error));
}

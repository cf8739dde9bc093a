/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making an oracle: what each axis may cut of each layer, under a framework, and how far. */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "oracle/inference.h"
#include "oracle/layer_times.h"

static bool out_of_memory(struct paradl_error *error)
{
	return error_set(error, PARADL_NO_MEMORY, "out of memory");
}

/* A layer too small for even two pieces along any dimension runs whole. */
static bool two_pieces_fit(const struct layer *layer)
{
	for (unsigned k = 0; k < layer->x.dimensions; ++k)
		if (strategy_spatial.limit(layer, k) > 1)
			return true;
	return false;
}

/* May this axis cut this layer? Ideal: every layer, as in Table III. Else what the framework's table says. */
static bool may_cut(const struct paradl_oracle *oracle, const struct layer *layer, enum paradl_axis axis)
{
	if (oracle->rules.ideal)
		return true;
	if (axis >= PARADL_EXPERT && axis <= PARADL_TENSOR)
		return layer->work && (axis != PARADL_EXPERT || layer->work->experts);
	const bool custom =
		layer->class_ == LAYER_CUSTOM; /* its file says what may be cut, not the framework */
	if (!custom && !oracle->framework->splits[axis][layer->class_])
		return false;
	switch (axis) {
	case PARADL_FILTER:
		return custom ? layer->splits & LAYER_SPLIT_FILTER : layer->kernel_volume > 0;
	case PARADL_CHANNEL:
		if (layer->reads_input || layer->groups > 1)
			return false;
		return custom ? layer->splits & LAYER_SPLIT_CHANNEL : layer->kernel_volume > 0;
	case PARADL_SPATIAL:
		return !layer->global && two_pieces_fit(layer) &&
		       (!custom || layer->splits & LAYER_SPLIT_SPATIAL);
	case PARADL_DATA:
	case PARADL_PIPELINE:
	case PARADL_EXPERT:
	case PARADL_CONTEXT:
	case PARADL_TENSOR:
	case PARADL_AXIS_COUNT:
		break;
	}
	return true;
}

static const char *gather_after(const struct paradl_oracle *oracle)
{
	for (unsigned i = 0; i < oracle->framework->gather_count; ++i)
		if (strcmp(oracle->framework->gathers[i].model, oracle->model->name) == 0)
			return oracle->framework->gathers[i].layer;
	return NULL;
}

/* Position after the last layer that spatial pieces go through: units are cut from the start while all of them can be. */
static unsigned spatial_end(const struct paradl_oracle *oracle, const struct paradl_model *model)
{
	const char *last = oracle->rules.ideal ? NULL : gather_after(oracle);
	for (unsigned u = 0; u < model->unit_count; ++u)
		for (unsigned i = model->units[u].first; i < model->units[u].end; ++i) {
			if (!may_cut(oracle, &model->layers[model->order[i]], PARADL_SPATIAL))
				return model->units[u].first;
			if (last && strcmp(model->names[i], last) == 0)
				return i + 1;
		}
	return model->order_count;
}

static void limit_least(struct axis_limit *limit, unsigned value, const struct layer *layer)
{
	if (!limit->layer || value < limit->limit)
		*limit = (struct axis_limit){value, layer};
}

static unsigned common_divisor(unsigned a, unsigned b)
{
	while (b) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static void spatial_limits(
	const struct paradl_oracle *oracle, const struct layer *layer, struct prepared *net)
{
	/* Ideal cuts every layer, but only windows say how far. */
	const bool window = layer->class_ == LAYER_CONVOLUTION || layer->class_ == LAYER_POOL;
	if (layer->x.dimensions == 0 || layer->global || (oracle->rules.ideal && !window))
		return;
	for (unsigned k = 0; k < DIMENSIONS_MAX; ++k) {
		limit_least(&net->spatial[k], strategy_spatial.limit(layer, k), layer);
		if (k < layer->x.dimensions)
			net->common_extents[k] = common_divisor(net->common_extents[k], layer->y.extent[k]);
	}
}

static void token_limits(const struct layer *layer, unsigned cut, struct prepared *net)
{
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_TENSOR; ++axis) {
		const unsigned limit = strategies[axis]->limit(layer, 0);
		if (!(cut & 1u << axis))
			continue;
		limit_least(&net->limits[axis], limit, layer);
		if (limit != UINT_MAX)
			net->common[axis] = common_divisor(net->common[axis], limit);
	}
}

static void limits_prepare(const struct paradl_oracle *oracle, struct prepared *net)
{
	for (unsigned i = 0; i < net->model->layer_count; ++i) {
		const struct layer *layer = &net->model->layers[i];
		const unsigned cut = net->cut[i];
		const bool channels = layer->kernel_volume > 0 || layer->class_ == LAYER_CUSTOM;
		if (cut & 1u << PARADL_FILTER && channels) {
			const unsigned limit = strategy_filter.limit(layer, 0);
			limit_least(&net->limits[PARADL_FILTER], limit, layer);
			net->common_filters = common_divisor(net->common_filters, limit);
		}
		if (cut & 1u << PARADL_CHANNEL && channels && !layer->reads_input) {
			const unsigned limit = strategy_channel.limit(layer, 0);
			limit_least(&net->limits[PARADL_CHANNEL], limit, layer);
			net->common_channels = common_divisor(net->common_channels, limit);
		}
		if (cut & 1u << PARADL_SPATIAL)
			spatial_limits(oracle, layer, net);
		if (layer->work)
			token_limits(layer, cut, net);
	}
}

static void cuts_prepare(const struct paradl_oracle *oracle, struct prepared *net)
{
	const struct paradl_model *model = net->model;
	const unsigned end = spatial_end(oracle, model);
	for (unsigned i = 0; i < model->layer_count; ++i)
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			if (axis == PARADL_SPATIAL || may_cut(oracle, &model->layers[i], axis))
				net->cut[i] |= (unsigned char)(1u << axis);
	/* Also where such a layer occurs before the gather: it has one row of costs. */
	for (unsigned i = end; i < model->order_count; ++i)
		net->cut[model->order[i]] &= (unsigned char)~(1u << PARADL_SPATIAL);
	net->gathers = !oracle->rules.ideal && end > 0 && end < model->order_count;
	net->gather_position = end ? end - 1 : 0;
	limits_prepare(oracle, net);
}

/* Between two updates of a weight lies a whole step: only where all that updates touch fits into a cache it is still there. */
static double update_s_per_byte(const struct paradl_oracle *oracle, const struct paradl_model *model)
{
	const struct device *device = &oracle->machine->device;
	double weights = 0;
	for (unsigned i = 0; i < model->layer_count; ++i)
		weights += model->layers[i].count * model->layers[i].weight_items;
	return oracle->rules.ideal ? device->s_per_byte
				   : device_s_per_byte(device, weights * oracle->optimizer->bytes_per_weight);
}

static bool prepare(struct paradl_oracle *oracle, const struct model_variant *variant, struct prepared *net,
	struct paradl_error *error)
{
	const bool same = !variant->extent[0] && variant->pool_halo_pieces < 2 && !variant->sequence;
	net->variant = *variant;
	net->model = same ? oracle->model : model_build(oracle->arena, oracle->model->source, variant, error);
	if (!net->model)
		return false;
	net->cut = arena_alloc(oracle->arena, net->model->layer_count, 1);
	net->wholes = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->wholes);
	net->shards = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->shards);
	net->costs = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->costs);
	net->kernels = arena_alloc(oracle->arena, net->model->layer_count, sizeof *net->kernels);
	net->stage_work = arena_alloc(oracle->arena, net->model->unit_count + 1, sizeof *net->stage_work);
	net->stage_ends = arena_alloc(oracle->arena, net->model->unit_count, sizeof *net->stage_ends);
	if (!net->cut || !net->wholes || !net->shards || !net->costs || !net->kernels || !net->stage_work ||
		!net->stage_ends)
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
	if (!quirk->families[axes])
		return false;
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		if ((i < model->input.dimensions) != (quirk->extent[i] > 0))
			return false;
	return true;
}

struct prepared *oracle_prepare(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	struct model_variant variant = {.extent = {0}};
	const unsigned axes = plan_axes(plan);
	for (unsigned i = 0; !oracle->rules.ideal && i < oracle->framework->input_count; ++i)
		if (quirk_applies(oracle->model, &oracle->framework->inputs[i], axes))
			memcpy(variant.extent, oracle->framework->inputs[i].extent, sizeof variant.extent);
	if (oracle->cuts.pool_rows > 0 && plan->spatial[0] > 1)
		variant.pool_halo_pieces = plan->spatial[0];
	if (oracle->prompt_tokens > 0)
		variant.sequence = (unsigned)oracle->prompt_tokens;
	for (unsigned i = 0; i < oracle->prepared_count; ++i)
		if (memcmp(&oracle->prepared[i].variant, &variant, sizeof variant) == 0)
			return &oracle->prepared[i];
	/* More variants than places: the last place is taken again, its predecessor stays in the arena. */
	const unsigned place =
		oracle->prepared_count < PREPARED_MAX ? oracle->prepared_count : PREPARED_MAX - 1;
	struct prepared net = {.variant = variant};
	if (!prepare(oracle, &variant, &net, error)) {
		/* The network as the file has it was accepted; it is this plan's input that it cannot take. */
		if (error && error->status != PARADL_NO_MEMORY)
			error->status = PARADL_INFEASIBLE;
		return NULL;
	}
	if (!layer_times_match(oracle, &net, error))
		return NULL;
	oracle->prepared[place] = net;
	oracle->prepared_count = place + 1;
	return &oracle->prepared[place];
}

static int pool_rows(const struct paradl_oracle *oracle)
{
	for (unsigned i = 0; i < oracle->framework->pool_halo_count; ++i)
		if (strcmp(oracle->framework->pool_halo[i], oracle->model->name) == 0)
			return 1;
	return oracle->framework->pool_messages ? -1 : 0;
}

static bool optimizer_unknown(const char *name, struct paradl_error *error)
{
	size_t count = 0;
	while (optimizer_names[count])
		++count;
	const char *near = suggest(name, optimizer_names, count);
	if (near)
		return error_set(error, PARADL_USAGE, "there is no optimizer \"%s\"; did you mean \"%s\"?",
			name, near);
	error_set(error, PARADL_USAGE, "there is no optimizer \"%s\"", name);
	error_hint(error, "sgd, sgd-momentum, adam, adamw, lamb, lars, adafactor or adamw-8bit");
	return false;
}

void oracle_framework_changed(struct paradl_oracle *oracle)
{
	oracle->latest = NULL;
	rules_resolve(oracle->framework, oracle->model->tokens, oracle->options.ideal, &oracle->rules);
	if (oracle->options.inference)
		inference_rules(&oracle->rules);
}

static bool options_apply(struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct paradl_options *options = &oracle->options;
	const char *name = options->optimizer ? options->optimizer : oracle->model->optimizer;
	oracle->precision = options->override_precision ? options->precision : oracle->model->precision;
	oracle->optimizer = optimizer_find(name);
	if (!oracle->optimizer)
		return optimizer_unknown(name, error);
	if (!(oracle->machine->device.peak_flop_per_s[oracle->precision] > 0))
		return error_set(error, PARADL_USAGE, "%s does not compute in %s; choose another precision",
			oracle->machine->device.name, paradl_precision_name(oracle->precision));
	oracle_framework_changed(oracle);
	oracle->cuts.even = options->ideal;
	oracle->cuts.pool_rows = options->ideal ? -1 : pool_rows(oracle);
	oracle->cuts.filter_backward_partial = !options->ideal && oracle->rules.filter_backward_partial;
	band_prepare(oracle);
	return true;
}

const struct paradl_framework *oracle_framework_load(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error)
{
	const char *path = beside_or_shipped(
		arena, machine->path, "frameworks", machine->framework, machine->directories);
	const struct paradl_framework *framework =
		path ? paradl_framework_load_changed(arena, path, machine->changes, error) : NULL;
	if (!framework && error && error->status == PARADL_IO)
		error_hint(error, "the machine's default framework lies beside it, in frameworks/; "
				  "or name another");
	return framework;
}

struct paradl_oracle *paradl_oracle_create(struct paradl_arena *arena, const struct paradl_model *model,
	const struct paradl_machine *machine, const struct paradl_framework *framework,
	const struct paradl_options *options, struct paradl_error *error)
{
	struct paradl_oracle *oracle = arena_alloc(arena, 1, sizeof *oracle);
	if (!oracle) {
		out_of_memory(error);
		return NULL;
	}
	if (!framework)
		framework = oracle_framework_load(arena, machine, error);
	if (!framework)
		return NULL;
	*oracle = (struct paradl_oracle){
		.arena = arena, .model = model, .machine = machine, .framework = framework};
	if (options)
		oracle->options = *options;
	if (!options_apply(oracle, error) || !choices_make(oracle, error) ||
		!inference_check(oracle, error) || !oracle_input_make(oracle, error) ||
		!gear_prepare(oracle, error))
		return NULL;
	if (oracle->options.layer_times &&
		!(oracle->times = layer_times_load(arena, oracle->options.layer_times, error)))
		return NULL;
	return oracle;
}

const struct paradl_framework *paradl_oracle_framework(const struct paradl_oracle *oracle)
{
	return oracle->framework;
}

double paradl_oracle_batch_per_device(const struct paradl_oracle *oracle)
{
	return oracle->model->batch_per_gpu > 0 ? oracle->model->batch_per_gpu : 1;
}

unsigned paradl_oracle_dimensions(const struct paradl_oracle *oracle)
{
	return oracle->model->input.dimensions;
}

enum { LONG_SEQUENCE = 8192 }; /* tokens; shorter ones are worth no exchange of keys and values */

unsigned oracle_axes(const struct paradl_oracle *oracle)
{
	const struct paradl_model *model = oracle->model;
	unsigned axes = 1u << PARADL_DATA | 1u << PARADL_PIPELINE;
	if (!model->tokens)
		return axes | 1u << PARADL_FILTER | 1u << PARADL_CHANNEL | 1u << PARADL_SPATIAL;
	axes |= 1u << PARADL_TENSOR;
	if (model->sequence >= LONG_SEQUENCE)
		axes |= 1u << PARADL_CONTEXT;
	for (unsigned i = 0; i < model->layer_count; ++i)
		if (model->layers[i].work && model->layers[i].work->experts)
			axes |= 1u << PARADL_EXPERT;
	return axes;
}

void oracle_most(struct paradl_oracle *oracle, double most[PARADL_AXIS_COUNT])
{
	const struct paradl_plan serial = {.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	const struct paradl_framework *framework = oracle->framework;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		most[axis] = 0;
	/* Frameworks that change the network from plan to plan change its limits, too. */
	if (!oracle->rules.ideal && (framework->input_count || framework->pool_halo_count))
		return;
	const struct prepared *net = oracle_prepare(oracle, &serial, NULL);
	if (!net)
		return;
	most[PARADL_PIPELINE] = net->model->unit_count;
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis)
		most[axis] = net->limits[axis].layer ? net->limits[axis].limit : 1;
	most[PARADL_SPATIAL] = 1;
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		if (net->spatial[i].layer)
			most[PARADL_SPATIAL] *= net->spatial[i].limit;
}

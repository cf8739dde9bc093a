/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/layer_type.h"

const char *const layer_class_names[LAYER_CLASS_COUNT + 1] = {
	[LAYER_CONVOLUTION] = "conv",
	[LAYER_LINEAR] = "linear",
	[LAYER_NORM] = "norm",
	[LAYER_POOL] = "pool",
	[LAYER_ACTIVATION] = "act",
	[LAYER_ADD] = "add",
	[LAYER_MULTIPLY] = "multiply",
	[LAYER_CONCAT] = "concat",
	[LAYER_UPSAMPLE] = "upsample",
	[LAYER_FLATTEN] = "flatten",
	[LAYER_DROPOUT] = "dropout",
	[LAYER_LOSS] = "loss",
	[LAYER_CUSTOM] = "custom",
	[LAYER_EMBEDDING] = "embedding",
	[LAYER_ATTENTION] = "attention",
	[LAYER_MLP] = "mlp",
	[LAYER_MOE] = "moe",
	[LAYER_HEAD] = "head",
	[LAYER_CLASS_COUNT] = NULL,
};

bool model_generates(const struct paradl_model *model)
{
	bool attends = false;
	for (unsigned i = 0; i < model->layer_count; i++) {
		const struct token_work *const work = model->layers[i].work;
		if (!work || !work->attention.heads)
			continue;
		if (!work->attention.causal)
			return false;
		attends = true;
	}
	return attends && model->input.tokens;
}

static struct paradl_dimensions dimensions(const struct paradl_model *model)
{
	struct paradl_dimensions of = {.tokens = model->sequence};
	for (unsigned i = 0; i < model->unit_count; i++)
		of.blocks += model->units[i].is_block;
	if (!(of.blocks > 0))
		return (struct paradl_dimensions){0};
	for (unsigned i = 0; i < model->layer_count; i++) {
		const struct token_work *const work = model->layers[i].work;
		if (work && work->attention.heads && !(of.heads > 0)) {
			of.heads = work->attention.heads;
			of.kv_heads = work->attention.kv_heads;
			of.hidden = work->hidden_items;
		}
		if (work && work->experts && !(of.experts > 0)) {
			of.experts = work->experts;
			of.top_k = work->top_k;
		}
	}
	return of;
}

struct paradl_model_info paradl_model_info(const struct paradl_model *model)
{
	return (struct paradl_model_info){
		.name = model->name,
		.path = model->path,
		.dataset = model->dataset.name,
		.parameters = model->weight_items,
		.forward_flop_per_sample = model->forward_flop,
		.samples = model->dataset.samples,
		.sequence = model->sequence,
		.batch_per_gpu = model->batch_per_gpu,
		.precision = model->precision,
		.optimizer = model->optimizer,
		.layer_count = model->order_count,
		.generates = model_generates(model),
		.dimensions = dimensions(model),
		.imported = model->imported,
	};
}

struct paradl_layer_info paradl_model_layer(const struct paradl_model *model, size_t index)
{
	if (index >= model->order_count)
		return (struct paradl_layer_info){.name = "", .type = "", .kind = ""};
	const struct layer *const layer = &model->layers[model->order[index]];
	struct paradl_layer_info info = {
		.name = model->names[index],
		.type = layer_class_names[layer->class_],
		.kind = layer->kind,
		.weight_items = layer->weight_items,
		.forward_flop = layer->forward_flop,
		.kept_items = layer->kept_items,
		.distinct = model->order[index],
	};
	tensor_format(&layer->x, info.x, sizeof(info.x));
	tensor_format(&layer->y, info.y, sizeof(info.y));
	return info;
}

struct paradl_layer_shape paradl_model_shape(const struct paradl_model *model, size_t index)
{
	if (index >= model->order_count)
		return (struct paradl_layer_shape){.type = "", .kind = ""};
	const struct layer *const layer = &model->layers[model->order[index]];
	struct paradl_layer_shape shape = {
		.type = layer_class_names[layer->class_],
		.kind = layer->kind,
		.dimensions = layer->x.dimensions,
		.x_channels = layer->x.channels,
		.y_channels = layer->y.channels,
		.groups = layer->groups ? layer->groups : 1,
		.bias = layer->weight_tensors > 1,
		.backward_data = layer->backward_data,
		.tokens = layer->x.tokens,
	};
	for (unsigned i = 0; i < DIMENSIONS_MAX; i++) {
		shape.x[i] = layer->x.extent[i];
		shape.y[i] = layer->y.extent[i];
		shape.kernel[i] = layer->kernel[i];
		shape.stride[i] = layer->stride[i];
		shape.pad[i] = layer->pad[i];
		shape.dilation[i] = layer->dilation[i];
	}
	return shape;
}

bool paradl_model_product(
	const struct paradl_model *model, size_t index, size_t number, struct paradl_layer_product *product)
{
	const struct token_work *const work =
		index < model->order_count ? model->layers[model->order[index]].work : NULL;
	for (unsigned i = 0; work && i < work->kernel_count; i++) {
		const struct kernel *const kernel = &work->kernels[i];
		if (kernel->kind != KERNEL_PRODUCT || number-- > 0)
			continue;
		const double experts = kernel->routed && work->experts ? work->experts : 1;
		*product = (struct paradl_layer_product){
			.tokens = work->tokens * (kernel->routed ? work->top_k : 1) / experts,
			.rows = kernel->rows,
			.columns = kernel->columns,
			.count = experts,
			.cut_columns = kernel->cut == CUT_COLUMNS,
			.cut_rows = kernel->cut == CUT_ROWS,
		};
		return true;
	}
	return false;
}

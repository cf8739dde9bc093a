/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells callers about a network: its properties, and the warnings of its reader. */
#include "base/error.h"
#include "model/layer_type.h"
#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Properties of a network for callers, and the names of layer classes and optimizers.
 *
 * Optimizers: fp32 states per weight, and bytes moved per weight by one update, where w, g are weight and gradient:
 *     sgd           read w g, write w                              12
 *     sgd-momentum  + read and write the velocity                  20
 *     adam, adamw   + read and write two moments                   28
 *     lars          momentum, after a pass over w g for norms      28
 *     lamb          adam writing its step u instead of w, then read w u, write w      40
 *     adafactor     the second moment in rows and columns (not counted): g three times, w twice    20
 *     adamw-8bit    two moments of one byte each                   16
 */

static const struct optimizer optimizers[] = {
	{.name = "sgd", .states = 0, .bytes_per_weight = 12},
	{.name = "sgd-momentum", .states = 1, .bytes_per_weight = 20},
	{.name = "adam", .states = 2, .bytes_per_weight = 28},
	{.name = "adamw", .states = 2, .bytes_per_weight = 28},
	{.name = "lamb", .states = 2, .bytes_per_weight = 40},
	{.name = "lars", .states = 1, .bytes_per_weight = 28},
	{.name = "adafactor", .states = 0, .bytes_per_weight = 20},
	{.name = "adamw-8bit", .states = 0.5, .bytes_per_weight = 16},
};

const char *const optimizer_names[] = {
	"sgd", "sgd-momentum", "adam", "adamw", "lamb", "lars", "adafactor", "adamw-8bit", NULL};

const struct optimizer *optimizer_find(const char *name)
{
	for (size_t i = 0; i < sizeof(optimizers) / sizeof(optimizers[0]); i++)
		if (strcmp(optimizers[i].name, name) == 0)
			return &optimizers[i];
	return NULL;
}

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
	[LAYER_RESHAPE] = "reshape",
	[LAYER_DROPOUT] = "dropout",
	[LAYER_LOSS] = "loss",
	[LAYER_CUSTOM] = "custom",
	[LAYER_EMBEDDING] = "embedding",
	[LAYER_HELD] = "held",
	[LAYER_ATTENTION] = "attention",
	[LAYER_RECURRENT] = "recurrent",
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
		attends = attends || (work && work->state_items > 0);
		if (!work || !work->attention.heads)
			continue;
		if (!work->attention.causal)
			return false;
		attends = true;
	}
	return attends && model->input.tokens;
}

bool model_decodes(const struct paradl_model *model)
{
	bool causal = false;
	for (unsigned i = 0; i < model->layer_count; i++) {
		const struct token_work *const work = model->layers[i].work;
		causal = causal || (work && work->attention.heads && work->attention.causal);
	}
	return causal && model->has_source;
}

struct paradl_model_info paradl_model_info(const struct paradl_model *model)
{
	return (struct paradl_model_info){
		.name = model->name,
		.path = model->path,
		.dataset = model->dataset.name,
		.parameters = model->weight_items + model->frozen_items,
		.frozen = model->frozen_items,
		.forward_flop_per_sample = model->forward_flop,
		.samples = model->dataset.samples,
		.sequence = model->sequence,
		.further_tokens = model->further_tokens,
		.batch_per_gpu = model->batch_per_gpu,
		.batch = model->batch,
		.precision = model->precision,
		.inference_precision = model->inference_precision,
		.positions = model->positions,
		.optimizer = model->optimizer,
		.layer_count = model->order_count,
		.generates = model_generates(model),
		.dimensions = model->dimensions,
		.imported = model->imported,
	};
}

bool model_unit_goes_back(const struct paradl_model *model, unsigned unit)
{
	for (unsigned i = model->units[unit].first; i < model->units[unit].end; ++i)
		if (layer_goes_back(&model->layers[model->order[i]]))
			return true;
	return false;
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
		.weight_items = layer->weight_items + layer->frozen_items,
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
		.bias = layer->bias,
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

enum { TEXT_SIZE = 500 };

static void add(struct warnings *warnings, const char *place, const char *text)
{
	if (warnings->count == WARNINGS_MAX) {
		warnings->dropped++;
		return;
	}
	const char *const copy =
		arena_printf(warnings->arena, "%s%s%s", place, place[0] != '\0' ? ": " : "", text);
	if (copy)
		warnings->texts[warnings->count++] = copy;
	else
		warnings->out_of_memory = true;
}

void warn(struct warnings *warnings, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	add(warnings, "", text);
}

void warn_at(struct warnings *warnings, const struct json *node, const char *format, ...)
{
	char text[TEXT_SIZE];
	struct paradl_error place = {.status = PARADL_OK};
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (warnings->count < WARNINGS_MAX)
		json_error(node, &place, "-");
	add(warnings, place.pointer, text);
}

bool warnings_finish(struct warnings *warnings, const char *format, struct paradl_findings *findings,
	struct paradl_error *error)
{
	if (warnings->dropped > 0) {
		const char *const more = arena_printf(warnings->arena, "... and %u more", warnings->dropped);
		warnings->out_of_memory = warnings->out_of_memory || !more;
		warnings->texts[warnings->count++] = more;
	}
	const char **const texts = arena_alloc(warnings->arena, warnings->count + 1, sizeof(*texts));
	if (!texts || warnings->out_of_memory)
		return out_of_memory(error);
	memcpy(texts, warnings->texts, warnings->count * sizeof(*texts));
	*findings = (struct paradl_findings){.format = format, .warnings = texts, .count = warnings->count};
	return true;
}

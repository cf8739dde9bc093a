/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports what a model may say but probably does not mean, and whether a data set fits it. */
#include "base/error.h"
#include "base/quantity.h"
#include "model/description.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lint: reports what a model may say but probably does not mean. */

static bool is_bool(const struct json *object, const char *key, bool wanted)
{
	const struct json *const member = json_member(object, key);
	return member && member->kind == JSON_BOOL && member->boolean == wanted;
}

static void check_header(const struct paradl_model *model, struct warnings *warnings)
{
	if (!(model->batch_per_gpu + model->batch > 0))
		warn(warnings,
			"/training: no batch or batch_per_gpu: where the command line gives no batch a usual "
			"one is taken");
	if (!(model->dataset.samples > 0))
		warn(warnings, "/dataset: no samples: there will be no times per epoch");
	if (!(model->weight_items > 0))
		warn(warnings, "/layers: nothing is trained");
}

/* Reports whether a layer averages over windows: the missing norm may follow it as well. */
static bool is_means(const struct json *layer)
{
	const struct json *const kind = json_member(layer, "kind");
	return kind && kind->kind == JSON_STRING && strcmp(kind->string, "avg") == 0;
}

/* Reports whether two convolutions stand for a single one: one of them has groups. */
static bool is_separable(const struct json *layer, const struct json *next)
{
	return json_member(layer, "groups") || json_member(next, "groups");
}

static void check_conv(const struct json *layer, struct warnings *warnings)
{
	const struct json *const next = layer->next;
	const struct json *const type = next ? json_member(next, "type") : NULL;
	const struct layer_type *const next_type =
		type && type->kind == JSON_STRING ? layer_type_find(type->string) : NULL;
	if (!is_bool(layer, "bias", false) || !next_type || next_type->joins || json_member(next, "from") ||
		next_type->class_ == LAYER_NORM || is_means(next) ||
		(next_type->class_ == LAYER_CONVOLUTION && is_separable(layer, next)))
		return;
	warn_at(warnings, layer, "a conv without bias is followed by %s: is the bias or a norm missing?",
		next_type->name);
}

static void check_freeze(const struct json *layer, const struct layer_type *type, struct warnings *warnings)
{
	const bool has_weights = type->class_ <= LAYER_NORM || type->class_ >= LAYER_CUSTOM;
	if (!has_weights && is_bool(layer, "freeze", true))
		warn_at(warnings, json_member(layer, "freeze"), "%s has no weights to freeze", type->name);
}

static void check_list(const struct json *list, struct warnings *warnings)
{
	for (const struct json *item = list->child; item; item = item->next) {
		const struct json *const layers = json_member(item, "layers");
		const struct json *const branches = json_member(item, "branches");
		const struct json *const type_node = json_member(item, "type");
		const struct layer_type *const type = type_node ? layer_type_find(type_node->string) : NULL;
		if (!type && layers)
			check_list(layers, warnings);
		for (const struct json *branch = type && branches ? branches->child : NULL; branch;
			branch = branch->next)
			check_list(branch, warnings);
		if (type && type->class_ == LAYER_CONVOLUTION)
			check_conv(item, warnings);
		if (type)
			check_freeze(item, type, warnings);
	}
}

static void check_window(const struct layer *layer, struct warnings *warnings)
{
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		const unsigned kernel = layer->kernel[d], stride = layer->stride[d];
		if (kernel > 1 && stride > kernel) {
			warn(warnings, "%s: stride %u is larger than kernel %u, so it skips items",
				layer->name, stride, kernel);
			return;
		}
		if (layer->class_ == LAYER_POOL && kernel > 0 && layer->pad[d] >= kernel) {
			warn(warnings,
				"%s: pad %u is not smaller than kernel %u, so some windows see padding only",
				layer->name, layer->pad[d], kernel);
			return;
		}
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names(const struct paradl_model *model, struct warnings *warnings)
{
	const char **const names = arena_alloc(warnings->arena, model->order_count, sizeof(*names));
	if (!names) {
		warnings->out_of_memory = true;
		return;
	}
	memcpy(names, model->names, model->order_count * sizeof(*names));
	qsort(names, model->order_count, sizeof(*names), compare_names);
	for (unsigned i = 1; i < model->order_count; i++)
		if ((i < 2 || strcmp(names[i - 2], names[i]) != 0) && strcmp(names[i - 1], names[i]) == 0)
			warn(warnings,
				"%s: several layers have this name: measured times cannot tell them apart",
				names[i]);
}

static bool refers_to(const struct json *node, const char *name)
{
	if (node->kind == JSON_STRING && node->string[0] == '$' && strcmp(node->string + 1, name) == 0)
		return true;
	for (const struct json *child = node->child; child; child = child->next)
		if (refers_to(child, name))
			return true;
	return false;
}

static void check_dims(const struct json *root, struct warnings *warnings)
{
	const struct json *const dims = json_member(root, "dims");
	for (const struct json *dim = dims ? dims->child : NULL; dim; dim = dim->next)
		if (dim->key[0] != '_' && dim->key[0] != '$' &&
			!refers_to(json_member(root, "layers"), dim->key) &&
			!refers_to(json_member(root, "input"), dim->key))
			warn_at(warnings, dim, "nothing refers to \"$%s\"", dim->key);
}

/* Returns the whole number of a layer's key, also as the name of a dimension; 0: there is none. */
static unsigned number_of(const struct json *root, const struct json *layer, const char *key)
{
	const struct json *node = json_member(layer, key);
	if (node && node->kind == JSON_STRING && node->string[0] == '$')
		node = json_member(json_member(root, "dims"), node->string + 1);
	return node && node->kind == JSON_NUMBER ? (unsigned)node->number : 0;
}

/* Warns of patches that do not cover the image that a network begins with, and of positions that no patch has. */
static void check_patches(
	const struct json *root, const struct paradl_model *model, struct warnings *warnings)
{
	const struct json *const layer = json_member(root, "layers")->child;
	const struct json *const kind = json_member(layer, "kind");
	const bool cuts = kind && kind->kind == JSON_STRING && strcmp(kind->string, "patch") == 0;
	const unsigned patch = cuts ? number_of(root, layer, "patch") : 0;
	const unsigned positions = number_of(root, layer, "positions");
	double tokens = is_bool(layer, "class_token", true) ? 1 : 0, patches = 1;
	if (patch == 0)
		return;
	for (unsigned d = 0; d < model->input.dimensions; d++) {
		const unsigned extent = model->input.extent[d], rest = extent % patch, whole = extent / patch;
		patches *= whole;
		if (rest > 0 && (d == 0 || extent != model->input.extent[d - 1]))
			warn_at(warnings, json_member(layer, "patch"),
				"patches of %u leave out the last %u of %u", patch, rest, extent);
	}
	tokens += patches;
	if (positions > tokens)
		warn_at(warnings, json_member(layer, "positions"),
			"has %u learned positions, of which the %.0f patches of an image%s have %.0f",
			positions, patches, tokens > patches ? " and the class token" : "", tokens);
}

bool model_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct warnings warnings = {.arena = arena};
	const struct paradl_model *const model = model_build(arena, root, NULL, error);
	if (!model)
		return false;
	check_header(model, &warnings);
	check_dims(root, &warnings);
	check_list(json_member(root, "layers"), &warnings);
	check_patches(root, model, &warnings);
	for (unsigned i = 0; i < model->layer_count; i++)
		check_window(&model->layers[i], &warnings);
	check_names(model, &warnings);
	return warnings_finish(&warnings, "paradl-model", findings, error);
}

/*
 * Tells whether a data set fits a network, by the kind of samples (tokens or points), their size as the device gets
 * them, colours, and classes. A decoded sample has 1 to 4 bytes for each item of the network's input, plus labels of
 * up to 4 bytes for each of its points; pictures are cut to whatever the network takes, but have one to four colours
 * in two dimensions. A classifier whose outputs differ from the classes is often replaced, and costs next to nothing:
 * this is only mentioned.
 */

static const double least_item_bytes = 1, most_item_bytes = 4, label_bytes = 4;
enum { COLOURS_MOST = 4, TEXT_BYTES = 32 };

static bool of_pictures(const struct dataset *dataset)
{
	return dataset->encoding == ENCODING_JPEG || dataset->encoding == ENCODING_PNG;
}

static bool pictures_fit(const struct tensor *input, char *text, size_t size)
{
	if (input->dimensions == 2 && input->channels <= COLOURS_MOST)
		return true;
	snprintf(text, size,
		"it has pictures of up to four colours, the network takes %u channels in %u dimension%s",
		input->channels, input->dimensions, input->dimensions == 1 ? "" : "s");
	return false;
}

static bool size_fits(const struct tensor *input, double decoded_bytes, char *text, size_t size)
{
	const double items = tensor_items(input), points = items / input->channels;
	const double least = items * least_item_bytes, most = items * most_item_bytes + points * label_bytes;
	char has[TEXT_BYTES], takes[TEXT_BYTES];
	if (!(decoded_bytes > 0) || (decoded_bytes >= least && decoded_bytes <= most))
		return true;
	quantity_format(has, sizeof has, decoded_bytes, DIMENSION_BYTES);
	quantity_format(takes, sizeof takes, items * most_item_bytes, DIMENSION_BYTES);
	snprintf(text, size,
		"a decoded sample has %s, the network takes %u channel%s of %g points, %s in fp32", has,
		input->channels, input->channels == 1 ? "" : "s", points, takes);
	return false;
}

bool paradl_dataset_fits(const struct paradl_model *model, char *text, size_t size)
{
	const struct dataset *const dataset = &model->dataset;
	const struct tensor *const input = &model->input;
	if (input->tokens)
		return true; /* data sets of points have been refused by the reader */
	return of_pictures(dataset) ? pictures_fit(input, text, size)
				    : size_fits(input, dataset->decoded_bytes, text, size);
}

/* Returns the outputs of the last product, if it makes one vector of a sample; else 0. */
static double outputs_of(const struct paradl_model *model)
{
	double outputs = 0;
	for (unsigned i = 0; i < model->order_count && !model->tokens; i++) {
		const struct layer *const layer = &model->layers[model->order[i]];
		if (layer->kernel_volume > 0)
			outputs = layer->positions <= 1 ? layer->filters : 0;
	}
	return outputs;
}

bool paradl_dataset_classes_fit(const struct paradl_model *model, char *text, size_t size)
{
	const double classes = model->dataset.classes, outputs = outputs_of(model);
	if (!(classes > 0) || !(outputs > 0) || (classes <= outputs && classes >= outputs - 1))
		return true;
	snprintf(text, size, "it has %.0f classes, the network tells %.0f apart", classes, outputs);
	return false;
}

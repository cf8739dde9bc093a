/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times T of one layer at batches b1 < b2 < ... , and at batch b:
 *     b <= b1         T(b1) b / b1
 *     between         linear
 *     b >= the last   T(last) b / last
 * A shard takes T(b) * roofline(shard) / roofline(whole layer), each pass for itself; where the roofline of the whole
 * is 0 s, T(b). Layers of a network that are alike are one to the oracle: their measured times are averaged.
 * The update depends on no batch: the mean over the batches, times the shard's share of the weights.
 */
#include "oracle/layer_times.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "machine/format.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { TIME_FORWARD, TIME_BACKWARD, TIME_UPDATE, TIME_COUNT };

struct layer_time {
	const struct json *node;    /* its key is the layer's name */
	double seconds[TIME_COUNT]; /* update: negative if not measured */
};

struct sample {
	double batch;
	struct layer_time *layers;
	unsigned count;
};

struct layer_times {
	struct paradl_arena *arena;
	const struct json *root, *precision_node;
	const char *model, *device;
	int precision;
	struct sample *samples;
	unsigned count;
};

static bool out_of_memory(struct paradl_error *error)
{
	return error_set(error, PARADL_NO_MEMORY, "out of memory");
}

static bool layer_read(const struct json *node, struct layer_time *layer, struct paradl_error *error)
{
#define SECONDS(key, index, required)                                                                        \
	{                                                                                                    \
		key, JSON_TO_QUANTITY, required,                                                             \
			offsetof(struct layer_time, seconds) + (index) * sizeof(double), 0, 1e6,             \
			DIMENSION_TIME, NULL                                                                 \
	}
	static const struct json_field fields[] = {
		SECONDS("fw", TIME_FORWARD, true),
		SECONDS("bw", TIME_BACKWARD, true),
		SECONDS("wu", TIME_UPDATE, false),
	};
#undef SECONDS
	*layer = (struct layer_time){.node = node, .seconds = {0, 0, -1}};
	return json_read(node, fields, COUNT(fields), NULL, layer, error);
}

static bool is_comment(const struct json *node)
{
	return node->key[0] == '_' || node->key[0] == '$';
}

static bool sample_read(struct paradl_arena *arena, const struct json *node, struct sample *sample,
	struct paradl_error *error)
{
	struct file {
		double batch;
		const struct json *layers;
	} file = {0, NULL};
	static const struct json_field fields[] = {
		{"batch", JSON_TO_DOUBLE, true, offsetof(struct file, batch), 1, 1e9, DIMENSION_NONE, NULL},
		{"layers", JSON_TO_OBJECT, true, offsetof(struct file, layers), 0, 0, DIMENSION_NONE, NULL},
	};
	if (!json_read(node, fields, COUNT(fields), NULL, &file, error))
		return false;
	sample->batch = file.batch;
	sample->layers = arena_alloc(arena, file.layers->count, sizeof *sample->layers);
	if (!sample->layers)
		return out_of_memory(error);
	for (const struct json *layer = file.layers->child; layer; layer = layer->next)
		if (!is_comment(layer) && !layer_read(layer, &sample->layers[sample->count++], error))
			return false;
	return sample->count > 0 || json_error(file.layers, error, "has no layers");
}

static bool samples_read(struct paradl_arena *arena, const struct json *list, struct layer_times *times,
	struct paradl_error *error)
{
	if (list->count == 0)
		return json_error(list, error, "needs at least one sample");
	times->samples = arena_alloc(arena, list->count, sizeof *times->samples);
	if (!times->samples)
		return out_of_memory(error);
	for (const struct json *node = list->child; node; node = node->next) {
		struct sample *sample = &times->samples[times->count++];
		if (!sample_read(arena, node, sample, error))
			return false;
		if (node->index && !(sample->batch > sample[-1].batch))
			return json_error(
				json_member(node, "batch"), error, "must be more than the batch before it");
	}
	return true;
}

const struct layer_times *layer_times_read(
	struct paradl_arena *arena, const struct json *root, struct paradl_error *error)
{
#define AT(member) offsetof(struct file, member)
	struct file {
		const char *model, *device;
		int precision;
		const struct json *samples;
	} file = {NULL, NULL, 0, NULL};
	const struct json_field fields[] = {
		{"model", JSON_TO_TEXT, true, AT(model), 0, 0, DIMENSION_NONE, NULL},
		{"device", JSON_TO_TEXT, true, AT(device), 0, 0, DIMENSION_NONE, NULL},
		{"precision", JSON_TO_CHOICE, true, AT(precision), 0, 0, DIMENSION_NONE, precision_names},
		{"samples", JSON_TO_ARRAY, true, AT(samples), 0, 0, DIMENSION_NONE, NULL},
	};
#undef AT
	static const char *const keys[] = {"format", "version", "from", NULL};
	if (!format_expect(root, "paradl-profile", 1, error) ||
		!json_read(root, fields, COUNT(fields), keys, &file, error))
		return NULL;
	struct layer_times *times = arena_alloc(arena, 1, sizeof *times);
	if (!times) {
		out_of_memory(error);
		return NULL;
	}
	*times = (struct layer_times){.arena = arena,
		.root = root,
		.precision_node = json_member(root, "precision"),
		.model = file.model,
		.device = file.device,
		.precision = file.precision};
	return samples_read(arena, file.samples, times, error) ? times : NULL;
}

const struct layer_times *layer_times_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	const struct json *root = json_load(arena, path, error);
	return root ? layer_times_read(arena, root, error) : NULL;
}

const char *layer_times_model(const struct layer_times *times)
{
	return times->model;
}

/* Where the times of a distinct layer at one sample are in net->measured. */
static size_t place(const struct layer_times *times, unsigned layer, unsigned sample)
{
	return ((size_t)layer * times->count + sample) * TIME_COUNT;
}

static bool unknown_layer(
	const struct paradl_model *model, const struct layer_time *layer, struct paradl_error *error)
{
	const char *near = suggest(layer->node->key, model->names, model->order_count);
	json_error(layer->node, error, "%s has no layer of this name%s%s%s", model->name,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	error_hint(error, "\"paradl list %s\" shows the layers", model->name);
	return false;
}

/* Adds one measured layer to the sums of the distinct layers that have its name. */
static bool layer_match(const struct layer_times *times, unsigned sample, const struct layer_time *layer,
	const struct paradl_model *model, double *measured, double *counts, struct paradl_error *error)
{
	bool found = false;
	for (unsigned i = 0; i < model->order_count; ++i) {
		if (strcmp(model->names[i], layer->node->key) != 0)
			continue;
		const size_t first = place(times, model->order[i], sample);
		for (size_t k = 0; k < TIME_COUNT; ++k)
			if (layer->seconds[k] >= 0) {
				measured[first + k] += layer->seconds[k];
				++counts[first + k];
			}
		found = true;
	}
	return found || unknown_layer(model, layer, error);
}

bool layer_times_match(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error)
{
	const struct layer_times *times = oracle->times;
	if (!times)
		return true;
	if ((enum paradl_precision)times->precision != oracle->precision)
		return json_error(times->precision_node, error,
			"the layers were measured in %s; this projection is for %s",
			paradl_precision_name((enum paradl_precision)times->precision),
			paradl_precision_name(oracle->precision));
	const size_t size = place(times, net->model->layer_count, 0);
	double *measured = arena_alloc(oracle->arena, size, sizeof *measured);
	double *counts = arena_alloc(oracle->arena, size, sizeof *counts);
	if (!measured || !counts)
		return out_of_memory(error);
	for (unsigned s = 0; s < times->count; ++s)
		for (unsigned i = 0; i < times->samples[s].count; ++i)
			if (!layer_match(times, s, &times->samples[s].layers[i], net->model, measured, counts,
				    error))
				return false;
	for (size_t i = 0; i < size; ++i)
		measured[i] = counts[i] > 0 ? measured[i] / counts[i] : -1;
	net->measured = measured;
	return true;
}

/* Seconds of a whole layer at a batch; negative: not measured. */
static double interpolate(
	const struct layer_times *times, const double *measured, unsigned layer, int which, double batch)
{
	double below_s = -1, below = 0;
	for (unsigned s = 0; s < times->count; ++s) {
		const double here_s = measured[place(times, layer, s) + (size_t)which],
			     here = times->samples[s].batch;
		if (here_s < 0)
			continue;
		if (batch <= here)
			return below_s < 0 ? here_s * batch / here
					   : below_s + (here_s - below_s) * (batch - below) / (here - below);
		below_s = here_s;
		below = here;
	}
	return below_s < 0 ? -1 : below_s * batch / below;
}

static double scale(double measured_s, double shard_s, double whole_s)
{
	if (measured_s < 0)
		return shard_s;
	return whole_s > 0 ? measured_s * (shard_s / whole_s) : measured_s;
}

struct layer_compute layer_times_apply(
	const struct evaluation *evaluation, unsigned index, const struct layer_compute *shard_compute)
{
	const struct layer_times *times = evaluation->oracle->times;
	const double *measured = evaluation->net->measured;
	const struct layer *layer = &evaluation->net->model->layers[index];
	if (!times || !measured)
		return *shard_compute;
	const struct shard whole = shard_whole(layer, evaluation->samples);
	const struct layer_compute roofline = layer_compute(evaluation, layer, &whole);
	const double forward_s = interpolate(times, measured, index, TIME_FORWARD, evaluation->samples);
	const double backward_s = interpolate(times, measured, index, TIME_BACKWARD, evaluation->samples);
	return (struct layer_compute){scale(forward_s, shard_compute->forward_s, roofline.forward_s),
		scale(backward_s, shard_compute->backward_s, roofline.backward_s)};
}

double layer_times_update_s(
	const struct evaluation *evaluation, unsigned index, const struct shard *shard, double update_s)
{
	const struct layer_times *times = evaluation->oracle->times;
	const double weight_items = evaluation->net->model->layers[index].weight_items;
	double sum = 0, count = 0;
	for (unsigned s = 0; times && evaluation->net->measured && s < times->count; ++s) {
		const double seconds = evaluation->net->measured[place(times, index, s) + TIME_UPDATE];
		if (seconds < 0)
			continue;
		sum += seconds;
		++count;
	}
	if (!(count > 0))
		return update_s;
	return sum / count * (weight_items > 0 ? shard->weight_items / weight_items : 1);
}

bool layer_times_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	return layer_times_read(arena, root, error) && origins_check(arena, root, findings, error);
}

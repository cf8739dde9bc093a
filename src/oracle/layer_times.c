/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times T of one layer are known at batches b1 < b2 < ... , and give at batch b:
 *     b <= b1         T(b1) b / b1
 *     between         linear
 *     b >= the last   T(last) b / last
 * A shard takes T(b) * roofline(shard) / roofline(whole layer), each pass for itself; where the roofline of the whole
 * is 0 s, it takes T(b). Layers of a network that are alike are one to the oracle: their measured times are averaged.
 * The update depends on no batch: it is the mean over the batches, times the shard's share of the weights.
 */
#include "base/error.h"
#include "base/names.h"
#include "model/layer_times_read.h"
#include "oracle/kernels.h"

#include <string.h>

enum { TIME_FORWARD, TIME_BACKWARD, TIME_UPDATE, TIME_COUNT };

struct layer_times {
	const struct json *root;
	struct measured_layers file;
};

const struct layer_times *layer_times_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	struct layer_times *times = arena_alloc(arena, 1, sizeof *times);
	if (!times)
		return out_of_memory_null(error);
	times->root = json_load(arena, path, error);
	return times->root && measured_layers_read(arena, times->root, &times->file, error) ? times : NULL;
}

const char *layer_times_model(const struct layer_times *times)
{
	return times->file.model;
}

/* Returns the place in the sums of a time of a distinct layer at one batch. */
static size_t place(const struct layer_times *times, unsigned layer, unsigned which, unsigned batch)
{
	return ((size_t)layer * TIME_COUNT + which) * times->file.count + batch;
}

static bool unknown_layer(const struct layer_times *times, const struct paradl_model *model, const char *name,
	struct paradl_error *error)
{
	const struct json *at = times->root, *samples = json_member(times->root, "samples");
	for (const struct json *sample = samples ? samples->child : NULL; sample; sample = sample->next) {
		const struct json *layers = json_member(sample, "layers");
		const struct json *layer = layers ? json_member(layers, name) : NULL;
		at = layer ? layer : at;
	}
	json_error(at, error, "%s has no layer \"%s\"%s", model->name, name,
		suggestion_of(name, model->names, model->order_count).clause);
	return error_hint(error, "\"paradl list\" of the model shows its layers");
}

/* Adds one measured layer to the sums of the distinct layers that have its name; false: there is none. */
static bool layer_match(const struct layer_times *times, unsigned batch, const struct measured_layer *layer,
	const struct paradl_model *model, double *sums, double *counts)
{
	const double s[TIME_COUNT] = {layer->forward_s, layer->backward_s, layer->update_s};
	bool found = false;
	for (unsigned i = 0; i < model->order_count; ++i) {
		if (strcmp(model->names[i], layer->name) != 0)
			continue;
		for (unsigned k = 0; k < TIME_COUNT; ++k) {
			const size_t at = place(times, model->order[i], k, batch);
			sums[at] += s[k];
			counts[at] += k != TIME_UPDATE || s[k] > 0;
		}
		found = true;
	}
	return found;
}

/* Returns averages over the batches that were measured; the memory of counts then has these batches. */
static struct points points_of(const struct layer_times *times, double *sums, double *counts)
{
	struct points points = {counts, sums, 0};
	for (unsigned b = 0; b < times->file.count; ++b) {
		if (!(counts[b] > 0))
			continue;
		sums[points.count] = sums[b] / counts[b];
		counts[points.count++] = times->file.batches[b].batch;
	}
	return points;
}

bool layer_times_match(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error)
{
	const struct layer_times *times = oracle->times;
	if (!times)
		return true;
	if (times->file.precision != oracle->precision) {
		const struct json *node = json_member(times->root, "precision");
		return json_error(node ? node : times->root, error,
			"the layers were measured in %s; this projection is for %s",
			paradl_precision_name(times->file.precision),
			paradl_precision_name(oracle->precision));
	}
	const size_t size = place(times, net->model->layer_count, 0, 0);
	const unsigned lists = net->model->layer_count * TIME_COUNT;
	struct points *measured = arena_alloc(oracle->arena, lists, sizeof *measured);
	double *sums = arena_alloc(oracle->arena, size, sizeof *sums);
	double *counts = arena_alloc(oracle->arena, size, sizeof *counts);
	if (!measured || !sums || !counts)
		return out_of_memory(error);
	for (unsigned b = 0; b < times->file.count; ++b) {
		const struct measured_batch *batch = &times->file.batches[b];
		for (unsigned i = 0; i < batch->count; ++i)
			if (!layer_match(times, b, &batch->layers[i], net->model, sums, counts))
				return unknown_layer(times, net->model, batch->layers[i].name, error);
	}
	for (unsigned i = 0; i < lists; ++i)
		measured[i] = points_of(times, sums + place(times, 0, i, 0), counts + place(times, 0, i, 0));
	net->measured = measured;
	return true;
}

/* Returns the seconds of a whole layer at the local batch; negative: not measured. */
static double interpolate(const struct evaluation *evaluation, unsigned layer, unsigned which)
{
	const struct points *points = &evaluation->net->measured[(size_t)layer * TIME_COUNT + which];
	return points->count ? points_proportional(points, evaluation->samples) : -1;
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
	const struct layer *layer = &evaluation->net->model->layers[index];
	const struct shard whole = shard_whole(layer, evaluation->samples);
	const struct layer_compute roofline = layer_compute(evaluation, layer, &whole);
	return (struct layer_compute){scale(interpolate(evaluation, index, TIME_FORWARD),
					      shard_compute->forward_s, roofline.forward_s),
		scale(interpolate(evaluation, index, TIME_BACKWARD), shard_compute->backward_s,
			roofline.backward_s)};
}

double layer_times_update_s(
	const struct evaluation *evaluation, unsigned index, const struct shard *shard, double update_s)
{
	const struct points *points = &evaluation->net->measured[(size_t)index * TIME_COUNT + TIME_UPDATE];
	const double weight_items = evaluation->net->model->layers[index].weight_items;
	double sum = 0;
	for (unsigned i = 0; i < points->count; ++i)
		sum += points->y[i];
	if (!points->count)
		return update_s;
	return sum / points->count * (weight_items > 0 ? shard->weight_items / weight_items : 1);
}

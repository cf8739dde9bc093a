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

#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "model/measured.h"

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

/* Where the times of a distinct layer at one batch are in net->measured. */
static size_t place(const struct layer_times *times, unsigned layer, unsigned batch)
{
	return ((size_t)layer * times->file.count + batch) * TIME_COUNT;
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

/* Adds one measured layer to the sums of the distinct layers that have its name. */
static bool layer_match(const struct layer_times *times, unsigned batch, const struct measured_layer *layer,
	const struct paradl_model *model, double *sums, double *counts)
{
	const double s[TIME_COUNT] = {layer->forward_s, layer->backward_s, layer->update_s};
	bool found = false;
	for (unsigned i = 0; i < model->order_count; ++i) {
		if (strcmp(model->names[i], layer->name) != 0)
			continue;
		const size_t first = place(times, model->order[i], batch);
		for (unsigned k = 0; k < TIME_COUNT; ++k) {
			sums[first + k] += s[k];
			counts[first + k] += k != TIME_UPDATE || s[k] > 0;
		}
		found = true;
	}
	return found;
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
	const size_t size = place(times, net->model->layer_count, 0);
	double *measured = arena_alloc(oracle->arena, size, sizeof *measured);
	double *counts = arena_alloc(oracle->arena, size, sizeof *counts);
	if (!measured || !counts)
		return out_of_memory(error);
	for (unsigned b = 0; b < times->file.count; ++b) {
		const struct measured_batch *batch = &times->file.batches[b];
		for (unsigned i = 0; i < batch->count; ++i)
			if (!layer_match(times, b, &batch->layers[i], net->model, measured, counts))
				return unknown_layer(times, net->model, batch->layers[i].name, error);
	}
	for (size_t i = 0; i < size; ++i)
		measured[i] = counts[i] > 0 ? measured[i] / counts[i] : -1;
	net->measured = measured;
	return true;
}

/* Seconds of a whole layer at the local batch; negative: not measured. */
static double interpolate(const struct evaluation *evaluation, unsigned layer, unsigned which)
{
	const struct layer_times *times = evaluation->oracle->times;
	const double batch = evaluation->samples;
	double below_s = -1, below = 0;
	for (unsigned b = 0; b < times->file.count; ++b) {
		const double here_s = evaluation->net->measured[place(times, layer, b) + which];
		const double here = times->file.batches[b].batch;
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
	const struct layer_times *times = evaluation->oracle->times;
	const double weight_items = evaluation->net->model->layers[index].weight_items;
	double sum = 0, count = 0;
	for (unsigned b = 0; b < times->file.count; ++b) {
		const double seconds = evaluation->net->measured[place(times, index, b) + TIME_UPDATE];
		if (seconds < 0)
			continue;
		sum += seconds;
		++count;
	}
	if (!(count > 0))
		return update_s;
	return sum / count * (weight_items > 0 ? shard->weight_items / weight_items : 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/trainer.h"

#include <stdio.h>
#include <stdlib.h>

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Fresh memory whose pages are there before anything is timed. */
static bool allocate(float **items, size_t count)
{
	*items = aligned_alloc(64, (count * sizeof **items + 63) / 64 * 64 + 64);
	for (size_t i = 0; *items && i < count; ++i)
		(*items)[i] = 0;
	return *items != NULL;
}

/* What the scratch buffers must hold; padding, halos and faces at most double the largest tensor. */
static size_t scratch_items(const struct trainer *trainer)
{
	size_t most = 0;
	for (unsigned i = 0; i < trainer->network->count; ++i)
		most = larger(most, larger(layer_x_items(&trainer->network->layers[i]),
					    layer_y_items(&trainer->network->layers[i])));
	return 2 * most;
}

static bool layers_allocate(struct trainer *trainer, size_t micro_samples)
{
	size_t patches = 0;
	bool fine = true;
	for (unsigned i = 0; fine && i < trainer->network->count; ++i) {
		struct part *part = &trainer->parts[i];
		struct convolution shape = part->here;
		shape.batch = micro_samples;
		if (layer_has_weights(&trainer->network->layers[i]))
			patches = larger(patches, convolution_patches(&shape));
		fine = allocate(&trainer->x[i], trainer->samples * part->x_items) &&
		       (!part->kept_items || allocate(&part->kept, trainer->samples * part->kept_items));
	}
	if (fine && trainer->gather)
		fine = allocate(
			&trainer->piece, trainer->samples * trainer->parts[trainer->gather - 1].y_items);
	return fine && allocate(&trainer->patches, patches);
}

static bool trainer_allocate(struct trainer *trainer)
{
	const struct assignment *assignment = &trainer->assignment;
	const size_t micro_samples = trainer->samples / assignment->micro_batches;
	const size_t scratch = micro_samples * scratch_items(trainer);
	const bool cut = assignment->axis == AXIS_FILTER || assignment->axis == AXIS_CHANNEL ||
			 assignment->axis == AXIS_SPATIAL;
	const bool micro = assignment->micro_batches > 1;
	bool fine = layers_allocate(trainer, micro_samples);
	for (unsigned i = 0; fine && i < 2; ++i)
		fine = allocate(&trainer->flow[i], scratch / 2) &&
		       (!cut || allocate(&trainer->scratch[i], scratch));
	trainer->targets = calloc(trainer->samples, sizeof *trainer->targets);
	trainer->sending = sending_create((unsigned)(2 * assignment->micro_batches));
	return fine && trainer->targets && trainer->sending &&
	       allocate(&trainer->weights, trainer->weight_count) &&
	       allocate(&trainer->gradients, trainer->weight_count) &&
	       (!micro || allocate(&trainer->added, trainer->weight_count)) &&
	       (!assignment->momentum || allocate(&trainer->velocity, trainer->weight_count)) &&
	       allocate(&trainer->loss_gradient,
		       trainer->samples * trainer->parts[trainer->network->count - 1].x_items);
}

static const char *samples_wrong(struct trainer *trainer)
{
	const struct assignment *assignment = &trainer->assignment;
	trainer->samples = assignment->batch;
	if (assignment->axis == AXIS_DATA) {
		trainer->samples /= assignment->peers.count;
		trainer->first_sample = trainer->samples * assignment->peers.rank;
		if (!trainer->samples || assignment->batch % assignment->peers.count)
			return "the batch cannot be shared evenly among the ranks";
	}
	if (!trainer->samples || !assignment->micro_batches || trainer->samples % assignment->micro_batches)
		return "the batch cannot be cut evenly into its micro-batches";
	if (assignment->axis == AXIS_PIPELINE && trainer->network->count < assignment->peers.count)
		return "there are fewer layers than stages";
	return NULL;
}

struct trainer *trainer_create(const struct network *network, const struct assignment *assignment,
	char reason[REASON_LENGTH], bool *absent)
{
	struct trainer *trainer = calloc(1, sizeof *trainer);
	*absent = false;
	if (!trainer) {
		snprintf(reason, REASON_LENGTH, "out of memory");
		return NULL;
	}
	trainer->network = network;
	trainer->assignment = *assignment;
	trainer->end = network->count;
	const char *why = samples_wrong(trainer);
	if (why)
		snprintf(reason, REASON_LENGTH, "%s", why);
	else
		why = parts_cut(trainer, reason);
	*absent = why != NULL;
	if (!why && !trainer_allocate(trainer)) {
		why = "out of memory";
		snprintf(reason, REASON_LENGTH, "%s", why);
	}
	if (!why)
		trainer_fill(trainer);
	if (!why && assignment->axis == AXIS_PIPELINE && !stages_cut(trainer)) {
		why = "out of memory";
		snprintf(reason, REASON_LENGTH, "%s", why);
	}
	if (!why)
		return trainer;
	trainer_free(trainer);
	return NULL;
}

void trainer_free(struct trainer *trainer)
{
	if (!trainer)
		return;
	for (unsigned i = 0; i < trainer->network->count; ++i) {
		free(trainer->x[i]);
		free(trainer->parts[i].kept);
	}
	for (unsigned i = 0; i < 2; ++i) {
		free(trainer->flow[i]);
		free(trainer->scratch[i]);
	}
	free(trainer->piece);
	free(trainer->loss_gradient);
	free(trainer->boundary_gradient);
	free(trainer->patches);
	free(trainer->weights);
	free(trainer->gradients);
	free(trainer->velocity);
	free(trainer->added);
	free(trainer->targets);
	sending_free(trainer->sending);
	free(trainer);
}

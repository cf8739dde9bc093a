/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/trainer.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* From -1 to 1, of a place: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA'14). */
static float noise(uint64_t stream, uint64_t place)
{
	uint64_t z = (stream * 0x2545f4914f6cdd1dULL + place) * 0x9e3779b97f4a7c15ULL;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	z ^= z >> 31;
	return (float)(z >> 40) / (float)(1 << 23) - 1;
}

/* Uniform with the variance 2 / inputs (He et al., ICCV'15), so that activations keep their size. */
static void fill_weights(struct trainer *trainer, unsigned layer)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution *whole = &trainer->network->layers[layer].shape;
	const float scale = sqrtf(6 / (float)(whole->channels * convolution_volume(whole)));
	const size_t biases = trainer->network->layers[layer].bias ? part->here.filters : 0;
	for (size_t i = 0; i < part->weights + biases; ++i)
		trainer->weights[part->weights_at + i] =
			(i < part->weights ? scale : 0.01F) *
			noise(layer + 1, part_whole_weight(trainer, layer, i));
}

static void fill_samples(struct trainer *trainer)
{
	const struct part *part = &trainer->parts[0];
	const size_t whole = layer_x_items(&trainer->network->layers[0]);
	const size_t classes = layer_x_items(&trainer->network->layers[trainer->network->count - 1]);
	const size_t from = part->rows ? part->x_items * trainer->assignment.peers.rank : 0;
	for (size_t sample = 0; sample < trainer->samples; ++sample) {
		const size_t number = trainer->first_sample + sample;
		for (size_t i = 0; i < part->x_items; ++i)
			trainer->x[0][sample * part->x_items + i] = noise(0, number * whole + from + i);
		trainer->targets[sample] = (unsigned)(number * 7 % classes);
	}
}

void trainer_fill(struct trainer *trainer)
{
	for (unsigned i = 0; i < trainer->network->count; ++i)
		if (layer_has_weights(&trainer->network->layers[i]))
			fill_weights(trainer, i);
	if (trainer->velocity)
		memset(trainer->velocity, 0, trainer->weight_count * sizeof *trainer->velocity);
	fill_samples(trainer);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/trainer.h"

#include <math.h>

static bool trains_layer(const struct trainer *trainer, unsigned layer)
{
	return layer >= trainer->first && layer < trainer->end &&
	       layer_has_weights(&trainer->network->layers[layer]);
}

double gradient_difference(const struct trainer *trainer, const struct trainer *reference, unsigned layer)
{
	const struct part *part = &trainer->parts[layer];
	const size_t biases = trainer->network->layers[layer].bias ? part->here.filters : 0;
	const float *mine = trainer->gradients + part->weights_at;
	const float *whole = reference->gradients + reference->parts[layer].weights_at;
	double difference = 0, size = 0;
	for (size_t i = 0; i < part->weights + biases; ++i) {
		const double right = (double)whole[part_whole_weight(trainer, layer, i)];
		const double off = (double)mine[i] - right;
		difference += off * off;
		size += right * right;
	}
	return size > 0 ? sqrt(difference / size) : difference > 0 ? HUGE_VAL : 0;
}

/* Of all samples together, whoever has computed it. */
static double loss_of_all(const struct trainer *trainer)
{
	const struct assignment *assignment = &trainer->assignment;
	if (assignment->peers.count < 2)
		return trainer->loss;
	double mine = trainer->end == trainer->network->count ? trainer->loss : 0;
	if (assignment->axis != AXIS_DATA && assignment->axis != AXIS_PIPELINE)
		mine /= assignment->peers.count;
	return exchange_sum(mine);
}

double trainer_difference(struct trainer *trainer, unsigned *where)
{
	struct assignment alone = trainer->assignment;
	char reason[REASON_LENGTH];
	bool absent;
	alone.axis = AXIS_NONE;
	alone.peers = (struct peers){0, 1};
	alone.micro_batches = 1;
	struct trainer *reference = trainer_create(trainer->network, &alone, reason, &absent);
	*where = trainer->network->count - 1;
	if (!reference)
		return -1;
	trainer_gradients(reference);
	trainer_gradients(trainer);
	double most = fabs(loss_of_all(trainer) - reference->loss) / fabs(reference->loss);
	for (unsigned i = 0; i < trainer->network->count; ++i) {
		const double difference =
			trains_layer(trainer, i) ? gradient_difference(trainer, reference, i) : 0;
		if (!(difference <= most)) { /* also what is no number */
			most = difference;
			*where = i;
		}
	}
	trainer_free(reference);
	return isfinite(most) ? most : HUGE_VAL;
}

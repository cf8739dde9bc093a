/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/passes.h"
#include "step/trainer.h"

#include <string.h>

enum { TAG_FORWARD = 16, TAG_BACKWARD = 1 << 14 };
static const float learning_rate = 1e-3F, momentum = 0.9F;

double communication_s(const struct trainer *trainer)
{
	double s = 0;
	for (enum phase phase = PHASE_GRADIENTS; phase < PHASE_COUNT; ++phase)
		s += trainer->phase_s[phase];
	return s;
}

double compute_s(const struct trainer *trainer)
{
	return trainer->phase_s[PHASE_FORWARD] + trainer->phase_s[PHASE_BACKWARD] +
	       trainer->phase_s[PHASE_UPDATE];
}

static size_t micro_samples(const struct trainer *trainer)
{
	return trainer->samples / trainer->assignment.micro_batches;
}

static void forward(struct trainer *trainer, size_t micro)
{
	const size_t count = micro_samples(trainer), first = micro * count;
	const size_t x_items = trainer->parts[trainer->first].x_items;
	const unsigned rank = trainer->assignment.peers.rank;
	const int tag = TAG_FORWARD + (int)micro;
	double *stages_s = &trainer->phase_s[PHASE_STAGES];
	if (trainer->first > 0)
		exchange_receive(trainer->x[trainer->first] + first * x_items, count * x_items, rank - 1, tag,
			stages_s);
	for (unsigned i = trainer->first; i < trainer->end; ++i)
		layer_forward(trainer, i, first, count);
	if (trainer->end < trainer->network->count) {
		const size_t y_items = trainer->parts[trainer->end].x_items;
		exchange_send(trainer->sending, trainer->x[trainer->end] + first * y_items, count * y_items,
			rank + 1, tag, stages_s);
	}
}

/* Where the gradient of a layer's x goes: on to the stage before, when it is the first of this one. */
static float *gradient_of_x(struct trainer *trainer, unsigned layer, size_t first, unsigned turn)
{
	if (layer == 0)
		return NULL;
	return layer == trainer->first ? trainer->boundary_gradient + first * trainer->parts[layer].x_items
				       : trainer->flow[turn];
}

static void backward(struct trainer *trainer, size_t micro)
{
	const size_t count = micro_samples(trainer), first = micro * count;
	const unsigned rank = trainer->assignment.peers.rank;
	const int tag = TAG_BACKWARD + (int)micro;
	double *stages_s = &trainer->phase_s[PHASE_STAGES];
	unsigned turn = 0;
	if (trainer->end < trainer->network->count)
		exchange_receive(trainer->flow[turn], count * trainer->parts[trainer->end].x_items, rank + 1,
			tag, stages_s);
	for (unsigned i = trainer->end; i-- > trainer->first; turn = 1 - turn) {
		float *dx = gradient_of_x(trainer, i, first, 1 - turn);
		layer_backward(trainer, i, first, count, trainer->flow[turn], dx);
		if (i > 0 && i == trainer->gather) {
			cut_scatter_pieces(trainer, dx, trainer->flow[turn]);
			turn = 1 - turn;
		}
	}
	if (trainer->first > 0) {
		const size_t x_items = trainer->parts[trainer->first].x_items;
		exchange_send(trainer->sending, trainer->boundary_gradient + first * x_items, count * x_items,
			rank - 1, tag, stages_s);
	}
}

/* Adds the time since *begin_s to a phase, less what was communication, and begins anew. */
static void account(struct trainer *trainer, enum phase phase, double *begin_s, double *sent_s)
{
	const double now_s = clock_s(), all_sent_s = communication_s(trainer);
	trainer->phase_s[phase] += now_s - *begin_s - (all_sent_s - *sent_s);
	*begin_s = now_s;
	*sent_s = all_sent_s;
}

void trainer_gradients(struct trainer *trainer)
{
	const size_t micro_batches = trainer->assignment.micro_batches;
	const enum axis axis = trainer->assignment.axis;
	double begin_s = clock_s(), sent_s = 0;
	memset(trainer->phase_s, 0, sizeof trainer->phase_s);
	trainer->loss = 0;
	for (size_t micro = 0; micro < micro_batches; ++micro)
		forward(trainer, micro);
	account(trainer, PHASE_FORWARD, &begin_s, &sent_s);
	for (size_t micro = micro_batches; micro-- > 0;)
		backward(trainer, micro);
	account(trainer, PHASE_BACKWARD, &begin_s, &sent_s);
	if (axis == AXIS_PIPELINE)
		exchange_sent(trainer->sending, &trainer->phase_s[PHASE_STAGES]);
	if (axis == AXIS_DATA || axis == AXIS_SPATIAL)
		exchange_allreduce(
			trainer->gradients, trainer->weight_count, &trainer->phase_s[PHASE_GRADIENTS]);
}

void trainer_update(struct trainer *trainer)
{
	const double begin_s = clock_s();
	size_t at = trainer->weight_count, end = 0;
	for (unsigned i = trainer->first; i < trainer->end; ++i) {
		const struct part *part = &trainer->parts[i];
		if (!layer_has_weights(&trainer->network->layers[i]))
			continue;
		at = part->weights_at < at ? part->weights_at : at;
		end = part->bias_at + (trainer->network->layers[i].bias ? part->here.filters : 0);
	}
	if (end > at && trainer->velocity)
		pass_momentum(trainer->weights + at, trainer->gradients + at, trainer->velocity + at,
			end - at, learning_rate, momentum);
	else if (end > at)
		pass_sgd(trainer->weights + at, trainer->gradients + at, end - at, learning_rate);
	trainer->phase_s[PHASE_UPDATE] = clock_s() - begin_s;
}

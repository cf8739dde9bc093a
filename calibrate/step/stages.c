/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline is cut where the slowest stage takes least, by the time that each layer takes here, forward and backward. */
#include "step/trainer.h"

#include <stdlib.h>

enum { TURNS = 4 };

static double least_of_turn(double before_s, double now_s, unsigned turn)
{
	return turn == 0 || now_s < before_s ? now_s : before_s;
}

/* The least of some turns, of one micro-batch through the whole network on this rank alone. */
static void times_measure(struct trainer *trainer, double *forward_s, double *backward_s)
{
	const unsigned count = trainer->network->count;
	const size_t samples = trainer->samples / trainer->assignment.micro_batches;
	for (unsigned turn = 0; turn < TURNS; ++turn) {
		for (unsigned i = 0; i < count; ++i) {
			const double begin_s = clock_s();
			layer_forward(trainer, i, 0, samples);
			forward_s[i] = least_of_turn(forward_s[i], clock_s() - begin_s, turn);
		}
		for (unsigned i = count, at = 0; i-- > 0; at = 1 - at) {
			const double begin_s = clock_s();
			layer_backward(
				trainer, i, 0, samples, trainer->flow[at], i ? trainer->flow[1 - at] : NULL);
			backward_s[i] = least_of_turn(backward_s[i], clock_s() - begin_s, turn);
		}
	}
}

/* Ends of `parts` ranges of `count` times whose largest sum is least; exact. */
void stages_divide(const double *times, unsigned count, unsigned parts, unsigned *ends)
{
	double best[LAYERS_MAX + 1]; /* of the first so many times in so many parts */
	unsigned from[LAYERS_MAX][LAYERS_MAX + 1] = {{0}};
	double sum = 0;
	for (unsigned end = 1; end <= count; ++end)
		best[end] = sum += times[end - 1];
	for (unsigned part = 1; part < parts; ++part)
		for (unsigned end = count; end > part; --end) {
			double tail = 0, least = -1;
			for (unsigned begin = end - 1; begin >= part; --begin) {
				tail += times[begin];
				const double slowest = best[begin] > tail ? best[begin] : tail;
				if (least < 0 || slowest < least) {
					least = slowest;
					from[part][end] = begin;
				}
			}
			best[end] = least;
		}
	unsigned end = count;
	for (unsigned part = parts; part-- > 0; end = from[part][end])
		ends[part] = end;
}

bool stages_cut(struct trainer *trainer)
{
	double forward_s[LAYERS_MAX], backward_s[LAYERS_MAX], times[LAYERS_MAX];
	unsigned ends[LAYERS_MAX];
	const struct peers *peers = &trainer->assignment.peers;
	times_measure(trainer, forward_s, backward_s);
	for (unsigned i = 0; i < trainer->network->count; ++i)
		times[i] = exchange_most(forward_s[i] + backward_s[i]);
	stages_divide(times, trainer->network->count, peers->count, ends);
	trainer->first = peers->rank ? ends[peers->rank - 1] : 0;
	trainer->end = ends[peers->rank];
	trainer->boundary_gradient =
		calloc(trainer->samples * trainer->parts[trainer->first].x_items, sizeof(float));
	return trainer->boundary_gradient != NULL;
}

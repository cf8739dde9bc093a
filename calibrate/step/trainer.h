/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Training of a network under one plan, as this rank does it: forward, backward, exchange of gradients, update. What is
 * cut and sent along each axis, for f, c, s ranks (ParaDL, Table III; paradl-formulas(7)):
 *
 *   data      samples; gradients are allreduced in one flat buffer
 *   filter    filters of convolutions and linear layers; y is gathered, dL/dx allreduced; the rest runs on every rank
 *   channel   their channels, but not of the first layer; y is allreduced, dL/dx gathered
 *   spatial   rows of everything before the first linear layer, global pooling or loss; halos of x forward, of partial
 *             dL/dx backward (added up by the rank that has the rows); y is gathered once, and its gradient
 *             reduce-scattered; what follows runs on every rank, with its share of the loss; gradients are allreduced
 *   pipeline  layers, by their measured times; micro-batches, all forward, then all backward (GPipe)
 *
 * Nothing overlaps: messages between stages alone are sent without waiting for them.
 */
#ifndef STEP_TRAINER_H
#define STEP_TRAINER_H

#include "step/exchange.h"
#include "step/network.h"

enum axis { AXIS_NONE, AXIS_DATA, AXIS_SPATIAL, AXIS_FILTER, AXIS_CHANNEL, AXIS_PIPELINE };

/* Seconds of an iteration on this rank; those from PHASE_GRADIENTS on are communication, waiting included. */
enum phase {
	PHASE_FORWARD,
	PHASE_BACKWARD,
	PHASE_UPDATE,
	PHASE_GRADIENTS,
	PHASE_ACTIVATIONS,
	PHASE_HALOS,
	PHASE_STAGES,
	PHASE_COUNT
};

struct assignment {
	enum axis axis;
	struct peers peers;
	size_t batch; /* samples of an iteration, all ranks together */
	size_t micro_batches;
	bool momentum;
};

/* One layer on this rank. */
struct part {
	struct convolution here; /* of one sample, what this rank computes; x with its halos */
	bool split;
	size_t first_filter, first_channel; /* of the whole layer's */
	size_t share;                       /* filters or channels of the ranks but the last */
	size_t x_items, y_items;            /* of one sample, as stored between layers */
	size_t rows, top, bottom, face;     /* spatial: own rows of x, halos, rows of a face; 0: none */
	size_t weights, weights_at, bias_at;
	size_t kept_items; /* of one sample: x cut or with halos; 0: x itself is read */
	float *kept;
};

struct trainer {
	const struct network *network;
	struct assignment assignment;
	unsigned first, end; /* layers of this rank */
	unsigned gather;     /* spatial: the layer whose x is gathered; 0: none */
	size_t samples, first_sample;
	struct part parts[LAYERS_MAX];
	float *x[LAYERS_MAX]; /* input of each layer */
	float *piece;         /* spatial: what is gathered into x[gather] */
	float *loss_gradient, *boundary_gradient;
	float *flow[2];    /* gradients of y and x of the layer at hand */
	float *scratch[2]; /* pieces to send and as received */
	float *patches;
	float *weights, *gradients, *velocity, *added;
	size_t weight_count;
	unsigned *targets;
	struct sending *sending;
	double loss; /* sum of this rank's samples, before the last update */
	double phase_s[PHASE_COUNT];
};

/* NULL: it cannot be done; `reason` says why, and `absent` whether that is the plan's fault rather than ours. */
struct trainer *trainer_create(const struct network *network, const struct assignment *assignment,
	char reason[REASON_LENGTH], bool *absent);
void trainer_free(struct trainer *trainer);

/* Forward and backward of all micro-batches, gradients exchanged; trainer->phase_s is of this one. */
void trainer_gradients(struct trainer *trainer);
void trainer_update(struct trainer *trainer);

double communication_s(const struct trainer *trainer);
double compute_s(const struct trainer *trainer);

/* parts.c: NULL, or why a layer cannot be cut. */
const char *parts_cut(struct trainer *trainer, char reason[REASON_LENGTH]);
/* The item of the whole layer's weights that item i of this rank's is. */
size_t part_whole_weight(const struct trainer *trainer, unsigned layer, size_t i);

/* fill.c: weights and samples by their places in the whole, so that every plan has the same. */
void trainer_fill(struct trainer *trainer);

/* layer.c: of `count` samples from `first`; backward from flow[0], to dx (NULL: not wanted). */
void layer_forward(struct trainer *trainer, unsigned layer, size_t first, size_t count);
void layer_backward(
	struct trainer *trainer, unsigned layer, size_t first, size_t count, const float *dy, float *dx);

/* cut.c: what cut layers send. */
const float *cut_input(struct trainer *trainer, unsigned layer, size_t first, size_t count);
void cut_gather_filters(struct trainer *trainer, unsigned layer, size_t count, const float *mine, float *y);
void cut_gather_channels(struct trainer *trainer, unsigned layer, size_t count, const float *mine, float *dx);
void cut_return_halos(struct trainer *trainer, unsigned layer, size_t count, const float *padded, float *dx);
void cut_gather_pieces(struct trainer *trainer);
void cut_scatter_pieces(struct trainer *trainer, const float *dx, float *piece);

/* stages.c: which layers this rank has, by the time that each takes. */
bool stages_cut(struct trainer *trainer);
/* Ends of `parts` ranges of `count` times whose largest sum is least; exact. */
void stages_divide(const double *times, unsigned count, unsigned parts, unsigned *ends);

/*
 * verify.c: the largest difference of this rank's gradients from those of all samples on one rank, as a share of that
 * layer's (2-norms), after one iteration without update; the loss counts as a layer. `where`: the layer. Negative: no memory.
 */
double trainer_difference(struct trainer *trainer, unsigned *where);
double gradient_difference(const struct trainer *trainer, const struct trainer *reference, unsigned layer);

#endif

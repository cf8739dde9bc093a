/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a training program behaves on any machine: which layers each axis cuts, what the host costs per call, how
 * gradients, activations and halos travel, what it overlaps, and the quirks of measured programs. Constants of
 * kind "what the program does" live here, "what the hardware does" in the machine; none belongs to a model or a
 * GPU count. See paradl-framework(5).
 */
#ifndef MACHINE_FRAMEWORK_H
#define MACHINE_FRAMEWORK_H

#include "base/arena.h"
#include "base/json.h"

enum { SEGMENTS_MAX = 4, QUIRKS_MAX = 8, FRAMEWORK_CLASSES = 16, ALGORITHMS_MAX = 32 };

/* Messages of up to upto_bytes take latency_s + bytes / bytes_per_s; the last segment has no end. */
struct message_segment {
	double upto_bytes, latency_s, bytes_per_s;
};

struct input_quirk {       /* programs of these families fed images of another size than the model's */
	unsigned families; /* bit set of axis sets: bit (1 << axis mask) */
	unsigned extent[3];
};

struct gather_quirk { /* this model's program gathered the spatial pieces after this layer */
	const char *model, *layer;
};

struct paradl_framework {
	const char *name, *path, *summary;
	double known_error;

	/* split: layer classes (index as in the model) that an axis cuts; the others run replicated. */
	bool splits[PARADL_AXIS_COUNT][FRAMEWORK_CLASSES];

	/* execution */
	double host_call_s;               /* host time of one layer's calls, forward + backward */
	double sync_s;                    /* exposed host time of a layer that ends in a blocking call */
	bool blocking[PARADL_AXIS_COUNT]; /* layers cut by this axis end in a blocking call */
	double overlap; /* share of the backward pass that gradient exchange may hide behind */

	/* Collectives that its libraries have, by name; network/collective.h. None: rings. */
	const char *algorithms[ALGORITHMS_MAX];
	unsigned algorithm_count;
	bool measured_curves; /* its library is the one that machines' measured curves are of */

	/* gradients */
	unsigned gradient_rings;
	double gradient_passes;   /* copies of the gradient buffer: pack, scale, unpack are 2 each */
	double gradient_tensor_s; /* per gradient tensor */
	double bucket_bytes;      /* of one gradient message; 0: all in one */
	bool spatial_leader;      /* with spatial pieces: reduce inside, ring of leaders, broadcast */

	/* activations */
	unsigned activation_rings;
	double collective_s;                                  /* per library call with its synchronisation */
	double piece_s;                                       /* per gathered piece and layer (filter) */
	double filter_passes, channel_passes, spatial_passes; /* extra copies of a split layer's tensors */
	bool filter_backward_partial; /* the program sums the pieces first and reduces |y|/p: wrong but measured */

	/* halo and stage messages */
	bool staged; /* halos and gathers go through host memory, by the segments below; else device links */
	bool halo_chain; /* 2(s-1) messages one after the other instead of both neighbours at once */
	struct message_segment segments[SEGMENTS_MAX];
	unsigned segment_count;

	double jitter_s, jitter_growth; /* waiting for the slowest node: oracle/waiting.c */

	/* pipeline */
	double micro_batches; /* default number; 0 = the pipeline's degree */
	bool stage_staged;    /* tensors between stages go through host memory, too */
	bool recompute;       /* activations of all micro-batches but the last are computed again */

	/* memory */
	double workspace_bytes;  /* kernels' scratch and the runtime's context */
	double gradient_buffers; /* copies of the gradients the exchange packs into */

	struct input_quirk inputs[QUIRKS_MAX];
	unsigned input_count;
	struct gather_quirk gathers[QUIRKS_MAX];
	unsigned gather_count;
	/* Poolings of spatial pieces: these models' programs padded every pooling with a row on both sides; without
	 * pool_messages the others exchanged none, not even where windows overlap. */
	const char *pool_halo[QUIRKS_MAX];
	unsigned pool_halo_count;
	bool pool_messages;

	const char *const *assumptions;
	unsigned assumption_count;
};

/* The parts of a framework file that are lists of names: split tables, blocking axes, quirks. */
bool framework_lists_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error);

/* "data+filter" -> 1 << DATA | 1 << FILTER; false on an unknown name. */
bool axes_parse(const char *text, unsigned *axes);

#endif

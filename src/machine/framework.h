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

enum { SEGMENTS_MAX = 4, QUIRKS_MAX = 8, FRAMEWORK_CLASSES = 20, ALGORITHMS_MAX = 32 };

/* Messages of up to upto_bytes take latency_s + bytes / bytes_per_s; the last segment has no end. */
struct message_segment {
	double upto_bytes, latency_s, bytes_per_s;
};

struct input_quirk { /* programs of these families fed images of another size than the model's */
	bool families[1 << PARADL_AXIS_COUNT]; /* by set of axes */
	unsigned extent[3];
};

struct gather_quirk { /* this model's program gathered the spatial pieces after this layer */
	const char *model, *layer;
};

/*
 * How a training program runs networks of tokens ("training" in the file).
 * Host time of a pass of a stage is hidden behind the device's unless longer: (device^q + host^q)^(1/q).
 */
struct framework_training {
	double host_layer_s;       /* of a block, forward; backward 1.3 times, recomputation once more */
	double host_moe_layer_s;   /* more for a block with experts */
	double host_collective_s;  /* of each collective call in a stage */
	double host_micro_batch_s; /* of a micro-batch and pass */
	double host_sharpness;     /* q; 0: 4.4 */
	double passes;             /* memory-bound passes as made / fully fused ones */
	double selective_share; /* of a block's products and passes that selective recomputation repeats, besides scores */
	double score_bytes; /* moved for each attention score forward when attention is not fused; backward 1.2 x */
	double attention;        /* rate of its fused attention kernel / the device's */
	bool portable_attention; /* its fused attention is the portable one, not the vendor's */
	bool flash;              /* fused attention unless the model says no */
	/* Shares hidden behind compute: gradients (behind the last backward), parameter gathers, tensor collectives,
	 * all-to-alls of experts, context exchanges, gathers of sharded weights (zero 3). */
	double overlap_gradients, overlap_gathers, overlap_tensor, overlap_experts, overlap_context,
		overlap_shards;
	double interference;   /* of hidden traffic of sharded weights that slows compute down */
	double stage_blocking; /* share of a stage message that keeps its sender busy */
	bool scatter_gather;   /* stage messages are cut over the tensor axis and gathered after */
	double stage_start_s;  /* start of a stage message */
	double host_exposed;   /* above 0: launches block, so much of the host's time adds to the device's */
	double accumulate_bytes; /* moved for each weight of a product when a micro-batch's gradient is added to the sum */
	double step_s;                   /* host time of an optimizer step */
	double step_bytes;               /* moved for each weight owned, besides what the optimizer says; 0 */
	double gradient_bytes;           /* of one weight's gradient: 2 or 4 */
	double collective_sync_s;        /* blocking synchronisation of each tensor collective */
	double bucket_bytes;             /* of gradients that go together; 0: all at once */
	enum paradl_recompute recompute; /* default */
	bool balanced;                   /* stages by cost instead of by number of blocks */
	bool graphs; /* kernels are launched as graphs: no host time but host_moe_layer_s, no launch floor */
	/* Memory that is no tensor of the model. */
	double context_bytes;      /* of runtime and libraries */
	double communicator_bytes; /* for each group a device is in */
	double fragmentation;      /* allocator: share on top of tensors that come and go */
	double logits_bytes;       /* for each logit, at the loss */
	double step_memory_bytes; /* for each weight that a device updates, while it does: copies, temporaries */
	double gradient_held_bytes; /* of one weight's gradient while micro-batches add to it; 0: as it is sent */
	bool stage_outputs;         /* what a stage has sent stays until its micro-batch's backward */
};

enum { CHECKED_MAX = 32 };

/* What measured runs the profile was compared with; 0 and none: not said. */
struct framework_checked {
	double gpus, tokens;               /* at most */
	const char *devices[CHECKED_MAX];  /* by name */
	unsigned device_count, precisions; /* precisions: set of 1u << enum paradl_precision */
};

/* What the program has of the options of plans; sets of 1u << value. */
struct framework_offers {
	unsigned axes, schedules, recomputes, contexts;
	unsigned zero, zero_with_pipeline; /* levels */
	unsigned offload;                  /* enum paradl_offload */
	bool shard, sequence, expert_tensor;
};

struct paradl_framework {
	const char *name, *path, *summary;
	double known_error;
	struct framework_checked checked;
	struct framework_offers offers;

	/* split: layer classes (index as in the model) that an axis cuts; the others run replicated. */
	bool splits[PARADL_AXIS_COUNT][FRAMEWORK_CLASSES];

	/* execution */
	double host_call_s;               /* host time of one layer's calls, forward + backward */
	double sync_s;                    /* exposed host time of a layer that ends in a blocking call */
	bool blocking[PARADL_AXIS_COUNT]; /* layers cut by this axis end in a blocking call */
	double overlap; /* share of the backward pass that gradient exchange may hide behind */
	double passes;  /* memory-bound passes as made / one kernel for each layer and pass */

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

	struct framework_training training;

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

/* "training" of a file, over what is there; the default is a program without costs of its own. */
void framework_training_default(struct framework_training *training);
bool framework_training_read(
	const struct json *node, struct framework_training *training, struct paradl_error *error);

bool framework_checked_read(
	const struct json *node, struct framework_checked *checked, struct paradl_error *error);

void framework_offers_default(struct framework_offers *offers); /* everything */
bool framework_offers_read(
	const struct json *node, struct framework_offers *offers, struct paradl_error *error);
/* Has the program all that the plan asks for? False: text is the first that it lacks, "zero=2 with pipelines". */
bool framework_offers_plan(
	const struct paradl_framework *framework, const struct paradl_plan *plan, char *text, size_t size);

extern const char *const framework_axis_names[PARADL_AXIS_COUNT];
bool framework_name_read(
	const struct json *node, const char *const *names, int count, int *index, struct paradl_error *error);

/* The parts of a framework file that are lists of names: split tables, blocking axes, quirks. */
bool framework_lists_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error);

/* "data+filter" -> 1 << DATA | 1 << FILTER; false on an unknown name. */
bool axes_parse(const char *text, unsigned *axes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan under evaluation: each distinct layer is cut along every axis in use; what one PE (one device) computes,
 * holds and sends is added up, then pipelined, exchanged and summed. Nothing is allocated per plan. oracle/ and
 * search/ alone include this header and those that it is the ground of; all others ask by oracle.h.
 */
#ifndef ORACLE_EVALUATION_H
#define ORACLE_EVALUATION_H

#include "network/cost/curve_table.h"
#include "oracle/oracle.h"

/* Number of axes of token layers: expert, context and tensor. */
enum { TOKEN_AXES = PARADL_TENSOR - PARADL_EXPERT + 1 };

/* Collective of one group of devices, and the time that the library adds. */
struct exchange {
	const struct curve *curve; /* NULL: the group has one device, and takes no time */
	struct library_call library;
};
double exchange_s(const struct exchange *exchange, double bytes);

/* Resource that bounds a kernel. */
enum bound { BOUND_COMPUTE, BOUND_MEMORY, BOUND_LAUNCH, BOUNDS };

/* Cost of one layer on the most loaded PE for one micro-batch: its seconds, and the items that the PE holds. */
struct layer_cost {
	double forward_s, backward_s;      /* seconds of kernels, host time and copies */
	double update_s;                   /* seconds per iteration */
	double activation_s[2], halo_s[2]; /* seconds of collectives and of halos, by enum pass */
	double weight_items, frozen_items;
	double kept_items, gradient_items; /* saved activations; dL/dx and dL/dy together */
	double calls;                      /* blocking communications */
	unsigned cut; /* bit set of the axes that cut the layer, without data and pipeline */
	/* Fields of token layers (0 for others). Exchanges of a token axis are in exchange_s, not in activation_s. */
	double weight_s,
		score_s; /* weight_s: gradients of weights, in backward_s; score_s: repeated by selective recompute */
	double attention_s[2],
		hidden_s[2]; /* attention_s: part of each pass; hidden_s: exchanges hidden behind attention */
	/* Parts of weight_items and frozen_items that experts have; score_items: attention scores, part of kept_items. */
	double expert_items, frozen_expert_items, score_items;
	/* again_s: of the kernels that recompute=modules runs once more; dropped_items: part of kept_items. */
	double again_s, dropped_items;
	/* Items of one micro-batch: logits at the loss; gradients of the kernel that needs most in backward (image
	 * layers: dL/dx and dL/dy); buffers of collectives. */
	double logit_items, transient_items, buffer_items;
	double exchange_s[TOKEN_AXES][2], exchange_calls[2]; /* by axis - PARADL_EXPERT and pass; by pass */
	double cast_s[2]; /* part of forward_s, backward_s: casts of inputs of products to a narrow format */
	/* Fields of inference (0 in training): forward_s split by what bounds its kernels, and flop. */
	double bound_s[BOUNDS], flop;
};

/* Smallest limit of an axis over the layers that it cuts. */
struct axis_limit {
	unsigned limit;
	const struct layer *layer; /* layer with that limit; NULL: the axis cuts none */
};

/*
 * Network as one kind of plan runs it. A framework may feed it another input or pad its poolings; spatial pieces are
 * gathered where some layer cannot hold them, or where the plan says.
 */
struct prepared {
	struct model_variant variant; /* padded_end: where pieces are gathered; 0: as late as possible */
	unsigned spatial_end;         /* position after the last layer that spatial pieces go through */
	const struct paradl_model *model;
	unsigned char *cut; /* bit set, for each distinct layer, of the axes that may cut it */
	bool tied;          /* a layer has the weights of an earlier one */
	struct axis_limit limits[PARADL_AXIS_COUNT]; /* of axes other than data, pipeline, spatial */
	struct axis_limit spatial[DIMENSIONS_MAX];   /* over the layers before the first place for a gather */
	unsigned (*unit_pieces)
		[DIMENSIONS_MAX]; /* most pieces that a unit and those before it hold, by unit before spatial_end */
	/* Greatest common divisors over what is cut: a degree that divides them divides evenly. */
	unsigned common_extents[DIMENSIONS_MAX];
	unsigned common[PARADL_AXIS_COUNT]; /* of the same axes as limits; 0: they cut nothing */
	struct shard *wholes;               /* shard of each distinct layer before any cut, with one sample */
	struct shard *shards;               /* scratch, one per distinct layer: its shard after all cuts */
	/* Scratch, one per distinct layer: kernels alone; costs are `connected`, with exchanges, or the kernels. */
	struct layer_cost *costs, *kernels, *connected;
	struct cuts_kept *kept; /* kernels and shards of earlier cuts, or NULL; cuts.c */
	struct unit_classes *classes;
	struct stage *stages; /* scratch, unit_count */
	struct schedule_scratch *schedule;
	struct stage_work *works;                 /* scratch, unit_count */
	struct stage_times *stage_times;          /* scratch, unit_count */
	struct schedule_device *schedule_devices; /* scratch, unit_count */
	unsigned *held;                           /* scratch, unit_count */
	struct pipeline_rank *pipeline_ranks;     /* scratch, unit_count: devices of a pipeline; stage.h */
	struct device_share *shares; /* scratch, unit_count: shares of the pipeline_ranks; replicas.h */
	double update_s_per_byte;    /* at the rate of a pass over all that the optimizer reads and writes */
	bool weighs_anew;            /* the framework or device has changed since stage_work was found */
	double *stage_work;          /* unit_count + 1 prefix sums by which stages are cut; stage_cut.c */
	struct stage_messages
		*messages; /* what crosses a boundary, of networks of images; or NULL: stage_cut.c */
	/* Prefix sums of the bytes held by units, which decide between equal cuts; or NULL. */
	double *stage_memory;
	unsigned *stage_ends; /* scratch, unit_count */
	unsigned *
		usual_ends; /* ends that no plan gives, for each number of stages up to PARTS_KEPT; first 0: not yet found */
	unsigned message_reader;       /* unit after the block with the most items at its end; 0: none */
	const struct points *measured; /* seconds over samples, as measured; or NULL: layer_times.c */
};

enum { PREPARED_MAX = 32, CHOICE_MAX = 64, PARTS_KEPT = 64 };

/* List of collectives, and what they are for. */
struct choice_list {
	struct choice choice;
	const struct collective *items[CHOICE_MAX + 1];
};

/* Compressions that gradients may travel with, by --compress. */
enum compression { COMPRESS_NONE, COMPRESS_FP16, COMPRESS_TOPK, COMPRESSIONS };

/*
 * Collectives for each kind of exchange, from the framework's libraries or as options force them;
 * collective_choices.c.
 */
struct exchange_choices {
	struct choice_list gradient, sparse, weights,
		shards; /* of replicas: allreduce, sparse (top-k) allreduce, allgather, reduce-scatter into shards */
	struct choice_list gather, scatter, reduce, all_to_all, message;
	bool compress[COMPRESSIONS]; /* compressions that may be chosen */
	char density_text[24];       /* top-k as text: "topk:0.01" */
	struct curve staged;         /* curve of messages through host memory */
};

/* Route of a sum of gradients: at once, or among the pieces of samples and then among their leaders. */
struct gradient_route {
	enum compression compression;
	struct exchange stages[2];
	unsigned stage_count;
};

/* Devices that hold the same weights; replicas.c. */
struct replicas {
	unsigned size, nodes;                       /* devices, and the nodes that they span */
	unsigned shard;                             /* devices that share one copy of what zero shards */
	struct gradient_route routes[COMPRESSIONS]; /* allreduces, or with zero reduce-scatters */
	unsigned route_count;
	double bucket_bytes;            /* bytes of one message; 0: all in one */
	struct exchange gather, across; /* of updated weights; allreduce between copies (hybrid) */
};

/* Kinds of passes of inference. */
enum serving {
	SERVE_NOTHING, /* training */
	SERVE_PROMPT,  /* whole samples, as they come: images, or prompts of tokens */
	/* One token for each of some sequences, and some prompts; evaluation.samples counts whole samples. */
	SERVE_STEP
};

/* Plan under evaluation. */
struct evaluation {
	const struct paradl_oracle *oracle;
	enum serving serving;
	bool generates; /* inference: prompts are answered, token by token */
	double keys;    /* SERVE_STEP: keys that a token attends to, itself included */
	double prompts; /* SERVE_STEP: samples of one replica that are prompts, or part of one */
	double uneven; /* SERVE_STEP: share of its tokens that others have less, with whom it shares experts */
	enum paradl_pipeline_schedule schedule; /* the plan's, resolved; so is recompute */
	enum paradl_recompute recompute;
	enum paradl_dispatcher dispatcher;
	bool recomputes_stages; /* whole stages, for all micro-batches but the last */
	unsigned chunks;
	struct replicas dense, experts;
	const struct plan_share
		*shares; /* plans of parts of the layers, this is one; NULL: all layers have this plan */
	unsigned share_count;
	struct prepared *net;
	struct table *table; /* table of the network that its devices have, once connected */
	struct paradl_plan plan;
	unsigned axes;     /* bit set of the axes in use */
	unsigned replicas; /* bit set of the axes that replicate weights: gradients go over their group */
	double local_batch, micro_batches;
	double samples; /* samples of one micro-batch on one replica */
	double item_bytes;
	double most_per_s; /* most requests answered per second, where more come and it is refused; else 0 */
	bool connected;    /* the curves of its groups are known */
	bool blocking;     /* layers end in blocking calls: host time adds up layer by layer */
	struct exchange exchange[PARADL_AXIS_COUNT][TRAFFIC_KINDS];
	const struct curve *stage;             /* messages between stages; NULL: not known, or none */
	unsigned nodes[PARADL_AXIS_COUNT];     /* nodes that the group of an axis spans */
	unsigned call_nodes;                   /* the most of `nodes` over the axes that cut a layer */
	double gradients_late_s, calls_late_s; /* lateness after one second of work; step_exchange.c */
	/* Curves of the ideal model; the last member, because nothing clears it. */
	struct curve own[2 * PARADL_AXIS_COUNT + 2];
};

/* Makes the networks that were prepared follow changed numbers of their framework and device. */
void prepared_changed(struct paradl_oracle *oracle);

/* Returns the network that this plan runs, from the cache or built; NULL with an error when it cannot be built. */
struct prepared *oracle_prepare(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error);

/* Returns whether this layer limits how far an axis other than data, pipeline and spatial can cut. */
bool limits_axis(const struct layer *layer, enum paradl_axis axis);
/* Returns whether the network has the layer after which a plan gathers its spatial pieces; sets an error if not. */
bool gather_known(const struct paradl_model *model, const char *name, struct paradl_error *error);

/*
 * Returns whether the plan can run at all, memory aside: on all of the network or, if `whole` is false, in what all
 * layers have in common. The error says why not and what would run.
 */
bool plan_feasible(const struct evaluation *evaluation, bool whole, struct paradl_error *error);
/* Checks the part of this that concerns schedule, stages on a device and offload. */
bool options_feasible(const struct evaluation *evaluation, struct paradl_error *error);
/* Returns whether the plan can run the distinct layer `index`. */
bool layer_feasible(const struct evaluation *evaluation, unsigned index);

/*
 * Begins an evaluation with the first of two steps, which cuts the layers: batches, limits, kernels (net->kernels).
 * The second, evaluation_connect, connects the devices: curves of its groups but those of replicas (replicas_compile),
 * exchanges of its layers (net->costs). In between, only the order of the axes, zero and shard may change among what
 * the first step read, so that placements of one cut share the first step. With a number of micro-batches, the
 * evaluation is of a plan for some layers of the network, those that layer_feasible() allows; with 0, for all of them.
 */
bool evaluation_cut(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Begins the first step, but cuts no layers; returns whether the plan can run. */
bool evaluation_enter(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Goes on with a plan whose layers are cut alike: order, recomputation, schedule, ways to share may be others. */
bool evaluation_vary(
	struct evaluation *evaluation, const struct paradl_plan *plan, struct paradl_error *error);
bool evaluation_connect(
	struct evaluation *evaluation, struct paradl_oracle *oracle, struct paradl_error *error);
/* Replaces the second step: devices exchange nothing, which takes less time and the same memory in any placement. */
void evaluation_isolate(struct evaluation *evaluation);
/*
 * Returns the micro-batches of a replica's samples where nobody says. Without a pipeline nothing is accumulated that a
 * GPU takes at once: the model's batch_per_gpu, or the framework's samples of a micro-batch where those are more.
 */
double usual_micro_batches(const struct paradl_oracle *oracle, unsigned stages, double local_batch);
bool evaluation_begin(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Returns whether both are the same plan with the same batch; estimate.c. */
bool plans_alike(const struct paradl_plan *a, const struct paradl_plan *b);
/* Resolves what the plan leaves to the framework: schedule, chunks, recomputation, dispatcher. */
void options_resolve(struct evaluation *evaluation);
/* Fills what follows from the iteration: rates, epoch, energy, cost. */
void estimate_derive(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Fills the part of this from watt to cost_per_epoch; power.c. */
void expense_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate);
/* Finds the power and price of the machine's network; false with an error. */
bool gear_prepare(struct paradl_oracle *oracle, struct paradl_error *error);

/*
 * Fills dense and experts. replicas_count counts the replicas and the nodes they are on, which is all that memory
 * depends on; replicas_compile then finds what they exchange. A search compiles only groups of plans that nothing else
 * rules out, because most curves are theirs. replicas.c.
 */
void replicas_count(struct evaluation *evaluation);
bool replicas_compile(struct evaluation *evaluation, struct paradl_error *error);
/* Allocates the scratch that training needs for a network; training.c. */
bool training_prepare(struct paradl_arena *arena, struct prepared *net, struct paradl_error *error);
/* Fills exchange, stage and nodes of an evaluation; token_exchange.c. */
bool exchanges_compile(struct evaluation *evaluation, struct paradl_error *error);
bool exchange_compile(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, struct exchange *exchange, struct paradl_error *error);
void token_layer_exchange(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost);

/* Kernel time of one shard of a layer in one micro-batch, by pass; image_kernels.c. */
struct layer_compute {
	double forward_s, backward_s;
};
struct layer_compute layer_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard);
/*
 * Fills the cost of a layer: its kernels, which no placement changes, and on top its exchanges and what they cost the
 * host. layer_kernels leaves the layer's shard, which layer_exchanges reads, in net->shards.
 */
void layer_kernels(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
void layer_exchanges(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
/* Fills net->kernels and net->shards, in the oracle's arena; cuts.c. */
void layers_cut(struct evaluation *evaluation, struct paradl_arena *arena);
/* Forgets all cuts that are kept, because another program or device takes other times. */
void cuts_forget(struct paradl_oracle *oracle);
void layer_cost(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
/* Returns seconds per micro-batch to gather spatial pieces before a layer that needs them whole and scatter dL/dx. */
double gather_s(const struct evaluation *evaluation);

/* Resolves the framework's list of collectives and the options; collective_choices.c. */
bool choices_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Returns whose collectives plans may use: the machine's library, its links', or NCCL; NULL: the framework's list. */
const char *choices_library(const struct paradl_oracle *oracle);
/* Takes the curves for plans of exactly `devices` devices: of the network, or of a slice (network_is_sliced). */
bool network_take(
	struct paradl_oracle *oracle, double devices, struct table **table, struct paradl_error *error);
/* Gives a clone in another thread the curves of the slices; false when out of memory. */
bool slices_clone(struct paradl_oracle *clone, const struct slice *slices);

/* Finds the curve for a choice and group in the oracle's table; false with an error when no algorithm applies. */
bool exchange_curve(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, const struct curve **curve, struct paradl_error *error);

/* Fills how late the slowest nodes are; call it after replicas_count. */
void waiting_compile(struct evaluation *evaluation);
/*
 * Returns the seconds of a step that a device waits for the slowest node, "typical" minus "quiet", given its seconds
 * of work and its number of synchronisations by nodes that are late_s after one second; step_exchange.c.
 */
double waiting_s(double late_s, double work_s, double synchronisations);
/* Returns how many seconds the slowest of `nodes` nodes is late after a second of work. */
double nodes_late_s(const struct paradl_oracle *oracle, unsigned nodes);

/* Makes oracle->input; false when out of memory. */
bool oracle_input_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Adds the wait for samples to an iteration that is filled. */
void oracle_input_add(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Returns the seconds of an iteration with input, if it takes busy_s without. */
double oracle_input_s(const struct evaluation *evaluation, double busy_s);
/* Returns the least seconds, with input, of a step of these degrees and batch that takes busy_s or more without. */
double oracle_input_least_s(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, double busy_s);
/* Makes input the limit of an estimate whose limited_by is filled with that of all else, if it is. */
void input_limit_consider(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Fills limited_by of inference, from the shares of the whole that kernels take by what bounds them. */
void inference_limits_fill(
	const struct evaluation *evaluation, const double shares[BOUNDS], struct paradl_estimate *estimate);
void limits_fill(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Returns whether a degree does not divide what it cuts. */
bool plan_uneven(const struct evaluation *evaluation);
/* Fills an estimate before anything is timed; estimate_finish fills what follows from times and parts of memory. */
void estimate_begin(const struct evaluation *evaluation, struct paradl_estimate *estimate);
void estimate_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate);

/*
 * Finds the exact min-max partition of `count` consecutive costs (count + 1 prefix sums) into `parts` non-empty parts:
 * fills ends[parts], with the largest part as small as it can be, then its sum of `memory` (or NULL). parts <= count.
 */
void partition(const double *prefix, const double *memory, unsigned count, unsigned parts, unsigned *ends);

/* Fills what no measured run has checked whatever the plan: once for an oracle, before any plan. */
void band_prepare(struct paradl_oracle *oracle);
/* Fills error_share and unchecked of an estimate whose times are known. */
void band_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate);

#endif

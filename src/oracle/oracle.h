/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle: one loop over the distinct layers of a network. Each layer is cut along every axis in use; what one PE
 * computes, holds and sends is added up; then pipelined, exchanged, summed. Nothing is allocated per plan.
 */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"
#include "network/table.h"
#include "strategy/strategy.h"

/* Axes of layers of tokens: expert, context, tensor. */
enum { TOKEN_AXES = PARADL_TENSOR - PARADL_EXPERT + 1 };

/* A collective of one group, and what the library adds. */
struct exchange {
	const struct curve *curve; /* NULL: a group of one, no time */
	struct library_call library;
};
double exchange_s(const struct exchange *exchange, double bytes);

/* What bounds a kernel. */
enum bound { BOUND_COMPUTE, BOUND_MEMORY, BOUND_LAUNCH, BOUNDS };

/* What the fullest PE spends on one layer in one micro-batch, and holds of it. */
struct layer_cost {
	double forward_s, backward_s;      /* kernels, host time and copies */
	double update_s;                   /* per iteration */
	double activation_s[2], halo_s[2]; /* by enum pass */
	double weight_items, frozen_items;
	double kept_items, gradient_items; /* of the micro-batch; gradient: dL/dx and dL/dy together */
	double calls;                      /* blocking communications */
	unsigned cut;                      /* bit set of the axes that cut it, besides data and pipeline */
	/* Of layers of tokens (others: 0). Exchanges of an axis are in exchange_s, and not in activation_s. */
	double weight_s,
		score_s; /* of backward_s: gradients of weights; of both: what selective recomputes */
	double attention_s[2],
		hidden_s[2]; /* of forward_s, backward_s: attention; exchanges hidden behind it */
	double expert_items, score_items; /* of weight_items: of experts; of kept_items: attention scores */
	/* Of one micro-batch: scores of a vocabulary at the loss; gradients of the worst kernel's backward; what collectives
	 * need besides. */
	double logit_items, transient_items, buffer_items;
	double exchange_s[TOKEN_AXES][2], exchange_calls[2]; /* by axis - PARADL_EXPERT, and pass */
	double cast_s[2]; /* of forward_s, backward_s: bringing inputs of products to a narrow format */
	/* Of inference (else 0): forward_s by what bounds its kernels, and flop. */
	double bound_s[BOUNDS], flop;
};

/* The best (least) limit of an axis over the layers it cuts. */
struct axis_limit {
	unsigned limit;
	const struct layer *layer; /* the scarcest, NULL: the axis cuts none */
};

/*
 * A network as one kind of plan runs it: a framework may feed it another input or pad its poolings, and spatial pieces
 * are gathered where some layer cannot hold them, or where the plan says.
 */
struct prepared {
	struct model_variant variant; /* padded_end: where a plan gathers, padded or not; 0: at the end */
	unsigned spatial_end;         /* position after the last layer that spatial pieces go through */
	const struct paradl_model *model;
	unsigned char *cut; /* of each distinct layer: bit set of the axes that may cut it */
	struct axis_limit limits[PARADL_AXIS_COUNT]; /* not of data, pipeline, spatial */
	struct axis_limit spatial[DIMENSIONS_MAX];   /* over the layers before the first place for a gather */
	unsigned (*unit_pieces)
		[DIMENSIONS_MAX]; /* by unit before spatial_end: most that it and those before hold */
	/* Greatest common divisors over what is cut: a degree that divides them divides evenly. */
	unsigned common_extents[DIMENSIONS_MAX];
	unsigned common[PARADL_AXIS_COUNT]; /* not of data, pipeline, spatial; 0: they cut nothing */
	struct shard *wholes;               /* of each distinct layer, before any cut, with one sample */
	struct shard *shards;               /* scratch, one per distinct layer: after all cuts */
	/* Scratch, one per distinct layer. kernels: without exchanges; costs: with them, in `connected`, or else the kernels. */
	struct layer_cost *costs, *kernels, *connected;
	struct cuts_kept *kept; /* kernels and shards of cuts before this one, or NULL; cuts.c */
	struct unit_classes *classes;
	struct stage *stages; /* scratch, unit_count */
	struct schedule_scratch *schedule;
	struct stage_work *works;                 /* scratch, unit_count */
	struct stage_times *stage_times;          /* scratch, unit_count */
	struct schedule_device *schedule_devices; /* scratch, unit_count */
	unsigned *held;                           /* scratch, unit_count */
	struct holder *holders;                   /* scratch, unit_count: devices of a pipeline; holders.h */
	struct device_share *shares;              /* scratch, unit_count: of holders; replicas.h */
	double update_s_per_byte; /* at the rate of a pass over all that the optimizer reads and writes */
	double *stage_work;       /* unit_count + 1: prefix sums by which stages are cut; stage_cut.c */
	double *stage_memory; /* the same of what they hold, which decides between equal ones; NULL: nothing does */
	unsigned *stage_ends; /* scratch, unit_count */
	unsigned *
		balanced; /* of each number of stages up to PARTS_KEPT, ends as partition() finds them; first 0: not yet */
	unsigned message_reader;       /* the unit after the block with the most items at its end; 0: none */
	const struct points *measured; /* seconds over samples, of each layer; or NULL: layer_times.h */
};

enum { PREPARED_MAX = 32, CHOICE_MAX = 64, PARTS_KEPT = 64 };

/* A list of collectives and what they are for. */
struct choice_list {
	struct choice choice;
	const struct collective *items[CHOICE_MAX + 1];
};

/* How gradients may travel, by --compress. */
enum compression { COMPRESS_NONE, COMPRESS_FP16, COMPRESS_TOPK, COMPRESSIONS };

/* Which collectives each kind of exchange may use: of the framework's libraries, or as the options force; choices.c. */
struct exchange_choices {
	struct choice_list gradient, sparse, weights,
		shards; /* of replicas: sums whole, top-k or in shards, and gathers */
	struct choice_list gather, scatter, reduce, all_to_all, message;
	bool compress[COMPRESSIONS]; /* what may be chosen */
	char density_text[24];       /* "topk:0.01", of top-k */
	struct curve staged;         /* messages through host memory */
};

struct paradl_oracle {
	struct paradl_arena *arena;
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	struct paradl_options options;
	const struct optimizer *optimizer;
	enum paradl_precision precision;
	struct rules rules;   /* of networks of this kind */
	struct device device; /* the machine's, as steps run it: rule sustained */
	struct cut_rules cuts;
	struct prepared prepared[PREPARED_MAX];
	unsigned prepared_count;
	const struct layer_times *times;
	const struct exchange_choices *choices; /* shared with clones: their addresses are keys of `table` */
	struct table *table;  /* NULL when ideal, and before the first plan of two devices */
	unsigned routed;      /* devices of its network */
	struct slice *slices; /* networks of fewer devices that are tori of their own; choices.c */
	unsigned unchecked;   /* of every plan; band.c */
	double known_error;   /* of the program, with such networks, at such work; 0: unknown */
	bool has_experts;
	double prompt_tokens, output_tokens; /* of inference; 0: whole samples, none */
	const struct prefill *prefill;       /* devices that read prompts; NULL: those of plans do */
	double network_watt, network_price;  /* outside nodes, of the whole machine; power.c */
	struct oracle_input *input;          /* what feeds it, with scratch; input.c */
	struct result *result;               /* room for one, or NULL; training.h */
	const struct result *latest; /* it, while the scratch of its network is as it left it; else NULL */
};

/* One way for gradients to be summed: at once, or among the pieces of samples and then among their leaders. */
struct gradient_route {
	enum compression compression;
	struct exchange stages[2];
	unsigned stage_count;
};

/* Devices that hold the same weights; replicas.c. */
struct replicas {
	unsigned size, nodes;                       /* that they span */
	unsigned shard;                             /* of them, share one copy of what zero shards */
	struct gradient_route routes[COMPRESSIONS]; /* allreduce, or with zero reduce-scatter */
	unsigned route_count;
	double bucket_bytes;            /* of one message; 0: all in one */
	struct exchange gather, across; /* across: allreduce between copies (hybrid sharding) */
};

/* Passes of inference. */
enum serving {
	SERVE_NOTHING, /* training */
	SERVE_PROMPT,  /* whole samples, as they come: images, or prompts of tokens */
	SERVE_STEP /* one token of each of some sequences, and some prompts; evaluation.samples counts whole samples */
};

/* One plan under evaluation. */
struct evaluation {
	const struct paradl_oracle *oracle;
	enum serving serving;
	bool generates; /* of serving: prompts are answered, token by token */
	double keys;    /* of SERVE_STEP: that a token attends to, with itself */
	double prompts; /* of SERVE_STEP, on one replica: of its samples, or part of one */
	enum paradl_pipeline_schedule schedule; /* as resolved; so is recompute */
	enum paradl_recompute recompute;
	enum paradl_dispatcher dispatcher;
	bool recomputes_stages; /* whole ones, of all micro-batches but the last */
	unsigned chunks;
	struct replicas dense, experts;
	const struct plan_share
		*shares; /* layers have plans of their own, this is one of them; NULL: they have this */
	unsigned share_count;
	struct prepared *net;
	struct table *table; /* of the network that its devices have, once connected */
	struct paradl_plan plan;
	unsigned axes;     /* bit set of the axes in use */
	unsigned replicas; /* those that replicate weights: gradients go over their group */
	double local_batch, micro_batches;
	double samples; /* of one micro-batch on one replica */
	double item_bytes;
	bool connected; /* curves of its groups are known */
	bool blocking;  /* layers end in blocking calls: host time adds up layer by layer */
	struct exchange exchange[PARADL_AXIS_COUNT][TRAFFIC_KINDS];
	const struct curve *stage;             /* of messages between stages; NULL: not known, or none */
	unsigned nodes[PARADL_AXIS_COUNT];     /* that an axis' group spans */
	unsigned call_nodes;                   /* the most of those that cut a layer */
	double gradients_late_s, calls_late_s; /* of one second of work; step_exchange.c */
	struct curve own[2 * PARADL_AXIS_COUNT + 2]; /* when ideal: the last, for nothing clears them */
};

/*
 * For another thread: an oracle with the same answers bit for bit, with scratch of its own in `arena`. Both share what
 * is only read, and curves (network/table.h) of the network as it is now: after network_prepare for the largest plan
 * every group is compiled once for all clones. Larger networks are the clone's own. The original must outlive its
 * clones, and be at rest while it is cloned. NULL when out of memory.
 */
struct paradl_oracle *oracle_clone(
	const struct paradl_oracle *oracle, struct paradl_arena *arena, struct paradl_error *error);

/* The framework that the machine runs by default to train this model, or, for inference, to serve it. */
const struct paradl_framework *oracle_framework_load(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine, bool inference,
	struct paradl_error *error);

/* Takes over what was changed in place in the numbers of its framework. */
void oracle_framework_changed(struct paradl_oracle *oracle);

/* The network this plan runs, from the cache or built; NULL when it cannot be. */
struct prepared *oracle_prepare(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error);

/* Does this layer say how far an axis other than data, pipeline and spatial cuts? */
bool limits_axis(const struct layer *layer, enum paradl_axis axis);
/* Has the network the layer after which a plan gathers its spatial pieces? */
bool gather_known(const struct paradl_model *model, const char *name, struct paradl_error *error);

/* Along which axes it makes sense to cut a network of this kind, unless somebody asks for others: a bit set. */
unsigned oracle_axes(const struct paradl_oracle *oracle);

/* Largest degree that any plan of this network can have along each axis (0: no limit known), for pruning a search. */
void oracle_most(struct paradl_oracle *oracle, double most[PARADL_AXIS_COUNT]);

/*
 * Can the plan run at all (memory aside), all of the network or (whole: false) as far as all layers have that in common?
 * Says why not and what would.
 */
bool plan_feasible(const struct evaluation *evaluation, bool whole, struct paradl_error *error);
/* Of it, what schedule, stages on a device and offload say. */
bool options_feasible(const struct evaluation *evaluation, struct paradl_error *error);
/* Whether it can run this one, of the distinct layers. */
bool layer_feasible(const struct evaluation *evaluation, unsigned index);

/*
 * An evaluation begins in two steps. The first cuts the layers: batches, limits, kernels (net->kernels). The second connects
 * the devices: curves of its groups but those of replicas (replicas_compile), exchanges of its layers (net->costs); of what the
 * first step read only the order of the axes, zero and shard may have changed in between, so that placements of one cut share
 * the first step. Given a number of
 * micro-batches, it is of a plan for some layers of the network, those that layer_feasible() allows; 0: for all of them.
 */
bool evaluation_cut(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Goes on with a plan whose layers are cut alike: its order, recomputation, schedule and ways to share may be others. */
bool evaluation_vary(
	struct evaluation *evaluation, const struct paradl_plan *plan, struct paradl_error *error);
bool evaluation_connect(
	struct evaluation *evaluation, struct paradl_oracle *oracle, struct paradl_error *error);
/* Instead of the second: devices exchange nothing, which takes less time and the same memory, however they are placed. */
void evaluation_isolate(struct evaluation *evaluation);
/*
 * Returns the micro-batches of a replica's samples where nobody says. Without a pipeline nothing is accumulated that a GPU
 * takes at once: the model's batch_per_gpu, or the framework's samples of a micro-batch where those are more.
 */
double usual_micro_batches(const struct paradl_oracle *oracle, unsigned stages, double local_batch);
bool evaluation_begin(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Both are the same plan with the same batch; estimate.c. */
bool plans_alike(const struct paradl_plan *a, const struct paradl_plan *b);
/* What the plan leaves to the framework: schedule, chunks, recomputation. */
void options_resolve(struct evaluation *evaluation);
/* What follows from the iteration: rates, epoch, energy, cost. */
void estimate_derive(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Of it, watt to cost_per_epoch; power.c. */
void expense_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate);
/* Of the same nodes with idle devices, facility included; negative: not known. */
double standby_watt(const struct paradl_power *power);
/* Power and price of the machine's network. */
bool gear_prepare(struct paradl_oracle *oracle, struct paradl_error *error);
double memory_sum(const struct paradl_memory *memory);

/*
 * Fills dense and experts: how many replicas there are and on how many nodes, which is all that memory depends on; then what they
 * exchange. A search compiles only groups of plans that nothing else rules out: most curves are theirs. replicas.c.
 */
void replicas_count(struct evaluation *evaluation);
bool replicas_compile(struct evaluation *evaluation, struct paradl_error *error);
/* Scratch for it; training.c. */
bool training_prepare(struct paradl_arena *arena, struct prepared *net, struct paradl_error *error);
/* Fills exchange, stage and nodes; token_exchange.c. */
bool exchanges_compile(struct evaluation *evaluation, struct paradl_error *error);
bool exchange_compile(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, struct exchange *exchange, struct paradl_error *error);
void token_layer_exchange(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost);

/* Kernel time of one shard of a layer in one pass; kernels.c. */
struct layer_compute {
	double forward_s, backward_s;
};
struct layer_compute layer_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard);
/* What a layer costs: its kernels, which no placement changes, and on top its exchanges and what they cost the host. The
 * first leaves its shard, which the second reads, in net->shards. */
void layer_kernels(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
void layer_exchanges(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
/* Fills net->kernels and net->shards; cuts.c. The arena is the oracle's. */
void layers_cut(struct evaluation *evaluation, struct paradl_arena *arena);
/* Another program or device takes other times. */
void cuts_forget(struct paradl_oracle *oracle);
void layer_cost(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost);
/* Gathering the spatial pieces before the first layer that needs them whole, and scattering dL/dx; one micro-batch. */
double gather_s(const struct evaluation *evaluation);

/* Resolves the framework's list of collectives and the options; choices.c. */
bool choices_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Returns whose collectives plans may use: the library that the machine names, or that of the devices' links, or NCCL; NULL: the framework has a list. */
const char *choices_library(const struct paradl_oracle *oracle);
/* The network of at least so many devices. */
bool network_prepare(struct paradl_oracle *oracle, double devices, struct paradl_error *error);
/* Curves for plans of just so many devices: of the network as prepared, or of a slice of it (network_is_sliced). */
bool network_take(
	struct paradl_oracle *oracle, double devices, struct table **table, struct paradl_error *error);
/* Gives a clone in another thread the slices' curves. */
bool slices_clone(struct paradl_oracle *clone, const struct slice *slices);

/* The curve for a choice and group from the oracle's table; false with an error when nothing applies. */
bool exchange_curve(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, const struct curve **curve, struct paradl_error *error);

/* Fills how late the slowest nodes are; after replicas_count. */
void waiting_compile(struct evaluation *evaluation);
/*
 * Waiting for the slowest node in a step, "typical" minus "quiet", of a device with so many seconds of work and so many
 * synchronisations by nodes that are late_s after one second; step_exchange.c.
 */
double waiting_s(double late_s, double work_s, double synchronisations);
/* How late the slowest of so many nodes is after a second of work. */
double nodes_late_s(const struct paradl_oracle *oracle, unsigned nodes);

/* Makes oracle->input. */
/* What the program does to be fed, of ideal estimates too. */
const struct rules *oracle_input_rules(const struct paradl_oracle *oracle);
bool oracle_input_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* The iteration is filled: adds what it waits for samples. */
void oracle_input_add(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Seconds of an iteration that takes busy_s without that. */
double oracle_input_s(const struct evaluation *evaluation, double busy_s);
/* Seconds that a step of a plan with these degrees and batch takes at least which takes busy_s or more without input. */
double oracle_input_least_s(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, double busy_s);
/* Names what of input takes longest, and what to improve; its share is not filled. */
struct paradl_limit input_limit(const struct evaluation *evaluation, const struct paradl_estimate *estimate);
/* Of inference, whose kernels' time has these shares of the whole by what bounds them. */
void inference_limits_fill(const double shares[BOUNDS], struct paradl_estimate *estimate);
void limits_fill(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Does a degree not divide what it cuts? */
bool plan_uneven(const struct evaluation *evaluation);
/* What an estimate says before anything is timed; then, of times and memory's parts that are filled, what follows. */
void estimate_begin(const struct evaluation *evaluation, struct paradl_estimate *estimate);
void estimate_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/*
 * Fills of an estimate the plan, its batches, memory and whether it fits, which takes no time of any exchange, and so no curves;
 * of zero bubble and inference, which hold what times say, all of it.
 */
bool estimate_needs(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);

/*
 * Exact min-max partition of `count` consecutive costs (prefix sums, count + 1 of them) into `parts` non-empty
 * parts: fills ends[parts]; the largest part is as small as it can be. parts <= count.
 */
void partition(const double *prefix, const double *memory, unsigned count, unsigned parts, unsigned *ends);

#endif

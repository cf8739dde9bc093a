/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A framework profile says how a training program behaves on any machine: which layers each axis cuts, what the host
 * costs per call, how gradients, activations and halos travel, what it overlaps, and the quirks of measured programs.
 * Constants of kind "what the program does" live here, "what the hardware does" in the machine; none belongs to a
 * model or a GPU count. See paradl-framework(5).
 */
#ifndef MACHINE_FRAMEWORK_H
#define MACHINE_FRAMEWORK_H

#include "base/arena.h"
#include "base/json.h"
#include "paradl/oracle.h"

enum { SEGMENTS_MAX = 4, QUIRKS_MAX = 8, FRAMEWORK_CLASSES = 24, ALGORITHMS_MAX = 32 };

/* Messages of up to upto_bytes take latency_s + bytes / bytes_per_s; the last segment has no end. */
struct message_segment {
	double upto_bytes, latency_s, bytes_per_s;
};

struct input_quirk { /* families of programs that fed images of another size than the model's */
	bool families[1 << PARADL_AXIS_COUNT]; /* indexed by set of axes */
	unsigned extent[3];
};

/* Kinds of networks that a program runs by rules of their own. */
enum rules_kind { RULES_IMAGES, RULES_TOKENS, RULES_KINDS };

/* Layouts of image tensors: channels last, before extents, or last in 16-bit formats only, which need it most. */
enum image_layout { LAYOUT_NHWC, LAYOUT_NCHW, LAYOUT_NHWC_16 };

/* Combinations of the host's time with the device's. */
enum host_rule {
	HOST_NONE,
	HOST_STRETCHES,  /* kernels of a stage take as long as the host's calls, where those take longer */
	HOST_RUNS_AHEAD, /* a pass takes (device^q + host^q)^(1/q) */
	HOST_BLOCKS      /* launches block: a share of the host's time adds to the device's */
};

/*
 * Rules of a training program for networks of one kind ("rules" of a file), by which pricing, schedule, exchange and
 * memory work. One path goes through them; networks of images, networks of tokens and the ideal model of ParaDL's
 * Table III differ in their rules only.
 */
struct rules {
	/* kernels */
	double passes; /* memory-bound passes as made / one kernel for each layer and pass */
	enum image_layout layout;
	/* Numbers of convolutions in fp32, in place of the device's; 0: the device's. */
	double convolution_sustained, convolution_winograd;
	double convolution_passes; /* memory traffic of convolutions / that of one alone: less where some are fused */
	/* Least time that a multiprocessor works on an item that a pass of these kernels reads or writes. */
	double pool_item_s, concat_item_s, norm_item_s;
	double norm_channels; /* channels with which a batch norm fills a multiprocessor; fewer fill less */
	double sustained; /* rate of products and attention in a step / alone: the part that power and clocks leave */
	unsigned
		vocabulary_multiple; /* multiple to which vocabulary scores are padded on a device; 1: they are not */
	double attention;            /* rate of its fused attention kernel / the device's */
	bool portable_attention; /* its fused attention is the portable one, not the vendor's */
	bool flash;              /* fused attention unless the model says no */
	double score_bytes; /* bytes moved for each attention score forward, if not fused; backward 1.2 x */
	double accumulate_bytes; /* bytes moved for each product weight to add a micro-batch's gradient to the sum */
	double filter_passes, channel_passes, spatial_passes; /* extra copies of a split layer's tensors */
	double piece_s;                                       /* time per gathered piece and layer (filter) */
	bool filter_backward_partial; /* the program sums the pieces first and reduces |y|/p: wrong but measured */

	/* host */
	double host_layer_s;       /* time of one layer's calls, forward and backward */
	double host_moe_layer_s;   /* extra time for a layer with experts, forward */
	double host_collective_s;  /* time of each collective call in a stage */
	double host_micro_batch_s; /* time of a micro-batch and pass */
	double host_sharpness;     /* q of HOST_RUNS_AHEAD */
	double host_exposed; /* above 0: launches block, and this share of the host's time adds to the device's */
	double layer_sync_s;              /* exposed host time of a layer that ends in a blocking call */
	bool blocking[PARADL_AXIS_COUNT]; /* layers cut by this axis end in a blocking call */
	bool graphs; /* kernels are launched as graphs: no host time but host_moe_layer_s, no launch floor */

	/* exchanges */
	unsigned gradient_rings, activation_rings;
	double collective_call_s; /* time per library call with its synchronisation, layer by layer */
	double gradient_bytes;    /* bytes of one weight's gradient as sent; 0: as it is computed with */
	double gradient_passes;   /* copies of the gradient buffer: pack, scale, unpack are 2 each */
	double gradient_tensor_s; /* time per gradient tensor */
	double gradient_tensor_split_s; /* extra time in groups that are not the whole world */
	bool keeps_gathered; /* zero 3 in a pipeline: weights and gradients stay whole through all micro-batches */
	/* Bytes of one gradient message, and the least for each replica; both 0: all in one. */
	double bucket_bytes, bucket_replica_bytes;
	bool spatial_leader; /* with spatial pieces: reduce inside, ring of leaders, broadcast */
	/*
	 * Shares hidden behind compute: gradients (behind backward), parameter gathers, gathers of sharded weights
	 * (zero 3), tensor collectives, all-to-alls of experts, context exchanges.
	 */
	double overlap_gradients, overlap_gathers, overlap_shards, overlap_tensor, overlap_experts,
		overlap_context;
	double interference; /* share of hidden traffic of sharded weights that slows compute down */
	bool staged; /* halos and gathers go through host memory, by the segments below; else device links */
	bool halo_chain; /* 2(s-1) messages one after the other instead of both neighbours at once */
	struct message_segment segments[SEGMENTS_MAX];
	unsigned segment_count;
	double jitter_s, jitter_growth; /* waiting for the slowest node: oracle/step_exchange.c */

	bool weights_inside; /* experts weight what they make themselves, so that backward need not keep it */
	bool permute_fusion; /* tokens are sorted by expert, and summed again, by one kernel each */
	enum paradl_dispatcher dispatcher; /* default where the plan leaves it open */

	/* pipeline */
	enum paradl_pipeline_schedule schedule; /* default where the plan leaves it open */
	double micro_samples;  /* samples of a micro-batch by default; 0: as below. usual_micro_batches() */
	double micro_batches;  /* number by default; 0: as many as stages */
	bool stage_staged;     /* tensors between stages go through host memory, too */
	double stage_blocking; /* share of a stage message that keeps its sender busy */
	double stage_start_s;  /* start of a stage message */
	bool scatter_gather;   /* stage messages are cut over the tensor axis and gathered after */
	bool balanced;         /* stages by cost instead of by number of blocks */
	enum paradl_recompute recompute; /* default where the plan leaves it open */
	bool recompute_stages; /* pipelines recompute whole stages, of all micro-batches but the last */
	double selective_share; /* share of a block's products and passes, without scores, that "selective" repeats */

	/* update and memory */
	double step_s;           /* host time of an optimizer step */
	double step_bytes;       /* bytes moved for each weight owned, on top of the optimizer's */
	double workspace_bytes;  /* scratch memory of kernels */
	double context_bytes;    /* memory of the runtime and its libraries, outside of the allocator */
	double gradient_buffers; /* extra copies of the gradients: buffers of the exchange, sums in 32 bits */
	double gradient_sum_bytes; /* bytes of one weight's sum, where bf16 gradients are added up apart in fp32 */
	double communicator_bytes; /* memory for each group a device is in */
	double fragmentation;      /* allocator: share on top of tensors that come and go */
	double logits_bytes;       /* bytes for each logit, at the loss */
	double step_memory_bytes; /* bytes for each weight that a device updates, while it does: copies, temporaries */
	bool stage_outputs; /* outputs that a stage has sent stay until their micro-batch's backward */
	/*
	 * Every layer of images has an output of its own, and all of them stay until the backward is over. So do the
	 * arrays of spatial pieces with their halos, and the whole sample.
	 */
	bool keeps_outputs;
	bool even_heads; /* devices of the tensor axis have equally many heads, or the program refuses */

	/* input: the feeding of its steps, input/ */
	double loader_epoch_s; /* time from the start of an epoch to its first batch: processes that begin anew */
	double loader_variation; /* deviation / mean of that time among workers */
	bool decodes_on_device; /* devices decode JPEG images, in time that is part of their kernels' (passes) */
	double loader_step_s; /* time of the training process to take over a batch from those that load */
	/*
	 * Samples that change hands: time for each iteration and for each message of up to exchange_bytes, the rate
	 * at which those of a bundle are stored, and whether a bundle is on its way behind compute.
	 */
	double exchange_step_s, exchange_message_s, exchange_bytes, exchange_store_bytes_per_s;
	bool exchange_hidden;

	/* serving: how an engine answers prompts, oracle/serving.c */
	double serve_prompt_s;   /* time of each prompt on top of the device's: from the client and back */
	double serve_sequence_s; /* time of the host for each sequence of a step, for which the device waits */
	double serve_chunk;      /* most tokens of prompts in one step */
	bool serve_mixes;        /* a step has prompts beside tokens; else prompts go first, alone */
	bool serve_reserves;     /* room for a whole answer is kept from the start */
	bool serve_narrow_cache; /* keys and values have 8 bits where weights have 8 or 4 */
	double serve_memory;     /* share of the device's memory that it uses */
	double serve_fusion; /* share of the starts of passes and casts that it fuses with other kernels */
	double serve_experts_s; /* time of a layer of experts in a step: choosing, sorting, what follows on the host */
	double serve_reduce_s; /* start of its own allreduce inside a node; 0: it has none */
	double serve_balance; /* most steps that a prompt waits until others that share experts have one, too */

	/* Rules that follow from the kind, not from a file (oracle/create.c). */
	bool ideal; /* peak rates, even shares, rings at nominal rates */
	enum host_rule host;
	bool links_queue; /* messages of a link follow one another; else the sender is blocked for a share of each */
	bool library_starts; /* calls pay the library's start and ramp of the device profile */
	/*
	 * Exchange, update and waiting each take their maximum over devices, and gradients hide behind a share of all
	 * backward work. Else their sum is that of one device, and gradients hide behind its last backward.
	 */
	bool own_maxima;
	bool moments;      /* memory is counted at several moments of a step; else at the end of forward */
	bool frees_early;  /* backward frees what it has read, layer by layer; else when it is done */
	bool holds_inputs; /* a stage holds its inputs, too, not only what its layers make */
};

enum { FRAMEWORK_OPTIONS = 16 };

/* The options in use, in the order in which they are laid over a file. */
struct framework_choice {
	const char *names[FRAMEWORK_OPTIONS];
	unsigned count;
	const char *suffix;       /* "+on+no-off": options that differ from the default */
	const char *const *known; /* all options that there are */
	unsigned known_count;
	const char *list; /* known as text, "a, b" */
	bool unchecked; /* differs from the default by more than options that say what they were compared with */
};

enum { CHECKED_MAX = 32 };

/* Measured runs that the profile was compared with; 0 and none: not said. */
struct framework_checked {
	bool said;
	double gpus, tokens;               /* the most in those runs */
	const char *devices[CHECKED_MAX];  /* names of devices */
	unsigned device_count, precisions; /* precisions: set of 1u << enum paradl_precision */
};

/* Options of plans that the program has; sets of 1u << value. */
struct framework_offers {
	unsigned axes, schedules, recomputes, contexts, dispatchers;
	unsigned zero, zero_with_pipeline; /* sets of levels */
	unsigned offload;                  /* set of enum paradl_offload */
	bool shard, sequence, expert_tensor;
};

struct place;

struct paradl_framework {
	/*
	 * name: with the options that are not the default, "nemo-2024+flash"; source: the path with the options that
	 * were asked for
	 */
	const char *name, *path, *source, *summary;
	const char *family; /* the profile that programs like it extend; NULL: none */
	const char *
		steps; /* as paradl-measure-step-torch names it, with its options; NULL: it does not run it */
	struct framework_choice choice;
	double known_error,
		known_error_experts; /* error for networks without and with experts; the second 0: not apart */
	double known_error_first;    /* serving: error of the time to the first token */
	bool serves;                 /* it trains nothing: known_error and checked are of serving */
	struct framework_checked checked;
	struct framework_offers offers;

	/* split: layer classes (index as in the model) that an axis cuts; the others run replicated. */
	bool splits[PARADL_AXIS_COUNT][FRAMEWORK_CLASSES];

	/* Collectives that it uses, by name; network/algorithm/collective.h. None: rings. */
	const char *algorithms[ALGORITHMS_MAX];
	unsigned algorithm_count;
	bool any_algorithm;   /* all that the machine's library has */
	bool measured_curves; /* its library is the one that machines' measured curves are of */

	struct rules rules[RULES_KINDS];

	struct input_quirk inputs[QUIRKS_MAX];
	unsigned input_count;
	/*
	 * Poolings of spatial pieces: those of these kinds (bits: 1 max, 2 avg) whose windows tile the rows are
	 * padded with a row on both sides. Without pool_messages the others exchange no rows, not even where windows
	 * overlap.
	 */
	unsigned padded_pools;
	bool pool_messages;
	unsigned
		unsynchronised; /* axes (bits) whose timers begin before the device is done: only totals are measured */

	const char *const *assumed; /* paths of numbers whose origin is "assumed": "rules/loader_epoch" */
	unsigned assumed_count;
	const char *chunk_origin; /* origin of rule serve_chunk; NULL: no file says it, or where it is from */
	const char *const *assumptions;
	unsigned assumption_count;
	unsigned outdated; /* number of keys in the spelling of the last release: framework_outdated.c */
};

/* Sets the rules of a program without costs of its own; rules_read lays "rules" of a file over them. */
void rules_default(struct rules rules[RULES_KINDS]);
bool rules_read(const struct json *node, struct rules rules[RULES_KINDS], struct paradl_error *error);
bool segments_read(const struct json *node, struct rules *rules, struct paradl_error *error);
bool blocking_read(const struct json *node, struct rules *rules, struct paradl_error *error);
/* Reads one value of the rule `key`. */
bool rule_value_read(
	const struct json *node, const char *key, struct rules *rules, struct paradl_error *error);
/* Returns the field of a rule that is a number or flag; NULL: no rule is called so, or its value is another. */
const struct json_field *rule_field(const char *key);
/* Finds the number "host_layer.tokens", or "host_layer" of all kinds; false where no rule has that name. */
bool rules_place(const char *key, struct place *place);
/*
 * Returns the name of a rule that `node` (may be NULL) leaves to its default, the index-th such; NULL: beyond the
 * last.
 */
const char *rule_unstated(const struct json *node, size_t index);

/* Returns whether the device is one of those that the profile was compared on. */
bool framework_checked_names(const struct framework_checked *checked, const char *device);
bool framework_checked_read(
	const struct json *node, struct framework_checked *checked, struct paradl_error *error);

/*
 * Adds the numbers that a file assumes, with changes, and drops those for which it has another origin than what it
 * extends; takes the origin of serve_chunk.
 */
bool framework_origins_read(const struct json *root, const struct json *changed, struct paradl_arena *arena,
	struct paradl_framework *framework, struct paradl_error *error);

void framework_offers_default(struct framework_offers *offers); /* Offers everything. */
bool framework_offers_read(
	const struct json *node, struct framework_offers *offers, struct paradl_error *error);
/*
 * Returns whether the program has all that the plan asks for. False: text is the first that it lacks, "zero=2 with
 * pipelines".
 */
bool framework_offers_plan(
	const struct paradl_framework *framework, const struct paradl_plan *plan, char *text, size_t size);

extern const char *const framework_axis_names[PARADL_AXIS_COUNT];
/* Names of dispatchers, in the order of enum paradl_dispatcher, without its default. */
enum { FRAMEWORK_DISPATCHERS = PARADL_DISPATCHER_COUNT - 1 };
extern const char *const framework_dispatcher_names[FRAMEWORK_DISPATCHERS];
bool framework_name_read(
	const struct json *node, const char *const *names, int count, int *index, struct paradl_error *error);

/*
 * Sections of the last release ("execution", "training" ...), which are read as the rules that they mean.
 * outdated_read counts their keys; outdated_check adds a finding for each that says what to write instead.
 */
extern const char *const outdated_sections[];
bool outdated_read(const struct json *root, struct paradl_framework *framework, struct paradl_error *error);
/* Returns the rule that "training.host_layer" means; NULL: the last release had no such key. */
const char *outdated_rule(const char *key);
bool outdated_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * Returns the file of "DIRECTORY/NAME.json+OPTION+no-OPTION". *wanted: what follows the first "+". NULL: out of
 * memory.
 */
const char *framework_file(struct paradl_arena *arena, const char *path, const char **wanted);
/*
 * Chooses the options in use. roots: a file and what it extends, the nearest first. False: an option that none of
 * them has.
 */
bool framework_choose(struct paradl_arena *arena, const struct json *const *roots, unsigned count,
	const char *wanted, struct framework_choice *choice, struct paradl_error *error);
/* Appends the options in use that are not the default to the framework's names. False: out of memory. */
bool framework_rename(
	struct paradl_arena *arena, struct paradl_framework *framework, struct paradl_error *error);
bool framework_uses(const struct framework_choice *choice, const char *name);
/* Returns a file with its options in use laid over it; NULL: out of memory. */
const struct json *framework_overlay(struct paradl_arena *arena, const struct json *root,
	const struct framework_choice *choice, struct paradl_error *error);
/* Returns whether every option of the file has only members that an option may have; false with an error. */
bool framework_options_read(const struct json *root, struct paradl_error *error);

/* Reads the parts of a framework file that are lists of names: split tables, quirks. */
bool framework_lists_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error);

/* Turns "data+filter" into 1 << DATA | 1 << FILTER; false on an unknown name. */
bool axes_parse(const char *text, unsigned *axes);

#endif

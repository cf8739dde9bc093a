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

enum { SEGMENTS_MAX = 4, QUIRKS_MAX = 8, FRAMEWORK_CLASSES = 24, ALGORITHMS_MAX = 32 };

/* Messages of up to upto_bytes take latency_s + bytes / bytes_per_s; the last segment has no end. */
struct message_segment {
	double upto_bytes, latency_s, bytes_per_s;
};

struct input_quirk { /* programs of these families fed images of another size than the model's */
	bool families[1 << PARADL_AXIS_COUNT]; /* by set of axes */
	unsigned extent[3];
};

/* Networks that a program runs by rules of their own. */
enum rules_kind { RULES_IMAGES, RULES_TOKENS, RULES_KINDS };

/* How tensors of images lie: channels last, before extents, or last in 16-bit formats only, which need it most. */
enum image_layout { LAYOUT_NHWC, LAYOUT_NCHW, LAYOUT_NHWC_16 };

/* How the host's time and the device's come together. */
enum host_rule {
	HOST_NONE,
	HOST_STRETCHES,  /* kernels of a stage take as long as the host's calls, where those take longer */
	HOST_RUNS_AHEAD, /* of each pass (device^q + host^q)^(1/q) */
	HOST_BLOCKS      /* launches block: a share of the host's time adds to the device's */
};

/*
 * What a training program does with networks of one kind ("rules" of a file): the rules by which pricing, schedule,
 * exchange and memory work. One path goes through them; networks of images, networks of tokens and the ideal model of
 * ParaDL's Table III differ in their rules only.
 */
struct rules {
	/* kernels */
	double passes; /* memory-bound passes as made / one kernel for each layer and pass */
	enum image_layout layout;
	/* Of convolutions in fp32, in place of the device's numbers; 0: those. */
	double convolution_sustained, convolution_winograd;
	double convolution_passes; /* memory traffic of convolutions / that of one alone: less where others are fused with it */
	/* At least so long a multiprocessor works on an item that a pass of these kernels reads or writes. */
	double pool_item_s, concat_item_s, norm_item_s;
	double norm_channels; /* a batch norm keeps a multiprocessor busy with so many channels, and fewer less */
	double sustained; /* rate of products and attention in a step / alone: what power and clocks leave */
	unsigned
		vocabulary_multiple; /* what it pads the scores of a vocabulary to, on each device; 1: it does not */
	double attention;            /* rate of its fused attention kernel / the device's */
	bool portable_attention; /* its fused attention is the portable one, not the vendor's */
	bool flash;              /* fused attention unless the model says no */
	double score_bytes; /* moved for each attention score forward when attention is not fused; backward 1.2 x */
	double accumulate_bytes; /* moved for each weight of a product when a micro-batch's gradient is added to the sum */
	double filter_passes, channel_passes, spatial_passes; /* extra copies of a split layer's tensors */
	double piece_s;                                       /* per gathered piece and layer (filter) */
	bool filter_backward_partial; /* the program sums the pieces first and reduces |y|/p: wrong but measured */

	/* host */
	double host_layer_s;       /* of one layer's calls, forward and backward */
	double host_moe_layer_s;   /* more for a layer with experts, forward */
	double host_collective_s;  /* of each collective call in a stage */
	double host_micro_batch_s; /* of a micro-batch and pass */
	double host_sharpness;     /* q */
	double host_exposed; /* above 0: launches block, so much of the host's time adds to the device's */
	double layer_sync_s; /* exposed host time of a layer that ends in a blocking call */
	bool blocking[PARADL_AXIS_COUNT]; /* layers cut by this axis end in a blocking call */
	bool graphs; /* kernels are launched as graphs: no host time but host_moe_layer_s, no launch floor */

	/* exchanges */
	unsigned gradient_rings, activation_rings;
	double collective_call_s;       /* per library call with its synchronisation, layer by layer */
	double gradient_bytes;          /* of one weight's gradient on its way; 0: as it is computed with */
	double gradient_passes;         /* copies of the gradient buffer: pack, scale, unpack are 2 each */
	double gradient_tensor_s;       /* per gradient tensor */
	double gradient_tensor_split_s; /* more in groups that are not the whole world */
	bool keeps_gathered; /* zero 3 in a pipeline: weights stay whole, and gradients, from the first micro-batch to the last */
	/* Of one gradient message, and at least so much for each replica; both 0: all in one. */
	double bucket_bytes, bucket_replica_bytes;
	bool spatial_leader; /* with spatial pieces: reduce inside, ring of leaders, broadcast */
	/* Shares hidden behind compute: gradients (behind backward), parameter gathers, gathers of sharded weights (zero 3),
	 * tensor collectives, all-to-alls of experts, context exchanges. */
	double overlap_gradients, overlap_gathers, overlap_shards, overlap_tensor, overlap_experts,
		overlap_context;
	double interference; /* of hidden traffic of sharded weights that slows compute down */
	bool staged; /* halos and gathers go through host memory, by the segments below; else device links */
	bool halo_chain; /* 2(s-1) messages one after the other instead of both neighbours at once */
	struct message_segment segments[SEGMENTS_MAX];
	unsigned segment_count;
	double jitter_s, jitter_growth; /* waiting for the slowest node: oracle/step_exchange.c */

	bool permute_fusion; /* tokens are sorted by expert, and summed again, by one kernel each */
	enum paradl_dispatcher dispatcher; /* where the plan leaves it open */

	/* pipeline */
	enum paradl_pipeline_schedule schedule; /* where the plan leaves it open */
	double micro_samples;  /* of a micro-batch, by default; 0: as below. usual_micro_batches() */
	double micro_batches;  /* by default; 0: as many as stages */
	bool stage_staged;     /* tensors between stages go through host memory, too */
	double stage_blocking; /* share of a stage message that keeps its sender busy */
	double stage_start_s;  /* start of a stage message */
	bool scatter_gather;   /* stage messages are cut over the tensor axis and gathered after */
	bool balanced;         /* stages by cost instead of by number of blocks */
	enum paradl_recompute recompute; /* where the plan leaves it open */
	bool recompute_stages; /* pipelines recompute whole stages, of all micro-batches but the last */
	double selective_share; /* of a block's products and passes that selective recomputation repeats, besides scores */

	/* update and memory */
	double step_s;          /* host time of an optimizer step */
	double step_bytes;      /* moved for each weight owned, besides what the optimizer says */
	double workspace_bytes; /* kernels' scratch */
	double context_bytes;   /* of the runtime and its libraries, outside of the allocator */
	double gradient_buffers; /* copies of the gradients besides: what the exchange packs into, sums in 32 bits */
	double gradient_sum_bytes; /* of one weight, where bf16 gradients are added up apart in fp32 */
	double communicator_bytes; /* for each group a device is in */
	double fragmentation;      /* allocator: share on top of tensors that come and go */
	double logits_bytes;       /* for each logit, at the loss */
	double step_memory_bytes; /* for each weight that a device updates, while it does: copies, temporaries */
	bool stage_outputs;       /* what a stage has sent stays until its micro-batch's backward */
	/* Every layer of images has an output of its own, and all of them stay until the backward is over; of spatial pieces so do the
	 * arrays with their halos, and the whole sample. */
	bool keeps_outputs;
	bool even_heads; /* each device of the tensor axis has as many heads of attention as others, or the program refuses */

	/* input: what feeds its steps, input/ */
	double loader_epoch_s; /* from the start of an epoch to its first batch: processes that begin anew */
	double loader_variation; /* of that among workers: deviation / mean */
	double loader_step_s;    /* of the training process: a batch taken over from those that load */
	/* Samples that change hands: once for each iteration; for each message of up to exchange_bytes; the rate at which those of a
	 * bundle are stored; and whether a bundle is on its way behind compute. */
	double exchange_step_s, exchange_message_s, exchange_bytes, exchange_store_bytes_per_s;
	bool exchange_hidden;

	/* serving: how an engine answers prompts, oracle/serving.c */
	double serve_prompt_s;   /* of each prompt besides the device's: from the client and back */
	double serve_sequence_s; /* of the host for each sequence of a step, that the device waits for */
	double serve_chunk;      /* tokens of prompts in one step at most */
	bool serve_mixes;        /* a step has prompts beside tokens; else prompts go first, alone */
	bool serve_reserves;     /* room for a whole answer is kept from the start */
	bool serve_narrow_cache; /* keys and values have 8 bit where weights have 8 or 4 */
	double serve_memory;     /* share of the memory that it uses */
	double serve_fusion; /* share of the starts of passes and casts that it fuses with other kernels */
	double serve_experts_s; /* of each layer of experts and step: choosing, sorting and what follows on the host */
	double serve_reduce_s; /* start of its own allreduce inside a node; 0: it has none */

	/* What follows from the kind, not from a file (oracle/create.c). */
	bool ideal; /* peak rates, even shares, rings at nominal rates */
	enum host_rule host;
	bool links_queue; /* messages of a link follow one another; else the sender is blocked for a share of each */
	bool library_starts; /* calls pay the library's start and ramp of the device profile */
	/* Exchange, update and waiting each take their maximum over devices, and gradients hide behind a share of all backward
	 * work; else their sum is of one device, and gradients hide behind its last backward. */
	bool own_maxima;
	bool moments;      /* memory is counted at several moments of a step; else at the end of forward */
	bool frees_early;  /* backward frees what it has read, layer by layer; else when it is done */
	bool holds_inputs; /* a stage holds what enters it besides what its layers make */
};

enum { FRAMEWORK_OPTIONS = 16 };

/* The options in use, in the order in which they are laid over a file. */
struct framework_choice {
	const char *names[FRAMEWORK_OPTIONS];
	unsigned count;
	const char *suffix;       /* "+on+no-off": what differs from the default */
	const char *const *known; /* all that there are */
	unsigned known_count;
	const char *list; /* the same, "a, b" */
	bool unchecked; /* differs from the default by more than options that say what they were compared with */
};

enum { CHECKED_MAX = 32 };

/* What measured runs the profile was compared with; 0 and none: not said. */
struct framework_checked {
	bool said;
	double gpus, tokens;               /* at most */
	const char *devices[CHECKED_MAX];  /* by name */
	unsigned device_count, precisions; /* precisions: set of 1u << enum paradl_precision */
};

/* What the program has of the options of plans; sets of 1u << value. */
struct framework_offers {
	unsigned axes, schedules, recomputes, contexts, dispatchers;
	unsigned zero, zero_with_pipeline; /* levels */
	unsigned offload;                  /* enum paradl_offload */
	bool shard, sequence, expert_tensor;
};

struct place;

struct paradl_framework {
	/* name: with the options that are not the default, "nemo-2024+flash"; source: the path with what was asked for */
	const char *name, *path, *source, *summary;
	const char *family; /* the profile that programs like it extend; NULL: none */
	struct framework_choice choice;
	double known_error,
		known_error_experts; /* of networks without and with experts; the second 0: not apart */
	double known_error_first;    /* serving: of the time to the first token */
	bool serves; /* networks that are trained: known_error and checked are of serving, and it trains none */
	struct framework_checked checked;
	struct framework_offers offers;

	/* split: layer classes (index as in the model) that an axis cuts; the others run replicated. */
	bool splits[PARADL_AXIS_COUNT][FRAMEWORK_CLASSES];

	/* Collectives that it uses, by name; network/collective.h. None: rings. */
	const char *algorithms[ALGORITHMS_MAX];
	unsigned algorithm_count;
	bool any_algorithm;   /* that the machine's library has */
	bool measured_curves; /* its library is the one that machines' measured curves are of */

	struct rules rules[RULES_KINDS];

	struct input_quirk inputs[QUIRKS_MAX];
	unsigned input_count;
	/* Poolings of spatial pieces: those of these kinds (bits: 1 max, 2 avg) whose windows tile the rows are padded
	 * with a row on both sides; without pool_messages the others exchange none, not even where windows overlap. */
	unsigned padded_pools;
	bool pool_messages;
	unsigned
		unsynchronised; /* axes (bits) whose timers begin before the device is done: only totals were measured */

	const char *const *assumed; /* "rules/loader_epoch": numbers whose origin is "assumed" */
	unsigned assumed_count;
	const char *const *assumptions;
	unsigned assumption_count;
	unsigned outdated; /* keys in the spelling of the last release: framework_outdated.c */
};

/* "rules" of a file, over what is there; the default is a program without costs of its own. */
void rules_default(struct rules rules[RULES_KINDS]);
bool rules_read(const struct json *node, struct rules rules[RULES_KINDS], struct paradl_error *error);
bool segments_read(const struct json *node, struct rules *rules, struct paradl_error *error);
bool blocking_read(const struct json *node, struct rules *rules, struct paradl_error *error);
/* One value, of the rule `key`. */
bool rule_value_read(
	const struct json *node, const char *key, struct rules *rules, struct paradl_error *error);
/* The field of a rule's number or flag; NULL: no rule is called so, or it is no such value. */
const struct json_field *rule_field(const char *key);
/* "host_layer.tokens", or of all kinds "host_layer". */
bool rules_place(const char *key, struct place *place);
/* Names of rules that `node` (may be NULL) leaves to their defaults; NULL where `index` is beyond the last. */
const char *rule_unstated(const struct json *node, size_t index);

/* Says whether the device is one of those that the profile was compared on. */
bool framework_checked_names(const struct framework_checked *checked, const char *device);
bool framework_checked_read(
	const struct json *node, struct framework_checked *checked, struct paradl_error *error);

void framework_offers_default(struct framework_offers *offers); /* everything */
bool framework_offers_read(
	const struct json *node, struct framework_offers *offers, struct paradl_error *error);
/* Has the program all that the plan asks for? False: text is the first that it lacks, "zero=2 with pipelines". */
bool framework_offers_plan(
	const struct paradl_framework *framework, const struct paradl_plan *plan, char *text, size_t size);

extern const char *const framework_axis_names[PARADL_AXIS_COUNT];
/* In the order of enum paradl_dispatcher, without its default. */
enum { FRAMEWORK_DISPATCHERS = PARADL_DISPATCHER_COUNT - 1 };
extern const char *const framework_dispatcher_names[FRAMEWORK_DISPATCHERS];
bool framework_name_read(
	const struct json *node, const char *const *names, int count, int *index, struct paradl_error *error);

/*
 * Sections of the last release ("execution", "training" ...), as the rules that they mean. Counts their keys; a finding for
 * each says what to write instead.
 */
extern const char *const outdated_sections[];
bool outdated_read(const struct json *root, struct paradl_framework *framework, struct paradl_error *error);
/* The rule that "training.host_layer" means; NULL: the last release had no such key. */
const char *outdated_rule(const char *key);
bool outdated_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/* The file of "DIRECTORY/NAME.json+OPTION+no-OPTION", and what follows the first "+"; NULL: out of memory. */
const char *framework_file(struct paradl_arena *arena, const char *path, const char **wanted);
/* roots: a file and what it extends, the nearest first. False: an option that none of them has. */
bool framework_choose(struct paradl_arena *arena, const struct json *const *roots, unsigned count,
	const char *wanted, struct framework_choice *choice, struct paradl_error *error);
bool framework_uses(const struct framework_choice *choice, const char *name);
/* A file as its options in use have it. */
const struct json *framework_overlay(struct paradl_arena *arena, const struct json *root,
	const struct framework_choice *choice, struct paradl_error *error);
/* Has every option of the file members that an option may have? */
bool framework_options_read(const struct json *root, struct paradl_error *error);

/* The parts of a framework file that are lists of names: split tables, quirks. */
bool framework_lists_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error);

/* "data+filter" -> 1 << DATA | 1 << FILTER; false on an unknown name. */
bool axes_parse(const char *text, unsigned *axes);

#endif

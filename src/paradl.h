/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libparadl: how long one training step takes, what memory it needs and what limits it, for a
 * network, a machine and a way to decompose the work. This header is the whole public API.
 *
 * A program loads a model and a machine once, makes an oracle of them, and asks it about plans:
 *
 *     struct paradl_arena *arena = paradl_arena_create();
 *     struct paradl_error error = {0};
 *     const struct paradl_model *model = paradl_model_load(
 *             arena, &(struct paradl_source){.path = "models/resnet50.json"}, &error);
 *     const struct paradl_machine *machine = paradl_machine_load(
 *             arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
 *     const struct paradl_options options = {0};
 *     struct paradl_oracle *oracle = paradl_oracle_create(arena, model, machine, NULL, &options, &error);
 *     struct paradl_plan plan;
 *     struct paradl_estimate estimate;
 *     if (paradl_plan_parse("data=16,spatial=4", &plan, &error) && (plan.batch = 1024) &&
 *         paradl_estimate(oracle, &plan, &estimate, &error))
 *             ... estimate.iteration_s ...
 *     paradl_arena_free(arena);
 *
 * Ownership: everything lives in the arena it was made in and dies with it; nothing is freed singly.
 * Errors: a function that can fail returns false or NULL and has filled *error; nothing is printed.
 * Threads: models, machines and frameworks are immutable and may be shared; an oracle is cheap and
 * belongs to one thread. There is no global state.
 * Numbers: SI units, named in every field (_s _bytes _flop ...). No field is ever NaN or infinite.
 */
#ifndef PARADL_H
#define PARADL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PARADL_API __attribute__((visibility("default")))
#else
#define PARADL_API
#endif

/* ---- errors ------------------------------------------------------------------------------- */

enum paradl_status {
	PARADL_OK,
	PARADL_NO_MEMORY,
	PARADL_IO,         /* a file cannot be read or written */
	PARADL_SYNTAX,     /* a file is not what its format says: bad JSON, bad CSV */
	PARADL_SCHEMA,     /* well-formed, but says something impossible or unknown */
	PARADL_USAGE,      /* an argument of the caller is wrong: a plan's text, a GPU count */
	PARADL_INFEASIBLE, /* the question is fine and the answer is "it cannot be done" */
	PARADL_NO_TOOL     /* a program this needs (gnuplot) is missing or failed */
};

struct paradl_error {
	enum paradl_status status;
	int line, column;  /* 1-based; 0 when the error is not at a place in a file */
	char path[512];    /* "" when there is no file */
	char pointer[256]; /* JSON pointer (RFC 6901); "" is the whole document */
	char message[512];
	char hint[256]; /* what to do about it; "" when the message says it all */
};

/* Writes "path:line:col: /pointer: message" (the parts there are; not the hint); returns what snprintf returns. */
PARADL_API int paradl_error_format(const struct paradl_error *error, char *text, size_t size);

/* ---- memory ------------------------------------------------------------------------------- */

struct paradl_arena;

PARADL_API struct paradl_arena *paradl_arena_create(void);     /* NULL when out of memory */
PARADL_API void paradl_arena_free(struct paradl_arena *arena); /* NULL is fine */

/* ---- inputs ------------------------------------------------------------------------------- */

struct paradl_model;     /* a network: its layers and their shapes */
struct paradl_machine;   /* devices, links, storage, price */
struct paradl_framework; /* how a training program behaves: what it splits, overlaps, pays per call */

/*
 * Where a document comes from, for all functions that load one; what is left out is NULL or 0.
 *
 *     paradl_machine_load(arena, &(struct paradl_source){.path = "abci", .directories = directories}, &error)
 *     paradl_model_load(arena, &(struct paradl_source){.path = "mine.json", .text = text, .length = length}, &error)
 *
 * There is one struct, so that whatever one kind of document can come from, the others can, too; but a function for each kind,
 * so that the result has its type and compilers see what is mixed up. What a document cannot be read without, such as the model of
 * a plan for each layer, is an argument of its own.
 */
struct paradl_changes;
struct paradl_source {
	const char *path; /* a file, "-" for standard input, or a name that is looked up in `directories` */
	/* The document itself, which then becomes the file `path` of the arena: see paradl_file_give. */
	const char *text;
	size_t length; /* of it, in bytes */
	/* With models/, datasets/ and hw-profiles/ in them; NULL-terminated, kept by machines. NULL: `path` is a path. */
	const char *const *directories;
	/* Of models, of machines with their devices and default frameworks, of frameworks: each takes those of its own keys. */
	const struct paradl_changes *changes;
};

/*
 * Gives a text a path, as sources with a text do: whatever is loaded into this arena, or one within it, reads the text where it is
 * asked for that path, the last one if there are several. It serves what only other documents name: "devices/mine.json" beside a
 * machine, a table to validate. Both are copied. False: out of memory.
 */
PARADL_API bool paradl_file_give(
	struct paradl_arena *arena, const char *path, const char *text, size_t length);

/* A question as JSON: a command with its options as members. See paradl-ask(1). */
struct paradl_question {
	const char *text;
	size_t length;
	const char *const
		*directories; /* where models/, hw-profiles/ ... are: NULL-terminated; NULL: nowhere */
	unsigned threads;     /* 0: as many as there are processors */
};
/*
 * Returns the document that the command prints with --json, `length` bytes of it, or what "as" asks for, its text, table or picture;
 * or NULL with an error.
 */
PARADL_API const char *paradl_ask(struct paradl_arena *arena, const struct paradl_question *question,
	size_t *length, struct paradl_error *error);

/* Returns the JSON Schema of the document that a command answers with ("advise"), or NULL with an error: all its quantities. */
PARADL_API const char *paradl_schema(
	struct paradl_arena *arena, const char *command, struct paradl_error *error);

/* A path, or the name of a shipped file looked up in `directories` (NULL-terminated; may be NULL); of a framework with options:
 * "NAME+OPTION". */
PARADL_API const char *paradl_find(struct paradl_arena *arena, const char *name, const char *kind,
	const char *const *directories, struct paradl_error *error);

/* Of a paradl-model(5) file, or of any format that paradl_import knows; see imported of paradl_model_info. */
PARADL_API const struct paradl_model *paradl_model_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);
/* The same network with another data set, paradl-dataset(5). NULL, too, if it is not for such a network. */
PARADL_API const struct paradl_model *paradl_model_with_dataset(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_source *source, struct paradl_error *error);
/* Could samples of a model's data set be its input? False: text says what is different. */
PARADL_API bool paradl_dataset_fits(const struct paradl_model *model, char *text, size_t size);
/* Has its classifier as many outputs as there are classes, or one more? True, too, where one of them is not known. */
PARADL_API bool paradl_dataset_classes_fit(const struct paradl_model *model, char *text, size_t size);

/* What a file of a data set says; numbers that it does not say are 0, texts NULL. */
struct paradl_dataset_info {
	const char *name, *path;
	double samples, sample_bytes; /* or */
	double tokens, token_bytes;
	double bytes;              /* of all */
	double validation_samples; /* besides */
	double files, decoded_bytes, preparation_s, classes;
	const char *layout, *encoding;
};
PARADL_API bool paradl_dataset_load(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_dataset_info *info, struct paradl_error *error);

/*
 * Files as if they said something else: "hw.levels.1.bandwidth=25 GB/s", "device.peak.*=x1.2", "framework.passes=-10%",
 * "model.dims.seq=8192". A file and its keys, "*" for all members; "x" and a factor or a signed percentage multiplies,
 * anything else replaces, or adds a member. PARADL_USAGE where it means nothing; loading fails so, too, where the file has
 * nothing that a change names.
 */
PARADL_API const struct paradl_changes *paradl_changes_parse(
	struct paradl_arena *arena, const char *const *texts, size_t count, struct paradl_error *error);

/*
 * Devices are looked up beside the profile, DIR/devices/NAME.json, and frameworks in DIR/frameworks/; then in
 * DIRECTORY/hw-profiles/ of each of the source's directories.
 */
PARADL_API const struct paradl_machine *paradl_machine_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);
PARADL_API const struct paradl_framework *paradl_framework_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);

enum paradl_precision {
	PARADL_FP32,
	PARADL_TF32,
	PARADL_FP16,
	PARADL_BF16,
	PARADL_FP16_MIXED,
	PARADL_BF16_MIXED,
	PARADL_FP8_MIXED,   /* one scale for each tensor */
	PARADL_MXFP8_MIXED, /* one scale for each block of 32 items */
	PARADL_FP4_MIXED,
	PARADL_PRECISION_COUNT
};
PARADL_API const char *paradl_precision_name(enum paradl_precision precision);

/* Of a transformer, as programs that train them ask for; all 0 of other networks. */
struct paradl_dimensions {
	double blocks;              /* as pipelines are cut */
	double hidden, tokens;      /* width; of one sample */
	double heads, kv_heads;     /* of attention, of its keys and values */
	double experts, top_k;      /* of the first layer that has experts; 0: none does */
	double head_dim, value_dim; /* of a head: its queries and keys, its values */
	double query_rank, key_rank,
		rotary_dim;                /* of latent attention; 0: it is not, or queries have no latent */
	double feed_forward;               /* between the two products of a block; 0: all have experts */
	double expert_width, shared_width; /* the same of an expert, of the one that all tokens take */
	double dense_blocks;               /* before the first with experts */
	double vocabulary, positions;      /* rows of the embedding, of learnt positions */
	const char *activation, *norm;     /* "silu", "rms"; NULL: there is none */
	bool gated, tied, bias, qkv_bias, qk_norm, shared_gate, router_bias;
	double parameters;  /* of a decoder that is just this; 0: the network is none */
	const char *beyond; /* what it has besides: "sinks"; NULL: nothing that is known of */
};

struct paradl_model_info {
	const char *name, *path, *dataset;
	double parameters;              /* items of weights, frozen ones included */
	double forward_flop_per_sample; /* multiply and add count as two */
	double samples;                 /* of one epoch; 0 = the model names no data set */
	double sequence;                /* tokens of one sample; 0 = it takes none */
	double batch_per_gpu;           /* training.batch_per_gpu; 0 = not given */
	enum paradl_precision precision;
	const char *optimizer;
	size_t layer_count; /* repeats counted */
	bool generates;     /* takes tokens and has causal attention: inference answers prompts */
	struct paradl_dimensions dimensions;
	const struct paradl_findings *imported; /* what importing it warned of; NULL: a file of our own */
};
PARADL_API struct paradl_model_info paradl_model_info(const struct paradl_model *model);

struct paradl_layer_info {
	const char *name, *type, *kind; /* kind: "max", "batch", ... or "" */
	char x[48], y[48];              /* shapes of one sample: "64x56x56" */
	double weight_items, forward_flop;
	double kept_items; /* activation items of one sample that backward needs */
	size_t distinct;   /* its row of paradl_estimate_layers */
};
PARADL_API struct paradl_layer_info paradl_model_layer(const struct paradl_model *model, size_t index);

/* How a layer computes, for programs that run it. Extents are 1 beyond `dimensions`, which is 0 for vectors. */
struct paradl_layer_shape {
	const char *type, *kind; /* as in struct paradl_layer_info */
	unsigned dimensions, x_channels, y_channels, groups;
	unsigned x[3], y[3];                                /* extents of input and output */
	unsigned kernel[3], stride[3], pad[3], dilation[3]; /* convolutions and poolings; else 0 */
	bool bias, backward_data;                           /* backward_data: the gradient of x is wanted */
	bool tokens;                                        /* works on each token by itself: no extents */
};
PARADL_API struct paradl_layer_shape paradl_model_shape(const struct paradl_model *model, size_t index);

/* A product of a layer of tokens: [tokens x rows] * [rows x columns]. */
struct paradl_layer_product {
	double tokens; /* of one sample; routed: of one sample and expert, on average */
	double rows, columns;
	double count;               /* products of that size: 1, or the experts */
	bool cut_columns, cut_rows; /* by the tensor axis */
};
/* The products of layer `index` in order, numbered from 0; false: there are no more. */
PARADL_API bool paradl_model_product(
	const struct paradl_model *model, size_t index, size_t number, struct paradl_layer_product *product);

struct paradl_machine_info {
	const char *name, *path, *device,
		*framework; /* framework: the default, or one for each kind of work */
	unsigned devices, devices_per_node;
	unsigned devices_per_host; /* a node's links may join several hosts */
	double memory_bytes;
	double node_mtbf_s,
		restart_s; /* mean time between failures of a node, and what one takes until loading begins; 0: not known */
	double price_per_device_hour; /* rent; bought: equipment and staff, without energy. 0: not known */
	bool owned;                   /* bought; else rented, where there is a price */
	bool has_both_prices;         /* hw.price.basis chooses: "rent" or "purchase" */
	const char *currency;
	const char *const *assumed; /* paths of numbers that are assumed, not measured or published */
	unsigned assumed_count;
	const char *const *device_assumed; /* the same of its device's file, "product/wave" */
	unsigned device_assumed_count;
	const struct paradl_findings *imported; /* what importing it warned of; NULL: a file of our own */
	const char *device_tied_to; /* whose numbers stand for what its device does not say; NULL: none */
};
PARADL_API struct paradl_machine_info paradl_machine_info(const struct paradl_machine *machine);
/* The name of the framework profile that a machine runs by default to train `model` or, for inference, to serve it. */
PARADL_API const char *paradl_machine_framework(
	const struct paradl_machine *machine, const struct paradl_model *model, bool inference);

struct paradl_framework_info {
	const char *name, *path, *summary;
	double known_error; /* mean relative error of totals on measured rows that it was not fitted to; 0 = unknown */
	unsigned assumed_count;
	const char *const *assumed; /* "rules/loader_epoch": numbers that are assumed */
	unsigned assumption_count;
	const char *const *assumptions;
	unsigned overlaps;  /* with compute: set of enum paradl_overlap */
	const char *source; /* that loads it again: its path with the options in use, "NAME.json+OPTION" */
	const char *family; /* the profile of programs like it; NULL: none */
	const char *
		options; /* that it has, "a, b": "NAME+OPTION" turns one on, "NAME+no-OPTION" off; "": none */
};
PARADL_API struct paradl_framework_info paradl_framework_info(const struct paradl_framework *framework);

/* ---- plans -------------------------------------------------------------------------------- */

/* In the canonical order of placement, outermost first. */
enum paradl_axis {
	PARADL_DATA,
	PARADL_PIPELINE,
	PARADL_EXPERT,  /* experts are dealt out; to all other layers it is one more data axis */
	PARADL_CONTEXT, /* the sequence of each sample is cut */
	PARADL_TENSOR,  /* Megatron's pairing of filter- and channel-parallel products */
	PARADL_FILTER,
	PARADL_CHANNEL,
	PARADL_SPATIAL,
	PARADL_AXIS_COUNT
};

enum paradl_pipeline_schedule {
	PARADL_SCHEDULE_DEFAULT, /* 1f1b for networks of tokens, else gpipe */
	PARADL_GPIPE,
	PARADL_1F1B,
	PARADL_INTERLEAVED,    /* 1f1b over plan.chunks stages on each device */
	PARADL_ZERO_BUBBLE,    /* gradients of weights apart; memory of 1f1b (ZB-1P, H1) */
	PARADL_ZERO_BUBBLE_2P, /* twice that memory */
	PARADL_ZERO_BUBBLE_V,  /* two stages on each device, there and back */
	PARADL_SCHEDULE_COUNT
};

/* What backward computes again instead of keeping it. */
enum paradl_recompute {
	PARADL_RECOMPUTE_DEFAULT, /* what the framework does: mostly nothing */
	PARADL_RECOMPUTE_NONE,
	PARADL_RECOMPUTE_SELECTIVE, /* the attention scores, unless a fused kernel never stores them */
	PARADL_RECOMPUTE_FULL,      /* whole blocks */
	PARADL_RECOMPUTE_COUNT
};

/* How the context axis brings keys and values together. */
enum paradl_context_way {
	PARADL_CONTEXT_RING,
	PARADL_CONTEXT_GATHER,
	PARADL_CONTEXT_ULYSSES,
	PARADL_CONTEXT_COUNT
};

/* How tokens travel to the devices of their experts and back. */
enum paradl_dispatcher {
	PARADL_DISPATCHER_DEFAULT,    /* what the framework does */
	PARADL_DISPATCHER_ALL_TO_ALL, /* an all-to-all of the library carries a copy for each expert */
	PARADL_DISPATCHER_DEEPEP, /* kernels send one copy to each device, and over the network to each node */
	PARADL_DISPATCHER_HYBRIDEP, /* the same at the full rate of the links, and sorts tokens by expert on the way */
	PARADL_DISPATCHER_COUNT
};

/* What waits in host memory. */
enum paradl_offload {
	PARADL_OFFLOAD_OPTIMIZER = 1,
	PARADL_OFFLOAD_WEIGHTS = 2,
	PARADL_OFFLOAD_ACTIVATIONS = 4
};

/* Traffic that runs beside compute, as far as the framework does that. */
enum paradl_overlap {
	PARADL_OVERLAP_GRADIENTS = 1, /* of replicas: gradients, and gathers of sharded weights */
	PARADL_OVERLAP_TENSOR = 2,
	PARADL_OVERLAP_EXPERTS = 4
};

enum { PARADL_SPLIT_MAX = 64, PARADL_STAGES_MAX = 4096, PARADL_GATHER_TEXT = 64 };

struct paradl_plan {
	unsigned degree[PARADL_AXIS_COUNT]; /* devices along each axis, 1 if unused */
	unsigned spatial[3]; /* pieces per dimension; their product is degree[PARADL_SPATIAL] */
	unsigned char order[PARADL_AXIS_COUNT]; /* a permutation of the axes, outermost first */
	double batch;                           /* global samples per iteration */
	double micro;                           /* samples per micro-batch and replica; 0 = the default */

	/* Options; all zero is the default. */
	enum paradl_pipeline_schedule schedule;
	unsigned chunks; /* stages on each device, of an interleaved schedule */
	unsigned
		zero; /* 1: optimizer states are sharded over the replicas, 2: and gradients, 3: and weights */
	unsigned shard; /* replicas that share one copy with zero (hybrid sharding); 0: all of them */
	enum paradl_recompute recompute;
	unsigned recompute_blocks; /* of each stage, when not all; 0: all */
	bool sequence;             /* what the tensor axis leaves whole is cut along the sequence */
	enum paradl_context_way context;
	bool expert_tensor; /* experts are cut by the tensor axis too; else its devices join the expert axis */
	enum paradl_dispatcher dispatcher;
	unsigned offload;     /* set of enum paradl_offload */
	unsigned apart;       /* set of enum paradl_overlap: what is not to run beside compute */
	unsigned split_count; /* a given split: stages it names; 0: none */
	unsigned short split[PARADL_SPLIT_MAX]; /* blocks of each stage */
	char gather
		[PARADL_GATHER_TEXT]; /* the last layer that spatial pieces go through; "": as far as they can */
};

/* Characters of the longest plan as text, and the end. */
enum { PARADL_PLAN_TEXT = 768 };

/*
 * "data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1": axes outermost first, options in any place; aliases
 * dp pp ep cp tp, letters d p f c s. Leaves batch 0. "serial" is all ones.
 */
PARADL_API bool paradl_plan_parse(const char *text, struct paradl_plan *plan, struct paradl_error *error);
/* The text that parses back; returns what snprintf returns. */
PARADL_API int paradl_plan_format(const struct paradl_plan *plan, char *text, size_t size);
PARADL_API double paradl_plan_devices(const struct paradl_plan *plan);
/* "data+filter": the axes in use, canonical order; "serial" if none. */
PARADL_API int paradl_plan_family(const struct paradl_plan *plan, char *text, size_t size);

/* ---- input: what feeds the devices ---------------------------------------------------------- */

/* Where samples are kept while a network is trained. */
enum paradl_store {
	PARADL_STORE_AUTO,   /* whichever of the others takes least time and has room */
	PARADL_STORE_SHARED, /* on the file system of the whole machine; every epoch reads all from there */
	PARADL_STORE_COPY,   /* each node has all of them on its own disks */
	PARADL_STORE_POOLED, /* each node has a part, and reads the rest from the others */
	PARADL_STORE_SHARD,  /* each node has a part, and reads no other: all shuffles but the global one */
	PARADL_STORE_COUNT
};
PARADL_API const char *paradl_store_name(enum paradl_store store); /* "shared" */

/* From which samples those of a batch are drawn. */
enum paradl_shuffle {
	PARADL_SHUFFLE_GLOBAL, /* all */
	PARADL_SHUFFLE_LOCAL,  /* the worker's own part, the same in every epoch */
	PARADL_SHUFFLE_PARTIAL, /* its part, of which a share changes hands every epoch (Nguyen et al., IPDPS'22) */
	PARADL_SHUFFLE_PAIRWISE, /* the same with one partner for each epoch, in one message for each iteration */
	PARADL_SHUFFLE_MODELS, /* its part, which stays: models go from worker to worker instead, some times in each epoch */
	PARADL_SHUFFLE_COUNT
};
PARADL_API const char *paradl_shuffle_name(enum paradl_shuffle shuffle); /* "global" */

/* What stays of files that were read, in the memory of a node. */
enum paradl_cache {
	PARADL_CACHE_AUTO,   /* page; but none of what a global shuffle reads from a shared file system */
	PARADL_CACHE_PAGE,   /* the page cache of Linux */
	PARADL_CACHE_PINNED, /* what came first stays (MinIO) */
	PARADL_CACHE_LRU,
	PARADL_CACHE_NONE,
	PARADL_CACHE_COUNT
};
PARADL_API const char *paradl_cache_name(enum paradl_cache cache); /* "page" */

/* All zero: what training programs usually do. */
struct paradl_input_options {
	bool off; /* nothing of input is modelled */
	enum paradl_store store;
	enum paradl_shuffle shuffle;
	double exchanged; /* share of a worker's samples, of partial and pairwise */
	double hops;      /* how often in an epoch models go to other workers, of models */
	enum paradl_cache cache;
	double cache_bytes; /* of each node; 0: as the profile says */
	double epochs;      /* over which caches fill; 0: 90 of samples, 1 of tokens */
	double workers;     /* cores that prepare samples, for each device; 0: all that the node has for it */
	double prefetch;    /* batches; 0: so many that only the rates count */
	bool in_turn;       /* reading and preparing waits for compute, and compute for it */
};

/* What input takes time of. */
enum paradl_resource {
	PARADL_RESOURCE_SHARED,    /* rate of the shared file system */
	PARADL_RESOURCE_REQUESTS,  /* its small reads */
	PARADL_RESOURCE_METADATA,  /* its opens */
	PARADL_RESOURCE_CLIENT,    /* what one node reads of it */
	PARADL_RESOURCE_LOCAL,     /* the disks of a node */
	PARADL_RESOURCE_PEERS,     /* a node's network ports */
	PARADL_RESOURCE_MEMORY,    /* the memory of a node */
	PARADL_RESOURCE_CORES,     /* preparation: decode, augment */
	PARADL_RESOURCE_HOST_LINK, /* from host memory to devices */
	PARADL_RESOURCE_EXCHANGE,  /* of samples between workers */
	PARADL_RESOURCE_DEVICES,   /* the step itself: compute and its communication */
	PARADL_RESOURCE_COUNT
};
PARADL_API const char *paradl_resource_name(enum paradl_resource resource); /* "shared" */
PARADL_API const char *paradl_resource_text(enum paradl_resource resource); /* "the shared file system" */

/* How much training without a global shuffle may lose accuracy. A warning by evidence, never a prediction. */
enum paradl_risk { PARADL_RISK_NONE, PARADL_RISK_LOW, PARADL_RISK_MEDIUM, PARADL_RISK_HIGH };
PARADL_API const char *paradl_risk_name(enum paradl_risk risk); /* "low" */

/* What feeding a plan takes. Times are of one iteration unless named otherwise. */
struct paradl_input {
	bool known; /* false: the data set has no sample size, or the machine no storage; `lacking` says */
	const char
		*lacking; /* known: what takes no time here, since the profile says nothing of it; or NULL */
	bool possible;    /* there is room */
	char reason[160]; /* why not */
	enum paradl_store store; /* never AUTO */
	double readers;          /* workers that read samples of their own: replicas */
	double nodes;
	double share_per_reader; /* of the data set, that a worker keeps */
	double stored_bytes_per_node,
		capacity_bytes;                   /* of the disks, or memory, that keep it; 0: not known */
	double cached_share;                      /* of what a node reads, that its memory has */
	double staging_s;                         /* once, before the first epoch */
	double resource_s[PARADL_RESOURCE_COUNT]; /* each for itself, as if all others were free */
	double fetch_s, straggler_s, preparation_s, transfer_s, exchange_s; /* straggler_s: besides fetch_s */
	double busy_s;                                                      /* the step without input */
	double step_s;                                                      /* with it */
	double stall_fetch_s, stall_straggler_s, stall_preparation_s, stall_exchange_s; /* step_s - busy_s */
	double first_epoch_s, epoch_s; /* 0 without a number of samples; first: cold caches */
	double epoch_start_s,
		epoch_late_s; /* in both: until the first batch is there, and what the slowest worker takes more */
	double validation_s; /* after each epoch: samples that are read, prepared and passed forward; in none of the above */
	double utilisation;                 /* busy_s / step_s */
	double bytes_per_s, samples_per_s;  /* that all devices take, were input free */
	enum paradl_resource binding, next; /* largest and second of resource_s */
	enum paradl_risk risk;
	double risk_points; /* percentage points of top-1 accuracy that the rule behind `risk` says */
};

/* ---- the oracle --------------------------------------------------------------------------- */

enum paradl_phase {
	PARADL_FORWARD,
	PARADL_BACKWARD,
	PARADL_RECOMPUTE,
	PARADL_WEIGHT_UPDATE,
	PARADL_GRADIENT_EXCHANGE,
	PARADL_ACTIVATION_EXCHANGE,
	PARADL_HALO_EXCHANGE,
	PARADL_STAGE_TRANSFER,
	PARADL_BUBBLE,
	PARADL_INPUT, /* waiting for samples */
	PARADL_PHASE_COUNT
};
PARADL_API const char *paradl_phase_name(enum paradl_phase phase); /* "gradient_exchange" */

struct paradl_options {
	bool ideal;              /* the paper's assumptions (Table III) instead of the calibrated ones */
	bool events;             /* pipeline schedules event by event, also where a recurrence is as exact */
	bool quiet_network;      /* leave out the waiting that other jobs and stragglers cause */
	bool override_precision; /* then `precision` replaces the model's */
	enum paradl_precision precision;
	const char *optimizer;   /* NULL = the model's */
	const char *layer_times; /* path of measured layer times; NULL = none */
	/* Of the gradient exchange: */
	const char *
		algorithm; /* of allreduce, "ring"; "auto" = any; NULL = what the framework's libraries have */
	const char *compress; /* "none", "fp16", "topk:0.01", "auto" = the fastest of them; NULL = "none" */
	/*
	 * Forward passes only. A plan's batch is then what is answered at the same time: images, or sequences of tokens. Of
	 * those that generate text, each has a prompt of so many tokens and gets so many (0: what fits the model's sequence,
	 * at most 1024 and 128).
	 */
	bool inference;
	double prompt_tokens, output_tokens;
	/* Each of a plan's batch is a client that sends its next request when it has the last answer. requests: of all together, the
	 * first of each at once; 0: they never end. spread: answers are up to this share shorter than output_tokens. */
	double requests, spread;
	/* Instead, requests come at random (Poisson), so many a second for all replicas, whatever is under way; batches of plans mean nothing
	 * then; 0: clients send them. */
	double rate_per_s;
	/* In each step so many tokens of each sequence are guessed and checked, which gives accepted_tokens of it, on average, from 1 to 1 +
	 * speculative_tokens; 0: none. What guessing them costs is not counted. */
	double speculative_tokens, accepted_tokens;
	/* Plan of devices that read prompts for those of plans, which only answer: "data=2,tensor=4"; NULL: none. */
	const char *prefill;
	double cached_prefix; /* share of each prompt whose keys and values are in the cache, of requests before */
	struct paradl_input_options input;
	unsigned
		threads; /* of a search that takes longer than a moment; 0: as many as there are processors */
};

/* Of a promise about requests: their mean, or what 50, 90, or 99 of 100 take at most. */
enum paradl_percentile { PARADL_MEAN, PARADL_P50, PARADL_P90, PARADL_P99, PARADL_PERCENTILE_COUNT };
PARADL_API const char *paradl_percentile_name(enum paradl_percentile percentile); /* "p90" */

/* What answers take at most: as a whole, until their first token, from each to the next; 0: no matter. */
struct paradl_promise {
	double latency_s, first_s, token_s;
	enum paradl_percentile percentile; /* of first_s and token_s */
};

/* What inference takes; estimate.iteration_s is the time until all of the batch have their whole answer. */
struct paradl_inference {
	double prompt_tokens, output_tokens; /* of each sequence; 0: not of tokens; it generates none */
	double prompts_s; /* until its first token, of a request; of what generates none: until all have their answer */
	double token_s; /* from each token to the next: a request's mean, with prompts of others in between */
	double first_error_share; /* of prompts_s, as error_share is of the time of a token; negative: never compared */
	/* Of text: a step without prompts, and how many sequences get a token in one; what reading a prompt adds to the time of all;
	 * how long a request waits for prompts of others, and for memory. */
	double step_s, sequences, prompt_s, wait_s;
	double first_percentile_s[PARADL_PERCENTILE_COUNT], token_percentile_s[PARADL_PERCENTILE_COUNT];
	double under_way;         /* requests, on all replicas */
	double most_per_s;        /* requests that can be answered, if they come by a rate; else 0 */
	const char *prefill;      /* plan of those that read prompts; NULL: there are none */
	unsigned prefill_devices; /* of all, that read prompts for the others; 0: there are none */
	double prefill_share,
		transfer_s;  /* of time they read; until keys and values of a prompt are elsewhere */
	double tokens_per_s; /* generated, of all sequences, prompts included */
	double prompt_tokens_per_s,
		token_flop_share;           /* while prompts are read; of the peak, while tokens are made */
	double cache_bytes_per_token;       /* keys and values of one token in all layers, over all devices */
	double largest_batch;               /* that fits in memory; 0: none does */
	double largest_batch_answers_per_s; /* samples, or whole answers */
	double largest_batch_tokens_per_s;  /* generated */
	double memory_share,
		launch_share; /* of iteration_s: kernels that reading memory, or their launch, bounds */
	double cast_s;        /* of iteration_s: bringing inputs of products to a narrow format */
};

/* Where an estimate leaves what its framework profile was checked on. */
enum paradl_unchecked {
	PARADL_UNCHECKED_FRAMEWORK, /* it was never compared with measured runs */
	PARADL_UNCHECKED_SERVING,   /* neither was serving */
	PARADL_UNCHECKED_DEVICE,
	PARADL_UNCHECKED_KERNELS, /* of such a device were not measured alone: its numbers are another device's, or guessed */
	PARADL_UNCHECKED_DEVICES, /* more of them */
	PARADL_UNCHECKED_SEQUENCE,
	PARADL_UNCHECKED_PRECISION,
	PARADL_UNCHECKED_EXPERTS, /* mixtures of them differ most from program to program */
	PARADL_UNCHECKED_HOST, /* the host, which decides how long it takes, depends on more than a profile says */
	PARADL_UNCHECKED_DISPATCHER, /* of tokens: its kernels were not measured on the device, so links alone count */
	PARADL_UNCHECKED_RECURRENT, /* layers, whose kernels were compared with nothing */
	PARADL_UNCHECKED_OPTIONS,   /* of the framework's profile: other ones were on */
	PARADL_UNCHECKED_COUNT
};
PARADL_API const char *paradl_unchecked_text(enum paradl_unchecked unchecked);
struct paradl_estimate;
/*
 * Returns the share by which another plan for the same question must be slower to count as slower: half of error_share, since plans
 * share most of what is not known; 0: nothing is claimed. Of 7,479 pairs of measured plans, projected by a fit without their set, those
 * further apart are in that order in 95 of 100 cases, nearer ones in 67; with the shipped constants tests/validate/test_llm.c counts.
 */
PARADL_API double paradl_tie_share(const struct paradl_estimate *estimate);

/* When the fullest device holds most. */
enum paradl_moment {
	PARADL_MOMENT_PASS,     /* networks of images: in the backward of the worst layer */
	PARADL_MOMENT_BACKWARD, /* all micro-batches in flight, and the backward of the largest block begins */
	PARADL_MOMENT_LOSS,     /* scores of the vocabulary and their gradients, on the last stage */
	PARADL_MOMENT_STEP,     /* the optimizer's temporary copies */
	PARADL_MOMENT_COUNT
};
PARADL_API const char *paradl_moment_name(enum paradl_moment moment); /* "backward" */

/* Of the fullest device at its peak moment; classes that a network or plan does not have are 0. */
struct paradl_memory {
	double weights_bytes, gradients_bytes, optimizer_bytes;
	double activations_bytes; /* kept from forward to backward, and those of the block whose backward runs */
	double logits_bytes;      /* scores of the vocabulary, their probabilities and gradients */
	double workspace_bytes;     /* scratch of kernels, the optimizer's temporary copies */
	double communication_bytes; /* weights gathered for a while, messages on their way */
	double context_bytes; /* of the runtime, its libraries and communicators: outside of the allocator */
	double fragmentation_bytes; /* that the allocator holds and cannot use */
	unsigned stage;             /* the fullest of a pipeline, from 1; 0: there is only one */
	double in_flight;           /* micro-batches whose activations it holds */
	enum paradl_moment moment;
	double cache_bytes; /* of inference: keys and values */
};

enum paradl_limit_kind { PARADL_LIMITATION, PARADL_BOTTLENECK };

struct paradl_limit {
	enum paradl_phase phase;
	enum paradl_limit_kind kind; /* inherent in the method, or removable (paper, Table V) */
	double share;                /* of the iteration */
	const char *text, *improve;  /* what limits, and what to improve next; constant texts */
};

struct paradl_estimate {
	struct paradl_plan plan; /* as asked for */
	unsigned devices;
	double local_batch;                 /* samples of the fullest replica */
	double micro_batches;               /* per iteration and replica */
	bool uneven;                        /* something did not divide; the fullest PE counts */
	double phase_s[PARADL_PHASE_COUNT]; /* per iteration, on the critical path */
	double compute_s, communication_s, exposed_communication_s;
	double waiting_s;       /* of the communication: for the slowest node */
	double gradient_host_s; /* of the gradient exchange: host time of its tensors, which nothing hides */
	double gradient_waiting_s; /* of waiting_s: in the gradient exchange; the rest in layer-wise calls */
	double iteration_s, iteration_quiet_s, epoch_s; /* epoch_s 0 without a data set */
	/* Reading and preparing the samples of an iteration by itself; what compute does not hide is phase_s[PARADL_INPUT]. */
	double input_s;
	bool input_known; /* false: input is not modelled; paradl_input() says why */
	/* How gradients travel: "allreduce-ring" (among leaders, where there are) or "measured curve", "fp16", messages;
	 * NULL: not at all. */
	const char *gradient_algorithm, *gradient_compression;
	double gradient_messages;
	double gradient_hidden_s; /* of the phase, behind compute */
	double memory_bytes,
		capacity_bytes; /* the fullest PE at its peak moment; memory_bytes: the sum of memory */
	struct paradl_memory memory;
	bool fits;
	double host_share; /* of the devices' time: what their hosts need to launch its kernels, 1 at most */
	/* Nine of ten measured times are within iteration_s times 1 - and 1 + error_share; and what of this plan no
	 * measured run has checked: a set of 1u << enum paradl_unchecked. Ideal: negative and none, since nothing is claimed. */
	double error_share;
	unsigned unchecked;
	double samples_per_s, flop_per_s_per_device, mfu;
	/* Of all devices and what they need, facility included; paradl_power(), paradl_price() have the parts. Negative: the
	 * profile has no power / price; of an epoch also: no data set. */
	double watt, cost_per_hour;
	double energy_joule_per_epoch, cost_per_epoch;
	struct paradl_limit limited_by;
	struct paradl_inference inference; /* all 0: training */
};

struct paradl_oracle;

/* framework NULL: the machine's default one. */
PARADL_API struct paradl_oracle *paradl_oracle_create(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine,
	const struct paradl_framework *framework, const struct paradl_options *options,
	struct paradl_error *error);
PARADL_API const struct paradl_framework *paradl_oracle_framework(const struct paradl_oracle *oracle);
/*
 * Samples of an iteration where a question says none: the model's training.batch_per_gpu for each device, or else what is usual:
 * of a network that generates text the tokens that GPT-3 of its size had, a multiple of the devices; of others 32 a device.
 */
PARADL_API double paradl_oracle_batch(const struct paradl_oracle *oracle, double devices);
/* How many samples of `sequence` tokens so many tokens are: rounded to three binary digits, so that replicas and micro-batches share it. */
PARADL_API double paradl_token_samples(double tokens, double sequence);
/* Dimensions of the network's input that spatial pieces may cut: 2 for images, 3 for volumes. */
PARADL_API unsigned paradl_oracle_dimensions(const struct paradl_oracle *oracle);

/*
 * One plan. False with PARADL_INFEASIBLE when the plan cannot run whatever the memory (message: why;
 * hint: what would make it run), PARADL_USAGE when it is not a plan for this machine. A plan that
 * needs more memory than there is succeeds with fits == false.
 */
PARADL_API bool paradl_estimate(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);
/*
 * Many plans, each as paradl_estimate has it; in less time, the more neighbours in the list have in common. The estimate of a plan that cannot
 * run has 0 devices, and paradl_estimate says why. False on any other error; estimates from there on are not filled.
 */
PARADL_API bool paradl_estimate_many(struct paradl_oracle *oracle, const struct paradl_plan *plans,
	size_t count, struct paradl_estimate *estimates, struct paradl_error *error);

/* What a device does, in shares of an iteration. */
enum paradl_activity {
	PARADL_COMPUTING,  /* kernels that arithmetic limits */
	PARADL_STREAMING,  /* all other kernels: memory limits them */
	PARADL_EXCHANGING, /* it waits in communication that nothing hides */
	PARADL_IDLING,     /* it waits for its turn in a pipeline */
	PARADL_STARVING,   /* it waits for input, or for the host to launch kernels */
	PARADL_ACTIVITY_COUNT
};
PARADL_API const char *paradl_activity_name(enum paradl_activity activity); /* "compute" */

/* Mean power during an iteration. What a profile does not say is 0 in its part; total_watt negative: the device's is not known. */
struct paradl_power {
	double nodes;                               /* whole ones; their other devices are idle */
	double share[PARADL_ACTIVITY_COUNT];        /* of the iteration; the sum is 1 */
	double device_watt[PARADL_ACTIVITY_COUNT];  /* of one device in it */
	double idle_watt;                           /* of all devices of the nodes, whatever they do */
	double dynamic_watt[PARADL_ACTIVITY_COUNT]; /* of all devices, besides */
	double host_watt;                           /* of the nodes without devices */
	double network_watt; /* switches and cables outside nodes, by the share of the machine's nodes */
	double storage_watt; /* likewise */
	double cooling_watt; /* all the facility's overhead: (pue - 1) of the above */
	double total_watt;   /* the sum of all */
	double pue;
};
/* Of an estimate of this oracle; of inference, of the whole request. */
PARADL_API void paradl_power(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_power *power);

/* What an hour costs, in the machine's currency; total_per_hour negative: the profile has no price, or not the power it needs. */
struct paradl_price {
	bool owned;   /* else rented: all is in rent_per_hour */
	double nodes; /* whole ones are paid */
	double rent_per_hour;
	double node_per_hour;    /* purchase of the nodes, by the hours that they work */
	double network_per_hour; /* likewise, their share of it */
	double maintenance_per_hour, staff_per_hour;
	double energy_per_hour; /* of total_watt */
	double total_per_hour;  /* the sum of all */
	double energy_per_kwh;  /* 0: in the rent, or not said */
};
PARADL_API void paradl_price(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_price *price);

/* What feeding an estimated plan takes; options NULL: those of the oracle. The plan of the estimate is not evaluated again. */
PARADL_API void paradl_input(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_input_options *options, struct paradl_input *input);

/*
 * Does the program that the framework stands for have all that the plan asks for? False: text is what it lacks,
 * "zero=2 with pipelines". Estimates take any plan; always true when ideal and of inference.
 */
PARADL_API bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size);

/* A change that makes a plan fit which needs more memory than there is. */
struct paradl_remedy {
	struct paradl_plan plan;
	char change[96];                  /* "recompute=full", "zero=1,offload=optimizer" */
	double memory_bytes, iteration_s; /* of the changed plan */
	double slower;                    /* share of the iteration that it costs; negative: faster */
};
/*
 * For networks of tokens, on the same devices and with the same batch: the first of sequence=on, recompute=selective, full,
 * zero=1, 2, 3, half the micro-batch, twice the tensor or pipeline degree at half of data, offload=optimizer that fits;
 * else the fastest two of them that do. False: none does, or the plan fits as it is.
 */
PARADL_API bool paradl_remedy(
	struct paradl_oracle *oracle, const struct paradl_estimate *estimate, struct paradl_remedy *remedy);

/*
 * One distinct layer of a plan: what the fullest PE does with it per iteration. Layers of all stages are listed, so that
 * with p stages a device does about 1/p of the sum; recomputation, host time and exchanges of weights are not in it.
 */
struct paradl_layer_estimate {
	const char *name, *type;
	unsigned count; /* identical layers; times are of all of them */
	char split[32]; /* axes that split it: "spatial+filter"; "" = replicated */
	double forward_s, backward_s, weight_update_s, communication_s;
	double weights_bytes, activations_bytes;
};
struct paradl_layer_table {
	const struct paradl_layer_estimate *rows;
	size_t count;
};
PARADL_API bool paradl_estimate_layers(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_layer_table *table, struct paradl_error *error);

/* The terms a time is the sum of: a formula, the numbers put in, the result. */
struct paradl_term {
	enum paradl_phase phase;
	double seconds;
	char formula[120], numbers[200];
};
/* Who fills links during a step of training, hidden behind compute or not. */
struct paradl_link_load {
	bool across;           /* links between nodes; else inside them */
	const char *by;        /* an axis, "gradients", or "weights" that replicas gather */
	double seconds, share; /* of the step */
};
struct paradl_explanation {
	const struct paradl_term *terms;
	size_t count;
	const struct paradl_link_load *loads; /* the fullest links first, and of them the most */
	size_t load_count;
};
PARADL_API bool paradl_explain(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_explanation *explanation, struct paradl_error *error);

/* What another algorithm for the gradients would change in a step (of changes below 2 % nothing is said), and what each part of a mix gains. */
struct paradl_algorithm_gains {
	const char *library; /* "nccl": whose algorithms a plan takes; NULL: those that the framework lists */
	const char *taken;   /* "allreduce-double-tree", where a ring takes longer; NULL: it does not */
	const char *outside; /* the fastest that the library does not have; NULL: none is faster */
	double ring_s, outside_s; /* of an iteration, with a ring and with that */
	/* Where an algorithm or a compression was asked for: an iteration by rings, uncompressed and nothing of it hidden (0: not asked
	 * for), and what it is shorter by the algorithm, then by what compute hides, then by the compression beside that. */
	double plain_s, by_algorithm_s, by_overlap_s, by_compression_s;
};
PARADL_API bool paradl_algorithm_gains(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_algorithm_gains *gains, struct paradl_error *error);

/* What a device of a pipeline does during a step. */
enum paradl_work {
	PARADL_WORK_INPUT, /* waits for samples */
	PARADL_WORK_FORWARD,
	PARADL_WORK_BACKWARD, /* recomputation included; without the gradients of weights where those have their own time */
	PARADL_WORK_WEIGHTS,  /* gradients of weights, of zero-bubble schedules */
	PARADL_WORK_EXCHANGE, /* what replicas exchange and nothing hides, and waiting for them */
	PARADL_WORK_UPDATE,
	PARADL_WORK_COUNT
};
PARADL_API const char *paradl_work_name(enum paradl_work work); /* "forward" */

struct paradl_event {
	double start_s, end_s;
	unsigned device, stage,
		micro_batch; /* from 0; stage: device + a multiple of devices for interleaved ones */
	enum paradl_work work;
};

/* Exchanges of layers and what of messages blocks are in forward and backward; what is between events is idle. */
struct paradl_timeline {
	unsigned devices, chunks; /* of the pipeline; virtual stages of each */
	double micro_batches;
	const struct paradl_event *events; /* by device, then by time */
	size_t count;
	double schedule_s; /* forward and backward of all micro-batches; of zero bubble that of the slowest device */
	double step_s; /* = iteration_s */
	double end_s; /* of the last event: later than step_s where devices begin the next step early (zero bubble) */
};
/* Of a plan with pipeline stages, which paradl_estimate takes; the same times. */
PARADL_API bool paradl_timeline(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_timeline *timeline, struct paradl_error *error);

/* ---- input: which way to feed the devices --------------------------------------------------- */

/* How samples get to the workers. */
struct paradl_input_way {
	enum paradl_store store; /* AUTO: shared of global shuffles, else shard */
	enum paradl_shuffle shuffle;
	double exchanged, hops;
};

struct paradl_input_row {
	struct paradl_input_way way;
	struct paradl_input input;
	double finish_s; /* of all epochs, and staging before them; 0: not known */
	/* Epochs after which staging has paid, against reading from the shared file system; 0: nothing is staged; negative: never. */
	double break_even_epochs;
	/* What `input.risk` rests on: samples of a worker, and of them of each class; 0: not known. */
	double samples_per_reader, samples_per_class;
};

/* Something that makes input faster; what it gains was evaluated, not guessed. */
struct paradl_input_fix {
	const char *name;                        /* "pack" */
	const char *text;                        /* "pack the files into shards of 1 GB" */
	const char *option;                      /* that asks for it: "--workers 8"; NULL: none does */
	double step_s, utilisation, saved_share; /* share: of the step without the fix */
	enum paradl_resource binding;            /* with it */
};

/* How much of something it takes. */
struct paradl_input_need {
	const char *name; /* "memory_bytes_per_node" */
	const char *text; /* "memory per node for samples, so that reading stalls nothing" */
	double has;       /* negative: not known */
	double needs;     /* negative: no amount is enough; HUGE_VAL: nothing ever binds */
	int dimension;    /* 0: a count, 1: bytes, 2: a share */
	int enough;       /* what is there suffices; negative: it is not known */
};

/* One plan. */
struct paradl_input_case {
	struct paradl_estimate estimate;
	/*
	 * Global shuffles come first, the best of them in front (within 2 % what needs less staging); then the others; ways
	 * that are impossible last.
	 */
	const struct paradl_input_row *rows;
	size_t row_count;
	/* Of rows[0]: the cheapest first, and what it takes to have no stalls. */
	const struct paradl_input_fix *fixes;
	size_t fix_count;
	const struct paradl_input_need *needs;
	size_t need_count;
	const struct paradl_explanation *explanation;
};

struct paradl_input_table {
	const struct paradl_input_case *cases;
	size_t count;
	double epochs, sample_bytes, samples, classes; /* 0: not known */
};

struct paradl_input_request {
	const struct paradl_plan *plans; /* with their batches */
	size_t plan_count;
	const struct paradl_input_way *ways; /* NULL: the usual ones */
	size_t way_count;
	struct paradl_input_options options; /* what all ways have in common */
	double epochs;                       /* 0: 90; of networks of tokens 1 */
};

/* Each plan with each way to feed it. PARADL_USAGE: what is known of data set and machine is not enough; the hint says what lacks. */
PARADL_API bool paradl_input_table(struct paradl_oracle *oracle, const struct paradl_input_request *request,
	struct paradl_arena *arena, struct paradl_input_table *table, struct paradl_error *error);

/* ---- advice: every strategy for some devices, ranked --------------------------------------- */

/*
 * Throughput: of inference, with the largest batch that fits (of searches: with the plan's own, as limits are); training
 * has one batch, so it is time there.
 */
enum paradl_goal { PARADL_TIME, PARADL_MEMORY, PARADL_COST, PARADL_ENERGY, PARADL_THROUGHPUT };

/* What an estimate is ranked by, smaller is better; time stands in where cost or energy is not known. */
PARADL_API double paradl_goal_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

struct paradl_request {
	unsigned devices;
	double batch;      /* global; 0 = per_device * devices */
	double per_device; /* 0 = paradl_oracle_batch() */
	double micro;      /* 0 = default */
	enum paradl_goal goal;
	const char *strategies; /* comma list of families, NULL = all: "data,data+spatial" */
	bool all_members;       /* keep every feasible plan, not only the best of each family */
	const char *options;    /* that all plans have: "zero=1,recompute=full"; NULL: they are chosen */
	/* Of inference. Where one is made and neither batch nor rate is given, each plan has the batch of 1, 2, 4, ... requests for each
	 * replica that is best within it, by throughput instead of time. */
	struct paradl_promise promise;
};

struct paradl_infeasible {
	char family[64];                 /* "filter" */
	char strategy[PARADL_PLAN_TEXT]; /* the plan that came closest: "filter=256" */
	char reason[256], needs[256];
};

struct paradl_ranking {
	unsigned devices;
	double batch;                          /* 0: each plan has its own */
	const struct paradl_estimate *results; /* best first */
	size_t count;
	const struct paradl_infeasible *infeasible;
	size_t infeasible_count;
	size_t evaluated;      /* plans looked at */
	double margin;         /* results[1] / results[0] by the goal; 0 with fewer than two */
	bool tie;              /* the margin is within paradl_tie_share */
	enum paradl_goal goal; /* that orders plans: instead of time, throughput where their batches differ */
};
/* With options.prefill plans have the devices that those which read prompts leave of request->devices. */
PARADL_API bool paradl_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_ranking *ranking, struct paradl_error *error);
/*
 * Finds which of the request's devices should read prompts for the others, by advice for each of some forty ways: replicas of 1, 2, 4, ... devices of a
 * node, which cut layers or deal out experts, on an eighth to seven eighths of all. *prefill: their plan, for options.prefill; NULL: none runs.
 */
PARADL_API bool paradl_prefill_choose(const struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_arena *arena, const char **prefill,
	struct paradl_error *error);

/* ---- search: the best of all plans, proven --------------------------------------------------- */

/* What a search varies besides the degrees of the axes. */
enum paradl_vary {
	PARADL_VARY_ORDER,    /* of the axes: which of them are neighbours */
	PARADL_VARY_MICRO,    /* samples per micro-batch: divisors of the local batch */
	PARADL_VARY_SCHEDULE, /* of pipelines, with every number of stages on a device that divides the blocks */
	PARADL_VARY_RECOMPUTE, /* nothing, attention scores, whole blocks */
	PARADL_VARY_ZERO,      /* what is sharded over replicas: 0 to 3 */
	PARADL_VARY_SHARD,     /* among how many of them: divisors of the data degree */
	PARADL_VARY_SEQUENCE,  /* sequence parallelism, on and off */
	PARADL_VARY_EXPERTS,   /* experts whole, or cut by the tensor axis */
	PARADL_VARY_CONTEXT,   /* ring, gather, ulysses */
	PARADL_VARY_OVERLAP,   /* which of the overlaps that the framework has */
	PARADL_VARY_OFFLOAD,   /* to host memory; only when asked for */
	PARADL_VARY_BATCH,     /* of inference: 1, 2, 4, ... */
	PARADL_VARY_COUNT
};
PARADL_API const char *paradl_vary_name(enum paradl_vary vary); /* "order" */

/* Several processes that search together: each of them calls paradl_search with the same request but for the rank. */
struct paradl_team {
	unsigned rank, size;
	/*
	 * What all members found in a round: *all is the bytes of each, one after the other, by rank, and stays until the next
	 * call. Members that were lost are missing; the others do their work again. False: this process cannot go on.
	 */
	bool (*exchange)(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes);
	void *context;
};

struct paradl_search_request {
	const unsigned *devices; /* numbers of devices to look at, ascending */
	size_t device_count;
	double batch, per_device, micro; /* as in struct paradl_request */
	enum paradl_goal goal;
	const char *strategies; /* comma list of families, NULL = all that mean something to this network */
	const char *options;    /* that all plans have: "zero=1,recompute=full"; NULL: none */
	const char *
		vary; /* comma list of names of enum paradl_vary, "none"; NULL: all but offload; "+offload": that too */
	bool exhaustive; /* every plan is evaluated, none proved away */
	size_t keep;     /* the best plan of each of so many sets of degrees; 0 = 1 */
	double gap;      /* share by which the answer may miss the optimum; 0: not at all */
	unsigned pareto; /* set of 1u << enum paradl_goal that are traded; 0: no front */
	unsigned
		map; /* set of 1u << enum paradl_axis, two of them: the best plan for each pair of degrees; 0: none */
	/* What a plan must hold; 0: whatever. Time and cost are of `samples` (0: of one epoch). */
	double samples, deadline_s, budget;
	const struct paradl_run_request *
		job; /* its checkpoints and failures, which the time and cost of a deadline or budget then have in them; NULL: of the steps alone */
	struct paradl_promise promise; /* of inference */
	bool unexplained; /* where no plan holds that, nothing need be said of what comes closest: faster */
	unsigned threads; /* 0: as the oracle's options say */
	const struct paradl_team *team; /* NULL: this process alone */
	void (*progress)(
		void *context, double done, double all); /* plans; NULL: none. Called by one thread */
	void *progress_context;
};

/* Why plans were not evaluated one by one. */
enum paradl_cut {
	PARADL_CUT_DEGREES, /* they cannot run: too few samples, heads, filters ... */
	PARADL_CUT_MEMORY,  /* the least that any of them needs is more than there is */
	PARADL_CUT_BOUND,   /* the least time that any of them takes is more than a known plan's */
	PARADL_CUT_COUNT
};
PARADL_API const char *paradl_cut_text(enum paradl_cut cut);

struct paradl_map_cell {
	unsigned devices, degree[2]; /* of the axes of the request, in canonical order */
	bool runs, fits;             /* else no plan does; runs: `best` is filled */
	struct paradl_estimate best; /* that fits, else the one that lacks least */
};

/* What was found. All of it is the same for any number of threads and processes. */
struct paradl_search {
	const struct paradl_estimate
		*results; /* best first; each has another set of degrees or number of devices */
	size_t count;
	double margin; /* value of the second / of the first, with keep > 1; 0: there is no second */
	size_t equal;  /* how many of the results the first cannot be told from, itself included */
	const struct paradl_estimate *front; /* no plan is better in all goals; by the first of them */
	size_t front_count;
	const struct paradl_map_cell *cells;
	size_t cell_count;
	double plans;     /* of the whole space */
	double evaluated; /* one by one */
	double cut[PARADL_CUT_COUNT];
	double lower_bound; /* of the goal's value: no plan has less. The first result's, unless there was a gap */
	double gap;         /* first / lower_bound - 1 */
	struct paradl_infeasible
		closest; /* where there is no result: what came closest; strategy "": nothing did */
};

/* What plans are compared by when devices or batches differ, smaller is better: of one sample. */
PARADL_API double paradl_search_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

/*
 * The best of all plans: exact branch and bound. A part of the space is left out only when a bound proves that no plan in it
 * fits, or is better than one already known. Of plans with the same value the first of the space counts.
 */
PARADL_API bool paradl_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error);

/* ---- whole runs: training from the first step to the last ---------------------------------------- */

/* When training saves what it needs to go on. */
enum paradl_checkpoints {
	PARADL_CHECKPOINTS_BEST,  /* as often as makes the run shortest */
	PARADL_CHECKPOINTS_EVERY, /* interval_s of work */
	PARADL_CHECKPOINTS_NONE   /* only when all is done; a failure begins the run anew */
};

/* Of `samples` and `limit_s` one at least is not 0. */
struct paradl_run_request {
	double samples; /* to train with; 0: as many as limit_s allows */
	double limit_s; /* that the run may take; 0: whatever */
	enum paradl_checkpoints checkpoints;
	double interval_s;
	bool asynchronous;        /* devices wait only for the copy to host memory */
	double write_bytes_per_s; /* of checkpoints, by all nodes together; 0: as the profile's storage says */
	double node_mtbf_s; /* mean time between failures of a node; 0: the profile's, else as Llama 3 405B is recalled to have had; negative: none fails */
	double restart_s; /* from a failure until loading begins: notice, schedule, start; 0: the profile's, else 10 min */
};

/* A run, expected values. Evaluation on other data is not in it. What is not known is negative. */
struct paradl_run {
	bool possible;       /* false: more fails than is done; times are of the steps alone then */
	bool in_time;        /* possible, and not longer than limit_s */
	const char *lacking; /* for checkpoints and failures, which are left out then; or NULL */
	double samples, iterations, epochs;       /* epochs: negative without a data set */
	double work_s;                            /* of the steps, each once */
	double time_s;                            /* from begin to end */
	double checkpoints_s, restarts_s, lost_s; /* of time_s; lost_s: steps whose results were lost */
	double checkpoint_bytes, checkpoint_s;    /* of one: until it is stored */
	double checkpoint_wait_s;                 /* of one: that devices wait */
	double checkpoints, interval_s;           /* how many, after how much work each */
	double best_interval_s;
	double node_mtbf_s, mtbf_s; /* of a node; of all that work; 0: nothing fails */
	bool mtbf_is_usual;         /* node_mtbf_s is an assumption */
	double failures, restart_s; /* how many; each until the next step, loading included */
	double energy_joule, cost;
};

/* What a run with an estimated plan takes; samples of the request: of the whole run. */
PARADL_API void paradl_run(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run);

/* ---- uncertainty: what is not known of a machine ------------------------------------------------- */

/* Groups of numbers that may be off independently of each other. */
enum paradl_doubt {
	PARADL_DOUBT_FRAMEWORK,  /* the error of the model with this program: estimate.error_share */
	PARADL_DOUBT_COMPUTE,    /* rates of products */
	PARADL_DOUBT_MEMORY,     /* rates of memory */
	PARADL_DOUBT_NODE_LINKS, /* rates and latencies inside a node */
	PARADL_DOUBT_NETWORK,    /* between nodes */
	PARADL_DOUBT_STORAGE,
	PARADL_DOUBT_HOST,
	PARADL_DOUBT_POWER, /* of energy, and of cost where energy is paid */
	PARADL_DOUBT_PRICE, /* of cost */
	PARADL_DOUBT_COUNT
};
PARADL_API const char *paradl_doubt_name(enum paradl_doubt doubt); /* "compute" */

struct paradl_range {
	double value, low, high; /* negative: not known */
};
/* Says whether all of a range is below all of another; those that overlap are equal. */
PARADL_API bool paradl_range_before(const struct paradl_range *one, const struct paradl_range *other);

/* Of an iteration of a plan. */
struct paradl_uncertainty {
	double share[PARADL_DOUBT_COUNT]; /* how far numbers of the group may be off; 0: there are none */
	const char *origin
		[PARADL_DOUBT_COUNT]; /* of what kind their origin is: "measured"; framework, none: NULL */
	struct paradl_range
		effect[PARADL_DOUBT_COUNT];      /* time, when the group alone is off; power, price: cost */
	struct paradl_range time_s, joule, cost; /* all together */
};

/*
 * How far off an estimate of the oracle may be: its plan is estimated again with each group of numbers faster and slower by
 * what their origin leaves open. Makes oracles in `arena`, which later calls with the same study use again.
 */
struct paradl_study;
PARADL_API struct paradl_study *paradl_study_create(
	struct paradl_arena *arena, struct paradl_oracle *oracle, struct paradl_error *error);
PARADL_API bool paradl_uncertainty(struct paradl_study *study, const struct paradl_estimate *estimate,
	struct paradl_uncertainty *uncertainty, struct paradl_error *error);

/* ---- comparing machines -------------------------------------------------------------------------- */

/* Models on machines: each the best plan of its number of devices. */
struct paradl_compare_request {
	/* Of model i on machine j: [i * machine_count + j]; NULL: the machine cannot run it. */
	struct paradl_oracle *const *oracles;
	size_t model_count, machine_count;
	const double *samples;   /* of the whole training, of each model */
	const double *rates;     /* of each machine: one of its currency in the common one; 0: not known */
	const unsigned *devices; /* of each machine the best plan of these; not with the next two */
	size_t device_count;
	double deadline_s; /* of each machine the least devices that are through by then; 0: none */
	double budget; /* of each machine the devices that are through first for it, in the common currency; 0: none */
	double batch, per_device;         /* both 0: what the model says, for each device */
	const char *strategies, *options; /* as of paradl_advise */
};

struct paradl_compare_cell {
	size_t model, machine;
	unsigned devices; /* 0: none does what was asked */
	bool runs;        /* else `reason` says why not */
	char reason[160];
	struct paradl_estimate estimate;
	struct paradl_uncertainty uncertainty;
	struct paradl_range time_s, cost,
		joule;      /* of all samples; cost in the common currency, else in the machine's */
	bool cost_compares; /* it is in the common currency, and of machines that are paid for alike */
	/* Among the machines with the same question, from 1: more than one have the same where ranges overlap. 0: not known. */
	unsigned time_rank, cost_rank, joule_rank;
};

/* Between two numbers of devices, or two models, another machine is first. */
struct paradl_compare_crossing {
	size_t model;             /* the second */
	unsigned before, devices; /* the numbers; before 0: between this model and the one before it */
	size_t from, to;          /* machines */
	bool clear;               /* their ranges do not overlap on either side */
};

struct paradl_comparison {
	const struct paradl_compare_cell *cells;         /* by model, number of devices, machine */
	size_t model_count, device_count, machine_count; /* device_count 1 with a deadline or budget */
	const struct paradl_compare_crossing *crossings;
	size_t crossing_count;
};

PARADL_API bool paradl_compare(const struct paradl_compare_request *request, struct paradl_arena *arena,
	struct paradl_comparison *comparison, struct paradl_error *error);

/* ---- a plan for each layer -------------------------------------------------------------------- */

/*
 * Layers [first, end), as paradl_model_layer counts them, and their plan: degrees over the devices of their stage, and
 * the options zero, shard, recompute, sequence, experts, context. Its pipeline degree is 1; batch and micro-batches are those
 * of the whole. Parts of a network of tokens begin and end where a pipeline may be cut: between blocks.
 */
struct paradl_layered_part {
	unsigned first, end;
	unsigned stage; /* of the pipeline, from 1 */
	struct paradl_plan plan;
};

/* Parts in order, covering every layer once. */
struct paradl_layered {
	unsigned devices, stages; /* each stage has devices / stages */
	double batch;
	double micro_batches; /* per iteration, the same for all parts; 0: as for a plan of all layers */
	enum paradl_pipeline_schedule schedule;
	const struct paradl_layered_part *parts;
	size_t part_count;
};

/*
 * As paradl_estimate. Where neighbours are cut differently, tensors are dealt out again: estimate.phase_s has that in
 * PARADL_ACTIVATION_EXCHANGE. estimate.plan is the plan of the part that takes longest, local_batch the largest of any part.
 */
PARADL_API bool paradl_estimate_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	struct paradl_estimate *estimate, struct paradl_error *error);

/*
 * Plans of parts as files, paradl-plan(5). Loading fails where the file is for another network or a layer is in no part, or
 * in two; it is not compared with a machine. Writing replaces the file at once or leaves it as it was.
 */
PARADL_API bool paradl_layered_load(struct paradl_arena *arena, const struct paradl_model *model,
	const struct paradl_source *source, struct paradl_layered *layered, struct paradl_error *error);
PARADL_API bool paradl_layered_write(const struct paradl_model *model, const struct paradl_layered *layered,
	const char *path, struct paradl_error *error);

/* What a part takes in one iteration, on a quiet network. */
struct paradl_layered_row {
	unsigned part;
	double forward_s, backward_s; /* with what is recomputed */
	double update_s;
	double exchange_s, halo_s; /* layer-wise exchanges and halos, hidden or not */
	double gradient_s;         /* of its weights, hidden or not */
	double weights_bytes, activations_bytes;
};

/* A tensor that is dealt out again: what `from` makes is read by `to`. */
struct paradl_redistribution {
	unsigned from, to; /* layers */
	unsigned devices;  /* of the smallest aligned blocks among which it happens */
	double bytes
		[2]; /* that a device lacks: of the tensor forward, of its gradient backward; per iteration */
	double s[2];
	bool gathers[2]; /* all devices of a block need the same. Meaningless where bytes are 0 */
};

struct paradl_layered_explanation {
	const struct paradl_layered_row *rows; /* one for each part */
	size_t row_count;
	const struct paradl_redistribution *moves; /* that take time */
	size_t move_count;
	const double *
		other_s; /* of part i under other plan k: other_s[i * other_count + k]; negative: it cannot run */
	size_t other_count;
};
/* others: plans for all layers, to compare with. */
PARADL_API bool paradl_explain_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	const struct paradl_plan *others, size_t count, struct paradl_arena *arena,
	struct paradl_layered_explanation *explanation, struct paradl_error *error);

struct paradl_layers_request {
	unsigned devices;
	double batch, per_device; /* as in struct paradl_request */
	const char *strategies;   /* comma list of families that layers may have; NULL: all */
	const char *options;      /* that all plans have: "zero=1"; NULL: none */
	unsigned ways;            /* to cut a layer, at most so many; 0: 24 */
	bool one_stage;           /* without pipelines, which take longer to search */
	unsigned threads;         /* 0: as the oracle's options say; for pipelines */
	double gap;               /* share by which the answer may miss the optimum; 0: 0.001 */
	double below_s; /* of one_stage: only answers below it count (0: any), and so little is spent that some near it are missed */
};

/* What was found; the same for any number of threads. */
struct paradl_layered_search {
	struct paradl_layered best; /* parts are the longest runs of layers with the same plan */
	struct paradl_estimate estimate;
	struct paradl_estimate
		uniform; /* the fastest of the same ways for all layers; devices 0: none fits */
	struct paradl_estimate
		single; /* of tokens, the fastest one plan, with a pipeline or not; devices 0: none */
	const struct paradl_plan *ways; /* what every layer could have */
	unsigned way_count;
	double objective_s;   /* the least time on a quiet network that was found: what was made small */
	double lower_bound_s; /* no choice of these ways for each layer takes less, on a quiet network */
	double objective_usual_s; /* what that choice takes with waiting: if `uniform` is faster, that is the answer */
	double gap;               /* objective_s / lower_bound_s - 1 */
	size_t evaluated; /* plans for the whole network, to find the ways */
	size_t labels;    /* partial choices that the solver looked at */
};
/*
 * The best choice of one way for each layer, in one stage; of tokens a pipeline, too, whose stages have ways of their own, if
 * one was found that is faster than that and than `single`: nothing is proved of these (best.stages > 1). PARADL_INFEASIBLE
 * when no choice fits, or none was found; with stages only, objective_s and what follows from it are 0.
 */
PARADL_API bool paradl_search_layers(struct paradl_oracle *oracle,
	const struct paradl_layers_request *request, struct paradl_arena *arena,
	struct paradl_layered_search *search, struct paradl_error *error);

/* ---- sample hiding: training with fewer samples than all ------------------------------------------ */

enum { PARADL_STEPS_MAX = 16 };

/* A number that changes with the epochs: value[i] from the from[i]-th on, counted from 0. */
struct paradl_steps {
	unsigned count; /* 0: not given */
	double value[PARADL_STEPS_MAX], from[PARADL_STEPS_MAX];
};
/*
 * "1@0,0.8@30,0.6@60" or "0.6"; shares from 0 to 1. Of caps (epochs not NULL) also the name of a published schedule, which sets
 * *epochs: imagenet, cifar100, cords, long, fractal.
 */
PARADL_API bool paradl_steps_parse(
	const char *text, struct paradl_steps *steps, double *epochs, struct paradl_error *error);

struct paradl_hide_request {
	const char *sampler; /* NULL: "kakurenbo" */
	double fraction;     /* F, share that may be spared; negative: what the sampler's inventors used */
	double tau;          /* confidence below which a sample is not hidden; negative: 0.7 */
	struct paradl_steps
		caps; /* what F is multiplied with; count 0: ImageNet's steps, scaled to `epochs` */
	struct paradl_steps retention; /* share of the candidates that stays hidden; count 0: 0.6 */
	const double *hidden;   /* measured shares by epoch, instead of caps and retention; NULL: none */
	size_t hidden_count;    /* later epochs are like the last */
	double hidden_cost;     /* phi: of a hidden sample over that of a trained one; 0: 1/(1+ratio) + 0.1 */
	double ratio;           /* backward / forward; 0: the estimate's */
	double epochs, warm_up; /* 0: 90; negative: 5, before learning rates are raised */
	double samples;         /* of the data set; 0: the model's */
	double epoch_s;         /* a measured epoch with all samples, which times are scaled to; 0: none */
	double candidate_s;     /* host time to look at one candidate; negative: that of a Python loop */
	bool distributed; /* each worker chooses among its own samples; else all choose among all, as released programs do */
};
PARADL_API struct paradl_hide_request paradl_hide_usual(void); /* nothing given */

struct paradl_hide_epoch {
	double epoch;                          /* from 1 */
	double cap;                            /* share that may be spared */
	double candidates, moved_back, hidden; /* samples */
	double rate_factor;                    /* of the learning rate: 1 / (1 - cap) */
	double time_s, saved_s;
};

/* What a sampler makes of the training. */
struct paradl_hide_training {
	const char *sampler, *summary, *source;
	double fraction;                          /* negative: it has none */
	double mean_cap, mean_hidden;             /* shares, over the epochs */
	double reads, forward, backward, steps;   /* of the mean epoch, over those of a plain one */
	double probe_s;                           /* before */
	double exchange_s, order_s, candidates_s; /* overheads of a mean epoch */
	double epoch_s;                           /* mean */
	double training_s, saved_s, saved_share;
	double free_saved_share; /* the same if input were free */
	double memory_bytes;     /* of each process, on the host */
};

/* Why a sampler does or does not save time. */
enum paradl_hide_verdict {
	PARADL_HIDE_SAVES,
	PARADL_HIDE_OFF,      /* nothing is spared */
	PARADL_HIDE_INPUT,    /* it would, but input takes the time all the same */
	PARADL_HIDE_OVERHEADS /* what it costs besides is more than it spares */
};
PARADL_API const char *paradl_hide_verdict_name(enum paradl_hide_verdict verdict); /* "input" */

struct paradl_hide {
	struct paradl_estimate estimate;
	struct paradl_input input;
	double samples, epochs, warm_up, tau, ratio, hidden_cost;
	struct paradl_steps caps, retention;
	double scale;                               /* measured epoch / projected one; else 1 */
	double step_s, fed_step_s;                  /* without input, and waiting for it */
	double forward_s, backward_s, update_s;     /* of step_s */
	double hidden_step_s, fed_hidden_step_s;    /* as many hidden samples */
	enum paradl_resource hidden_binding;        /* what hidden samples wait for, if they do */
	double samples_per_s, hidden_samples_per_s; /* that training, and the forward pass, would read */
	double plain_epoch_s, plain_training_s;     /* with all samples */
	double exchange_bytes;                      /* that workers sum up in an epoch */
	const struct paradl_hide_epoch *rows;       /* of the sampler that was asked for */
	size_t count;
	const struct paradl_hide_training *trainings; /* all samplers */
	size_t training_count, chosen;
	enum paradl_hide_verdict verdict;
};
PARADL_API bool paradl_hide(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_hide_request *request, struct paradl_arena *arena, struct paradl_hide *hide,
	struct paradl_error *error);

/* ---- validation: projections against a CSV of measurements ---------------------------------- */

struct paradl_accuracy {
	double compute, communication, total; /* 0..1; negative: not measured */
};

struct paradl_measured_row {
	const char *model, *hw, *strategy, *family, *framework, *set, *includes, *unit, *source;
	int line;
	double batch;
	struct {
		double compute_s, communication_s, total_s, memory_bytes;
	} measured, projected; /* per unit; negative: none */
	struct paradl_accuracy accuracy;
	const char *skipped; /* why, or NULL */
	const char *id;      /* as a published result calls it; NULL: it has none */
	/* Of published results: options of the plan that the source does not print ("vpp, recompute") and that a likely value was
	 * searched for; words that were not understood. NULL: none. */
	const char *incomplete, *unread;
	/* Nine of ten measured times are within this share of the projection, wider by what the row leaves open; negative: none is
	 * claimed. */
	double error_share;
	bool total_only; /* the program's timers do not part compute from communication: neither is scored */
};

/* A word of published results that was not understood, or that the nearest stands for. */
struct paradl_word {
	const char *column, *text, *problem;
	size_t rows;
};

struct paradl_score {
	const char *name; /* a family or a set; "" for the summary */
	size_t rows, skipped;
	struct paradl_accuracy mean;
	double mape, bias, memory_mape; /* of totals and memory, percent; memory negative: not measured */
	double kendall_tau, regret_mean,
		regret_max;   /* over groups of rows that differ in strategy only; tau -2: no group */
	double median, worst; /* of the totals' errors, percent */
	size_t groups;
	/* mape counts a skipped row as 100 %; of the rows that are projected, and of those whose plan is printed or not: percent,
	 * negative: there are none. */
	double projected_mape, complete_mape, incomplete_mape;
	size_t incomplete;
	double inside; /* share of the projected rows whose measured total is inside of the likely error; negative: none */
};

struct paradl_validation {
	const struct paradl_measured_row *rows;
	size_t count;
	struct paradl_score summary;
	const struct paradl_score *by_strategy, *by_set;
	size_t strategy_count, set_count;
	double rank_pairs_right; /* share of pairs of one group ranked as measured; negative: no pair */
	size_t rank_pairs;
	bool published; /* results in the columns of published tables; ranking in the summary is the mean over sets */
	size_t left_out; /* published rows that are not complete enough to score */
	const struct paradl_word *words;
	size_t word_count;
};

struct paradl_lookup {
	const char *const *directories; /* where models/, hw-profiles/ live; NULL-terminated */
	const char *hw, *framework;     /* override the rows' own; NULL = none */
	struct paradl_options options;
	bool all_rows; /* published results that are not complete, too */
};
PARADL_API bool paradl_validate(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, struct paradl_validation *validation, struct paradl_error *error);

/* ---- constants from measurements ---------------------------------------------------------------- */

/* A number of a profile that a fit has set. */
struct paradl_fit_place {
	const char *file, *name; /* "devices/a100-sxm4-80gb", "product.wave" */
	double before, value;    /* SI; before: as the profile has it, negative where no row uses it */
	int bound;               /* of the constant: -1 at the lower, 1 at the upper, 0 inside */
};

struct paradl_fit_constant {
	const char *unit, *meaning; /* unit: "s", "B", "B/s" or "" */
	double value, prior, low, high;
	double standard_error;
	double known; /* share of what is known of the constant that rows say, not the prior */
	bool identified;
	int bound;
	const struct paradl_fit_place *places; /* the first gives the constant its name */
	size_t place_count;
	size_t rows; /* that depend on it */
};

struct paradl_fit_set {
	const char *name;
	size_t rows;
	double before, after; /* mean error, percent; before: with the profiles as they are */
	double bias;          /* after */
	double left_out; /* of a fit to the other sets; negative: not asked for, or no constant is free */
	double inside; /* share of its rows that are then within their likely error, which rests on the other sets too */
	double half_width; /* median of these likely errors; negative, as inside: as left_out */
};

/* What a profile is to say of its errors. */
struct paradl_fit_knowledge {
	const char *file;    /* "frameworks/nemo-2024" */
	const char *checked; /* the runs that it was compared with, JSON; NULL: of a family */
	double known_error;  /* mean error of rows in sets that were left out */
};

struct paradl_fit {
	const struct paradl_fit_constant *constants;
	const struct paradl_fit_set *sets;
	size_t constant_count, set_count;
	size_t rows, skipped; /* skipped: cannot be projected */
	/* With leave_each_out, over all sets that were left out; else negative and none. */
	double inside, half_width;
	const struct paradl_fit_knowledge *knowledge;
	size_t knowledge_count;
	double objective_before, objective; /* half the sum of squared residuals; before: at the priors */
};

struct paradl_fit_request {
	const char *constants; /* path of the list of free constants; NULL: the shipped one */
	const char *leave_out; /* a set that has no say; NULL: none */
	bool leave_each_out;   /* fit again without each set */
	unsigned restarts;     /* further starts of the search */
};
PARADL_API bool paradl_fit(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, const struct paradl_fit_request *request, struct paradl_fit *fit,
	struct paradl_error *error);
/* Writes the constants into DIRECTORY/devices/NAME.json and DIRECTORY/frameworks/NAME.json. */
PARADL_API bool paradl_fit_write(struct paradl_arena *arena, const struct paradl_fit *fit,
	const char *directory, struct paradl_error *error);

/* ---- calibration: numbers of a machine from measured points ------------------------------- */

/* The files that numbers go to: the machine's profile, and its device's beside it. */
enum paradl_fitted_file { PARADL_FITTED_MACHINE, PARADL_FITTED_DEVICE };

/* One number of a profile. */
struct paradl_fitted_number {
	enum paradl_fitted_file file;
	const char *path;          /* "levels/0/latency" */
	const char *unit;          /* "s", "B/s", "flop/s", "B", "W" or "" */
	double value, low, high;   /* SI; low..high: 95 % over launches, or their range; equal: not known */
	bool is_range;             /* of fewer than 4 launches */
	unsigned points, launches; /* it rests on */
	double residual;           /* median relative error of what was fitted; negative: nothing was */
	const char *from;          /* "calibrate mpi, 5 launches, 2026-11-22" */
	double was;                /* in the profile before; negative: it had none */
	const char *was_from;      /* its origin there; NULL: none */
};

/* Times over sizes at one number of nodes; segments a_s + s_per_byte * bytes, and straight between one and the next. */
struct paradl_fitted_segment {
	double from_bytes, a_s, s_per_byte;
	double upto_bytes; /* the last point of the segment */
};
enum { PARADL_FITTED_SEGMENTS_MAX = 4 };
struct paradl_fitted_curve {
	const char *operation, *library, *buffer; /* buffer: "host" or "device" */
	unsigned nodes, devices, groups;          /* devices of one group; groups at the same time */
	unsigned point_count, launches;
	const double *bytes, *time_s, *low_s, *high_s; /* ascending in bytes; of the whole vector */
	const unsigned *flags;                         /* of each point: set of enum paradl_point_flag */
	struct paradl_fitted_segment segments[PARADL_FITTED_SEGMENTS_MAX];
	unsigned segment_count;
	double segment_error, held_out_error,
		interpolation_error; /* median relative errors; held out: every other size; negative: too few */
};
enum paradl_point_flag {
	PARADL_POINT_NOISY = 1,
	PARADL_POINT_BIMODAL = 2,
	PARADL_POINT_NOT_MONOTONE = 4,
	PARADL_POINT_OUTLIERS = 8,
	PARADL_POINT_FEW_LAUNCHES = 16
};

/* What a fit does not follow. */
struct paradl_outlier {
	const char *file;
	int line;
	const char *point, *text; /* text: "3.1 times the other launches" */
};

enum paradl_severity { PARADL_NOTE, PARADL_SUSPECT, PARADL_BAD };
struct paradl_verdict {
	enum paradl_severity severity;
	const char *judge; /* "tcp-fallback" */
	const char *text;  /* what was found, with the number it rests on */
	const char *check; /* what to look at or try */
	const char *where; /* "FILE:LINE", "levels/1/latency" or NULL */
	bool refuses;      /* a profile of it would be wrong and look right; paradl_calibration_refused */
};

struct paradl_calibration {
	const struct paradl_fitted_number *numbers;
	const struct paradl_fitted_curve *curves;
	const struct paradl_outlier *outliers;
	const struct paradl_verdict *verdicts;
	size_t number_count, curve_count, outlier_count, verdict_count;
	size_t files, launches, points, failed, torn; /* read */
	const char *samples, *hosts; /* for origins: "sha256 3fb2...", "g0001" or "4 hosts" */
};

/*
 * Fits files of samples (paradl-samples(5)), or what nccl-tests, the OSU benchmarks, fio and IOR print. `machine`, the
 * profile that is to be changed, says what is known and expected; NULL: a new machine.
 */
PARADL_API bool paradl_calibration_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_machine *machine, struct paradl_calibration *calibration,
	struct paradl_error *error);
/* The verdict for which no profile should be written of it: "contended", "residual"; NULL: none. */
PARADL_API const char *paradl_calibration_refused(const struct paradl_calibration *calibration);
/*
 * Puts numbers and curves into `machine` and its device, with where they are from, and writes them to `path` and
 * devices/NAME.json beside it; NULL: a new machine. All of a file changes, or nothing; the device is written first.
 */
PARADL_API bool paradl_calibration_write(struct paradl_arena *arena,
	const struct paradl_calibration *calibration, const struct paradl_machine *machine, const char *path,
	struct paradl_error *error);

/*
 * Writes the times of the layers of `model` (NULL: the only one that was measured) that samples have, as a file for
 * paradl_options.layer_times; paradl-layer-times(5).
 */
PARADL_API bool paradl_calibration_layer_times(struct paradl_arena *arena, const char *const *paths,
	size_t count, const char *model, const char *path, struct paradl_error *error);

/* ---- kernels: device files against times of single kernels --------------------------------- */

/* How rows are left out of a fit, to tell what it is worth beyond them. */
enum paradl_kernels_left_out {
	PARADL_LEAVE_FOLDS,   /* a fifth of the shapes, five times */
	PARADL_LEAVE_DEVICES, /* each device, which has the constants that all others share */
	PARADL_LEAVE_SHAPES   /* all but `shapes` random rows of each kind and number format */
};

struct paradl_kernels_request {
	const char *const *directories; /* where hw-profiles/ lives; NULL-terminated */
	const char *device;             /* only its rows; NULL: all */
	const char *device_path;        /* its file; NULL: hw-profiles/devices/NAME.json */
	bool single;                    /* rows of several devices are an error: a file is to be written */
	bool fit;                       /* else device files are only scored */
	enum paradl_kernels_left_out left_out;
	size_t shapes;
	size_t draws; /* of them, one after the other */
	unsigned long seed;
};

/* How far off kernels of one kind, number format and size are, as shares: |modelled / measured - 1|. */
struct paradl_kernel_errors {
	const char *device, *kind, *precision, *size; /* "all": those of all devices, or sizes, together */
	size_t rows;
	double mean, median, bias;         /* of the device file; bias: median of modelled / measured - 1 */
	double fitted_mean, fitted_median; /* negative: nothing was fitted */
	double left_out_mean, left_out_median;
	double left_out_low, left_out_high; /* least and largest mean of a draw of shapes */
	double left_out_ratio;              /* left_out_mean / fitted_mean */
	double quantizing; /* of the modelled time: bringing inputs to a narrow format, with its launch; mean share */
};

/* A number of a device file. */
struct paradl_kernel_number {
	const char *device, *path, *unit; /* "product/wave"; "s", "B", "B/s" or "" */
	double value, low, high;          /* 95 % by leaving out folds; equal: not known */
	double was;                       /* in the device file; negative: it has none */
	size_t rows;
};

/* One kernel. What is modelled are constants that were fitted without it, where it was left out. */
struct paradl_kernel_point {
	const char *device, *kind, *precision, *shape;
	double flop, bytes; /* that have to be done and moved at least */
	double measured_s, modelled_s;
};

/* What limits the kernels of a device: its peak in a number format ("flop/s"), or its memory ("B/s"). */
struct paradl_kernel_roof {
	const char *device, *what, *unit;
	double rate; /* 0: not known */
};

struct paradl_kernels_passed {
	const char *what; /* "gemm int8_wo" */
	size_t rows;
};

struct paradl_kernels {
	const struct paradl_kernel_errors *errors;
	const struct paradl_kernel_number *numbers;
	const struct paradl_kernels_passed *passed; /* rows of number formats without a formula */
	const struct paradl_kernel_point *points;   /* all rows */
	const struct paradl_kernel_roof *roofs;
	size_t error_count, number_count, passed_count, point_count, roof_count, rows;
	const char *samples;             /* digests of the files */
	const char *const *device_paths; /* of device files that were scored */
};

/* Whether a file is a table of kernel times (paradl-fit(1)). */
PARADL_API bool paradl_kernels_known(struct paradl_arena *arena, const char *path);
/* Scores device files on tables of kernel times, and fits what they say of kernels. */
PARADL_API bool paradl_kernels_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_kernels_request *request, struct paradl_kernels *kernels,
	struct paradl_error *error);
/* Writes the numbers of the only device to `path`, a copy of its file if it is not there. */
PARADL_API bool paradl_kernels_write(struct paradl_arena *arena, const struct paradl_kernels *kernels,
	const char *path, struct paradl_error *error);

/* ---- networks ------------------------------------------------------------------------------- */

/*
 * What a network is made of: counts, distances as routed, cables laid out on a floor of racks, standing power, price.
 * A bundle of parallel cables counts as that many. Where the profile does not say a price or a power, it is negative.
 */
struct paradl_inventory {
	bool schematic; /* of a profile without a routed network: the tree of its levels, one switch for each domain */
	unsigned devices;
	unsigned nics;     /* ports of nodes (or of devices without) towards the network's first switches */
	unsigned switches; /* of the network */
	unsigned node_switches; /* inside nodes */
	double switch_ports;    /* used, of the network's switches together */
	double most_ports;      /* used, of one switch, or of one device where devices relay */
	double cables;          /* all of the following */
	double node_cables;     /* between devices of a node, to its switch, to its NICs */
	double port_cables;     /* from NICs to the first switches */
	double switch_cables;   /* between switches, or between devices that relay */
	double global_cables;   /* between groups of switches */
	double one_way_links;   /* two for each full-duplex cable */
	double diameter_hops; /* links on the longest route between two devices, the insides of switches left out */
	double mean_hops; /* over all ordered pairs of devices */
	unsigned
		sampled; /* devices whose routes to all others these two are of; 0: all. The diameter is then a bound */
	double bisection_bytes_per_s; /* from one half of the devices to the other; negative: no link on the way has a rate */
	unsigned racks;
	double cable_m, longest_cable_m;              /* of the cables outside nodes */
	double rack_cables;                           /* outside nodes: inside a rack */
	double copper_cables;                         /* between racks, no longer than copper reaches */
	double optical_cables;                        /* longer: with two transceivers each */
	double cables_watt, switches_watt, nics_watt; /* when nothing is sent */
	double static_watt;                           /* of these what is known */
	double cables_price, switches_price,
		price; /* of the network outside nodes, in the machine's currency */
};

/* ---- collectives: one operation of a group of devices, by every algorithm ---------------------- */

/* Sizes of an operation ("bytes") are always the whole vector; all-to-all: what each rank sends in total. */
enum paradl_operation {
	PARADL_ALLREDUCE,
	PARADL_ALLGATHER,
	PARADL_REDUCE_SCATTER,
	PARADL_BROADCAST,
	PARADL_REDUCE,
	PARADL_ALL_TO_ALL,
	PARADL_POINT_TO_POINT,
	PARADL_OPERATION_COUNT
};
PARADL_API const char *paradl_operation_name(enum paradl_operation operation); /* "allreduce" */
/* Names, and aliases in use: all_reduce, alltoall, ar, bcast, sendrecv ... */
PARADL_API bool paradl_operation_parse(
	const char *text, enum paradl_operation *operation, struct paradl_error *error);

struct paradl_network; /* cables and routes; holds scratch, so it belongs to one thread */

PARADL_API struct paradl_network *paradl_network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error);

/* A network that nobody has built: "torus:8x8x8". */
struct paradl_paper {
	const char *topology;
	const struct paradl_machine *machine; /* its cables and start-ups; NULL: of the next two alone */
	double cable_bytes_per_s,
		cable_latency_s; /* of every cable, instead of the machine's; 0: the machine's */
	bool equal_ports; /* cables between routers share what the router's devices can send; see share */
	double rate;      /* all cables' rates times this; 0 is 1 */
};
PARADL_API struct paradl_network *paradl_network_on_paper(
	struct paradl_arena *arena, const struct paradl_paper *paper, struct paradl_error *error);

struct paradl_network_info {
	const char *name; /* the topology's text, or the machine's name */
	unsigned devices, devices_per_node;
	bool calibrated; /* with a simulator's factors, so that a band of error against NCCL does not apply */
	bool schematic;  /* the levels of a profile without a routed network, as a tree */
	double cable_bytes_per_s;          /* of the cables that leave a device (or its node's port) */
	double cable_latency_s, message_s; /* of such a cable; of every message besides its route's */
	double share;            /* equal_ports: of that, what a cable between routers has; 1: all */
	double waiting_watt;     /* of a device that waits; negative: not known */
	bool waiting_is_assumed; /* a share of the busy power, because no idle power is given */
};
PARADL_API struct paradl_network_info paradl_network_info(const struct paradl_network *network);
PARADL_API bool paradl_network_inventory(struct paradl_arena *arena, const struct paradl_network *network,
	struct paradl_inventory *inventory, struct paradl_error *error);

enum paradl_placement { PARADL_IN_ORDER, PARADL_SCATTERED, PARADL_RANDOM };

struct paradl_collective_request {
	enum paradl_operation operation;
	unsigned ranks;      /* 0: as many as there are places for */
	unsigned concurrent; /* groups that do it at the same time; 0 is 1 */
	unsigned stride;     /* devices from a rank to the next; 0: as many as run at the same time */
	enum paradl_placement placement; /* scattered: dealt out to the nodes in turn */
	unsigned seed;                   /* of a random placement: a shuffle of all devices */
	double density, overlap; /* of sparse vectors; density 0: dense. How much supports coincide, 0 to 1 */
	const char
		*algorithms; /* comma list, "ring" for "allreduce-ring"; "all"; NULL: the library's, or all */
	/* Only what it has: "nccl", "rccl", "openmpi", "mpich", "mpi", "xla", "fpga"; "any": all. NULL: as for algorithms. */
	const char *library;
	const double *bytes; /* ascending */
	size_t count;
	bool steps; /* all times are of steps one after another: no messages are followed */
	bool brief; /* without what the choices do to links, which takes longer to find out: it is as for "not known" */
};

enum paradl_time_origin { PARADL_MODELLED, PARADL_MEASURED, PARADL_INTERPOLATED, PARADL_EXTRAPOLATED };

struct paradl_collective_row {
	double bytes;
	/* Measured where it was, else the best algorithm's: followed message by message, or its steps one after another. */
	double time_s;
	/* The least of both, and of steps in which no link ever idles; = time_s where that makes no difference. */
	double least_s;
	double most_s; /* the most of both */
	enum paradl_time_origin origin;
	double error_share;                  /* of times from measurements; negative: not known */
	size_t choice;                       /* the best algorithm, in the table's choices */
	double model_s;                      /* its time */
	size_t next;                         /* the second best; = choice: there is none */
	double margin;                       /* how much longer the second best takes, as a share */
	double bytes_per_s, bus_bytes_per_s; /* as nccl-tests: bytes / time, times the operation's factor */
	/* All groups together: links in use (as studies of collectives count), all gear, devices that wait. */
	double links_watt, links_joule, gear_watt, gear_joule, waiting_watt,
		waiting_joule; /* negative: not known */
};

/* One algorithm, at each of the sizes with the variant that is best there. */
struct paradl_collective_choice {
	const char *algorithm, *summary, *source;
	bool sparse;
	const double *time_s, *least_s, *most_s;  /* by row */
	const char *const *variants;              /* by row; "" where there is only one */
	double steps, links_watt, joule_per_byte; /* of the variant at the largest size */
	double traffic;                           /* bytes over all links / vector; negative: not known */
	const char *hottest;                      /* link with the most bytes: "port of device 3"; "" none */
	double hottest_s_per_byte;
};

struct paradl_crossover {
	double bytes;
	size_t from, to; /* choices */
};

struct paradl_collective_table {
	enum paradl_operation operation;
	unsigned ranks, nodes, concurrent, stride;
	double bus_factor;
	const char *
		library; /* "nccl": all times but measured ones have what it adds in a node; NULL: none has */
	const struct paradl_collective_row *rows;
	size_t row_count;
	const struct paradl_collective_choice *choices; /* fastest at the largest size first */
	size_t choice_count;
	const struct paradl_crossover *crossovers; /* between the least and the largest size */
	size_t crossover_count;
	/* The fastest algorithm at the largest size that the request's library does not have; NULL: none is faster, or none was named. */
	const char *outside;
	double outside_s;
};
/* How many ranks each group has when the request does not say; 0: the request does not fit. */
PARADL_API unsigned paradl_collective_ranks(const struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_error *error);
PARADL_API bool paradl_collective(struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_arena *arena,
	struct paradl_collective_table *table, struct paradl_error *error);

/* What an algorithm does: steps whose messages start together. */
struct paradl_step {
	const char *phase;              /* "reduce-scatter"; "" */
	const char *messages;           /* "r -> r + 1 mod 64"; ranks of the group */
	double first, repeat;           /* number of the step, from 1; done so many times over */
	unsigned depth;                 /* inside so many forks: what runs beside something else */
	double count;                   /* messages of one group in one step */
	double least_bytes, most_bytes; /* of one message */
	double combined_bytes, memory_bytes, wait_s; /* of the busiest rank, besides */
};
struct paradl_schedule {
	const char *algorithm, *variant;
	const struct paradl_step *steps;
	size_t count;
	double total;  /* steps */
	bool complete; /* else there are more kinds of steps than are kept */
};
/* The best algorithm for this size, of those that the request names; its own sizes play no part. */
PARADL_API bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error);

/* Times that nccl-tests or the OSU benchmarks printed; sizes as everywhere here: the whole vector. */
struct paradl_timing {
	double bytes, time_s;
	int line;
};
struct paradl_timings {
	const char *tool; /* "nccl-tests", "OSU" */
	const struct paradl_timing *items;
	size_t count;
	unsigned ranks; /* that the file names; 0: it does not */
};
PARADL_API bool paradl_timings_load(struct paradl_arena *arena, const struct paradl_source *source,
	enum paradl_operation operation, unsigned ranks, struct paradl_timings *timings,
	struct paradl_error *error);

struct paradl_algorithm_info {
	const char *name, *summary, *source;
	enum paradl_operation operation;
	bool sparse;
};
/* The index-th algorithm; name NULL past the last. */
PARADL_API struct paradl_algorithm_info paradl_algorithm(size_t index);

struct paradl_topology_info {
	const char *name, *summary, *shape, *source;
	struct paradl_topology_key {
		const char *name, *summary;
		double initial, least, most;
	} keys[8]; /* up to the first without a name */
};
/* The index-th topology; name NULL past the last. */
PARADL_API struct paradl_topology_info paradl_topology(size_t index);

/* ---- SimGrid: networks and collectives as files for that simulator ------------------------------- */

/* Gets text in pieces; false when it could not be kept: no more comes then. */
typedef bool paradl_write(void *context, const char *text, size_t length);

/*
 * A platform: every device a host, every cable one or two links, and our routes; all pairs of devices, or those
 * between which the best algorithm of `only` sends (NULL: all). False also when the network is too large or splits flows.
 */
PARADL_API bool paradl_simgrid_platform(struct paradl_network *network,
	const struct paradl_collective_request *only, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);
/*
 * What the best algorithm of the request sends at its one size, as a trace for "smpirun -replay": process p is device p,
 * up to the last that takes part. The lines before the first action say what it is and what it takes by our estimate.
 */
PARADL_API bool paradl_simgrid_trace(struct paradl_network *network,
	const struct paradl_collective_request *request, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);

/* ---- federated rounds: clients that train by themselves and send weights to a server ------------- */

/* Clients that are alike. */
struct paradl_client_group {
	const char *name; /* "phones" */
	double count;
	double samples;     /* of each client; 0: those of one epoch, shared out */
	const char *device; /* a shipped one, by name; NULL: the machine's */
	double speed;       /* times of the device are divided by it; 0 is 1 */
	double sample_s; /* measured: forward and backward of one sample of the whole network; 0: the oracle's */
	double up_bytes_per_s, down_bytes_per_s; /* to and from the server */
	double lan_bytes_per_s;                  /* to clients of the same cluster */
	double memory_bytes, busy_watt;          /* 0: the device's */
};
struct paradl_clients {
	const char *name, *path; /* path NULL: of no file */
	const struct paradl_client_group *groups;
	size_t count;
};
/* A file, paradl-clients(5); what its groups do not say is as in `usual`. */
PARADL_API bool paradl_clients_load(struct paradl_arena *arena, const struct paradl_source *source,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error);

/* How a model gets from one client to the next before it is averaged. */
enum paradl_exchange_way {
	PARADL_EXCHANGE_PEERS, /* straight, over both clients' links to the outside */
	PARADL_EXCHANGE_LAN,   /* over that of a cluster */
	PARADL_EXCHANGE_SERVER,
	PARADL_EXCHANGE_COUNT
};
PARADL_API const char *paradl_exchange_way_name(enum paradl_exchange_way way); /* "peers" */

struct paradl_federation {
	struct paradl_clients clients;
	double batch;              /* of each client; 0: the model's, else 1 */
	double epochs;             /* over its samples in each round; 0 is 1 */
	double participants;       /* of each round, drawn at random; 0: all clients */
	double server_bytes_per_s; /* each way, for all together; 0: no limit */
	double server_devices; /* like the machine's, that train the server's part; 0: one for each participant */
	double rounds, deadline_s; /* 0: not given */
	enum paradl_exchange_way exchange;
};

/* What a round is made of, for the client that ends it. */
enum paradl_round_leg {
	PARADL_LEG_DOWNLOAD,
	PARADL_LEG_COMPUTE,
	PARADL_LEG_CLUSTER,  /* activations and gradients between clients of a cluster */
	PARADL_LEG_EXCHANGE, /* models between clients, activations to and from the server */
	PARADL_LEG_UPLOAD,
	PARADL_LEG_SERVER, /* what transfers take longer because all go through it; its part of the training */
	PARADL_LEG_COUNT
};
PARADL_API const char *paradl_round_leg_name(enum paradl_round_leg leg); /* "download" */

/* A client of a group in a round that it takes part in. */
struct paradl_round_client {
	const char *group;
	double count;
	double round_s, leg_s[PARADL_LEG_COUNT]; /* of its cluster, where there are clusters */
	double down_bytes, up_bytes;             /* from and to the outside */
	double lan_bytes;                        /* over the network of its cluster, in its own turn */
	double memory_bytes, capacity_bytes;
	bool fits;
	double joule; /* of its compute, and the server's for it; negative: a device's power is not known */
};

struct paradl_round {
	char scheme[80]; /* "feddct:4" */
	const char *summary, *evidence;
	bool possible;
	char reason[192];               /* why not */
	double participants, clusters;  /* clusters 0: there are none */
	double parameters;              /* that a client sends and gets once */
	double round_s;                 /* the mean over all draws of participants */
	double longest_s;               /* when the slowest take part */
	double leg_s[PARADL_LEG_COUNT]; /* of longest_s */
	enum paradl_round_leg binding;  /* the largest of them */
	const char *slowest;            /* group */
	double server_out_bytes, server_in_bytes, peer_bytes, lan_bytes; /* of all participants */
	double server_flop; /* besides averaging: comparisons of models; 0: none */
	double joule;       /* of compute, the server's too; negative: not known */
	bool fits;
	double total_s, total_bytes,
		total_joule;       /* of all rounds, bytes of the server; 0: no number of rounds */
	double rounds_in_deadline; /* negative: there is none */
	const struct paradl_round_client *clients;
	size_t client_count;
};

/* The network as so many narrower ones. */
struct paradl_division {
	double parts;
	double share;        /* of the width */
	double parameters;   /* of each narrower network */
	double memory_bytes; /* of the group that has least to spare */
	double network_bytes; /* of it, what networks take: without workspace and runtime, which are the same for all */
	double state_bytes,
		stem_bytes; /* of that, weights, gradients and the optimizer's of its own network; first layers of the others */
	double server_bytes, lan_bytes; /* of one client and round; lan: its turn */
	bool fits;
};

struct paradl_federated {
	double parameters, activation_bytes; /* of the whole network; of one sample after its first layer */
	double batch, epochs, clients, participants;
	const struct paradl_round *rounds; /* as asked for */
	size_t count;
	const struct paradl_division *divisions; /* 1, 2, 4, ...; none of networks that are not divided */
	size_t division_count;
	double fewest_parts; /* with which every device has room; 0: none of them */
};
/* schemes: comma list, "feddct:4,fedavg"; NULL: all of them. */
PARADL_API bool paradl_federate(struct paradl_oracle *oracle, const struct paradl_federation *federation,
	const char *schemes, struct paradl_arena *arena, struct paradl_federated *federated,
	struct paradl_error *error);

struct paradl_scheme_info {
	const char *name, *argument, *summary, *evidence; /* argument: "S"; NULL: none */
};
/* The index-th scheme; name NULL past the last. */
PARADL_API struct paradl_scheme_info paradl_scheme(size_t index);

/* ---- diagnosis: measured times beside projected ones, and what would explain the gaps ----------- */

/* What a measured time covers: a phase (enum paradl_phase), or one of these. */
enum paradl_part {
	PARADL_PART_COMPUTE =
		PARADL_PHASE_COUNT, /* forward, backward, recomputation, update, and a pipeline's bubble */
	PARADL_PART_COMMUNICATION,
	PARADL_PART_TOTAL,
	PARADL_PART_COUNT
};
PARADL_API const char *paradl_part_name(unsigned part); /* "backward", "total" */

/*
 * Seconds of one iteration that nothing hides, so that phases add up to the total: of the median step of each rank, the
 * median over ranks.
 */
struct paradl_measured_time {
	unsigned part;
	double seconds;
	double least_s, most_s;       /* over ranks */
	double quickest_s, slowest_s; /* over steps, medians over ranks; negative: not known */
	double busy_s;                /* with what compute hides; negative: not known */
	double calls;                 /* kernels or messages; negative: not known */
};

struct paradl_measured_layer {
	const char *name;
	double forward_s, backward_s, weight_update_s, communication_s; /* negative: not measured */
};

struct paradl_measurement {
	const char *format; /* "phase times", "chrome trace" */
	const char *note;   /* what is odd about it; or NULL */
	const struct paradl_measured_time *times;
	size_t count;
	const struct paradl_measured_layer *layers;
	size_t layer_count;
	unsigned ranks, steps;
	bool without_input;   /* the total leaves input out */
	double waiting_share; /* of the device's time in no kernel; negative: not known */
};

/*
 * Files of one format: phase times, a row of paradl-measured(5), paradl-samples(5), traces of one rank each. Plan and model say
 * which row or samples count, and which collective serves what.
 */
PARADL_API bool paradl_measurement_load(struct paradl_arena *arena, const struct paradl_source *sources,
	size_t count, const struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_measurement *measurement, struct paradl_error *error);

/* A change of the model that would explain gaps; tested by estimating with it. */
struct paradl_cause {
	const char *name, *summary; /* "link-rate" */
	const char *category;       /* of the ParaDL paper's Table V: "communication", "compute", ... */
	enum paradl_limit_kind kind;
	const char *origin;    /* of bottlenecks "framework" or "system"; "" */
	const char *quantity;  /* what would have to be another; NULL: it is no number */
	const char *unit;      /* of it: "s", "B/s", "" */
	double assumed, as_if; /* its value; both negative: it is no number */
	unsigned parts;        /* set of 1u << part that it explains */
	double explained_s,
		left_s; /* of all gaps together, after the causes before it; what is left of them */
	const char *gaps,
		*text; /* "forward is 1.8 times the projection"; "as if the rate were 5.6 GB/s instead of 10.2 GB/s" */
	const char *check; /* what to look at */
	int instead;       /* index of the cause that this one could replace; -1: one that counts */
};

struct paradl_diagnosis_row {
	unsigned part;
	double measured_s, projected_s, gap_s; /* gap: measured - projected */
	double share;       /* of the sizes of all gaps; of the total: what its parts leave of it */
	double tolerance_s; /* a gap up to this is within the model's error */
	double explained_s; /* projected, with all causes that count */
	int cause;          /* index of the first that explains it; -1: none does, or needs to */
};

struct paradl_diagnosis_layer {
	const char *name, *type;
	double measured_s, projected_s, gap_s; /* of what was measured of it */
	double share;                          /* of the sizes of all layers' gaps */
};

struct paradl_diagnosis {
	struct paradl_estimate estimate;
	const struct paradl_diagnosis_row *rows;
	size_t row_count;
	const struct paradl_diagnosis_layer *layers; /* largest gap first */
	size_t layer_count;
	size_t unmatched; /* measured layers that the network does not have */
	const struct paradl_cause
		*causes; /* those that count in order, each followed by what could replace it */
	size_t cause_count;
	double tolerance;            /* share of a phase that is the model's error */
	double gap_s, unexplained_s; /* sums over the rows that stand for themselves */
	bool within_error;           /* no gap is beyond it */
};

/* tolerance: share of a phase up to which a gap is the model's error; negative: its usual error, half of error_share. */
PARADL_API bool paradl_diagnose(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_measurement *measurement, double tolerance, struct paradl_arena *arena,
	struct paradl_diagnosis *diagnosis, struct paradl_error *error);

/* ---- sweeps: every point of a grid of questions -------------------------------------------------- */

enum { PARADL_SWEEP_DIMENSIONS = 16 };

/*
 * key: gpus, batch, per-gpu, micro, prompt, answer; precision, optimizer, algo, compress; model, hw, framework, dataset; seq, which
 * is model.dims.seq; an axis or option of plans ("tensor", "zero"); or a key of struct paradl_changes. values: a list with
 * commas, whose items may be ranges: "4..1024" (doubling), "4..64+4", "1..1000*10", "x0.5..x4", "25 GB/s..100 GB/s".
 */
struct paradl_sweep_dimension {
	const char *key, *values;
};

struct paradl_sweep_request {
	const struct paradl_sweep_dimension
		*dimensions; /* the last varies fastest, strategies faster still */
	size_t dimension_count;
	/* Where they are not varied; files, or names in `directories`. framework NULL: the machine's, dataset: the model's. */
	const char *model, *hw, *framework, *dataset;
	const char *const *directories;
	bool any_dataset; /* points with a data set that is not for their network are evaluated, too */
	const char *const *changes; /* of all points */
	size_t change_count;
	struct paradl_options options;
	/*
	 * Each of these is plans with ';' between them, or families with ','; none: the best of all plans. Of a plan with '*' for a
	 * degree, "data=*,tensor=8", that is so large that it takes all GPUs of a point.
	 */
	const char *const *strategies;
	size_t strategy_count;
	const char *with;         /* options that plans of families have; NULL: they are chosen */
	enum paradl_goal goal;    /* of the best of families */
	double batch, per_device; /* as in struct paradl_request */
};

struct paradl_sweep;
/* Checks all values, as far as they can be checked one by one. What `request` points to must stay. */
PARADL_API struct paradl_sweep *paradl_sweep_create(
	struct paradl_arena *arena, const struct paradl_sweep_request *request, struct paradl_error *error);
PARADL_API unsigned long long paradl_sweep_count(const struct paradl_sweep *sweep); /* of points */

/* What varies, as a column of a table. */
struct paradl_sweep_key {
	const char *key; /* as asked for */
	const char
		*column; /* with the unit of its numbers: "hw.levels.1.bandwidth_bytes_per_s", or "_factor" */
	const char *const *texts;
	const double *numbers; /* SI units; NULL: not all values are numbers of one kind */
	size_t count;
};
/* The index-th dimension; key NULL past the last. */
PARADL_API struct paradl_sweep_key paradl_sweep_key(const struct paradl_sweep *sweep, size_t index);
/* The index-th file that is read; NULL past the last. */
PARADL_API const char *paradl_sweep_file(const struct paradl_sweep *sweep, size_t index);
/* Model, machine and framework of the first point. */
PARADL_API bool paradl_sweep_first(const struct paradl_sweep *sweep, struct paradl_model_info *model,
	struct paradl_machine_info *machine, struct paradl_framework_info *framework,
	struct paradl_error *error);

/* A point; all that it points to is gone after the call that gets it. */
struct paradl_sweep_row {
	unsigned long long index;
	const size_t *places; /* of each dimension, the place of its value */
	const struct paradl_model_info *model;
	const struct paradl_machine_info *machine;
	const char *strategy; /* the plan; of a family of which no plan runs, what came closest */
	double devices, batch;
	bool is_shared; /* no plan has memory for the usual batch: GPUs share samples, and batch is the most that fits */
	const struct paradl_estimate *estimate; /* NULL: there is none */
	const char *reason;                     /* why it is not feasible; NULL: it is */
	unsigned worker;                        /* the thread, counted from 0 */
};

struct paradl_sweep_run {
	unsigned long long first;       /* point to begin with */
	unsigned threads;               /* 0: as many as there are processors; at most 256 */
	const struct paradl_team *team; /* NULL: this process alone */
	/* A point as text; called by any thread. False: out of memory. */
	bool (*tell)(
		void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination);
	/* The texts, in order, by one thread; false ends the run. */
	bool (*take)(void *context, unsigned long long index, const char *text, size_t length);
	/* Now and then, with so many points taken; true ends the run. NULL: nobody asks. */
	bool (*ends)(void *context, unsigned long long done);
	void *context;
};
/* PARADL_OK with false: it was ended. Texts are the same for any number of threads and processes. */
PARADL_API bool paradl_sweep_run(
	struct paradl_sweep *sweep, const struct paradl_sweep_run *run, struct paradl_error *error);

/* ---- other files ---------------------------------------------------------------------------- */

/* Lint of a model, machine, device, framework, layer-times, plan or samples file: warnings in the order found. */
struct paradl_findings {
	const char *format; /* "paradl-model", ... */
	const char *const *warnings;
	size_t count;
	const char *note; /* what importing has found out besides; NULL: nothing */
};
PARADL_API bool paradl_check(struct paradl_arena *arena, const char *path, struct paradl_findings *findings,
	struct paradl_error *error);

/* A format of another tool. becomes: "paradl-model" or "paradl-hw". */
struct paradl_format {
	const char *name, *becomes, *summary;
};
/* The index-th format; name NULL past the last. */
PARADL_API struct paradl_format paradl_format(size_t index);

struct paradl_import_options {    /* all 0: what the file says */
	const char *from;         /* name of its format; NULL: as it looks */
	const char *layer_config; /* .lc file that goes with a .net file */
	bool dataset;             /* of a workload of DLIO the data set alone, as a paradl-dataset(5) */
	const char *
		weights; /* model.safetensors, or its .index.json, to compare the number of parameters with */
	const char *input;         /* of ONNX: "3,224,224" or "NAME=3,224,224", where the file does not say */
	const char *const *shapes; /* of ONNX: "NAME=1,64,56,56", of values that an unknown operator makes */
	size_t shape_count;
	const char *
		assume; /* of Hugging Face: the model_type that an unknown one is read like; NULL: it is refused */
	bool text_only; /* of Hugging Face: the part of text of a network of text and images */
};
/* A file of another tool as native JSON text. options may be NULL. */
PARADL_API const char *paradl_import(struct paradl_arena *arena, const char *path,
	const struct paradl_import_options *options, struct paradl_findings *findings,
	struct paradl_error *error);

struct paradl_entry {
	const char *name, *summary;
};
/* The index-th strategy; name NULL past the last. */
PARADL_API struct paradl_entry paradl_strategy(size_t index);
/* The index-th sampler; name NULL past the last. */
PARADL_API struct paradl_entry paradl_sampler(size_t index);
/* The index-th layer type; name NULL past the last. */
PARADL_API struct paradl_entry paradl_layer_type(size_t index);
PARADL_API const struct paradl_entry *paradl_units(size_t *count);

PARADL_API const char *paradl_version(void);

/* ---- what if: estimates with something changed ------------------------------------------------- */

/* What is estimated: files, and a plan. */
struct paradl_whatif_request {
	const char *model, *machine;     /* paths */
	const char *dataset, *framework; /* paths; NULL: as the files say */
	const char *const *directories;  /* as of paradl_source */
	const struct paradl_options *options;
	const struct paradl_changes *changes; /* NULL: none */
	const struct paradl_plan
		*plan; /* with its batch; NULL: the best of `best`, anew whenever something changes */
	struct paradl_request best;
	bool fixed_batch; /* other numbers of devices have the same batch; else each device has */
	enum paradl_goal
		goal; /* what is compared: paradl_search_value, of tokens where samples have other lengths */
};

/* The answer with something changed. */
struct paradl_whatif_point {
	double times;    /* the input, new / old; whole numbers are rounded */
	bool runs;       /* else the reason */
	double value;    /* of the goal */
	double change;   /* value / value without the change - 1 */
	bool other_plan; /* the best plan is another one */
	struct paradl_estimate estimate;
	char reason[256];
};

/* An input, one of a family: "gpu". */
struct paradl_whatif_input {
	const char *name, *text;
	const char *const
		*keys; /* of files, that it multiplies, as in --set KEY=x1.2; none: it is of the plan */
	size_t key_count;
};

struct paradl_whatif_row {
	struct paradl_whatif_input input;
	struct paradl_whatif_point low, high; /* by 1 - vary and 1 + vary */
	double span;                          /* of the changes; 0: no effect */
};
struct paradl_tornado {
	double vary, value;
	struct paradl_estimate estimate;      /* without changes */
	const struct paradl_whatif_row *rows; /* the widest first, those without effect last */
	size_t count, moving;                 /* moving: rows with an effect */
};
/* Each input with less of it, and with more, all others as they are. vary: a share, less than 1. */
PARADL_API bool paradl_tornado(const struct paradl_whatif_request *request, double vary,
	struct paradl_arena *arena, struct paradl_tornado *tornado, struct paradl_error *error);

/* What a target is of. */
enum paradl_measure {
	PARADL_MEASURE_EPOCH,
	PARADL_MEASURE_ITERATION,
	PARADL_MEASURE_COST,   /* of an epoch */
	PARADL_MEASURE_ENERGY, /* of an epoch */
	PARADL_MEASURE_MEMORY,
	PARADL_MEASURE_COUNT
};
PARADL_API const char *paradl_measure_name(enum paradl_measure measure); /* "epoch" */
PARADL_API double paradl_measure(const struct paradl_estimate *estimate, enum paradl_measure measure);

/* How an input alone reaches a target. */
struct paradl_whatif_need {
	struct paradl_whatif_input input;
	bool reached;
	double times;                    /* that it takes; not reached: the last that was tried */
	double stops;                    /* the measure at `times` */
	struct paradl_estimate estimate; /* there */
};
struct paradl_whatif_target {
	enum paradl_measure measure;
	double wanted, has;
	struct paradl_estimate estimate;       /* without changes */
	const struct paradl_whatif_need *rows; /* reached ones first, the smallest change in front */
	size_t count, reached;
};
PARADL_API bool paradl_whatif_target(const struct paradl_whatif_request *request, enum paradl_measure measure,
	double wanted, struct paradl_arena *arena, struct paradl_whatif_target *target,
	struct paradl_error *error);

/* Two settings. */
struct paradl_whatif_pair {
	struct paradl_estimate before;
	struct paradl_whatif_point after; /* the same plan */
	bool has_best;                    /* a best plan was looked for */
	struct paradl_whatif_point best;
	/* Devices of the second that take no longer for a sample than those of the first, with the plan's other degrees and
	 * its batch for each device; 0: no number does. */
	double equal_devices;
	struct paradl_estimate equal;
};
PARADL_API bool paradl_whatif_pair(const struct paradl_whatif_request *before,
	const struct paradl_whatif_request *after, struct paradl_arena *arena,
	struct paradl_whatif_pair *pair, struct paradl_error *error);

#ifdef __cplusplus
}
#endif

#endif

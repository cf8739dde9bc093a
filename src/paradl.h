/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libparadl says how long one training step takes, what memory it needs and what limits it, for a network, a machine
 * and a way to divide the work. This header is the whole public API.
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
 * Threads: models, machines and frameworks are immutable and may be shared; an oracle is cheap and belongs to one
 * thread. There is no global state.
 * Numbers: they are in SI units, which every field names (_s _bytes _flop ...). No field is ever NaN, and none is
 * infinite unless its comment says so.
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
	int line, column;  /* position, 1-based; 0 when the error is not at a place in a file */
	char path[512];    /* path of the file; "" when there is none */
	char pointer[256]; /* JSON pointer (RFC 6901) into the file; "" is the whole document */
	char message[512];
	char hint[256]; /* advice on what to do; "" when the message says it all */
};

/*
 * Writes "path:line:col: /pointer: message" (the parts that are there; not the hint); returns what snprintf returns.
 */
PARADL_API int paradl_error_format(const struct paradl_error *error, char *text, size_t size);

/* ---- memory ------------------------------------------------------------------------------- */

struct paradl_arena;

/* Creates an empty arena; NULL when out of memory. */
PARADL_API struct paradl_arena *paradl_arena_create(void);
/* Frees an arena with all that was made in it; `arena` may be NULL. */
PARADL_API void paradl_arena_free(struct paradl_arena *arena);

/* ---- inputs ------------------------------------------------------------------------------- */

struct paradl_model;   /* a network: its layers and their shapes */
struct paradl_machine; /* devices, links, storage, price */
/* Behaviour of a training program: what it splits and overlaps, and what it pays per call. */
struct paradl_framework;

/*
 * Source of a document, for all functions that load one; members that are left out are NULL or 0.
 *
 *     paradl_machine_load(arena, &(struct paradl_source){.path = "abci", .directories = directories}, &error)
 *     paradl_model_load(arena, &(struct paradl_source){.path = "mine.json", .text = text, .length = length}, &error)
 *
 * One struct serves all kinds of documents, so that each kind can come from any source. Each kind has a function of
 * its own, so that the result has its type and compilers notice a mix-up. An input without which a document cannot be
 * read, such as the model of a plan for each layer, is an argument of its own.
 */
struct paradl_changes;
struct paradl_source {
	const char *path; /* a file, "-" for standard input, or a name to look up in `directories` */
	/* Text of the document, which then becomes the file `path` of the arena: see paradl_file_give. */
	const char *text;
	size_t length; /* length of `text` in bytes */
	/*
	 * Directories with models/, datasets/ and hw-profiles/ in them; NULL-terminated, kept by machines. NULL:
	 * `path` is a path.
	 */
	const char *const *directories;
	/*
	 * Changes to models, to machines with their devices and default frameworks, and to frameworks: each takes
	 * those of its own keys.
	 */
	const struct paradl_changes *changes;
};

/*
 * Gives a text a path, as sources with a text do: whatever is loaded into this arena, or into one within it, reads
 * the text where that path is asked for, the last text if several have it. It serves files that only other documents
 * name: "devices/mine.json" beside a machine, a table to validate. Path and text are copied. False: out of memory.
 */
PARADL_API bool paradl_file_give(
	struct paradl_arena *arena, const char *path, const char *text, size_t length);

/* Question as JSON: a command with its options as members. See paradl-ask(1). */
struct paradl_question {
	const char *text;
	size_t length;
	/* Directories with models/, hw-profiles/ ... in them: NULL-terminated; NULL: there are none. */
	const char *const *directories;
	unsigned threads; /* number of threads; 0: as many as there are processors */
};
/*
 * Returns the document that the command prints with --json, `length` bytes, or the form that "as" asks for, its text,
 * table or picture; or NULL with an error.
 */
PARADL_API const char *paradl_ask(struct paradl_arena *arena, const struct paradl_question *question,
	size_t *length, struct paradl_error *error);

/*
 * Returns the JSON Schema of the document that a command answers with ("advise"), all its quantities, or NULL with an
 * error.
 */
PARADL_API const char *paradl_schema(
	struct paradl_arena *arena, const char *command, struct paradl_error *error);

/*
 * Returns the path of a file: `name` if it is a path or a file, else the shipped file NAME.json found in `kind`
 * ("models") under one of `directories` (NULL-terminated; may be NULL). The name of a framework may have options:
 * "NAME+OPTION". NULL with an error: there is no such file.
 */
PARADL_API const char *paradl_find(struct paradl_arena *arena, const char *name, const char *kind,
	const char *const *directories, struct paradl_error *error);

/*
 * Reads a model from a paradl-model(5) file or from any format that paradl_import knows; see `imported` of
 * paradl_model_info.
 */
PARADL_API const struct paradl_model *paradl_model_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);
/*
 * Returns the same network with another data set, paradl-dataset(5); NULL, too, if the data set is not for such a
 * network.
 */
PARADL_API const struct paradl_model *paradl_model_with_dataset(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_source *source, struct paradl_error *error);
/* Returns whether samples of the model's data set could be its input. False: text says what is different. */
PARADL_API bool paradl_dataset_fits(const struct paradl_model *model, char *text, size_t size);
/*
 * Returns whether the model's classifier has as many outputs as its data set has classes, or one more. True, too,
 * where one of them is not known. False: text says how many there are.
 */
PARADL_API bool paradl_dataset_classes_fit(const struct paradl_model *model, char *text, size_t size);

/* Content of a data set's file; numbers that it does not give are 0, texts NULL. */
struct paradl_dataset_info {
	const char *name, *path;
	double samples, sample_bytes; /* number of samples and size of one, or else the next two */
	double tokens, token_bytes;
	double bytes;              /* bytes of the whole data set */
	double validation_samples; /* samples for validation, not among `samples` */
	double files, decoded_bytes, preparation_s, classes;
	const char *layout, *encoding;
};
PARADL_API bool paradl_dataset_load(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_dataset_info *info, struct paradl_error *error);

/*
 * Parses changes, under which files are read as if they said something else: "hw.levels.1.bandwidth=25 GB/s",
 * "device.peak.*=x1.2", "framework.passes=-10%", "model.dims.seq=8192". The key names a file and members, "*" for all
 * members. "x" and a factor, or a signed percentage, multiplies; anything else replaces, or adds a member.
 * PARADL_USAGE where it means nothing; loading fails so, too, where the file has nothing that a change names.
 */
PARADL_API const struct paradl_changes *paradl_changes_parse(
	struct paradl_arena *arena, const char *const *texts, size_t count, struct paradl_error *error);

/*
 * Reads a machine. Devices are looked up beside the profile, DIR/devices/NAME.json, and frameworks in
 * DIR/frameworks/; then in DIRECTORY/hw-profiles/ of each of the source's directories.
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

/* Dimensions of a transformer, as programs that train transformers ask for them; all 0 for other networks. */
struct paradl_dimensions {
	double blocks;          /* number of blocks between which pipelines are partitioned */
	double hidden, tokens;  /* width of a token; tokens of one sample */
	double heads, kv_heads; /* heads of attention; heads of its keys and values */
	/* Experts, and experts that each token takes, of the first layer with experts; 0: none has any. */
	double experts, top_k;
	double head_dim, value_dim; /* dimension of a head's queries and keys; of its values */
	/* Ranks and rotary dimension of latent attention; 0: it is not latent, or queries have no latent. */
	double query_rank, key_rank, rotary_dim;
	double feed_forward; /* width between the two products of a block; 0: all blocks have experts */
	double expert_width, shared_width; /* width of an expert; width of the expert that all tokens take */
	double dense_blocks;               /* blocks before the first with experts */
	double vocabulary, positions;      /* rows of the embedding; rows of learnt positions */
	const char *activation, *norm;     /* "silu", "rms"; NULL: the network has none */
	bool gated, tied, bias, qkv_bias, qk_norm, shared_gate, router_bias;
	double parameters; /* parameters of a decoder with just these dimensions; 0: the network is no such decoder */
	const char *beyond; /* what the network has beyond these: "sinks"; NULL: nothing that is known */
};

struct paradl_model_info {
	const char *name, *path, *dataset;
	double parameters;              /* number of weights, frozen ones included */
	double forward_flop_per_sample; /* a multiplication and an addition count as two */
	double samples;                 /* samples of one epoch; 0 = the model names no data set */
	double sequence;                /* tokens of one sample; 0 = the network takes none */
	double batch_per_gpu;           /* training.batch_per_gpu of the file; 0 = not given */
	enum paradl_precision precision;
	const char *optimizer;
	size_t layer_count; /* number of layers, repeats counted */
	bool generates;     /* whether it takes tokens and has causal attention: inference answers prompts */
	struct paradl_dimensions dimensions;
	const struct paradl_findings *imported; /* warnings of the import; NULL: a file in our own format */
};
PARADL_API struct paradl_model_info paradl_model_info(const struct paradl_model *model);

struct paradl_layer_info {
	const char *name, *type, *kind; /* kind: "max", "batch", ... or "" */
	char x[48], y[48];              /* shapes of input and output of one sample: "64x56x56" */
	double weight_items, forward_flop;
	double kept_items; /* activations of one sample that backward needs, in items */
	size_t distinct;   /* index of its row in paradl_estimate_layers */
};
PARADL_API struct paradl_layer_info paradl_model_layer(const struct paradl_model *model, size_t index);

/* Shape of a layer, for programs that run it. Extents are 1 beyond `dimensions`, which is 0 for vectors. */
struct paradl_layer_shape {
	const char *type, *kind; /* as in struct paradl_layer_info */
	unsigned dimensions, x_channels, y_channels, groups;
	unsigned x[3], y[3]; /* extents of input and output */
	/* Geometry of convolutions and poolings; else 0. */
	unsigned kernel[3], stride[3], pad[3], dilation[3];
	bool bias, backward_data; /* backward_data: whether the gradient of x is wanted */
	bool tokens;              /* whether it works on each token by itself: there are no extents */
};
PARADL_API struct paradl_layer_shape paradl_model_shape(const struct paradl_model *model, size_t index);

/* Matrix product of a layer of tokens: [tokens x rows] * [rows x columns]. */
struct paradl_layer_product {
	double tokens; /* tokens of one sample; routed: of one sample and expert, on average */
	double rows, columns;
	double count;               /* number of products of that size: 1, or the experts */
	bool cut_columns, cut_rows; /* whether the tensor axis splits columns, or rows */
};
/* Fills in product `number`, from 0, of layer `index`; false: the layer has no more. */
PARADL_API bool paradl_model_product(
	const struct paradl_model *model, size_t index, size_t number, struct paradl_layer_product *product);

struct paradl_machine_info {
	/* framework: the default one, or one for each kind of work. */
	const char *name, *path, *device, *framework;
	unsigned devices, devices_per_node;
	unsigned devices_per_host; /* devices of a host; a node's links may join several hosts */
	double memory_bytes;
	/* Mean time between failures of a node, and the time from a failure until loading begins; 0: not known. */
	double node_mtbf_s, restart_s;
	double price_per_device_hour; /* rent; if bought: equipment and staff, without energy; 0: not known */
	bool owned;                   /* whether it is bought; else it is rented, where there is a price */
	bool has_both_prices;         /* whether hw.price.basis can choose: "rent" or "purchase" */
	const char *currency;
	const char *const *assumed; /* paths of the numbers that are assumed, not measured or published */
	unsigned assumed_count;
	const char *const *device_assumed; /* paths of such numbers in its device's file: "product/wave" */
	unsigned device_assumed_count;
	const struct paradl_findings *imported; /* warnings of the import; NULL: a file in our own format */
	/* Device whose numbers stand for those that its device's file lacks; NULL: none. */
	const char *device_tied_to;
};
PARADL_API struct paradl_machine_info paradl_machine_info(const struct paradl_machine *machine);
/*
 * Returns the name of the framework profile that a machine runs by default to train `model` or, for inference, to
 * serve it.
 */
PARADL_API const char *paradl_machine_framework(
	const struct paradl_machine *machine, const struct paradl_model *model, bool inference);

struct paradl_framework_info {
	const char *name, *path, *summary;
	/* Mean relative error of totals on measured rows that it was not fitted to; 0 = unknown. */
	double known_error;
	unsigned assumed_count;
	const char *const *assumed; /* paths of the numbers that are assumed: "rules/loader_epoch" */
	unsigned assumption_count;
	const char *const *assumptions;
	unsigned overlaps; /* traffic that overlaps compute: set of enum paradl_overlap */
	bool serves;       /* whether it answers prompts, and trains nothing */
	/* Most tokens of prompts in a step; share of the memory that is used. */
	double serve_chunk, serve_memory;
	bool serve_narrow_cache; /* whether keys and values have 8 bits where weights have fewer than 16 */
	/* Source that loads it again: its path with the options in use, "NAME.json+OPTION". */
	const char *source;
	const char *family; /* profile of similar programs; NULL: none */
	/* Options that it has, "a, b": "NAME+OPTION" turns one on, "NAME+no-OPTION" off; "": none. */
	const char *options;
};
PARADL_API struct paradl_framework_info paradl_framework_info(const struct paradl_framework *framework);

/* ---- plans -------------------------------------------------------------------------------- */

/* Axes of parallelism, in the canonical order of placement, outermost first. */
enum paradl_axis {
	PARADL_DATA,
	PARADL_PIPELINE,
	PARADL_EXPERT,  /* experts are distributed; to all other layers it is one more data axis */
	PARADL_CONTEXT, /* the sequence of each sample is split */
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
	PARADL_INTERLEAVED, /* 1f1b over plan.chunks stages on each device */
	PARADL_ZERO_BUBBLE, /* gradients of weights apart from those of inputs; memory of 1f1b (ZB-1P, H1) */
	PARADL_ZERO_BUBBLE_2P, /* twice the memory of 1f1b */
	PARADL_ZERO_BUBBLE_V,  /* two stages on each device, forth and back */
	PARADL_SCHEDULE_COUNT
};

/* Activations that backward recomputes instead of keeping them. */
enum paradl_recompute {
	PARADL_RECOMPUTE_DEFAULT, /* the framework's default: mostly nothing */
	PARADL_RECOMPUTE_NONE,
	PARADL_RECOMPUTE_SELECTIVE, /* the attention scores, unless a fused kernel never stores them */
	PARADL_RECOMPUTE_FULL,      /* whole blocks */
	PARADL_RECOMPUTE_COUNT
};

/* Methods by which the context axis brings keys and values together. */
enum paradl_context_way {
	PARADL_CONTEXT_RING,
	PARADL_CONTEXT_GATHER,
	PARADL_CONTEXT_ULYSSES,
	PARADL_CONTEXT_COUNT
};

/* Methods by which tokens travel to the devices of their experts and back. */
enum paradl_dispatcher {
	PARADL_DISPATCHER_DEFAULT,    /* the framework's default */
	PARADL_DISPATCHER_ALL_TO_ALL, /* an all-to-all of the library, which carries a copy for each expert */
	PARADL_DISPATCHER_DEEPEP, /* kernels that send one copy to each device, and over the network to each node */
	/* The same at the full rate of the links, which sorts tokens by expert on the way. */
	PARADL_DISPATCHER_HYBRIDEP,
	PARADL_DISPATCHER_COUNT
};

/* Data kept in host memory. */
enum paradl_offload {
	PARADL_OFFLOAD_OPTIMIZER = 1,
	PARADL_OFFLOAD_WEIGHTS = 2,
	PARADL_OFFLOAD_ACTIVATIONS = 4
};

/* Traffic that overlaps compute, as far as the framework does that. */
enum paradl_overlap {
	PARADL_OVERLAP_GRADIENTS = 1, /* traffic of replicas: gradients, and gathers of sharded weights */
	PARADL_OVERLAP_TENSOR = 2,
	PARADL_OVERLAP_EXPERTS = 4
};

enum { PARADL_SPLIT_MAX = 64, PARADL_STAGES_MAX = 4096, PARADL_GATHER_TEXT = 64 };

struct paradl_plan {
	unsigned degree[PARADL_AXIS_COUNT]; /* devices along each axis, 1 if unused */
	unsigned spatial[3]; /* pieces along each dimension; their product is degree[PARADL_SPATIAL] */
	unsigned char order[PARADL_AXIS_COUNT]; /* a permutation of the axes, outermost first */
	double batch;                           /* global samples per iteration */
	double micro;                           /* samples per micro-batch and replica; 0 = the default */

	/* Options; all zero is the default. */
	enum paradl_pipeline_schedule schedule;
	unsigned chunks; /* stages on each device in an interleaved schedule */
	/* Level of sharding over the replicas: 1: optimizer states, 2: gradients too, 3: weights too. */
	unsigned zero;
	unsigned shard; /* replicas that share one copy under zero (hybrid sharding); 0: all of them */
	enum paradl_recompute recompute;
	unsigned recompute_blocks; /* blocks of each stage that are recomputed; 0: all */
	/* Sequence parallelism: tensors that the tensor axis leaves whole are split along the sequence. */
	bool sequence;
	enum paradl_context_way context;
	/* Whether the tensor axis splits experts too; else its devices join the expert axis. */
	bool expert_tensor;
	enum paradl_dispatcher dispatcher;
	unsigned offload;     /* data kept in host memory: set of enum paradl_offload */
	unsigned apart;       /* traffic that may not overlap compute: set of enum paradl_overlap */
	unsigned split_count; /* number of stages of a given split; 0: there is none */
	unsigned short split[PARADL_SPLIT_MAX]; /* blocks of each stage */
	/* Last layer that spatial pieces go through; "": as far as they can. */
	char gather[PARADL_GATHER_TEXT];
};

/* Characters of the longest plan as text, with the terminating 0. */
enum { PARADL_PLAN_TEXT = 768 };

/*
 * Parses a plan: "data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1" has axes outermost first, and
 * options in any place; aliases are dp pp ep cp tp, and letters d p f c s. Leaves batch 0. "serial" has all degrees
 * 1.
 */
PARADL_API bool paradl_plan_parse(const char *text, struct paradl_plan *plan, struct paradl_error *error);
/* Writes the text that parses back to the plan; returns what snprintf returns. */
PARADL_API int paradl_plan_format(const struct paradl_plan *plan, char *text, size_t size);
PARADL_API double paradl_plan_devices(const struct paradl_plan *plan);
/* Writes the axes in use in canonical order, "data+filter", or "serial" if none is; returns what snprintf returns. */
PARADL_API int paradl_plan_family(const struct paradl_plan *plan, char *text, size_t size);

/* ---- input: what feeds the devices ---------------------------------------------------------- */

/* Places where samples are kept while a network is trained. */
enum paradl_store {
	PARADL_STORE_AUTO,   /* the place that takes least time of those that have room */
	PARADL_STORE_SHARED, /* file system of the whole machine; every epoch reads all samples from there */
	PARADL_STORE_COPY,   /* disks of each node, which has all samples */
	PARADL_STORE_POOLED, /* disks of each node, which has a part and reads the rest from the others */
	/* Disks of each node, which has a part and reads no other: all shuffles but the global one. */
	PARADL_STORE_SHARD,
	PARADL_STORE_COUNT
};
/* Returns the name of a place: "shared". */
PARADL_API const char *paradl_store_name(enum paradl_store store);

/* Sets of samples from which those of a batch are drawn. */
enum paradl_shuffle {
	PARADL_SHUFFLE_GLOBAL, /* all samples */
	PARADL_SHUFFLE_LOCAL,  /* the worker's own part, the same in every epoch */
	PARADL_SHUFFLE_PARTIAL, /* its part, of which a share is exchanged every epoch (Nguyen et al., IPDPS'22) */
	PARADL_SHUFFLE_PAIRWISE, /* the same with one partner in each epoch, in one message per iteration */
	/* Its part, which stays: models go from worker to worker instead, several times in each epoch. */
	PARADL_SHUFFLE_MODELS,
	PARADL_SHUFFLE_COUNT
};
/* Returns the name of a shuffle: "global". */
PARADL_API const char *paradl_shuffle_name(enum paradl_shuffle shuffle);

/* Caches, by the files that stay in the memory of a node after they were read. */
enum paradl_cache {
	PARADL_CACHE_AUTO, /* page, except for files that a global shuffle reads from a shared file system */
	PARADL_CACHE_PAGE, /* the page cache of Linux */
	PARADL_CACHE_PINNED, /* files that came first stay (MinIO) */
	PARADL_CACHE_LRU,
	PARADL_CACHE_NONE,
	PARADL_CACHE_COUNT
};
/* Returns the name of a cache: "page". */
PARADL_API const char *paradl_cache_name(enum paradl_cache cache);

/* Options of input. All zero: what training programs usually do. */
struct paradl_input_options {
	bool off; /* input is not modelled at all */
	enum paradl_store store;
	enum paradl_shuffle shuffle;
	double exchanged; /* share of a worker's samples that is exchanged, for partial and pairwise */
	double hops;      /* times in an epoch that models go to other workers, for models */
	enum paradl_cache cache;
	double cache_bytes; /* memory of each node for the cache; 0: as the profile says */
	double epochs;      /* epochs over which caches fill; 0: 90 for samples, 1 for tokens */
	double workers;     /* cores that prepare samples for each device; 0: all that the node has for it */
	double prefetch;    /* batches read ahead; 0: enough that only the rates matter */
	bool in_turn;       /* whether reading and preparing wait for compute, and compute for them */
};

/* Resources that input uses. */
enum paradl_resource {
	PARADL_RESOURCE_SHARED,    /* rate of the shared file system */
	PARADL_RESOURCE_REQUESTS,  /* small reads of the shared file system */
	PARADL_RESOURCE_METADATA,  /* opens of the shared file system */
	PARADL_RESOURCE_CLIENT,    /* reads of one node from the shared file system */
	PARADL_RESOURCE_LOCAL,     /* disks of a node */
	PARADL_RESOURCE_PEERS,     /* network ports of a node */
	PARADL_RESOURCE_MEMORY,    /* memory of a node */
	PARADL_RESOURCE_CORES,     /* cores for preparation: decode, augment */
	PARADL_RESOURCE_HOST_LINK, /* link from host memory to devices */
	PARADL_RESOURCE_EXCHANGE,  /* exchange of samples between workers */
	PARADL_RESOURCE_DEVICES,   /* devices in the step itself: compute and its communication */
	PARADL_RESOURCE_COUNT
};
/* Returns the name of a resource: "shared". */
PARADL_API const char *paradl_resource_name(enum paradl_resource resource);
/* Returns a resource in words: "the shared file system". */
PARADL_API const char *paradl_resource_text(enum paradl_resource resource);

/* Risk that training without a global shuffle loses accuracy: a warning by evidence, never a prediction. */
enum paradl_risk { PARADL_RISK_NONE, PARADL_RISK_LOW, PARADL_RISK_MEDIUM, PARADL_RISK_HIGH };
/* Returns the name of a risk: "low". */
PARADL_API const char *paradl_risk_name(enum paradl_risk risk);

/* Cost of feeding a plan. Times are for one iteration unless named otherwise. */
struct paradl_input {
	/* False: the data set has no sample size, or the machine no storage; `lacking` says which. */
	bool known;
	/* If `known`: inputs that take no time here, since the profile says nothing about them; or NULL. */
	const char *lacking;
	bool possible;           /* whether the samples have room */
	char reason[160];        /* reason why they have not */
	enum paradl_store store; /* place where samples are kept, never AUTO */
	double readers;          /* workers that read samples of their own: replicas */
	double nodes;
	double share_per_reader; /* share of the data set that a worker keeps */
	/* Bytes stored on each node, and capacity of the disks or memory for them; 0: not known. */
	double stored_bytes_per_node, capacity_bytes;
	double cached_share; /* share of a node's reads that its memory serves */
	double staging_s;    /* staging, once before the first epoch */
	/* Time of each resource by itself, as if all others were free. */
	double resource_s[PARADL_RESOURCE_COUNT];
	/* straggler_s: what the slowest reader takes beyond fetch_s. */
	double fetch_s, straggler_s, preparation_s, transfer_s, exchange_s;
	double busy_s; /* step without input */
	double step_s; /* step with input */
	/* Parts of step_s - busy_s. */
	double stall_fetch_s, stall_straggler_s, stall_preparation_s, stall_exchange_s;
	double first_epoch_s, epoch_s; /* 0 without a number of samples; first: with cold caches */
	/* Parts of both epochs: the time until the first batch is there, and the extra time of the slowest worker. */
	double epoch_start_s, epoch_late_s;
	/* Validation after each epoch: samples are read, prepared and passed forward; in none of the times above. */
	double validation_s;
	double utilisation; /* busy_s / step_s */
	/* Rates at which all devices would take samples if input were free. */
	double bytes_per_s, samples_per_s;
	enum paradl_resource binding, next; /* bottlenecks: the largest and the second of resource_s */
	enum paradl_risk risk;
	double risk_points; /* percentage points of top-1 accuracy that the rule behind `risk` gives */
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
	PARADL_INPUT, /* wait for samples */
	PARADL_PHASE_COUNT
};
/* Returns the name of a phase: "gradient_exchange". */
PARADL_API const char *paradl_phase_name(enum paradl_phase phase);

struct paradl_options {
	bool ideal;  /* assumptions of the paper (Table III) instead of the calibrated ones */
	bool events; /* pipeline schedules followed event by event, also where a recurrence is as exact */
	bool quiet_network;      /* leaves out the waiting that other jobs and stragglers cause */
	bool override_precision; /* whether `precision` replaces the model's */
	enum paradl_precision precision;
	const char *optimizer;   /* optimizer; NULL = the model's */
	const char *layer_times; /* path of measured layer times; NULL = none */
	/*
	 * Allreduce algorithm of the gradient exchange, "ring"; "auto" = any; NULL = those of the framework's
	 * libraries.
	 */
	const char *algorithm;
	/* Compression of gradients: "none", "fp16", "topk:0.01", "auto" = the fastest of them; NULL = "none". */
	const char *compress;
	/*
	 * Inference: forward passes only. The batch of a plan is then the number of images or sequences of tokens
	 * that are answered at the same time. Sequences of networks that generate text have a prompt of
	 * `prompt_tokens` and get `output_tokens` (0: the most that fit the model's sequence, up to 1024 and 128).
	 */
	bool inference;
	double prompt_tokens, output_tokens;
	/*
	 * Clients: each sequence of a plan's batch belongs to a client that sends its next request when it has the
	 * last answer. requests: of all clients together, the first of each at once; 0: they never end. spread:
	 * answers are up to this share shorter than output_tokens.
	 */
	double requests, spread;
	/*
	 * Requests per second that come at random (Poisson) for all replicas, instead of from clients, however many
	 * are under way; batches of plans mean nothing then; 0: clients send them.
	 */
	double rate_per_s;
	/*
	 * Speculation: in each step, speculative_tokens of each sequence are guessed and checked, which gives
	 * accepted_tokens on average, from 1 to 1 + speculative_tokens; 0: none. The cost of guessing them is not
	 * counted.
	 */
	double speculative_tokens, accepted_tokens;
	/*
	 * Plan of devices that read prompts for those of the plans, which only answer: "data=2,tensor=4"; NULL: none.
	 */
	const char *prefill;
	/* Share of each prompt whose keys and values are in the cache from requests before. */
	double cached_prefix;
	struct paradl_input_options input;
	/* Threads of a search that takes longer than a moment; 0: as many as there are processors. */
	unsigned threads;
};

/* Statistics in a promise about requests: the mean, or the most that 50, 90 or 99 of 100 take. */
enum paradl_percentile { PARADL_MEAN, PARADL_P50, PARADL_P90, PARADL_P99, PARADL_PERCENTILE_COUNT };
/* Returns the name of a percentile: "p90". */
PARADL_API const char *paradl_percentile_name(enum paradl_percentile percentile);

/*
 * Promise: the most that answers take as a whole, until their first token, and from each token to the next; 0: no
 * limit.
 */
struct paradl_promise {
	double latency_s, first_s, token_s;
	enum paradl_percentile percentile; /* percentile of first_s and token_s */
};

/*
 * Times and rates of inference. estimate.iteration_s is the time until all requests of the batch have their whole
 * answer.
 */
struct paradl_inference {
	/* Tokens of each sequence; 0: it has no tokens; it generates none. */
	double prompt_tokens, output_tokens;
	/* Time of a request until its first token; of networks that generate none, until all have their answer. */
	double prompts_s;
	/* Time from each token to the next: a request's mean, with prompts of others in between. */
	double token_s;
	/* Error share of prompts_s, as error_share is that of the time of a token; negative: never compared. */
	double first_error_share;
	/*
	 * For text: time of a step without prompts; sequences that get a token in a step; time that reading one
	 * prompt adds for all; time that a request waits for prompts of others, and for memory.
	 */
	double step_s, sequences, prompt_s, wait_s;
	double first_percentile_s[PARADL_PERCENTILE_COUNT], token_percentile_s[PARADL_PERCENTILE_COUNT];
	double under_way;         /* requests under way on all replicas */
	double most_per_s;        /* most requests answered per second, if they come at a rate; else 0 */
	const char *prefill;      /* plan of the devices that read prompts; NULL: there are none */
	unsigned prefill_devices; /* number of devices that read prompts for the others; 0: there are none */
	/* Share of time that those devices read; time until keys and values of a prompt have reached the others. */
	double prefill_share, transfer_s;
	double tokens_per_s; /* tokens generated for all sequences, with the time of prompts */
	/* Tokens of prompts read per second, in all requests; share of the peak flop/s while tokens are made. */
	double prompt_tokens_per_s, token_flop_share;
	double cache_bytes_per_token;       /* keys and values of one token in all layers, over all devices */
	double largest_batch;               /* largest batch that fits in memory; 0: none does */
	double largest_batch_answers_per_s; /* samples, or whole answers, per second at that batch */
	double largest_batch_tokens_per_s;  /* tokens generated per second at that batch */
	/* Shares of iteration_s in kernels that are bound by reading memory, or by their launch. */
	double memory_share, launch_share;
	double cast_s; /* part of iteration_s that brings inputs of products to a narrow format */
};

/* Aspects in which an estimate leaves the range that its framework profile was checked on. */
enum paradl_unchecked {
	PARADL_UNCHECKED_FRAMEWORK, /* a framework never compared with measured runs */
	PARADL_UNCHECKED_SERVING,   /* serving never compared with measured runs */
	PARADL_UNCHECKED_DEVICE,
	/* Kernels of such a device were not measured alone: its numbers are another device's, or guessed. */
	PARADL_UNCHECKED_KERNELS,
	PARADL_UNCHECKED_DEVICES, /* more devices than in measured runs */
	PARADL_UNCHECKED_SEQUENCE,
	PARADL_UNCHECKED_PRECISION,
	PARADL_UNCHECKED_EXPERTS, /* mixtures of experts differ most from program to program */
	/* The host decides the time, and depends on more than a profile says. */
	PARADL_UNCHECKED_HOST,
	/* The dispatcher's kernels were not measured on the device, so links alone count. */
	PARADL_UNCHECKED_DISPATCHER,
	PARADL_UNCHECKED_RECURRENT, /* recurrent layers, whose kernels were compared with nothing */
	PARADL_UNCHECKED_OPTIONS,   /* other options of the framework's profile were on */
	PARADL_UNCHECKED_COUNT
};
PARADL_API const char *paradl_unchecked_text(enum paradl_unchecked unchecked);
struct paradl_estimate;
/*
 * Returns the share by which another plan for the same question must be slower to count as slower: half of
 * error_share, since plans share most of the unknowns; 0: nothing is claimed. Among 7,479 pairs of measured plans,
 * projected by a fit without their set, those further apart are in that order in 95 of 100 cases, nearer ones in 67;
 * with the shipped constants tests/validate/test_llm.c counts.
 */
PARADL_API double paradl_tie_share(const struct paradl_estimate *estimate);

/* Moments at which the fullest device holds most. */
enum paradl_moment {
	PARADL_MOMENT_PASS, /* networks of images: the backward of the worst layer */
	PARADL_MOMENT_BACKWARD, /* all micro-batches are in flight, and the backward of the largest block begins */
	PARADL_MOMENT_LOSS, /* scores of the vocabulary and their gradients on the last stage */
	PARADL_MOMENT_STEP, /* temporary copies of the optimizer */
	PARADL_MOMENT_COUNT
};
/* Returns the name of a moment: "backward". */
PARADL_API const char *paradl_moment_name(enum paradl_moment moment);

/* Memory of the fullest device at its peak moment; classes that a network or plan does not have are 0. */
struct paradl_memory {
	double weights_bytes, gradients_bytes, optimizer_bytes;
	/* Activations kept from forward to backward, and those of the block whose backward runs. */
	double activations_bytes;
	double logits_bytes;        /* scores of the vocabulary, their probabilities and gradients */
	double workspace_bytes;     /* scratch of kernels, temporary copies of the optimizer */
	double communication_bytes; /* weights gathered for a while, messages on their way */
	double context_bytes; /* runtime with its libraries and communicators, outside of the allocator */
	double fragmentation_bytes; /* memory that the allocator holds and cannot use */
	unsigned stage;             /* the fullest stage of a pipeline, from 1; 0: there is only one */
	double in_flight;           /* micro-batches whose activations the device holds */
	enum paradl_moment moment;
	double cache_bytes; /* keys and values, in inference */
};

enum paradl_limit_kind { PARADL_LIMITATION, PARADL_BOTTLENECK };

struct paradl_limit {
	enum paradl_phase phase;
	enum paradl_limit_kind kind; /* whether it is inherent in the method, or removable (paper, Table V) */
	double share;                /* share of the iteration */
	const char *text, *improve;  /* the limit in words, and what to improve next; constant texts */
};

struct paradl_estimate {
	struct paradl_plan plan; /* plan as it was asked for */
	unsigned devices;
	double local_batch;   /* samples of the fullest replica */
	double micro_batches; /* micro-batches per iteration and replica */
	bool uneven;          /* something did not divide evenly; the fullest PE counts */
	/* Seconds per iteration; exchanges include the part that compute hides. */
	double phase_s[PARADL_PHASE_COUNT];
	double compute_s, communication_s, exposed_communication_s;
	double waiting_s; /* part of the communication that waits for the slowest node */
	/* Host time of the tensors in the gradient exchange, which nothing hides. */
	double gradient_host_s;
	/* Part of waiting_s in the gradient exchange; the rest is in layer-wise calls. */
	double gradient_waiting_s;
	double iteration_s, iteration_quiet_s, epoch_s; /* epoch_s 0 without a data set */
	/*
	 * Time to read and prepare the samples of an iteration by itself; the part that compute does not hide is
	 * phase_s[PARADL_INPUT].
	 */
	double input_s;
	bool input_known; /* false: input is not modelled; paradl_input() says why */
	/*
	 * Algorithm, compression and messages of the gradients: "allreduce-ring" (among leaders, where there are) or
	 * "measured curve", "fp16"; NULL: they are not exchanged.
	 */
	const char *gradient_algorithm, *gradient_compression;
	double gradient_messages;
	double gradient_hidden_s; /* part of phase_s[PARADL_GRADIENT_EXCHANGE] that is hidden behind compute */
	/* Memory of the fullest PE at its peak moment, the sum of `memory`; capacity of the device. */
	double memory_bytes, capacity_bytes;
	struct paradl_memory memory;
	bool fits;
	double host_share; /* share of the devices' time that hosts need to launch their kernels, 1 at most */
	/*
	 * Likely error: nine of ten measured times are within iteration_s times 1 - and 1 + error_share. unchecked:
	 * aspects of this plan that no measured run has checked, a set of 1u << enum paradl_unchecked. Ideal:
	 * negative and none, since nothing is claimed.
	 */
	double error_share;
	unsigned unchecked;
	double samples_per_s, flop_per_s_per_device, mfu;
	/*
	 * Power and cost of all devices and what they need, facility included; paradl_power(), paradl_price() have
	 * the parts. Negative: the profile has no power / price; of an epoch also: no data set.
	 */
	double watt, cost_per_hour;
	double energy_joule_per_epoch, cost_per_epoch;
	struct paradl_limit limited_by;
	struct paradl_inference inference; /* inference; all 0 in training */
};

struct paradl_oracle;

/* Creates an oracle; framework NULL: the machine's default one. NULL with an error when it cannot. */
PARADL_API struct paradl_oracle *paradl_oracle_create(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine,
	const struct paradl_framework *framework, const struct paradl_options *options,
	struct paradl_error *error);
PARADL_API const struct paradl_framework *paradl_oracle_framework(const struct paradl_oracle *oracle);
/*
 * Returns the samples of an iteration where a question gives none. Inference of text: a client for each device. Else
 * the model's training.batch_per_gpu for each device, or the usual number: for networks that generate text the
 * tokens that GPT-3 of the same size had, rounded up to a multiple of the devices; for others 32 samples a device.
 */
PARADL_API double paradl_oracle_batch(const struct paradl_oracle *oracle, double devices);
/*
 * Returns the number of samples of `sequence` tokens that `tokens` make, rounded to three binary digits, so that
 * replicas and micro-batches can share it.
 */
PARADL_API double paradl_token_samples(double tokens, double sequence);
/*
 * Returns the number of dimensions of the network's input that spatial pieces may cut: 2 for images, 3 for volumes.
 */
PARADL_API unsigned paradl_oracle_dimensions(const struct paradl_oracle *oracle);

/*
 * Estimates one plan. False with PARADL_INFEASIBLE when the plan cannot run whatever the memory (message: why; hint:
 * what would make it run), PARADL_USAGE when it is not a plan for this machine. A plan that needs more memory than
 * there is succeeds with fits == false.
 */
PARADL_API bool paradl_estimate(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);
/*
 * Estimates many plans, each as paradl_estimate does; the more neighbours in the list have in common, the less time
 * it takes. The estimate of a plan that cannot run has 0 devices, and paradl_estimate says why. False on any other
 * error; estimates from there on are not filled.
 */
PARADL_API bool paradl_estimate_many(struct paradl_oracle *oracle, const struct paradl_plan *plans,
	size_t count, struct paradl_estimate *estimates, struct paradl_error *error);

/* Activities of a device, in shares of an iteration. */
enum paradl_activity {
	PARADL_COMPUTING,  /* kernels bound by arithmetic */
	PARADL_STREAMING,  /* all other kernels, bound by memory */
	PARADL_EXCHANGING, /* waits in communication that nothing hides */
	PARADL_IDLING,     /* waits for its turn in a pipeline */
	PARADL_STARVING,   /* waits for input, or for the host to launch kernels */
	PARADL_ACTIVITY_COUNT
};
/* Returns the name of an activity: "compute". */
PARADL_API const char *paradl_activity_name(enum paradl_activity activity);

/*
 * Mean power during an iteration. A part that a profile does not give is 0; total_watt negative: the device's power
 * is not known.
 */
struct paradl_power {
	double nodes;                              /* whole nodes; their other devices are idle */
	double share[PARADL_ACTIVITY_COUNT];       /* share of the iteration in each activity; the sum is 1 */
	double device_watt[PARADL_ACTIVITY_COUNT]; /* power of one device in each activity */
	double idle_watt; /* power that all devices of the nodes take whatever they do */
	double dynamic_watt[PARADL_ACTIVITY_COUNT]; /* power of all devices on top, by activity */
	double host_watt;                           /* power of the nodes without devices */
	double network_watt; /* power of switches and cables outside nodes, by the share of the machine's nodes */
	double storage_watt; /* power of storage, likewise */
	double cooling_watt; /* whole overhead of the facility: (pue - 1) of the above */
	double total_watt;   /* sum of all parts */
	double pue;
};
/* Computes the mean power of an estimate of this oracle; in inference, over the whole request. */
PARADL_API void paradl_power(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_power *power);

/*
 * Price of an hour, in the machine's currency; total_per_hour negative: the profile has no price, or not the power
 * that it needs.
 */
struct paradl_price {
	bool owned;   /* whether it is owned; else it is rented, and all is in rent_per_hour */
	double nodes; /* whole nodes that are paid */
	double rent_per_hour;
	double node_per_hour;    /* purchase of the nodes, by the hours that they work */
	double network_per_hour; /* purchase of the network, likewise, the nodes' share */
	double maintenance_per_hour, staff_per_hour;
	double energy_per_hour; /* energy for total_watt */
	double total_per_hour;  /* sum of all parts */
	double energy_per_kwh;  /* price of energy; 0: in the rent, or not given */
};
PARADL_API void paradl_price(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_price *price);

/*
 * Computes the cost of feeding an estimated plan; options NULL: those of the oracle. The plan of the estimate is not
 * evaluated again.
 */
PARADL_API void paradl_input(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_input_options *options, struct paradl_input *input);

/*
 * Returns whether the program that the framework stands for has all that the plan asks for. False: text is what it
 * lacks, "zero=2 with pipelines". Estimates take any plan; in ideal mode and in inference it is always true.
 */
PARADL_API bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size);

/* Change that makes a plan fit that needs more memory than there is. */
struct paradl_remedy {
	struct paradl_plan plan;
	char change[96];                  /* changed options: "recompute=full", "zero=1,offload=optimizer" */
	double memory_bytes, iteration_s; /* memory and time of the changed plan */
	double slower; /* share of the iteration that the change costs; negative: it is faster */
};
/*
 * Finds a change, for networks of tokens, with which a plan fits on the same devices with the same batch: the first
 * that fits among sequence=on, recompute=selective, full, zero=1, 2, 3, half the micro-batch, twice the tensor or
 * pipeline degree at half of data, offload=optimizer; else the fastest two of them that do. False: none does, or the
 * plan fits as it is.
 */
PARADL_API bool paradl_remedy(
	struct paradl_oracle *oracle, const struct paradl_estimate *estimate, struct paradl_remedy *remedy);

/*
 * Distinct layer of a plan: what the fullest PE does with it per iteration. Layers of all stages are listed, so that
 * with p stages a device does about 1/p of the sum; recomputation, host time and exchanges of weights are not
 * included.
 */
struct paradl_layer_estimate {
	const char *name, *type;
	unsigned count; /* number of identical layers; times are for all of them */
	char split[32]; /* axes that split the layer: "spatial+filter"; "" = replicated */
	double forward_s, backward_s, weight_update_s, communication_s;
	double weights_bytes, activations_bytes;
};
struct paradl_layer_table {
	const struct paradl_layer_estimate *rows;
	size_t count;
};
PARADL_API bool paradl_estimate_layers(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_layer_table *table, struct paradl_error *error);

/* Term of the sum that a time is: a formula, the numbers put in, the result. */
struct paradl_term {
	enum paradl_phase phase;
	double seconds;
	char formula[120], numbers[200];
};
/* Load on links during a step of training, hidden behind compute or not. */
struct paradl_link_load {
	bool across;    /* whether these are links between nodes; else they are inside nodes */
	const char *by; /* source of the load: an axis, "gradients", or "weights" that replicas gather */
	double seconds, share; /* time on the links, and its share of the step */
};
struct paradl_explanation {
	const struct paradl_term *terms;
	size_t count;
	const struct paradl_link_load *loads; /* fullest links first, and on them the largest loads */
	size_t load_count;
};
PARADL_API bool paradl_explain(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_explanation *explanation, struct paradl_error *error);

/*
 * Gains in a step from another algorithm for the gradients (none below 2 % is reported), and from each part of a mix.
 */
struct paradl_algorithm_gains {
	/* Library whose algorithms a plan takes, "nccl"; NULL: those that the framework lists. */
	const char *library;
	/* Algorithm taken where a ring takes longer, "allreduce-double-tree"; NULL: it does not. */
	const char *taken;
	const char *outside;      /* fastest algorithm that the library does not have; NULL: none is faster */
	double ring_s, outside_s; /* time of an iteration, with a ring and with `outside` */
	/*
	 * Where an algorithm or a compression was asked for: time of an iteration by rings, uncompressed and with
	 * nothing hidden (0: not asked for), and how much shorter it is by the algorithm, then by the overlap with
	 * compute, then by the compression on top.
	 */
	double plain_s, by_algorithm_s, by_overlap_s, by_compression_s;
};
PARADL_API bool paradl_algorithm_gains(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_algorithm_gains *gains, struct paradl_error *error);

/* Work of a device of a pipeline during a step. */
enum paradl_work {
	PARADL_WORK_INPUT, /* wait for samples */
	PARADL_WORK_FORWARD,
	/* Recomputation included; without the gradients of weights where those have their own time. */
	PARADL_WORK_BACKWARD,
	PARADL_WORK_WEIGHTS,  /* gradients of weights in zero-bubble schedules */
	PARADL_WORK_EXCHANGE, /* exchanges of replicas that nothing hides, and waiting for them */
	PARADL_WORK_UPDATE,
	PARADL_WORK_COUNT
};
/* Returns the name of a kind of work: "forward". */
PARADL_API const char *paradl_work_name(enum paradl_work work);

struct paradl_event {
	double start_s, end_s;
	/* Numbers from 0; stage: device + a multiple of devices for interleaved ones. */
	unsigned device, stage, micro_batch;
	enum paradl_work work;
};

/*
 * Timeline of a pipeline. Forward and backward include exchanges of layers and the part of messages that blocks them;
 * a device is idle between events.
 */
struct paradl_timeline {
	unsigned devices, chunks; /* devices of the pipeline; virtual stages of each */
	double micro_batches;
	const struct paradl_event *events; /* events by device, then by time */
	size_t count;
	/* Forward and backward of all micro-batches; with zero bubble that of the slowest device. */
	double schedule_s;
	double step_s; /* time of the step: iteration_s */
	/* End of the last event: later than step_s where devices begin the next step early (zero bubble). */
	double end_s;
};
/* Fills the timeline of a plan with pipeline stages that paradl_estimate takes, with the same times. */
PARADL_API bool paradl_timeline(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_timeline *timeline, struct paradl_error *error);

/* ---- input: which way to feed the devices --------------------------------------------------- */

/* Way in which samples get to the workers. */
struct paradl_input_way {
	enum paradl_store store; /* AUTO: shared for global shuffles, else shard */
	enum paradl_shuffle shuffle;
	double exchanged, hops;
};

struct paradl_input_row {
	struct paradl_input_way way;
	struct paradl_input input;
	double finish_s; /* time of all epochs, with staging before them; 0: not known */
	/*
	 * Epochs after which staging has paid off, against reading from the shared file system; 0: nothing is staged;
	 * negative: never.
	 */
	double break_even_epochs;
	/* Basis of `input.risk`: samples of a worker, and of these samples of each class; 0: not known. */
	double samples_per_reader, samples_per_class;
};

/* Change that makes input faster; its gain was evaluated, not guessed. */
struct paradl_input_fix {
	const char *name;                        /* "pack" */
	const char *text;                        /* "pack the files into shards of 1 GB" */
	const char *option;                      /* option that asks for it: "--workers 8"; NULL: none does */
	double step_s, utilisation, saved_share; /* times with the fix; saved_share: of the step without it */
	enum paradl_resource binding;            /* bottleneck with the fix */
};

/* Amount of something that is needed. */
struct paradl_input_need {
	const char *name; /* "memory_bytes_per_node" */
	const char *text; /* "memory per node for samples, so that reading stalls nothing" */
	double has;       /* amount there is; negative: not known */
	double needs;     /* amount needed; negative: none is enough; HUGE_VAL: it is never the bottleneck */
	int dimension;    /* unit of amounts: 0: a count, 1: bytes, 2: a share */
	int enough;       /* whether `has` suffices; negative: it is not known */
};

/* One plan with ways to feed it. */
struct paradl_input_case {
	struct paradl_estimate estimate;
	/*
	 * Ways to feed the plan: global shuffles come first, the best of them in front (within 2 % the one that needs
	 * less staging); then the others; ways that are impossible last.
	 */
	const struct paradl_input_row *rows;
	size_t row_count;
	/* Fixes of rows[0], the cheapest first, and what it takes to have no stalls. */
	const struct paradl_input_fix *fixes;
	size_t fix_count;
	const struct paradl_input_need *needs;
	size_t need_count;
	const struct paradl_explanation *explanation;
};

struct paradl_input_table {
	const struct paradl_input_case *cases;
	size_t count;
	double epochs, sample_bytes, samples, classes; /* values used; 0: not known */
};

struct paradl_input_request {
	const struct paradl_plan *plans; /* plans with their batches */
	size_t plan_count;
	const struct paradl_input_way *ways; /* ways to try; NULL: the usual ones */
	size_t way_count;
	struct paradl_input_options options; /* options that all ways have in common */
	double epochs;                       /* epochs; 0: 90, for networks of tokens 1 */
};

/*
 * Evaluates each plan with each way to feed it. PARADL_USAGE: too little is known of data set and machine; the hint
 * says what is missing.
 */
PARADL_API bool paradl_input_table(struct paradl_oracle *oracle, const struct paradl_input_request *request,
	struct paradl_arena *arena, struct paradl_input_table *table, struct paradl_error *error);

/* ---- advice: every strategy for some devices, ranked --------------------------------------- */

/*
 * Goals. Throughput: in inference, with the largest batch that fits (in searches: with the plan's own, as limits
 * are); training has one batch, so there it is time.
 */
enum paradl_goal { PARADL_TIME, PARADL_MEMORY, PARADL_COST, PARADL_ENERGY, PARADL_THROUGHPUT };

/*
 * Returns the value that an estimate is ranked by, smaller is better; time stands in where cost or energy is not
 * known.
 */
PARADL_API double paradl_goal_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

struct paradl_request {
	unsigned devices;
	double batch;      /* samples of an iteration; 0 = per_device * devices */
	double per_device; /* samples of each device; 0 = paradl_oracle_batch() */
	double micro;      /* samples per micro-batch; 0 = the default */
	enum paradl_goal goal;
	const char *strategies; /* families as a comma list: "data,data+spatial"; NULL = all */
	bool all_members;       /* whether to keep every feasible plan, not only the best of each family */
	const char *options;    /* options of all plans: "zero=1,recompute=full"; NULL: they are chosen */
	/*
	 * Promise of inference. Where one is made and neither batch nor rate is given, each plan has the batch of 1,
	 * 2, 4, ... requests for each replica that is best within it, by throughput instead of time.
	 */
	struct paradl_promise promise;
};

struct paradl_infeasible {
	char family[64];                 /* family of plans: "filter" */
	char strategy[PARADL_PLAN_TEXT]; /* plan that came closest: "filter=256" */
	char reason[256], needs[256];
};

struct paradl_ranking {
	unsigned devices;
	double batch;                          /* samples of an iteration; 0: each plan has its own */
	const struct paradl_estimate *results; /* estimates, best first */
	size_t count;
	const struct paradl_infeasible *infeasible;
	size_t infeasible_count;
	size_t evaluated; /* number of plans looked at */
	double margin;    /* value of results[1] / results[0]; 0 with fewer than two */
	bool tie;         /* whether the margin is within paradl_tie_share */
	/* Goal that orders the plans: throughput instead of time where their batches differ. */
	enum paradl_goal goal;
};
/*
 * Finds and ranks plans for a number of devices. With options.prefill, plans have those of request->devices that the
 * devices which read prompts leave.
 */
PARADL_API bool paradl_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_ranking *ranking, struct paradl_error *error);
/*
 * Finds the devices of the request that should read prompts for the others, by advice for each of some forty ways:
 * replicas of 1, 2, 4, ... devices of a node, which cut layers or distribute experts, on an eighth to seven eighths
 * of all. *prefill: their plan, for options.prefill; NULL: none runs.
 */
PARADL_API bool paradl_prefill_choose(const struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_arena *arena, const char **prefill,
	struct paradl_error *error);

/* ---- search: the best of all plans, proven --------------------------------------------------- */

/* Choices that a search varies, in addition to the degrees of the axes. */
enum paradl_vary {
	PARADL_VARY_ORDER, /* order of the axes: which of them are neighbours */
	PARADL_VARY_MICRO, /* samples per micro-batch: divisors of the local batch */
	/* Schedule of pipelines, with every number of stages on a device that divides the blocks. */
	PARADL_VARY_SCHEDULE,
	PARADL_VARY_RECOMPUTE, /* recomputation: nothing, attention scores, whole blocks */
	PARADL_VARY_ZERO,      /* level of sharding over replicas: 0 to 3 */
	PARADL_VARY_SHARD,     /* replicas that share one copy: divisors of the data degree */
	PARADL_VARY_SEQUENCE,  /* sequence parallelism, on and off */
	PARADL_VARY_EXPERTS,   /* experts whole, or cut by the tensor axis */
	PARADL_VARY_CONTEXT,   /* context method: ring, gather, ulysses */
	PARADL_VARY_OVERLAP,   /* overlaps, among those that the framework has */
	PARADL_VARY_OFFLOAD,   /* offload to host memory; only when asked for */
	PARADL_VARY_BATCH,     /* batch in inference: 1, 2, 4, ... */
	PARADL_VARY_COUNT
};
/* Returns the name of a choice: "order". */
PARADL_API const char *paradl_vary_name(enum paradl_vary vary);

/* Processes that search together: each of them calls paradl_search with the same request but for the rank. */
struct paradl_team {
	unsigned rank, size;
	/*
	 * Exchanges the findings of a round: `mine` are those of this member, *all becomes the bytes of each member,
	 * one after the other, by rank, and stays until the next call. Members that were lost are missing; the others
	 * do their work again. False: this process cannot go on.
	 */
	bool (*exchange)(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes);
	void *context;
};

struct paradl_search_request {
	const unsigned *devices; /* numbers of devices to look at, ascending */
	size_t device_count;
	double batch, per_device, micro; /* as in struct paradl_request */
	enum paradl_goal goal;
	const char *strategies; /* comma list of families; NULL = all that mean something to this network */
	const char *options;    /* options of all plans: "zero=1,recompute=full"; NULL: none */
	/* Comma list of names of enum paradl_vary, "none"; NULL: all but offload; "+offload": that too. */
	const char *vary;
	bool exhaustive; /* whether every plan is evaluated, and none proved away */
	size_t keep;     /* sets of degrees of which the best plan is kept; 0 = 1 */
	double gap;      /* share by which the answer may miss the optimum; 0: not at all */
	unsigned pareto; /* goals that are traded: set of 1u << enum paradl_goal; 0: no front */
	/* Two axes, as a set of 1u << enum paradl_axis: the best plan for each pair of degrees; 0: no map. */
	unsigned map;
	/* Constraints on a plan; 0: none. Time and cost are for `samples` (0: those of one epoch). */
	double samples, deadline_s, budget;
	/*
	 * Checkpoints and failures, which time and cost then include for a deadline or budget; NULL: the steps alone
	 * count.
	 */
	const struct paradl_run_request *job;
	struct paradl_promise promise; /* promise of inference */
	/* Where no plan meets the constraints, the search need not say what comes closest, which is faster. */
	bool unexplained;
	unsigned threads;               /* number of threads; 0: as the oracle's options say */
	const struct paradl_team *team; /* team of processes; NULL: this process alone */
	/* Called by one thread with the numbers of plans done and of all; NULL: nobody is told. */
	void (*progress)(void *context, double done, double all);
	void *progress_context;
};

/* Reasons why plans were not evaluated one by one. */
enum paradl_cut {
	PARADL_CUT_DEGREES, /* they cannot run: too few samples, heads, filters ... */
	PARADL_CUT_MEMORY,  /* the least memory that any of them needs is more than there is */
	PARADL_CUT_BOUND,   /* the least time that any of them takes is more than a known plan's */
	PARADL_CUT_COUNT
};
PARADL_API const char *paradl_cut_text(enum paradl_cut cut);

struct paradl_map_cell {
	unsigned devices, degree[2]; /* degrees of the axes of the request, in canonical order */
	bool runs, fits;             /* whether a plan runs, and fits; runs: `best` is filled */
	struct paradl_estimate best; /* best plan that fits, else the one that lacks least memory */
};

/* Result of a search. It is the same for any number of threads and processes. */
struct paradl_search {
	/* Best plans, best first; each has another set of degrees or number of devices. */
	const struct paradl_estimate *results;
	size_t count;
	double margin; /* value of the second / value of the first, with keep > 1; 0: there is no second */
	/* Number of results that cannot be told from the first, itself included. */
	size_t equal;
	/* Plans than which no other is better in all goals; sorted by the first goal. */
	const struct paradl_estimate *front;
	size_t front_count;
	const struct paradl_map_cell *cells;
	size_t cell_count;
	double plans;     /* number of plans in the whole space */
	double evaluated; /* number of plans evaluated one by one */
	double cut[PARADL_CUT_COUNT];
	/* Lower bound of the goal's value: no plan has less. It is the first result's, unless there was a gap. */
	double lower_bound;
	double gap; /* value of the first result / lower_bound - 1 */
	/* Where there is no result, the plan that came closest; strategy "": none did. */
	struct paradl_infeasible closest;
};

/*
 * Returns the value by which plans are compared when devices or batches differ: that of one sample, smaller is
 * better.
 */
PARADL_API double paradl_search_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

/*
 * Finds the best of all plans by exact branch and bound. A part of the space is left out only when a bound proves
 * that no plan in it fits, or is better than one already known. Among plans with the same value the first of the
 * space counts.
 */
PARADL_API bool paradl_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error);

/* ---- whole runs: training from the first step to the last ---------------------------------------- */

/* Rules for when training saves what it needs to go on. */
enum paradl_checkpoints {
	PARADL_CHECKPOINTS_BEST,  /* the interval that makes the run shortest */
	PARADL_CHECKPOINTS_EVERY, /* every interval_s of work */
	PARADL_CHECKPOINTS_NONE   /* only at the end; a failure begins the run anew */
};

/* Question about a run; at least one of `samples` and `limit_s` is not 0. */
struct paradl_run_request {
	double samples; /* samples to train with; 0: as many as limit_s allows */
	double limit_s; /* time that the run may take; 0: no limit */
	enum paradl_checkpoints checkpoints;
	double interval_s;
	bool asynchronous; /* whether devices wait only for the copy to host memory */
	/* Rate at which all nodes together write checkpoints; 0: as the profile's storage says. */
	double write_bytes_per_s;
	/*
	 * Mean time between failures of a node; 0: the profile's, else what Llama 3 405B is recalled to have had;
	 * negative: none fails.
	 */
	double node_mtbf_s;
	/* Time from a failure until loading begins: notice, schedule, start; 0: the profile's, else 10 min. */
	double restart_s;
};

/*
 * Run of a training, in expected values. Evaluation on other data is not included. Values that are not known are
 * negative.
 */
struct paradl_run {
	bool possible; /* false: more fails than is done; times are then of the steps alone */
	bool in_time;  /* whether it is possible and takes no longer than limit_s */
	/* Data missing for checkpoints and failures, which are then left out; or NULL. */
	const char *lacking;
	double samples, iterations, epochs; /* amount of training; epochs: negative without a data set */
	double work_s;                      /* time of the steps, each once */
	double time_s;                      /* time from begin to end */
	double checkpoints_s, restarts_s, lost_s; /* parts of time_s; lost_s: steps whose results were lost */
	double checkpoint_bytes, checkpoint_s; /* one checkpoint: its size, and the time until it is stored */
	double checkpoint_wait_s;              /* time that devices wait for one checkpoint */
	double checkpoints, interval_s;        /* number of checkpoints, and the work before each */
	double best_interval_s;
	/* Mean time between failures of a node, and of all nodes that work; 0: nothing fails. */
	double node_mtbf_s, mtbf_s;
	bool mtbf_is_usual; /* whether node_mtbf_s is an assumption */
	/* Number of failures; time of each until the next step, loading included. */
	double failures, restart_s;
	double energy_joule, cost;
};

/* Computes a run with an estimated plan; the samples of the request are those of the whole run. */
PARADL_API void paradl_run(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run);

/* ---- uncertainty: what is not known of a machine ------------------------------------------------- */

/* Groups of numbers that may be off independently of each other. */
enum paradl_doubt {
	PARADL_DOUBT_FRAMEWORK,  /* error of the model with this program: estimate.error_share */
	PARADL_DOUBT_COMPUTE,    /* rates of products */
	PARADL_DOUBT_MEMORY,     /* rates of memory */
	PARADL_DOUBT_NODE_LINKS, /* rates and latencies inside a node */
	PARADL_DOUBT_NETWORK,    /* rates and latencies between nodes */
	PARADL_DOUBT_STORAGE,
	PARADL_DOUBT_HOST,
	PARADL_DOUBT_POWER, /* power: for energy, and for cost where energy is paid */
	PARADL_DOUBT_PRICE, /* prices: for cost */
	PARADL_DOUBT_COUNT
};
/* Returns the name of a group: "compute". */
PARADL_API const char *paradl_doubt_name(enum paradl_doubt doubt);

struct paradl_range {
	double value, low, high; /* a value and its range; negative: not known */
};
/* Returns whether all of a range is below all of another; ranges that overlap are equal. */
PARADL_API bool paradl_range_before(const struct paradl_range *one, const struct paradl_range *other);

/* Amounts that plans on different machines are compared by; less is better. */
enum paradl_amount {
	PARADL_AMOUNT_TIME,   /* iteration; inference: time until a request has its whole answer */
	PARADL_AMOUNT_COST,   /* cost of an iteration; inference: of an answered token, or sample */
	PARADL_AMOUNT_ENERGY, /* energy of the same */
	PARADL_AMOUNT_FIRST,  /* inference of text: time to the first token */
	PARADL_AMOUNT_TOKEN,  /* inference of text: time from one token to the next */
	PARADL_AMOUNT_WORK,   /* inference: seconds of a device for each token, or sample */
	PARADL_AMOUNT_COUNT
};

/* Uncertainty of an iteration of a plan. */
struct paradl_uncertainty {
	/* Share by which numbers of the group may be off; 0: there are none. */
	double share[PARADL_DOUBT_COUNT];
	/* Kind of their origin, "measured"; NULL for the framework and where there are none. */
	const char *origin[PARADL_DOUBT_COUNT];
	/* Range of the time when the group alone is off; power, price: of the cost. */
	struct paradl_range effect[PARADL_DOUBT_COUNT];
	struct paradl_range amounts[PARADL_AMOUNT_COUNT]; /* ranges with all groups together */
	/*
	 * Set of 1u << enum paradl_doubt: with numbers of the group that much worse the plan no longer runs, so that the
	 * range has only better ones.
	 */
	unsigned fails;
};

/*
 * Study of how far off estimates of the oracle may be: the plan is estimated again with each group of numbers faster
 * and slower by as much as their origin leaves open. It makes oracles in `arena`, which later calls with the same
 * study use again.
 */
struct paradl_study;
PARADL_API struct paradl_study *paradl_study_create(
	struct paradl_arena *arena, struct paradl_oracle *oracle, struct paradl_error *error);
PARADL_API bool paradl_uncertainty(struct paradl_study *study, const struct paradl_estimate *estimate,
	struct paradl_uncertainty *uncertainty, struct paradl_error *error);

/* ---- comparing machines -------------------------------------------------------------------------- */

/*
 * Comparison of models on machines: each pair has the best plan of its number of devices. All oracles train, or all are
 * of inference; then costs and energies are of a million generated tokens (networks that generate none: samples).
 */
struct paradl_compare_request {
	/* Oracle of model i on machine j: [i * machine_count + j]; NULL: the machine cannot run it. */
	struct paradl_oracle *const *oracles;
	size_t model_count, machine_count;
	const double *samples; /* samples of the whole training, for each model; inference: NULL */
	/* For each machine, the worth of one unit of its currency in the common one; 0: not known. */
	const double *rates;
	/* Numbers of devices: each machine has its best plan on each; not with the next two. */
	const unsigned *devices;
	size_t device_count;
	/* Deadline: each machine has the fewest devices that finish by then; 0: none. */
	double deadline_s;
	/* Budget: each machine has the devices that finish first for it, in the common currency; 0: none. */
	double budget;
	/* Samples of an iteration or of each device; both 0: what the model says for each device. */
	double batch, per_device;
	const char *strategies, *options; /* as for paradl_advise */
	struct paradl_promise promise;    /* as for paradl_advise */
};

struct paradl_compare_cell {
	size_t model, machine;
	unsigned devices; /* number of devices; 0: none meets the request */
	bool runs;        /* whether it runs; else `reason` says why not */
	char reason[160];
	struct paradl_estimate estimate;
	struct paradl_uncertainty uncertainty;
	/* For all samples, or a million tokens; cost in the common currency, else in the machine's. */
	struct paradl_range amounts[PARADL_AMOUNT_COUNT];
	/* Whether the cost is in the common currency, and the machines are paid for alike. */
	bool cost_compares;
	enum paradl_amount best_by; /* amount that chose the plan: time, or work where batches differ */
	/*
	 * Ranks among the machines with the same question, from 1; several have the same rank where ranges overlap.
	 * 0: not known.
	 */
	unsigned ranks[PARADL_AMOUNT_COUNT];
};

/* Crossing: between two numbers of devices, or two models, another machine becomes the first. */
struct paradl_compare_crossing {
	size_t model; /* index of the second model */
	/* The numbers of devices; before 0: the crossing is between this model and the one before it. */
	unsigned before, devices;
	size_t from, to; /* machines that are first before and after */
	bool clear;      /* whether their ranges do not overlap on either side */
};

struct paradl_comparison {
	const struct paradl_compare_cell *cells;         /* cells by model, number of devices, machine */
	size_t model_count, device_count, machine_count; /* device_count 1 with a deadline or budget */
	const struct paradl_compare_crossing *crossings;
	size_t crossing_count;
};

PARADL_API bool paradl_compare(const struct paradl_compare_request *request, struct paradl_arena *arena,
	struct paradl_comparison *comparison, struct paradl_error *error);

/* ---- a plan for each layer -------------------------------------------------------------------- */

/*
 * Part of a network: layers [first, end), as paradl_model_layer counts them, and their plan: degrees over the devices
 * of their stage, and the options zero, shard, recompute, sequence, experts, context. Its pipeline degree is 1; batch
 * and micro-batches are those of the whole. Parts of a network of tokens begin and end where a pipeline may be
 * partitioned: between blocks.
 */
struct paradl_layered_part {
	unsigned first, end;
	unsigned stage; /* stage of the pipeline, from 1 */
	struct paradl_plan plan;
};

/* Plan for each layer: parts in order, covering every layer once. */
struct paradl_layered {
	unsigned devices, stages; /* number of devices and stages; each stage has devices / stages */
	double batch;
	/* Micro-batches per iteration, the same for all parts; 0: as for a plan of all layers. */
	double micro_batches;
	enum paradl_pipeline_schedule schedule;
	const struct paradl_layered_part *parts;
	size_t part_count;
};

/*
 * Estimates a plan for each layer, as paradl_estimate does. Where neighbours are divided differently, tensors are
 * redistributed: estimate.phase_s has that in PARADL_ACTIVATION_EXCHANGE. estimate.plan is the plan of the part that
 * takes longest, local_batch the largest of any part.
 */
PARADL_API bool paradl_estimate_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	struct paradl_estimate *estimate, struct paradl_error *error);

/*
 * Reads a plan for each layer from a file, paradl-plan(5); paradl_layered_write writes one. Loading fails where the
 * file is for another network or a layer is in no part, or in two; the plan is not compared with a machine. Writing
 * replaces the file at once or leaves it as it was.
 */
PARADL_API bool paradl_layered_load(struct paradl_arena *arena, const struct paradl_model *model,
	const struct paradl_source *source, struct paradl_layered *layered, struct paradl_error *error);
PARADL_API bool paradl_layered_write(const struct paradl_model *model, const struct paradl_layered *layered,
	const char *path, struct paradl_error *error);

/* Times of a part in one iteration, on a quiet network. */
struct paradl_layered_row {
	unsigned part;
	double forward_s, backward_s; /* passes; backward includes recomputation */
	double update_s;
	double exchange_s, halo_s; /* layer-wise exchanges and halos, hidden or not, in seconds */
	double gradient_s;         /* gradient exchange of its weights, hidden or not */
	double weights_bytes, activations_bytes;
};

/* Redistribution of a tensor: what layer `from` makes is read by layer `to`. */
struct paradl_redistribution {
	unsigned from, to; /* indices of layers */
	unsigned devices;  /* devices of the smallest aligned blocks within which it happens */
	/* Bytes that a device lacks per iteration: of the tensor in forward, of its gradient in backward. */
	double bytes[2];
	double s[2];
	/* Whether all devices of a block need the same. Meaningless where bytes are 0. */
	bool gathers[2];
};

struct paradl_layered_explanation {
	const struct paradl_layered_row *rows; /* a row for each part */
	size_t row_count;
	const struct paradl_redistribution *moves; /* redistributions that take time */
	size_t move_count;
	/* Time of part i under other plan k: other_s[i * other_count + k]; negative: it cannot run. */
	const double *other_s;
	size_t other_count;
};
/* Explains a plan for each layer. others: plans for all layers, to compare with. */
PARADL_API bool paradl_explain_layered(struct paradl_oracle *oracle, const struct paradl_layered *layered,
	const struct paradl_plan *others, size_t count, struct paradl_arena *arena,
	struct paradl_layered_explanation *explanation, struct paradl_error *error);

struct paradl_layers_request {
	unsigned devices;
	double batch, per_device; /* as in struct paradl_request */
	const char *strategies;   /* families that layers may have, as a comma list; NULL: all */
	const char *options;      /* options of all plans: "zero=1"; NULL: none */
	unsigned ways;            /* largest number of plans that a layer may choose from; 0: 24 */
	bool one_stage;           /* whether to leave out pipelines, which take longer to search */
	unsigned threads;         /* number of threads, for pipelines; 0: as the oracle's options say */
	double gap;               /* share by which the answer may miss the optimum; 0: 0.001 */
	/*
	 * For one_stage, only answers below this time count (0: any), and so little is spent that some just below it
	 * are missed.
	 */
	double below_s;
};

/* Result of a search for a plan for each layer; the same for any number of threads. */
struct paradl_layered_search {
	struct paradl_layered best; /* best plan; parts are the longest runs of layers with the same plan */
	struct paradl_estimate estimate;
	/* Fastest of the same plans when used for all layers; devices 0: none fits. */
	struct paradl_estimate uniform;
	/* For networks of tokens, the fastest single plan, with a pipeline or not; devices 0: none. */
	struct paradl_estimate single;
	const struct paradl_plan *ways; /* plans that every layer could have */
	unsigned way_count;
	/* Least time found on a quiet network, which is the objective. */
	double objective_s;
	/* Lower bound: no choice of these plans for each layer takes less on a quiet network. */
	double lower_bound_s;
	/* Time of that choice with waiting: if `uniform` is faster, that is the answer. */
	double objective_usual_s;
	double gap;       /* objective_s / lower_bound_s - 1 */
	size_t evaluated; /* number of plans for the whole network that were evaluated to find the ways */
	size_t labels;    /* number of partial choices that the solver looked at */
};
/*
 * Finds the best choice of one plan for each layer, in one stage. For networks of tokens it also looks for a pipeline
 * whose stages have plans of their own, and takes one that is faster than that and than `single`; nothing is proved
 * of these (best.stages > 1). PARADL_INFEASIBLE when no choice fits, or none was found; with stages only, objective_s
 * and what follows from it are 0.
 */
PARADL_API bool paradl_search_layers(struct paradl_oracle *oracle,
	const struct paradl_layers_request *request, struct paradl_arena *arena,
	struct paradl_layered_search *search, struct paradl_error *error);

/* ---- sample hiding: training with fewer samples than all ------------------------------------------ */

enum { PARADL_STEPS_MAX = 16 };

/* Number that changes with the epochs: value[i] from epoch from[i] on, counted from 0. */
struct paradl_steps {
	unsigned count; /* number of values; 0: not given */
	double value[PARADL_STEPS_MAX], from[PARADL_STEPS_MAX];
};
/*
 * Parses steps: "1@0,0.8@30,0.6@60" or "0.6"; values are shares from 0 to 1. For caps (epochs not NULL) also the name
 * of a published schedule, which sets *epochs: imagenet, cifar100, cords, long, fractal.
 */
PARADL_API bool paradl_steps_parse(
	const char *text, struct paradl_steps *steps, double *epochs, struct paradl_error *error);

struct paradl_hide_request {
	const char *sampler; /* sampler; NULL: "kakurenbo" */
	double fraction; /* F, share of samples that may be spared; negative: what the sampler's inventors used */
	double tau;      /* confidence below which a sample is not hidden; negative: 0.7 */
	/* Factors of F; count 0: ImageNet's steps, scaled to `epochs`. */
	struct paradl_steps caps;
	struct paradl_steps retention; /* share of the candidates that stay hidden; count 0: 0.6 */
	/* Measured shares of hidden samples by epoch, instead of caps and retention; NULL: none. */
	const double *hidden;
	size_t hidden_count; /* number of measured shares; later epochs are like the last */
	double hidden_cost;  /* phi: cost of a hidden sample / cost of a trained one; 0: 1/(1+ratio) + 0.1 */
	double ratio;        /* time of backward / forward; 0: the estimate's */
	/* Epochs (0: 90); warm_up: epochs before learning rates are raised (negative: 5). */
	double epochs, warm_up;
	double samples;     /* samples of the data set; 0: the model's */
	double epoch_s;     /* measured epoch with all samples, to which times are scaled; 0: none */
	double candidate_s; /* host time to look at one candidate; negative: that of a Python loop */
	/* Whether each worker chooses among its own samples; else all choose among all, as released programs do. */
	bool distributed;
};
/* Returns a request in which nothing is given. */
PARADL_API struct paradl_hide_request paradl_hide_usual(void);

struct paradl_hide_epoch {
	double epoch;                          /* number of the epoch, from 1 */
	double cap;                            /* share of samples that may be spared */
	double candidates, moved_back, hidden; /* numbers of samples */
	double rate_factor;                    /* factor of the learning rate: 1 / (1 - cap) */
	double time_s, saved_s;
};

/* Effect of a sampler on the training. */
struct paradl_hide_training {
	const char *sampler, *summary, *source;
	double fraction;                        /* share that may be spared; negative: the sampler has none */
	double mean_cap, mean_hidden;           /* mean shares over the epochs */
	double reads, forward, backward, steps; /* work of the mean epoch, relative to that of a plain one */
	double probe_s;                         /* time of a probe before the training */
	double exchange_s, order_s, candidates_s; /* overheads of a mean epoch */
	double epoch_s;                           /* time of a mean epoch */
	double training_s, saved_s, saved_share;
	double free_saved_share; /* saved_share if input were free */
	double memory_bytes;     /* memory of each process, on the host */
};

/* Reasons why a sampler does or does not save time. */
enum paradl_hide_verdict {
	PARADL_HIDE_SAVES,
	PARADL_HIDE_OFF,      /* no sample is spared */
	PARADL_HIDE_INPUT,    /* sparing would save time, but input takes as long all the same */
	PARADL_HIDE_OVERHEADS /* the sampler's overheads are more than it spares */
};
/* Returns the name of a verdict: "input". */
PARADL_API const char *paradl_hide_verdict_name(enum paradl_hide_verdict verdict);

struct paradl_hide {
	struct paradl_estimate estimate;
	struct paradl_input input;
	double samples, epochs, warm_up, tau, ratio, hidden_cost;
	struct paradl_steps caps, retention;
	double scale;              /* factor from projected to measured epochs; 1 without a measured one */
	double step_s, fed_step_s; /* time of a step without input, and with the wait for it */
	double forward_s, backward_s, update_s; /* parts of step_s */
	/* Time of a step of as many hidden samples, without and with the wait for input. */
	double hidden_step_s, fed_hidden_step_s;
	enum paradl_resource hidden_binding; /* input resource that hidden samples wait for, if they do */
	/* Rates at which training, and the forward pass alone, would read. */
	double samples_per_s, hidden_samples_per_s;
	double plain_epoch_s, plain_training_s; /* time of an epoch and of the training with all samples */
	double exchange_bytes;                  /* bytes that workers sum up in an epoch */
	const struct paradl_hide_epoch *rows;   /* epochs of the sampler that was asked for */
	size_t count;
	const struct paradl_hide_training *trainings; /* results of all samplers */
	size_t training_count, chosen;
	enum paradl_hide_verdict verdict;
};
PARADL_API bool paradl_hide(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_hide_request *request, struct paradl_arena *arena, struct paradl_hide *hide,
	struct paradl_error *error);

/* ---- validation: projections against a CSV of measurements ---------------------------------- */

struct paradl_accuracy {
	double compute, communication, total; /* accuracies, 0..1; negative: not measured */
};

/* A row with unit "request" is of serving: total_s is of each token, first_s until the first. */
struct paradl_measured_row {
	const char *model, *hw, *strategy, *family, *framework, *set, *includes, *unit, *source;
	int line;
	double batch;
	struct {
		double compute_s, communication_s, total_s, memory_bytes, first_s;
	} measured, projected; /* values per unit; negative: none */
	struct paradl_accuracy accuracy;
	const char *skipped; /* reason why the row is skipped, or NULL */
	const char *id;      /* name as a published result has it; NULL: none */
	/*
	 * For published results: options of the plan that the source does not print ("vpp, recompute") and for which
	 * a likely value was searched; words that were not understood. NULL: none.
	 */
	const char *incomplete, *unread;
	/*
	 * Likely errors of total_s and first_s: nine of ten measured times are within this share of the projection,
	 * wider by what the row leaves open; negative: nothing is claimed.
	 */
	double error_share, first_error_share;
	/* Whether the program's timers do not separate compute from communication: then neither is scored. */
	bool total_only;
};

/* Word of published results that was not understood, or that the nearest known one stands for. */
struct paradl_word {
	const char *column, *text, *problem;
	size_t rows;
};

struct paradl_score {
	const char *name; /* name of a family or a set; "" for the summary */
	size_t rows, skipped;
	struct paradl_accuracy mean;
	/* Errors of totals and of memory, percent; memory negative: not measured. */
	double mape, bias, memory_mape;
	/* Ranking over groups of rows that differ in strategy only; tau -2: there is no group. */
	double kendall_tau, regret_mean, regret_max;
	double median, worst; /* median and largest error of totals, percent */
	size_t groups;
	/*
	 * Mean errors in percent, negative where there are no rows: of the rows that are projected, of those whose
	 * plan is printed and of those whose plan is not. (mape counts a skipped row as 100 %.)
	 */
	double projected_mape, complete_mape, incomplete_mape;
	size_t incomplete;
	/* Share of the projected rows whose measured total is within the likely error; negative: there are none. */
	double inside;
	/* The same three of the time to the first token; negative: no row has one. */
	double first_mape, first_median, first_inside;
};

struct paradl_validation {
	const struct paradl_measured_row *rows;
	size_t count;
	struct paradl_score summary;
	const struct paradl_score *by_strategy, *by_set;
	size_t strategy_count, set_count;
	/* Share of pairs of one group that are ranked as measured; negative: there is no pair. */
	double rank_pairs_right;
	size_t rank_pairs;
	/*
	 * Whether these are results in the columns of published tables; ranking in the summary is then the mean over
	 * sets.
	 */
	bool published;
	size_t left_out; /* published rows that are not complete enough to score */
	const struct paradl_word *words;
	size_t word_count;
};

struct paradl_lookup {
	const char *const *directories; /* directories with models/, hw-profiles/ in them; NULL-terminated */
	const char *hw, *framework;     /* override those of the rows; NULL = nothing is overridden */
	struct paradl_options options;
	bool all_rows; /* whether to score published results that are not complete, too */
};
PARADL_API bool paradl_validate(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, struct paradl_validation *validation, struct paradl_error *error);

/* ---- constants from measurements ---------------------------------------------------------------- */

/* Number of a profile that a fit has set. */
struct paradl_fit_place {
	const char *file, *name; /* file and path of the number: "devices/a100-sxm4-80gb", "product.wave" */
	/* Values in SI units; before: as the profile has it, negative where no row uses it. */
	double before, value;
	int bound; /* place of the constant within its range: -1 at the lower bound, 1 at the upper, 0 inside */
};

struct paradl_fit_constant {
	const char *unit, *meaning; /* unit: "s", "B", "B/s" or "" */
	double value, prior, low, high;
	double standard_error;
	/* Share of the knowledge about the constant that comes from the rows, not from the prior. */
	double known;
	bool identified;
	int bound;
	/* Numbers that the constant sets; the first gives it its name. */
	const struct paradl_fit_place *places;
	size_t place_count;
	size_t rows; /* number of rows that depend on it */
};

struct paradl_fit_set {
	const char *name;
	size_t rows;
	/* Mean error, percent; before: with the profiles as they are. */
	double before, after;
	double bias; /* bias after the fit */
	/* Mean error under a fit to the other sets; negative: not asked for, or no constant is free. */
	double left_out;
	/* Share of its rows that are then within their likely error, which rests on the other sets, too. */
	double inside;
	/* Median of these likely errors; inside and half_width are negative as left_out is. */
	double half_width;
};

/* Statement of a profile on its errors. */
struct paradl_fit_knowledge {
	const char *file;    /* file of the profile: "frameworks/nemo-2024" */
	const char *checked; /* runs that it was compared with, as JSON; NULL: those of a family */
	double known_error;  /* mean error of rows in sets that were left out */
};

struct paradl_fit {
	const struct paradl_fit_constant *constants;
	const struct paradl_fit_set *sets;
	size_t constant_count, set_count;
	size_t rows, skipped; /* number of rows; skipped: those that cannot be projected */
	/* With leave_each_out, over all sets that were left out; else negative, and no knowledge. */
	double inside, half_width;
	const struct paradl_fit_knowledge *knowledge;
	size_t knowledge_count;
	double objective_before, objective; /* half the sum of squared residuals; before: at the priors */
};

struct paradl_fit_request {
	const char *constants; /* path of the list of free constants; NULL: the shipped list */
	const char *leave_out; /* set that is left out of the fit; NULL: none */
	bool leave_each_out;   /* whether to fit again without each set */
	unsigned restarts;     /* number of further starts of the search */
};
PARADL_API bool paradl_fit(struct paradl_arena *arena, const char *csv_path,
	const struct paradl_lookup *lookup, const struct paradl_fit_request *request, struct paradl_fit *fit,
	struct paradl_error *error);
/* Writes the constants into DIRECTORY/devices/NAME.json and DIRECTORY/frameworks/NAME.json. */
PARADL_API bool paradl_fit_write(struct paradl_arena *arena, const struct paradl_fit *fit,
	const char *directory, struct paradl_error *error);

/* ---- calibration: numbers of a machine from measured points ------------------------------- */

/* Files that numbers go to: the machine's profile, and its device's beside it. */
enum paradl_fitted_file { PARADL_FITTED_MACHINE, PARADL_FITTED_DEVICE };

/* Number of a profile with its origin. */
struct paradl_fitted_number {
	enum paradl_fitted_file file;
	const char *path; /* path of the number: "levels/0/latency" */
	const char *unit; /* unit: "s", "B/s", "flop/s", "B", "W" or "" */
	/* Value in SI units; low..high: 95 % over launches, or their range; equal: not known. */
	double value, low, high;
	bool is_range;             /* whether low..high is the range, of fewer than 4 launches */
	unsigned points, launches; /* numbers of points and launches that it rests on */
	double residual;           /* median relative error of the fit; negative: nothing was fitted */
	const char *from;          /* origin: "calibrate mpi, 5 launches, 2026-11-22" */
	double was;                /* value in the profile before; negative: it had none */
	const char *was_from;      /* origin of that value; NULL: none */
};

/*
 * Segment of a curve of times over sizes at one number of nodes: a_s + s_per_byte * bytes, and straight between one
 * segment and the next.
 */
struct paradl_fitted_segment {
	double from_bytes, a_s, s_per_byte;
	double upto_bytes; /* last point of the segment */
};
enum { PARADL_FITTED_SEGMENTS_MAX = 4 };
struct paradl_fitted_curve {
	const char *operation, *library, *buffer; /* buffer is "host" or "device" */
	unsigned nodes, devices, groups; /* devices of one group; number of groups at the same time */
	unsigned point_count, launches;
	/* Points, ascending in bytes; bytes are those of the whole vector. */
	const double *bytes, *time_s, *low_s, *high_s;
	const unsigned *flags; /* flags of each point: set of enum paradl_point_flag */
	struct paradl_fitted_segment segments[PARADL_FITTED_SEGMENTS_MAX];
	unsigned segment_count;
	/* Median relative errors; held out: of every other size; negative: too few points. */
	double segment_error, held_out_error, interpolation_error;
};
enum paradl_point_flag {
	PARADL_POINT_NOISY = 1,
	PARADL_POINT_BIMODAL = 2,
	PARADL_POINT_NOT_MONOTONE = 4,
	PARADL_POINT_OUTLIERS = 8,
	PARADL_POINT_FEW_LAUNCHES = 16
};

/* Point that a fit does not follow. */
struct paradl_outlier {
	const char *file;
	int line;
	const char *point, *text; /* text says why: "3.1 times the other launches" */
};

enum paradl_severity { PARADL_NOTE, PARADL_SUSPECT, PARADL_BAD };
struct paradl_verdict {
	enum paradl_severity severity;
	const char *judge; /* name of the check: "tcp-fallback" */
	const char *text;  /* finding, with the number that it rests on */
	const char *check; /* advice on what to look at or try */
	const char *where; /* place: "FILE:LINE", "levels/1/latency" or NULL */
	/* Whether a profile from these samples would be wrong and look right; paradl_calibration_refused. */
	bool refuses;
};

struct paradl_calibration {
	const struct paradl_fitted_number *numbers;
	const struct paradl_fitted_curve *curves;
	const struct paradl_outlier *outliers;
	const struct paradl_verdict *verdicts;
	size_t number_count, curve_count, outlier_count, verdict_count;
	size_t files, launches, points, failed, torn; /* numbers of items read */
	const char *samples, *hosts; /* texts for origins: "sha256 3fb2...", "g0001" or "4 hosts" */
};

/*
 * Fits numbers to files of samples (paradl-samples(5)), or to output of nccl-tests, the OSU benchmarks, fio and IOR.
 * `machine`, the profile that is to be changed, says what is known and expected; NULL: a new machine.
 */
PARADL_API bool paradl_calibration_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_machine *machine, struct paradl_calibration *calibration,
	struct paradl_error *error);
/*
 * Returns the verdict for which no profile should be written from the calibration: "contended", "residual"; NULL:
 * none.
 */
PARADL_API const char *paradl_calibration_refused(const struct paradl_calibration *calibration);
/*
 * Puts numbers and curves into `machine` and its device, with their origins, and writes them to `path` and
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

/* Ways to leave rows out of a fit, which tell what it is worth beyond them. */
enum paradl_kernels_left_out {
	PARADL_LEAVE_FOLDS,   /* leaves out a fifth of the shapes, five times */
	PARADL_LEAVE_DEVICES, /* leaves out each device, which gets the constants that all others share */
	PARADL_LEAVE_SHAPES   /* leaves out all but `shapes` random rows of each kind and number format */
};

struct paradl_kernels_request {
	const char *const *directories; /* directories with hw-profiles/ in them; NULL-terminated */
	const char *device;             /* device whose rows alone are read; NULL: all */
	const char *device_path;        /* file of the device; NULL: hw-profiles/devices/NAME.json */
	bool single; /* whether rows of several devices are an error: a file is to be written */
	bool fit;    /* whether to fit; else device files are only scored */
	enum paradl_kernels_left_out left_out;
	size_t shapes;
	size_t draws; /* number of draws of shapes, one after the other */
	unsigned long seed;
};

/* Errors of kernels of one kind, number format and size, as shares: |modelled / measured - 1|. */
struct paradl_kernel_errors {
	const char *device, *kind, *precision, *size; /* "all": for all devices, or sizes, together */
	size_t rows;
	double mean, median, bias; /* errors of the device file; bias: median of modelled / measured - 1 */
	double fitted_mean, fitted_median; /* errors of the fit; negative: nothing was fitted */
	double left_out_mean, left_out_median;
	double left_out_low, left_out_high; /* least and largest mean over draws of shapes */
	double left_out_ratio;              /* left_out_mean / fitted_mean */
	/* Mean share of the modelled time that brings inputs to a narrow format, with its launch. */
	double quantizing;
};

/* Number of a device file. */
struct paradl_kernel_number {
	const char *device, *path, *unit; /* path is "product/wave"; unit is "s", "B", "B/s" or "" */
	double value, low, high;          /* value and 95 % range by leaving out folds; equal: not known */
	double was;                       /* value in the device file; negative: it has none */
	size_t rows;
};

/*
 * Kernel with its times. The modelled time uses constants that were fitted without this kernel, where it was left
 * out.
 */
struct paradl_kernel_point {
	const char *device, *kind, *precision, *shape;
	double flop, bytes; /* operations and bytes that are needed at least */
	double measured_s, modelled_s;
};

/* Limit of the kernels of a device: its peak in a number format ("flop/s"), or its memory ("B/s"). */
struct paradl_kernel_roof {
	const char *device, *what, *unit;
	double rate; /* rate of the limit; 0: not known */
};

struct paradl_kernels_passed {
	const char *what; /* kind and number format of the rows: "gemm int8_wo" */
	size_t rows;
};

struct paradl_kernels {
	const struct paradl_kernel_errors *errors;
	const struct paradl_kernel_number *numbers;
	const struct paradl_kernels_passed *passed; /* rows of number formats without a formula */
	const struct paradl_kernel_point *points;   /* points of all rows */
	const struct paradl_kernel_roof *roofs;
	size_t error_count, number_count, passed_count, point_count, roof_count, rows;
	const char *samples;             /* digests of the files that were read */
	const char *const *device_paths; /* paths of the device files that were scored */
};

/* Returns whether a file is a table of kernel times (paradl-fit(1)). */
PARADL_API bool paradl_kernels_known(struct paradl_arena *arena, const char *path);
/* Scores device files on tables of kernel times, and fits the numbers in them that are about kernels. */
PARADL_API bool paradl_kernels_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_kernels_request *request, struct paradl_kernels *kernels,
	struct paradl_error *error);
/* Writes the numbers of the only device to `path`, into a copy of its file if there is none yet. */
PARADL_API bool paradl_kernels_write(struct paradl_arena *arena, const struct paradl_kernels *kernels,
	const char *path, struct paradl_error *error);

/* ---- networks ------------------------------------------------------------------------------- */

/*
 * Inventory of a network: counts, distances as routed, cables laid out on a floor of racks, standing power, price. A
 * bundle of parallel cables counts as that many. Where the profile does not give a price or a power, it is negative.
 */
struct paradl_inventory {
	/* Whether the profile has no routed network: it is the tree of its levels, one switch for each domain. */
	bool schematic;
	unsigned devices;
	unsigned nics; /* ports of nodes (or of devices without nodes) towards the network's first switches */
	unsigned switches;      /* switches of the network */
	unsigned node_switches; /* switches inside nodes */
	double switch_ports;    /* ports used on all switches of the network together */
	double most_ports;      /* most ports used on one switch, or on one device where devices relay */
	double cables;          /* all cables: the sum of the following four */
	double node_cables;     /* cables between devices of a node, to its switch, to its NICs */
	double port_cables;     /* cables from NICs to the first switches */
	double switch_cables;   /* cables between switches, or between devices that relay */
	double global_cables;   /* cables between groups of switches */
	double one_way_links;   /* one-way links: two for each full-duplex cable */
	/* Links on the longest route between two devices, the insides of switches left out. */
	double diameter_hops;
	double mean_hops; /* mean number of links over all ordered pairs of devices */
	/*
	 * Number of devices whose routes to all others the two values above rest on; 0: all. The diameter is then a
	 * bound.
	 */
	unsigned sampled;
	/* Rate from one half of the devices to the other; negative: no link on the way has a rate. */
	double bisection_bytes_per_s;
	unsigned racks;
	double cable_m, longest_cable_m; /* length of all cables outside nodes, and of the longest */
	double rack_cables;              /* cables outside nodes that stay inside a rack */
	double copper_cables;            /* cables between racks, no longer than copper reaches */
	double optical_cables;           /* longer cables between racks, with two transceivers each */
	double cables_watt, switches_watt, nics_watt; /* power when nothing is sent */
	double static_watt;                           /* sum of those that are known */
	/* Prices of the network outside nodes, in the machine's currency. */
	double cables_price, switches_price, price;
};

/* ---- collectives: one operation of a group of devices, by every algorithm ---------------------- */

/*
 * Collective operations. Their sizes ("bytes") are always those of the whole vector; all-to-all: what each rank sends
 * in total.
 */
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
/* Returns the name of an operation: "allreduce". */
PARADL_API const char *paradl_operation_name(enum paradl_operation operation);
/* Parses an operation's name, or an alias in use: all_reduce, alltoall, ar, bcast, sendrecv ... */
PARADL_API bool paradl_operation_parse(
	const char *text, enum paradl_operation *operation, struct paradl_error *error);

struct paradl_network; /* cables and routes; holds scratch, so it belongs to one thread */

PARADL_API struct paradl_network *paradl_network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error);

/* Network that nobody has built: "torus:8x8x8". */
struct paradl_paper {
	const char *topology;
	/* Machine with the cables and start-up times to use; NULL: the next two alone count. */
	const struct paradl_machine *machine;
	/* Rate and latency of every cable, instead of the machine's; 0: the machine's. */
	double cable_bytes_per_s, cable_latency_s;
	/* Whether cables between routers share the rate at which the router's devices can send; see `share`. */
	bool equal_ports;
	double rate; /* factor of all cables' rates; 0 is 1 */
};
PARADL_API struct paradl_network *paradl_network_on_paper(
	struct paradl_arena *arena, const struct paradl_paper *paper, struct paradl_error *error);

struct paradl_network_info {
	const char *name; /* text of the topology, or name of the machine */
	unsigned devices, devices_per_node;
	/* Whether it has a simulator's factors, so that a band of error against NCCL does not apply. */
	bool calibrated;
	bool schematic; /* whether it is a tree of the levels of a profile without a routed network */
	double cable_bytes_per_s; /* rate of the cables that leave a device (or its node's port) */
	/* Latency of such a cable; time of every message beyond its route's. */
	double cable_latency_s, message_s;
	double share;            /* equal_ports: share of that rate on a cable between routers; 1: all */
	double waiting_watt;     /* power of a device that waits; negative: not known */
	bool waiting_is_assumed; /* whether it is a share of the busy power, because no idle power is given */
};
PARADL_API struct paradl_network_info paradl_network_info(const struct paradl_network *network);
PARADL_API bool paradl_network_inventory(struct paradl_arena *arena, const struct paradl_network *network,
	struct paradl_inventory *inventory, struct paradl_error *error);

enum paradl_placement { PARADL_IN_ORDER, PARADL_SCATTERED, PARADL_RANDOM };

struct paradl_collective_request {
	enum paradl_operation operation;
	unsigned ranks;      /* number of ranks; 0: as many as there are places for */
	unsigned concurrent; /* number of groups that run it at the same time; 0 is 1 */
	/* Devices from a rank to the next; 0: as many as groups run at the same time. */
	unsigned stride;
	enum paradl_placement placement; /* scattered: ranks go to the nodes in turn */
	unsigned seed;                   /* seed of a random placement: a shuffle of all devices */
	/* Density of sparse vectors, 0: dense; overlap: how much supports coincide, 0 to 1. */
	double density, overlap;
	/* Algorithms as a comma list, "ring" for "allreduce-ring"; "all"; NULL: the library's, or all. */
	const char *algorithms;
	/*
	 * Library whose algorithms alone count: "nccl", "rccl", "openmpi", "mpich", "mpi", "xla", "fpga"; "any": all.
	 * NULL: as for `algorithms`.
	 */
	const char *library;
	const double *bytes; /* sizes, ascending */
	size_t count;
	/* Whether all times are those of steps one after another: no messages are followed. */
	bool steps;
	/*
	 * Whether to leave out the effect of choices on links, which takes longer to find out; those values are then
	 * as for "not known".
	 */
	bool brief;
};

enum paradl_time_origin { PARADL_MODELLED, PARADL_MEASURED, PARADL_INTERPOLATED, PARADL_EXTRAPOLATED };

struct paradl_collective_row {
	double bytes;
	/*
	 * Time: measured where it was, else that of the best algorithm, followed message by message, or its steps one
	 * after another.
	 */
	double time_s;
	/* Least of both times, and of steps in which no link ever idles; = time_s where that makes no difference. */
	double least_s;
	double most_s; /* larger of both times */
	enum paradl_time_origin origin;
	double error_share; /* error of times from measurements; negative: not known */
	size_t choice;      /* index of the best algorithm in the table's choices */
	double model_s;     /* time of that algorithm by the model */
	size_t next;        /* index of the second best; = choice: there is none */
	double margin;      /* share by which the second best takes longer */
	/* Rates as in nccl-tests: bytes / time; times the operation's factor. */
	double bytes_per_s, bus_bytes_per_s;
	/*
	 * Power and energy of all groups together: links in use (as studies of collectives count), all gear, devices
	 * that wait; negative: not known.
	 */
	double links_watt, links_joule, gear_watt, gear_joule, waiting_watt, waiting_joule;
};

/* Algorithm, at each size in the variant that is best there. */
struct paradl_collective_choice {
	const char *algorithm, *summary, *source;
	bool sparse;
	const double *time_s, *least_s, *most_s;  /* times by row */
	const char *const *variants;              /* variants by row; "" where there is only one */
	double steps, links_watt, joule_per_byte; /* values of the variant at the largest size */
	double traffic;      /* bytes over all links / bytes of the vector; negative: not known */
	const char *hottest; /* link with the most bytes: "port of device 3"; "": none */
	double hottest_s_per_byte;
};

struct paradl_crossover {
	double bytes;
	size_t from, to; /* indices of choices */
};

struct paradl_collective_table {
	enum paradl_operation operation;
	unsigned ranks, nodes, concurrent, stride;
	double bus_factor;
	/* Library that adds its own times within a node to all but measured ones, "nccl"; NULL: none does. */
	const char *library;
	const struct paradl_collective_row *rows;
	size_t row_count;
	/* Algorithms, the fastest at the largest size first. */
	const struct paradl_collective_choice *choices;
	size_t choice_count;
	const struct paradl_crossover *crossovers; /* crossovers between the least and the largest size */
	size_t crossover_count;
	/*
	 * Fastest algorithm at the largest size that the request's library does not have; NULL: none is faster, or no
	 * library was named.
	 */
	const char *outside;
	double outside_s;
};
/* Returns the number of ranks of each group when the request does not give it; 0: the request does not fit. */
PARADL_API unsigned paradl_collective_ranks(const struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_error *error);
PARADL_API bool paradl_collective(struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_arena *arena,
	struct paradl_collective_table *table, struct paradl_error *error);

/* Step of an algorithm; the messages of a step start together. */
struct paradl_step {
	const char *phase;              /* phase: "reduce-scatter"; "" */
	const char *messages;           /* messages: "r -> r + 1 mod 64", with ranks of the group */
	double first, repeat;           /* number of the step, from 1; times that it is done */
	unsigned depth;                 /* number of forks around it: it runs beside something else */
	double count;                   /* messages of one group in one step */
	double least_bytes, most_bytes; /* size of one message */
	double combined_bytes, memory_bytes, wait_s; /* further work of the busiest rank */
};
struct paradl_schedule {
	const char *algorithm, *variant;
	const struct paradl_step *steps;
	size_t count;
	double total;  /* number of steps */
	bool complete; /* whether it is complete; else there are more kinds of steps than are kept */
};
/*
 * Fills the steps of the best algorithm for this size, among those that the request names; the sizes in the request
 * play no part.
 */
PARADL_API bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error);

/* Time that nccl-tests or the OSU benchmarks printed; sizes are, as everywhere here, those of the whole vector. */
struct paradl_timing {
	double bytes, time_s;
	int line;
};
struct paradl_timings {
	const char *tool; /* tool that printed them: "nccl-tests", "OSU" */
	const struct paradl_timing *items;
	size_t count;
	unsigned ranks; /* ranks that the file names; 0: it names none */
};
PARADL_API bool paradl_timings_load(struct paradl_arena *arena, const struct paradl_source *source,
	enum paradl_operation operation, unsigned ranks, struct paradl_timings *timings,
	struct paradl_error *error);

struct paradl_algorithm_info {
	const char *name, *summary, *source;
	enum paradl_operation operation;
	bool sparse;
};
/* Returns the index-th algorithm; name NULL past the last. */
PARADL_API struct paradl_algorithm_info paradl_algorithm(size_t index);

struct paradl_topology_info {
	const char *name, *summary, *shape, *source;
	struct paradl_topology_key {
		const char *name, *summary;
		double initial, least, most;
	} keys[8]; /* keys up to the first without a name */
};
/* Returns the index-th topology; name NULL past the last. */
PARADL_API struct paradl_topology_info paradl_topology(size_t index);

/* ---- SimGrid: networks and collectives as files for that simulator ------------------------------- */

/* Function that gets text in pieces; it returns false when the text could not be kept: then no more comes. */
typedef bool paradl_write(void *context, const char *text, size_t length);

/*
 * Writes a platform: every device is a host, every cable one or two links, and routes are ours; it has all pairs of
 * devices, or those between which the best algorithm of `only` sends (NULL: all). False also when the network is too
 * large or splits flows.
 */
PARADL_API bool paradl_simgrid_platform(struct paradl_network *network,
	const struct paradl_collective_request *only, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);
/*
 * Writes the messages of the request's best algorithm at its one size as a trace for "smpirun -replay": process p is
 * device p, up to the last that takes part. The lines before the first action say what the trace is and how long it
 * takes by our estimate.
 */
PARADL_API bool paradl_simgrid_trace(struct paradl_network *network,
	const struct paradl_collective_request *request, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);

/* ---- federated rounds: clients that train by themselves and send weights to a server ------------- */

/* Group of clients that are alike. */
struct paradl_client_group {
	const char *name; /* name of the group: "phones" */
	double count;
	double samples;     /* samples of each client; 0: those of one epoch, divided equally */
	const char *device; /* name of a shipped device; NULL: the machine's */
	double speed;       /* divisor of the device's times; 0 is 1 */
	/* Measured time of forward and backward of one sample of the whole network; 0: the oracle's. */
	double sample_s;
	double up_bytes_per_s, down_bytes_per_s; /* rates to and from the server */
	double lan_bytes_per_s;                  /* rate to clients of the same cluster */
	double memory_bytes, busy_watt;          /* memory and busy power; 0: the device's */
};
struct paradl_clients {
	const char *name, *path; /* path NULL: from no file */
	const struct paradl_client_group *groups;
	size_t count;
};
/* Reads a file of clients, paradl-clients(5); what its groups do not give is as in `usual`. */
PARADL_API bool paradl_clients_load(struct paradl_arena *arena, const struct paradl_source *source,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error);

/* Ways for a model to get from one client to the next before it is averaged. */
enum paradl_exchange_way {
	PARADL_EXCHANGE_PEERS, /* directly, over both clients' links to the outside */
	PARADL_EXCHANGE_LAN,   /* over the network of a cluster */
	PARADL_EXCHANGE_SERVER,
	PARADL_EXCHANGE_COUNT
};
/* Returns the name of a way: "peers". */
PARADL_API const char *paradl_exchange_way_name(enum paradl_exchange_way way);

struct paradl_federation {
	struct paradl_clients clients;
	double batch;              /* batch of each client; 0: the model's, else 1 */
	double epochs;             /* epochs over a client's samples in each round; 0 is 1 */
	double participants;       /* clients in each round, drawn at random; 0: all */
	double server_bytes_per_s; /* rate of the server each way, for all clients together; 0: no limit */
	/* Devices like the machine's that train the server's part; 0: one for each participant. */
	double server_devices;
	double rounds, deadline_s; /* number of rounds, and deadline of all; 0: not given */
	enum paradl_exchange_way exchange;
};

/* Parts of a round, for the client that ends it. */
enum paradl_round_leg {
	PARADL_LEG_DOWNLOAD,
	PARADL_LEG_COMPUTE,
	PARADL_LEG_CLUSTER,  /* activations and gradients between clients of a cluster */
	PARADL_LEG_EXCHANGE, /* models between clients, activations to and from the server */
	PARADL_LEG_UPLOAD,
	/* Extra time of transfers because all go through the server; its part of the training. */
	PARADL_LEG_SERVER,
	PARADL_LEG_COUNT
};
/* Returns the name of a part: "download". */
PARADL_API const char *paradl_round_leg_name(enum paradl_round_leg leg);

/* Client of a group in a round that it takes part in. */
struct paradl_round_client {
	const char *group;
	double count;
	double round_s, leg_s[PARADL_LEG_COUNT]; /* times of its cluster, where there are clusters */
	double down_bytes, up_bytes;             /* bytes from and to the outside */
	double lan_bytes;                        /* bytes over the network of its cluster, in its own turn */
	double memory_bytes, capacity_bytes;
	bool fits;
	/* Energy of its compute, and the server's for it; negative: a device's power is not known. */
	double joule;
};

struct paradl_round {
	char scheme[80]; /* name of the scheme with its argument: "feddct:4" */
	const char *summary, *evidence;
	bool possible;
	char reason[192];               /* reason why it is not possible */
	double participants, clusters;  /* numbers of participants and clusters; clusters 0: there are none */
	double parameters;              /* parameters that a client sends and gets once */
	double round_s;                 /* mean time over all draws of participants */
	double longest_s;               /* time when the slowest clients take part */
	double leg_s[PARADL_LEG_COUNT]; /* parts of longest_s */
	enum paradl_round_leg binding;  /* largest part */
	const char *slowest;            /* group of the slowest client */
	double server_out_bytes, server_in_bytes, peer_bytes, lan_bytes; /* bytes of all participants */
	double server_flop; /* server's work beyond averaging: comparisons of models; 0: none */
	double joule;       /* energy of compute, the server's too; negative: not known */
	bool fits;
	/* Sums over all rounds, bytes of the server; 0: no number of rounds is given. */
	double total_s, total_bytes, total_joule;
	double rounds_in_deadline; /* rounds that fit in the deadline; negative: there is none */
	const struct paradl_round_client *clients;
	size_t client_count;
};

/* Division of the network into a number of narrower ones, with their memory and traffic. */
struct paradl_division {
	double parts;
	double share;        /* share of the width */
	double parameters;   /* parameters of each narrower network */
	double memory_bytes; /* memory of the group that has least to spare */
	/* Part of memory_bytes for networks: without workspace and runtime, which are the same for all. */
	double network_bytes;
	/*
	 * Parts of network_bytes: weights, gradients and optimizer states of its own network; first layers of the
	 * others.
	 */
	double state_bytes, stem_bytes;
	double server_bytes, lan_bytes; /* bytes of one client and round; lan: in its turn */
	bool fits;
};

struct paradl_federated {
	/* Parameters of the whole network; activations of one sample after its first layer. */
	double parameters, activation_bytes;
	double batch, epochs, clients, participants;
	const struct paradl_round *rounds; /* rounds that were asked for */
	size_t count;
	/* Divisions into 1, 2, 4, ...; none for networks that cannot be divided. */
	const struct paradl_division *divisions;
	size_t division_count;
	double fewest_parts; /* fewest parts with which every device has enough memory; 0: none does */
};
/* Computes federated rounds. schemes: comma list, "feddct:4,fedavg"; NULL: all of them. */
PARADL_API bool paradl_federate(struct paradl_oracle *oracle, const struct paradl_federation *federation,
	const char *schemes, struct paradl_arena *arena, struct paradl_federated *federated,
	struct paradl_error *error);

struct paradl_scheme_info {
	const char *name, *argument, *summary, *evidence; /* argument is "S"; NULL: none */
};
/* Returns the index-th scheme; name NULL past the last. */
PARADL_API struct paradl_scheme_info paradl_scheme(size_t index);

/* ---- diagnosis: measured times beside projected ones, and what would explain the gaps ----------- */

/* Parts that a measured time covers: a phase (enum paradl_phase), or one of these. */
enum paradl_part {
	/* Forward, backward, recomputation, update, and a pipeline's bubble. */
	PARADL_PART_COMPUTE = PARADL_PHASE_COUNT,
	PARADL_PART_COMMUNICATION,
	PARADL_PART_TOTAL,
	PARADL_PART_COUNT
};
/* Returns the name of a part: "backward", "total". */
PARADL_API const char *paradl_part_name(unsigned part);

/*
 * Seconds of one iteration that nothing hides, so that phases add up to the total: from the median step of each rank,
 * the median over ranks.
 */
struct paradl_measured_time {
	unsigned part;
	double seconds;
	double least_s, most_s; /* least and most over ranks */
	/* Least and most over steps, as medians over ranks; negative: not known. */
	double quickest_s, slowest_s;
	double busy_s; /* time with the part that compute hides; negative: not known */
	double calls;  /* number of kernels or messages; negative: not known */
};

struct paradl_measured_layer {
	const char *name;
	/* Seconds of its parts; negative: not measured. */
	double forward_s, backward_s, weight_update_s, communication_s;
};

struct paradl_measurement {
	const char *format; /* format of the files: "phase times", "chrome trace" */
	const char *note;   /* oddity of the measurement; or NULL */
	const struct paradl_measured_time *times;
	size_t count;
	const struct paradl_measured_layer *layers;
	size_t layer_count;
	unsigned ranks, steps;
	bool without_input;   /* whether the total leaves input out */
	double waiting_share; /* share of the device's time in no kernel; negative: not known */
};

/*
 * Reads files of one format: phase times, a row of paradl-measured(5), paradl-samples(5), traces of one rank each.
 * Plan and model say which row or samples count, and which collective serves which phase.
 */
PARADL_API bool paradl_measurement_load(struct paradl_arena *arena, const struct paradl_source *sources,
	size_t count, const struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_measurement *measurement, struct paradl_error *error);

/* Change of the model that would explain gaps; it was tested by an estimate with it. */
struct paradl_cause {
	const char *name, *summary; /* name of the cause: "link-rate" */
	const char *category; /* category in Table V of the ParaDL paper: "communication", "compute", ... */
	enum paradl_limit_kind kind;
	const char *origin;    /* origin of bottlenecks: "framework" or "system"; else "" */
	const char *quantity;  /* number that would have to be another; NULL: it is no number */
	const char *unit;      /* unit of the number: "s", "B/s", "" */
	double assumed, as_if; /* value of the number, assumed and as if; both negative: it is no number */
	unsigned parts;        /* parts that it explains: set of 1u << part */
	/* Seconds that it explains of all gaps together, after the causes before it; seconds that are left. */
	double explained_s, left_s;
	/* Texts: "forward is 1.8 times the projection"; "as if the rate were 5.6 GB/s instead of 10.2 GB/s". */
	const char *gaps, *text;
	const char *check; /* advice on what to look at */
	int instead;       /* index of the cause that this one could replace; -1: this one counts */
};

struct paradl_diagnosis_row {
	unsigned part;
	double measured_s, projected_s, gap_s; /* gap_s: measured - projected */
	/* Share of the sizes of all gaps; for the total: the share that its parts leave. */
	double share;
	double tolerance_s; /* size of a gap that is still within the model's error */
	double explained_s; /* projection with all causes that count */
	int cause;          /* index of the first cause that explains it; -1: none does, or needs to */
};

struct paradl_diagnosis_layer {
	const char *name, *type;
	double measured_s, projected_s, gap_s; /* times of the measured parts of the layer */
	double share;                          /* share of the sizes of all layers' gaps */
};

struct paradl_diagnosis {
	struct paradl_estimate estimate;
	const struct paradl_diagnosis_row *rows;
	size_t row_count;
	const struct paradl_diagnosis_layer *layers; /* layers, largest gap first */
	size_t layer_count;
	size_t unmatched; /* number of measured layers that the network does not have */
	/* Causes that count, in order, each followed by those that could replace it. */
	const struct paradl_cause *causes;
	size_t cause_count;
	double tolerance;            /* share of a phase up to which a gap is the model's error */
	double gap_s, unexplained_s; /* sums over the rows that stand for themselves */
	bool within_error;           /* whether no gap is beyond the tolerance */
};

/*
 * Compares a measurement with the estimate of a plan, and looks for causes of the gaps. tolerance: share of a phase
 * up to which a gap is the model's error; negative: its usual error, half of error_share.
 */
PARADL_API bool paradl_diagnose(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_measurement *measurement, double tolerance, struct paradl_arena *arena,
	struct paradl_diagnosis *diagnosis, struct paradl_error *error);

/* ---- sweeps: every point of a grid of questions -------------------------------------------------- */

enum { PARADL_SWEEP_DIMENSIONS = 16 };

/*
 * Dimension of a sweep. key: gpus, batch, per-gpu, micro, prompt, answer; precision, optimizer, algo, compress;
 * model, hw, framework, dataset; seq, which is model.dims.seq; an axis or option of plans ("tensor", "zero"); or a
 * key of struct paradl_changes. values: a list with commas, whose items may be ranges: "4..1024" (doubling),
 * "4..64+4", "1..1000*10", "x0.5..x4", "25 GB/s..100 GB/s".
 */
struct paradl_sweep_dimension {
	const char *key, *values;
};

struct paradl_sweep_request {
	/* Dimensions; the last varies fastest, strategies faster still. */
	const struct paradl_sweep_dimension *dimensions;
	size_t dimension_count;
	/*
	 * Inputs where they are not varied: files, or names in `directories`. framework NULL: the machine's, dataset
	 * NULL: the model's.
	 */
	const char *model, *hw, *framework, *dataset;
	const char *const *directories;
	/* Whether points with a data set that is not for their network are evaluated, too. */
	bool any_dataset;
	const char *const *changes; /* changes for all points */
	size_t change_count;
	struct paradl_options options;
	/*
	 * Strategies: each is plans with ';' between them, or families with ','; none: the best of all plans. A
	 * degree '*' in a plan, "data=*,tensor=8", becomes as large as needed for the plan to take all GPUs of a
	 * point.
	 */
	const char *const *strategies;
	size_t strategy_count;
	const char *with;         /* options of plans of families; NULL: they are chosen */
	enum paradl_goal goal;    /* goal for the best plan of families */
	double batch, per_device; /* as in struct paradl_request */
};

struct paradl_sweep;
/*
 * Creates a sweep, and checks all values as far as they can be checked one by one. The data that `request` points to
 * must stay. NULL with an error.
 */
PARADL_API struct paradl_sweep *paradl_sweep_create(
	struct paradl_arena *arena, const struct paradl_sweep_request *request, struct paradl_error *error);
/* Returns the number of points. */
PARADL_API unsigned long long paradl_sweep_count(const struct paradl_sweep *sweep);

/* Dimension that varies, as a column of a table. */
struct paradl_sweep_key {
	const char *key; /* key as it was asked for */
	/* Name of the column, with the unit of its numbers: "hw.levels.1.bandwidth_bytes_per_s", or "_factor". */
	const char *column;
	const char *const *texts;
	const double *numbers; /* values in SI units; NULL: not all values are numbers of one kind */
	size_t count;
};
/* Returns the index-th dimension; key NULL past the last. */
PARADL_API struct paradl_sweep_key paradl_sweep_key(const struct paradl_sweep *sweep, size_t index);
/* Returns the index-th file that is read; NULL past the last. */
PARADL_API const char *paradl_sweep_file(const struct paradl_sweep *sweep, size_t index);
/* Fills in the model, machine and framework of the first point. */
PARADL_API bool paradl_sweep_first(const struct paradl_sweep *sweep, struct paradl_model_info *model,
	struct paradl_machine_info *machine, struct paradl_framework_info *framework,
	struct paradl_error *error);

/* Point of a sweep; all that it points to is gone after the call that gets it. */
struct paradl_sweep_row {
	unsigned long long index;
	const size_t *places; /* index of the value of each dimension */
	const struct paradl_model_info *model;
	const struct paradl_machine_info *machine;
	/* Plan; for a family of which no plan runs, the plan that came closest. */
	const char *strategy;
	double devices, batch;
	/* Whether no plan has memory for the usual batch: GPUs share samples, and batch is the most that fits. */
	bool is_shared;
	const struct paradl_estimate *estimate; /* estimate; NULL: there is none */
	const char *reason;                     /* reason why it is not feasible; NULL: it is */
	unsigned worker;                        /* number of the thread, from 0 */
};

struct paradl_sweep_run {
	unsigned long long first; /* index of the point to begin with */
	unsigned threads;         /* number of threads, at most 256; 0: as many as there are processors */
	const struct paradl_team *team; /* team of processes; NULL: this process alone */
	/* Writes a point as text; called by any thread. False: out of memory. */
	bool (*tell)(
		void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination);
	/* Takes the texts, in order, called by one thread; false ends the run. */
	bool (*take)(void *context, unsigned long long index, const char *text, size_t length);
	/* Asks now and then, with `done` points taken, whether the run should end. NULL: nobody is asked. */
	bool (*ends)(void *context, unsigned long long done);
	void *context;
};
/* Runs a sweep. False with PARADL_OK: it was ended. Texts are the same for any number of threads and processes. */
PARADL_API bool paradl_sweep_run(
	struct paradl_sweep *sweep, const struct paradl_sweep_run *run, struct paradl_error *error);

/* ---- other files ---------------------------------------------------------------------------- */

/*
 * Findings of the lint of a model, machine, device, framework, layer-times, plan or samples file: warnings in the
 * order found.
 */
struct paradl_findings {
	const char *format; /* format of the file: "paradl-model", ... */
	const char *const *warnings;
	size_t count;
	const char *note; /* further finding of an import; NULL: none */
};
PARADL_API bool paradl_check(struct paradl_arena *arena, const char *path, struct paradl_findings *findings,
	struct paradl_error *error);

/* Format of another tool. becomes: "paradl-model" or "paradl-hw". */
struct paradl_format {
	const char *name, *becomes, *summary;
};
/* Returns the index-th format; name NULL past the last. */
PARADL_API struct paradl_format paradl_format(size_t index);

struct paradl_import_options {    /* all 0: as the file says */
	const char *from;         /* name of the file's format; NULL: as it looks */
	const char *layer_config; /* .lc file that belongs to a .net file */
	bool dataset; /* whether only the data set of a DLIO workload is taken, as a paradl-dataset(5) */
	/* model.safetensors, or its .index.json, to compare the number of parameters with. */
	const char *weights;
	/* Shape of ONNX's input: "3,224,224" or "NAME=3,224,224", where the file does not give it. */
	const char *input;
	/* Shapes in ONNX: "NAME=1,64,56,56", of values that an unknown operator makes. */
	const char *const *shapes;
	size_t shape_count;
	/* model_type in Hugging Face that an unknown one is read like; NULL: it is refused. */
	const char *assume;
	bool text_only; /* whether only the text part of a Hugging Face network of text and images is taken */
};
/* Returns a file of another tool as native JSON text; NULL with an error. options may be NULL. */
PARADL_API const char *paradl_import(struct paradl_arena *arena, const char *path,
	const struct paradl_import_options *options, struct paradl_findings *findings,
	struct paradl_error *error);

struct paradl_entry {
	const char *name, *summary;
};
/* Returns the index-th strategy; name NULL past the last. */
PARADL_API struct paradl_entry paradl_strategy(size_t index);
/* Returns the index-th sampler; name NULL past the last. */
PARADL_API struct paradl_entry paradl_sampler(size_t index);
/* Returns the index-th layer type; name NULL past the last. */
PARADL_API struct paradl_entry paradl_layer_type(size_t index);
PARADL_API const struct paradl_entry *paradl_units(size_t *count);

PARADL_API const char *paradl_version(void);

/* ---- what if: estimates with something changed ------------------------------------------------- */

/* Question to estimate: files, and a plan. */
struct paradl_whatif_request {
	const char *model, *machine;     /* paths of the files */
	const char *dataset, *framework; /* paths; NULL: those that the files name */
	const char *const *directories;  /* as in paradl_source */
	const struct paradl_options *options;
	const struct paradl_changes *changes; /* changes; NULL: none */
	/* Plan with its batch; NULL: the best of `best`, anew whenever something changes. */
	const struct paradl_plan *plan;
	struct paradl_request best;
	bool fixed_batch; /* whether other numbers of devices have the same batch; else each device has */
	/* Goal that is compared: paradl_search_value, per token where samples have other lengths. */
	enum paradl_goal goal;
};

/* Answer with something changed. */
struct paradl_whatif_point {
	double times;    /* input, new / old; whole numbers are rounded */
	bool runs;       /* whether a plan runs; else `reason` says why not */
	double value;    /* value of the goal */
	double change;   /* value / value without the change - 1, as a share */
	bool other_plan; /* whether the best plan is another one */
	struct paradl_estimate estimate;
	char reason[256];
};

/* Input that varies, one of a family: "gpu". */
struct paradl_whatif_input {
	const char *name, *text;
	/* Keys of files that it multiplies, as in --set KEY=x1.2; none: it belongs to the plan. */
	const char *const *keys;
	size_t key_count;
};

struct paradl_whatif_row {
	struct paradl_whatif_input input;
	struct paradl_whatif_point low, high; /* answers with the input multiplied by 1 - vary and 1 + vary */
	double span;                          /* span of the changes; 0: no effect */
};
struct paradl_tornado {
	double vary, value;
	struct paradl_estimate estimate;      /* estimate without changes */
	const struct paradl_whatif_row *rows; /* rows, the widest first, those without effect last */
	size_t count, moving;                 /* number of rows, and of those with an effect */
};
/* Varies each input, down and up, with all others as they are. vary: a share, less than 1. */
PARADL_API bool paradl_tornado(const struct paradl_whatif_request *request, double vary,
	struct paradl_arena *arena, struct paradl_tornado *tornado, struct paradl_error *error);

/* Quantities that a target can be set for. */
enum paradl_measure {
	PARADL_MEASURE_EPOCH,
	PARADL_MEASURE_ITERATION,
	PARADL_MEASURE_COST,   /* cost of an epoch */
	PARADL_MEASURE_ENERGY, /* energy of an epoch */
	PARADL_MEASURE_MEMORY,
	PARADL_MEASURE_COUNT
};
/* Returns the name of a quantity: "epoch". */
PARADL_API const char *paradl_measure_name(enum paradl_measure measure);
PARADL_API double paradl_measure(const struct paradl_estimate *estimate, enum paradl_measure measure);

/* Change of one input alone that reaches a target. */
struct paradl_whatif_need {
	struct paradl_whatif_input input;
	bool reached;
	double times; /* factor of the input that is needed; not reached: the last that was tried */
	double stops; /* value of the measure at `times` */
	struct paradl_estimate estimate; /* estimate at `times` */
};
struct paradl_whatif_target {
	enum paradl_measure measure;
	double wanted, has;
	struct paradl_estimate estimate; /* estimate without changes */
	/* Rows that reach it first, with the smallest change in front. */
	const struct paradl_whatif_need *rows;
	size_t count, reached;
};
PARADL_API bool paradl_whatif_target(const struct paradl_whatif_request *request, enum paradl_measure measure,
	double wanted, struct paradl_arena *arena, struct paradl_whatif_target *target,
	struct paradl_error *error);

/* Comparison of two settings. */
struct paradl_whatif_pair {
	struct paradl_estimate before;
	struct paradl_whatif_point after; /* answer with the same plan */
	bool has_best;                    /* whether a best plan was looked for */
	struct paradl_whatif_point best;
	/*
	 * Devices of the second setting that take no longer for a sample than those of the first, with the plan's
	 * other degrees and its batch for each device; 0: no number does.
	 */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What files say of data sets, models, machines and frameworks, and files of other tools.
 * It may change with every version of the library.
 */
#ifndef PARADL_FILES_H
#define PARADL_FILES_H

#include "paradl.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* ---- what files say ------------------------------------------------------------------------------------ */

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

/* A device: what its file says, with the numbers of the device that it is tied to; 0: it has none. */
struct paradl_device_info {
	const char *name, *path;
	double memory_bytes, memory_bytes_per_s;
	double peak_flop_per_s[PARADL_PRECISION_COUNT]; /* 0: not in this format */
	const char *tied_to;    /* other device whose numbers stand for it; NULL: none */
	unsigned assumed_count; /* numbers that are guessed */
};
PARADL_API bool paradl_device_load(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_device_info *info, struct paradl_error *error);

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
	double rope_theta;                 /* base of the wavelengths of rotary positions; 0: not said */
	double dropout, attention_dropout; /* shares that training drops: of what blocks make, of scores */
	bool gated, tied, bias, qkv_bias, qk_norm, shared_gate, router_bias;
	double parameters; /* parameters of a decoder with just these dimensions; 0: the network is no such decoder */
	const char *beyond; /* what the network has beyond these: "sinks"; NULL: nothing that is known */
	/* What makes it no decoder of attention and MLPs: "recurrent layers"; NULL: it is one, perhaps with more. */
	const char *other;
};

struct paradl_model_info {
	const char *name, *path, *dataset;
	double parameters, frozen;      /* numbers of weights: all, and those that are not trained */
	double forward_flop_per_sample; /* a multiplication and an addition count as two */
	double samples;                 /* samples of one epoch; 0 = the model names no data set */
	double sequence;                /* tokens of one sample's input; 0 = the network takes none */
	double further_tokens; /* tokens of a sample's further sequences, as a decoder's; 0 = it has none */
	double batch_per_gpu;  /* training.batch_per_gpu of the file; 0 = not given */
	double batch;          /* training.batch of the file; 0 = not given */
	enum paradl_precision precision;
	enum paradl_precision
		inference_precision; /* inference.precision of the file; PARADL_PRECISION_COUNT = not given */
	double positions; /* longest sequence that inference reads, inference.positions; 0 = not given */
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
	unsigned level_count;      /* levels of links, from inside a node outwards */
	double memory_bytes;
	double host_memory_bytes; /* of a host, without its devices'; 0: not known */
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
	/*
	 * Whether its device has each number format. Units of those with fp4 scale small blocks of numbers, in mxfp8, too;
	 * for others programs scale larger blocks of fp8.
	 */
	bool has_precision[PARADL_PRECISION_COUNT];
	const char *device_path; /* file of its device; NULL: it is within the profile */
};
PARADL_API struct paradl_machine_info paradl_machine_info(const struct paradl_machine *machine);
/*
 * Returns the number format where a question asks for none: that of the model's training or, for inference, the one that the
 * model's file names for it, if the machine's device has it.
 */
PARADL_API enum paradl_precision paradl_usual_precision(
	const struct paradl_model_info *model, const struct paradl_machine_info *machine, bool inference);
/*
 * Returns the name of the framework profile that a machine runs by default to train `model` or, for inference, to
 * serve it.
 */
PARADL_API const char *paradl_machine_framework(
	const struct paradl_machine *machine, const struct paradl_model *model, bool inference);

/* Methods by which tokens travel to the devices of their experts and back. */
enum paradl_dispatcher {
	PARADL_DISPATCHER_DEFAULT,    /* the framework's default */
	PARADL_DISPATCHER_ALL_TO_ALL, /* an all-to-all of the library, which carries a copy for each expert */
	PARADL_DISPATCHER_DEEPEP, /* kernels that send one copy to each device, and over the network to each node */
	/* The same at the full rate of the links, which sorts tokens by expert on the way. */
	PARADL_DISPATCHER_HYBRIDEP,
	PARADL_DISPATCHER_COUNT
};

struct paradl_framework_info {
	const char *name, *path, *summary;
	/* Mean relative error of totals on measured rows that it was not fitted to; 0 = unknown. */
	double known_error;
	unsigned assumed_count;
	const char *const *assumed; /* paths of the numbers that are assumed: "rules/loader_epoch" */
	unsigned assumption_count;
	const char *const *assumptions;
	unsigned overlaps;                 /* traffic that overlaps compute: set of enum paradl_overlap */
	bool serves;                       /* whether it answers prompts, and trains nothing */
	enum paradl_dispatcher dispatcher; /* how tokens reach their experts where a plan does not say */
	/* Most tokens of prompts in a step; share of the memory that is used. */
	double serve_chunk, serve_memory;
	double serve_balance; /* most steps that a prompt waits until all replicas that share experts have one */
	bool serve_narrow_cache; /* whether keys and values have 8 bits where weights have fewer than 16 */
	/* Source that loads it again: its path with the options in use, "NAME.json+OPTION". */
	const char *source;
	const char *family; /* profile of similar programs; NULL: none */
	/* Options that it has, "a, b": "NAME+OPTION" turns one on, "NAME+no-OPTION" off; "": none. */
	const char *options;
	/* The program of paradl-measure-step-torch(1) whose steps are its own, with its options; NULL: none. */
	const char *steps;
};
PARADL_API struct paradl_framework_info paradl_framework_info(const struct paradl_framework *framework);

/* Groups of numbers that may be off independently of each other. */
enum paradl_uncertainty_source {
	PARADL_SOURCE_FRAMEWORK,  /* error of the model with this program: estimate.error_share */
	PARADL_SOURCE_COMPUTE,    /* rates of products */
	PARADL_SOURCE_MEMORY,     /* rates of memory */
	PARADL_SOURCE_NODE_LINKS, /* rates and latencies inside a node */
	PARADL_SOURCE_NETWORK,    /* rates and latencies between nodes */
	PARADL_SOURCE_STORAGE,
	PARADL_SOURCE_HOST,
	PARADL_SOURCE_POWER, /* power: for energy, and for cost where energy is paid */
	PARADL_SOURCE_PRICE, /* prices: for cost */
	PARADL_SOURCE_COUNT
};
/* Returns the name of a group: "compute". */
PARADL_API const char *paradl_uncertainty_source_name(enum paradl_uncertainty_source source);

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

/* ---- other files ------------------------------------------------------------------------------- */

/*
 * Checks a file of any format; `directories` are where a machine's device and programs are looked up that do not lie
 * beside it, its `text` and `changes` are not looked at. False: the file cannot be used, and error is set.
 */
PARADL_API bool paradl_check(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_findings *findings, struct paradl_error *error);

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
	bool sequence_given; /* whether the caller sets the sequence length: no warning that a file has none */
};
/* Returns a file of another tool as native JSON text; NULL with an error. options may be NULL. */
PARADL_API const char *paradl_import(struct paradl_arena *arena, const char *path,
	const struct paradl_import_options *options, struct paradl_findings *findings,
	struct paradl_error *error);

/* Function that gets text in pieces; it returns false when the text could not be kept: then no more comes. */
typedef bool paradl_write(void *context, const char *text, size_t length);

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

#ifdef __cplusplus
}
#endif

#endif

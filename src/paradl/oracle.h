/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans and estimates in full, advice, and searches.
 * It may change with every version of the library.
 */
#ifndef PARADL_ORACLE_H
#define PARADL_ORACLE_H

#include "paradl/files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- plans ------------------------------------------------------------------------------------- */

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
	/* Scores, and what cheap modules make: activations of experts, norms before them and before latent
	 * attention, and its queries, keys and values, from their latents. */
	PARADL_RECOMPUTE_MODULES,
	PARADL_RECOMPUTE_COUNT
};

/* Methods by which the context axis brings keys and values together. */
enum paradl_context_method {
	PARADL_CONTEXT_RING,
	PARADL_CONTEXT_GATHER,
	PARADL_CONTEXT_ULYSSES,
	PARADL_CONTEXT_COUNT
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
	enum paradl_context_method context;
	/* Whether the tensor axis splits experts too; else its devices join the expert axis. */
	bool expert_tensor;
	enum paradl_dispatcher dispatcher;
	unsigned offload;     /* data kept in host memory: set of enum paradl_offload */
	unsigned apart;       /* traffic that may not overlap compute: set of enum paradl_overlap */
	unsigned split_count; /* number of stages of a given split; 0: there is none */
	unsigned short split[PARADL_SPLIT_MAX]; /* blocks of each stage */
	/* Last layer that spatial pieces go through; "": as far as they can. */
	char gather[PARADL_GATHER_TEXT];
	/* Serving: most tokens of prompts in a step (0: the program's), and most sequences of a replica at a time. */
	unsigned chunk, seqs; /* seqs: 0: as many as have memory */
};

/*
 * Parses a plan: "data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1" has axes outermost first, and
 * options in any place; aliases are dp pp ep cp tp, and letters d p f c s. Leaves batch 0. "serial" has all degrees
 * 1.
 */
PARADL_API bool paradl_plan_parse(const char *text, struct paradl_plan *plan, struct paradl_error *error);

/* ---- input: what feeds the devices ------------------------------------------------------------- */

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

/* Share of a step up to which waiting for input counts as none. */
#define PARADL_INPUT_WAITS_NOT 1e-3

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

/* ---- the oracle -------------------------------------------------------------------------------- */

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

/* Returns whether a promise has any limit. */
PARADL_API bool paradl_promise_made(const struct paradl_promise *promise);

/* Samples of a replica that are not tried any more, to find the largest batch. */
enum { PARADL_BATCH_TRIED = 1 << 30 };

/*
 * Times and rates of inference. estimate.iteration_s is the time until all requests of the batch have their whole
 * answer.
 */
struct paradl_inference {
	/* Tokens of each sequence; 0: it has no tokens; it generates none. */
	double prompt_tokens, output_tokens;
	double longest_tokens; /* of the longest request, prompt and answer */
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
	double under_way; /* requests under way on all replicas */
	/* How often a request gives its memory to others while it is answered, and is read again; 0: never. */
	double preemptions;
	double replayed;   /* requests of a trace that were answered step by step; 0: requests are alike */
	double most_per_s; /* most requests answered per second, if they come at a rate; else 0 */
	/*
	 * Tokens of prompts in a step of the engine that reads them, at most, and where that is from: the origin of
	 * the program's own number, NULL: the plan says it.
	 */
	double chunk_tokens;
	const char *chunk_origin;
	double seats; /* sequences of a replica at a time, at most: what memory holds, or the plan's seqs, if less */
	const char *prefill;      /* plan of the devices that read prompts; NULL: there are none */
	unsigned prefill_devices; /* number of devices that read prompts for the others; 0: there are none */
	/*
	 * Limit of a promise that is nearest to being broken: "first token", "each token", "answer"; or "memory",
	 * where no sequence more has room; and the share of it that is used up. NULL: nothing was promised.
	 */
	const char *binds;
	double binds_share;
	/* Share of time that those devices read; time until keys and values of a prompt have reached the others. */
	double prefill_share, transfer_s;
	/* Bytes of a reading device: weights, and all but these and caches; prompts that a replica reads at once. */
	double prefill_weights_bytes, prefill_working_bytes, prefill_prompts;
	double tokens_per_s; /* tokens generated for all sequences, with the time of prompts */
	/* Tokens of prompts read per second, in all requests; share of the peak flop/s while tokens are made. */
	double prompt_tokens_per_s, token_flop_share;
	double cache_bytes_per_token; /* keys and values in all layers, over all devices, by token of a sequence */
	/* Largest batch that fits in memory; 0: none does, PARADL_BATCH_TRIED - 1 or more: memory limits none. */
	double largest_batch;
	double largest_batch_answers_per_s; /* samples, or whole answers, per second at that batch */
	double largest_batch_tokens_per_s;  /* tokens generated per second at that batch */
	/* Shares of iteration_s in kernels that are bound by reading memory, or by their launch. */
	double memory_share, launch_share;
	double cast_s; /* part of iteration_s that brings inputs of products to a narrow format */
};

/* A request of a trace. */
struct paradl_trace_request {
	double arrives_s; /* since the first one; 0 where the trace has no times */
	double input_tokens, output_tokens;
};

/*
 * Requests in the order in which they come: at their times, or, where the trace has none, each when a client has its
 * answer before. With options.trace, estimates are of an engine that answers them step by step, dealt out to replicas
 * in turn; input_tokens and output_tokens of the options are their means, rate_per_s their rate, 0 where clients send.
 */
struct paradl_trace {
	const struct paradl_trace_request *requests;
	size_t count;
	bool timed;
	double input_tokens, output_tokens, rate_per_s; /* means; rate_per_s: 0 without times */
	double longest_tokens;                          /* of the longest request, prompt and answer */
};
/*
 * Reads a CSV file with the columns input_tokens, output_tokens and perhaps arrival_s; rate_per_s > 0: times are
 * stretched to this rate, or drawn at random where there are none. NULL with an error.
 */
PARADL_API const struct paradl_trace *paradl_trace_load(
	struct paradl_arena *arena, const char *path, double rate_per_s, struct paradl_error *error);

/* Returns the requests per second that come, by options or their trace; 0: clients send them. */
PARADL_API double paradl_oracle_rate(const struct paradl_oracle *oracle);

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
	PARADL_UNCHECKED_VOLUMES,   /* convolutions of volumes on matrix units, compared for one network */
	PARADL_UNCHECKED_OPTIONS,   /* other options of the framework's profile were on */
	PARADL_UNCHECKED_COUNT
};
PARADL_API const char *paradl_unchecked_text(enum paradl_unchecked unchecked);
struct paradl_estimate;
/*
 * Returns the share by which another plan for the same question must be slower to count as slower: half of
 * error_share, since plans share most of the unknowns; 0: nothing is claimed. Among 7,479 pairs of measured plans,
 * projected by a fit without their set, those further apart are in that order in 95 of 100 cases, nearer ones in 67;
 * with the shipped constants tests/fit/test_llm.c counts.
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
	/*
	 * Blocks of each stage of a pipeline, of a network without blocks its layers, in order, as the plan gives them or
	 * as they were chosen. Count 0: there is one stage, or there are more than fit.
	 */
	unsigned split_count;
	unsigned short split[PARADL_SPLIT_MAX];
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
	double usable_bytes; /* what a plan may fill of that: all; in inference what engines take */
	struct paradl_memory memory;
	bool fits;
	/* Seconds per iteration in which devices wait for hosts to start their kernels; those within exchanges of layers. */
	double host_waits_s, host_exchange_waits_s;
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

PARADL_API const struct paradl_framework *paradl_oracle_framework(const struct paradl_oracle *oracle);
/*
 * Returns the samples of an iteration of a plan where a question gives none: those of paradl_oracle_batch, but in
 * inference of text a client for each replica.
 */
PARADL_API double paradl_plan_batch(const struct paradl_oracle *oracle, const struct paradl_plan *plan);
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
 * there is succeeds with fits == false. Of a plan that cannot run because requests come too fast, the estimate has
 * inference.most_per_s, and nothing else.
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

/* Change that makes a plan fit that needs more memory than there is. */
struct paradl_remedy {
	struct paradl_plan plan;
	char change[96];                  /* changed options: "recompute=full", "zero=1,offload=optimizer" */
	double memory_bytes, iteration_s; /* memory and time of the changed plan */
	double slower; /* share of the iteration that the change costs; negative: it is faster */
};
/*
 * Finds a change, for networks of tokens, with which a plan fits on the same devices with the same batch: the first
 * that fits among sequence=on, recompute=selective, modules, full, zero=1, 2, 3, half the micro-batch, twice the tensor or
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

/* A plan that is named beside another, and the seconds of an iteration with it. */
struct paradl_other_plan {
	char strategy[PARADL_PLAN_TEXT];
	double iteration_s;
};
/*
 * Takes options away from a plan (offloading, recomputation, a schedule, sharded states), one after the other, as long as it
 * fits and its iteration is at most a thousandth longer than that of the plan. Returns whether any could go.
 */
PARADL_API bool paradl_simpler_plan(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *simpler);

/* Another dispatcher of tokens for a plan, "deepep", and the seconds of an iteration with it. */
struct paradl_faster_dispatcher {
	const char *dispatcher;
	double iteration_s;
};
/*
 * Estimates a plan that names no dispatcher of tokens as with each that the program offers, on devices on which such
 * kernels were measured. Returns true, and the fastest, where one takes at least 5 % off the iteration.
 */
PARADL_API bool paradl_faster_dispatcher(struct paradl_oracle *oracle, const struct paradl_estimate *of,
	struct paradl_arena *arena, struct paradl_faster_dispatcher *faster);

/*
 * Nests the axes of a plan as programs do: pipeline, data, expert, context, tensor, then those of networks of images. What
 * exchanges most often is innermost, inside a node if it can be.
 */
PARADL_API void paradl_plan_nest(struct paradl_plan *plan);
/*
 * Estimates a plan of training with its axes nested. Returns true where that takes at least 2 % off the iteration, and lacks no memory that the plan has.
 */
PARADL_API bool paradl_faster_order(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *faster);
/*
 * Estimates a plan of training whose stages have as many blocks each, as programs cut them, with stages that balance all work: a head
 * over a large vocabulary is that of several blocks. Returns true where that takes at least 2 % off the iteration, and lacks no memory
 * that the plan has.
 */
PARADL_API bool paradl_faster_split(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *faster);

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

/* ---- advice: every strategy for some devices, ranked ------------------------------------------- */

/*
 * Returns the value that an estimate is ranked by, smaller is better; time stands in where cost or energy is not
 * known.
 */
PARADL_API double paradl_goal_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

struct paradl_infeasible {
	char family[64];                 /* family of plans: "filter" */
	char strategy[PARADL_PLAN_TEXT]; /* plan that came closest: "filter=256" */
	char reason[256], needs[256];
	/*
	 * Distance from running; smaller is closer. Below 1: it takes 1 / (1 - distance) times what a promise allows;
	 * below 2: it answers the share 2 - distance of the requests that come; below 3: it has the share 3 - distance
	 * of the memory that it needs; beyond, it cannot run at all.
	 */
	double distance;
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
	size_t unexplained; /* families that were tried, of which no plan runs, and that `infeasible` leaves out */
};
/* What a ranking has. */
enum paradl_ranked {
	PARADL_RANKED_ALL,     /* the best plan of each family, and why the other families have none */
	PARADL_RANKED_BRIEF,   /* the best of each family; why the others have none only where no plan runs */
	PARADL_RANKED_RUNNING, /* the best of each family */
	/* The best of all; where none runs, why each family has none. Means ALL with options.prefill "auto". */
	PARADL_RANKED_FIRST
};
/*
 * Finds and ranks plans for a number of devices. With options.prefill, plans have those of request->devices that the
 * devices which read prompts leave. With options.prefill "auto" plans stand beside them whose prompts some of the
 * devices read for the others (inference.prefill of their estimates), the best for each family of the others. It takes
 * advice for each of some forty ways to read: replicas of 1, 2, 4, ... devices of a node, which cut layers or
 * distribute experts, on an eighth to seven eighths of all; a search of such an oracle looks at every plan of readers, on every part of the devices.
 */
PARADL_API bool paradl_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	enum paradl_ranked plans, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error);
/* ---- whole runs: training from the first step to the last -------------------------------------- */

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
	/* Why checkpoints and failures are left out, as where a machine that is compared lacks a rate; NULL: they are not. */
	const char *without;
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

/* Returns what the machine does not say, so that checkpoints and failures of a run are left out; NULL: it says enough. */
PARADL_API const char *paradl_run_lacking(
	const struct paradl_oracle *oracle, const struct paradl_run_request *request);

/* Computes a run with an estimated plan; the samples of the request are those of the whole run. */
PARADL_API void paradl_run(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run);

/* Goals of searches beside those of enum paradl_goal: of inference of text. */
enum {
	PARADL_FIRST_TOKEN = PARADL_THROUGHPUT + 1, /* time to the first token */
	PARADL_EACH_TOKEN,                          /* time from one token to the next */
	PARADL_PER_DEVICE,                          /* tokens per second and device */
	PARADL_GOALS
};

/* ---- search: the best of all plans, proven ----------------------------------------------------- */

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
	/*
	 * Engines, only when asked for: tokens of prompts in a step, 512 to 16384; at a rate of requests: sequences
	 * at a time, 1 to 1024.
	 */
	PARADL_VARY_CHUNK,
	PARADL_VARY_SEQS,
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
	/* Comma list of names of enum paradl_vary, "none"; NULL: all but offload, chunk, seqs; "+chunk": that too. */
	const char *vary;
	bool exhaustive; /* whether every plan is evaluated, and none proved away */
	size_t keep;     /* sets of degrees of which the best plan is kept; 0 = 1 */
	double gap;      /* share by which the answer may miss the optimum; 0: not at all */
	/* Goals that are traded: set of 1u << enum paradl_goal, or those after PARADL_THROUGHPUT; 0: no front. */
	unsigned pareto;
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
	unsigned varied; /* what its plans differ in, as far as that is open: set of 1u << enum paradl_vary */
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

/* ---- a plan for each layer --------------------------------------------------------------------- */

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
	unsigned layer_plans;     /* largest number of plans that a layer may choose from; 0: 24 */
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
	const struct paradl_plan *layer_plans; /* plans that every layer could have */
	unsigned layer_plan_count;
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

#ifdef __cplusplus
}
#endif

#endif

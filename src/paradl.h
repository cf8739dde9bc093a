/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libparadl says how long one training step takes, what memory it needs and what limits it, for a network, a machine
 * and a way to divide the work. This header is the promised part of its interface: within version 1 programs that use
 * nothing else run on with every later library, without being compiled again. Whatever the command can answer,
 * paradl_ask answers; oracles serve programs that ask about many plans.
 *
 *     struct paradl_arena *arena = paradl_arena_create();
 *     struct paradl_error error = {0};
 *     const struct paradl_model *model = paradl_model_load(
 *             arena, &(struct paradl_source){.path = "models/resnet50.json"}, &error);
 *     const struct paradl_machine *machine = paradl_machine_load(
 *             arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
 *     struct paradl_oracle *oracle = paradl_oracle_create(arena, model, machine, NULL, NULL, &error);
 *     const struct paradl_plan *plan = paradl_plan_create(arena, "data=16,spatial=4", 1024, &error);
 *     struct paradl_figures figures = {0};
 *     if (paradl_figures(oracle, plan, &figures, &error))
 *             ... figures.iteration_s ...
 *     paradl_arena_free(arena);
 *
 * Functions that are given NULL for a model, machine, oracle or plan fail and leave the error as it is: a program may
 * look at the last result alone. A framework needs a look: NULL is the machine's default one.
 *
 * Ownership: everything lives in the arena it was made in and dies with it; nothing is freed singly.
 * Errors: a function that can fail returns false or NULL and has filled *error; nothing is printed.
 * Threads: models, machines and frameworks are immutable and may be shared; an oracle is cheap and belongs to one
 * thread. There is no global state.
 * Numbers: they are in SI units, which every field names (_s _bytes _flop ...). No field is ever NaN, and none is
 * infinite unless its comment says so.
 * Sizes: structs that a later version may extend begin with `size`; only members that both sides know are read or
 * written.
 *
 * The headers in paradl/ have the structs behind these and all other functions; they may change with every version:
 * files.h (what files say), oracle.h (plans and estimates in full, searches), study.h (what-if, comparisons, input,
 * runs, sweeps), network.h (collectives), fit.h (measurements).
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

/* Returns the version of the library, "1.0.0". */
PARADL_API const char *paradl_version(void);

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

/* ---- sources ------------------------------------------------------------------------------ */

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

/*
 * Returns the path of a file: `name` if it is a path or a file, else the shipped file NAME.json found in `kind`
 * ("models") under one of `directories` (NULL-terminated; may be NULL). The name of a framework may have options:
 * "NAME+OPTION". NULL with an error: there is no such file.
 */
PARADL_API const char *paradl_find(struct paradl_arena *arena, const char *name, const char *kind,
	const char *const *directories, struct paradl_error *error);

/*
 * Parses changes, under which files are read as if they said something else: "hw.levels.1.bandwidth=25 GB/s",
 * "device.peak.*=x1.2", "framework.passes=-10%", "model.dims.seq=8192". The key names a file and members, "*" for all
 * members. "x" and a factor, or a signed percentage, multiplies; anything else replaces, or adds a member.
 * PARADL_USAGE where it means nothing; loading fails so, too, where the file has nothing that a change names.
 */
PARADL_API const struct paradl_changes *paradl_changes_parse(
	struct paradl_arena *arena, const char *const *texts, size_t count, struct paradl_error *error);

/* ---- questions ---------------------------------------------------------------------------- */

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

/* ---- models, machines, frameworks --------------------------------------------------------- */

struct paradl_model;   /* a network: its layers and their shapes */
struct paradl_machine; /* devices, links, storage, price */
/* Behaviour of a training program: what it splits and overlaps, and what it pays per call. */
struct paradl_framework;

/*
 * Reads a model from a paradl-model(5) file or from any format that paradl_import knows.
 */
PARADL_API const struct paradl_model *paradl_model_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);

/* Member of an object in a file: its value is `json`, as it would stand in the file; else `text`; else `number`. */
struct paradl_member {
	const char *key; /* NULL: the list ends */
	double number;
	const char *text; /* NULL: it is no text */
	const char *json; /* as in the file: "[224, 224]", "true"; NULL: it is a text or a number */
};

struct paradl_layers; /* network that a program builds, layer by layer */

/*
 * Begins a network in code, whose names and numbers are those of a paradl-model(5) file. Lists of members end with
 * {0}. What is wrong with a network is said by paradl_layers_end, but for memory that runs out.
 *
 *     struct paradl_layers *layers = paradl_layers_begin(arena, "mine", &error);
 *     paradl_layers_set(layers, "input",
 *             (struct paradl_member[]){{"channels", .number = 3}, {"shape", .json = "[32, 32]"}, {0}});
 *     paradl_layers_add(layers, "conv",
 *             (struct paradl_member[]){{"out", .number = 64}, {"kernel", .number = 3}, {0}});
 *     paradl_layers_add(layers, "act", (struct paradl_member[]){{"kind", .text = "relu"}, {0}});
 *     const struct paradl_model *model = paradl_layers_end(layers, &error);
 */
PARADL_API struct paradl_layers *paradl_layers_begin(
	struct paradl_arena *arena, const char *name, struct paradl_error *error);
/* Adds an object of the file: "input", "training", "dataset", "dims". */
PARADL_API void paradl_layers_set(
	struct paradl_layers *layers, const char *key, const struct paradl_member *members);
/* Adds a layer of a type after those before; members: NULL, or those of the layer. */
PARADL_API void paradl_layers_add(
	struct paradl_layers *layers, const char *type, const struct paradl_member *members);
/*
 * Returns the network, or NULL with an error, whose pointer, "/layers/3/out", counts layers from 0. From then on the
 * arena has the network as the file NAME.json, where questions to paradl_ask find it.
 */
PARADL_API const struct paradl_model *paradl_layers_end(
	struct paradl_layers *layers, struct paradl_error *error);

/*
 * Reads a machine. Devices are looked up beside the profile, DIR/devices/NAME.json, and frameworks in
 * DIR/frameworks/; then in DIRECTORY/hw-profiles/ of each of the source's directories.
 */
PARADL_API const struct paradl_machine *paradl_machine_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);
PARADL_API const struct paradl_framework *paradl_framework_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error);

/* ---- oracles ------------------------------------------------------------------------------ */

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

/*
 * Options of an oracle; all 0: a training step as the model and the framework say. Members that a later version adds
 * stand at the end; a program that is built with them says so by `size`.
 */
struct paradl_options {
	size_t size; /* sizeof (struct paradl_options); 0: that of version 1 */
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
	 * accepted_tokens on average, from 1 to 1 + speculative_tokens; 0: none. Guessing them costs nothing here.
	 */
	double speculative_tokens, accepted_tokens;
	/*
	 * Plan of devices that read prompts for those of the plans, which only answer: "data=2,tensor=4"; NULL: none;
	 * "auto": plans that are ranked or searched are with and without such devices.
	 */
	const char *prefill;
	/* Share of each prompt whose keys and values are in the cache from requests before. */
	double cached_prefix;
	const struct paradl_input_options
		*input; /* feeding, paradl/oracle.h; NULL: what programs usually do */
	/* Threads of a search that takes longer than a moment; 0: as many as there are processors. */
	unsigned threads;
	/* Requests of inference one by one, paradl/oracle.h, which an engine answers step by step; NULL: they are alike. */
	const struct paradl_trace *trace;
};

struct paradl_oracle;

/* Creates an oracle; framework NULL: the machine's default one; options NULL: none. NULL with an error when it cannot. */
PARADL_API struct paradl_oracle *paradl_oracle_create(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine,
	const struct paradl_framework *framework, const struct paradl_options *options,
	struct paradl_error *error);
/*
 * Returns the samples of an iteration where a question gives none. Inference of text: a client for each device. Else
 * the model's training.batch, or else its training.batch_per_gpu for each device, or else for networks that generate text the
 * tokens that GPT-3 of the same size had, rounded up to a multiple of the devices; for others 32 samples a device.
 */
PARADL_API double paradl_oracle_batch(const struct paradl_oracle *oracle, double devices);

/* ---- plans -------------------------------------------------------------------------------- */

/* Plan: degrees of parallelism by axis, the order of the axes, a batch and options. */
struct paradl_plan;

/*
 * Reads a plan: "data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1", paradl(1) has all axes and
 * options. batch: samples of an iteration on all devices; 0: those of paradl_oracle_batch, but in inference of text a
 * client for each replica. NULL with PARADL_USAGE where the text is no plan.
 */
PARADL_API const struct paradl_plan *paradl_plan_create(
	struct paradl_arena *arena, const char *text, double batch, struct paradl_error *error);
/* Characters of the longest plan as text, with the terminating 0. */
enum { PARADL_PLAN_TEXT = 768 };
/* Writes the text that parses back to the plan; returns what snprintf returns. */
PARADL_API int paradl_plan_format(const struct paradl_plan *plan, char *text, size_t size);
PARADL_API double paradl_plan_devices(const struct paradl_plan *plan);
/* Writes the axes in use in canonical order, "data+filter", or "serial" if none is; returns what snprintf returns. */
PARADL_API int paradl_plan_family(const struct paradl_plan *plan, char *text, size_t size);

/*
 * Returns whether the program that the framework stands for has all that the plan asks for. False: text is what it
 * lacks, "zero=2 with pipelines". Estimates take any plan; in ideal mode and in inference it is always true.
 */
PARADL_API bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size);

/*
 * Time, memory, power and cost of a plan, by the names of the quantities in the answers of the command. What is not
 * known, or means nothing for the plan, is negative.
 */
struct paradl_figures {
	size_t size; /* sizeof (struct paradl_figures); 0: that of version 1 */
	double devices, batch, local_batch, micro_batches;
	double iteration_s, epoch_s; /* inference: until all requests of the batch have their answer */
	double error_share; /* nine of ten measured times are within iteration_s times 1 - and 1 + this */
	double samples_per_s, flop_per_s_per_device, mfu;
	/* Phases of the iteration; exchanges include the part that compute hides. */
	double forward_s, backward_s, recompute_s, weight_update_s;
	double gradient_exchange_s, activation_exchange_s, halo_exchange_s, stage_transfer_s;
	double bubble_s, input_s;
	double compute_s, communication_s, exposed_communication_s, waiting_s;
	/* Memory of the fullest device at its peak, its capacity, and the parts of the first. */
	double memory_bytes, memory_capacity_bytes;
	double weights_bytes, gradients_bytes, optimizer_bytes, activations_bytes, logits_bytes;
	double workspace_bytes, communication_bytes, context_bytes, fragmentation_bytes, cache_bytes;
	double power_watt, cost_per_hour, energy_joule_per_epoch, cost_per_epoch;
	/* Inference of text: until the first token, from each to the next, and tokens generated. */
	double prompts_s, token_s, tokens_per_s;
	double limited_share; /* share of the iteration that the limit takes */
	const char *limited_by,
		*limited_improve; /* limit in words, and what to improve next; constant texts */
	bool feasible;            /* whether it fits in memory */
	bool uneven; /* whether something did not divide evenly, so that the fullest device counts */
};
/*
 * Estimates a plan. False with PARADL_INFEASIBLE when it cannot run whatever the memory (message: why; hint: what
 * would make it run), PARADL_USAGE when it is not a plan for this machine. A plan that needs more memory than there is
 * succeeds, and is not feasible.
 */
PARADL_API bool paradl_figures(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_figures *figures, struct paradl_error *error);

/* ---- the best plans ----------------------------------------------------------------------- */

/*
 * Goals. Throughput: in inference, with the largest batch that fits (in searches: with the plan's own, as limits
 * are); training has one batch, so there it is time.
 */
enum paradl_goal { PARADL_TIME, PARADL_MEMORY, PARADL_COST, PARADL_ENERGY, PARADL_THROUGHPUT };

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
/* Question for plans of a number of devices. */
struct paradl_request {
	size_t size; /* sizeof (struct paradl_request); 0: that of version 1 */
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

struct paradl_plans; /* plans with their figures, best first, and families of which no plan runs */

/*
 * Returns a ranking of the families of plans (data, data+spatial, tensor+pipeline ...), each by its best member, whose options are
 * chosen unless the request names them. NULL with an error.
 */
PARADL_API const struct paradl_plans *paradl_rank(struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_arena *arena, struct paradl_error *error);
/*
 * Finds the best of all plans, with proof: every degree, order of axes and option that the command `search` varies.
 * The list has this plan alone, or is empty; all_members of the request means nothing here.
 */
PARADL_API const struct paradl_plans *paradl_best(struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_arena *arena, struct paradl_error *error);
/* Returns the number of plans. */
PARADL_API size_t paradl_plans_count(const struct paradl_plans *plans);
/* Returns a plan, counted from 0, and fills its figures unless they are NULL. */
PARADL_API const struct paradl_plan *paradl_plans_at(
	const struct paradl_plans *plans, size_t index, struct paradl_figures *figures);
/*
 * Returns the reason why no plan of a family runs, the families counted from 0, or NULL past the last. *strategy: the
 * plan that came closest; *needs: what it would take, or "". Both may be NULL.
 */
PARADL_API const char *paradl_plans_refused(
	const struct paradl_plans *plans, size_t index, const char **strategy, const char **needs);

#ifdef __cplusplus
}
#endif

#endif

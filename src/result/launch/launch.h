/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells programs that train or serve a plan: the command to type, its flags, perhaps a file, and in words the parts
 * of the plan that a program cannot do. Each program has one file, which ends in `const struct launcher
 * launcher_NAME`, and one line X(NAME) in list.def.
 */
#ifndef RESULT_LAUNCH_LAUNCH_H
#define RESULT_LAUNCH_LAUNCH_H

#include <stdio.h>

#include "result/documents.h"

enum { LAUNCH_ITEMS = 96, LAUNCH_BYTES = 12288, LAYOUT_BYTES = 1024 };

/* Remark on stages whose numbers of blocks are not known. */
#define LAUNCH_UNTOLD                                                                                        \
	"%s deals %.15g blocks out to %.15g stages only as a layout says, and that of so many stages is "    \
	"not "                                                                                               \
	"known; nearest: stages that divide them"

struct launch_list {
	const char *items[LAUNCH_ITEMS];
	size_t count;
};

/* The command, flags and file that start a plan. */
struct launch {
	struct launch_list command; /* words of the command; none: the program cannot run the plan */
	struct launch_list flags;   /* options, each with its value after a blank or '=' */
	struct launch_list file;    /* lines of the file */
	const char *file_name;      /* "" when there is no file */
	bool is_for_own;            /* whether the lines belong in a file of the user's own */
	struct launch_list cannot;  /* remarks on parts of the plan that cannot be told or done */
	char text[LAUNCH_BYTES];    /* characters that all lists point to */
	size_t length;              /* bytes of `text` in use */
	bool is_cut;                /* whether something had no room */
};

/* A plan, and the numbers that every program asks for. */
struct launch_job {
	const struct report_head *head;
	const struct paradl_estimate *estimate;
	const struct paradl_plan *plan;
	const struct paradl_dimensions *dimensions; /* dimensions of the network */
	enum paradl_precision precision;
	enum paradl_dispatcher dispatcher; /* the plan's, or the framework's default */
	double replicas;                   /* replicas that have samples of their own: data times expert */
	double micro, micro_batches; /* samples of a micro-batch; number of micro-batches of a replica */
	unsigned nodes, per_node;    /* nodes; processes on each, one for each device */
	bool overlaps_gradients, overlaps_tensor;
};

/* A program that trains or serves. */
struct launcher {
	const char *name, *summary;
	const char *frameworks; /* words that begin the names of profiles which it fits; "": all profiles */
	const char
		*profile; /* profile of the program itself, for networks of text; NULL: it starts any other */
	bool serves;      /* whether it answers with a network; else it trains */
	const char
		*across; /* way to run a script on several nodes; NULL: run it on each, with $MASTER_ADDR */
	/* Fills the lists of `launch` for a plan. */
	void (*tell)(struct launch *launch, const struct launch_job *job);
	const struct launch_pools *pools; /* how servers that read prompts are joined; NULL: they cannot be */
};

/* Lines of a shell script and flags, each list ending in NULL, for servers that read prompts and for those that answer. */
struct launch_pools {
	const char *const *exports; /* lines before a server's command */
	unsigned port;              /* of the first server on a host */
	const char *const *flags[2],
		*const *file[2];   /* flags and lines of its file: of readers, of the others */
	const char *const *router; /* lines that start what joins both, with $PREFILL and $DECODE */
};
/* Fills a launch for a plan some of whose devices read prompts: a script that starts the server of a role. */
void launch_pools_fill(
	struct launch *launch, const struct report_head *head, const struct paradl_estimate *estimate);
/* Returns the numbers of a plan that programs ask for. */
struct launch_job launch_job_of(const struct report_head *head, const struct paradl_estimate *estimate);

#define X(id) extern const struct launcher launcher_##id;
#include "result/launch/list.def"
#undef X

extern const struct launch_pools vllm_pools, sglang_pools, trtllm_pools;
extern const struct launcher *const launchers[]; /* NULL-terminated, order of list.def */
/* Returns the launcher of a framework profile: the one whose word for it is longest. */
const struct launcher *launcher_of(const char *framework);

/* Returns whether the head's program does what is asked about, training or inference. */
bool launch_applies(const struct report_head *head);
/*
 * Fills a launch for a plan. Returns false where the head names no such program, or the plan does not fit in memory.
 */
bool launch_plan(
	struct launch *launch, const struct report_head *head, const struct paradl_estimate *estimate);

/* Adds text, formatted as by printf, to a list of the same launch; where there is no room, the plan is not told. */
void launch_add(struct launch *launch, struct launch_list *list, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds "torchrun", with its numbers of nodes and processes, and the script, to the command. */
void launch_torchrun(struct launch *launch, const struct launch_job *job, const char *script);
/*
 * Reports the axes in use that are not among `axes` (set of 1u << enum paradl_axis). Returns true where there are
 * none.
 */
bool launch_axes(struct launch *launch, const char *program, const struct launch_job *job, unsigned axes);
/* Reports that the program nests the axes in this order, outermost first, where the plan does not. */
void launch_nesting(struct launch *launch, const char *program, const struct paradl_plan *plan,
	const enum paradl_axis *axes, size_t count);
/*
 * Returns whether Megatron-Core must be asked to nest data outside of the pipeline. It nests pipeline, data, expert,
 * context, tensor or, only without experts and when asked to, data, pipeline, context, tensor. Reports a plan that is
 * neither.
 */
bool launch_data_outside(struct launch *launch, const char *program, const struct paradl_plan *plan);
/* Returns whether the network is a decoder of attention and MLPs, which alone the program builds; else reports why. */
bool launch_decoder(struct launch *launch, const char *program, const struct launch_job *job);
/* Returns whether the network is a decoder that its dimensions describe in full; else reports the missing part. */
bool launch_network(struct launch *launch, const char *program, const struct launch_job *job);
/* Numbers of blocks of the stages of a pipeline. */
enum stage_blocks {
	BLOCKS_ALIKE,     /* all stages have as many */
	BLOCKS_ENDS_LESS, /* the first and the last stage have one less than each other */
	BLOCKS_LAID_OUT,  /* others */
	BLOCKS_UNTOLD     /* others, of more stages than an estimate tells */
};
/*
 * Returns what numbers of blocks the stages have. Where they are laid out, writes them as Megatron-Core 0.13 reads
 * them, into LAYOUT_BYTES: "Et*6|(t*7|)*10t*4L", with E the embedding, t blocks, L the head, | the end of a stage.
 */
enum stage_blocks launch_stages(const struct launch_job *job, double stages, char *layout);
enum { MODULES_BYTES = 40 };
/*
 * Writes the modules of Megatron-Core that recompute=modules runs once more in this network, by their names in
 * recompute_modules, with the separator between; returns `text`.
 */
const char *launch_modules(const struct launch_job *job, char separator, char text[MODULES_BYTES]);
/* Reports heads, of queries or of keys and values, that the tensor axis does not divide. */
void launch_divides(struct launch *launch, const char *program, const struct launch_job *job);
/* Reports samples that do not divide into whole micro-batches on the replicas. */
void launch_batch(struct launch *launch, const char *program, const struct launch_job *job);

/* Settings of programs that serve, whatever their flags are called; launch_engines.c fills them from a plan. */

/* Settings that every engine gets. */
struct engine_job {
	unsigned data, expert, tensor, pipeline; /* degrees of the plan */
	bool has_experts;                        /* whether the network has experts */
	bool deals; /* whether whole experts are dealt to the expert and tensor axes; else tensor cuts each */
	double sequences;                  /* sequences of a replica at a time */
	double chunk;                      /* most tokens of prompts in a step */
	double balance;                    /* most steps that a prompt waits until all replicas have one */
	double length;                     /* tokens of the longest request, prompt and answer */
	double guessed;                    /* speculative tokens in a step; 0: none */
	bool knows_prefix;                 /* whether caches are kept for later requests */
	double memory_share, static_share; /* shares of a device's memory: all, weights and caches */
	double cache_share;                /* share of caches in the memory that the rest leaves */
	bool is_fp8, is_fp4, is_cache_fp8; /* whether weights, and caches, have these narrow formats */
	const char *dtype;                 /* format of all else: "bfloat16"; NULL: engines lack it */
};

/*
 * Fills the settings of every engine, and reports options of the plan that none has. Returns false: nothing can
 * start.
 */
bool engine_job_fill(
	struct launch *launch, const char *program, const struct launch_job *job, struct engine_job *engine);

/* Reports that replicas which share nothing must be started as one program each. */
void engine_replicas(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine);

#endif

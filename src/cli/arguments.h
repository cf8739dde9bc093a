/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * struct arguments holds the values of the options of all commands. The rows of arguments_table (tables.def)
 * say which option belongs to which command, and which field takes its value.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "base/option.h"

/* Values of options; a command or an option beside a field is the one that sets it. 0 or NULL: not given. */
struct arguments {
	/* what many commands ask about, and assume */
	const char *hw, *framework, *strategy, *strategies, *plan_options, *optimizer, *layer_times;
	struct option_texts set;   /* --set: changes to input files, KEY=VALUE */
	struct option_counts gpus; /* count 0: not given */
	double batch, per_gpu, micro, seq;
	double batch_tokens; /* batch follows from these tokens and the network */
	bool inference;
	double input_tokens, output_tokens; /* inference: tokens of a request */
	double requests, spread, rate_per_s, cached_prefix;
	double speculative_tokens, accepted_tokens;
	const char *prefill, *trace;
	struct paradl_promise promise;
	int percentile;      /* enum paradl_percentile: --ttft and --tpot hold for it */
	int goal, precision; /* -1: not given */
	const char *algorithm, *compress, *measured, *import_assume;
	const char *device; /* device whose rows count, or its file */
	bool ideal, quiet_network, all_rows;
	bool force; /* goes on where the command would refuse */
	double threads, lost_after_s;
	/* the whole training (job_options.c) */
	double tokens, samples, epochs;
	const char *checkpoint, *mtbf;
	double checkpoint_bytes_per_s, restart_s;
	bool checkpoint_async, resources;
	double deadline_s;
	struct option_money budget;
	/* what feeds the devices (input_options.c) */
	const char *dataset, *shuffle, *cache;
	int store; /* enum paradl_store */
	double workers, prefetch;
	bool no_prefetch, no_input;
	/* single commands, and families of them */
	struct {
		struct option_texts machines; /* compare, report: --hw */
		struct option_texts rates;    /* --exchange */
		int price;                    /* basis, 0 rent, 1 purchase; -1: not given */
	} compare;
	struct {
		struct option_texts plans, vary; /* -s, --vary */
		const char *resume;
	} sweep;
	struct {
		bool best;
		double perturb; /* share by which inputs change */
		const char *target, *upgrade;
	} whatif;
	struct {
		const char *search_over, *pareto, *map;
		double gap;
		bool exhaustive, min_gpus, per_layer;
		const char *write_plan; /* file to write the plan of --per-layer to */
		double layer_plans;
	} search;
	struct { /* collective, export */
		const char *bytes, *placement, *algorithms, *library, *topologies, *link;
		double ranks, concurrent, stride, density, overlap;
		int equal; /* enum equal; -1: not given */
	} network;
	struct {
		struct option_texts measured;
		double tolerance; /* negative: not given */
	} diagnose;
	struct {
		const char *clients, *scheme;
		double client_samples, local_batch, participants, server_devices, rounds;
		double local_epochs, up, down, lan, server; /* rates of links in bytes/s */
		int exchange;
	} federate;
	struct {
		int sampler;     /* index for paradl_sampler() */
		double fraction; /* negative: not given */
		double tau, warm_up, candidate_s, phi, ratio, epoch_s;
		const char *fraction_schedule, *retention;
		bool distributed_selection, compare;
	} hide;
	struct {
		int from, as,
			part; /* from: format, -1: not given; as: 0 model, 1 dataset; part: 0 whole, 1 text */
		const char *layer_config, *weights, *input;
		struct option_texts shapes;
	} import;
	struct {
		const char *constants, *leave_out, *into, *base, *model;
		bool leave_each_out;
		double shapes, seed; /* shapes: kernel rows of each kind that a fit may see; 0: all */
	} fit;
	struct option_texts kernels; /* validate: tables of kernel times */
	double tolerance;            /* validate */
	struct {                     /* validate --run */
		bool asked, quick;
		struct option_counts ranks;
		double launches;
		const char *samples, *mpirun;
	} run;
	struct {
		bool gpu, cpu, mpi, fake; /* programs to measure with */
		const char *storage, *model, *shards, *only, *hostfile, *mpirun, *time_limit, *samples_file;
		double ranks, launches, seed, patience_s;
		struct option_counts batches;
		bool quick, full, dry_run, resume, retry_failed;
	} calibrate;
	/* the answer: what is shown, and how it looks */
	double top;                                    /* plans to show; 0: all; -1: not given */
	const char *plot, *picture, *output, *columns; /* plot "": paradl-COMMAND.png */
	double width;
	int color; /* enum color */
	int flags; /* index of a launcher, past the last: none; -1: not given */
	bool all, schedule, interactive;
	bool phases, layers, memory, explain, timeline;
	bool strict, names, man_options, man_columns, schema, show;
	bool json, jsonl, csv, ascii;
	bool quiet, verbose;
	bool help, short_help; /* --help, -h */
};

enum equal { EQUAL_PORTS, EQUAL_PRICE };

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Adds the change of --seq, another spelling of a --set, to `set`; false: too many changes, or out of memory. */
bool arguments_complete(struct paradl_arena *arena, struct arguments *arguments, struct paradl_error *error);

extern const struct option_table arguments_table;

/* Returns the values before the command line is read: -1 in fields where 0 is a choice. */
struct arguments arguments_initial(void);

#endif

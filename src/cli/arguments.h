/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * struct arguments holds the values of the options of all commands. The rows of arguments_table (arguments*.c) say
 * which option belongs to which command, and which field takes its value.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "base/option.h"

/* Values of options; a command or an option beside a field is the one that sets it. */
struct arguments {
	const char *hw, *framework, *strategy, *strategies, *plan_options, *optimizer, *layer_times;
	struct option_texts set; /* --set: changes to input files, KEY=VALUE */
	struct option_texts measured_files;
	struct option_texts machines;    /* compare, report: --hw */
	struct option_texts rates;       /* compare: --exchange */
	int price;                       /* compare: basis, 0 rent, 1 purchase; -1: not given */
	struct option_texts plans, vary; /* sweep: -s, --vary */
	struct option_texts import_shapes;
	const char *resume_file;
	const char *measured, *layer_config, *weights, *import_input, *import_assume, *algorithm, *compress;
	const char *constants, *leave_out, *into, *base;
	const char *plot, *picture, *output, *columns; /* plot "": paradl-COMMAND.png */
	const char *bytes, *placement, *algorithms, *library, *topologies, *link;
	double ranks, concurrent, stride; /* 0: not given */
	double density, overlap;
	int equal; /* enum equal; -1: not given */
	/* import_from: format, -1: not given; import_as: 0 model, 1 dataset; import_part: 0 whole, 1 text. */
	int import_from, import_as, import_part;
	bool schedule, interactive;
	struct option_counts gpus;    /* count 0: not given */
	double batch, per_gpu, micro; /* 0: not given */
	double batch_tokens;          /* 0: not given; else batch follows from these tokens and the network */
	double input_tokens, output_tokens;                 /* inference: tokens of a request; 0: not given */
	double requests, spread, rate_per_s, cached_prefix; /* inference; 0: not given */
	double speculative_tokens, accepted_tokens;
	const char *prefill;
	double seq; /* 0: not given */
	bool inference;
	double top; /* plans to show; 0: all; -1: not given */
	double width, tolerance;
	double gap_tolerance;                     /* diagnose: --tolerance; negative: not given */
	int goal, precision, color;               /* goal, precision: -1: not given; color: enum color */
	const char *search_over, *pareto, *map;   /* search */
	double gap, threads;                      /* 0: not given */
	double tokens, samples, epochs;           /* amounts of the whole training; 0: not given */
	const char *checkpoint, *mtbf;            /* of the whole training, too */
	double checkpoint_bytes_per_s, restart_s; /* 0: not given */
	bool checkpoint_async;
	bool resources;
	double deadline_s, budget; /* 0: not given */
	struct paradl_promise promise;
	int percentile; /* enum paradl_percentile: --ttft and --tpot hold for it */
	/* whatif and search */
	bool best;
	double perturb; /* share by which inputs change; 0: not given */
	const char *target, *upgrade;
	bool exhaustive, min_gpus, per_layer;
	const char *write_plan; /* file to write the plan of --per-layer to */
	double layer_plans;     /* 0: not given */
	int flags;              /* index of a launcher, past the last: none; -1: not given */
	double lost_after_s;
	bool leave_each_out;
	bool force;                  /* goes on where the command would refuse */
	struct option_texts kernels; /* validate: tables of kernel times */
	const char *device;          /* device whose rows count, or its file */
	double shapes;               /* kernel rows of each kind that a fit may see; 0: all */
	bool run, run_quick;         /* run_*: options of validate --run */
	struct option_counts run_ranks;
	double run_launches;
	const char *run_samples, *run_mpirun;
	bool all, all_rows, ideal, quiet_network;
	bool phases, layers, memory, explain, timeline;
	/* what feeds the devices (arguments_input.c) */
	const char *dataset, *shuffle, *cache;
	int store;                /* enum paradl_store */
	double workers, prefetch; /* 0: not given */
	/* federate */
	const char *clients, *scheme;
	double client_samples, local_batch, participants, server_devices, rounds; /* 0: not given */
	double local_epochs, up, down, lan, server; /* rates of links in bytes/s */
	int exchange;
	bool no_prefetch, no_input, distributed_selection; /* no_*: what feeds the devices; the last: hide */
	/* hide */
	int sampler;     /* index for paradl_sampler() */
	double fraction; /* negative: not given */
	double tau, warm_up, candidate_s;
	double phi, ratio, epoch_s; /* 0: not given; `epochs` above is of hide, too */
	const char *fraction_schedule, *retention;
	bool compare;
	/* calibrate */
	bool on_gpu, on_cpu, on_mpi, on_fake; /* programs to measure with */
	const char *storage, *model, *shards, *only, *hostfile, *mpirun, *time_limit, *samples_file;
	double launches, seed, patience_s; /* 0: not given */
	struct option_counts batches;
	bool quick, full, dry_run, resume, retry_failed;
	/* options of output, and of check, fit, help and list */
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

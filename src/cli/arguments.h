/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of every option of every command; rows of option_rows say which is whose. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "base/option.h"

struct arguments {
	const char *hw, *framework, *strategy, *strategies, *plan_options, *optimizer, *layer_times;
	struct option_texts set; /* changes of files */
	struct option_texts measured_files;
	struct option_texts machines;    /* of compare and report */
	struct option_texts rates;       /* of compare */
	int price;                       /* of compare: 0 rent, 1 purchase; -1: not given */
	struct option_texts plans, vary; /* of a sweep: -s, --vary */
	struct option_texts import_shapes;
	const char *resume_file;
	const char *measured, *layer_config, *weights, *import_input, *import_assume, *algorithm, *compress;
	const char *constants, *leave_out, *into, *base;
	const char *plot, *picture, *output, *columns; /* plot "": a name of our own */
	const char *bytes, *placement, *algorithms, *library, *topologies, *link;
	double ranks, concurrent, stride; /* 0: not given */
	double density, overlap;
	int equal;                               /* -1: not given */
	int import_from, import_as, import_part; /* index of a format, -1: not given; 0: model, 1: dataset */
	bool schedule, interactive;
	struct option_counts gpus;          /* count 0: not given */
	double batch, per_gpu, micro;       /* 0: not given */
	double batch_tokens;                /* 0: not given; else batch follows from it and the network */
	double input_tokens, output_tokens; /* tokens; 0: not given */
	double requests, spread, rate_per_s, cached_prefix; /* of inference; 0: not given */
	double speculative_tokens, accepted_tokens;
	const char *prefill;
	double seq; /* 0: not given */
	bool inference;
	double top; /* 0: all; -1: not given */
	double width, tolerance;
	double gap_tolerance;                     /* of a diagnosis; negative: not given */
	int goal, precision, color;               /* goal, precision -1: not given */
	const char *search_over, *pareto, *map;   /* of a search */
	double gap, threads;                      /* 0: not given */
	double tokens, samples, epochs;           /* of the whole training; 0: not given */
	const char *checkpoint, *mtbf;            /* of it, too */
	double checkpoint_bytes_per_s, restart_s; /* 0: not given */
	bool checkpoint_async;
	bool resources;
	double deadline_s, budget; /* 0: not given */
	struct paradl_promise promise;
	int percentile; /* of the promise */
	/* what if */
	bool best;
	double perturb; /* 0: not given */
	const char *target, *upgrade;
	bool exhaustive, min_gpus, per_layer;
	const char *write_plan; /* file of a plan of parts that is written */
	double layer_plans;     /* 0: not given */
	int flags;              /* index into launchers, past the last: none; -1: not given */
	double lost_after_s;
	bool leave_each_out;
	bool force;                  /* goes on where the command would refuse */
	struct option_texts kernels; /* tables of kernel times */
	const char *device;          /* whose rows count, or its file */
	double shapes;               /* rows of each kind that a fit may see; 0: all */
	bool run, run_quick;         /* of validate --run */
	struct option_counts run_ranks;
	double run_launches;
	const char *run_samples, *run_mpirun;
	bool all, all_rows, ideal, quiet_network;
	bool phases, layers, memory, explain, timeline;
	/* input */
	const char *dataset, *shuffle, *cache;
	int store;                /* enum paradl_store */
	double workers, prefetch; /* 0: not given */
	/* federate */
	const char *clients, *scheme;
	double client_samples, local_batch, participants, server_devices, rounds; /* 0: not given */
	double local_epochs, up, down, lan, server;                               /* rates in bytes/s */
	int exchange;
	bool no_prefetch, no_input, distributed_selection;
	/* hide */
	int sampler;     /* paradl_sampler() */
	double fraction; /* negative: not given */
	double tau, warm_up, candidate_s;
	double phi, ratio, epoch_s; /* 0: not given; epochs as above */
	const char *fraction_schedule, *retention;
	bool compare;
	/* calibrate */
	bool on_gpu, on_cpu, on_mpi, on_fake; /* which parts */
	const char *storage, *model, *shards, *only, *hostfile, *mpirun, *time_limit, *samples_file;
	double launches, seed, patience_s; /* 0: not given */
	struct option_counts batches;
	bool quick, full, dry_run, resume, retry_failed;
	bool strict, names, man_options, man_columns, schema, show;
	bool json, jsonl, csv, ascii;
	bool quiet, verbose, help;
};

enum equal { EQUAL_PORTS, EQUAL_PRICE };

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Makes changes of options that are another spelling of --set; false: there are too many. */
bool arguments_complete(struct paradl_arena *arena, struct arguments *arguments, struct paradl_error *error);

extern const struct option_table arguments_table;

/* Values before anything is typed. */
struct arguments arguments_initial(void);

#endif

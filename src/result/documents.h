/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The documents that commands answer with: results, and what they rest on. */
#ifndef RESULT_DOCUMENTS_H
#define RESULT_DOCUMENTS_H

#include "base/arena.h"
#include "result/listing.h"

/* A list that grows in an arena. */
struct text_list {
	const char **items;
	size_t count;
};
bool text_list_add(struct paradl_arena *arena, struct text_list *list, const char *text);

struct report_input {
	const char *path;
	char sha256[65]; /* "" where nobody asks for it, and of standard input */
};

enum { REPORT_INPUTS_MAX = 32 };

/* What every result rests on. */
struct report_head {
	struct text_list command; /* as typed, the program's name first */
	struct report_input inputs[REPORT_INPUTS_MAX];
	size_t input_count;
	struct paradl_model_info model;
	struct paradl_machine_info machine;
	struct paradl_framework_info framework;
	const char *precision, *optimizer;
	bool ideal, quiet_network, inference;
	double rate_per_s; /* of inference: of requests that come at random; 0: a plan's batch is under way */
	double speculative_tokens,
		cached_prefix; /* of inference: guessed in a step; share of a prompt that is known; 0: none */
	const struct launcher *launcher; /* whose flags start a plan; NULL: none are wanted */
	bool asks_launch;                /* it was asked for by name */
	const char *again; /* "resnet50 --hw abci": what a command needs to ask about the same inputs */
	struct text_list assumptions, warnings;
	unsigned guesses,
		guess_lines; /* numbers of the machine without a source, and how many assumptions say so */
	const char *machine_word; /* the machine as a shell takes it: "abci" */
};

struct report_advice {
	const struct report_head *head;
	const struct paradl_ranking *rankings; /* one per number of GPUs, ascending */
	size_t count;
	bool is_sweep;   /* asked for several numbers of GPUs */
	bool of_samples; /* devices and batches differ: plans are compared by what a sample takes */
	enum paradl_goal goal;
	size_t top;          /* plans shown per ranking; 0: all */
	size_t lines;        /* of text that the plans of a ranking may take; 0: any number */
	const char *columns; /* comma list of column names; NULL: the usual ones */
	const struct paradl_run_request *job; /* NULL: no whole training is asked about */
	const struct paradl_run *runs;        /* of it: of all results of the rankings, one after the other */
	const struct paradl_layered_search *layers; /* plans for each layer that are faster; NULL: none are */
	const char *file; /* of a plan of parts, in place of the plan's text; NULL: plans are what they say */
	/* Per row of rankings[0].infeasible, what it would take if memory were no limit; devices 0: unknown. For pictures; may be NULL. */
	const struct paradl_estimate *unfit;
};

/* The smallest number of devices that was enough. */
struct report_fewest {
	unsigned devices;                 /* 0: none was */
	unsigned below;                   /* the last that was not; 0: there is none */
	struct paradl_infeasible closest; /* on those */
};

/* The run of one of an advice's results; NULL: none. */
const struct paradl_run *report_run_of(
	const struct report_advice *advice, const struct paradl_estimate *estimate);
/* Tokens of so many samples; negative: the network takes none. */
double report_tokens(const struct report_head *head, double samples);

struct report_search {
	const struct report_head *head;
	const struct paradl_search_request *request;
	const struct paradl_search *search;
	const struct report_fewest *fewest;   /* NULL: not asked for */
	double samples, tokens;               /* of the whole training; 0: not said */
	const struct paradl_run_request *job; /* of that; NULL: not asked for */
	const struct paradl_run *runs;        /* of all results; NULL: there is no job */
	const char *columns;                  /* as of an advice */
};
/* What plans of an advice are compared by. */
double report_value(const struct report_advice *advice, const struct paradl_estimate *estimate);
/* How many of the first plans of a ranking cannot be told apart. */
size_t report_equal(const struct report_advice *advice, const struct paradl_ranking *ranking);
/* The results as an advice whose one ranking they are. */
struct report_advice report_search_advice(const struct report_search *report, struct paradl_ranking *ranking);
/* Of inference without a batch, that is searched too. */
bool report_varies_batch(const struct report_search *report);
/* The name of the first (0) or second (1) axis of the map; "" when there is none. */
const char *report_map_axis(const struct report_search *report, unsigned index);
/* A cell without a plan as a plan that cannot run. */
struct paradl_infeasible report_map_gap(
	const struct report_search *report, const struct paradl_map_cell *cell);

/* A plan for each part of a network, and what the parts would take with others. */
struct report_parts {
	const struct paradl_model *model;
	const struct paradl_layered *layered;
	const struct paradl_layered_explanation *explanation;
	const char *file;                 /* that holds the plan; NULL: none */
	const struct paradl_plan *others; /* each for all layers */
};

/* A search for a plan for each layer. */
struct report_layers {
	const struct report_head *head;
	const struct paradl_layered_search *search;
	const struct report_parts *parts;
};

/* A step of a pipeline. */
struct report_timeline {
	const struct report_head *head;
	const struct paradl_plan *plan;
	const struct paradl_timeline *timeline;
};

struct report_estimate {
	const struct report_head *head;
	const struct paradl_estimate *estimate;     /* NULL: the plan cannot run */
	const struct paradl_infeasible *infeasible; /* why, then */
	const struct paradl_remedy *remedy;         /* of a plan that does not fit; NULL: none is known */
	const struct paradl_explanation *explanation;
	const struct paradl_algorithm_gains *gains; /* NULL: not asked for */
	const struct paradl_layer_table *layers;    /* NULL unless asked for */
	const struct report_parts *parts;           /* of a plan of parts, else NULL */
	const struct paradl_run_request *job;       /* NULL: no whole training is asked about */
	const struct paradl_run *run;               /* of it */
	struct paradl_power power;
	struct paradl_price price;
	const struct report_timeline *timeline; /* NULL unless asked for */
	bool show_phases, show_memory, show_layers, show_terms;
};

/* A drawing of a page, as SVG. */
struct report_figure {
	const char *caption, *svg;
	size_t length;
};

/* All that is to be said of one question, to read offline. */
struct report_page {
	const struct report_advice *advice;  /* one ranking */
	const struct report_estimate *best;  /* of it, with its terms; NULL: nothing runs */
	const struct report_advice *scaling; /* numbers of devices; NULL: not looked at */
	const struct report_figure *figures;
	size_t figure_count;
};

/* Launches of one plan that was measured here. */
struct report_run {
	const char *plan;
	unsigned launches;
	double median_s, least_s, most_s;
};
struct report_runs {
	const struct report_run *items;
	size_t count;
};

struct report_validation {
	const struct report_head *head; /* of it only command and inputs */
	const struct paradl_validation *validation;
	double tolerance;
	const struct report_runs *runs; /* NULL: rows of a file */
};

struct report_fit {
	const struct report_head *head; /* of it only command and inputs */
	const struct paradl_fit *fit;
	const char *into; /* directory whose profiles hold the constants now, or NULL */
};

struct report_kernels {
	const struct report_head *head; /* of it only command and inputs */
	const struct paradl_kernels *kernels;
	const char *into; /* device file that has the numbers now, or NULL */
};

struct report_calibration {
	const struct report_head *head; /* of it only command and inputs, and the machine's name */
	const struct paradl_calibration *calibration;
	const char *into;        /* profile that holds it now, or NULL */
	bool is_refused;         /* into: not written, for a verdict */
	const char *layer_times; /* file that times of layers were written to, or NULL */
	bool shows_points;       /* every point of the curves */
};

/* Federated rounds: the first scheme in depth, the others beside it. */
struct report_federate {
	const struct report_head *head;
	const struct paradl_federation *federation;
	const struct paradl_federated *federated;
	const size_t *ranked; /* indices of its rounds: those that fit first, by time */
};

/* One network that an operation was asked of. */
struct report_network {
	struct paradl_network_info info;
	struct paradl_inventory inventory;
	struct paradl_collective_table table;
	double rate; /* equal price: what all cables' rates were multiplied by; else 1 */
};

struct report_collective {
	const struct report_head *head; /* of it no model and no framework; the machine may be nameless */
	const struct report_network *networks;
	size_t count;
	bool compares;                          /* networks on paper */
	bool shows_all;                         /* every algorithm */
	const char *placement;                  /* "in-order" */
	const char *library;                    /* that was named; or NULL */
	double density;                         /* 0: dense */
	const struct paradl_schedule *schedule; /* of the first network; NULL: not asked for */
	double schedule_bytes;
	const struct paradl_timings *timings; /* to compare the first network's rows with; or NULL */
};

const char *report_severity(enum paradl_severity severity);
enum { POINT_FLAGS = 5 };
/* The words for what is odd about a point, by bit; "noisy". */
extern const char *const report_point_flags[POINT_FLAGS];

/* The row of a size; NULL: none. */
const struct paradl_collective_row *report_row_of(const struct paradl_collective_table *table, double bytes);
const char *report_time_origin(enum paradl_time_origin origin);
/* "ring" of "allreduce-ring" */
const char *report_algorithm(const struct paradl_collective_table *table, size_t choice);
const char *report_algorithm_name(const struct paradl_collective_table *table, const char *name);

struct checked_file {
	const char *path;
	bool valid;
	struct paradl_findings findings;
	struct paradl_error error;
};

struct report_check {
	const struct checked_file *files;
	size_t count;
};

/* A measuring program in a calibration. */
struct report_measured {
	const char *program; /* "mpi" */
	const char *skipped; /* why nothing, or nothing more, was measured; NULL: it was */
	unsigned launches;   /* begun; of a plan, wanted */
	double points;       /* of one launch */
	/* Over all launches; kept: they were in the file before. */
	double measured, failed, absent, kept;
	double seconds; /* that it took; of a plan, that it may take at most */
};

struct report_calibrate {
	const char *file; /* of the samples */
	const struct report_measured *programs;
	size_t count;
	bool is_plan;                    /* --dry-run: nothing was measured */
	unsigned launches;               /* wanted of each program */
	double file_bytes, memory_bytes; /* of a plan: that it may need at most; negative: not known */
	const struct text_list *dropped; /* benches, after too many failures: "mpi allreduce" */
	const struct text_list
		*lost;       /* points that were measured again after their program was lost, and why */
	double most_s;       /* that all may take at most */
	const char *stopped; /* why it ended early; NULL: it did not */
	const char *next;    /* what to do now: a command; NULL: nothing */
};

/* Training with fewer samples. */
struct report_hide {
	const struct report_head *head;
	const struct paradl_hide *hide;
	bool compares; /* the samplers, instead of the epochs of one */
};

/* Measured times beside projected ones. */
struct report_diagnosis {
	const struct report_head *head;
	const struct paradl_measurement *measurement;
	const struct paradl_diagnosis *diagnosis;
};

/* Ways to feed plans. */
struct report_io {
	const struct report_head *head;
	const struct paradl_input_table *table;
	bool shows_resources, shows_terms;
};

/* How machines are paid for. */
enum { PRICE_BASES = 2 };
extern const char *const price_basis_names[PRICE_BASES]; /* "rent", "purchase" */

/* Machines side by side. */
struct report_compare {
	const struct report_head *head; /* of it command, inputs, assumptions and warnings */
	const struct paradl_model_info *models;
	const struct paradl_machine_info *machines;
	const double *samples; /* of each model; NULL: inference */
	const char *currency;  /* the common one; NULL: none */
	int basis;             /* index into price_basis_names of costs that compare; -1: there are none */
	int precision;         /* of all networks; -1: each has its own */
	double deadline_s, budget;     /* 0: not asked for */
	enum paradl_amount by;         /* that the table is in the order of, and so is rank */
	struct paradl_promise promise; /* of inference */
	const struct paradl_comparison *comparison;
};

/* The devices of the hosts that a plan takes; negative: none is known. */
double report_devices_paid(const struct report_compare *report, const struct paradl_compare_cell *cell);
/* The number format that a model is trained in, on all machines. */
const char *report_precision(const struct report_compare *report, size_t model);

/* An estimate with something changed: one of tornado, target and pair. */
struct report_whatif {
	const struct report_head *head;
	enum paradl_goal goal;
	bool is_best; /* plans are the best ones */
	const struct paradl_tornado *tornado;
	const struct paradl_whatif_target *target;
	const struct paradl_whatif_pair *pair;
	const struct paradl_machine_info
		*upgrade; /* the second machine of the pair; NULL: it is the first, changed */
};

/* A grid of points. */
struct report_sweep {
	const struct report_head *head; /* of the first point */
	const struct paradl_sweep_key *keys;
	size_t key_count;
	const char *columns;               /* comma list of names of columns and keys; NULL: the usual ones */
	const struct sweep_column *layout; /* by report_sweep_prepare */
	size_t layout_count;
	double points, feasible; /* of the whole grid; feasible: once all are there */
};

/* A network with a size, and one of the algorithms. */
struct collective_row {
	const struct report_network *network;
	size_t choice, size;
};

/* A plan with one way to feed it, or a term of its step's time. */
struct io_row {
	const struct paradl_input_case *plan;
	const struct paradl_input_row *way;
	const struct paradl_term *term;
};

/* A phase in two settings. */
struct phase_row {
	const char *name;
	double before_s, after_s, best_s;
};

/* Records that are tables for people. */
extern const struct result_record record_fit, record_kernels, record_fitted_number, record_fitted_curve,
	record_fitted_point, record_io_case, record_collective_size, record_collective_line,
	record_algorithm_line, record_timing, record_step, record_validated, record_validated_run,
	record_strategy_score, record_set_score, record_summary, record_federate_group,
	record_federate_division, record_hide, record_hide_epoch, record_hide_training, record_part,
	record_parts, record_redistribution, record_estimate_result, record_measured_program, record_io_way,
	record_io_need, record_io_row, record_compare_result, record_diagnose_phase, record_diagnose_layer,
	record_federate_result, record_whatif_row, record_whatif_need, record_whatif_phase;

#endif

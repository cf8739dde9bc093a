/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The documents that commands answer with: results, and the inputs that they follow from. */
#ifndef RESULT_DOCUMENTS_H
#define RESULT_DOCUMENTS_H

#include "base/arena.h"
#include "paradl/fit.h"
#include "paradl/network.h"
#include "paradl/study.h"
#include "result/field.h"

/* A list of texts that grows in an arena. */
struct text_list {
	const char **items;
	size_t count;
};
/* Adds a text, without a copy. Returns false when out of memory, or where the text is NULL. */
bool text_list_add(struct paradl_arena *arena, struct text_list *list, const char *text);

/* A file that was read. */
struct report_input {
	const char *path;
	char sha256[65]; /* checksum; "" where nobody asks for it, and for standard input */
};

enum { REPORT_INPUTS_MAX = 32 };

/* The inputs and assumptions that every result follows from. */
struct report_head {
	struct text_list command; /* words as typed, the program's name first */
	struct report_input inputs[REPORT_INPUTS_MAX];
	size_t input_count;
	struct paradl_model_info model;
	struct paradl_machine_info machine;
	struct paradl_framework_info framework;
	const char *precision, *optimizer;
	bool ideal, quiet_network, inference;
	double rate_per_s; /* inference: requests that come at random; 0: a plan's batch is under way */
	double speculative_tokens,
		cached_prefix; /* inference: tokens guessed in a step; share of a prompt in caches; 0: none */
	const struct launcher *launcher;    /* program whose flags start a plan; NULL: none are wanted */
	bool asks_launch, launch_estimated; /* whether it was asked for by name, and is estimated for that */
	const char *again;      /* arguments that ask about the same inputs: "resnet50 --hw abci" */
	const char *again_load; /* " --ttft 0.5s": batch and promise as arguments; or "" */
	struct text_list assumptions, warnings;
	unsigned guesses, guess_lines; /* guessed numbers of the machine, and assumptions that name them */
	const char *machine_word;      /* the machine as a shell takes it: "abci" */
};

/* Rankings of plans, one for each number of GPUs. */
struct report_advice {
	const struct report_head *head;
	const struct paradl_ranking *rankings; /* one per number of GPUs, ascending */
	size_t count;
	bool is_sweep;   /* whether several numbers of GPUs were asked for */
	bool of_samples; /* whether plans are compared per sample, as devices and batches differ */
	enum paradl_goal goal;
	size_t top;          /* plans shown per ranking; 0: all */
	size_t lines;        /* lines of text that the plans of a ranking may take; 0: any number */
	const char *columns; /* comma list of column names; NULL: the usual ones */
	const struct paradl_run_request *job; /* whole training that is asked about; NULL: none is */
	const struct paradl_run *runs;        /* runs of the job by all results of all rankings, in order */
	const struct paradl_layered_search *layers; /* plans for each layer that are faster; NULL: none are */
	const struct paradl_other_plan *simpler;    /* for the best plan; NULL: none is as fast */
	const struct paradl_faster_dispatcher *dispatched; /* for the best plan; NULL: none is faster */
	const struct paradl_other_plan *balanced; /* with stages of balanced work; NULL: not faster */
	const char *file; /* file of a plan of parts, in place of the plan's text; NULL: no such plan */
	/* For pictures: rankings[0].infeasible as if memory were no limit, devices 0: unknown; may be NULL. */
	const struct paradl_estimate *unfit;
};

/* The smallest number of devices that was enough. */
struct report_fewest {
	unsigned devices;                 /* smallest number; 0: none was enough */
	unsigned below;                   /* largest number below that was not enough; 0: there is none */
	struct paradl_infeasible closest; /* plan that came closest on `below` devices */
	struct paradl_estimate
		offloaded; /* best plan with its optimizer states in host memory on fewer; devices 0: none */
};

/* Returns the run of the job by one of an advice's results; NULL: there is none. */
const struct paradl_run *report_run_of(
	const struct report_advice *advice, const struct paradl_estimate *estimate);
/* Returns the tokens of some samples; negative: the network takes no tokens. */
double report_tokens(const struct report_head *head, double samples);

/* A search through all plans. */
struct report_search {
	const struct report_head *head;
	const struct paradl_search_request *request;
	const struct paradl_search *search;
	const struct report_fewest *fewest;   /* NULL: not asked for */
	double samples, tokens;               /* amount of the whole training; 0: not given */
	const struct paradl_run_request *job; /* whole training that is asked about; NULL: none is */
	const struct paradl_run *runs;        /* runs of the job by all results; NULL: there is no job */
	const char *columns;                  /* comma list of column names; NULL: the usual ones */
	bool usual_devices; /* whether nobody said which numbers of GPUs: powers of two are looked at */
};
/* Returns the value by which plans of an advice are compared; less is better. */
double report_value(const struct report_advice *advice, const struct paradl_estimate *estimate);
/* Returns how many of the first plans of a ranking cannot be told apart, the best included; 0: it has no plan. */
size_t report_equal(const struct report_advice *advice, const struct paradl_ranking *ranking);
/* Returns the results of a search as an advice; fills its one ranking. */
struct report_advice report_search_advice(const struct report_search *report, struct paradl_ranking *ranking);
/* Returns whether the batch is searched too: for inference, where none is given. */
bool report_varies_batch(const struct report_search *report);
/* Returns the name of the first (0) or second (1) axis of the map; "" when there is none. */
const char *report_map_axis(const struct report_search *report, unsigned index);
/* Returns a cell of the map in which no plan runs, as a plan that cannot run. */
struct paradl_infeasible report_map_gap(
	const struct report_search *report, const struct paradl_map_cell *cell);

/* A plan for each part of a network, and the times of the parts under other plans. */
struct report_parts {
	const struct paradl_model *model;
	const struct paradl_layered *layered;
	const struct paradl_layered_explanation *explanation;
	const char *file;                 /* file that holds the plan; NULL: none */
	const struct paradl_plan *others; /* other plans, each for all layers */
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

/* One plan in depth. */
struct report_estimate {
	const struct report_head *head;
	const struct paradl_estimate *estimate;     /* NULL: the plan cannot run */
	const struct paradl_infeasible *infeasible; /* why the plan cannot run */
	const struct paradl_remedy *remedy; /* remedy for a plan that does not fit; NULL: none is known */
	const struct paradl_explanation *explanation;
	const struct paradl_algorithm_gains *gains;        /* NULL: not asked for */
	const struct paradl_faster_dispatcher *dispatched; /* NULL: none is faster */
	/* With its axes as programs nest them, and with stages of balanced work; NULL: not faster. */
	const struct paradl_other_plan *nested, *balanced;
	const struct paradl_layer_table *layers; /* NULL unless asked for */
	const struct report_parts *parts;        /* parts of a plan of parts, else NULL */
	const struct paradl_run_request *job;    /* whole training that is asked about; NULL: none is */
	const struct paradl_run *run;            /* run of the job */
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

/* A page that answers one question in full, to read offline. */
struct report_page {
	const struct report_advice *advice; /* one ranking */
	const struct report_estimate *best; /* best plan of the ranking, with its terms; NULL: nothing runs */
	const struct report_advice *scaling; /* rankings for several numbers of devices; NULL: not made */
	const struct report_figure *figures;
	size_t figure_count;
};

/* Launches of one plan that were measured here. */
struct report_run {
	const char *plan;
	unsigned launches;
	double median_s, least_s, most_s;
};
struct report_runs {
	const struct report_run *items;
	size_t count;
};

/* Projections against measurements. */
struct report_validation {
	const struct report_head *head; /* only its command and inputs are set */
	const struct paradl_validation *validation;
	double tolerance;
	const struct report_runs *runs; /* runs that were measured here; NULL: the rows are those of a file */
};

/* Constants fitted to measured training times. */
struct report_fit {
	const struct report_head *head; /* only its command and inputs are set */
	const struct paradl_fit *fit;
	const char *into; /* directory whose profiles hold the constants now, or NULL */
};

/* Device files against times of kernels. */
struct report_kernels {
	const struct report_head *head; /* only its command and inputs are set */
	const struct paradl_kernels *kernels;
	const char *into; /* device file that has the numbers now, or NULL */
};

/* A machine's numbers and curves out of samples. */
struct report_calibration {
	const struct report_head *head; /* only its command, its inputs and the machine's name are set */
	const struct paradl_calibration *calibration;
	const char *into;        /* profile that has the numbers now, or NULL */
	bool is_refused;         /* whether `into` was not written because of a verdict */
	const char *layer_times; /* file that times of layers were written to, or NULL */
	bool shows_points;       /* whether every point of the curves is shown */
};

/* Federated rounds: the first scheme in depth, the others compared with it. */
struct report_federate {
	const struct report_head *head;
	const struct paradl_federation *federation;
	const struct paradl_federated *federated;
	const size_t *ranked; /* indices of the rounds of `federated`: those that fit first, by time */
};

/* One network on which an operation is asked about. */
struct report_network {
	struct paradl_network_info info;
	struct paradl_inventory inventory;
	struct paradl_collective_table table;
	double rate; /* factor on the rates of all cables that makes prices equal; else 1 */
};

/* An operation on one or more networks. */
struct report_collective {
	const struct report_head *head; /* without model and framework; the machine may be nameless */
	const struct report_network *networks;
	size_t count;
	bool compares;                          /* whether networks on paper are compared */
	bool shows_all;                         /* whether every algorithm is shown */
	const char *placement;                  /* order of the ranks: "in-order" */
	const char *library;                    /* library that was named; or NULL */
	double density;                         /* density of sparse vectors; 0: dense */
	const struct paradl_schedule *schedule; /* schedule on the first network; NULL: not asked for */
	double schedule_bytes;
	const struct paradl_timings *timings; /* measured times for the first network's rows; or NULL */
};

const char *report_severity(enum paradl_severity severity);
enum { POINT_FLAGS = 5 };
/* Names of the flags of a point, such as "noisy", by bit of enum cell_flag. */
extern const char *const report_point_flags[POINT_FLAGS];

/* Returns the row of a size in bytes; NULL: there is none. */
const struct paradl_collective_row *report_row_of(const struct paradl_collective_table *table, double bytes);
const char *report_time_origin(enum paradl_time_origin origin);
/* Returns the name of an algorithm without that of its operation: "ring" for "allreduce-ring". */
const char *report_algorithm(const struct paradl_collective_table *table, size_t choice);
const char *report_algorithm_name(const struct paradl_collective_table *table, const char *name);

/* A file that was checked, and the findings or the error. */
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
	const char *program; /* name of the program: "mpi" */
	const char *skipped; /* why nothing, or nothing more, was measured; NULL: all was measured */
	unsigned launches;   /* launches that were begun; in a plan, those wanted */
	double points;       /* points of one launch */
	/* Points over all launches; kept: those that were in the file before. */
	double measured, failed, absent, kept;
	double left_out; /* points that were wanted, and for which no time was left */
	double seconds;  /* seconds that it took; in a plan, those that it is to take */
};

/* The programs that measured, or would measure, a machine. */
struct report_calibrate {
	const char *file; /* file of the samples */
	const struct report_measured *programs;
	size_t count;
	bool is_plan;                    /* whether it is a plan (--dry-run): nothing was measured */
	unsigned launches;               /* launches wanted of each program */
	double file_bytes, memory_bytes; /* most bytes that a plan may need; negative: not known */
	const struct text_list *dropped; /* benches dropped after too many failures: "mpi allreduce" */
	const struct text_list
		*lost;       /* points that were measured again after their program was lost, and why */
	double planned_s;    /* seconds that all of it takes; negative: not known */
	const char *stopped; /* why it ended early; NULL: it did not */
	const char *next;    /* command to type next; NULL: none */
};

/* Training with fewer samples. */
struct report_hide {
	const struct report_head *head;
	const struct paradl_hide *hide;
	bool compares; /* whether samplers are compared, instead of the epochs of one */
};

/* Measured times beside projected ones. */
struct report_diagnosis {
	const struct report_head *head;
	const struct paradl_measurement *measurement;
	const struct paradl_diagnosis *diagnosis;
};

/* Input modes of plans. */
struct report_io {
	const struct report_head *head;
	const struct paradl_input_table *table;
	bool shows_resources, shows_terms;
};

enum { PRICE_BASES = 2 };
extern const char
	*const price_basis_names[PRICE_BASES]; /* "rent" and "purchase": bases of a machine's price */
/* Returns how a machine is paid for, "rent"; NULL: it has no price. */
const char *machine_price_basis(const struct paradl_machine_info *machine);

/* Machines side by side. */
struct report_compare {
	const struct report_head *head; /* only its command, inputs, assumptions and warnings are set */
	const struct paradl_model_info *models;
	const struct paradl_machine_info *machines;
	const double *samples; /* samples of the training of each model; NULL: inference */
	const char *currency;  /* common currency; NULL: none */
	int basis;             /* index into price_basis_names of costs that compare; -1: there are none */
	int precision;         /* number format of all networks; -1: each has its own */
	bool fewest;           /* each machine has the fewest devices that answer at the rate */
	double deadline_s, budget;     /* limits of time and cost; 0: not asked for */
	enum paradl_amount by;         /* amount that orders the table and sets the rank */
	struct paradl_promise promise; /* promised times of inference */
	const struct paradl_comparison *comparison;
};

/* Returns the devices of all hosts that a plan takes, which are paid for; negative: not known. */
double report_devices_paid(const struct report_compare *report, const struct paradl_compare_cell *cell);
/* Returns the name of the number format that a model is trained in, on all machines. */
const char *report_precision(const struct report_compare *report, size_t model);

/* An estimate with something changed: one of tornado, target and pair. */
struct report_whatif {
	const struct report_head *head;
	enum paradl_goal goal;
	bool is_best; /* whether the plan was the best one (--best), not a given one */
	const struct paradl_tornado *tornado;
	const struct paradl_whatif_target *target;
	const struct paradl_whatif_pair *pair;
	const struct paradl_machine_info
		*upgrade; /* second machine of the pair; NULL: it is the first machine, changed */
};

/* A grid of points. */
struct report_sweep {
	const struct report_head *head; /* head of the first point */
	const struct paradl_sweep_key *keys;
	size_t key_count;
	const char *columns;               /* comma list of names of columns and keys; NULL: the usual ones */
	enum paradl_goal goal;             /* what the best plan of each point has least of */
	const struct sweep_column *layout; /* columns that report_sweep_prepare chose */
	size_t layout_count;
	double points, feasible; /* points of the whole grid, and those that run, once all are there */
};

/* A network, a size of the vector, and one of the algorithms. */
struct collective_row {
	const struct report_network *network;
	size_t choice, size;
};

/* A plan with one input mode, or with a term of its step's time. */
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

/* Records whose tables are shown to people. */
extern const struct result_record record_fit, record_kernels, record_fitted_number, record_fitted_curve,
	record_fitted_point, record_io_case, record_collective_size, record_collective_line,
	record_algorithm_line, record_timing, record_step, record_validated, record_validated_run,
	record_strategy_score, record_set_score, record_summary, record_federate_group,
	record_federate_division, record_hide, record_hide_epoch, record_hide_training, record_part,
	record_parts, record_redistribution, record_estimate_result, record_measured_program, record_io_way,
	record_io_need, record_io_row, record_compare_result, record_diagnose_phase, record_diagnose_layer,
	record_federate_result, record_whatif_row, record_whatif_need, record_whatif_phase;

#endif

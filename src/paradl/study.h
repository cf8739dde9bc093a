/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions that ask the oracle many times over: input, runs, comparisons, sweeps, what-if and more.
 * It may change with every version of the library.
 */
#ifndef PARADL_STUDY_H
#define PARADL_STUDY_H

#include "paradl/oracle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- input: which way to feed the devices ------------------------------------------------------ */

/* Way in which samples get to the workers. */
struct paradl_input_mode {
	enum paradl_store store; /* AUTO: shared for global shuffles, else shard */
	enum paradl_shuffle shuffle;
	double exchanged, hops;
};

struct paradl_input_row {
	struct paradl_input_mode way;
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
	const struct paradl_input_mode *ways; /* ways to try; NULL: the usual ones */
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

/* ---- uncertainty: what is not known of a machine ----------------------------------------------- */

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
	double share[PARADL_SOURCE_COUNT];
	/* Kind of their origin, "measured"; NULL for the framework and where there are none. */
	const char *origin[PARADL_SOURCE_COUNT];
	/* Range of the time when the group alone is off; power, price: of the cost. */
	struct paradl_range effect[PARADL_SOURCE_COUNT];
	struct paradl_range amounts[PARADL_AMOUNT_COUNT]; /* ranges with all groups together */
	/*
	 * Set of 1u << enum paradl_uncertainty_source: with numbers of the group that much worse the plan no longer runs, so that the
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

/* ---- comparing machines ------------------------------------------------------------------------ */

/*
 * Comparison of models on machines: each pair has the best plan of its number of devices. All oracles train, or all are
 * of inference; then costs and energies are of a million generated tokens (networks that generate none: samples).
 */
struct paradl_compare_request {
	/* Oracle of model i on machine j: [i * machine_count + j]; NULL: the machine cannot run it. */
	struct paradl_oracle *const *oracles;
	size_t model_count, machine_count;
	const double *samples; /* samples of the whole training, for each model; inference: NULL */
	/*
	 * Checkpoints and failures of the whole training, without its samples and its limit; NULL: amounts are of the
	 * steps alone.
	 */
	const struct paradl_run_request *job;
	/* For each machine, the worth of one unit of its currency in the common one; 0: not known. */
	const double *rates;
	/* The same of machines whose costs do not compare, as they are paid for otherwise: a budget is of theirs, too; may be NULL. */
	const double *worths;
	/*
	 * Numbers of devices: each machine has its best plan on each; not with the next two. None, where requests come at a rate:
	 * the fewest that answer it.
	 */
	const unsigned *devices;
	size_t device_count;
	/* Deadline: each machine has the fewest devices that finish by then; 0: none. */
	double deadline_s;
	/* Budget: each machine has the devices that finish first for it, in the common currency; 0: none. */
	double budget;
	/* Samples, or tokens, of an iteration, or samples of each device; all 0: what the model says for each device. */
	double batch, batch_tokens, per_device;
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
	struct paradl_run run; /* the whole training, of which time, cost and energy are; only with `job` */
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

/*
 * Returns the number of devices to try after `devices` (0: the first) where the fewest that are enough are looked for:
 * 1, 2, 4 ... inside a host, then whole hosts, for which one pays: each number up to 64, beyond in steps of an eighth of
 * the power of two below, last `all` of the machine. 0: there is none.
 */
PARADL_API unsigned paradl_devices_next(unsigned host, unsigned all, unsigned devices);
/*
 * Returns the number of devices to try next between one that is not enough and one that is: the next one in the order of
 * paradl_devices_next(), or else whole hosts in the middle. 0: there is none.
 */
PARADL_API unsigned paradl_devices_between(unsigned host, unsigned below, unsigned above);

PARADL_API bool paradl_compare(const struct paradl_compare_request *request, struct paradl_arena *arena,
	struct paradl_comparison *comparison, struct paradl_error *error);

/* ---- sample hiding: training with fewer samples than all --------------------------------------- */

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

/* ---- federated rounds: clients that train by themselves and send weights to a server ----------- */

/* Ways for a model to get from one client to the next before it is averaged. */
enum paradl_exchange_route {
	PARADL_EXCHANGE_PEERS, /* directly, over both clients' links to the outside */
	PARADL_EXCHANGE_LAN,   /* over the network of a cluster */
	PARADL_EXCHANGE_SERVER,
	PARADL_EXCHANGE_COUNT
};
/* Returns the name of a way: "peers". */
PARADL_API const char *paradl_exchange_route_name(enum paradl_exchange_route way);

struct paradl_federation {
	struct paradl_clients clients;
	double batch;              /* batch of each client; 0: the model's, else 1 */
	double epochs;             /* epochs over a client's samples in each round; 0 is 1 */
	double participants;       /* clients in each round, drawn at random; 0: all */
	double server_bytes_per_s; /* rate of the server each way, for all clients together; 0: no limit */
	/* Devices like the machine's that train the server's part; 0: one for each participant. */
	double server_devices;
	double rounds, deadline_s; /* number of rounds, and deadline of all; 0: not given */
	enum paradl_exchange_route exchange;
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

/* ---- diagnosis: measured times beside projected ones, and what would explain the gaps ---------- */

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

/* ---- sweeps: every point of a grid of questions ------------------------------------------------ */

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
	double batch_tokens; /* instead of batch: tokens of an iteration, by each model's sequence; 0: not given */
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
	bool own_batch; /* whether the batch is that which the model has with the changes, whatever plan and `best` say */
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
	PARADL_MEASURE_TTFT, /* inference: mean time to the first token of an answer */
	PARADL_MEASURE_TPOT, /* inference: mean time of each token after it */
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

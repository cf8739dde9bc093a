/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input: the time that storage, hosts and links need to feed a step. These are pure functions on numbers of a data
 * set, a machine and options. They know no plan and no oracle, only how many nodes and readers there are. Formulas:
 * paradl-formulas(7), "Input".
 *
 *     input_setting_make   gathers what is known of data set, machine and options
 *     input_rates_fill     computes seconds per sample on each resource for a number of nodes and readers; expensive
 *     input_step           computes seconds of a step; cheap, for every plan of a search
 *
 * input_setting.c gathers the setting. input_rates.c computes seconds of a sample from the storage and the exchange of
 * sample_store.c; input_step.c computes seconds of a step from them; input_describe.c reports all that leads there.
 */
#ifndef ORACLE_INPUT_INPUT_H
#define ORACLE_INPUT_INPUT_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"
#include "paradl/oracle.h"

/* Everything that input depends on. Texts and tiers belong to the machine. */
struct input_setting {
	const char *lacking; /* why input is not modelled; NULL: it is */
	const char *free;    /* parts that are not known, and so take no time; NULL: none */
	const struct dataset *dataset;
	double sample_bytes, decoded_bytes; /* bytes of one sample, stored and as devices get it */
	double total_bytes;      /* whole data set with samples to validate; 0: number of samples not known */
	double model_bytes;      /* the model's weights in 32 bits, as they go from worker to worker */
	double files_per_sample; /* files opened for each sample that is read */
	double reads_per_sample; /* small reads, which cost more than their bytes */
	const struct paradl_machine *machine;
	const struct rules *rules;                 /* rules of the program */
	const struct storage_tier *shared, *local; /* NULL: there is none */
	struct paradl_input_options options;
};

/*
 * Returns the setting of the model's data set on a machine, read by a program; sets `lacking` where something is
 * missing.
 */
struct input_setting input_setting_make(const struct paradl_model *model,
	const struct paradl_machine *machine, const struct rules *rules,
	const struct paradl_input_options *options);

/* Returns the epochs that a network is usually trained for. */
double input_usual_epochs(const struct paradl_model *model);

/* The reads of a plan. */
struct input_load {
	double nodes, devices; /* nodes and devices that work */
	double readers;        /* workers with samples of their own: replicas */
	double batch;          /* samples of a step */
	double reader_samples; /* samples of the fullest reader in a step */
	double node_samples;   /* samples that the fullest node reads in a step; pieces count as shares */
	double device_samples; /* samples that one device gets, likewise; 0: its node's, evenly dealt out */
	double forward_s;      /* the forward pass of a step; 0: not known, nothing is validated */
};

/*
 * Seconds for one sample on each resource. A resource of a node is busy for node_s * node_samples, one of the whole
 * machine for system_s * batch.
 */
struct input_rates {
	enum paradl_store store; /* never AUTO */
	bool possible;
	double node_s[PARADL_RESOURCE_COUNT], system_s[PARADL_RESOURCE_COUNT];
	double cold_node_s[PARADL_RESOURCE_COUNT],
		cold_system_s[PARADL_RESOURCE_COUNT]; /* rates of the first epoch: nothing is cached */
	double cached_share;
	double latest;          /* E[slowest reader] / mean of a fetch from the tier that is read, >= 1 */
	double exchange_bundle; /* iterations with an exchange: min(1, exchange_bundle * reader_samples) */
	struct input_exchange {
		double step_s, sample_s; /* seconds of such an iteration, of each of a reader's samples */
	} exchange, exchange_behind;     /* part that nothing hides; part that compute overlaps */
	double stored_bytes_per_node, capacity_bytes;
};
/* Fills in the rates of a store (AUTO: shared), for a number of nodes and readers. */
void input_rates_fill(const struct input_setting *setting, double nodes, double readers,
	enum paradl_store store, struct input_rates *rates);
/*
 * Lists the stores to compare: the one asked for or, with AUTO, the candidates in order of preference. Returns their
 * number.
 */
enum { INPUT_STORES_MAX = 3 };
unsigned input_stores(const struct input_setting *setting, enum paradl_store stores[INPUT_STORES_MAX]);
/*
 * Fills in the rates of the store asked for or, with AUTO, of the possible one with the least time of a step for this
 * load.
 */
void input_rates_choose(const struct input_setting *setting, const struct input_load *load, double busy_s,
	struct input_rates *rates);

/* Returns the seconds of a step that takes busy_s without input; never less than busy_s. */
double input_step(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s);
/* Fills in the same step time with all that leads to it. */
void input_describe(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s, struct paradl_input *input);

/* ---- parts ---- */

/* Seconds of the parts of one step's input. */
struct input_stages {
	double fetch_s, straggler_s; /* reads of storage and other nodes; extra time of the slowest reader */
	double preparation_s, transfer_s;
	double exchange_s, behind_s; /* part that nothing hides; part that hides behind compute */
	double loader_s;             /* time of the training process to take a batch over */
};
/* Fills in the parts of a step; `cold`: of the first epoch. */
void input_stages_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, bool cold, struct input_stages *stages);
/*
 * Returns the seconds of one resource in a step, without cached reads; for storage tiers, those of the slowest reader.
 */
double input_resource_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource);

/* Seconds of a step that are waiting, by cause. */
struct input_stalls {
	double fetch_s, straggler_s, preparation_s, exchange_s;
};
/* Returns the seconds of a step that takes busy_s without input, and fills in its stalls. */
double input_stages_step(const struct input_setting *setting, const struct input_stages *stages,
	double busy_s, struct input_stalls *stalls);

/* Returns the seconds of input alone, as if everything else took no time. */
double input_stages_alone_s(const struct input_setting *setting, const struct input_stages *stages);

/*
 * Returns the bytes per second that `clients` nodes together read from a tier (sample_store.c); HUGE_VAL: no limit is known.
 */
double tier_read(const struct storage_tier *tier, double clients);
/* Returns the deviation of a tier's fetch times as a share of their mean. */
double tier_variation(const struct storage_tier *tier);
/* Returns the bytes per second of one node's network, the same in each direction; HUGE_VAL: not known. */
double node_network(const struct paradl_machine *machine);

/* Reports whether a store is possible; if not, writes the reason to `text`. */
bool store_possible(const struct input_setting *setting, enum paradl_store store, double nodes,
	double readers, char *text, size_t size);
/* Returns the bytes that one node stores. */
double store_bytes(const struct input_setting *setting, enum paradl_store store, double nodes);
/* Returns the bytes that fit in the store, in one node or on the shared file system; 0: not known. */
double store_capacity(const struct input_setting *setting, enum paradl_store store);
/* Reports whether nodes keep their parts in memory, as nodes without disks do. */
bool store_in_memory(const struct input_setting *setting, enum paradl_store store);

/*
 * Returns the share of reads that hit a cache which holds a share x (0..1) of all that is read, in random order
 * (input_rates.c); `sequential`: files are read in order.
 */
double cache_hits(enum paradl_cache policy, double x, bool sequential);
/*
 * Returns the mean share of hits over all epochs but the first, while caches of nodes that read in a new order fill
 * up.
 */
double cache_hits_filling(double hits, double nodes, double epochs);
/* Returns the expected number of samples that one reader meets at least `times` times in epochs of global shuffles. */
double cache_met_often(double samples, double readers, double epochs, double times);

/* Returns E[slowest of n] / mean, where the standard deviation of one is `variation` of the mean. */
double straggler_factor(double variation, double n);

/*
 * Returns the probability that a consumer of rate y finds a buffer of n, filled at rate x, empty: tf.data's M/M/1/n
 * (input_step.c).
 */
double buffer_empty(double x, double y, double n);
/* Returns the latency that a consumer sees: producer_s times this probability. */
double buffer_stall_s(double producer_s, double consumer_s, double n);

/* Returns the seconds to prepare one stored sample on one core (input_rates.c). */
double prepare_sample_s(const struct input_setting *setting);

/* Returns the seconds until every node has its part (sample_store.c). */
double staging_s(const struct input_setting *setting, enum paradl_store store, double nodes);

/* Returns the samples that one reader keeps, as a share of the data set (sample_store.c); 0 with a global shuffle. */
double exchange_share(enum paradl_shuffle shuffle, double exchanged, double readers);
/* Fills in the members exchange* of the rates. */
void exchange_rates(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates);

/*
 * Returns the seconds of the program's loaders at the start of an epoch; in *late_s the extra time of the slowest
 * reader's.
 */
double loader_epoch_s(const struct input_setting *setting, double readers, double *late_s);

/* Returns the accuracy at risk in percentage points (input_describe.c); negative where nothing can be said. */
double risk_points(
	const struct paradl_input_options *options, double samples, double classes, double readers);
/* Returns the class of a risk in percentage points. */
enum paradl_risk risk_class(double points);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input: what storage, hosts and links need to feed a step. Pure functions on numbers of a data set, a machine and options;
 * it knows no plan and no oracle, only how many nodes and readers there are. Formulas: paradl-formulas(7), "Input".
 *
 *     input_setting_make   what is known of data set, machine and options
 *     input_rates_fill     seconds per sample on each resource, for a number of nodes and readers; dear
 *     input_step           seconds of a step; cheap, for every plan of a search
 *
 * setting.c gathers, store.c and exchange.c have what rates.c makes seconds of a sample of, step.c seconds of a step; describe.c says all
 * that leads there.
 */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"

/* Everything that input depends on. Texts and tiers are the machine's. */
struct input_setting {
	const char *lacking; /* why input is not modelled; NULL: it is */
	const char *free;    /* what is not known, and so takes no time; NULL: nothing */
	const struct dataset *dataset;
	double sample_bytes, decoded_bytes; /* of one sample, stored and as devices get it */
	double total_bytes;      /* with samples to validate; 0: the number of samples is not known */
	double model_bytes;      /* of its weights in 32 bits, as they go from worker to worker */
	double files_per_sample; /* opens for each sample that is read */
	double reads_per_sample; /* small reads, which cost more than their bytes */
	const struct paradl_machine *machine;
	const struct rules *rules;                 /* of the program */
	const struct storage_tier *shared, *local; /* NULL: there is none */
	struct paradl_input_options options;
};

/* model's data set on this machine, read by this program; `lacking` is set where something is missing. */
struct input_setting input_setting_make(const struct paradl_model *model,
	const struct paradl_machine *machine, const struct rules *rules,
	const struct paradl_input_options *options);

/* Epochs that a network is usually trained for. */
double input_usual_epochs(const struct paradl_model *model);

/* How a plan reads. */
struct input_load {
	double nodes, devices; /* that work */
	double readers;        /* workers with samples of their own: replicas */
	double batch;          /* samples of a step */
	double reader_samples; /* of the fullest reader, in a step */
	double node_samples;   /* that the fullest node reads in a step; pieces of samples count as shares */
	double device_samples; /* that one device gets, likewise; 0: those of its node, dealt out */
	double forward_s;      /* of a step, the forward pass alone; 0: not known, nothing is validated */
};

/*
 * Seconds for one sample on each resource. A resource of a node is busy for node_s * node_samples, one of the whole machine for
 * system_s * batch. store: never AUTO.
 */
struct input_rates {
	enum paradl_store store;
	bool possible;
	double node_s[PARADL_RESOURCE_COUNT], system_s[PARADL_RESOURCE_COUNT];
	double cold_node_s[PARADL_RESOURCE_COUNT],
		cold_system_s[PARADL_RESOURCE_COUNT]; /* the first epoch: nothing is cached */
	double cached_share;
	double latest;          /* E[slowest reader] / mean of a fetch from the tier that is read, >= 1 */
	double exchange_bundle; /* iterations with an exchange: min(1, this * reader_samples) */
	struct input_exchange {
		double step_s, sample_s; /* of such an iteration, and of each of a reader's samples */
	} exchange, exchange_behind;     /* what nothing hides; what is on its way behind compute */
	double stored_bytes_per_node, capacity_bytes;
};
void input_rates_fill(const struct input_setting *setting, double nodes, double readers,
	enum paradl_store store, struct input_rates *rates);
/* The stores that are to be compared: what was asked for, or with AUTO the candidates, the first one first. Their number. */
enum { INPUT_STORES_MAX = 3 };
unsigned input_stores(const struct input_setting *setting, enum paradl_store stores[INPUT_STORES_MAX]);
/* The best store for AUTO: the possible one with the least time of a step for this load; else as asked. */
void input_rates_choose(const struct input_setting *setting, const struct input_load *load, double busy_s,
	struct input_rates *rates);

/* Seconds that a step takes which takes busy_s without input. Never less than busy_s. */
double input_step(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s);
/* The same with all that leads to it. */
void input_describe(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s, struct paradl_input *input);

/* ---- parts ---- */

/* Seconds of one step by resource, and joined: step.c. cold: of the first epoch. */
struct input_legs {
	double fetch_s, straggler_s; /* from storage and other nodes; what the slowest reader takes more */
	double preparation_s, transfer_s;
	double exchange_s, behind_s; /* that nothing hides; that hides behind compute */
	double loader_s;             /* of the training process, to take a batch over */
};
void input_legs_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, bool cold, struct input_legs *legs);
/* Seconds of one resource, what is cached left out; of tiers: of the slowest reader. */
double input_resource_s(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, enum paradl_resource resource);

/* The step, and what of it is waiting. */
struct input_stalls {
	double fetch_s, straggler_s, preparation_s, exchange_s;
};
double input_legs_step(const struct input_setting *setting, const struct input_legs *legs, double busy_s,
	struct input_stalls *stalls);

/* Seconds of input by itself, were everything else free. */
double input_legs_alone_s(const struct input_setting *setting, const struct input_legs *legs);

/* Bytes in a second that `clients` nodes read of a tier, all together: store.c. HUGE_VAL: no limit is known */
double tier_read(const struct storage_tier *tier, double clients);
double tier_variation(const struct storage_tier *tier);
/* Both directions alike, of one node: HUGE_VAL, not known. */
double node_network(const struct paradl_machine *machine);

/* Why a store cannot be. False: text says why. stored: bytes of one node, capacity: 0, not known. */
bool store_possible(const struct input_setting *setting, enum paradl_store store, double nodes,
	double readers, char *text, size_t size);
double store_bytes(const struct input_setting *setting, enum paradl_store store, double nodes);
double store_capacity(const struct input_setting *setting, enum paradl_store store);
/* The parts of nodes without disks are in their memory. */
bool store_in_memory(const struct input_setting *setting, enum paradl_store store);

/* Share of reads that a cache of share x (0..1) of what is read has, in random order: rates.c. sequential: files read in order. */
double cache_hits(enum paradl_cache policy, double x, bool sequential);
/* The mean of that over all epochs but the first, while the caches of `nodes` that read in a new order each time fill up. */
double cache_hits_filling(double hits, double nodes, double epochs);
/* Expected number of samples that one of `readers` meets at least `times` times in `epochs` epochs of global shuffles. */
double cache_met_often(double samples, double readers, double epochs, double times);

/* E[slowest of n] / mean where the deviation of one is `variation` of the mean. */
double straggler_factor(double variation, double n);

/* tf.data's buffer (M/M/1/k): probability that a buffer of n is found empty by a consumer of rate y, producer rate x: step.c */
double buffer_empty(double x, double y, double n);
/* Latency that a consumer sees: producer_s times that. */
double buffer_stall_s(double producer_s, double consumer_s, double n);

/* Seconds for one stored sample on one core: rates.c */
double prepare_sample_s(const struct input_setting *setting);

/* Seconds until every node has its part: store.c */
double staging_s(const struct input_setting *setting, enum paradl_store store, double nodes);

/* Samples that one reader keeps, as a share of the data set: exchange.c */
double exchange_share(enum paradl_shuffle shuffle, double exchanged, double readers);
/* Fills exchange* of the rates. */
void exchange_rates(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates);

/* Seconds of the program's loaders at the start of an epoch, and what those of the slowest reader take more: step.c */
double loader_epoch_s(const struct input_setting *setting, double readers, double *late_s);

/* Of accuracy, describe.c: percentage points, negative where there is nothing to say; the class of them. */
double risk_points(
	const struct paradl_input_options *options, double samples, double classes, double readers);
enum paradl_risk risk_class(double points);

#endif

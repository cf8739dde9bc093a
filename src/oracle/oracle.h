/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header is the oracle as the rest of the program sees it: what was asked of it, and the questions beside those
 * of paradl/oracle.h. An oracle estimates one plan at a time; evaluation.h has the inside.
 */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"
#include "network/cost/curve_table.h"
#include "plan/strategy.h"

struct paradl_oracle {
	struct paradl_arena *arena;
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	struct paradl_options options;
	const struct optimizer *optimizer;
	enum paradl_precision precision;
	struct rules rules;   /* rules for networks of this kind */
	struct device device; /* the machine's device as steps run it: rule sustained */
	struct cut_rules cuts;
	struct prepared
		*prepared; /* networks as plans run them: prepared_count of PREPARED_MAX; NULL: none yet */
	unsigned prepared_count;
	const struct layer_times *times;
	const struct exchange_choices *choices; /* shared with clones; their addresses are keys of `table` */
	struct table *table;  /* NULL in the ideal model, and before the first plan of two devices */
	unsigned routed;      /* devices of the table's network */
	struct slice *slices; /* networks of fewer devices that are tori of their own; collective_choices.c */
	unsigned unchecked;   /* set of what no measured run has checked for any plan; band.c */
	double known_error;   /* mean error of the program for such networks and work; 0: unknown */
	bool has_experts;
	double prompt_tokens, output_tokens; /* of inference; 0: whole samples, no answer */
	struct replay *replay;               /* scratch for options.trace; NULL: there is none */
	const struct prefill *prefill;       /* devices that read prompts; NULL: those of plans do */
	struct paradl_oracle *reader;        /* oracle of what these do; NULL: nobody reads for others */
	double network_watt, network_price;  /* network of the whole machine, outside nodes; power.c */
	struct oracle_input *input;          /* how samples reach the devices, with scratch; input.c */
	unsigned omits;                      /* set of 1u << enum omitted: of the estimate at hand */
	bool floors;                         /* exchanges take lower bounds of their curves: table_floor */
	struct result *result;               /* memory for one result, or NULL; training.h */
	const struct result *latest; /* `result` while its network's scratch is unchanged; else NULL */
};

/*
 * Returns an oracle for another thread, with the same answers bit for bit and with scratch of its own in `arena`. Both
 * share what is only read, and curves (network/cost/curve_table.h) of the network as it is now: after network_prepare
 * for the largest plan every group is compiled once for all clones. Larger networks are the clone's own. The original
 * must outlive its clones, and be at rest while it is cloned. Returns NULL when out of memory.
 */
struct paradl_oracle *oracle_clone(
	const struct paradl_oracle *oracle, struct paradl_arena *arena, struct paradl_error *error);

/* Returns whether plans are searched together with those of readers of their prompts: options.prefill "auto". */
bool oracle_chooses_readers(const struct paradl_oracle *oracle);
/*
 * Returns a clone of an oracle that chooses readers for which these read prompts (NULL: nobody does for others);
 * the oracle must outlive it. NULL with an error.
 */
struct paradl_oracle *oracle_with_readers(const struct paradl_oracle *oracle, const char *prefill,
	struct paradl_arena *arena, struct paradl_error *error);
/* Checks that options.prefill names readers, if there are any, which a single plan needs; false with an error. */
bool oracle_readers_named(const struct paradl_oracle *oracle, struct paradl_error *error);

/* Reads the framework that the machine runs by default to train this model, or, for inference, to serve it. */
const struct paradl_framework *oracle_framework_load(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine, bool inference,
	struct paradl_error *error);

/* Takes over the numbers of its framework that were changed in place. */
void oracle_framework_changed(struct paradl_oracle *oracle);

/* Returns the axes along which it makes sense to cut such a network unless somebody asks for others: a bit set. */
unsigned oracle_axes(const struct paradl_oracle *oracle);

/* Fills the largest degree of any plan of this network along each axis (0: no limit known), to prune a search. */
void oracle_most(struct paradl_oracle *oracle, double most[PARADL_AXIS_COUNT]);

/* Prepares the network of at least `devices` devices; false with an error. */
bool network_prepare(struct paradl_oracle *oracle, double devices, struct paradl_error *error);

/* Returns the program's rules of feeding its devices, which ideal estimates use too. */
const struct rules *oracle_input_rules(const struct paradl_oracle *oracle);

/* Returns the power of the same nodes with idle devices, facility included; negative: not known. */
double standby_watt(const struct paradl_power *power);

/*
 * Fills the plan, its batches, memory and whether it fits, which takes no time of any exchange, and so no curves. For
 * zero bubble and inference, where memory depends on times, it fills the whole estimate.
 */
bool estimate_needs(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);

/* Says what the fullest device of a plan needs that does not fit, and what there is. */
void lack_explain(const struct paradl_estimate *estimate, char *reason, size_t size);

/* Parts of an estimate of inference that only some questions need. */
enum omitted {
	OMITTED_PHASES, /* phases of iteration_s, what bounds it, shares of the peak, power and what depends on it */
	OMITTED_LARGEST, /* rates at the largest batch that fits */
	OMITTED_MOST, /* most_per_s where more requests come: a bound above it is there, if that refuses them, too */
	OMITTED_COUNT
};
/*
 * Estimates as paradl_estimate does, but for parts of inference (a set of 1u << enum omitted), which are 0 then or not
 * to be read. Each of them takes about as long as what promises and most goals are about: times and memory.
 */
bool estimate_without(struct paradl_oracle *oracle, const struct paradl_plan *plan, unsigned omits,
	struct paradl_estimate *estimate, struct paradl_error *error);

/* Returns the bytes of all parts together. */
double memory_sum(const struct paradl_memory *memory);

/*
 * Fills the time over bytes of a sum among the devices of a plan that differ in these axes (a bit set), by the
 * collectives that gradients take. Returns false with an error.
 */
bool oracle_sum_curve(struct paradl_oracle *oracle, const struct paradl_plan *plan, unsigned axes,
	struct curve *curve, struct paradl_error *error);

/* Returns the origin of the number that decides how fast the device computes the network; NULL: none is given. */
const char *band_compute_origin(const struct paradl_oracle *oracle);
/* Returns an error share without what is unknown about the device, whose numbers may be moved instead. */
double band_of_program(const struct paradl_estimate *estimate, double error_share);

/*
 * Measured layer times (format "paradl-profile", paradl-layer-times(5)) are seconds of the whole layer, forward and
 * backward, at one or more batches, by layer name. They replace the roofline of whole layers; a shard's time is the
 * measured one times the roofline's ratio of shard to whole, at the local batch by linear interpolation.
 */
struct layer_times;

const struct layer_times *layer_times_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error);
/* Returns the name of the network that was measured. */
const char *layer_times_model(const struct layer_times *times);

#endif

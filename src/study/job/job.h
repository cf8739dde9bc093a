/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of training: checkpoints, failures, and the time that they add to the steps. failures.c is pure functions
 * on times, and says what a checkpoint holds and how fast it is written; run.c adds both to an estimate.
 */
#ifndef STUDY_JOB_JOB_H
#define STUDY_JOB_JOB_H

#include "machine/machine.h"
#include "model/model.h"
#include "oracle/oracle.h"
#include "paradl/oracle.h"
#include "paradl/study.h"

/* Failures at random times, in restarts too; each costs `restart_s` and the work that was not saved. */
struct failures {
	double mtbf_s;    /* mean time between failures of all nodes that work together; 0: nothing fails */
	double restart_s; /* time from a failure to the first step after it */
};

/* The time of a run with checkpoints and failures. */
struct toll {
	double total_s;                           /* expected; infinite: failures undo more than is done */
	double checkpoints_s, restarts_s, lost_s; /* parts of the total; lost_s: work lost and done again */
	double failures;                          /* expected number */
};
/* Returns the expected time of work_s with a checkpoint after every interval_s, for which devices wait cost_s each. */
struct toll failures_toll(const struct failures *failures, double work_s, double interval_s, double cost_s);
/* Returns the interval with the least total time; it depends on failures and checkpoints alone, not on the work. */
double failures_best_interval(double mtbf_s, double cost_s);
/* Returns a usual approximation of the best interval: Young, CACM 17 (1974). */
double failures_interval_young(double mtbf_s, double cost_s);
/* Returns another usual approximation: Daly, Future Generation Computer Systems 22 (2006), eq. 37. */
double failures_interval_daly(double mtbf_s, double cost_s);
/* Returns the mean time between failures of a node of `devices_per_node` devices whose profile gives none. */
double failures_usual_node_mtbf_s(double devices_per_node);

/*
 * Returns the bytes of a checkpoint: weights as computed with, the fp32 copy of mixed precision, the optimizer's
 * states.
 */
double checkpoint_bytes(
	double parameters, enum paradl_precision precision, const struct optimizer *optimizer);

/* Rates of a checkpoint; 0: not known. */
struct checkpoint_rates {
	double write_bytes_per_s, read_bytes_per_s; /* all nodes that write or read, to shared storage */
	double host_bytes_per_s;                    /* all devices that write, to host memory */
};
/* Returns the rates at which the plan's devices write and read a checkpoint; plan NULL: one device does. */
struct checkpoint_rates checkpoint_rates(
	const struct paradl_machine *machine, const struct paradl_plan *plan);

/* Questions about input that are asked again with something changed: options, machine, data set, number of devices. */

/* Share of a step up to which waiting is no stall but rounding. */
static const double input_stall_share = 1e-9;

/* An estimate and all that its input depends on, to be changed at will. */
struct input_variant {
	struct paradl_oracle oracle; /* its model and machine are those below */
	struct paradl_model model;
	struct paradl_machine machine;
	struct paradl_estimate estimate;
	struct paradl_input_options options;
};

void input_variant_make(struct input_variant *variant, const struct paradl_oracle *oracle,
	const struct paradl_estimate *estimate, const struct paradl_input_options *options);
/* Copies a variant; pointers inside point into the copy. */
void input_variant_copy(struct input_variant *copy, const struct input_variant *from);
/* Returns the input of the variant. */
struct paradl_input input_variant_ask(const struct input_variant *variant);
/* Sets store, shuffle and exchange to those of a way; the other options stay. */
void input_variant_mode(struct paradl_input_options *options, const struct paradl_input_mode *way);
/* Gives each node `cores` cores that prepare input, and lets all of them work. */
void input_variant_cores(struct input_variant *variant, double cores);
/* Multiplies devices, replicas and batch by `times`; the batch of a device and the step stay. */
void input_variant_scale(struct input_variant *variant, double times);
/* Returns the number of nodes that the variant's devices fill. */
double input_variant_nodes(const struct input_variant *variant);

/* Returns the seconds of staging and all epochs; 0: the number of samples is not known. */
double input_finish_s(const struct paradl_input *input, double epochs);

/* Reports whether the amount x is enough. */
typedef bool input_enough(struct input_variant *variant, double x);
/*
 * Returns the least x of [low, high] for which `enough` holds, if it holds from there on; whole: among integers.
 * Negative: not even high is enough.
 */
double input_least(
	input_enough *enough, const struct input_variant *base, double low, double high, bool whole);

/* Fills in the fixes of a case (input_fixes.c). False: out of memory. */
bool input_fixes(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
/* Fills in the needs of a case (input_needs.c). False: out of memory. */
bool input_needs(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
/* Fills in the explanation of a case (input_terms.c). False: out of memory. */
bool input_terms(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);

#endif

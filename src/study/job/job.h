/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of training: checkpoints, failures, and the time that they add to the steps. failures.c is pure functions
 * on times; checkpoint.c says what a checkpoint holds and how fast it is written; run.c adds both to an estimate.
 */
#ifndef STUDY_JOB_JOB_H
#define STUDY_JOB_JOB_H

#include "oracle/oracle.h"
#include "paradl/oracle.h"

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
/* Returns the rates at which the plan's devices write and read a checkpoint. */
struct checkpoint_rates checkpoint_rates(
	const struct paradl_machine *machine, const struct paradl_plan *plan);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of training: checkpoints, failures, and what they make of the time of the steps. failures.c is pure functions
 * on times; checkpoint.c says what a checkpoint is and how long it takes; run.c puts both on an estimate.
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "oracle/oracle.h"

/* Failures come at random, `mtbf_s` apart on average, in restarts too; each costs `restart_s` and what was not saved. */
struct failures {
	double mtbf_s;    /* of all nodes that work together; 0: nothing fails */
	double restart_s; /* from the failure to the first step after it */
};

/* What work of work_s takes with a checkpoint, during which devices wait for cost_s, after every interval_s of it. */
struct toll {
	double total_s;                           /* expected; infinite: more fails than is done */
	double checkpoints_s, restarts_s, lost_s; /* of it; lost_s: done, and done again */
	double failures;
};
struct toll failures_toll(const struct failures *failures, double work_s, double interval_s, double cost_s);
/* The interval that makes the total least; of failures alone, whatever the work. */
double failures_best_interval(double mtbf_s, double cost_s);
/* Usual approximations of it: Young, CACM 17 (1974); Daly, Future Generation Computer Systems 22 (2006), eq. 37. */
double failures_interval_young(double mtbf_s, double cost_s);
double failures_interval_daly(double mtbf_s, double cost_s);
/* Mean time between failures of a node of so many devices whose profile says none. */
double failures_usual_node_mtbf_s(double devices_per_node);

/* Bytes of a checkpoint: weights as computed with, the fp32 copy of mixed precision, the optimizer's states. */
double checkpoint_bytes(
	double parameters, enum paradl_precision precision, const struct optimizer *optimizer);

/* Rates of a checkpoint; 0: not known. */
struct checkpoint_rates {
	double write_bytes_per_s, read_bytes_per_s; /* of all nodes that write or read, to shared storage */
	double host_bytes_per_s;                    /* of all devices that write, to host memory */
};
struct checkpoint_rates checkpoint_rates(
	const struct paradl_machine *machine, const struct paradl_plan *plan);

#endif

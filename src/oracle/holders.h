/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each device of a pipeline has: sums over its stages. They depend on the schedule, not on how states are shared. */
#ifndef ORACLE_HOLDERS_H
#define ORACLE_HOLDERS_H

#include "oracle/stage.h"

/* One device of the pipeline. */
struct holder {
	unsigned device;
	bool exchanges;           /* its exchange may be the longest */
	bool fills;               /* its memory may be the fullest */
	unsigned like;            /* which of the shares of step_exchange_add is its own */
	double sums[STAGE_TERMS]; /* over its stages; the most, from STAGE_LARGEST on */
	double first_s, last_s;   /* of a micro-batch: its forwards, its backwards */
	double taken_s[2];        /* of both: in which layers' exchanges fill the links of replicas */
	double tied; /* weights of a tied head whose embedding is on another device: a copy of its own, unless in
			shares */
	double kept;                         /* items of all micro-batches it holds */
	double held;                         /* micro-batches */
	double logits_held;                  /* of those, in the stage with the loss; 0: it is elsewhere */
	double message_bytes, context_bytes; /* of one that fills: training.h */
};

/*
 * Fills net->holders, after the schedule, with the devices that another one like them does not make superfluous; returns
 * how many.
 */
unsigned holders_fill(const struct evaluation *evaluation);

/* Weights of a head that an embedding has, too; 0: there is none. */
double tied_items(const struct evaluation *evaluation);

#endif

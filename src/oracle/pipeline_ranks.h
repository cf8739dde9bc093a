/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline ranks have the sums of each device of a pipeline. They depend on the schedule, not on how states are shared. */
#ifndef ORACLE_PIPELINE_RANKS_H
#define ORACLE_PIPELINE_RANKS_H

#include "oracle/stage.h"

/* Device of the pipeline. */
struct pipeline_rank {
	unsigned device;
	bool exchanges;           /* its exchange may be the longest */
	bool fills;               /* its memory may be the fullest */
	unsigned like;            /* index of its own share in those of step_exchange_add */
	double sums[STAGE_TERMS]; /* sums over its stages; maxima, from STAGE_LARGEST on */
	double first_s, last_s;   /* seconds of a micro-batch: its forwards, its backwards */
	double taken_s[2];        /* part of both in which layers' exchanges fill the links of replicas */
	/* Weights of a tied head whose embedding is on another device: a copy; 0 where shares count them. */
	double tied;
	double kept;                         /* items of all micro-batches that it holds */
	double held;                         /* micro-batches that it holds */
	double logits_held;                  /* those held in the stage with the loss; 0: that is elsewhere */
	double message_bytes, context_bytes; /* if it `fills`: training.h */
};

/* Fills net->pipeline_ranks, after the schedule, without devices that another one makes superfluous; returns the number. */
unsigned pipeline_ranks_fill(const struct evaluation *evaluation);

/* Returns the weights, on one device, of a head that shares them with an embedding; 0: there is none. */
double tied_items(const struct evaluation *evaluation);

#endif

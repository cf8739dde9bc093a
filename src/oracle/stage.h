/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stages of a pipeline are sums over their units. Units that are alike (the blocks of a transformer) are one class,
 * whose cost is computed once; a stage is a number of units of each class.
 */
#ifndef ORACLE_STAGE_H
#define ORACLE_STAGE_H

#include "oracle/evaluation.h"

struct schedule_device;

/* Terms that add up over units: seconds of one micro-batch, items of one micro-batch, weights, counts. */
enum stage_term {
	/* The terms before STAGE_LAYERWISE_S exist for token layers only. */
	STAGE_CALLS_FORWARD,
	STAGE_CALLS_BACKWARD,
	STAGE_HIDDEN_S, /* exchanges that are hidden already, by pass: context's behind attention */
	STAGE_EXCHANGE_S = STAGE_HIDDEN_S + 2, /* exchanges by token axis, forward then backward */
	STAGE_LAYERWISE_S =
		STAGE_EXCHANGE_S + 2 * TOKEN_AXES, /* collectives of filter and channel, by pass */
	STAGE_HALO_S = STAGE_LAYERWISE_S + 2,
	STAGE_FORWARD_S = STAGE_HALO_S + 2,
	STAGE_BACKWARD_S, /* backward without the next term */
	STAGE_WEIGHT_S,   /* gradients of weights */
	STAGE_AGAIN_S,    /* kernels recomputed in backward */
	STAGE_AGAIN_EXCHANGE_S,
	/* Host time: of forward where the host runs ahead pass by pass, else of both passes. */
	STAGE_HOST_S,
	STAGE_HOST_AGAIN_S,
	STAGE_SYNCHRONISATIONS, /* blocking communications of both passes */
	STAGE_WEIGHTS,          /* trained weights, with those of experts */
	STAGE_EXPERT_WEIGHTS,
	STAGE_FROZEN, /* weights that are not trained, with those of experts */
	STAGE_FROZEN_EXPERTS,
	STAGE_UPDATE_S,                /* seconds as measured layer by layer; else 0 */
	STAGE_STORED = STAGE_UPDATE_S, /* inference, which updates nothing: bytes of stored weights */
	STAGE_TENSORS,                 /* tensors of the trained weights */
	/* Items from forward to backward, without logits and recomputed ones; inference: keys and values kept. */
	STAGE_KEPT,
	STAGE_LOGITS, /* items of logits at the loss */
	STAGE_BLOCKS,
	/* Part of STAGE_KEPT that is free again while the backward of earlier units runs. */
	STAGE_FREED,
	STAGE_LARGEST, /* from here on not sums but the most of any unit */
	STAGE_WORKING =
		STAGE_LARGEST, /* items beyond STAGE_KEPT while a backward runs: recomputed ones, gradients */
	STAGE_BUFFERS,         /* items of the buffers of its collectives */
	STAGE_UNIT_WEIGHTS,
	STAGE_UNIT_KEPT, /* items kept before recomputation leaves any out */
	STAGE_TERMS
};

struct stage {
	unsigned first, end; /* units [first, end) */
	unsigned
		repeats; /* number of stages before this one with the same terms, which the first of them has */
	bool plain;      /* no layers of tokens, and so no terms before STAGE_LAYERWISE_S */
	double gather_s; /* seconds of one pass: spatial pieces, before a layer that needs them whole */
	/* Seconds of one micro-batch's message to the next stage, and of the gradient back. */
	double send_s[2];
	double term[STAGE_TERMS];
};

/* Returns the stage of a pipeline that has the terms, and the work, of this one. */
static inline const struct stage *stage_repeated(const struct stage *stage)
{
	return stage - stage->repeats;
}

/* Units of a stage that have a plan of their own, and their sums. */
struct plan_share {
	const struct evaluation *evaluation;
	unsigned stage;
	double sums[STAGE_TERMS];
	double copied; /* weights of a head that are another stage's embedding: held and updated in both */
};

/* Classes of units that are alike. */
struct unit_classes {
	unsigned count;
	unsigned *of_unit;   /* class of each unit */
	unsigned *run_end;   /* for each unit, the first unit after it of another class */
	unsigned *sample;    /* a unit of each class */
	struct stage *costs; /* scratch: one unit of each class, and again without recomputation */
};

struct unit_classes *unit_classes_create(
	struct paradl_arena *arena, const struct paradl_model *model, struct paradl_error *error);

/* Host time of backward / host time of forward of a layer: backward starts twice the products and as many passes. */
extern const double host_backward;

/* Fills the costs of one unit of each class under the plan's options. */
void unit_costs_fill(const struct evaluation *evaluation);
/* Fills the stage of units [first, end), which comes after `before` (NULL: none), but for terms that it repeats. */
void stage_fill(const struct evaluation *evaluation, unsigned first, unsigned end, const struct stage *before,
	struct stage *stage);
/* Adds `count` units of one cost: sums of what adds up, the most of the rest. */
void stage_terms_add(const struct stage *cost, unsigned count, double *term);
/* Adds what a stage holds of the tensor that enters it; call it after its units are added. */
void stage_inputs_add(const struct evaluation *evaluation, struct stage *stage);
/* Fills the cost of one layer of the network as a unit of its own, whatever its kind. */
void layer_unit_cost(const struct evaluation *evaluation, unsigned index, struct stage *cost);
/*
 * Returns the items of one micro-batch that enter a unit, as this device holds them: the network's input, or the
 * output of the unit before.
 */
double entering_items(const struct evaluation *evaluation, unsigned unit);
/*
 * Chooses the units of each of `count` stages (net->stage_ends): as the plan gives them, by even numbers of blocks, or
 * so that the largest stage is as small as it can be. Returns false with an error if the given split does not fit.
 */
bool stages_cut(const struct evaluation *evaluation, unsigned count, struct paradl_error *error);
/* Fills the blocks, or layers, of each stage of a plan that was evaluated, by cutting them once more. */
void stages_tell(const struct evaluation *evaluation, struct paradl_estimate *estimate);
/* Writes into a plan the split of blocks that balances the work of its stages; false: it has no blocks, or a split of its own. */
bool stages_balance(const struct evaluation *evaluation, struct paradl_plan *plan);
/* Fills the sums by which stages are cut, once for each network; its costs of kernels are lost. */
void stages_weigh(const struct paradl_oracle *oracle, struct prepared *net);
/* Makes room for what decides between cuts of a network of images: memory, and messages between stages. */
bool stage_messages_reserve(struct prepared *net, struct paradl_arena *arena);

/* Work of one stage in one micro-batch, in seconds. */
struct stage_work {
	double forward_s, backward_s, again_s, weight_s; /* kernels */
	double exchange_s[2], hidden_s; /* exposed layer-wise exchanges by pass; hidden ones of both */
	double halo_s[2];
	double device_s;              /* all of this, both passes */
	double host_s[2], total_s[2]; /* by pass: of the host, and of both together */
	/* Seconds in which the device waits for the host to start its kernels, both passes; those within exchanges. */
	double waits_s, exchange_waits_s;
};

/* Shares of traffic hidden behind compute: the framework's, but 0 for what the plan keeps apart. */
struct overlaps {
	double gradients, gathers, shards;
	double axis[TOKEN_AXES]; /* by axis - PARADL_EXPERT */
};
struct overlaps overlaps_of(const struct evaluation *evaluation);

/*
 * Fills the times of a stage's kernels. A host that calls them one by one stretches each pass by itself: its last
 * kernel runs no sooner than the host has called all of the pass.
 */
void stage_kernels_fill(const struct evaluation *evaluation, const double *term, struct stage_work *work);
void stage_work_fill(const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work);
/* Fills by what factor the host prolongs each pass of the device; 0 where the device has nothing to do. */
void stage_work_ratios(const struct stage_work *work, double ratio[2]);

/*
 * Pipeline ranks have the sums of each device of a pipeline. They depend on the schedule, not on how states are
 * shared.
 */

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

/*
 * Fills net->pipeline_ranks without devices that another one makes superfluous; returns the number. Before there is a
 * schedule (NULL), only those that may be fullest, and without times.
 */
unsigned pipeline_ranks_fill(const struct evaluation *evaluation, const struct schedule_device *scheduled);

/* Returns the weights, on one device, of a head that shares them with an embedding; 0: there is none. */
double tied_items(const struct evaluation *evaluation);

#endif
